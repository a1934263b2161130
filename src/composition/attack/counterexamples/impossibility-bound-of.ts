import type { Entry } from '../../../privacy/mechanism.ts';
import type { Query } from '../../../privacy/query.ts';
import type { Uncovered } from '../../core/uncovered.ts';
import { deltaOf, revealedByOne } from './approximate-continual.ts';
import type { ImpossibilityBound } from '../../core/impossibility-bound.ts';
import { gatedBound } from './gated-answer.ts';
import { renyiOfOne } from './renyi-continual.ts';

/** With how many instances counterexamples are carried out where their number is not bounded. */
export const INSTANCES = 1_000_000;

/**
 * The (alpha, e)-RDP guarantee with the highest lower bound, each mechanism at its largest order: as p tends to 0, the mechanism
 * of that bound keeps any guarantee of a smaller order, but none of a larger one.
 */
function renyiBound(each: readonly Entry[]): ImpossibilityBound | null {
  const bounds = each.flatMap(({ mechanism }) => {
    const largest = mechanism.type === 'rdp' ? mechanism.orders.at(-1) : undefined;
    if (largest === undefined) return [];
    return [{ alpha: largest.alpha, epsilon: renyiOfOne(largest.alpha, largest.epsilon, INSTANCES) }];
  });
  const [first, ...rest] = bounds;
  if (first === undefined) return null;
  const highest = rest.reduce((most, bound) => (bound.epsilon > most.epsilon ? bound : most), first);
  return { solveFor: 'renyi', instances: INSTANCES, ...highest };
}

function gatedBoundOf(each: readonly Entry[], query: Query): ImpossibilityBound | null {
  const values = each.flatMap(({ mechanism }) => gatedBound(mechanism, INSTANCES, query) ?? []);
  const [first, ...rest] = values;
  if (first === undefined) return null;
  const highest = rest.reduce((most, value) => (value > most ? value : most), first);
  return query.solveFor === 'delta'
    ? { solveFor: 'delta', instances: INSTANCES, epsilon: query.epsilon, delta: highest }
    : { solveFor: 'epsilon', instances: INSTANCES, epsilon: highest, delta: query.delta };
}

/** The impossibility lower bound in a setting that no theorem covers; null where no counterexample gives a number. */
export function impossibilityBoundOf(uncovered: Uncovered, query: Query): ImpossibilityBound | null {
  switch (uncovered.code) {
    case 'unbounded-approximate': {
      const deltas = uncovered.each.flatMap(({ mechanism, count }) =>
        mechanism.type === 'dp' ? [{ delta: mechanism.delta, count }] : [],
      );
      const delta = revealedByOne(deltaOf(deltas), INSTANCES);
      return { solveFor: 'delta', instances: INSTANCES, epsilon: 'any', delta };
    }
    case 'unbounded-renyi':
      return renyiBound(uncovered.each) ?? gatedBoundOf(uncovered.each, query);
    case 'unbounded-f-dp':
      return gatedBoundOf(uncovered.each, query);
    case 'oblivious-guarantee':
    case 'answers-not-discrete':
    case 'too-many-mechanisms':
    case 'chosen-along-the-way':
      return null;
  }
}
