import { describe, expect, test } from 'vitest';
import type { ComposeOptions } from '../../../src/composition/compose/compose.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import type { Adaptivity, Order } from '../../../src/privacy/curve.ts';
import {
  answer,
  atDelta,
  atEpsilon,
  boundedRange,
  discreteGaussian,
  discreteLaplace,
  dp,
  finitePair,
  gaussian,
  laplace,
  valueOf,
} from '../../mechanisms.ts';
import {
  adaptiveGain,
  oneRange,
  onGrid,
  outcomes,
  range,
  refined,
  response,
  type Move,
} from '../../reference/adaptive-game.ts';
import { decimalFromDouble } from '../../../src/numeric/decimal.ts';
import { fc } from '../../reference/properties.ts';

type Options = ComposeOptions & { readonly adaptivity?: Adaptivity; readonly order?: Order };

interface Ends {
  readonly lower: number;
  readonly upper: number;
}

const deltaOf = (entries: readonly Entry[], epsilon: string | number, options: Options = {}): Ends => {
  const result = answer(entries, atEpsilon(epsilon), { bounds: ['mixed'], ...options });
  return { lower: result.delta.lower ?? -Infinity, upper: valueOf(result, 'mixed').upper };
};

const ROUNDING = 1e-11;
const SEARCHED = 1e-7;

/** One mechanism, as it is composed and as the oracle plays it; pairs that are not their own swap are `lopsided`. */
interface Both {
  readonly entry: Entry;
  readonly move: Move;
  readonly lopsided?: boolean;
}

const ranged = (e: string): Both => ({ entry: boundedRange(e), move: range(Number(e)) });
const responding = (e: string, failure = '0'): Both => ({
  entry: dp(e, failure),
  move: response(Number(e), Number(failure)),
});
const pair = (p: readonly string[], q: readonly string[], lopsided = true): Both => ({
  entry: finitePair(p, q),
  move: outcomes(p.map(Number), q.map(Number), lopsided),
  lopsided,
});

const entries = (all: readonly Both[]) => all.map(({ entry }) => entry);
const moves = (all: readonly Both[]) => all.map(({ move }) => move);

const parameter = fc.double({ min: -1.3, max: 0.4, noNaN: true }).map((x) => (10 ** x).toPrecision(3));
const single = fc.oneof(
  parameter.map((e) => responding(e)),
  fc.tuple(parameter, fc.constantFrom('1e-3', '0.1')).map(([e, failure]) => responding(e, failure)),
  fc.constantFrom(
    pair(['0.5', '0.3', '0.2'], ['0.2', '0.3', '0.5'], false),
    pair(['0.7', '0.2', '0.1', '0'], ['0', '0.1', '0.2', '0.7'], false),
    pair(['0.9', '0.1'], ['0.4', '0.6']),
    pair(['0.1', '0.9'], ['0', '1']),
  ),
);
/** One or two bounded-range mechanisms and one or two others, in any places. */
const mixture = fc
  .tuple(
    fc.array(parameter.map(ranged), { minLength: 1, maxLength: 2 }),
    fc.array(single, { minLength: 1, maxLength: 2 }),
    fc.integer(),
  )
  .map(([ranges, singles, seed]) =>
    [...ranges, ...singles]
      .map((both, i) => ({ both, place: Math.imul(seed + i * 7919, 0x9e3779b1) }))
      .sort((a, b) => a.place - b.place)
      .map(({ both }) => both),
  );
const threshold = fc.double({ min: -1.2, max: 2.5, noNaN: true }).map((x) => x.toPrecision(6));
const orders = fc.constantFrom<Order>('any', 'declared');

describe('bounded range with other mechanisms', () => {
  test('RR(0.6) and two BR(0.9) at eps 0.3: 0.26861 first, 0.26705 in the middle, 0.26674 last', () => {
    const [noise, ranges] = [dp('0.6'), boundedRange('0.9')];
    for (const [listed, order, truth] of [
      [[noise, ranges, ranges], 'declared', 0.26861],
      [[ranges, noise, ranges], 'declared', 0.26705],
      [[ranges, ranges, noise], 'declared', 0.26674],
      [[ranges, ranges, noise], 'any', 0.26861],
    ] as const) {
      const { lower, upper } = deltaOf(listed, '0.3', { order, tolerance: 1e-5 });
      expect(lower).toBeGreaterThan(truth - 1e-5);
      expect(upper).toBeLessThan(truth + 1e-5);
    }
  });

  test('50 exponential mechanisms of 0.1 and 50 of Laplace noise: far below other accountings, not below a part', () => {
    const selections = boundedRange('0.1', { count: 50 });
    const noise = laplace(20, { count: 50 });
    const at = atDelta('1e-6');
    const together = answer([selections, noise], at);
    expect(together.bound).toBe('mixed');
    expect(together.tight).toBe(true);
    const asResponses = answer([dp('0.1', 0, { count: 50 }), dp('0.05', 0, { count: 50 })], at);
    expect(together.epsilon.upper).toBeLessThan(0.7 * asResponses.epsilon.lower!);
    expect(together.epsilon.upper).toBeLessThan(0.95 * valueOf(together, 'rdp').upper);
    for (const part of [selections, noise]) {
      expect(together.epsilon.upper).toBeGreaterThan(answer([part], at).epsilon.lower!);
      expect(together.epsilon.lower).toBeGreaterThan(answer([part], at).epsilon.upper);
    }
  });

  test('no adversary who tries a grid of t at every step gains more than the upper end', () => {
    fc.assert(
      fc.property(mixture, threshold, orders, (all, epsilon, order) => {
        const { lower, upper } = deltaOf(entries(all), epsilon, { order });
        const gain = adaptiveGain(moves(all), Number(epsilon), order, onGrid(48));
        expect(upper).toBeGreaterThanOrEqual(gain * (1 - ROUNDING));
        expect(lower).toBeLessThanOrEqual(upper);
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    [ranged('0.5'), responding('0.7'), ranged('0.31'), ranged('1.1')],
    [ranged('0.8'), ranged('0.8'), pair(['0.5', '0.3', '0.2'], ['0.2', '0.3', '0.5'], false), ranged('0.3')],
    [ranged('0.737'), ranged('0.113'), ranged('0.457'), responding('0.211', '0.01')],
    [ranged('0.4'), pair(['0.9', '0.1'], ['0.4', '0.6']), ranged('1.3'), ranged('0.9')],
  ])('nor does one who plays four (%#)', (...all) => {
    for (const order of ['any', 'declared'] as const) {
      for (const epsilon of [-0.3, 0.2, 1.3]) {
        const gain = adaptiveGain(moves(all), epsilon, order, onGrid(order === 'any' ? 12 : 32));
        expect(deltaOf(entries(all), epsilon, { order, tolerance: 3e-3 }).upper).toBeGreaterThanOrEqual(
          gain * (1 - ROUNDING),
        );
      }
    }
  });

  test('what the adversary of the lower end gains, one who refines his t at every step gains too', () => {
    fc.assert(
      fc.property(mixture, threshold, orders, (all, epsilon, order) => {
        const { lower, upper } = deltaOf(entries(all), epsilon, { order });
        const gain = adaptiveGain(moves(all), Number(epsilon), order, refined(24));
        expect(lower).toBeLessThanOrEqual(gain * (1 + SEARCHED));
        expect(upper).toBeGreaterThanOrEqual(gain * (1 - ROUNDING));
      }),
      { numRuns: 30 },
    );
  });

  test('one bounded-range mechanism: the closed form, summed over the losses of randomized responses', () => {
    const count = 12;
    for (const [e, f, epsilon] of [
      [0.9, 0.4, 1.1],
      [2, 0.15, 0],
      [0.05, 0.5, 2.2],
      [0.3, 0.3, -0.7],
    ] as const) {
      let [truth, choose] = [0, 1];
      for (let n = 0; n <= count; n++) {
        const mass = (choose * Math.exp(n * f)) / (1 + Math.exp(f)) ** count;
        truth += mass * oneRange(e, epsilon - (2 * n - count) * f);
        choose = (choose * (count - n)) / (n + 1);
      }
      for (const tolerance of [1e-3, 1e-5]) {
        const { lower, upper } = deltaOf([boundedRange(e), dp(f, 0, { count })], epsilon, { tolerance });
        expect(lower).toBeLessThanOrEqual(truth * (1 + ROUNDING));
        expect(upper).toBeGreaterThanOrEqual(truth * (1 - ROUNDING));
        expect(upper - lower).toBeLessThanOrEqual(tolerance * upper);
      }
    }
  });

  test('one bounded-range mechanism: the closed form, integrated over the losses of Laplace and Gaussian noise', () => {
    const steps = 40_000;
    /** By Simpson's rule. */
    const integral = (from: number, to: number, f: (z: number) => number): number => {
      const h = (to - from) / steps;
      let sum = 0;
      for (let i = 0; i <= steps; i++) sum += (i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2) * f(from + i * h);
      return (sum * h) / 3;
    };
    for (const [e, noise, epsilon] of [
      [0.9, 0.7, 0.4],
      [0.2, 1.5, 1],
      [1.5, 0.3, -0.2],
      [1, 1, 1.7],
    ] as const) {
      const { lower, upper } = deltaOf([boundedRange(e), laplace(1, {}, noise)], epsilon, { tolerance: 1e-5 });
      // Noise around 0 and around `noise`: the loss is |z - noise| - |z|.
      const truth =
        0.5 * oneRange(e, epsilon - noise) +
        integral(0, noise, (z) => 0.5 * Math.exp(-z) * oneRange(e, epsilon - noise + 2 * z)) +
        0.5 * Math.exp(-noise) * oneRange(e, epsilon + noise);
      expect(lower).toBeLessThanOrEqual(truth * (1 + SEARCHED));
      expect(upper).toBeGreaterThanOrEqual(truth * (1 - SEARCHED));

      const normal = deltaOf([gaussian(1 / noise), boundedRange(e)], epsilon, { tolerance: 1e-5 });
      const mu = 1 / Number((1 / noise).toString());
      const density = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
      const other = integral(-13, 13, (z) => density(z) * oneRange(e, epsilon - (mu * mu) / 2 - mu * z));
      expect(normal.lower).toBeLessThanOrEqual(other * (1 + SEARCHED));
      expect(normal.upper).toBeGreaterThanOrEqual(other * (1 - SEARCHED));
    }
  });

  test('in any order it does not matter how the entries are listed, nor whether a count is split', () => {
    const listed = [boundedRange('0.3', { count: 3 }), laplace(2, { count: 2 }), boundedRange('0.5'), dp('0.2')];
    const split = [
      boundedRange('0.3'),
      laplace(2),
      dp('0.2'),
      boundedRange('0.5'),
      laplace(2),
      boundedRange('0.3', { count: 2 }),
    ];
    const [a, ...others] = [listed, listed.toReversed(), split].map((all) => deltaOf(all, '0.9'));
    for (const b of others) {
      expect(a!.lower).toBeLessThanOrEqual(b.upper);
      expect(b.lower).toBeLessThanOrEqual(a!.upper);
      expect(Math.max(a!.upper, b.upper)).toBeLessThanOrEqual(1.002 * Math.min(a!.lower, b.lower));
    }
  });

  test('a declared order never costs more than any order, and fixing all in advance never more than that', () => {
    fc.assert(
      fc.property(mixture, threshold, (all, epsilon) => {
        const declared = deltaOf(entries(all), epsilon, { order: 'declared' });
        expect(declared.lower).toBeLessThanOrEqual(deltaOf(entries(all), epsilon, { order: 'any' }).upper);
        const fixed = deltaOf(entries(all), epsilon, { adaptivity: 'nonadaptive' });
        expect(fixed.lower).toBeLessThanOrEqual(declared.upper);
        expect(fixed.lower).toBeLessThanOrEqual(fixed.upper);
      }),
      { numRuns: 25 },
    );
  });

  test('grows with every parameter and count, decreases in eps, and is convex in e^eps', () => {
    for (const order of ['any', 'declared'] as const) {
      const all = [boundedRange('0.3', { count: 2 }), laplace('1.5'), boundedRange('0.5')];
      const base = deltaOf(all, '0.6', { order });
      for (const more of [
        [boundedRange('0.31', { count: 2 }), laplace('1.5'), boundedRange('0.5')],
        [boundedRange('0.3', { count: 3 }), laplace('1.5'), boundedRange('0.5')],
        [boundedRange('0.3', { count: 2 }), laplace('1.4'), boundedRange('0.5')],
        [boundedRange('0.3', { count: 2 }), laplace('1.5'), boundedRange('0.5'), dp('0.01')],
      ]) {
        expect(deltaOf(more, '0.6', { order }).upper).toBeGreaterThanOrEqual(base.lower);
      }
      const points = [-1, -0.3, 0, 0.2, 0.6, 1, 1.4, 1.7].map((x) => ({
        y: Math.exp(x),
        ...deltaOf(all, x, { order }),
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
    const all = [boundedRange('0.1', { count: 5 }), gaussian(4, { count: 3 }), boundedRange('0.2'), dp('0.1', '1e-40')];
    for (const order of ['any', 'declared'] as const) {
      for (const delta of [1e-3, 1e-12, 1e-2, 1e-30]) {
        const options = { order, tolerance: 1e-2 };
        const { epsilon } = answer(all, atDelta(delta), { ...options, bounds: ['mixed'] });
        expect(epsilon.upper).toBeLessThanOrEqual(1.0101 * epsilon.lower!);
        expect(deltaOf(all, epsilon.upper, options).lower).toBeLessThanOrEqual(delta);
        expect(deltaOf(all, epsilon.lower!, options).upper).toBeGreaterThanOrEqual(delta);
      }
    }
  });

  test.each([
    [[boundedRange(2), dp('0.01'), laplace(5)], 0.3788595],
    [[boundedRange(2), laplace(5, { count: 2 })], 0.3788595],
    [[boundedRange(2), boundedRange('0.8'), dp('0.01'), laplace(5)], 0.3788595],
  ])(
    'little noise after large ranges, in the declared order: not below what one range alone costs (%#)',
    (all, one) => {
      expect(oneRange(2, 0.3)).toBeGreaterThan(one);
      expect(deltaOf(all, '0.3', { order: 'declared', exhausted: () => true }).upper).toBeGreaterThan(one);
    },
  );

  test('a tiny bounded-range mechanism before noise, in the declared order: about the noise alone', () => {
    const { epsilon } = answer([boundedRange('1e-6'), laplace(1)], atDelta('1e-6'), { order: 'declared' });
    expect(epsilon.upper).toBeGreaterThan(1 - 2e-6);
    expect(epsilon.upper).toBeLessThan(1 + 2e-6);
  });
});

describe('noise so little that most of its losses weigh nothing', () => {
  test.each([
    [
      'discrete Laplace noise',
      [discreteLaplace('0.5225', 90), discreteGaussian('8.555', 3, { count: 30 })],
      '4.23e-17',
    ],
    ['with much like it', [discreteLaplace('0.5556', 90), discreteLaplace('1.637', 40, { count: 20 })], '2.76e-24'],
    ['Laplace noise', [laplace('0.006'), gaussian(3)], '1e-9'],
  ] as const)('costs no less beside a bounded-range mechanism than alone: %s', (_, noise, delta) => {
    const alone = answer(noise, atDelta(delta), { bounds: ['loss-distribution'] }).epsilon;
    const beside = answer([...noise, boundedRange('0.001')], atDelta(delta), { bounds: ['mixed'] });
    expect(valueOf(beside, 'mixed').upper).toBeGreaterThanOrEqual(alone.lower!);
    expect(beside.epsilon.lower!).toBeLessThanOrEqual(alone.upper + 0.001 + 1e-9);
  });
});

test.each([
  ['0.5', '0.3'],
  ['0.1', '0.1'],
  ['0.05', '0.02'],
])('epsilon is 0 at delta at 0: 3 of range %s fixed in advance, beside a conversation of %s', (e, conversation) => {
  const entries = [boundedRange(e, { count: 3 }), boundedRange(conversation, { kind: 'interactive' })];
  const options = { adaptivity: 'nonadaptive', bounds: ['mixed'] } as const;
  const { upper } = valueOf(answer(entries, atEpsilon('0'), options), 'mixed');
  const atZero = decimalFromDouble(upper).toString();
  expect(valueOf(answer(entries, atDelta(atZero), options), 'mixed').upper).toBe(0);
  expect(
    valueOf(answer(entries, atDelta(decimalFromDouble(upper * 0.9).toString()), options), 'mixed').upper,
  ).toBeGreaterThan(0);
});
