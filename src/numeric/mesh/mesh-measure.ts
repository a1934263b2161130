import { UNIT_ROUNDOFF as U } from '../rounding.ts';
import type { Mesh } from './mesh.ts';

/** The loss ln(p / q) of two measures, at points in ascending order: the mass there under the one and under the other. */
export interface MeshMeasure {
  readonly losses: Float64Array;
  readonly p: Float64Array;
  readonly q: Float64Array;
  /** Mass under the first where the loss is as good as infinite. */
  readonly beyond: number;
  /** Bounds the relative error of every mass. */
  readonly error: number;
}

/** Masses by the cell of the mesh they fall into: before the first point, from one to the next, from the last on. */
export interface Cells {
  readonly mesh: Mesh;
  readonly p: Float64Array;
  readonly q: Float64Array;
  readonly beyond: number;
  readonly error: number;
}

/** A few roundings for what is made of a cell's two sums. */
const ROUNDINGS = 64 * U;

/**
 * A pair of measures whose hockey-stick curve lies at or above: each cell's masses are moved to its two ends so that both
 * sums stay ("connect the dots"); what lies before the first point is raised to it, what lies from the last on is as if
 * its loss were infinite.
 */
export function above({ mesh, p, q, beyond, error }: Cells): MeshMeasure {
  const size = mesh.length;
  const raised = new Float64Array(size);
  raised[0] = p[0]!;
  let [infinite, excess] = [beyond + p[size]!, 0];
  for (let k = 1; k < size; k++) {
    const [own, other] = [p[k]!, q[k]!];
    if (own === 0) continue;
    if (other === 0) {
      infinite += own;
      continue;
    }
    const whole = -Math.expm1(mesh[k - 1]! - mesh[k]!);
    const up = Math.max(0, Math.min(own, (own - other * Math.exp(mesh[k - 1]!)) / whole));
    raised[k - 1]! += own - up;
    raised[k]! += up;
    // Rounding may have put into a cell what lies a little beyond it.
    const kept = (own - up) * Math.exp(-mesh[k - 1]!) + up * Math.exp(-mesh[k]!);
    excess = Math.max(excess, kept / other - 1);
  }
  const other = raised.map((mass, k) => mass * Math.exp(-mesh[k]!));
  return { losses: mesh, p: raised, q: other, beyond: infinite, error: error + excess + ROUNDINGS };
}

/** A pair whose curve lies at or below: each cell is seen as one outcome, and what lies beyond is left out. */
export function below({ p, q, error }: Cells): MeshMeasure {
  const kept = [...p.keys()].filter((k) => p[k]! > 0 && q[k]! > 0);
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
  return {
    mesh,
    p,
    q,
    // Each first measure has at most mass 1.
    beyond: (a.beyond + b.beyond) * (1 + a.error + b.error + 4 * U),
    error: a.error + b.error + (most + 4) * U,
  };
}

/** Sum of p - e^epsilon q over the losses above epsilon, with what lies beyond; and how far rounding moves it at most. */
export function hockeyStick(
  { losses, p, q, beyond, error }: MeshMeasure,
  epsilon: number,
): { sum: number; off: number } {
  const factor = Math.exp(epsilon);
  const least = epsilon - 4 * error - 8 * U * Math.abs(epsilon);
  let [sum, size] = [0, 0];
  for (let k = losses.length - 1; k >= 0 && losses[k]! > least; k--) {
    const [own, other] = [p[k]!, factor * q[k]!];
    sum += Math.max(0, own - other);
    size += own + other;
  }
  return { sum: Math.max(0, sum) + beyond, off: (size + beyond) * (error + (losses.length + 16) * U) };
}
