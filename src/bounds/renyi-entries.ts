import { Decimal as Exact, encloseDecimal, toLower, type Decimal } from '../numeric/decimal.ts';
import { exactly, type Enclosure } from '../numeric/enclosure.ts';
import { multiply } from '../numeric/enclosure-arithmetic.ts';
import {
  boundedRangeMoment,
  pureDpMoment,
  rdpMoment,
  squaredRatio,
  zcdpMoment,
  type LogMoment,
} from '../privacy/log-moment.ts';
import { totalEpsilon } from '../privacy/pure-group.ts';
import type { Entry, Mechanism } from '../privacy/mechanism.ts';
import { hasPurePart, pureEpsilon } from '../privacy/pure-guarantee.ts';
import { pureKl } from './advanced.ts';

const zeroMoment: LogMoment = () => exactly(0);
const half = (e: Enclosure): Enclosure => multiply(exactly(0.5), e);

/**
 * mu^2 / 2 of Gaussian noise, of discrete Gaussian noise (Canonne, Kamath, Steinke 2020, Theorem 4: the same
 * concentration), or of a mu-GDP guarantee.
 */
export function gaussianRho({ mechanism }: Entry): Enclosure | null {
  if (mechanism.type === 'gaussian' || mechanism.type === 'discrete-gaussian')
    return half(squaredRatio(mechanism.sensitivity, mechanism.sigma));
  if (mechanism.type === 'gdp') return half(multiply(encloseDecimal(mechanism.mu), encloseDecimal(mechanism.mu)));
  return null;
}

/**
 * The log-moment of one entry's mechanism, without what (e, d)-DP loses to d. The family behind bounded range is for
 * one answer; an interactive or continual bounded-range entry counts as (e, 0)-DP.
 */
export function momentOf(entry: Entry): LogMoment {
  const { mechanism, kind } = entry;
  switch (mechanism.type) {
    case 'dp':
    case 'laplace':
    case 'discrete-laplace':
      return pureDpMoment(encloseDecimal(pureEpsilon(mechanism)));
    case 'bounded-range':
      if (kind !== 'noninteractive') return pureDpMoment(encloseDecimal(mechanism.epsilon));
      return mechanism.epsilon.isZero() ? zeroMoment : boundedRangeMoment(encloseDecimal(mechanism.epsilon));
    case 'gaussian':
    case 'discrete-gaussian':
    case 'gdp':
      return zcdpMoment(gaussianRho(entry)!);
    case 'zcdp':
      return zcdpMoment(encloseDecimal(mechanism.rho));
    case 'rdp':
      return rdpMoment(mechanism.orders);
    case 'finite-pair':
      return () => exactly(Infinity);
  }
}

/** The zCDP parameter of one entry's mechanism (for (e, d)-DP of its pure part); null for Renyi DP at single orders. */
export function rhoOf(entry: Entry): Enclosure | null {
  const { mechanism, kind } = entry;
  switch (mechanism.type) {
    case 'dp':
    case 'laplace':
    case 'discrete-laplace':
      return pureKl(encloseDecimal(pureEpsilon(mechanism)));
    case 'bounded-range': {
      const e = encloseDecimal(mechanism.epsilon);
      return kind === 'noninteractive' ? multiply(exactly(0.125), multiply(e, e)) : pureKl(e);
    }
    case 'gaussian':
    case 'discrete-gaussian':
    case 'gdp':
      return gaussianRho(entry);
    case 'zcdp':
      return encloseDecimal(mechanism.rho);
    case 'rdp':
    case 'finite-pair':
      return null;
  }
}

const ZERO = new Exact(0);

/** Whether a mechanism of unbounded noise says nothing about the data. */
function isSilent(mechanism: Mechanism): boolean {
  switch (mechanism.type) {
    case 'zcdp':
      return mechanism.rho.isZero();
    case 'gdp':
      return mechanism.mu.isZero();
    case 'gaussian':
    case 'discrete-gaussian':
      return mechanism.sensitivity.isZero();
    case 'dp':
    case 'bounded-range':
    case 'laplace':
    case 'discrete-laplace':
    case 'finite-pair':
    case 'rdp':
      return false;
  }
}

/** sum of epsilons where every entry's losses are bounded; else null. */
export function largestLoss(entries: readonly Entry[]): Decimal | null {
  const pure = entries.flatMap(({ mechanism, count }) =>
    isSilent(mechanism)
      ? [{ epsilon: ZERO, count }]
      : hasPurePart(mechanism)
        ? [{ epsilon: pureEpsilon(mechanism), count }]
        : [],
  );
  return pure.length === entries.length ? totalEpsilon(pure) : null;
}

/** The orders minus 1 at which some entry's Renyi guarantee changes, up to the smallest last one. */
export function orderBreakpoints(entries: readonly Entry[]): number[] {
  const lists = entries.flatMap(({ mechanism }) =>
    mechanism.type === 'rdp' ? [mechanism.orders.map(({ alpha }) => toLower(alpha.minus(1)) as number)] : [],
  );
  if (lists.length === 0) return [];
  const last = Math.min(...lists.map((list) => Math.max(...list)));
  return [...new Set(lists.flat())].filter((lambda) => lambda > 0 && lambda <= last).sort((a, b) => a - b);
}
