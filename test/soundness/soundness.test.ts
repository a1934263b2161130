import { Decimal } from '../../src/numeric/decimal.ts';
import { describe, expect, it } from 'vitest';
import { Precise } from '../reference/precise.ts';
import { nonadaptiveDelta } from '../reference/bounded-range.ts';
import { enumeratedDelta } from '../reference/randomized-response.ts';
import { boundedRangeAt } from './bounded-range.ts';
import { campaign, type ClassReport } from './campaign.ts';
import { approximately, expFixed, intervalOf, ofDecimal, type Interval } from './fixed-point.ts';
import { discretisedTruth } from './discretised.ts';
import { judge } from './judge.ts';
import { CHANGES, outcomes, sampledListTruth } from './sampled-atoms.ts';
import { convolved, missesOf, type Question } from './records-region.ts';
import { oneSampleTruth } from './sampled-noise.ts';
import type { CaseSpec, EntrySpec } from './specification.ts';
import { truthOf } from './truth-of.ts';
import { shareOf } from '../reference/share.ts';

const at = (text: string) => ofDecimal(new Decimal(text));
const value = ({ low, bits }: Interval): number => approximately(low, bits);

/** Whether two intervals of any precision share a point. */
function meet(a: Interval, b: Interval): boolean {
  const bits = Math.max(a.bits, b.bits);
  const to = (x: bigint, from: number): bigint => x << BigInt(bits - from);
  return to(a.low, a.bits) <= to(b.high, b.bits) && to(b.low, b.bits) <= to(a.high, a.bits);
}

describe('the exact evaluations agree with other ones', () => {
  it('e^x in fixed point is that of decimal.js', () => {
    const Wide = Decimal.clone({ precision: 150 });
    for (const text of ['0', '1', '-1', '0.3', '-0.0001', '17.25', '-40.5', '1e-30']) {
      const bits = 400;
      const expected = ofDecimal(new Wide(text).exp())(bits);
      const error = expFixed(at(text)(bits), bits) - expected;
      const magnitude = (expected >> BigInt(bits)) + 1n;
      expect(error < 64n * magnitude && -error < 64n * magnitude, text).toBe(true);
    }
  });

  it('homogeneous and listed randomized responses, against enumeration in decimals', () => {
    const groups = [
      { epsilon: '0.3', count: 7 },
      { epsilon: '0.77', count: 4 },
    ];
    for (const epsilon of ['-0.5', '0', '0.4', '3.1']) {
      const spec = (parts: typeof groups): CaseSpec => ({
        class: 'test',
        entries: parts.map((part) => ({ type: 'dp', ...part })),
        query: { epsilon },
      });
      for (const parts of [groups, groups.slice(0, 1)]) {
        const expected = intervalOf(enumeratedDelta(parts, epsilon), 1e-40, 300);
        expect(meet(truthOf(spec(parts)).deltaAt(at(epsilon)), expected), epsilon).toBe(true);
      }
    }
  });

  it('bounded range, against the same formula in decimals', () => {
    const expected = intervalOf(nonadaptiveDelta(9, '0.4', '0.7'), 1e-40, 300);
    expect(meet(boundedRangeAt(9, at('0.4'), at('0.7')), expected)).toBe(true);
  });

  it('one Laplace mechanism, against 1 - e^((eps - e) / 2)', () => {
    const spec: CaseSpec = {
      class: 'test',
      entries: [{ type: 'laplace', scale: '2', sensitivity: '1', count: 1 }],
      query: { epsilon: '0' },
    };
    for (const epsilon of ['-0.2', '0', '0.3', '0.49']) {
      const expected = new Precise(1).minus(new Precise(epsilon).minus(0.5).div(2).exp());
      expect(meet(truthOf(spec).deltaAt(at(epsilon)), intervalOf(expected, 1e-40, 300)), epsilon).toBe(true);
    }
  });

  it('noise: a Gaussian alone and beside nothing, Laplace noise that comes as two', () => {
    const gaussian: CaseSpec = {
      class: 'test',
      entries: [{ type: 'gaussian', sigma: '1', sensitivity: '1', count: 1 }],
      query: { epsilon: '1' },
    };
    // Phi(-1/2) - e Phi(-3/2)
    expect(value(truthOf(gaussian).deltaAt(at('1')))).toBeCloseTo(0.126936737507, 11);
    const laplace = (counts: readonly number[]): CaseSpec => ({
      class: 'test',
      entries: counts.map((count) => ({ type: 'laplace', scale: '1.5', sensitivity: '1', count })),
      query: { epsilon: '1' },
    });
    expect(meet(truthOf(laplace([3])).deltaAt(at('0.8')), truthOf(laplace([1, 2])).deltaAt(at('0.8')))).toBe(true);
  });

  it('shuffled reports: the largest of all data sets, against fractions of another program', () => {
    const ternary = { localEpsilon: '2.0794415416798359282516963743645297042265005', categories: 3, isAny: true };
    const weights = [
      [1, 8, 8],
      [8, 1, 8],
      [8, 8, 1],
    ];
    const five = [
      [5, 4, 6, 12, 3],
      [10, 2, 6, 6, 6],
      [5, 4, 12, 6, 3],
    ];
    type Reports = Omit<Extract<EntrySpec, { type: 'shuffled-reports' }>, 'type' | 'count'>;
    const rows: readonly (readonly [Reports, string, number, number])[] = [
      [{ ...ternary, users: 2, weights }, '1.94591014905531330510535274344317972963708473', 8, 289],
      [
        { localEpsilon: '0.405465108108164381978013115464349136571990423', categories: 4, isAny: false, users: 5 },
        '0.117783035656383454538794109470521705068480713',
        4369,
        236196,
      ],
      [
        { localEpsilon: '0.7', categories: 5, isAny: true, users: 4, weights: five },
        '0.405465108108164381978013115464349136571990423',
        1408,
        50625,
      ],
    ];
    for (const [reports, epsilon, numerator, denominator] of rows) {
      const spec = (one: Reports): CaseSpec => ({
        class: 'test',
        entries: [{ type: 'shuffled-reports', count: 1, ...one }],
        query: { epsilon },
      });
      const expected = intervalOf(new Precise(numerator).div(denominator), 1e-40, 300);
      expect(meet(truthOf(spec(reports)).deltaAt(at(epsilon)), expected)).toBe(true);
      expect(judge(spec(reports)).misses).toEqual([]);
      if (reports.weights) expect(() => truthOf(spec({ ...reports, localEpsilon: '0.69' }))).toThrow();
    }
  });

  it('noise on a sample: its closed form, and discretised losses', () => {
    for (const scheme of ['poisson', 'without-replacement'] as const) {
      for (const noise of [
        { type: 'gaussian', sigma: '0.8', sensitivity: '1', count: 1 },
        { type: 'laplace', scale: '0.8', sensitivity: '1', count: 1 },
      ] as const) {
        const sampling = { scheme, rate: ['1', '100'] } as const;
        const [closed, discretised] = [oneSampleTruth(noise, sampling), discretisedTruth([{ ...noise, sampling }])];
        for (const epsilon of ['-0.3', '0', '0.02']) {
          const [exact, around] = [closed.deltaAt(at(epsilon)), discretised.deltaAt(at(epsilon))];
          expect(meet(exact, around), `${scheme} ${noise.type} ${epsilon}`).toBe(true);
          expect(approximately(around.high - around.low, around.bits)).toBeLessThan(1e-3 * value(exact));
        }
      }
    }
  });

  it('responses on samples: the list of their combinations, and discretised losses', () => {
    const sampling = { scheme: 'poisson', rate: ['1', '10'] } as const;
    const entries = [{ type: 'dp', epsilon: '1', count: 100, sampling }] as const;
    const exact = sampledListTruth(entries).deltaAt(at('5.29552041190028'));
    expect(value(exact) / 1e-6).toBeCloseTo(1, 12);
    expect(meet(exact, discretisedTruth(entries).deltaAt(at('5.29552041190028')))).toBe(true);
    const [removed, added] = CHANGES.map((change) => outcomes(entries[0], 'forward', change, 300));
    expect(removed!.map(({ p, q }) => [q, p])).toEqual(added!.map(({ p, q }) => [p, q]));
  });

  it('losses whose neighbouring masses are no doubles bound the truth from above', () => {
    const sampling = { scheme: 'poisson', rate: ['1', '1'], records: 4, isReplaced: true } as const;
    const noise = { type: 'gaussian', sigma: '0.606', sensitivity: '2.91', count: 9, sampling } as const;
    const other = { ...noise, sigma: '1.57', sensitivity: '1', count: 1 };
    const rare = { ...other, sampling: { ...sampling, rate: ['3', '10'], records: 5 } } as const;
    // By a quadrature in 40 digits over the noise of the sample.
    const around = discretisedTruth([noise, rare]).deltaAt(at('7246.7'));
    expect(value(around)).toBe(0);
    expect(approximately(around.high, around.bits)).toBeGreaterThan(7.524e-8);
  });

  it('several records: a convolution is around epsilons of another program, and near', () => {
    const rows: readonly (readonly [Question, number, number])[] = [
      [{ sigma: 1, rates: [1000, 1000], unit: 'records', count: 1000, delta: 1e-5 }, 3.979085763, 3.0306381948],
      [{ sigma: 1.5, rates: [4000, 2000, 1000], unit: 'records', count: 300, delta: 1e-6 }, 4.8677583966, 3.7952117032],
      [
        { sigma: 1, rates: [1000, 1000], unit: 'replaced records', count: 1000, delta: 1e-5 },
        6.2861886879,
        6.2861886879,
      ],
    ];
    for (const [question, remove, add] of rows) {
      for (const [direction, epsilon] of [
        ['remove', remove],
        ['add', add],
      ] as const) {
        const [low, high] = convolved(question, direction)(epsilon);
        expect(low).toBeLessThan(question.delta);
        expect(high).toBeGreaterThan(question.delta);
        expect(high / low).toBeLessThan(1 + 5e-3);
      }
    }
    expect(missesOf({ sigma: 2, rates: [3000, 500], unit: 'records', count: 20, delta: 1e-4 }, 0)).toEqual([]);
  });

  it('a claim below the truth and a lower bound above it are seen', () => {
    const spec: CaseSpec = {
      class: 'test',
      entries: [{ type: 'dp', epsilon: '0.1', count: 100 }],
      query: { delta: '1e-6' },
    };
    const truth = truthOf(spec);
    const { answer, misses } = judge(spec);
    expect(misses).toEqual([]);
    const target = at('1e-6');
    const attained = truth.deltaAt(at((answer.upper - 1e-12).toString()));
    expect(attained.low > target(attained.bits)).toBe(true);
    const beyond = truth.deltaAt(at((answer.upper + 1e-12).toString()));
    expect(beyond.high < target(beyond.bits)).toBe(true);
  });
});

const CASES = shareOf(300, 90);
/** Fewer than this say little about a median. */
const ENOUGH = CASES / 15;

function largestMedian(classes: readonly ClassReport[], names: readonly string[]): number {
  const widths = classes
    .filter(({ name }) => names.includes(name))
    .map((one) => one.widths.epsilon)
    .filter(({ count }) => count >= ENOUGH);
  expect(widths.length).toBeGreaterThan(0);
  return Math.max(...widths.map((one) => one.quantile(0.5)));
}

describe('the campaign', () => {
  it('random cases: no claim below the truth, no lower bound above it, widths as stated', () => {
    const failing: string[] = [];
    const { classes, misses } = campaign({
      cases: CASES,
      patience: Infinity,
      seed: 2026,
      onMiss: (spec, verdict) => failing.push(`${JSON.stringify(spec)} ${verdict.misses.join('; ')}`),
    });
    expect(failing).toEqual([]);
    expect(misses).toBe(0);
    expect(largestMedian(classes, ['dp-homogeneous-small', 'dp-homogeneous-large'])).toBeLessThan(1e-9);
    expect(largestMedian(classes, ['dp-lattice', 'dp-lattice-many', 'dp-odd'])).toBeLessThan(1e-6);
  });
});
