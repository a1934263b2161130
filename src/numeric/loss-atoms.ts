import { exactly, type Enclosure } from './enclosure.ts';
import { add, multiply } from './enclosure-arithmetic.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from './rounding.ts';
import { stirlingRemainder } from './binomial.ts';

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

/** Loss 0 with certainty: composing with it changes nothing. */
export const noLoss = (tilt: number): LossAtoms => ({
  losses: new Float64Array([0]),
  weights: new Float64Array([1]),
  tilt,
  logScale: exactly(0),
  lossError: 0,
  relativeError: 0,
  leak: 0,
});

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

/** The sum of two independent losses with the same tilt, every combination kept; quick where one of them is short. */
export function composeAtoms(a: LossAtoms, b: LossAtoms): LossAtoms {
  const [atoms, further] = a.losses.length < b.losses.length ? [b, a] : [a, b];
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

/** How many combinations `count` losses of `size` atoms have, order apart: C(count + size - 1, count). */
export function combinationsOf(size: number, count: number): number {
  const [few, many] = size - 1 < count ? [size - 1, count] : [count, size - 1];
  let product = 1;
  for (let i = 1; i <= few && product < Infinity; i++) product *= (many + i) / i;
  return Math.round(product);
}

/** ln n!, within 4 roundings of n ln n + n + 1. */
const logFactorial = (n: number): number =>
  n === 0 ? 0 : n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2 + stirlingRemainder(n);

/** Losses that are added up, those in one cell of this width made one. */
class Cells {
  readonly #width: number;
  readonly #indices = new Map<number, number>();
  readonly #cells: { readonly loss: number; weight: number; size: number }[] = [];

  constructor(width: number) {
    this.#width = width;
  }

  add(loss: number, weight: number): void {
    const key = Math.round(loss / this.#width);
    const index = this.#indices.get(key);
    if (index === undefined) {
      this.#indices.set(key, this.#cells.length);
      this.#cells.push({ loss, weight, size: 1 });
    } else {
      const cell = this.#cells[index]!;
      cell.weight += weight;
      cell.size++;
    }
  }

  /** In descending order, and how many at most are one. */
  listed(): WeightedLosses & { readonly most: number } {
    const cells = this.#cells.sort((a, b) => b.loss - a.loss);
    return {
      losses: Float64Array.from(cells, ({ loss }) => loss),
      weights: Float64Array.from(cells, ({ weight }) => weight),
      most: cells.reduce((most, { size }) => Math.max(most, size), 0),
    };
  }
}

/** The sum of `count` independent losses of one law, of as many combinations as combinationsOf says; equal ones are one. */
export function powerOfAtoms(atoms: LossAtoms, count: number): LossAtoms {
  const indices = [...atoms.losses.keys()].filter((i) => atoms.weights[i]! > 0);
  const losses = indices.map((i) => atoms.losses[i]!);
  const logs = indices.map((i) => Math.log(atoms.weights[i]!));
  const logFactorials = Float64Array.from({ length: count + 1 }, (_, n) => logFactorial(n));
  const largest = losses.reduce((max, x) => Math.max(max, Math.abs(x)), 0);
  const turns = losses.length + 2;
  // What rounding sets apart at most.
  const apart = 2 * turns * U * count * largest || Number.MIN_VALUE;
  const cells = new Cells(apart);
  const last = losses.length - 1;
  // No deeper than there are losses in a combination; the last loss takes all that are left.
  const list = (from: number, left: number, loss: number, log: number): void => {
    for (let i = from; i < last && left > 0; i++) {
      for (let n = 1; n <= left; n++) {
        list(i + 1, left - n, loss + n * losses[i]!, log + n * logs[i]! - logFactorials[n]!);
      }
    }
    cells.add(loss + left * losses[last]!, Math.exp(log + left * logs[last]! - logFactorials[left]!));
  };
  list(0, count, 0, logFactorials[count]!);
  const { most, ...listed } = cells.listed();
  const deepest = logs.reduce((max, x) => Math.max(max, Math.abs(x)), 0);
  const factorials = 16 * (count + 1) * (Math.log(count + 1) + 2);
  return {
    ...listed,
    tilt: atoms.tilt,
    logScale: multiply(exactly(count), atoms.logScale),
    // Those of a cell are no further apart than it is wide, but for the rounding of its number.
    lossError: (count * atoms.lossError + 2.5 * apart) * (1 + 2 ** -40),
    relativeError:
      (count * (atoms.relativeError + ELEMENTARY_ERROR) +
        ELEMENTARY_ERROR +
        2 * turns * U * (factorials + count * deepest) +
        most * U) *
      (1 + 2 ** -20),
    // The weights of one sum to 1, but for what is rounded.
    leak: count * atoms.leak * (1 + count * atoms.relativeError),
  };
}
