import { describe, expect, it } from 'vitest';
import type { Neighbours } from '../../../src/index.ts';
import type { Bracket } from '../../../src/numeric/enclosure.ts';
import { groupFromCurve } from '../../../src/composition/group-privacy/group-privacy.ts';
import { composeEntries } from '../../../src/composition/entries/compose-entries.ts';
import type { Entry, Sampled } from '../../../src/privacy/mechanism.ts';
import { sampledLaw, type Direction } from '../../../src/privacy/sampling/sampled-law.ts';
import { sampledTransform } from '../../../src/privacy/sampling/sampled-transform.ts';
import { entriesOf, specificationOfFlags } from '../../document/helpers.ts';
import { atDelta, decimal, gaussian, sampledMechanism } from '../../mechanisms.ts';
import { fc } from '../../reference/properties.ts';
import { shareOf } from '../../reference/share.ts';

const adaptive = (entries: readonly Entry[]) => ({ entries, adaptivity: 'adaptive', order: 'any' }) as const;

interface Step {
  readonly sigma: number;
  readonly rate: number | readonly [number, number];
  readonly count: number;
  readonly records?: number;
  /** Of records that have their own: the rates of all, the largest first. */
  readonly rates?: readonly (readonly [number, number])[];
  readonly draws?: number;
  readonly neighbours?: Neighbours;
}

/** Steps of Gaussian noise on Poisson samples for several records of one person. */
function steps({
  sigma,
  rate,
  count,
  rates,
  records = rates?.length ?? 1,
  draws,
  neighbours = 'add-remove',
}: Step): Entry {
  const noise = gaussian(sigma, { count });
  const fractions = rates?.map(([numerator, denominator]) => ({
    numerator: decimal(numerator),
    denominator: decimal(denominator),
  }));
  const several =
    draws !== undefined
      ? { scheme: 'with-replacement' as const, draws: decimal(draws) }
      : records === 1
        ? {}
        : { records: decimal(records), ...(fractions && { rates: fractions }) };
  return { ...noise, mechanism: { ...sampledMechanism(noise, rate), ...several, neighbours } };
}

function epsilonOf(step: Step, delta: string) {
  const outcome = composeEntries(adaptive([steps(step)]), atDelta(delta), {
    bounds: ['loss-distribution'],
    directions: true,
  });
  if (outcome.kind !== 'answer') throw new Error(outcome.refusal.code);
  return outcome.answer;
}

/*
 * Independent convolution: contour integrals over a trapezoid rule in the noise, on two lines and two grids, and lattices of two steps,
 * extrapolated (numpy); they agree to 5e-7 of epsilon or better.
 */
const GOLDEN: readonly (readonly [Step, delta: string, remove: number, add: number])[] = [
  [{ sigma: 1, rate: 0.01, count: 1000, records: 2 }, '1e-5', 3.979085763, 3.0306381948],
  [{ sigma: 0.8, rate: 0.001, count: 5000, records: 3 }, '1e-6', 2.28708822, 1.6112939136],
  [{ sigma: 2, rate: 0.02, count: 500, records: 10 }, '1e-6', 14.513123672, 12.2610622857],
  [
    {
      sigma: 1.5,
      rate: [4, 100],
      rates: [
        [4, 100],
        [2, 100],
        [1, 100],
      ],
      count: 300,
    },
    '1e-6',
    4.8677583966,
    3.7952117032,
  ],
  [{ sigma: 1, rate: 0.0001, count: 500, draws: 100 }, '1e-6', 1.7380837602, 1.0494432839],
];
const GOLDEN_REPLACED: readonly (readonly [Step, delta: string, epsilon: number])[] = [
  [{ sigma: 1, rate: 0.01, count: 1000 }, '1e-5', 2.8434402592],
  [{ sigma: 2, rate: 0.05, count: 200 }, '1e-6', 3.3178428858],
  [{ sigma: 1, rate: 0.01, count: 1000, records: 2 }, '1e-5', 6.2861886879],
  [{ sigma: 2, rate: 0.02, count: 500, records: 3 }, '1e-6', 6.85052436],
];

describe('several records of one person', () => {
  it.each(GOLDEN)('%j at %s are those of an independent convolution', (step, delta, remove, add) => {
    const { directions } = epsilonOf(step, delta);
    for (const [bracket, golden] of [
      [directions!.remove, remove],
      [directions!.add, add],
    ] as const) {
      expect(bracket.lower).toBeLessThan(golden * (1 + 1e-8));
      expect(bracket.upper).toBeGreaterThan(golden * (1 - 1e-8));
      expect(bracket.upper / bracket.lower!).toBeLessThan(1 + 1e-8);
    }
  });

  it.each(GOLDEN_REPLACED)('%j at %s, replaced, too', (step, delta, golden) => {
    const { lower, upper } = epsilonOf({ ...step, neighbours: 'replace-one' }, delta).epsilon;
    expect(lower).toBeLessThan(golden * (1 + 1e-8));
    expect(upper).toBeGreaterThan(golden * (1 - 1e-8));
    expect(upper / lower!).toBeLessThan(1 + 1e-8);
  });

  const step = fc.record({
    sigma: fc.integer({ min: 6, max: 40 }).map((x) => x / 10),
    rate: fc.integer({ min: 1, max: 200 }).map((x) => x / 1000),
    count: fc.integer({ min: 1, max: 300 }),
    records: fc.integer({ min: 1, max: 5 }),
    neighbours: fc.constantFrom('add-remove', 'replace-one'),
  });

  it('lose more the more there are, the more often they are drawn, and the less noise', () => {
    fc.assert(
      fc.property(step, (one) => {
        const { lower } = epsilonOf(one, '1e-6').epsilon;
        for (const more of [
          { ...one, records: one.records + 1 },
          { ...one, rate: one.rate * 1.5 },
          { ...one, sigma: one.sigma - 0.1 },
          { ...one, count: one.count + 5 },
          { ...one, neighbours: 'replace-one' },
        ] as const) {
          expect(epsilonOf(more, '1e-6').epsilon.upper).toBeGreaterThanOrEqual(lower!);
        }
      }),
      { numRuns: shareOf(12, 4) },
    );
  });

  it('of which there is one are the record alone, to the digit', () => {
    const [alone, one] = ['', ',records=1'].map((records) => {
      const mechanisms = [`gaussian:sigma=1.1,sampling=poisson,rate=256/60000,count=1000${records}`];
      const specification = specificationOfFlags({ mechanisms });
      return composeEntries(adaptive(entriesOf(specification)), atDelta('1e-5'));
    });
    expect(one).toEqual(alone);
  });

  it('cost no more than the lemma on groups, and no less than one of them alone', () => {
    for (const [sigma, rate, count, records] of [
      [1, 0.01, 50, 2],
      [2, 0.1, 20, 3],
      [0.8, 0.3, 1, 4],
    ] as const) {
      const [one, all] = [1, records].map((number) => ({ sigma, rate, count, records: number }));
      const group = groupFromCurve(adaptive([steps(one!)]), atDelta('1e-5'), records, {
        bounds: ['loss-distribution'],
      });
      const { epsilon } = epsilonOf(all!, '1e-5');
      expect(group!.toNumber()).toBeGreaterThanOrEqual(epsilon.upper);
      expect(epsilon.upper).toBeGreaterThanOrEqual(epsilonOf(one!, '1e-5').epsilon.lower!);
    }
  });

  it('of rates of their own are between those of the smallest and of the largest rate, one step and many', () => {
    const rates = [
      [4, 100],
      [2, 100],
      [1, 100],
    ] as const;
    for (const count of [1, 40]) {
      for (const neighbours of ['add-remove', 'replace-one'] as const) {
        const same = { sigma: 1.5, count, neighbours, records: 3 } as const;
        const [least, own, most] = [
          { ...same, rate: rates[2] },
          { ...same, rate: rates[0], rates },
          { ...same, rate: rates[0] },
        ].map((one) => epsilonOf(one, '1e-3').epsilon) as [Bracket, Bracket, Bracket];
        expect(own.upper).toBeGreaterThan(least.lower!);
        expect(own.lower!).toBeLessThan(most.upper);
        expect(own.upper / own.lower!).toBeLessThan(1 + 1e-7);
        const written = { ...same, rate: rates[1], rates: [rates[1], rates[1], rates[1]] };
        expect(epsilonOf(written, '1e-3').epsilon.upper).toBeCloseTo(
          epsilonOf({ ...same, rate: rates[1] }, '1e-3').epsilon.upper,
          9,
        );
      }
    }
  });

  it('of whom there are hundreds are between those of which there are a few less and more', () => {
    for (const records of [33, 300, 4000]) {
      const step = { sigma: 5, rate: 0.3 / records, count: 50, records };
      const { lower, upper } = epsilonOf(step, '1e-6').epsilon;
      expect(upper / lower!).toBeLessThan(1 + 1e-8);
      // Few records of which as many are drawn are drawn several at a time less often.
      expect(epsilonOf({ ...step, records: 32, rate: 0.3 / 32 }, '1e-6').epsilon.upper).toBeLessThanOrEqual(upper);
      expect(epsilonOf({ ...step, records: records + 1 }, '1e-6').epsilon.upper).toBeGreaterThanOrEqual(lower!);
    }
  });

  it('drawn with replacement are as many as draws', () => {
    const drawn = epsilonOf({ sigma: 2, rate: 0.01, count: 20, draws: 40 }, '1e-6');
    const owned = epsilonOf({ sigma: 2, rate: 0.01, count: 20, records: 40 }, '1e-6');
    expect(drawn.epsilon).toEqual(owned.epsilon);
  });

  it('replaced under draws with replacement cost at most what the draws do as replaced records, and no less than one removed', () => {
    const drawn = { sigma: 1, rate: [1, 250], draws: 50, neighbours: 'replace-one' } as const;
    const owned = { sigma: 1, rate: [1, 250], records: 50, neighbours: 'replace-one' } as const;
    for (const count of [1, 20]) {
      const { lower, upper } = epsilonOf({ ...drawn, count }, '1e-4').epsilon;
      expect(lower).toBeNull();
      expect(upper).toBe(epsilonOf({ ...owned, count }, '1e-4').epsilon.upper);
      const removed = epsilonOf({ ...drawn, count, neighbours: 'add-remove' }, '1e-4').epsilon;
      expect(upper).toBeGreaterThanOrEqual(removed.lower!);
    }
  });

  it('of which all are drawn are Gaussian noise on the sum of all', () => {
    const all = epsilonOf({ sigma: 3, rate: 1, count: 4, records: 5 }, '1e-6').epsilon;
    const replaced = epsilonOf({ sigma: 6, rate: 1, count: 4, records: 5, neighbours: 'replace-one' }, '1e-6').epsilon;
    const noise = composeEntries(adaptive([gaussian('0.6', { count: 4 })]), atDelta('1e-6'));
    const { epsilon } = noise.kind === 'answer' ? noise.answer : { epsilon: null };
    for (const { upper } of [all, replaced]) expect(upper / epsilon!.upper).toBeCloseTo(1, 9);
  });
});

/** E[e^((c + it) L)] by the trapezoid rule along the noise, of losses that are differences of logarithms of sums. */
function momentOf(
  { sigma, rate, records, neighbours }: Required<Omit<Step, 'draws' | 'rates'>>,
  direction: Direction,
  c: number,
  t: number,
) {
  const q = Number(rate);
  const logSum = (x: number, sign: number): number => {
    let [choose, sum] = [1, 0];
    for (let m = 0; m <= records; m++) {
      sum += choose * q ** m * (1 - q) ** (records - m) * Math.exp((2 * sign * m * x - m * m) / (2 * sigma * sigma));
      choose *= (records - m) / (m + 1);
    }
    return Math.log(sum);
  };
  const h = sigma / 40;
  const reach = sigma * 12 + (Math.abs(c) + 1) * records * 2;
  let [re, im] = [0, 0];
  for (let x = -reach; x < reach; x += h) {
    const own = logSum(x, 1);
    const other = neighbours === 'replace-one' ? logSum(x, -1) : 0;
    const isAddition = direction === 'add' && neighbours === 'add-remove';
    const loss = isAddition ? -own : own - other;
    const log = (-x * x) / (2 * sigma * sigma) + (isAddition ? 0 : own) + c * loss;
    const weight = (Math.exp(log) * h) / sigma / Math.sqrt(2 * Math.PI);
    re += weight * Math.cos(t * loss);
    im += weight * Math.sin(t * loss);
  }
  return { re, im };
}

it('moments on a line of complex orders are those of the trapezoid rule', () => {
  for (const records of [1, 2, 4]) {
    for (const neighbours of ['add-remove', 'replace-one'] as const) {
      for (const direction of ['remove', 'add'] as const) {
        const step = { sigma: 1.3, rate: 0.1, count: 1, records, neighbours };
        const { mechanism } = steps(step);
        const transform = sampledTransform(sampledLaw(mechanism as Sampled, direction)!, 0);
        for (const c of [-3.5, -1.5, -0.4, 0.3, 2, 6]) {
          const whole = momentOf(step, direction, c, 0).re;
          const { value, error } = transform.logMoment(c);
          expect(error).toBeLessThan(1e-10);
          expect(Math.abs(value - Math.log(whole))).toBeLessThan(error + 1e-12 * (1 + Math.abs(value)));
          for (const t of [0.2, 3, 30]) {
            const { re, im } = momentOf(step, direction, c, t);
            const ratio = { modulus: NaN, angle: NaN, error: NaN };
            transform.on(c).at(t, ratio);
            const size = Math.hypot(re, im) / whole;
            if (ratio.error === Infinity) {
              expect(size).toBeLessThanOrEqual(Math.exp(ratio.modulus) + 1e-13);
              continue;
            }
            expect(Math.abs(Math.exp(ratio.modulus) * Math.cos(ratio.angle) - re / whole)).toBeLessThan(
              ratio.error + 1e-12,
            );
            expect(Math.abs(Math.exp(ratio.modulus) * Math.sin(ratio.angle) - im / whole)).toBeLessThan(
              ratio.error + 1e-12,
            );
            expect(transform.on(c).logMost!(t, 0, -Infinity)).toBeGreaterThanOrEqual(Math.log(size) - 1e-9);
          }
        }
      }
    }
  }
});
