import { describe, expect, test } from 'vitest';
import { fewChoices } from '../../../src/bounds/bounded-range/nonadaptive.ts';
import { fromDecimal } from '../../../src/numeric/double-double.ts';
import { answer, atDelta, atEpsilon, boundedRange, decimal, valueOf } from '../../mechanisms.ts';
import { fixedGain } from '../../reference/adaptive-game.ts';
import { ONE, Precise, oneMinusExp, precise } from '../../reference/precise.ts';
import { fc } from '../../reference/properties.ts';

interface Group {
  readonly e: string;
  readonly count: number;
}

const deltaOf = (groups: readonly Group[], epsilon: string, adaptivity: 'adaptive' | 'nonadaptive' = 'nonadaptive') => {
  const entries = groups.map(({ e, count }) => boundedRange(e, { count }));
  const id = adaptivity === 'adaptive' ? 'br-adaptive' : 'br-nonadaptive';
  const { lower, upper } = valueOf(answer(entries, atEpsilon(epsilon), { adaptivity, bounds: [id] }), id);
  return { lower: lower ?? -Infinity, upper };
};

const alone = (...es: readonly string[]): Group[] => es.map((e) => ({ e, count: 1 }));

/** What the best of some adversaries gains who fix a t for each mechanism, equal ones apart, and improve one t after the other. */
function searchedGain(groups: readonly Group[], x: number, starts: readonly number[]): number {
  const es = groups.flatMap(({ e, count }) => Array.from({ length: count }, () => Number(e)));
  let best = 0;
  for (const start of starts) {
    // Shares that differ from mechanism to mechanism.
    const ts = es.map((e, i) => e * (0.02 + 0.96 * ((start + 0.37 * i) % 1)));
    const gain = (at: number, t: number): number =>
      fixedGain(
        es.map((e, i) => ({ e, t: i === at ? t : ts[i]! })),
        x,
      );
    for (let round = 0; round < 6; round++) {
      es.forEach((e, i) => {
        const steps = 12;
        let [from, width] = [0, e];
        for (let zoom = 0; zoom < 4; zoom++) {
          const tried = Array.from({ length: steps + 1 }, (_, s) => from + (width * s) / steps);
          const gains = tried.map((t) => gain(i, t));
          const at = tried[gains.indexOf(Math.max(...gains))]!;
          if (gain(i, at) > gain(i, ts[i]!)) ts[i] = at;
          [from, width] = [Math.max(0, at - width / steps), (2 * width) / steps];
          width = Math.min(width, e - from);
        }
      });
    }
    best = Math.max(best, gain(0, ts[0]!));
  }
  return best;
}

const parameter = fc.double({ min: -1.7, max: 0.5, noNaN: true }).map((x) => (10 ** x).toPrecision(3));
const groupsOf = (most: number) =>
  fc.uniqueArray(fc.record({ e: parameter, count: fc.integer({ min: 1, max: 2 }) }), {
    minLength: 2,
    maxLength: most,
    selector: ({ e }) => e,
  });
const sumOf = (groups: readonly Group[]): number => groups.reduce((sum, { e, count }) => sum + Number(e) * count, 0);

describe('few bounded-range mechanisms of different parameters, fixed in advance', () => {
  test('0.49 and 0.09 at 0.386, of which t = 0.42533 and 0.02533 gain 0.0073648858', () => {
    const { lower, upper } = deltaOf(alone('0.49', '0.09'), '0.386');
    const gain = fixedGain(
      [
        { e: 0.49, t: 0.4253333 },
        { e: 0.09, t: 0.0253333 },
      ],
      0.386,
    );
    expect(upper).toBeGreaterThanOrEqual(gain);
    expect(upper).toBeLessThan(0.0073657);
    expect(lower).toBeGreaterThan(0.0073648);
  });

  test.each([
    { groups: alone('0.49', '0.09'), epsilon: '0.386' },
    { groups: alone('0.21', '0.26'), epsilon: '0.036' },
    { groups: alone('0.44', '0.97', '1.09', '1.41'), epsilon: '0.928' },
    { groups: alone('0.946', '0.499', '0.863'), epsilon: '1.823' },
    { groups: alone('0.4', '0.9', '1.1', '1.4', '0.2'), epsilon: '1' },
    {
      groups: [
        { e: '0.5', count: 3 },
        { e: '0.8', count: 5 },
      ],
      epsilon: '2',
    },
  ])('enclosed to 1e-4: $groups at $epsilon', ({ groups, epsilon }) => {
    const { lower, upper } = deltaOf(groups, epsilon);
    expect(upper).toBeLessThanOrEqual(lower * 1.0001);
    const entries = groups.map(({ e, count }) => boundedRange(e, { count }));
    const options = { adaptivity: 'nonadaptive', bounds: ['br-nonadaptive'] } as const;
    const claim = valueOf(answer(entries, atDelta(upper), options), 'br-nonadaptive');
    expect(claim.lower!).toBeLessThanOrEqual(Number(epsilon));
    expect(claim.upper).toBeGreaterThan(Number(epsilon) * (1 - 1e-3));
    expect(claim.upper).toBeLessThanOrEqual(claim.lower! * 1.001);
  });

  // By binomial sums at each pair of t's, which a search of ever finer grids improves.
  test('many mechanisms of two parameters that are multiples of one number are enclosed to 1e-4', () => {
    const groups = [
      { e: '0.1', count: 100 },
      { e: '0.2', count: 5 },
    ];
    const epsilon = 1.5;
    const outcomes = groups.map(({ e, count }) => {
      const chances = Array.from({ length: count + 1 }, () => 1);
      for (let i = 1; i <= count; i++) chances[i] = (chances[i - 1]! * (count - i + 1)) / i;
      return { e: Number(e), count, chances };
    });
    const gainAt = (ts: readonly number[]): number => {
      const [first, second] = outcomes.map(({ e, count, chances }, p) => {
        const smaller = -Math.expm1(-ts[p]!) / -Math.expm1(-e);
        return chances.map((ways, i) => ({
          mass: ways * smaller ** i * (1 - smaller) ** (count - i),
          loss: count * ts[p]! - i * e,
        }));
      }) as [{ mass: number; loss: number }[], { mass: number; loss: number }[]];
      let sum = 0;
      for (const a of first)
        for (const b of second) sum += a.mass * b.mass * Math.max(0, Math.exp(a.loss + b.loss) - Math.exp(epsilon));
      return sum;
    };
    let best = { gain: 0, ts: [0, 0] };
    const look = (...ts: readonly number[]): void => {
      const legal = ts.map((t, p) => Math.min(outcomes[p]!.e, Math.max(0, t)));
      const gain = gainAt(legal);
      if (gain > best.gain) best = { gain, ts: legal };
    };
    for (let i = 0; i <= 300; i++) for (let j = 0; j <= 30; j++) look((0.1 * i) / 300, (0.2 * j) / 30);
    for (let reach = 1e-3; reach > 1e-7; reach /= 2) {
      const [x, y] = best.ts as [number, number];
      for (let i = -4; i <= 4; i++) for (let j = -4; j <= 4; j++) look(x + (i * reach) / 4, y + (j * reach) / 2);
    }
    const { lower, upper } = deltaOf(groups, String(epsilon));
    expect(upper).toBeLessThanOrEqual(lower * 1.0001);
    expect(best.gain).toBeLessThanOrEqual(upper);
    expect(best.gain).toBeGreaterThan(lower * (1 - 1e-4));
  });

  test('of six parameters the optimum of a free search, 0.1592568547, is enclosed to 1e-4', () => {
    const { lower, upper } = deltaOf(alone('0.4', '0.9', '1.1', '1.4', '0.2', '0.65'), '1');
    expect(upper).toBeGreaterThanOrEqual(0.15925685466);
    expect(upper).toBeLessThanOrEqual(lower * 1.0001);
  });

  test('no adversary gains more than the upper end, and one gains the lower', () => {
    fc.assert(
      fc.property(
        groupsOf(3),
        fc.double({ min: 0, max: 0.98, noNaN: true }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 }),
        (groups, part, starts) => {
          const epsilon = (part * sumOf(groups)).toPrecision(5);
          const list = groups.map(({ e, count }) => ({ epsilon: decimal(e), count }));
          const curve = fewChoices(list, { exhausted: () => false })!;
          const { lower, upper } = curve.logDelta(fromDecimal(decimal(epsilon)));
          const gain = searchedGain(groups, Number(epsilon), starts);
          expect(Math.exp(upper)).toBeGreaterThanOrEqual(gain * (1 - 1e-9));
          expect(lower).toBeLessThanOrEqual(upper);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('bounded-range mechanisms next to their largest loss', () => {
  /** All t at one distance d = g / (n + 1) from e: (1 - e^-d)^(n+1) / prod (1 - e^-e). */
  const truth = (groups: readonly Group[], gap: string) => {
    const n = groups.reduce((sum, { count }) => sum + count, 0);
    const wholes = groups.reduce((product, { e, count }) => product.times(oneMinusExp(precise(e)).pow(count)), ONE);
    return oneMinusExp(precise(gap).div(n + 1))
      .pow(n + 1)
      .div(wholes);
  };

  test('the optimum, adaptive or not, is known in closed form', () => {
    for (const gap of ['1e-2', '1e-9', '1e-15']) {
      for (const groups of [
        alone('0.3', '0.7'),
        [
          { e: '0.1', count: 2 },
          { e: '0.25', count: 3 },
        ],
      ]) {
        const total = groups.reduce((sum, { e, count }) => sum.plus(precise(e).times(count)), new Precise(0));
        for (const adaptivity of ['adaptive', 'nonadaptive'] as const) {
          const { lower, upper } = deltaOf(groups, total.minus(gap).toString(), adaptivity);
          const exact = truth(groups, gap);
          expect(exact.lte(upper)).toBe(true);
          expect(exact.gte(lower)).toBe(true);
          expect(upper).toBeLessThanOrEqual(lower * (1 + 1e-9));
        }
      }
    }
  });
});

describe('sums of parameters of which no power of e is a double', () => {
  test.each([
    {
      groups: [
        { e: '20', count: 60 },
        { e: '19', count: 1 },
      ],
      epsilon: '720',
    },
    {
      groups: [
        { e: '20', count: 36 },
        { e: '19', count: 1 },
      ],
      epsilon: '712',
    },
  ])('$groups at $epsilon', ({ groups, epsilon }) => {
    const { upper } = deltaOf(groups, epsilon);
    // All t at 17, say, and the loss exceeds epsilon unless too many have the smaller one.
    const least = epsilon === '720' ? 0.9 : 1e-13;
    expect(upper).toBeGreaterThan(least);
  });

  test('a count of 100 beside another is answered', () => {
    const { lower, upper } = deltaOf(
      [
        { e: '0.1', count: 100 },
        { e: '0.07', count: 1 },
      ],
      '2',
    );
    expect(lower).toBeGreaterThan(9.4e-6);
    expect(upper).toBeLessThan(lower * 1.1);
  });
});
