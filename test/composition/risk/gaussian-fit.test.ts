import { describe, expect, it } from 'vitest';
import { gaussianFit, type GaussianFit } from '../../../src/composition/risk/gaussian-fit.ts';
import { profilesOf } from '../../../src/composition/risk/profile.ts';
import { decimalFromDouble } from '../../../src/numeric/decimal.ts';
import { midpoint } from '../../../src/numeric/enclosure.ts';
import { approximateQuantile, normalTail } from '../../../src/numeric/normal.ts';
import { Rational, roundedDecimal } from '../../../src/numeric/rational.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { boundedRange, dp, gaussian, gdp, laplace, sampled, zcdp } from '../../mechanisms.ts';
import { entryOfThousandths, lawsOfThousandths, thousandths } from '../../reference/finite-pairs.ts';
import { fc } from '../../reference/properties.ts';
import { exchanged, hockeyStick, largestRate, together, type TwoLaws } from '../../reference/two-laws.ts';

function fitOf(entries: readonly Entry[], rate?: number): GaussianFit {
  const found = profilesOf({ entries, adaptivity: 'adaptive' }, { tolerance: 1e-9 });
  if (found.kind === 'refusal') throw new Error(found.refusal.code);
  return gaussianFit(found.profiles, rate);
}

const Phi = (x: number): number => midpoint(normalTail(-x));
const toNumber = (x: Rational): number => roundedDecimal(x, 30, 'down').toNumber();

/** The trade-off function of two laws, by sorting their outcomes. */
const tradeOff =
  (laws: TwoLaws) =>
  (alpha: number): number =>
    1 - toNumber(largestRate(laws, Rational.ofDecimal(decimalFromDouble(alpha))));

/** False-positive rates, even in their normal quantile, and the corners of a trade-off function. */
function places(laws: TwoLaws, rate: number): number[] {
  const even = Array.from({ length: 160 }, (_, i) => Phi(-4.75 + (i * 9.5) / 159));
  const order = laws.p
    .map((_, i) => i)
    .filter((i) => laws.p[i]! + laws.q[i]! > 0n)
    .sort((i, j) => Number(laws.q[i]! * laws.p[j]! - laws.q[j]! * laws.p[i]!));
  let reached = 0n;
  const corners = order.map((i) => {
    reached += laws.q[i]!;
    return Number(reached) / Number(laws.total);
  });
  return [rate, ...even, ...corners].filter((alpha) => alpha >= rate && alpha < 1);
}

/** The mu whose Gaussian passes through two error rates. */
const muThrough = (alpha: number, beta: number): number => -approximateQuantile(beta) - approximateQuantile(alpha);

const RATE = 1e-5;
const lawsArbitrary = fc
  .integer({ min: 0, max: 1 })
  .chain((zeros) => fc.array(thousandths(zeros), { minLength: 1, maxLength: 3 }));

describe('the Gaussian trade-off functions', () => {
  it('lie on both sides of that of random finite mechanisms, and no mu smaller by a thousandth will do', () => {
    fc.assert(
      fc.property(lawsArbitrary, fc.constantFrom(1e-12, RATE, 0.01), (pairs, rate) => {
        const laws = pairs.map(lawsOfThousandths).reduce(together);
        const fit = fitOf(
          pairs.map((each) => entryOfThousandths(each)),
          rate,
        );
        let needed = 0;
        for (const one of [laws, exchanged(laws)]) {
          const f = tradeOff(one);
          for (const alpha of places(one, rate)) {
            const beta = f(alpha);
            if (!(beta >= rate && alpha + beta < 1)) continue;
            const place = approximateQuantile(alpha);
            expect(1 - Phi(place + fit.above)).toBeLessThanOrEqual(beta + 1e-10);
            expect(1 - Phi(place + fit.below!)).toBeGreaterThanOrEqual(beta - 1e-10);
            needed = Math.max(needed, muThrough(alpha, beta));
          }
          // Where f reaches the rate between two corners.
          const [first] = places(one, rate).filter((alpha) => f(alpha) < rate);
          if (first !== undefined) {
            let [least, most] = [0, first];
            for (let i = 0; i < 80; i++) {
              const middle = (least + most) / 2;
              if (f(middle) >= rate) least = middle;
              else most = middle;
            }
            needed = Math.max(needed, muThrough(Math.max(least, rate), rate));
          }
        }
        if (rate === RATE) expect(fit.above).toBeLessThanOrEqual(needed * 1.001 + 1e-6);
        expect(fit.everywhere ?? Infinity).toBeGreaterThanOrEqual(fit.above);
      }),
      { numRuns: 20 },
    );
  });

  it('have a regret by which the one above lies below, shifted, and no less: in guesses, too', () => {
    fc.assert(
      fc.property(lawsArbitrary, (pairs) => {
        const laws = pairs.map(lawsOfThousandths).reduce(together);
        const { above: mu, regret } = fitOf(
          pairs.map((each) => entryOfThousandths(each)),
          RATE,
        );
        const above: number = mu;
        const [lower, upper]: [number, number] = [regret!.lower!, regret!.upper];
        expect(upper - lower).toBeLessThan(2e-4 * upper + 1e-5);
        for (const one of [laws, exchanged(laws)]) {
          const f = tradeOff(one);
          for (const alpha of places(one, RATE)) {
            const moved = alpha + upper >= 1 ? 0 : f(alpha + upper);
            expect(moved - upper).toBeLessThanOrEqual(1 - Phi(approximateQuantile(alpha) + above) + 1e-10);
          }
        }
        // The difference of the chances of a right guess at priors p.
        let largest = 0;
        for (let p = 1; p < 100; p++) {
          const [prior, rest] = [Rational.of(p, 100), Rational.of(100 - p, 100)];
          const epsilon = Math.log((100 - p) / p);
          const delta = Phi(above / 2 - epsilon / above) - Math.exp(epsilon) * Phi(-above / 2 - epsilon / above);
          const own = toNumber(hockeyStick(laws, prior, rest));
          largest = Math.max(largest, (p / 100) * delta - own);
        }
        expect(largest).toBeLessThanOrEqual(upper + 1e-10);
        expect(largest).toBeGreaterThanOrEqual(upper - 0.01);
      }),
      { numRuns: 12 },
    );
  });

  it('are one where Gaussian mechanisms are composed, and nothing is lost', () => {
    const { above, below, everywhere, regret } = fitOf([gaussian(2, { count: 3 }), gdp('0.5')]);
    expect(above).toBeCloseTo(1, 14);
    expect(below).toBeCloseTo(1, 14);
    expect(everywhere).toBe(above);
    expect(regret!.upper).toBeLessThan(1e-15);
  });

  it('are found without knowing that they are Gaussian', () => {
    const hidden = fitOf([gaussian(1), dp('1e-6')]);
    expect(hidden.above).toBeGreaterThanOrEqual(1);
    expect(hidden.above).toBeLessThan(1.001);
    expect(hidden.below!).toBeGreaterThan(0.99);
  });

  it('are near that of the central limit for many small steps on samples', () => {
    const { above, below, regret } = fitOf(
      [sampled(gaussian(5), '0.01', 'poisson')].map((each) => ({ ...each, count: 10_000 })),
    );
    const limit = 0.01 * Math.sqrt(10_000 * Math.expm1(1 / 25));
    expect(above).toBeGreaterThan(limit);
    expect(above).toBeLessThan(limit * 1.01);
    expect(below!).toBeLessThan(limit);
    expect(below!).toBeGreaterThan(limit * 0.99);
    expect(regret!.upper).toBeLessThan(3e-4);
  });

  it('pass through the fixed point of randomized response, at every rate', () => {
    const { above, everywhere } = fitOf([dp(1)]);
    expect(above).toBeCloseTo(-2 * approximateQuantile(1 / (1 + Math.E)), 12);
    expect(everywhere).toBeCloseTo(above, 12);
  });

  it('lie below the trade-off functions of classes of mechanisms, and of some above', () => {
    for (const entries of [[boundedRange('0.5', { count: 5 })], [zcdp('0.2'), laplace(2)]]) {
      const { above, below, regret } = fitOf(entries);
      expect(below!).toBeGreaterThan(0);
      expect(above).toBeGreaterThan(below!);
      expect(regret).toBeNull();
    }
  });

  it('separate nothing where everything may be revealed', () => {
    const { above, everywhere } = fitOf([dp(1, '0.5')], 1e-3);
    expect(everywhere).toBeNull();
    // Through a false-positive rate of 1e-3, where half of the results are seen through.
    expect(above).toBeGreaterThan(muThrough(1e-3, 0.5));
  });
});
