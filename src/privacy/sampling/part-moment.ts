import type { Approximate } from '../../numeric/approximate.ts';
import { gaussLegendre4 } from '../../numeric/gauss-legendre.ts';
import type { SampledLaw, SampledPart } from './sampled-law.ts';
import { logWeight, reachOf, steepness } from './tilted-part.ts';

/** Length times steepness of a piece; see discretiseSmooth. */
const STEEPEST = 0.4;
/** Steepness is taken stretch by stretch. */
const STRETCHES = 16;

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly pieces: number;
}

function stretches(law: SampledLaw, part: SampledPart, tilt: number): Stretch[] {
  const { from, to } = reachOf(law, part, tilt);
  const at = (i: number): number => from + ((to - from) * i) / STRETCHES;
  return Array.from({ length: STRETCHES }, (_, i) => ({
    from: at(i),
    to: at(i + 1),
    pieces: Math.max(1, Math.ceil(((at(i + 1) - at(i)) * steepness(law, part, tilt, at(i), at(i + 1))) / STEEPEST)),
  }));
}

/** How many pieces {@link partMoment} sums over. */
export const pieceCount = (law: SampledLaw, part: SampledPart, tilt: number): number =>
  stretches(law, part, tilt).reduce((sum, { pieces }) => sum + pieces, 0);

/** ln of the weight of a part under a tilt, by the four-point rule on pieces that are short against its steepness. */
export function partMoment(law: SampledLaw, part: SampledPart, tilt: number): Approximate {
  const weight = logWeight(law, part, tilt);
  const points = stretches(law, part, tilt).flatMap(({ from, to, pieces }) =>
    Array.from({ length: pieces }, (_, i) =>
      gaussLegendre4(from + ((to - from) * i) / pieces, from + ((to - from) * (i + 1)) / pieces),
    ).flat(),
  );
  const logs = points.map(({ x, weight: length }) => weight(x) + Math.log(length));
  const top = logs.reduce((most, x) => Math.max(most, x), -Infinity);
  const value = top + Math.log(logs.reduce((sum, x) => sum + Math.exp(x - top), 0));
  const size = logs.reduce((most, x) => (x > top - 40 ? Math.max(most, Math.abs(x)) : most), 0);
  return {
    value,
    error:
      2 ** -38 + 64 * (size + Math.abs(tilt)) * Number.EPSILON + Math.exp(reachOf(law, part, tilt).logBeyond - value),
  };
}
