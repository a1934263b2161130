import { isAttained } from '../../bounds/loss-distribution/loss-distribution.ts';
import { expectedLoss } from '../../numeric/contour/expectation.ts';
import { type Decimal, encloseDecimal, toLower, toUpper } from '../../numeric/decimal.ts';
import { add, divide, exponential, logarithm, multiply, subtract } from '../../numeric/enclosure-arithmetic.ts';
import { asLower, asUpper, enclosure, exactly, type Bracket, type Enclosure } from '../../numeric/enclosure.ts';
import { nextDown } from '../../numeric/rounding.ts';
import { unlessInterrupted } from '../../numeric/watch.ts';
import type { Directions } from '../../privacy/curve.ts';
import { failureOfPair, isSymmetric, largestLossOf, swapped, type FinitePair } from '../../privacy/finite-pair.ts';
import { finiteLossesOf } from '../../privacy/finite-pair-moment.ts';
import type { LogMoment } from '../../privacy/log-moment.ts';
import type { DiscreteGaussian, Entry, FinitePairMechanism, Rdp, Sampled } from '../../privacy/mechanism.ts';
import { isZeroLoss, momentOf, pureEpsilon, rhoOf } from '../../privacy/mechanisms/records.ts';
import { pureEpsilonOfRdp } from '../../privacy/mechanisms/renyi.ts';
import { pureDpMoment } from '../../privacy/log-moment.ts';
import { pureKl } from '../../privacy/pure-kl.ts';
import { largestSampledLoss } from '../../privacy/sampling/largest-loss.ts';
import { sampledLaw } from '../../privacy/sampling/sampled-law.ts';
import { isCovered, sampledMoments } from '../../privacy/sampling/sampled-moment.ts';
import { varianceOf } from '../../privacy/sigma-form.ts';
import { encloseRational } from '../../numeric/rational.ts';
import { pairLosses } from './pair-loss.ts';

const INFINITE: Bracket = { lower: asLower(Infinity), upper: asUpper(Infinity) };
const UNKNOWN: Bracket = { lower: asLower(0), upper: asUpper(Infinity) };

const alike = (value: Bracket): Directions<Bracket> => ({ remove: value, add: value });

/** M(lambda) / lambda at lambda = order - 1: divergences grow with the order, so that it may be rounded. */
export function byMoment(moment: LogMoment, order: Decimal): Enclosure {
  const lambda = order.minus(1);
  const [below, above] = [toLower(lambda), toUpper(lambda)];
  const least = below > 0 ? divide(moment(below), exactly(below)).lower : 0;
  return enclosure(Math.max(0, least), divide(moment(above), exactly(above)).upper);
}

/** A decimal that was rounded up at 40 digits or more. */
const roundedUp = (value: Decimal): Enclosure => {
  const { lower, upper } = encloseDecimal(value);
  return enclosure(Math.max(0, nextDown(lower)), upper);
};

/** Renyi DP at single orders: that of the smallest at or above, and of (infinity, e), which is e-DP; Gaussian noise has all of it. */
function ofRdp({ orders }: Rdp, order: Decimal): Bracket {
  const pure = pureEpsilonOfRdp({ type: 'rdp', orders });
  const known = orders.filter(({ alpha }) => alpha.gte(order)).map(({ epsilon }) => encloseDecimal(epsilon).upper);
  const e = pure && encloseDecimal(pure);
  const byPure = e && (order.eq(1) ? pureKl(e) : order.isFinite() ? byMoment(pureDpMoment(e), order) : e).upper;
  const upper = Math.min(...known, byPure ?? Infinity);
  if (pure !== null) return { lower: asLower(0), upper: asUpper(upper) };
  if (!order.isFinite()) return INFINITE;
  const rho = orders.map(({ alpha, epsilon }) => divide(encloseDecimal(epsilon), encloseDecimal(alpha)).lower);
  const lower = multiply(encloseDecimal(order), exactly(Math.max(0, Math.min(...rho)))).lower;
  return { lower: asLower(Math.max(0, lower)), upper: asUpper(upper) };
}

/**
 * Discrete Gaussian noise: at most a s^2 / (2 sigma^2), and that where a s is a whole number. Else it is more by ln R / (a - 1)
 * with R the sum of e^(-(z - a s)^2 / (2 sigma^2)) over whole z, over that of e^(-z^2 / (2 sigma^2)): at least
 * (1 - x) / (1 + x) for x = 2 (q + q^2 + ...), q = e^(-2 pi^2 sigma^2).
 *
 * [derived] By Poisson summation R = (1 + 2 sum q^(k^2) cos(2 pi k a s)) / (1 + 2 sum q^(k^2)). Source of the upper end:
 * Canonne, Kamath, Steinke (2020), Theorem 4.
 */
function ofDiscreteGaussian(mechanism: DiscreteGaussian, rho: Enclosure, order: Decimal): Enclosure {
  const most = multiply(encloseDecimal(order), rho);
  if (order.times(mechanism.sensitivity).isInteger()) return most;
  const variance = encloseRational(varianceOf(mechanism));
  const q = exponential(multiply(exactly(-2 * Math.PI ** 2 * (1 - 1e-15)), variance));
  if (!(q.upper < 0.1)) return enclosure(rho.lower, most.upper);
  const x = divide(multiply(exactly(2), q), subtract(exactly(1), q));
  const logR = logarithm(divide(subtract(exactly(1), x), add(exactly(1), x)));
  const least = add(most, divide(logR, encloseDecimal(order.minus(1))));
  return enclosure(Math.max(rho.lower, least.lower), most.upper);
}

/** A pair in the order in which it stands. */
function ofPair(pair: FinitePair, order: Decimal): Bracket {
  if (!failureOfPair(pair).isZero()) return INFINITE;
  if (!order.isFinite()) return roundedUp(largestLossOf(pair));
  const losses = finiteLossesOf(pair);
  if (losses === null) return { lower: asLower(0), upper: asUpper(0) };
  const value = order.eq(1) ? losses.mean : byMoment(losses.logMoment, order);
  return enclosure(Math.max(0, value.lower), Math.max(0, value.upper));
}

function ofFinitePair(pair: FinitePairMechanism, order: Decimal, isLoose: boolean): Directions<Bracket> {
  const [there, back] = [ofPair(pair, order), ofPair(swapped(pair), order)];
  const most: Bracket = {
    lower: asLower(Math.max(there.lower!, back.lower!)),
    upper: asUpper(Math.max(there.upper, back.upper)),
  };
  if (pair.direction === 'either' || isSymmetric(pair)) return alike(most);
  if (!isLoose) return { remove: there, add: back };
  return alike({ lower: asLower(Math.min(there.lower!, back.lower!)), upper: most.upper });
}

/** In one direction, where nothing is revealed: by the law, whose losses are taken one by one. */
function ofLaw(mechanism: Sampled, entry: Entry, order: Decimal, direction: 'remove' | 'add'): Enclosure | null {
  if (!order.isFinite()) {
    const most = largestSampledLoss(mechanism, direction);
    return most === null ? enclosure(Infinity, Infinity) : roundedUp(most);
  }
  return unlessInterrupted(() => {
    const pairs = pairLosses([{ ...entry, count: 1 }], direction);
    if (pairs === null) return null;
    return order.eq(1) ? expectedLoss(pairs.loss()) : byMoment(sampledMoments(mechanism)[direction], order);
  });
}

/** Mechanisms on samples: never more than on all data, of which D_a <= a rho. */
function ofSampled(entry: Entry<Sampled>, order: Decimal): Directions<Bracket> {
  const { mechanism } = entry;
  if (!isCovered(mechanism)) return alike(UNKNOWN);
  const isKnown = isAttained(mechanism);
  const whole = order.isFinite() ? multiply(encloseDecimal(order), rhoOf(entry)!).upper : Infinity;
  const one = (direction: 'remove' | 'add'): Bracket => {
    const law = sampledLaw(mechanism, direction);
    if (law === null) return { lower: asLower(0), upper: asUpper(whole) };
    if (!law.failure.lower.isZero()) return isKnown ? INFINITE : UNKNOWN;
    if (!law.failure.upper.isZero()) return UNKNOWN;
    const { lower, upper } = ofLaw(mechanism, entry, order, direction) ?? UNKNOWN;
    return {
      lower: asLower(isKnown ? Math.max(0, lower ?? 0) : 0),
      upper: asUpper(Math.max(0, Math.min(upper, whole))),
    };
  };
  return { remove: one('remove'), add: one('add') };
}

/**
 * The largest divergence, in nats, of order `order` from 1 (Kullback-Leibler) to Infinity (the largest loss) that one
 * mechanism of an entry's class has, in both orders of the neighbours: upper ends hold for all of them, lower ends for one,
 * the same in both orders.
 *
 * @param isLoose - it is not said which order of the neighbours of samples is that of finite pairs in a fixed one
 */
export function entryDivergence(entry: Entry, order: Decimal, isLoose: boolean): Directions<Bracket> {
  const { mechanism } = entry;
  const isFinite = order.isFinite();
  if (isZeroLoss(mechanism)) return alike({ lower: asLower(0), upper: asUpper(0) });
  if (mechanism.type === 'rdp') return alike(ofRdp(mechanism, order));
  if (mechanism.type === 'finite-pair') return ofFinitePair(mechanism, order, isLoose);
  if (mechanism.type === 'sampled') return ofSampled({ ...entry, mechanism }, order);
  if ('delta' in mechanism && !mechanism.delta.isZero()) return alike(INFINITE);
  if (order.eq(1)) return alike(rhoOf(entry)!);
  if (mechanism.type === 'discrete-gaussian') {
    return alike(isFinite ? ofDiscreteGaussian(mechanism, rhoOf(entry)!, order) : INFINITE);
  }
  if (mechanism.type === 'gaussian' || mechanism.type === 'gdp' || mechanism.type === 'zcdp') {
    return alike(isFinite ? multiply(encloseDecimal(order), rhoOf(entry)!) : INFINITE);
  }
  return alike(isFinite ? byMoment(momentOf(entry), order) : roundedUp(pureEpsilon(mechanism)));
}
