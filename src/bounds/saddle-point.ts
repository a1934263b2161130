import { minimiseOnLogScale } from '../numeric/minimise.ts';

/** A group of mechanisms that are (epsilon, 0)-DP, as doubles: for choosing a tilt, where any choice is sound. */
export interface ApproximateGroup {
  readonly epsilon: number;
  readonly count: number;
}

const LARGEST_SHARPENED = 600;

const logMoment = (groups: readonly ApproximateGroup[], tilt: number): number =>
  groups.reduce((sum, { epsilon: e, count }) => {
    const ratio = Math.log1p(Math.exp(-(1 + 2 * tilt) * e)) - Math.log1p(Math.exp(-e));
    return sum + count * (tilt * e + ratio);
  }, 0);

/** The exponential tilt under which losses gather around the asked tail, with a first guess of epsilon there. */
export interface SaddlePoint {
  readonly tilt: number;
  readonly epsilon: number;
}

/** ln of the best factor in delta <= factor E[e^(tilt L)] e^(-tilt eps). */
const logFactor = (tilt: number): number => tilt * Math.log(tilt) - (1 + tilt) * Math.log1p(tilt);

function range(groups: readonly ApproximateGroup[]): [number, number] {
  const largest = Math.max(...groups.map(({ epsilon }) => epsilon));
  return [1e-9, Math.max(1e-6, (LARGEST_SHARPENED / largest - 1) / 2)];
}

/** The saddle point of the tail of size e^logDelta: minimises (ln M(t) + factor - ln delta) / t. */
export function saddlePointOfDelta(groups: readonly ApproximateGroup[], logDelta: number): SaddlePoint {
  const epsilonBy = (t: number): number => (logMoment(groups, t) + logFactor(t) - logDelta) / t;
  const tilt = minimiseOnLogScale(epsilonBy, ...range(groups));
  return { tilt, epsilon: epsilonBy(tilt) };
}

/** The saddle point of the tail beyond epsilon: minimises ln M(t) + factor - t epsilon. */
export function saddlePointOfEpsilon(groups: readonly ApproximateGroup[], epsilon: number): SaddlePoint {
  const tilt = minimiseOnLogScale((t) => logMoment(groups, t) + logFactor(t) - t * epsilon, ...range(groups));
  return { tilt, epsilon };
}
