import { encloseDecimal, type Decimal } from '../../numeric/decimal.ts';
import { toDouble } from '../../numeric/double-double.ts';
import {
  add,
  divide,
  exponential,
  expm1,
  log1p,
  logarithm,
  multiply,
  negate,
  subtract,
} from '../../numeric/enclosure-arithmetic.ts';
import { enclosure, exactly, midpoint, type Enclosure } from '../../numeric/enclosure.ts';
import { approximateLogSum, logSum } from '../../numeric/log-sum.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { mirroredDelta } from './approximate-moments.ts';
import type { KeepProbability } from './keep-probability.ts';
import { withoutFake } from '../core/setting.ts';

/** One outcome of a flag: its privacy loss, and its probability under the neighbour whose loss it is. */
export interface FlagOutcome {
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
  const [q, kept] = [switchUnder(logMost), keepUnder(logMost)];
  const gained = multiply(kept, negate(expm1(negate(change))));
  const loss = log1p(divide(gained, q));
  return [
    [
      { loss, mass: switchUnder(changed) },
      { loss: negate(change), mass: keepUnder(changed) },
    ],
    [
      { loss: change, mass: kept },
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
