import type { LossTransform } from '../../numeric/contour/transform.ts';
import type { Sampled } from '../mechanism.ts';
import { atomsTransform } from '../transform/atoms.ts';
import { sampledGaussianLosses, type SampledGaussianLosses } from '../transform/sampled-gaussian.ts';
import { hasFarTails } from './meshed-law.ts';
import { partsTransform } from './parts-transform.ts';
import type { Direction, SampledLaw } from './sampled-law.ts';

const KNOWN = new WeakMap<Sampled, SampledGaussianLosses>();

/** Gaussian noise on Poisson samples in both directions; null of other mechanisms. Computed once for a mechanism. */
export function gaussianLossesOf(mechanism: Sampled, { parts, rates }: SampledLaw): SampledGaussianLosses | null {
  const [part] = parts;
  if (part?.base.law !== 'normal' || mechanism.scheme !== 'poisson') return null;
  const known = KNOWN.get(mechanism) ?? sampledGaussianLosses({ mu: part.base.slope, ...rates });
  KNOWN.set(mechanism, known);
  return known;
}

/** A sampled loss by its moments, given that it is finite. */
export function sampledTransform(
  law: SampledLaw,
  mechanism: Sampled,
  direction: Direction,
  logSurvival: number,
): LossTransform {
  const losses = gaussianLossesOf(mechanism, law);
  if (losses !== null) return losses[direction];
  const { atoms, parts, lossError, massError } = law;
  if (parts.length > 0) return partsTransform(law, logSurvival);
  const finite = atoms.map(({ loss, logMass }) => ({ loss, logMass: logMass - logSurvival }));
  const isSlowToDecay = hasFarTails(law);
  return { ...atomsTransform(finite, lossError, massError), ...(isSlowToDecay && { isSlowToDecay }) };
}
