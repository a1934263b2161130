import { decimalFromDouble, encloseDecimal, type Decimal } from '../../numeric/decimal.ts';
import { toDouble } from '../../numeric/double-double.ts';
import { enclosure, exactly, midpoint, type Enclosure } from '../../numeric/enclosure.ts';
import {
  add,
  divide,
  expm1,
  exponential,
  log1p,
  logarithm,
  multiply,
  negate,
  subtract,
  times,
  approximateLogSum,
  logSum,
} from '../../numeric/enclosure-arithmetic.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { withoutFake, type Measure, type WithoutY, type WithY } from '../core/setting.ts';
import { mirroredDelta } from './approximate-moments.ts';
import { worstOf } from './curve-bounds.ts';

/** Certain bounds on the chance that nothing but a fake switch asks for a new x (Pr[S_s = 1] of Algorithm 1), the probability that the losses do not ask for a switch, whatever x, y and the losses. */
export interface KeepProbability {
  /** ln of its largest value, at most 0. */
  readonly logMost: Enclosure;
  /** ln of its smallest value. */
  readonly logLeast: Enclosure;
  /** How much one loss can change its logarithm. */
  readonly change: Enclosure;
}

/** All that this chance depends on. */
type Flagged<Setting extends WithoutY | WithY> = Pick<Setting, 'batch' | 'eta' | 'switchRate'>;

const atMostZero = ({ lower, upper }: Enclosure): Enclosure => enclosure(Math.min(0, lower), Math.min(0, upper));

/**
 * Without y, e^(-c - eta L) with the loss L of x in a batch from 0 to B: one loss in [0, 1] changes the exponent by eta at most, and
 * not by 2 eta, as there is no y whose loss it changes too.
 *
 * Source: derived.
 */
function withoutY({ batch, eta, switchRate }: Flagged<WithoutY>): KeepProbability {
  const [e, c] = [encloseDecimal(eta), encloseDecimal(switchRate)];
  return { logMost: negate(c), logLeast: negate(add(c, times(batch, e))), change: e };
}

/**
 * With y, Pr[S_s = 1] = min(1, e^(-2 B eta) f(x) / f(y)), f the factor by which the batch before s changes the measure.
 *
 * Multiplicative weights: |ln f(x)/f(y)| <= B eta, and one loss changes it by at most 2 eta.
 * Any measure of Assumption 3.1: |ln f - constant| <= B eta, so twice as much; one loss: 4 eta. (Theorem 3.2, Case 2,
 * has 2 eta there, but Lemma 3.6 bounds each of its two ratios by e^(2 eta).)
 * Regularised weights: losses are L-Lipschitz on a set of diameter D, so B beta L D and 2 beta L D, of eta only the
 * factor e^(-2 B eta) depends. Where 2 eta < beta L D the minimum may cut, which only brings keep probabilities closer.
 *
 * Source: derived; Algorithm 1 and the proof of Theorem 3.2 of Asi, Koren, Liu, Talwar (2024).
 */
export function keepProbability(setting: Flagged<WithoutY> | Flagged<WithY>, measure: Measure): KeepProbability {
  if (setting.switchRate !== undefined) return withoutY(setting);
  const { batch, eta } = setting;
  const e = encloseDecimal(eta);
  const shrink = times(2 * batch, e);
  const between = (spread: Enclosure, change: Enclosure): KeepProbability => ({
    logMost: atMostZero(subtract(spread, shrink)),
    logLeast: atMostZero(negate(add(spread, shrink))),
    change,
  });
  switch (measure.type) {
    case 'multiplicative-weights':
      return { logMost: negate(times(batch, e)), logLeast: negate(times(3 * batch, e)), change: times(2, e) };
    case 'any':
      return { logMost: exactly(0), logLeast: negate(times(4 * batch, e)), change: times(4, e) };
    case 'regularised-multiplicative-weights': {
      const reach = [measure.beta, measure.lipschitz, measure.diameter].map(encloseDecimal).reduce(multiply);
      return between(times(batch, reach), times(2, reach));
    }
  }
}

/** One outcome of a flag: its privacy loss, and its probability under the neighbour whose loss it is. */
interface FlagOutcome {
  readonly loss: Enclosure;
  readonly mass: Enclosure;
}

/** The two outcomes, the larger loss first. */
export type Flag = readonly [FlagOutcome, FlagOutcome];

/** A probability whose enclosure rounding has widened beyond 0 or 1. */
const chance = ({ lower, upper }: Enclosure): Enclosure => enclosure(Math.max(0, lower), Math.min(1, upper));

/**
 * The switching decision right after the batch in which the neighbours differ, the only one they change: a pair of
 * distributions that dominates it, in both orders of the neighbours.
 *
 * x is kept with probability (1-p) r under one neighbour and (1-p) r' under the other, r, r' = Pr[S_s = 1]. With a the
 * largest change of ln r, the worst case is r' = r_max, r = r_max e^-a: all pairs with 1-P = e^-a (1-Q) lie on one line
 * through (1, 1) of the testing region, and the region grows as Q falls. Its losses are
 * ln(P/Q) = ln(1 + (1-p) r_max (1 - e^-a) / Q) where x is resampled, P = 1 - (1-p) r_max e^-a, Q = 1 - (1-p) r_max, and
 * -a where it is kept.
 *
 * Source: derived; Theorem 3.2, Case 2, of Asi, Koren, Liu, Talwar (2024) bounds the loss by 2 eta / p.
 */
export function firstFlag({ logMost, change }: KeepProbability, fakeSwitch: Decimal): readonly Flag[] {
  const p = encloseDecimal(fakeSwitch);
  const noFake = withoutFake(fakeSwitch);
  const switchUnder = (logKeep: Enclosure): Enclosure => chance(add(p, multiply(noFake, negate(expm1(logKeep)))));
  const keepUnder = (logKeep: Enclosure): Enclosure => chance(multiply(noFake, exponential(logKeep)));
  const changed = subtract(logMost, change);
  const [q, keepMass] = [switchUnder(logMost), keepUnder(logMost)];
  const gained = multiply(keepMass, negate(expm1(negate(change))));
  const loss = log1p(divide(gained, q));
  return [
    [
      { loss, mass: switchUnder(changed) },
      { loss: negate(change), mass: keepUnder(changed) },
    ],
    [
      { loss: change, mass: keepMass },
      { loss: negate(loss), mass: q },
    ],
  ];
}

/** ln E[e^(lambda L)], L the loss of the flag. */
export function flagMoment([first, second]: Flag, lambda: number): Enclosure {
  const term = ({ loss, mass }: FlagOutcome): Enclosure => add(logarithm(mass), multiply(exactly(lambda), loss));
  return logSum(term(first), term(second));
}

/** About ln E[e^(lambda L)] in doubles. */
export function approximateFlagMoment(flag: Flag): (lambda: number) => number {
  const [[a, p], [b, q]] = flag.map(({ loss, mass }) => [midpoint(loss), Math.log(midpoint(mass))]) as [
    [number, number],
    [number, number],
  ];
  return (lambda) => approximateLogSum(p + lambda * a, q + lambda * b);
}

/** Encloses ln delta wherever in the enclosure epsilon, any real, may lie. */
export type LogDeltaOver = (epsilon: Enclosure) => Enclosure;

/** The curve of what follows (which decreases), joined to a flag: delta(eps) = sum over outcomes of mass delta'(eps - loss). */
export const afterFlag =
  (flag: Flag, rest: LogDeltaOver): FiniteLossCurve['logDelta'] =>
  (epsilon) => {
    const x = enclosure(nextDown(toDouble(epsilon)), nextUp(toDouble(epsilon)));
    const [first, second] = flag.map(({ loss, mass }) => add(logarithm(mass), rest(subtract(x, loss)))) as [
      Enclosure,
      Enclosure,
    ];
    const { lower, upper } = logSum(first, second);
    return enclosure(Math.min(0, lower), Math.min(0, upper));
  };

/** About ln delta of what follows, joined to a flag, in doubles; `rest` is delta from 0 on, and swapping neighbours does not change it. */
export function approximatelyAfterFlag(flag: Flag, rest: (x: number) => number): (epsilon: number) => number {
  const outcomes = flag.map(({ loss, mass }) => ({ loss: midpoint(loss), mass: midpoint(mass) }));
  const mirrored = mirroredDelta(rest);
  return (epsilon) => Math.log(outcomes.reduce((sum, { loss, mass }) => sum + mass * mirrored(epsilon - loss), 0));
}

/** ln (1 - e^x) where x is below 0: delta at x of nothing at all. */
const logExcess = (x: number): Enclosure =>
  x < 0 ? logarithm(negate(expm1(exactly(x)))) : enclosure(-Infinity, -Infinity);

const nothing = ({ lower, upper }: Enclosure): Enclosure => enclosure(logExcess(upper).lower, logExcess(lower).upper);

/** The curve of a flag after which nothing is sampled, in both orders of the neighbours: that of its two outcomes, to rounding. */
export const flagAlone = (flags: readonly Flag[]): FiniteLossCurve =>
  worstOf(
    flags.map((flag) => ({
      maximum: decimalFromDouble(flag[0].loss.upper),
      logDelta: afterFlag(flag, nothing),
    })),
  );
