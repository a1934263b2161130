import { fromDouble } from '../double-double.ts';
import type { LatticeMeasure } from './measure.ts';
import type { LossAtoms } from '../loss-atoms.ts';
import { tailsOfWeights } from './tails.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from '../rounding.ts';

/** Weights collected by lattice index. */
class Cells {
  readonly first: number;
  readonly weights: Float64Array;

  constructor(lowest: number, highest: number) {
    this.first = lowest;
    this.weights = new Float64Array(highest - lowest + 1);
  }

  add(index: number, weight: number): void {
    this.weights[index - this.first]! += weight;
  }
}

function measure(cells: Cells, atoms: LossAtoms, step: number): LatticeMeasure {
  return {
    origin: fromDouble(0),
    step: fromDouble(step),
    first: cells.first,
    weights: cells.weights,
    tilt: atoms.tilt,
    logScale: atoms.logScale,
    relativeError:
      atoms.relativeError +
      (8 + atoms.losses.length) * 2 * U +
      4 * ELEMENTARY_ERROR +
      6 * atoms.tilt * (atoms.lossError + step * U),
    normError: 0,
    leak: atoms.leak,
    tails: tailsOfWeights(cells.first, cells.weights, step),
  };
}

/**
 * A measure on the multiples of `step` whose hockey-stick curve is everywhere at or above that of the atoms: each atom
 * is split onto its two neighbours so that its mass under both distributions is kept, which interpolates the curve
 * linearly in e^eps between lattice points ("connect the dots": Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022).
 * Atoms are first raised by their `lossError`. At distance f above the lower neighbour the upper one gets the share
 * (1 - e^-f) / (1 - e^-step).
 */
export function discretiseUpward(atoms: LossAtoms, step: number): LatticeMeasure {
  const { losses, weights, tilt, lossError } = atoms;
  const indexOf = (loss: number): number => Math.floor(loss / step);
  const cells = new Cells(indexOf(losses.at(-1)! - lossError) - 1, indexOf(losses[0]! + 2 * lossError) + 2);
  const whole = -Math.expm1(-step);
  losses.forEach((loss, i) => {
    const raised = loss + 2 * lossError + Math.abs(loss) * 4 * U;
    const index = indexOf(raised);
    const above = Math.min(step, Math.max(0, raised - index * step));
    const share = Math.min(1, -Math.expm1(-above) / whole);
    const weight = weights[i]!;
    cells.add(index + 1, weight * share * Math.exp(tilt * (step - above)));
    cells.add(index, weight * (1 - share) * Math.exp(-tilt * above));
  });
  return measure(cells, atoms, step);
}

/** The view of an observer who learns only the lattice cell of a loss, under both neighbours. */
export interface ObservedCells {
  /** Masses under the distribution whose loss it is. */
  readonly own: LatticeMeasure;
  /** Masses under the other distribution, e^-L times as large, stored times e^(cell's loss). */
  readonly other: LatticeMeasure;
}

/**
 * The atoms seen through cells of width `step` around its multiples. Revealing only the cell is post-processing, so
 * whatever an adversary gains from the cells (also after composition, where the cells' indices add up) is a lower bound
 * on the truth; nothing is assumed about where in its cell a loss lies, since both masses are kept.
 */
export function observeCells(atoms: LossAtoms, step: number): ObservedCells {
  const { losses, weights, tilt } = atoms;
  const indexOf = (loss: number): number => Math.round(loss / step);
  const [lowest, highest] = [indexOf(losses.at(-1)!), indexOf(losses[0]!)];
  const [own, other] = [new Cells(lowest, highest), new Cells(lowest, highest)];
  losses.forEach((loss, i) => {
    const index = indexOf(loss);
    const offset = index * step - loss;
    const weight = weights[i]! * Math.exp(tilt * offset);
    own.add(index, weight);
    other.add(index, weight * Math.exp(offset));
  });
  const positionError = 2 * (atoms.lossError + 4 * U * Math.max(Math.abs(losses[0]!), Math.abs(losses.at(-1)!)));
  const relativeError = (1 + tilt) * positionError;
  const shifted = (cells: Cells): LatticeMeasure => {
    const plain = measure(cells, atoms, step);
    return { ...plain, relativeError: plain.relativeError + relativeError };
  };
  return { own: shifted(own), other: shifted(other) };
}
