import { enclosure, type Enclosure } from '../enclosure.ts';
import { UNIT_ROUNDOFF as U } from '../rounding.ts';
import type { Mesh } from './mesh.ts';

/**
 * The loss of two measures, at points in ascending order: the mass there under the one and under the other. How it stands
 * to what it was made of is said by {@link above} and {@link below}.
 */
export interface MeshMeasure {
  readonly losses: Float64Array;
  readonly p: Float64Array;
  readonly q: Float64Array;
  /** Mass under the first where the loss is as good as infinite. */
  readonly beyond: number;
  /** Bounds the relative error of every mass. */
  readonly error: number;
}

/**
 * Masses by the cell of the mesh they fall into: before the first point, from one to the next, from the last on. A mass whose
 * loss is off by x and which therefore falls into a cell beside its own counts as one of which q is off by a share x.
 */
export interface Cells {
  readonly mesh: Mesh;
  readonly p: Float64Array;
  readonly q: Float64Array;
  readonly beyond: number;
  /** Bounds the relative error of every mass. */
  readonly error: number;
}

/** A few roundings for what is made of a cell's two sums. */
const ROUNDINGS = 64 * U;

/** Smaller masses may have been rounded where doubles are spaced evenly, and have no relative error. */
const LEAST_MASS = 1e-290;
/** More than all masses together that were rounded to 0, or there. */
const UNDERFLOW = 1e-300;
/** Beyond this loss what is left of q in a point at the end of a cell may be such a mass. */
const LARGEST_LOSS = 600;
/** Of larger errors no more is said than that delta is between 0 and 1. */
const LARGEST_ERROR = 1e-3;

/**
 * A pair of measures whose hockey-stick curve lies at or above: each cell's masses are moved to its two ends so that both
 * sums stay ("connect the dots"); what lies before the first point is raised to it, what lies from the last on is as if
 * its loss were infinite.
 *
 * With e the error, the curve is at or above that of ((1 - e) P, (1 + e) Q), P and Q the true masses: p (1 - e) is at most the
 * cell's own sum, q (1 + e) at least its other one, and losses are in the cell but for 2e. So what moves up by these masses is
 * at most what moves up by the sums and a little more than 2e of the cell; twice as much is added.
 */
export function above({ mesh, p, q, beyond, error }: Cells): MeshMeasure {
  const size = mesh.length;
  const raised = new Float64Array(size);
  const off = error + ROUNDINGS;
  raised[0] = p[0]!;
  let infinite = beyond + p[size]! + UNDERFLOW;
  for (let k = 1; k < size; k++) {
    const [own, other] = [p[k]!, q[k]!];
    if (own === 0) continue;
    if (other < LEAST_MASS) {
      infinite += own;
      continue;
    }
    const [low, high] = [mesh[k - 1]!, mesh[k]!];
    const up = (own - other * Math.exp(low) + 4 * off * own) / -Math.expm1(low - high);
    const moved = Math.max(0, Math.min(own, up));
    raised[k - 1]! += own - moved;
    raised[k]! += moved;
  }
  const other = raised.map((mass, k) => mass * Math.exp(-mesh[k]!));
  return { losses: mesh, p: raised, q: other, beyond: infinite, error: off + ROUNDINGS };
}

/**
 * A pair whose curve lies at or below: each cell is seen as one outcome, and what lies beyond is left out. Where q may have
 * been rounded to nothing it is taken to be more.
 */
export function below({ p, q: other, error }: Cells): MeshMeasure {
  const q = other.map((mass) => Math.max(mass, 2 * LEAST_MASS));
  const kept = [...p.keys()].filter((k) => p[k]! > LEAST_MASS);
  const list = kept.map((k) => ({ loss: Math.log(p[k]!) - Math.log(q[k]!), k })).sort((a, b) => a.loss - b.loss);
  return {
    losses: Float64Array.from(list, ({ loss }) => loss),
    p: Float64Array.from(list, ({ k }) => p[k]!),
    q: Float64Array.from(list, ({ k }) => q[k]!),
    beyond: 0,
    error: error + ROUNDINGS,
  };
}

/** The sum of two independent losses, in cells. */
export function convolve(a: MeshMeasure, b: MeshMeasure, mesh: Mesh): Cells {
  const size = mesh.length;
  const [p, q] = [new Float64Array(size + 1), new Float64Array(size + 1)];
  const counts = new Uint32Array(size + 1);
  for (let i = 0; i < a.losses.length; i++) {
    const [loss, own, other] = [a.losses[i]!, a.p[i]!, a.q[i]!];
    if (own === 0 && other === 0) continue;
    let cell = 0;
    for (let j = 0; j < b.losses.length; j++) {
      const sum = loss + b.losses[j]!;
      while (cell < size && mesh[cell]! <= sum) cell++;
      p[cell]! += own * b.p[j]!;
      q[cell]! += other * b.q[j]!;
      counts[cell]!++;
    }
  }
  const most = counts.reduce((highest, count) => Math.max(highest, count), 0);
  const farthest = farthestOf(a.losses) + farthestOf(b.losses);
  return {
    mesh,
    p,
    q,
    // Each first measure has at most mass 1.
    beyond: (a.beyond + b.beyond) * (1 + a.error + b.error + 4 * U),
    error: a.error + b.error + (most + 4 + 2 * farthest) * U,
  };
}

const farthestOf = (losses: Float64Array): number => Math.max(0, -(losses[0] ?? 0), losses.at(-1) ?? 0);

/**
 * The hockey-stick divergence, the sum of p - e^epsilon q over the losses above epsilon with what lies beyond: its upper end
 * bounds that of what a measure is above, its lower end that of what one is below. Where epsilon is so large that q may have
 * been rounded to nothing, the upper end is that of a smaller one.
 */
export function hockeyStick({ losses, p, q, beyond, error }: MeshMeasure, epsilon: number): Enclosure {
  if (error > LARGEST_ERROR) return enclosure(0, 1);
  const at = Math.min(epsilon, LARGEST_LOSS);
  const factor = Math.exp(at);
  const least = at - 4 * error - 8 * U * Math.abs(at);
  let [sum, size] = [beyond, beyond];
  for (let k = losses.length - 1; k >= 0 && losses[k]! > least; k--) {
    const [own, other] = [p[k]!, factor * q[k]!];
    sum += Math.max(0, own - other);
    size += own + other;
  }
  // The curve of ((1 - e) P, (1 + e) Q) is lower by e (p + e^epsilon q), to first order.
  const off = size * (error * (1 + 8 * error) + (losses.length + 16) * U) + (1 + factor) * UNDERFLOW;
  return enclosure(epsilon > LARGEST_LOSS ? 0 : Math.max(0, sum - off), Math.min(1, sum + off));
}
