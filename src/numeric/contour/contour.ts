import { difference, fromDouble, toDouble, type DoubleDouble } from '../double-double.ts';
import { enclosure, type Enclosure } from '../enclosure.ts';
import { approximateLogSum } from '../log-sum.ts';
import { ELEMENTARY_ERROR, roundDownBy, roundUpBy, UNIT_ROUNDOFF as U } from '../rounding.ts';
import type { Watch } from '../watch.ts';
import { aliasing } from './aliasing.ts';
import type { Line } from './line.ts';
import { quadratureFor, type Quadrature } from './quadrature.ts';
import { nodesOn, type LeftOut, type Nodes } from './nodes.ts';
import { turnedSum } from './turned-sum.ts';
import { composedMoment, deviationAt, type ComposedLoss } from './composed-loss.ts';

/** The line and the width that are asked of a contour. */
export interface Goal {
  readonly line: Line;
  /** The relative width of delta (below: of 1 - delta) that is asked of the epsilons that the line serves. */
  readonly width: number;
}

/** The curve on a stretch of epsilons, from one set of nodes. */
export interface Contour {
  /** Where it crosses the real axis: about minus the slope of ln delta. */
  readonly c: number;
  /** Encloses ln delta (below: ln (1 - delta)) at any epsilon; narrow on the stretch it was made for. */
  readonly logValue: (epsilon: DoubleDouble) => Enclosure;
  /** How many nodes carry weight. */
  readonly size: number;
  /** Whether nodes for the width that was asked were too many, so that it was made for a larger one. */
  readonly isCut: boolean;
}

/** An error small enough, relative to the sum. */
const LEAST_SHARE = 1e-14;
/** How much more width is asked where nodes are too many. */
const WIDER = 20;
/** Nothing is smoothed more than this, relatively. */
const WIDEST = 0.1;

/**
 * The curve of a composed loss by the trapezoid rule on a vertical line.
 *
 * For c > 0, delta(epsilon) is the integral of M(z) e^(-z epsilon) / (z (z + 1)) over Re z = c, over 2 pi i; for -1 < c < 0
 * it is less by 1, the residue at 0. With nodes h apart and Y = 2 pi / h, by Poisson summation,
 *
 *   sum = sum over whole j of e^(c Y j) delta(epsilon + Y j),
 *
 * all of whose terms but j = 0 are errors of one sign, which a Chernoff bound limits (see aliasing). What lies beyond the
 * last node is limited by Gaussian noise: that which is there, or a little that is added for a bound from above and from
 * below (see smoothKernel). Losses on a lattice have a periodic integrand, and no end (see latticeKernel).
 *
 * Source: the integral is the inverse Laplace transform of the curve (Alghamdi et al. 2023 use its saddle point); the
 * enclosure is derived.
 */
function contourOf(loss: ComposedLoss, leftOut: LeftOut | null, goal: Goal, watch: Watch): Contour {
  const { side, c, from, to, steepness } = goal.line;
  const epsilon = from + (to - from) / 2;
  const moment = composedMoment(loss, c);
  const deviation = deviationAt(loss, c);
  const peak = Math.abs(c * (c + 1));
  // About the sum, relative to e^(K(c) - c epsilon).
  const about = 1 / (peak * Math.sqrt(2 * Math.PI * (deviation ** 2 + 1 / c ** 2 + 1 / (c + 1) ** 2)));
  const least = LEAST_SHARE * about;
  const aliases = aliasing(loss, side, c, deviation);
  const period = Math.max(...[from, to].map((end) => aliases.period(end, Math.log(least) + moment.value - c * end)));
  function laidOut(asked: number, smoothed: boolean): { quadrature: Quadrature; nodes: Nodes; isCut: boolean } | null {
    const aim = { width: asked / steepness, negligible: Math.max(least, (asked / 50) * about), least, smoothed };
    const quadrature = quadratureFor(loss, c, period, aim);
    const { grid, kernel, negligible } = quadrature;
    const nodes = nodesOn(loss, leftOut, c, epsilon, grid, kernel, negligible, watch);
    if (nodes !== null) return { quadrature, nodes, isCut: asked > goal.width };
    return asked > WIDEST ? null : laidOut(asked * WIDER, true);
  }
  const found = laidOut(goal.width, false);
  if (found === null) return { c, logValue: () => enclosure(-Infinity, 0), size: 0, isCut: true };
  const { quadrature, nodes, isCut } = found;
  const { grid, beyond, read } = quadrature;
  // What is left out ends no earlier.
  const rest = nodes.error + nodes.skipped + beyond * (leftOut === null ? 1 : 2);
  const apart = fromDouble(epsilon);

  function logValue(x: DoubleDouble): Enclosure {
    const { place, share } = read(x);
    const away = toDouble(difference(place, apart));
    const { first, second } = turnedSum(nodes, grid.h, away);
    const off = (rest + (nodes.spread * Math.abs(away) * 8 + (nodes.size + 64) * nodes.mass) * U) * (1 + 1e-9);
    // From above delta is smoothed upwards and 1 - delta downwards.
    const [low, high] = share === null ? [second, first] : [first - share * second, first - share * second];
    const at = toDouble(place);
    const level = moment.value - c * at;
    const levelError = moment.error + 8 * U * (Math.abs(moment.value) + Math.abs(c * at)) + 1e-15;
    const alias = Math.exp(aliases.logBound(toDouble(x), grid.period) - level + levelError) * (1 + 1e-9);
    const [lower, upper] = side === 'above' ? [low - off - alias, high + off] : [-high - off - alias, -low + off];
    // A product that overflowed says nothing.
    if (Number.isNaN(level + lower + upper + levelError)) return enclosure(-Infinity, 0);
    const log = (sum: number): number => (sum > 0 ? Math.log(sum) : -Infinity);
    return enclosure(
      roundDownBy(level + roundDownBy(log(lower), ELEMENTARY_ERROR) - levelError, 4 * U),
      Math.min(0, roundUpBy(level + roundUpBy(log(upper), ELEMENTARY_ERROR) + levelError, 4 * U)),
    );
  }
  return { c, logValue, size: nodes.size, isCut };
}

/**
 * The curve of a composed loss by one line. Atoms that lie on a lattice are a sum of their own, as the curve is linear in
 * the distribution: it has a corner at each, where smoothing would cost more than elsewhere.
 */
export function contourFor(loss: ComposedLoss, goal: Goal, watch: Watch = {}): Contour {
  const { c } = goal.line;
  const { atoms } = loss;
  if (atoms === null) return contourOf(loss, null, goal, watch);
  const [own, whole] = [composedMoment(atoms.loss, c), composedMoment(loss, c)];
  const logFactor = {
    value: Math.min(0, atoms.logShare.value + own.value - whole.value),
    error: atoms.logShare.error + own.error + whole.error,
  };
  const discrete = contourOf(atoms.loss, null, goal, watch);
  const rest = contourOf({ ...loss, atoms: null }, { loss: atoms.loss, logFactor }, goal, watch);
  return {
    c,
    size: discrete.size + rest.size,
    isCut: discrete.isCut || rest.isCut,
    logValue(x) {
      const [a, b] = [discrete.logValue(x), rest.logValue(x)];
      const { value, error } = atoms.logShare;
      const off = error + 8 * U * Math.abs(value) + 1e-15;
      return enclosure(
        roundDownBy(approximateLogSum(a.lower + value - off, b.lower), ELEMENTARY_ERROR) - 1e-15,
        Math.min(0, roundUpBy(approximateLogSum(a.upper + value + off, b.upper), ELEMENTARY_ERROR) + 1e-15),
      );
    },
  };
}
