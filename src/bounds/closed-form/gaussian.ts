import { enclosure, exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { add, multiply, squareRoot } from '../../numeric/enclosure-arithmetic.ts';
import { ofOnePair } from '../../privacy/curve.ts';
import { NEVER } from '../../privacy/failure.ts';
import { aboutNormalLoss, curveWithFailure, LOSSLESS, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { gaussianLogDelta } from '../../privacy/gaussian.ts';
import type { Bound } from '../core/bound.ts';
import { needsNoninteractive, onlyTypes } from '../core/entries.ts';
import { gaussianRho, isZeroLoss } from '../../privacy/mechanisms/records.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';

/** The exact curve of Gaussian noise with mu^2 = sum (s_i / sigma_i)^2. */
export function gaussianCurve(muSquared: Enclosure): FiniteLossCurve {
  if (muSquared.upper === 0) return LOSSLESS;
  const mu = squareRoot(muSquared);
  return {
    maximum: null,
    logDelta: ({ high, low }) =>
      gaussianLogDelta(mu, low === 0 ? exactly(high) : enclosure(nextDown(high), nextUp(high))),
    about: aboutNormalLoss(muSquared.upper / 2, mu.upper),
  };
}

/**
 * Gaussian mechanisms compose to a Gaussian: mu^2 = sum (s_i / sigma_i)^2,
 * delta(eps) = Phi(-eps/mu + mu/2) - e^eps Phi(-eps/mu - mu/2); exact. A mu-GDP guarantee is dominated by that pair.
 *
 * Source: Balle, Wang (2018), Theorem 8; Dong, Roth, Su (2022), Corollary 3.3.
 */
export const gaussian: Bound = {
  id: 'gaussian',
  name: 'exact Gaussian composition',
  reference: 'Balle, Wang 2018, Thm 8; Dong, Roth, Su 2022, Cor 3.3',
  exposition: {
    statement:
      'Gaussian mechanisms compose to one Gaussian mechanism; the curve is exact. A mu-GDP guarantee is dominated by that pair.',
    formula: [
      'mu^2 = sum (s_i / sigma_i)^2, and mu_i^2 for mu_i-GDP',
      'd(e) = Phi(-e / mu + mu / 2) - exp(e) Phi(-e / mu - mu / 2)',
    ],
    departures: [],
    works: ['balle-wang-2018', 'dong-roth-su-2022'],
    slack: 'nothing',
    coverage: { types: ['gaussian', 'gdp'], noninteractive: ['gaussian', 'gdp'], adaptivity: 'any', conditions: [] },
  },
  apply(composition) {
    const covered = onlyTypes(composition, ['gaussian', 'gdp']);
    if ('reason' in covered) return covered;
    const reason = needsNoninteractive(covered.entries);
    if (reason) return { reason };
    const muSquared = covered.entries
      .filter(({ mechanism }) => !isZeroLoss(mechanism))
      .reduce(
        (sum, entry) => add(sum, multiply(exactly(2 * entry.count), gaussianRho(entry) ?? exactly(0))),
        exactly(0),
      );
    return { curve: ofOnePair(curveWithFailure(gaussianCurve(muSquared), NEVER, 'tight')) };
  },
};
