import { Decimal, encloseDecimal, toLower, toUpper, ONE, ZERO } from '../numeric/decimal.ts';
import { fromDecimal, fromDouble, type DoubleDouble } from '../numeric/double-double.ts';
import { asLower, asUpper, enclosure, midpoint, type Bracket, type Enclosure } from '../numeric/enclosure.ts';
import { add, exponential, expm1, log1p, logarithm, multiply, negate } from '../numeric/enclosure-arithmetic.ts';
import { bracketRoot, straightenedTail } from '../numeric/bracket-root.ts';
import type { PrivacyCurve } from './curve.ts';
import type { Failure } from './failure.ts';

/** A privacy curve in logarithms, of losses that are finite: what remains once the failures are taken out. */
export interface FiniteLossCurve {
  /** No loss exceeds this; null where losses are unbounded. */
  readonly maximum: Decimal | null;
  /** Encloses (or, where `lower` is -Infinity, bounds) ln delta at 0 <= epsilon < maximum. */
  readonly logDelta: (epsilon: DoubleDouble) => Enclosure;
  /** The smallest epsilon >= 0 with ln delta at most the target; absent: found from `logDelta`. */
  readonly epsilon?: (logDelta: Enclosure) => Enclosure;
  /** About that, for where to look first. */
  readonly about?: (logDelta: number) => number;
}

/** About Mills' ratio at z >= 0. */
const millsAbout = (z: number): number => 2 / (z + Math.sqrt(z * z + 8 / Math.PI));

/** About the epsilon of a normal loss at a small delta = phi(z) (R(z) - R(z + s)), epsilon = mean + z s, R Mills' ratio. */
export const aboutNormalLoss =
  (mean: number, deviation: number) =>
  (logDelta: number): number => {
    let z = Math.sqrt(-2 * logDelta);
    for (let tries = 0; tries < 5; tries++) {
      const ratio = (millsAbout(z) - millsAbout(z + deviation)) / Math.sqrt(2 * Math.PI);
      z = Math.sqrt(Math.max(0, 2 * (Math.log(ratio) - logDelta)));
    }
    return mean + z * deviation;
  };

/** Whether the curve is that of the class itself (both ends are certified) or an upper bound on it. */
export type Tightness = 'tight' | 'upper-only';

const Quotient = {
  down: Decimal.clone({ precision: 60, rounding: 3 }),
  up: Decimal.clone({ precision: 60, rounding: 2 }),
};

const certain = (bracket: Enclosure, tightness: Tightness, exact?: string): Bracket => ({
  lower: tightness === 'tight' ? bracket.lower : null,
  upper: bracket.upper,
  ...(exact === undefined ? {} : { exact }),
});

/** (delta - failure) / (1 - failure) in one direction. */
function slack(delta: Decimal, failure: Decimal, direction: 'down' | 'up'): Decimal {
  if (failure.isZero()) return delta;
  return new Quotient[direction](delta.minus(failure)).div(ONE.minus(failure));
}

/** ln of (delta - failure) / (1 - failure), of at least 0: what delta leaves to finite losses; near 1 by its complement. */
export function logSlack(delta: Decimal, { lower, upper }: Failure): Enclosure {
  const [least, most] = [slack(delta, upper, 'down'), slack(delta, lower, 'up')];
  if (!(least.gt(0.5) && most.lt(1)))
    return logarithm(enclosure(Math.max(0, toLower(least)), Math.max(0, toUpper(most))));
  const rest = ONE.minus(delta);
  const complement = enclosure(
    toLower(Quotient.down.div(rest, ONE.minus(lower))),
    toUpper(Quotient.up.div(rest, ONE.minus(upper))),
  );
  return log1p(negate(complement));
}

const clampToOne = (e: Enclosure): Enclosure => enclosure(Math.max(0, Math.min(1, e.lower)), Math.min(1, e.upper));

/** Beyond this the products behind a double-double overflow. */
const LARGEST_MAGNITUDE = 1e280;

/** The trivial bounds, where nothing was computed: delta <= 1, and the largest loss. */
export const vacuousCurve = (maximum: Decimal | null): FiniteLossCurve => ({
  maximum,
  logDelta: () => enclosure(-Infinity, 0),
  epsilon: () => enclosure(0, Infinity),
});

/** The curve of nothing: no loss at all. */
export const LOSSLESS: FiniteLossCurve = {
  maximum: ZERO,
  logDelta: () => enclosure(-Infinity, -Infinity),
};

/** Losses may be too large for doubles. */
const withinDoubles = (curve: FiniteLossCurve): FiniteLossCurve =>
  curve.maximum?.gt(LARGEST_MAGNITUDE) ? vacuousCurve(curve.maximum) : curve;

/** The smallest epsilon >= 0 at which ln delta is at most a target. */
export function solveEpsilon(curve: FiniteLossCurve, target: Enclosure): Enclosure {
  if (curve.epsilon) return curve.epsilon(target);
  const evaluate = (x: number): Enclosure => curve.logDelta(fromDouble(x));
  const end: number = curve.maximum ? toUpper(curve.maximum) : LARGEST_MAGNITUDE;
  const crossing = { evaluate, target, straightened: straightenedTail };
  const start = curve.about?.(midpoint(target)) ?? 0;
  if (start > 0 && start < end) {
    const { lower, upper } = bracketRoot({ ...crossing, from: 0, to: end, start });
    if (lower > 0) return enclosure(lower, curve.maximum || upper < end ? upper : Infinity);
  }
  const zero = evaluate(0);
  if (zero.upper <= target.lower) return enclosure(0, 0);
  if (curve.maximum) return bracketRoot({ ...crossing, from: 0, atFrom: zero, to: end });
  let [from, atFrom] = [0, zero];
  for (let to = 1; to < LARGEST_MAGNITUDE; to *= 2) {
    const atTo = evaluate(to);
    if (atTo.upper <= target.lower) return bracketRoot({ ...crossing, from, atFrom, to, atTo });
    if (atTo.lower > target.upper) [from, atFrom] = [to, atTo];
  }
  return enclosure(0, Infinity);
}

/**
 * The privacy curve of mechanisms that fail (reveal everything) with probability f and otherwise have the given losses:
 * delta(eps) = f + (1 - f) D(eps), with D the curve of the finite losses.
 *
 * Feasibility (delta >= f) and the slack (delta - f) / (1 - f) are computed in decimals. For negative epsilon the curve
 * of a composition that is closed under swapping neighbours satisfies delta(-e) = 1 - e^-e + e^-e delta(e).
 */
export function curveWithFailure(losses: FiniteLossCurve, failure: Failure, tightness: Tightness): PrivacyCurve {
  const curve = withinDoubles(losses);
  const { maximum } = curve;

  const nonnegativeDelta = (epsilon: Decimal): Bracket => {
    const fail = enclosure(toLower(failure.lower), toUpper(failure.upper));
    if (maximum && epsilon.gte(maximum)) {
      return certain(fail, tightness, failure.lower.eq(failure.upper) ? failure.lower.toString() : undefined);
    }
    const finite = exponential(curve.logDelta(fromDecimal(epsilon)));
    const survive = enclosure(toLower(ONE.minus(failure.upper)), toUpper(ONE.minus(failure.lower)));
    const total = failure.upper.isZero() ? finite : add(fail, multiply(survive, finite));
    return certain(clampToOne(total), tightness);
  };

  return {
    delta(epsilon) {
      if (!epsilon.isNegative()) return nonnegativeDelta(epsilon);
      const mirrored = nonnegativeDelta(epsilon.negated());
      const exponent = encloseDecimal(epsilon);
      const other = multiply(exponential(exponent), enclosure(mirrored.lower ?? 0, mirrored.upper));
      return certain(clampToOne(add(negate(expm1(exponent)), other)), tightness);
    },

    epsilon(delta) {
      if (delta.gte(1)) return certain(enclosure(0, 0), tightness, '0');
      if (delta.lt(failure.lower)) return certain(enclosure(Infinity, Infinity), tightness);
      const feasible = delta.gte(failure.upper);
      const highest = maximum ? encloseDecimal(maximum) : enclosure(Infinity, Infinity);
      if (!delta.gt(failure.lower) || maximum?.isZero()) {
        if (!feasible) return certain(enclosure(highest.lower, Infinity), tightness);
        return certain(highest, tightness, maximum?.toString());
      }
      const solved = solveEpsilon(curve, logSlack(delta, failure));
      const upper = feasible ? Math.min(Math.max(0, solved.upper), highest.upper) : Infinity;
      const atMaximum = upper === highest.upper && maximum !== null;
      return certain(
        { lower: asLower(Math.max(0, solved.lower)), upper: asUpper(upper) },
        tightness,
        atMaximum ? maximum.toString() : undefined,
      );
    },
  };
}
