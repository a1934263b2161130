import { Decimal, encloseDecimal, toLower, toUpper } from '../numeric/decimal.ts';
import { multiply } from '../numeric/enclosure-arithmetic.ts';
import { enclosure, exactly, type Enclosure } from '../numeric/enclosure.ts';
import { encloseRational, Rational } from '../numeric/rational.ts';
import { boundedRangeKl } from './bounded-range-kl.ts';
import { finitePairRho } from './finite-pair-rho.ts';
import { discreteLaplaceKl, laplaceKl } from './laplace-kl.ts';
import { squaredRatio } from './log-moment.ts';
import type { Entry, FinitePairMechanism, MechanismKind } from './mechanism.ts';
import { epsilonDeltaOf, pureEpsilon } from './pure-guarantee.ts';
import { pureKl } from './pure-kl.ts';
import { writtenVariance } from './sigma-form.ts';
import { isZeroLoss } from './zero-loss.ts';

const half = (e: Enclosure): Enclosure => multiply(exactly(0.5), e);

/**
 * mu^2 / 2 of Gaussian noise, of discrete Gaussian noise (Canonne, Kamath, Steinke 2020, Theorem 4: the same
 * concentration), or of a mu-GDP guarantee.
 */
export function gaussianRho({ mechanism }: Entry): Enclosure | null {
  if (mechanism.type === 'gaussian') return half(squaredRatio(mechanism.sensitivity, mechanism.sigma));
  if (mechanism.type === 'discrete-gaussian') {
    const variance = writtenVariance(mechanism);
    if (variance === null) return half(squaredRatio(mechanism.sensitivity, mechanism.sigma));
    const s = Rational.ofDecimal(mechanism.sensitivity);
    return half(encloseRational(s.times(s).over(variance)));
  }
  if (mechanism.type === 'gdp') return half(multiply(encloseDecimal(mechanism.mu), encloseDecimal(mechanism.mu)));
  return null;
}

const Reciprocal = {
  down: Decimal.clone({ precision: 40, rounding: Decimal.ROUND_DOWN }),
  up: Decimal.clone({ precision: 40, rounding: Decimal.ROUND_UP }),
};

/** 1 / scale, enclosed. */
export const rateOf = (scale: Decimal): Enclosure =>
  enclosure(
    toLower(new Decimal(new Reciprocal.down(1).div(scale))),
    toUpper(new Decimal(new Reciprocal.up(1).div(scale))),
  );

/**
 * Whether a finite pair enters Renyi compositions with its own losses: not where it is interactive or continual and may
 * reveal everything, as Renyi guarantees but for a failure are only known to compose for what answers once.
 */
export const byItsLosses = (pair: FinitePairMechanism, kind: MechanismKind): boolean =>
  kind === 'noninteractive' || epsilonDeltaOf(pair).delta.isZero();

/**
 * The zCDP parameter rho = sup over a > 1 of D_a / a of one entry's mechanism, exact for each class up to rounding: of (e,
 * d)-DP and finite pairs that of what is left once nothing is revealed; null for Renyi DP at single orders, which has none.
 *
 * Source: Bun, Steinke (2016), Definition 1.1; Gaussian noise mu^2 / 2; the other classes see pureKl, laplaceKl,
 * discreteLaplaceKl, boundedRangeKl and finitePairRho.
 */
export function rhoOf(entry: Entry): Enclosure | null {
  const { mechanism, kind } = entry;
  if (isZeroLoss(mechanism)) return exactly(0);
  switch (mechanism.type) {
    case 'dp':
      return pureKl(encloseDecimal(mechanism.epsilon));
    case 'laplace':
      return laplaceKl(encloseDecimal(pureEpsilon(mechanism)));
    case 'discrete-laplace':
      return discreteLaplaceKl(encloseDecimal(pureEpsilon(mechanism)), rateOf(mechanism.scale));
    case 'bounded-range':
      return boundedRangeKl(encloseDecimal(mechanism.epsilon));
    case 'finite-pair':
      return byItsLosses(mechanism, kind) ? finitePairRho(mechanism) : pureKl(encloseDecimal(pureEpsilon(mechanism)));
    case 'gaussian':
    case 'discrete-gaussian':
    case 'gdp':
      return gaussianRho(entry);
    case 'zcdp':
      return encloseDecimal(mechanism.rho);
    case 'rdp':
      return null;
  }
}
