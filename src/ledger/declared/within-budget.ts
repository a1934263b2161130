import { exactUpper } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Refusal } from '../core/refusal.ts';
import type { CompositorTerms } from '../core/terms.ts';
import { appliedToDeclared } from './applied.ts';

/**
 * Why a compositor's budget is not what its bound certifies for all that is declared; null where it is. The mechanisms
 * are chosen adaptively, in any order, and a bound covers here what it covers where they are composed.
 *
 * Interactive mechanisms that are asked in turns need no more than that, also where some are known by Renyi guarantees
 * and others have d > 0 [derived]. An (e, d)-DP one is, for two given neighbours, a post-processing of randomized response
 * RR(e, d), run once (Henzinger, Safavi, Vadhan 2025, Theorems 4.10 and 4.12): it reveals everything with probability d,
 * whatever the neighbour, and is (e, 0)-DP otherwise. Where nothing is revealed all are mechanisms of which the Renyi
 * divergences add up (there, Corollary 13.4), so that 1 - prod (1 - d_i) comes on top, as these bounds have it. Open is
 * only what is known as approximate zCDP or Renyi DP itself, which no declared mechanism is.
 */
export function excessOfDeclared(terms: CompositorTerms, declared: readonly Entry[]): Refusal | null {
  const applied = appliedToDeclared({ bound: terms.bound, entries: declared });
  if ('reason' in applied) {
    return { code: 'no-theorem', reason: 'bound-does-not-apply', inapplicability: applied.reason };
  }
  const { epsilon, delta } = terms.budget;
  const certified = exactUpper(applied.curve.delta(epsilon));
  if (certified.lte(delta)) return null;
  return {
    code: 'insufficient-budget',
    coordinate: 'delta',
    total: certified.toString(),
    limit: delta.toString(),
  };
}
