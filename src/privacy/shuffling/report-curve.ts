import {
  binomialWindow,
  geometricRest,
  logBinomialProbability,
  type BinomialWindow,
  type Probability,
} from '../../numeric/binomial.ts';
import { crossingNear } from '../../numeric/bracket-root.ts';
import { toUpper } from '../../numeric/decimal.ts';
import { difference, fromDecimal, fromDouble, sum, toDouble, type DoubleDouble } from '../../numeric/double-double.ts';
import { enclosure, exactly, midpoint, width, type Approximate, type Enclosure } from '../../numeric/enclosure.ts';
import { add, logarithm, logSum } from '../../numeric/enclosure-arithmetic.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { solveEpsilon, type FiniteLossCurve } from '../finite-loss-curve.ts';
import type { ReportLaw } from './report-law.ts';
import { logMeanExcessOf } from './mean-excess.ts';
import { restNodes, WINDOW_EDGE, type RestNode, type RestNodes } from './rest-nodes.ts';

const NOTHING = enclosure(-Infinity, -Infinity);

/** Of the sums of one law at one epsilon: what each term of them is made of. */
interface Stick {
  /** f (p - E), s (p E - 1) and E - 1. */
  readonly gain: number;
  readonly cost: number;
  readonly excess: number;
  /** Bounds the relative error of each. */
  readonly error: number;
}

function stickAt({ epsilon, scales: [first, second], error }: ReportLaw, at: DoubleDouble): Stick {
  const local = fromDecimal(epsilon);
  const [above, below] = [toDouble(sum(local, at)), toDouble(difference(local, at))];
  const e = toDouble(at);
  return {
    gain: first * Math.exp(e) * Math.expm1(below),
    cost: second * Math.expm1(above),
    excess: Math.expm1(e),
    error: error + 3 * ELEMENTARY_ERROR + (24 + 2 * above) * U,
  };
}

/** A binomial distribution from a place on: the chance there, and what lies above it in units of that. */
interface Tail {
  readonly log: Approximate;
  readonly above: number;
  /** Absolute. */
  readonly error: number;
}

/** By positive terms, until a geometric series bounds the rest. */
function tailFrom(first: Probability, trials: number, place: number): Tail {
  const odds = first.value / first.complement;
  const turn = 16 * U + 2 * first.error;
  let [term, above, error] = [1, 0, 0];
  for (let i = place, turns = 1; i < trials; i++, turns++) {
    term *= ((trials - i) / (i + 1)) * odds;
    above += term;
    error += term * turns * turn;
    const rest = geometricRest(term, ((trials - i - 1) / (i + 2)) * odds);
    if (rest < 2 ** -60 * above) {
      error += 2 * rest;
      break;
    }
  }
  return { log: logBinomialProbability(trials, place, first), above, error };
}

/** Steps after which a tail is summed anew at the latest, and how much more may be uncertain of it than at first. */
const [MOST_STEPS, MOST_WEAR] = [16_384, 2e-11];

const scaledBy = ({ value, error }: Approximate, sum: number, off: number): Enclosure =>
  add(enclosure(value - error, value + error), logarithm(enclosure(Math.max(0, sum - off), sum + off)));

/**
 * ln of the sum over N of the window of weight(N) E (gain i - cost (N - i) - excess G)+, i binomial of N trials, G = slope (n - N) + offset.
 *
 * With t the smallest i of a positive value, b and T the chances that N - 1 trials give t - 1 and at least t, each expectation is
 * first (gain N - excess G) b - (drift (E - 1) N + excess G) T: about as many digits are lost as the square of the deviations
 * of t has. From N to N + 1 both chances follow by a term or two, in units of a chance at an earlier N; they are summed anew
 * where too little of them is certain. An expectation is largest at the right t: one that is off by rounding loses no more than
 * its own term.
 */
function logStick(
  law: ReportLaw,
  { gain, cost, excess, error }: Stick,
  from: number,
  { slope, offset, weights }: RestNode,
): Enclosure {
  const { value: hit, complement: miss, error: hitError } = law.first;
  const { users } = law;
  const drift = law.drift * excess;
  const relative = error + law.error + law.rest.error + hitError + 32 * U;
  const turn = 8 * U + 2 * hitError;
  let all = NOTHING;
  let tail: Tail | null = null;
  let [point, above, off, worn, steps, at] = [1, 0, 0, 0, 0, 0];
  let [sum, sumError] = [0, 0];
  for (let k = 0, trials = from; k < weights.length; k++, trials++) {
    const weight = weights[k]!;
    const left = slope * (users - trials) + offset;
    const rounded = Math.floor((cost * trials + excess * left) / (gain + cost));
    // Next to the local epsilon the gain is lost in this sum.
    const place = rounded >= trials && gain * trials * (1 + 1e-9) > excess * left ? trials - 1 : rounded;
    const size = drift * trials + excess * (Math.abs(left) + Math.abs(offset));
    if (weight === 0 || trials === 0 || place >= trials || place < 0) {
      // Below 0 only at a node whose G is: then every i counts.
      const whole = place < 0 ? Math.max(0, -drift * trials - excess * left) : 0;
      if (whole > 0)
        all = logSum(all, scaledBy({ value: 0, error: 0 }, weight * whole, weight * relative * (whole + size)));
      if (tail !== null) all = logSum(all, scaledBy(tail.log, sum, sumError));
      tail = null;
      continue;
    }
    if (tail !== null) {
      above += hit * point;
      point *= ((trials - 1) * miss) / (trials - 1 - at);
      for (; at < place; at++) {
        point *= ((trials - 1 - at) * hit) / ((at + 1) * miss);
        above -= point;
        off += point * turn * (3 * steps);
      }
      for (; at > place; at--) {
        above += point;
        off += point * turn * (3 * steps);
        point *= (at * miss) / ((trials - at) * hit);
      }
      steps++;
      off += (4 * U + turn * (3 * steps)) * point + 8 * U * above;
    }
    if (tail === null || steps >= MOST_STEPS || !(off <= worn * above) || point < 1e-90 || point > 1e90) {
      if (tail !== null) all = logSum(all, scaledBy(tail.log, sum, sumError));
      tail = tailFrom(law.first, trials - 1, place);
      [point, above, off, steps, at, sum, sumError] = [1, tail.above, tail.error, 0, place, 0, 0];
      worn = MOST_WEAR + (4 * off) / above;
    }
    sum += weight * (hit * (gain * trials - excess * left) * point - (drift * trials + excess * left) * above);
    sumError +=
      weight *
      ((hit * gain * trials + size) * point * (turn * 3 * steps + relative) +
        size * (off + relative * above) +
        (gain + cost) * trials * point * (2e-15 + 2 * relative));
  }
  return tail === null ? all : logSum(all, scaledBy(tail.log, sum, sumError));
}

/** A sum over the users is taken where ln of it is this narrow, else it is counted: where the rest spreads, that is wider. */
const [NARROW, NARROW_SPREAD] = [1e-6, 1e-4];
/** Where the counts of telling reports have no larger variance they are soon counted. */
const FEW_COUNTS = 4e6;
/** Nodes of less weight than this, relative to the sum so far, are only bounded. */
const NEGLIGIBLE = 1e-14;

/** ln delta of the parts of a law at one epsilon. */
function logDeltaOf(law: ReportLaw, { window, nodes }: Parts, at: DoubleDouble): Enclosure {
  const stick = stickAt(law, at);
  const scale = logarithm(exactly(law.users));
  const slack = 2 * (window.relativeError + nodes.relativeError);
  // What is left out adds at most 4 p times its weight.
  const each = Math.log(4) + law.epsilon.toNumber() + 1e-9;
  let all = NOTHING;
  // From the smallest up, so that what is left is not the rounding of what is there.
  const left = new Float64Array(nodes.list.length + 1);
  for (let i = nodes.list.length - 1; i >= 0; i--) left[i] = left[i + 1]! + nodes.list[i]!.weight;
  let counted = 0;
  for (; counted < nodes.list.length; counted++) {
    if (all.lower - scale.upper > each + Math.log(left[counted]! / NEGLIGIBLE)) break;
    all = logSum(all, logStick(law, stick, window.first, nodes.list[counted]!));
  }
  const leak = each + Math.log(window.leak + nodes.leak + left[counted]! * (1 + 1e-9));
  const share = enclosure(all.lower - scale.upper - slack, all.upper - scale.lower + slack);
  const upper = Math.min(0, logSum(share, enclosure(leak, leak)).upper);
  return enclosure(Math.min(share.lower, upper), upper);
}

/** The same by what one user adds to the sum, X, without counting: i, j and G are sums over the users. Null where that is not quick. */
function logDeltaOfUsers(law: ReportLaw, at: DoubleDouble): Enclosure | null {
  const { telling, first, rest, isSpread, users } = law;
  if (!isSpread && users * telling.value * Math.max(telling.complement, first.value * first.complement) < FEW_COUNTS)
    return null;
  const { gain, cost, excess, error } = stickAt(law, at);
  const value = (x: number, off: number) => ({ value: x, error: off + 4 * U });
  const chance = (...factors: readonly (readonly [value: number, error: number])[]) => ({
    value: factors.reduce((product, [x]) => product * x, 1),
    error: factors.reduce((sum, [, off]) => sum + off + 2 * U, 0),
  });
  const untold = [telling.complement, telling.error] as const;
  const mean = logMeanExcessOf(users, [
    { value: value(gain, error), chance: chance([telling.value, telling.error], [first.value, first.error]) },
    { value: value(-cost, error), chance: chance([telling.value, telling.error], [first.complement, first.error]) },
    ...(isSpread
      ? [
          { value: value(-excess, error), chance: chance(untold, [rest.value, rest.error]) },
          { value: value(0, 0), chance: chance(untold, [rest.complement, rest.error]) },
        ]
      : [{ value: value(-excess * rest.value, error + rest.error), chance: chance(untold) }]),
  ]);
  if (mean === null) return null;
  const scale = logarithm(exactly(users));
  return enclosure(mean.lower - scale.upper, Math.min(0, mean.upper - scale.lower));
}

interface Parts {
  readonly window: BinomialWindow;
  readonly nodes: RestNodes;
}

/** The counts of telling reports; of those all users tell where no other is sent. */
export function windowOf({ users, telling }: ReportLaw, edge = WINDOW_EDGE): BinomialWindow {
  return telling.complement === 0
    ? { first: users, weights: Float64Array.of(1), relativeError: 0, leak: 0 }
    : binomialWindow(users, telling, edge);
}

function partsOf(law: ReportLaw): Parts {
  const window = windowOf(law);
  return { window, nodes: restNodes(law, window) };
}

/** Laws of more users are looked at where one of so many points to. */
const FEW_USERS = 20_000;

/** About where delta is reached: of so many users that epsilon times the square root of the number is about alike. */
function startOf(law: ReportLaw, target: Enclosure): number | null {
  const few = Math.min(law.users, FEW_USERS);
  if (few === law.users && !law.isSpread) return null;
  const scale = Math.sqrt(law.users / few);
  const logDelta = Math.min(-1e-9, midpoint(target) + Math.log(scale));
  return midpoint(solveEpsilon(reportCurve({ ...law, users: few, isSpread: false }), exactly(logDelta))) / scale;
}

/**
 * The curve of the pair of a law of shuffled reports, once; encloses. Where it is counted, the pair of a spread rest is one that is larger.
 */
export function reportCurve(law: ReportLaw): FiniteLossCurve {
  let parts: Parts | null = null;
  const logDelta = (at: DoubleDouble): Enclosure => {
    const ofUsers = logDeltaOfUsers(law, at);
    if (ofUsers !== null && width(ofUsers) <= (law.isSpread ? NARROW_SPREAD : NARROW)) return ofUsers;
    const counted = logDeltaOf(law, (parts ??= partsOf(law)), at);
    return ofUsers !== null && width(ofUsers) < width(counted) ? ofUsers : counted;
  };
  const curve = { maximum: law.epsilon, logDelta };
  return {
    ...curve,
    epsilon(target) {
      const start = startOf(law, target);
      const evaluate = (x: number): Enclosure => logDelta(fromDouble(x));
      const to = toUpper(law.epsilon);
      if (start === null || !(start > 0 && start < to)) return solveEpsilon(curve, target);
      if (evaluate(0).upper <= target.lower) return enclosure(0, 0);
      const step = 1e-3 * start;
      const slope = (midpoint(evaluate(start - step)) - midpoint(evaluate(start + step))) / (2 * step);
      return crossingNear({ evaluate, target, start, slope, within: enclosure(0, to) });
    },
  };
}
