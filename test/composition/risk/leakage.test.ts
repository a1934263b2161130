import { describe, expect, it } from 'vitest';
import { minEntropyLeakage, mutualInformation } from '../../../src/composition/risk/leakage.ts';
import { profilesOf, type Profiles } from '../../../src/composition/risk/profile.ts';
import type { ComposeOptions } from '../../../src/composition/compose/compose.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { asLower, asUpper } from '../../../src/numeric/enclosure.ts';
import { Rational, roundedDecimal } from '../../../src/numeric/rational.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { boundedRange, dp, gaussian, laplace, sampled, zcdp } from '../../mechanisms.ts';
import { entryOfThousandths, lawsOfThousandths, thousandths } from '../../reference/finite-pairs.ts';
import { holds } from '../../reference/precise.ts';
import { fc } from '../../reference/properties.ts';
import { bitsTold, hockeyStick, onSample, together } from '../../reference/two-laws.ts';

function profiles(entries: readonly Entry[], options: ComposeOptions = {}): Profiles {
  const found = profilesOf({ entries, adaptivity: 'adaptive' }, options);
  if (found.kind === 'refusal') throw new Error(found.refusal.code);
  return found.profiles;
}

const bits = (entries: readonly Entry[], options: ComposeOptions = {}) => mutualInformation(profiles(entries, options));

/** The truth is between the ends, which are this near to each other. */
function expectAround(entries: readonly Entry[], truth: Decimal | string, width = 1e-11): void {
  const found = bits(entries);
  expect(holds(found, new Decimal(truth)), `[${String(found.lower)}, ${found.upper}] for ${truth.toString()}`).toBe(
    true,
  );
  expect(found.upper - found.lower!).toBeLessThan(width);
}

describe('the mutual information of results and a bit', () => {
  it('are the mutual information of random finite mechanisms together, to 1e-11', () => {
    fc.assert(
      fc.property(fc.array(thousandths(1), { minLength: 1, maxLength: 4 }), (pairs) => {
        const laws = pairs.map(lawsOfThousandths).reduce(together);
        expectAround(
          pairs.map((each) => entryOfThousandths(each)),
          bitsTold(laws),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('are that of finite mechanisms on Poisson samples', () => {
    fc.assert(
      fc.property(
        fc.array(thousandths(1), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 99 }),
        (pairs, q) => {
          const laws = pairs.map((each) => onSample(lawsOfThousandths(each), BigInt(q), 100n)).reduce(together);
          expectAround(
            pairs.map((each) => sampled(entryOfThousandths(each), [q, 100])),
            bitsTold(laws),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  // By mpmath, 30 digits: quadrature over the outcomes.
  it.each([
    ['Gaussian noise', [gaussian(1)], '0.160747219796416870642642370546'],
    ['Laplace noise', [laplace(1)], '0.127706845939654463221320957869'],
    ['randomized response', [dp(1)], '0.160058462016830782721405951354'],
    ['two randomized responses', [dp(1), dp(2)], '0.541700296366505213974397750485'],
    ['Gaussian noise on a Poisson sample', [sampled(gaussian(1), '0.01')], '0.0000298675014965234922678670662871'],
  ])('are those of an integral for %s', (_, entries, truth) => {
    expectAround(entries, truth);
  });

  it('are 1 where everything is revealed, and 0 where nothing is', () => {
    expect(bits([dp(0, 1)]).upper).toBe(1);
    expect(bits([dp(0, 1)]).lower).toBeGreaterThan(1 - 1e-14);
    expect(bits([dp(0)]).upper).toBeLessThan(1e-12);
  });

  it('are no more than the advantage, and no less than what the best test says', () => {
    const mechanisms = fc.constantFrom(dp('0.3', '1e-5'), laplace(2), gaussian(3), boundedRange('0.4'), zcdp('0.1'));
    fc.assert(
      fc.property(fc.array(mechanisms, { minLength: 1, maxLength: 3 }), (entries) => {
        const known = profiles(entries);
        const { lower, upper } = mutualInformation(known);
        const { delta } = known.atZero;
        expect(upper).toBeLessThanOrEqual(delta.upper);
        expect(lower!).toBeLessThanOrEqual(upper);
        expect(lower!).toBeGreaterThanOrEqual((0.4999 * (delta.lower ?? 0) ** 2) / Math.LN2);
      }),
      { numRuns: 20 },
    );
  });

  it('are claimed by every theorem alone no smaller than they are, and by the exact one hardly larger', () => {
    const entries = [dp('0.5', '1e-6', { count: 5 })];
    const { lower, upper } = bits(entries);
    for (const id of ['basic', 'advanced-kov', 'rdp', 'zcdp'] as const) {
      expect(bits(entries, { bounds: [id] }).upper).toBeGreaterThanOrEqual(lower!);
    }
    const byChords = bits(entries, { bounds: ['dp-optimal'] }).upper;
    expect(byChords).toBeGreaterThanOrEqual(lower!);
    expect(byChords).toBeLessThan(upper * 1.001);
  });

  it('have Gaussian noise of the same concentration below what zCDP claims', () => {
    const [claim, noise] = [bits([zcdp('0.5')]), bits([gaussian(1)])];
    expect(claim.lower).toBeCloseTo(noise.lower!, 9);
    expect(claim.upper).toBeGreaterThan(noise.upper);
  });
});

const Digits = Decimal.clone({ precision: 40 });

describe('the min-entropy leakage of a bit', () => {
  it('is log2 of 1 and the total variation, of random finite mechanisms, and no less than the mutual information', () => {
    fc.assert(
      fc.property(fc.array(thousandths(1), { minLength: 1, maxLength: 4 }), (pairs) => {
        const laws = pairs.map(lawsOfThousandths).reduce(together);
        const one = Rational.of(1, 1);
        const advantage = roundedDecimal(hockeyStick(laws, one, one), 40, 'down');
        const { delta } = profiles(pairs.map((each) => entryOfThousandths(each))).atZero;
        const found = minEntropyLeakage(delta);
        const truth = new Decimal(new Digits(advantage).plus(1).log(2));
        expect(holds(found, truth)).toBe(true);
        expect(found.upper - found.lower!).toBeLessThan(1e-7);
        expect(found.upper).toBeGreaterThanOrEqual(bitsTold(laws).toNumber());
      }),
      { numRuns: 40 },
    );
  });

  it('is no more under any other prior', () => {
    const chance = fc.double({ min: 1e-3, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(chance, chance, chance, (p, q, prior) => {
        const guess = Math.max(prior * p, (1 - prior) * q) + Math.max(prior * (1 - p), (1 - prior) * (1 - q));
        const advantage = Math.abs(p - q);
        const { upper } = minEntropyLeakage({ lower: null, upper: asUpper(advantage) });
        expect(Math.log2(guess / Math.max(prior, 1 - prior))).toBeLessThanOrEqual(upper + 1e-12);
      }),
    );
  });

  it('is 0 where nothing is told, 1 where everything is, and never more', () => {
    const of = (lower: number | null, upper: number) =>
      minEntropyLeakage({ lower: lower === null ? null : asLower(lower), upper: asUpper(upper) });
    expect(of(0, 0)).toEqual({ lower: 0, upper: 0 });
    expect(of(1, 1)).toEqual({ lower: 1, upper: 1 });
    expect(of(null, 1 - 2 ** -53).upper).toBeLessThanOrEqual(1);
    expect(of(null, 0.5)).toMatchObject({ lower: 0 });
  });
});
