import { describe, expect, it } from 'vitest';
import { risk, type RiskQuestion } from '../../../src/composition/risk/risk.ts';
import { Decimal, decimalFromDouble } from '../../../src/numeric/decimal.ts';
import type { Bracket } from '../../../src/numeric/enclosure.ts';
import { larger, Rational } from '../../../src/numeric/rational.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { decimal, finitePair } from '../../mechanisms.ts';
import { fc } from '../../reference/properties.ts';
import { SHARE } from '../../reference/share.ts';
import {
  exchanged,
  hockeyStick,
  largestRate,
  lawsOf,
  onSample,
  together,
  type TwoLaws,
} from '../../reference/two-laws.ts';

const TOTAL = 1000;

/** Shares of 1,000, some of them 0 more often than by chance. */
const masses = (size: number): fc.Arbitrary<number[]> =>
  fc
    .array(fc.oneof({ weight: 4, arbitrary: fc.nat(TOTAL) }, { weight: 1, arbitrary: fc.constant(0) }), {
      minLength: size,
      maxLength: size,
    })
    .map((parts) => {
      const sum = parts.reduce((a, b) => a + b, 0) || 1;
      const shares = parts.map((part) => Math.floor((part / sum) * TOTAL));
      shares[0]! += TOTAL - shares.reduce((a, b) => a + b, 0);
      return shares;
    });

const pair = fc.integer({ min: 2, max: 4 }).chain((size) => fc.tuple(masses(size), masses(size)));
const rate = fc
  .tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, places]) => new Decimal(digits).div(1000).times(new Decimal(10).pow(-places)));

const textOf = (mass: number): string => new Decimal(mass).div(TOTAL).toString();
const entryOf = ([p, q]: readonly [number[], number[]]): Entry =>
  finitePair(p.map(textOf), q.map(textOf), { direction: 'fixed' });

const questionOf = (each: Decimal): RiskQuestion => ({
  priors: [each],
  falsePositiveRates: [each],
  baselines: [each],
  divergences: [],
});

const TOLERANCE = 1e-9;

/** The true value is between the ends, and those are near it. */
function expectAround({ lower, upper }: Bracket, truth: Rational, isExact = true): void {
  expect(Rational.ofDecimal(decimalFromDouble(upper)).compare(truth)).toBeGreaterThanOrEqual(0);
  expect(Rational.ofDecimal(decimalFromDouble(lower!)).compare(truth)).toBeLessThanOrEqual(0);
  if (isExact) expect(upper - lower!).toBeLessThanOrEqual(4 * TOLERANCE * upper + 1e-12);
}

function riskOf(entries: readonly Entry[], each: Decimal) {
  const outcome = risk({ entries, adaptivity: 'adaptive' }, questionOf(each), { tolerance: TOLERANCE });
  if (outcome.kind === 'refusal') throw new Error(outcome.refusal.code);
  return outcome.risk;
}

function expectExact(laws: readonly TwoLaws[], entries: readonly Entry[], each: Decimal, isExact = true): void {
  const found = riskOf(entries, each);
  const alpha = Rational.ofDecimal(each);
  const most = (value: (laws: TwoLaws) => Rational): Rational => laws.map(value).reduce(larger);
  const best = most((one) => largestRate(one, alpha));
  const other = Rational.ONE.minus(alpha);
  expectAround(
    found.advantage,
    most((one) => hockeyStick(one, Rational.ONE, Rational.ONE)),
    isExact,
  );
  expectAround(found.tests[0]!.truePositiveRate, best, isExact);
  expect(found.reconstructions[0]!.success).toEqual({ lower: null, upper: found.tests[0]!.truePositiveRate.upper });
  expectAround(
    found.tests[0]!.predictive[0]!.value,
    alpha.times(best).over(alpha.times(best).plus(other.times(alpha))),
    isExact,
  );
  expectAround(found.guesses[0]!.success, other.plus(most((one) => hockeyStick(one, alpha, other))), isExact);
}

const RUNS = SHARE === 1 ? 1000 : 400;

describe('every risk of random finite mechanisms', () => {
  it('is the one of exact rationals, alone and composed', () => {
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 4 }), rate, (pairs, each) => {
        const laws = pairs.map(([p, q]) => lawsOf(p, q, TOTAL)).reduce(together);
        expectExact([laws, exchanged(laws)], pairs.map(entryOf), each);
      }),
      { numRuns: RUNS },
    );
  });

  it('is that on Poisson samples of them, of records that are removed or added', () => {
    fc.assert(
      fc.property(
        fc.array(pair, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 99 }),
        rate,
        (pairs, q, each) => {
          const laws = pairs.map(([a, b]) => onSample(lawsOf(a, b, TOTAL), BigInt(q), 100n)).reduce(together);
          const entries = pairs.map((one): Entry => {
            const entry = entryOf(one);
            const rational = { numerator: decimal(q), denominator: decimal(100) };
            return {
              ...entry,
              mechanism: {
                type: 'sampled',
                of: entry.mechanism as never,
                scheme: 'poisson',
                rate: rational,
                neighbours: 'add-remove',
              },
            };
          });
          expectExact([laws, exchanged(laws)], entries, each);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('bounds that of every order of the neighbours where each mechanism has its own', () => {
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 3 }), rate, (pairs, each) => {
        const orders = pairs
          .map(([p, q]) => lawsOf(p, q, TOTAL))
          .reduce<TwoLaws[]>(
            (all, one) => all.flatMap((before) => [together(before, one), together(before, exchanged(one))]),
            [{ p: [1n], q: [1n], total: 1n }],
          );
        const entries = pairs.map(([p, q]) => finitePair(p.map(textOf), q.map(textOf)));
        expectExact(orders, entries, each, false);
      }),
      { numRuns: RUNS },
    );
  });
});
