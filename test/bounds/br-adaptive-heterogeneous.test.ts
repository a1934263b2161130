import { describe, expect, test } from 'vitest';
import type { ComposeOptions } from '../../src/composition/compose/compose.ts';
import type { Order } from '../../src/privacy/curve.ts';
import { answer, atDelta, atEpsilon, boundedRange, valueOf } from '../mechanisms.ts';
import { adaptiveGain, fixedGain, onGrid, range, refined } from '../reference/adaptive-game.ts';
import { nonadaptiveDelta } from '../reference/bounded-range.ts';
import { fc } from '../reference/properties.ts';
import { someOf } from '../reference/share.ts';

type Options = ComposeOptions & { readonly order?: Order };

/** A parameter with its count, 1 where it stands alone. */
type Ranges = readonly (string | readonly [string, number])[];

const entriesOf = (ranges: Ranges) =>
  ranges.map((one) => (typeof one === 'string' ? boundedRange(one) : boundedRange(one[0], { count: one[1] })));

interface Ends {
  readonly lower: number;
  readonly upper: number;
}

const ends = ({ lower, upper }: { readonly lower: number | null; readonly upper: number }): Ends => ({
  lower: lower ?? -Infinity,
  upper,
});

const deltaOf = (ranges: Ranges, epsilon: string | number, options: Options = {}): Ends => {
  const bounds = ['br-adaptive'] as const;
  return ends(valueOf(answer(entriesOf(ranges), atEpsilon(epsilon), { bounds, ...options }), 'br-adaptive'));
};

const fixedDelta = (ranges: Ranges, epsilon: string | number, options: Options = {}): Ends => {
  const given = { bounds: ['br-nonadaptive'], adaptivity: 'nonadaptive', ...options } as const;
  return ends(valueOf(answer(entriesOf(ranges), atEpsilon(epsilon), given), 'br-nonadaptive'));
};

const ANY = { order: 'any' } as const;
const DECLARED = { order: 'declared' } as const;

const moves = (ranges: readonly string[]) => ranges.map((e) => range(Number(e)));

/** What the oracles' own rounding may amount to, relatively. */
const ROUNDING = 1e-11;
/** How near to the optimum refined searches come. */
const SEARCHED = 1e-7;

const parameter = fc.double({ min: -1.5, max: 0.7, noNaN: true }).map((x) => (10 ** x).toPrecision(3));
const share = fc.double({ min: -0.9, max: 0.95, noNaN: true });
const orders = fc.constantFrom<Order>('any', 'declared');
const asked = (ranges: readonly string[], part: number): string =>
  (part * ranges.reduce((sum, e) => sum + Number(e), 0)).toPrecision(6);

describe('different bounded-range mechanisms, chosen adaptively', () => {
  test('{0.5, 1.5} at eps 0: 0.36780 smaller first, 0.35836 larger first, the better of both in any order', () => {
    const smaller = deltaOf(['0.5', '1.5'], 0, { ...DECLARED, tolerance: 1e-6 });
    const larger = deltaOf(['1.5', '0.5'], 0, { ...DECLARED, tolerance: 1e-6 });
    const any = deltaOf(['1.5', '0.5'], 0, { ...ANY, tolerance: 1e-6 });
    for (const [value, truth] of [
      [smaller, 0.3678],
      [any, 0.3678],
      [larger, 0.35836],
    ] as const) {
      expect(value.lower).toBeGreaterThan(truth - 6e-6);
      expect(value.upper).toBeLessThan(truth + 6e-6);
    }
  });

  test('no adversary who tries a grid of t at every step gains more than the upper end', () => {
    fc.assert(
      fc.property(fc.array(parameter, { minLength: 2, maxLength: 3 }), share, orders, (ranges, part, order) => {
        const epsilon = asked(ranges, part);
        const { upper } = deltaOf(ranges, epsilon, { order });
        const gain = adaptiveGain(moves(ranges), Number(epsilon), order, onGrid(40));
        expect(upper).toBeGreaterThanOrEqual(gain * (1 - ROUNDING));
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    { ranges: ['0.3', '0.7', '1.1', '0.3'], epsilon: '0.9' },
    { ranges: ['2', '0.5', '1.25', '3'], epsilon: '2.5' },
    { ranges: ['0.731', '0.517', '0.111', '0.333'], epsilon: '0.1' },
    { ranges: ['1.1', '1.1', '0.4', '0.4'], epsilon: '-0.3' },
  ])('nor does one who plays four: $ranges at $epsilon', ({ ranges, epsilon }) => {
    for (const order of ['any', 'declared'] as const) {
      const { upper } = deltaOf(ranges, epsilon, { order, tolerance: 1e-4 });
      const gain = adaptiveGain(moves(ranges), Number(epsilon), order, onGrid(order === 'any' ? 12 : 24));
      expect(upper).toBeGreaterThanOrEqual(gain * (1 - ROUNDING));
    }
  });

  test('what the adversary of the lower end gains, one who refines his t at every step gains too', () => {
    fc.assert(
      fc.property(fc.array(parameter, { minLength: 2, maxLength: 3 }), share, orders, (ranges, part, order) => {
        const epsilon = asked(ranges, part);
        const { lower, upper } = deltaOf(ranges, epsilon, { order, tolerance: 1e-4 });
        const gain = adaptiveGain(moves(ranges), Number(epsilon), order, refined(ranges.length === 2 ? 64 : 12, 16));
        expect(lower).toBeLessThanOrEqual(gain * (1 + SEARCHED));
        expect(upper).toBeGreaterThanOrEqual(gain * (1 - ROUNDING));
      }),
      { numRuns: 40 },
    );
  });

  test('in any order it does not matter how the mechanisms are listed', () => {
    fc.assert(
      fc.property(fc.array(parameter, { minLength: 2, maxLength: 5 }), share, (ranges, part) => {
        const epsilon = asked(ranges, part);
        const [a, b] = [deltaOf(ranges, epsilon, ANY), deltaOf(ranges.toReversed(), epsilon, ANY)];
        expect(a.lower).toBeLessThanOrEqual(b.upper);
        expect(b.lower).toBeLessThanOrEqual(a.upper);
        expect(a.upper - a.lower).toBeLessThanOrEqual(2e-3 * a.upper);
        expect(Math.abs(a.upper - b.upper)).toBeLessThanOrEqual(2e-3 * a.upper);
      }),
      { numRuns: 20 },
    );
  });

  test('a declared order never costs more than any order, and fixing all in advance never more than that', () => {
    fc.assert(
      fc.property(fc.array(parameter, { minLength: 2, maxLength: 4 }), share, (ranges, part) => {
        const epsilon = asked(ranges, part);
        const declared = deltaOf(ranges, epsilon, DECLARED);
        expect(declared.lower).toBeLessThanOrEqual(deltaOf(ranges, epsilon, ANY).upper);
        expect(fixedDelta(ranges, epsilon).lower).toBeLessThanOrEqual(declared.upper);
      }),
      { numRuns: 20 },
    );
  });

  test('mechanisms that are fixed in advance: no choice of t gains more than the upper end', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(parameter, fc.double({ min: 0, max: 1, noNaN: true })), { minLength: 2, maxLength: 6 }),
        share,
        (chosen, part) => {
          const ranges = chosen.map(([e]) => e);
          const epsilon = asked(ranges, part);
          const gain = fixedGain(
            chosen.map(([e, s]) => ({ e: Number(e), t: s * Number(e) })),
            Number(epsilon),
          );
          expect(fixedDelta(ranges, epsilon).upper).toBeGreaterThanOrEqual(gain * (1 - ROUNDING));
        },
      ),
      { numRuns: 20 },
    );
  });

  test('a count may be split over two entries', () => {
    for (const order of ['any', 'declared'] as const) {
      const whole = deltaOf([['0.3', 5], '0.7'], '0.8', { order });
      const split = deltaOf([['0.3', 2], ['0.3', 3], '0.7'], '0.8', { order });
      expect(split.lower).toBeLessThanOrEqual(whole.upper);
      expect(whole.lower).toBeLessThanOrEqual(split.upper);
      expect(Math.max(whole.upper, split.upper)).toBeLessThanOrEqual(1.002 * Math.min(whole.lower, split.lower));
    }
  });

  test('grows with every parameter and every count', () => {
    for (const order of ['any', 'declared'] as const) {
      const base = deltaOf([['0.3', 3], '0.7'], '0.6', { order });
      const more: readonly Ranges[] = [
        [['0.31', 3], '0.7'],
        [['0.3', 3], '0.71'],
        [['0.3', 4], '0.7'],
        [
          ['0.3', 3],
          ['0.7', 2],
        ],
        [['0.3', 3], '0.7', '0.01'],
      ];
      for (const ranges of more) expect(deltaOf(ranges, '0.6', { order }).upper).toBeGreaterThanOrEqual(base.lower);
    }
  });

  test('decreases in eps, and is convex in e^eps', () => {
    for (const order of ['any', 'declared'] as const) {
      const points = [-1.1, -0.4, 0, 0.05, 0.3, 0.55, 0.8, 1.1, 1.2, 1.24].map((x) => ({
        y: Math.exp(x),
        ...deltaOf(['0.3', '0.7', '0.25'], x, { order }),
      }));
      points.slice(1).forEach(({ lower }, i) => {
        expect(lower).toBeLessThanOrEqual(points[i]!.upper);
      });
      for (let i = 1; i + 1 < points.length; i++) {
        const [a, b, c] = [points[i - 1]!, points[i]!, points[i + 1]!];
        const chord = (a.upper * (c.y - b.y) + c.upper * (b.y - a.y)) / (c.y - a.y);
        expect(b.lower).toBeLessThanOrEqual(chord * (1 + ROUNDING));
      }
    }
  });

  test('the epsilon of a delta is where the curve falls to it', () => {
    const ranges: Ranges = [['0.1', 5], ['0.25', 2], '0.37'];
    for (const order of ['any', 'declared'] as const) {
      for (const delta of someOf([1e-3, 1e-30], 1)) {
        const options = { order, tolerance: 1e-2 };
        const { epsilon } = answer(entriesOf(ranges), atDelta(delta), { ...options, bounds: ['br-adaptive'] });
        expect(epsilon.upper).toBeLessThanOrEqual(1.0101 * epsilon.lower!);
        expect(deltaOf(ranges, epsilon.upper, options).lower).toBeLessThanOrEqual(delta);
        expect(deltaOf(ranges, epsilon.lower!, options).upper).toBeGreaterThanOrEqual(delta);
      }
    }
  });

  test.each([
    { ranges: ['1e-9', '1.1e-9'], epsilon: '1.4805e-9', truth: 8.00511330138033e-12 },
    { ranges: ['1e-10', '1.5e-10'], epsilon: '2.1714e-10', truth: 8.760878434531415e-14 },
    { ranges: ['0.5e-11', '1.5e-11'], epsilon: '1.8753e-11', truth: 9.575783817373738e-16 },
  ])('tiny parameters: $ranges at $epsilon', ({ ranges, epsilon, truth }) => {
    for (const order of ['any', 'declared'] as const) {
      for (const list of order === 'any' ? [ranges, ranges.toReversed()] : [ranges]) {
        for (const tolerance of [1e-3, 1e-4]) {
          const { lower, upper } = deltaOf(list, epsilon, { order, tolerance });
          expect(upper).toBeGreaterThanOrEqual(truth);
          expect(lower).toBeLessThanOrEqual(truth);
        }
      }
    }
  });
});

describe('equal bounded-range mechanisms, chosen adaptively', () => {
  test('two tiny ones', () => {
    const { lower, upper } = deltaOf([['1e-8', 2]], '0.54857e-8');
    expect(lower).toBeLessThanOrEqual(upper);
    expect(upper).toBeLessThan(1e-8);
  });

  test('one alone, or |eps| >= (k - 1) e: adaptivity gains nothing', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        parameter,
        fc.double({ min: 0, max: 0.99, noNaN: true }),
        fc.boolean(),
        (k, e, part, negative) => {
          const epsilon = ((negative ? -1 : 1) * (k - 1 + part) * Number(e)).toPrecision(12);
          const truth = nonadaptiveDelta(k, e, epsilon).toNumber();
          const one = answer(entriesOf([[e, k]]), atEpsilon(epsilon));
          expect(one.delta.upper).toBeGreaterThanOrEqual(truth * (1 - ROUNDING));
          expect(one.delta.lower!).toBeLessThanOrEqual(truth * (1 + ROUNDING));
          expect(one.delta.upper).toBeLessThanOrEqual(truth * 1.0011);
        },
      ),
      { numRuns: 40 },
    );
  });

  test.each([
    { k: 2, e: '1', epsilons: ['0.25'] },
    { k: 4, e: '1', epsilons: ['0', '0.5', '1'] },
    { k: 5, e: '0.5', epsilons: ['0', '0.3', '1'] },
    { k: 7, e: '2', epsilons: ['0', '1.7', '4.1', '8'] },
  ])('$k of $e: certainly more than fixed in advance at $epsilons', ({ k, e, epsilons }) => {
    for (const epsilon of epsilons) {
      const adaptive = deltaOf([[e, k]], epsilon, { tolerance: 2e-5 });
      expect(adaptive.lower).toBeGreaterThan(fixedDelta([[e, k]], epsilon).upper);
    }
  });

  test.each([
    { e: 1, count: 5000, delta: '1e-6' },
    { e: 10, count: 100, delta: '1e-6' },
    { e: 50, count: 20, delta: '0.5' },
    { e: 2, count: 600, delta: '0.1' },
  ])('states beyond e^709: $count of $e at $delta', ({ e, count, delta }) => {
    const { epsilon } = answer([boundedRange(e, { count })], atDelta(delta), { exhausted: () => true });
    expect(epsilon.upper).toBeLessThanOrEqual(e * count);
    expect(epsilon.lower!).toBeLessThanOrEqual(epsilon.upper);
    expect(epsilon.lower!).toBeGreaterThan(0.9 * epsilon.upper);
  });
});

describe('deltas near the smallest doubles', () => {
  // Of small parameters delta / parameter over epsilon / parameter hardly depends on the parameter.
  const scaled = (size: string): Ranges => [
    [`1e-${size}`, 40],
    [`7e-${Number(size) + 1}`, 80],
  ];

  test.each([79.8643, 86.4])('of tiny parameters are what they are of small ones, at %d parameters', (epsilon) => {
    const tiny = deltaOf(scaled('9'), `${epsilon}e-9`, DECLARED);
    const small = deltaOf(scaled('5'), `${epsilon}e-5`, DECLARED);
    expect(1e4 * tiny.upper).toBeGreaterThanOrEqual(0.99 * small.lower);
    expect(1e4 * tiny.lower).toBeLessThanOrEqual(1.01 * small.upper);
    expect(1e4 * tiny.upper).toBeLessThanOrEqual(4 * small.upper);
  });
});
