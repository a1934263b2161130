import { Decimal as Exact, encloseDecimal, toLower, type Decimal } from '../../numeric/decimal.ts';
import { exactly } from '../../numeric/enclosure.ts';
import { minimum } from '../../numeric/enclosure-arithmetic.ts';
import { finitePairMoment } from '../../privacy/finite-pair-moment.ts';
import {
  boundedRangeMoment,
  discreteLaplaceMoment,
  laplaceMoment,
  pureDpMoment,
  rdpMoment,
  zcdpMoment,
  type LogMoment,
} from '../../privacy/log-moment.ts';
import { totalEpsilon } from '../../privacy/pure-group.ts';
import type { Entry, Mechanism } from '../../privacy/mechanism.ts';
import { hasPurePart, pureEpsilon, pureEpsilonOfRdp } from '../../privacy/pure-guarantee.ts';
import { byItsLosses, gaussianRho, rateOf } from '../../privacy/rho.ts';
import { isZeroLoss } from '../../privacy/zero-loss.ts';
import { LARGEST_LAMBDA } from '../core/moment-curve.ts';

const zeroMoment: LogMoment = () => exactly(0);
/**
 * The log-moment of one entry's mechanism, without what (e, d)-DP loses to d, or a finite pair to infinite losses. It holds
 * for interactive and continual entries too, as their Renyi divergences add up (Henzinger, Safavi, Vadhan 2025, Corollary
 * 13.4) where what is declared of them holds against adaptive adversaries; where they may reveal everything by (e, d).
 */
export function momentOf(entry: Entry): LogMoment {
  const { mechanism, kind } = entry;
  switch (mechanism.type) {
    case 'dp':
      return pureDpMoment(encloseDecimal(mechanism.epsilon));
    case 'laplace':
      return laplaceMoment(encloseDecimal(pureEpsilon(mechanism)));
    case 'discrete-laplace':
      return discreteLaplaceMoment(encloseDecimal(pureEpsilon(mechanism)), rateOf(mechanism.scale));
    case 'bounded-range':
      return mechanism.epsilon.isZero() ? zeroMoment : boundedRangeMoment(encloseDecimal(mechanism.epsilon));
    case 'finite-pair':
      return byItsLosses(mechanism, kind)
        ? finitePairMoment(mechanism)
        : pureDpMoment(encloseDecimal(pureEpsilon(mechanism)));
    case 'gaussian':
    case 'discrete-gaussian':
    case 'gdp':
      return zcdpMoment(gaussianRho(entry)!);
    case 'zcdp':
      return zcdpMoment(encloseDecimal(mechanism.rho));
    case 'rdp': {
      const [own, epsilon] = [rdpMoment(mechanism.orders), pureEpsilonOfRdp(mechanism)];
      if (epsilon === null) return own;
      const pure = pureDpMoment(encloseDecimal(epsilon));
      return (lambda) => minimum(own(lambda), pure(lambda));
    }
  }
}

const ZERO = new Exact(0);

function largestOf(mechanism: Mechanism): Decimal | null {
  if (isZeroLoss(mechanism)) return ZERO;
  if (mechanism.type === 'rdp') return pureEpsilonOfRdp(mechanism);
  return hasPurePart(mechanism) ? pureEpsilon(mechanism) : null;
}

/** sum of epsilons where every entry's losses are bounded; else null. */
export function largestLoss(entries: readonly Entry[]): Decimal | null {
  const pure = entries.flatMap(({ mechanism, count }) => {
    const epsilon = largestOf(mechanism);
    return epsilon === null ? [] : [{ epsilon, count }];
  });
  return pure.length === entries.length ? totalEpsilon(pure) : null;
}

/** An order minus 1; for the infinite one, the largest that is looked at. */
const lambdaOf = (alpha: Decimal): number =>
  alpha.isFinite() ? Math.min(toLower(alpha.minus(1)), LARGEST_LAMBDA) : LARGEST_LAMBDA;

/** The orders minus 1 at which some entry's Renyi guarantee changes, up to the smallest last one. */
export function orderBreakpoints(entries: readonly Entry[]): number[] {
  const lists = entries.flatMap(({ mechanism }) =>
    mechanism.type === 'rdp' ? [mechanism.orders.map(({ alpha }) => lambdaOf(alpha))] : [],
  );
  if (lists.length === 0) return [];
  const last = Math.min(...lists.map((list) => Math.max(...list)));
  return [...new Set(lists.flat())].filter((lambda) => lambda > 0 && lambda <= last).sort((a, b) => a - b);
}
