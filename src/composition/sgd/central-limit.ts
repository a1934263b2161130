import { exactly, midpoint } from '../../numeric/enclosure.ts';
import { gaussianLogDelta } from '../../privacy/gaussian-pair.ts';
import type { Budget } from '../compose/budget.ts';
import { SENSITIVITY, type Training } from './training.ts';
import { NEIGHBOURS_OF } from '../../privacy/sampling/neighbours-of.ts';

/** Halvings of a range of logarithms. */
const HALVINGS = 40;
const RANGE = { from: Math.log(1e-6), to: Math.log(1e3) };

/** About the mu of the one Gaussian mechanism that a budget allows. */
function muOf({ epsilon, delta }: Budget): number {
  const target = Math.log(delta.toNumber());
  let { from, to } = RANGE;
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (from + to) / 2;
    const reached = midpoint(gaussianLogDelta(exactly(Math.exp(middle)), exactly(epsilon.toNumber())));
    if (reached <= target) from = middle;
    else to = middle;
  }
  return Math.exp(from);
}

const sensitivityOf = ({ scheme }: Training): number => SENSITIVITY[NEIGHBOURS_OF[scheme]];

/**
 * Where to look first for the noise that a budget allows: T steps at rate q, noise s over the sensitivity, are about one
 * Gaussian mechanism of mu = q sqrt(T (e^(1/s^2) - 1)). Nothing certain.
 *
 * Source: Bu, Dong, Long, Su, "Deep Learning with Gaussian Differential Privacy" (2020), Theorem 5 (a central limit theorem).
 */
export function likelyNoise(training: Training, steps: number, budget: Budget): number {
  const share = (muOf(budget) * training.examples) / training.batch / Math.sqrt(steps);
  return sensitivityOf(training) / Math.sqrt(Math.log1p(share * share));
}

/** The same for the number of steps that a budget allows. */
export function likelySteps(training: Training, noise: number, budget: Budget): number {
  const share = (muOf(budget) * training.examples) / training.batch;
  return (share * share) / Math.expm1((sensitivityOf(training) / noise) ** 2);
}

/** Two budgets that are apart by so much, relatively, tell a slope. */
const APART = 1e-3;

/** About how fast ln epsilon (ln delta, where epsilon is 0) rises along ln of what varies (of noise: as it falls), `likely` its value that a budget allows. */
export function likelySlope(likely: (budget: Budget) => number, budget: Budget): number {
  const { epsilon, delta } = budget;
  const more = epsilon.isZero()
    ? { epsilon, delta: delta.times(1 + APART) }
    : { delta, epsilon: epsilon.times(1 + APART) };
  return Math.log1p(APART) / Math.abs(Math.log(likely(more)) - Math.log(likely(budget)));
}
