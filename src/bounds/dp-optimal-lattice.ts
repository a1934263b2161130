import type { Decimal } from '../numeric/decimal.ts';
import { binomialWindow } from '../numeric/binomial-window.ts';
import { composeLattices, trimmed } from '../numeric/compose-lattices.ts';
import { fromDecimal, fromDouble, toDouble, type DoubleDouble } from '../numeric/double-double.ts';
import { exactly } from '../numeric/enclosure.ts';
import { add } from '../numeric/enclosure-arithmetic.ts';
import type { LatticeMeasure } from '../numeric/lattice-measure.ts';
import { sumOfTails, tailsOfWeights, type Tails } from '../numeric/tails.ts';
import { UNIT_ROUNDOFF as U } from '../numeric/rounding.ts';
import { advance, type Watch } from '../numeric/watch.ts';
import { totalEpsilon, type PureGroup } from '../privacy/pure-group.ts';
import { tiltGroup, type TiltedGroup } from '../privacy/tilted-randomized-response.ts';

/** Groups up to this size are added one by one, larger ones as a binomial distribution. */
const FEW = 48;

/** One mechanism: the loss rises by `jump` cells with the probability of "+", else stays. */
function addTwoPoint(weights: Float64Array, jump: number, { minus }: TiltedGroup): Float64Array {
  const size = weights.length;
  const result = new Float64Array(size + jump);
  for (let m = 0; m < size; m++) result[m] = weights[m]! * minus.value;
  for (let m = 0; m < size; m++) result[m + jump]! += weights[m]! * minus.complement;
  return result;
}

/** The tails of loss 0. */
const NO_LOSS: Tails = { logMoment: () => 0, variance: 0, displacement: 0 };

/** The tails of `count` losses that are `jump` with the probability of "+" and else 0. */
const twoPointTails = (count: number, jump: number, { minus }: TiltedGroup): Tails => ({
  logMoment: (s) => count * (Math.max(0, s * jump) + logMix(minus, s * jump)),
  variance: count * jump * jump * minus.value * minus.complement,
  displacement: 0,
});

/** ln((minus + plus e^y) / max(1, e^y)), with a margin for rounding. */
const logMix = ({ value: minus, complement: plus }: TiltedGroup['minus'], y: number): number =>
  Math.log(y > 0 ? minus * Math.exp(-y) + plus : minus + plus * Math.exp(y)) + 1e-12;

/** The losses of a group on a lattice of `step`, counted from its lowest loss. */
function binomialOnLattice(
  group: PureGroup,
  tilted: TiltedGroup,
  jump: number,
  step: DoubleDouble,
  tilt: number,
): LatticeMeasure {
  const plus = { value: tilted.minus.complement, complement: tilted.minus.value, error: tilted.minus.error };
  const { first, weights, relativeError, leak } = binomialWindow(group.count, plus);
  const spread = new Float64Array((weights.length - 1) * jump + 1);
  weights.forEach((weight, i) => (spread[i * jump] = weight));
  return {
    origin: fromDouble(0),
    step,
    first: first * jump,
    weights: spread,
    tilt,
    logScale: tilted.logScale,
    relativeError,
    normError: 0,
    leak,
    tails: tailsOfWeights(first * jump, spread, toDouble(step)),
  };
}

/**
 * The composed loss of randomized responses whose parameters are whole multiples of `unit`, without discretisation:
 * L = -sum e_i + 2 unit m, m the sum of e_i / unit over the responses that came out "+". Exponentially tilted, so that
 * the weights are probabilities of RR((1 + 2 tilt) e_i); all terms are positive.
 */
export function latticeOfRandomizedResponses(
  groups: readonly PureGroup[],
  unit: Decimal,
  tilt: number,
  watch: Watch = {},
): LatticeMeasure {
  const step = fromDecimal(unit.times(2));
  let measure: LatticeMeasure = {
    origin: fromDouble(0),
    step,
    first: 0,
    weights: new Float64Array([1]),
    tilt,
    logScale: exactly(0),
    relativeError: 0,
    normError: 0,
    leak: 0,
    tails: NO_LOSS,
  };
  // While weights are free of noise, light ones can be cut: large groups may bring noise, and come last.
  const inTurn = [...groups.filter(({ count }) => count <= FEW), ...groups.filter(({ count }) => count > FEW)];
  for (const [index, group] of inTurn.entries()) {
    advance(watch, index / groups.length);
    const jump = group.epsilon.div(unit).toNumber();
    const tilted = tiltGroup(group, tilt);
    if (group.count > FEW) {
      measure = composeLattices(measure, binomialOnLattice(group, tilted, jump, step, tilt));
      continue;
    }
    for (let i = 0; i < group.count; i++) {
      measure = trimmed({ ...measure, weights: addTwoPoint(measure.weights, jump, tilted) });
    }
    measure = {
      ...measure,
      tails: sumOfTails(measure.tails, twoPointTails(group.count, jump * toDouble(step), tilted)),
      logScale: add(measure.logScale, tilted.logScale),
      relativeError: measure.relativeError + group.count * (tilted.minus.error + 3 * U) * (1 + 2 ** -20),
    };
  }
  const lowest = fromDecimal(totalEpsilon(groups).negated());
  return { ...measure, origin: lowest };
}
