import { writeLogRatio, type LossTransform } from '../numeric/contour/transform.ts';
import { UNIT_ROUNDOFF as U } from '../numeric/rounding.ts';

/** A finite loss with the logarithm of its probability. */
export interface LogAtom {
  readonly loss: number;
  readonly logMass: number;
}

/**
 * Finitely many losses: M(z) = sum of p e^(z loss).
 *
 * @param lossError - bounds the error of every loss relative to the largest of them
 * @param massError - bounds the relative error of every probability
 */
export function atomsTransform(atoms: readonly LogAtom[], lossError: number, massError: number): LossTransform {
  const largest = atoms.reduce((max, { loss }) => Math.max(max, Math.abs(loss)), 0);
  const exponents = (c: number): { top: number; terms: Float64Array; size: number } => {
    const terms = new Float64Array(atoms.length);
    let [top, size] = [-Infinity, 0];
    for (const [i, { loss, logMass }] of atoms.entries()) {
      const term = logMass + c * loss;
      terms[i] = term;
      top = Math.max(top, term);
      size = Math.max(size, Math.abs(logMass) + Math.abs(c * loss));
    }
    return { top, terms, size };
  };
  /** Of every tilted weight. */
  const relativeError = (c: number, size: number): number =>
    massError + Math.abs(c) * largest * lossError + (16 + 4 * size + atoms.length) * U;
  return {
    terms: atoms.length,
    logMoment(c) {
      const { top, terms, size } = exponents(c);
      const sum = terms.reduce((total, x) => total + Math.exp(x - top), 0);
      return {
        value: top + Math.log(sum),
        error: relativeError(c, size) + 8 * U * (Math.abs(top) + Math.log(sum) + 1),
      };
    },
    on(c) {
      const { top, terms, size } = exponents(c);
      const scaled = terms.map((x) => Math.exp(x - top));
      const sum = scaled.reduce((total, x) => total + x, 0);
      const indices = [...scaled.keys()].filter((i) => scaled[i]! > 0);
      const weights = Float64Array.from(indices, (i) => scaled[i]! / sum);
      const losses = Float64Array.from(indices, (i) => atoms[i]!.loss);
      const mean = weights.reduce((total, w, i) => total + w * losses[i]!, 0);
      const variance = weights.reduce((total, w, i) => total + w * (losses[i]! - mean) ** 2, 0);
      const extent = weights.reduce((total, w, i) => total + w * Math.abs(losses[i]!), 0);
      const weightError = 2 * relativeError(c, size);
      return {
        deviation: Math.sqrt(variance) * (1 + 1e-6) + largest * (lossError + 1e-12),
        mean,
        at(t, ratio) {
          let [x, y] = [0, 0];
          for (let i = 0; i < weights.length; i++) {
            const turn = losses[i]! * t;
            const half = Math.sin(turn / 2);
            x += weights[i]! * half * half;
            y += weights[i]! * Math.sin(turn);
          }
          const turn = Math.min(4, extent * t);
          const error =
            (weightError + (20 + 2 * weights.length) * U) * 3 * turn + 8 * U * extent * t + lossError * largest * t;
          writeLogRatio(-2 * x, y, error, ratio);
        },
      };
    },
  };
}
