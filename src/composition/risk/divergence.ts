import { failureOf } from '../../bounds/core/entries.ts';
import { outOfScale, isAttained } from '../../bounds/loss-distribution/loss-distribution.ts';
import { pairsOf, WITH_PAIR, type Pairs, type WithPair } from '../../bounds/loss-distribution/pair-entries.ts';
import type { Entry, DiscreteGaussian, FinitePairMechanism, Rdp, Sampled, Selection } from '../../privacy/mechanism.ts';
import { sampledLaw, type Direction } from '../../privacy/sampling/sampled-law.ts';
import { expectedLoss } from '../../numeric/contour/expectation.ts';
import { encloseDecimal, toLower, toUpper, ONE, type Decimal } from '../../numeric/decimal.ts';
import { asLower, asUpper, enclosure, exactly, type Bracket, type Enclosure } from '../../numeric/enclosure.ts';
import {
  add,
  divide,
  exponential,
  logarithm,
  multiply,
  subtract,
  maximum,
} from '../../numeric/enclosure-arithmetic.ts';
import { nextDown } from '../../numeric/rounding.ts';
import { unlessInterrupted } from '../../numeric/watch.ts';
import type { Directions } from '../../privacy/curve.ts';
import { failureOfPair, isSymmetric, largestLossOf, swapped, type FinitePair } from '../../privacy/finite-pair.ts';
import { finiteLossesOf } from '../../privacy/finite-pair-moment.ts';
import { pureDpMoment, type LogMoment } from '../../privacy/log-moment.ts';
import { guaranteeOfSelection, isZeroLoss, momentOf, pureEpsilon, rhoOf } from '../../privacy/mechanisms/records.ts';
import { pureEpsilonOfRdp } from '../../privacy/mechanisms/guarantees.ts';
import { pureKl } from '../../privacy/pure.ts';
import { largestSampledLoss } from '../../privacy/sampling/largest-loss.ts';
import { isCovered, sampledMoments } from '../../privacy/sampling/sampled-moment.ts';
import { varianceOf } from '../../privacy/gaussian.ts';
import { encloseRational } from '../../numeric/rational.ts';
import type { Profiles } from './profile.ts';

const hasPair = (entry: Entry): entry is Entry<WithPair> => WITH_PAIR.some((type) => type === entry.mechanism.type);

/**
 * The losses of mechanisms that have pairs of their own, those pairs in one order of the neighbours; null where they are
 * out of the range in which they are computed.
 */
export function pairLosses(entries: readonly Entry[], direction: Direction): Pairs | null {
  const all = entries.filter(hasPair);
  if (all.length < entries.length || outOfScale(all)) return null;
  return pairsOf(all, { way: direction === 'remove' ? 'forward' : 'backward', direction });
}

const INFINITE: Bracket = { lower: asLower(Infinity), upper: asUpper(Infinity) };
const UNKNOWN: Bracket = { lower: asLower(0), upper: asUpper(Infinity) };

const alike = (value: Bracket): Directions<Bracket> => ({ remove: value, add: value });

/** M(lambda) / lambda at lambda = order - 1: divergences grow with the order, so that it may be rounded. */
function byMoment(moment: LogMoment, order: Decimal): Enclosure {
  const lambda = order.minus(1);
  const [below, above] = [toLower(lambda), toUpper(lambda)];
  const lowerEnd = below > 0 ? divide(moment(below), exactly(below)).lower : 0;
  return enclosure(Math.max(0, lowerEnd), divide(moment(above), exactly(above)).upper);
}

/** A decimal that was rounded up at 40 digits or more. */
const roundedUp = (value: Decimal): Enclosure => {
  const { lower, upper } = encloseDecimal(value);
  return enclosure(Math.max(0, nextDown(lower)), upper);
};

/** Renyi DP at single orders: that of the smallest at or above, and of (infinity, e), which is e-DP; Gaussian noise has all of it. */
function ofRdp({ orders }: Rdp, order: Decimal): Bracket {
  const pure = pureEpsilonOfRdp({ type: 'rdp', orders });
  const uppers = orders.filter(({ alpha }) => alpha.gte(order)).map(({ epsilon }) => encloseDecimal(epsilon).upper);
  const e = pure && encloseDecimal(pure);
  const byPure = e && (order.eq(1) ? pureKl(e) : order.isFinite() ? byMoment(pureDpMoment(e), order) : e).upper;
  const upper = Math.min(...uppers, byPure ?? Infinity);
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
  const byRho = multiply(encloseDecimal(order), rho);
  if (order.times(mechanism.sensitivity).isInteger()) return byRho;
  const variance = encloseRational(varianceOf(mechanism));
  const q = exponential(multiply(exactly(-2 * Math.PI ** 2 * (1 - 1e-15)), variance));
  if (!(q.upper < 0.1)) return enclosure(rho.lower, byRho.upper);
  const x = divide(multiply(exactly(2), q), subtract(exactly(1), q));
  const logR = logarithm(divide(subtract(exactly(1), x), add(exactly(1), x)));
  const lowerEnd = add(byRho, divide(logR, encloseDecimal(order.minus(1))));
  return enclosure(Math.max(rho.lower, lowerEnd.lower), byRho.upper);
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
  const largest: Bracket = {
    lower: asLower(Math.max(there.lower!, back.lower!)),
    upper: asUpper(Math.max(there.upper, back.upper)),
  };
  if (pair.direction === 'either' || isSymmetric(pair)) return alike(largest);
  if (!isLoose) return { remove: there, add: back };
  return alike({ lower: asLower(Math.min(there.lower!, back.lower!)), upper: largest.upper });
}

/** In one direction, where nothing is revealed: by the law, whose losses are taken one by one. */
function ofLaw(mechanism: Sampled, entry: Entry, order: Decimal, direction: 'remove' | 'add'): Enclosure | null {
  if (!order.isFinite()) {
    const largestLoss = largestSampledLoss(mechanism, direction);
    return largestLoss === null ? enclosure(Infinity, Infinity) : roundedUp(largestLoss);
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
  const inDirection = (direction: 'remove' | 'add'): Bracket => {
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
  return { remove: inDirection('remove'), add: inDirection('add') };
}

/** Orders above the one that is asked: divergences grow with the order, and bounds need not. */
const LARGER_ORDERS = [0, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];

/** The divergence of a selection from above: by its moments, or its largest loss. */
function ofSelection(entry: Entry<Selection>, order: Decimal): Bracket {
  if (!failureOf([entry]).upper.isZero()) return UNKNOWN;
  const largest = guaranteeOfSelection(entry.mechanism)?.epsilon;
  const uppers = largest === undefined ? [] : [toUpper(largest)];
  if (order.isFinite()) {
    const [moment, least] = [momentOf(entry), toUpper(order.minus(1))];
    const lambdas = LARGER_ORDERS.map((more) => least + more).filter((lambda) => lambda > 0);
    uppers.push(...lambdas.map((lambda) => divide(moment(lambda), exactly(lambda)).upper));
  }
  return { lower: asLower(0), upper: asUpper(Math.min(Infinity, ...uppers)) };
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
  if (mechanism.type === 'selection') return alike(ofSelection({ ...entry, mechanism }, order));
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

/** A divergence between the results on two neighbouring data sets. */
export type Divergence =
  | { readonly kind: 'total-variation' | 'kl' }
  /** `order` above 1, perhaps Infinity: that is the largest loss. */
  | { readonly kind: 'renyi'; readonly order: Decimal };

/**
 * The largest sum over mechanisms that may be chosen adaptively, whichever order the neighbours stand in: of each of two
 * orders the sum of the largest of each mechanism is at most that, and attained by mechanisms fixed in advance.
 */
function ofEntries(entries: readonly Entry[], order: Decimal): Bracket {
  const isSampled = entries.some(({ mechanism }) => mechanism.type === 'sampled');
  const values = entries.map((entry) => ({ count: entry.count, value: entryDivergence(entry, order, isSampled) }));
  const sumIn = (direction: 'remove' | 'add'): Enclosure =>
    values.reduce((sum, { count, value }) => {
      const { lower, upper } = value[direction];
      // Rounded outward nothing would be something, and an infinite sum would have a finite lower end.
      if (upper === 0) return sum;
      if (sum.lower === Infinity || lower === Infinity) return exactly(Infinity);
      return add(sum, multiply(exactly(count), enclosure(lower ?? 0, upper)));
    }, exactly(0));
  const { lower, upper } = maximum(sumIn('remove'), sumIn('add'));
  return { lower: asLower(Math.max(0, lower)), upper };
}

/** The divergence of mechanisms without a loss above `largest`: at most that of randomized response. */
function ofLargest(largest: number, order: Decimal): Bracket {
  if (!Number.isFinite(largest)) return { lower: null, upper: asUpper(Infinity) };
  const e = exactly(largest);
  const { upper } = order.eq(1) ? pureKl(e) : order.isFinite() ? byMoment(pureDpMoment(e), order) : e;
  return { lower: null, upper };
}

/**
 * The smallest divergence that can be claimed, in nats but for total variation: of the results on any two neighbouring data
 * sets, in whichever order, at most `upper`; mechanisms of the declared classes have at least `lower`.
 *
 * Total variation is delta at epsilon 0. Renyi divergences of the conditional distributions add up, adaptively and
 * concurrently: D_a <= sum of the largest of each mechanism, also for a = 1 (Kullback-Leibler) and a = infinity (the largest
 * loss). Where something may be revealed they are infinite. Of parts of a plan only the largest loss is used.
 *
 * Source: van Erven, Harremoes (2014), Thm 28 and Thm 5 (continuity in the order); Mironov (2017), Prop 1; concurrently
 * Henzinger, Safavi, Vadhan (2025), Thm 13.4. That the sums are attained is derived.
 */
export function divergence({ atZero, claimed, entries }: Profiles, measure: Divergence): Bracket {
  if (measure.kind === 'total-variation') return atZero.delta;
  const order = measure.kind === 'renyi' ? measure.order : ONE;
  const byLargest = ofLargest(Math.max(...claimed.map(({ largest }) => largest)), order);
  if (entries === null) return byLargest;
  const { lower, upper } = ofEntries(entries, order);
  return { lower, upper: asUpper(Math.max(lower ?? 0, Math.min(upper, byLargest.upper))) };
}
