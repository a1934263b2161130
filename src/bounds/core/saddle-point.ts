import { goldenSection } from '../../numeric/golden-section.ts';

/** About ln E[e^(tilt L)], in doubles: for choosing a tilt, where any choice is sound. */
export type ApproximateLogMoment = (tilt: number) => number;

/** The exponential tilt under which losses gather around the asked tail, with a first guess of epsilon there. */
export interface SaddlePoint {
  readonly tilt: number;
  readonly epsilon: number;
}

const SMALLEST_TILT = 1e-9;

/** ln of the best factor in delta <= factor E[e^(tilt L)] e^(-tilt eps). */
const logFactor = (tilt: number): number => tilt * Math.log(tilt) - (1 + tilt) * Math.log1p(tilt);

/**
 * The saddle point of the tail of size e^logDelta: minimises (ln M(t) + factor - ln delta) / t.
 *
 * @param sections - each costs a moment, and narrows where the minimum is by 0.62
 */
export function saddlePointOfDelta(
  logMoment: ApproximateLogMoment,
  largest: number,
  logDelta: number,
  sections = 48,
): SaddlePoint {
  const epsilonBy = (t: number): number => (logMoment(t) + logFactor(t) - logDelta) / t;
  const tilt = goldenSection(epsilonBy, SMALLEST_TILT, largest, sections);
  return { tilt, epsilon: epsilonBy(tilt) };
}

/**
 * The saddle point of the tail beyond epsilon: minimises ln M(t) + factor - t epsilon.
 *
 * @param sections - as of {@link saddlePointOfDelta}
 */
export function saddlePointOfEpsilon(
  logMoment: ApproximateLogMoment,
  largest: number,
  epsilon: number,
  sections = 48,
): SaddlePoint {
  const tilt = goldenSection((t) => logMoment(t) + logFactor(t) - t * epsilon, SMALLEST_TILT, largest, sections);
  return { tilt, epsilon };
}
