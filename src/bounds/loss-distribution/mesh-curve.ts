import { toDouble, type DoubleDouble } from '../../numeric/double-double.ts';
import { logarithm } from '../../numeric/enclosure-arithmetic.ts';
import { enclosure, meet, width, widthOverUpper, type Enclosure } from '../../numeric/enclosure.ts';
import { above, below, convolve, hockeyStick, type Cells, type MeshMeasure } from '../../numeric/mesh/mesh-measure.ts';
import { meshOver, type Mesh } from '../../numeric/mesh/mesh.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';
import { advance, unlessInterrupted } from '../../numeric/watch.ts';
import { solveEpsilon, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { extentOf, meshed } from '../../privacy/sampling/meshed-law.ts';
import type { SampledLaw } from '../../privacy/sampling/sampled-law.ts';
import { deviationOf } from '../../privacy/sampling/sampled-pair.ts';
import type { Effort } from '../core/bound.ts';

/** So many mechanisms on samples that are alike. */
export interface LawGroup {
  readonly law: SampledLaw;
  /** ln of the probability that the loss is finite. */
  readonly logSurvival: number;
  readonly count: number;
}

/** Points of a mesh in each stretch in which losses grow by the factor e: at first, and at most. */
const COARSE = 24;
const FINEST = 160;
/** The width falls as the square of a mesh's cells; a little more is done than that. */
const MORE = 1.2;
/** No mesh is finer than the one before by less. */
const LEAST_GROWTH = 1.5;
/** Below this share of a deviation cells are all alike. */
const FINE = 1e-3;
/** Squares of smaller deviations are no doubles. */
const SMALLEST = 1e-150;

/** `count` times a measure, by squaring; what is convolved is put on a mesh by `seen`. */
function power(one: MeshMeasure, count: number, mesh: Mesh, seen: (cells: Cells) => MeshMeasure): MeshMeasure {
  let [square, result, left] = [one, null as MeshMeasure | null, count];
  for (;;) {
    if (left % 2 === 1) result = result === null ? square : seen(convolve(result, square, mesh));
    left = Math.floor(left / 2);
    if (left === 0) return result ?? one;
    square = seen(convolve(square, square, mesh));
  }
}

/** Both curves on a mesh of a density. */
function composed(groups: readonly LawGroup[], density: number, effort: Effort): (epsilon: number) => Enclosure {
  const extents = groups.map(({ law, count }) => ({ count, ...extentOf(law) }));
  const low = extents.reduce((sum, each) => sum + Math.min(0, each.low) * each.count, 0);
  const high = extents.reduce((sum, each) => sum + Math.max(0, each.high) * each.count, 0);
  const least = groups.reduce((smallest, { law }) => Math.min(smallest, deviationOf(law)), Infinity);
  const scale = Math.max(SMALLEST, FINE * least);
  const mesh = meshOver(low, high, scale, density);
  const whole = (side: 'above' | 'below'): MeshMeasure => {
    const seen = side === 'above' ? above : below;
    const powers = groups.map(({ law, logSurvival, count }) => {
      advance(effort);
      return power(meshed(law, logSurvival, mesh)[side], count, mesh, seen);
    });
    return powers.reduce((sum, each) => seen(convolve(sum, each, mesh)));
  };
  const [upper, lower] = [whole('above'), whole('below')];
  return (epsilon) => enclosure(hockeyStick(lower, epsilon).lower, hockeyStick(upper, epsilon).upper);
}

/** The width of an epsilon, relative or, where that is less, absolute. */
export const widthOfEpsilon = (epsilon: Enclosure): number => Math.min(widthOverUpper(epsilon), width(epsilon));

/**
 * The curve of a few mechanisms on samples: pairs of measures on a mesh that is finer near 0, one above and one below, are
 * composed and put on the mesh again. Where samples are rare, losses are of very different sizes, and lattices as fine as
 * the smallest would be long. The mesh is refined until an answer is known to `asked`, relatively or absolutely, or it is
 * the finest.
 */
export function meshCurve(
  groups: readonly LawGroup[],
  maximum: FiniteLossCurve['maximum'],
  asked: number,
  effort: Effort,
): FiniteLossCurve {
  const known = new Map<number, (epsilon: number) => Enclosure>();
  const deltaOn = (density: number): ((epsilon: number) => Enclosure) => {
    const delta = known.get(density) ?? composed(groups, density, effort);
    known.set(density, delta);
    return delta;
  };
  const refined = (
    read: (logDelta: (epsilon: DoubleDouble) => Enclosure) => Enclosure,
    widthOf: (value: Enclosure) => number,
  ): Enclosure => {
    const on = (density: number): Enclosure => {
      const delta = deltaOn(density);
      return read((epsilon) => {
        const at = toDouble(epsilon);
        return logarithm(enclosure(delta(nextUp(at)).lower, delta(nextDown(at)).upper));
      });
    };
    let density = COARSE;
    let best = on(density);
    while (density < FINEST && !effort.exhausted()) {
      const reached = widthOf(best);
      if (reached <= asked) break;
      const growth = MORE * Math.sqrt(reached / asked);
      density = Math.min(FINEST, Math.ceil(density * (growth > LEAST_GROWTH ? growth : LEAST_GROWTH)));
      const finer = density;
      const next = unlessInterrupted(() => on(finer));
      if (next === null) break;
      best = meet(best, next);
    }
    return best;
  };
  return {
    maximum,
    logDelta: (epsilon) => refined((logDelta) => logDelta(epsilon), width),
    epsilon: (target) => refined((logDelta) => solveEpsilon({ maximum, logDelta }, target), widthOfEpsilon),
  };
}
