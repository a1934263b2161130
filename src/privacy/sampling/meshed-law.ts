import { gaussLegendre4 } from '../../numeric/gauss-legendre.ts';
import { above, below, type Cells, type MeshMeasure } from '../../numeric/mesh/mesh-measure.ts';
import type { Mesh } from '../../numeric/mesh/mesh.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { logMixture, mixtureInverse, type SampledLaw, type SampledPart } from './sampled-law.ts';
import { reachOf, steepness } from './tilted-part.ts';

/** Of a piece: its length times its steepness, for which the four-point rule is off by less than 1e-12. */
const STEEPEST = 0.4;
const RELATIVE_ERROR = 2 ** -38;

/** More losses than these reach far. */
const MANY_ATOMS = 24;

/** Whether rare losses are so much larger than usual ones that lattices and integrals of few of them are long. */
export const hasFarTails = ({ atoms, parts }: SampledLaw): boolean =>
  atoms.length > MANY_ATOMS || parts.some(({ base }) => base.law === 'normal');

/** Where the losses of a law are, but for a weight that is as good as none. */
export function extentOf(law: SampledLaw): { readonly low: number; readonly high: number } {
  const ends = law.parts.flatMap((part) => {
    const { from, to } = reachOf(law, part, 0);
    return [from, to].map((u) => part.sign * logMixture(law.rates, part.base.slope * u + part.base.shift));
  });
  const losses = [...law.atoms.map(({ loss }) => loss), ...ends];
  return { low: Math.min(...losses), high: Math.max(...losses) };
}

/** A law's losses by cells of a mesh, as probabilities given that none is infinite. */
function cellsOf(law: SampledLaw, logSurvival: number, mesh: Mesh): Cells {
  const [p, q] = [new Float64Array(mesh.length + 1), new Float64Array(mesh.length + 1)];
  const scale = Math.exp(-logSurvival);
  const cellOf = (loss: number): number => {
    let [from, to] = [0, mesh.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (mesh[middle]! <= loss) from = middle + 1;
      else to = middle;
    }
    return from;
  };
  for (const { loss, logMass } of law.atoms) {
    const cell = cellOf(loss);
    p[cell]! += scale * Math.exp(logMass);
    q[cell]! += scale * Math.exp(logMass - loss);
  }
  let beyond = 0;
  let most = 0;
  for (const part of law.parts) {
    const reach = reachOf(law, part, 0);
    beyond += scale * Math.exp(reach.logBeyond);
    most = Math.max(most, fill(law, part, reach, scale, mesh, p, q));
  }
  const farthest = Math.max(Math.abs(mesh[0]!), Math.abs(mesh.at(-1)!));
  const error = RELATIVE_ERROR + law.massError + law.lossError * farthest + (most + law.atoms.length + 64) * U;
  return { mesh, p, q, beyond, error };
}

/** Adds a part's masses to the cells; returns how many pieces a cell had at most. */
function fill(
  law: SampledLaw,
  part: SampledPart,
  { from, to }: { readonly from: number; readonly to: number },
  scale: number,
  mesh: Mesh,
  p: Float64Array,
  q: Float64Array,
): number {
  const { base, sign } = part;
  const { slope, shift, logDensity } = base;
  const placeOf = (loss: number): number => (mixtureInverse(law.rates, sign * loss) - shift) / slope;
  let most = 0;
  for (let cell = 0; cell <= mesh.length; cell++) {
    const ends = [
      cell === 0 ? -Infinity : placeOf(mesh[cell - 1]!),
      cell === mesh.length ? Infinity : placeOf(mesh[cell]!),
    ];
    const [a, b] = sign > 0 ? ends : [cell === mesh.length ? -Infinity : ends[1]!, cell === 0 ? Infinity : ends[0]!];
    const [left, right] = [Math.max(from, a!), Math.min(to, b!)];
    if (!(right > left)) continue;
    const pieces = Math.ceil(((right - left) * steepness(law, part, 0, left, right)) / STEEPEST);
    most = Math.max(most, 4 * pieces);
    for (let piece = 0; piece < pieces; piece++) {
      const at = (i: number): number => left + ((right - left) * i) / pieces;
      for (const { x, weight } of gaussLegendre4(at(piece), at(piece + 1))) {
        const own = logDensity(x);
        const density = scale * weight * Math.exp(own);
        // Together, as the one may be too small for a double where the other is too large.
        const mixed = scale * weight * Math.exp(own + logMixture(law.rates, slope * x + shift));
        p[cell]! += sign > 0 ? mixed : density;
        q[cell]! += sign > 0 ? density : mixed;
      }
    }
  }
  return most;
}

/** Measures on a mesh whose curves enclose a law's. */
export function meshed(
  law: SampledLaw,
  logSurvival: number,
  mesh: Mesh,
): { readonly above: MeshMeasure; readonly below: MeshMeasure } {
  const cells = cellsOf(law, logSurvival, mesh);
  return { above: above(cells), below: below(cells) };
}
