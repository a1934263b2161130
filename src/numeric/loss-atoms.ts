import { add } from './enclosure-arithmetic.ts';
import type { Enclosure } from './enclosure.ts';
import { UNIT_ROUNDOFF as U } from './rounding.ts';

/**
 * Finitely many losses in descending order, exponentially tilted: the mass at loss L is e^(logScale - tilt L) times its
 * weight. The losses are doubles, each within `lossError` of the loss it stands for.
 */
export interface LossAtoms {
  readonly losses: Float64Array;
  readonly weights: Float64Array;
  readonly tilt: number;
  readonly logScale: Enclosure;
  readonly lossError: number;
  /** Bound on the relative error of every weight. */
  readonly relativeError: number;
  /** Bound on the total weight that was left out. */
  readonly leak: number;
}

type WeightedLosses = Pick<LossAtoms, 'losses' | 'weights'>;

/** Merges two descending lists. */
function merge(a: WeightedLosses, b: WeightedLosses): WeightedLosses {
  const size = a.losses.length + b.losses.length;
  const losses = new Float64Array(size);
  const weights = new Float64Array(size);
  for (let i = 0, j = 0, m = 0; m < size; m++) {
    const fromA = j >= b.losses.length || (i < a.losses.length && a.losses[i]! >= b.losses[j]!);
    losses[m] = fromA ? a.losses[i]! : b.losses[j]!;
    weights[m] = fromA ? a.weights[i]! : b.weights[j]!;
    if (fromA) i++;
    else j++;
  }
  return { losses, weights };
}

/** The atoms with every loss moved by `shift` and every weight multiplied by `factor`. */
const moved = (atoms: LossAtoms, shift: number, factor: number): WeightedLosses => ({
  losses: atoms.losses.map((loss) => loss + shift),
  weights: atoms.weights.map((weight) => weight * factor),
});

/** The sum of two independent losses with the same tilt, every combination kept; quick where `further` is short. */
export function composeAtoms(atoms: LossAtoms, further: LossAtoms): LossAtoms {
  let all: WeightedLosses = { losses: new Float64Array(0), weights: new Float64Array(0) };
  further.losses.forEach((loss, i) => {
    all = merge(all, moved(atoms, loss, further.weights[i]!));
  });
  const largest = (list: LossAtoms): number => Math.max(Math.abs(list.losses[0]!), Math.abs(list.losses.at(-1)!));
  return {
    ...all,
    tilt: atoms.tilt,
    logScale: add(atoms.logScale, further.logScale),
    lossError: (atoms.lossError + further.lossError + (largest(atoms) + largest(further)) * U) * (1 + 2 ** -40),
    relativeError: (atoms.relativeError + further.relativeError + 2 * U) * (1 + 2 ** -20),
    // Each list's weights sum to at most 1.
    leak: atoms.leak + further.leak,
  };
}
