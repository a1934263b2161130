import { exactUpper } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Refusal } from '../core/refusal.ts';
import type { CompositorTerms } from '../core/terms.ts';
import { appliedToDeclared } from './applied.ts';

/** Interactive mechanisms asked in turns of which some are known by Renyi guarantees and others have d > 0. */
function isOpenQuestion({ concurrency, declared }: CompositorTerms): boolean {
  const interleaved = concurrency === 'concurrent';
  const renyi = declared.some(
    ({ mechanism, kind }) => (mechanism.type === 'zcdp' || mechanism.type === 'rdp') && kind !== 'noninteractive',
  );
  return interleaved && renyi && declared.some(({ mechanism }) => mechanism.type === 'dp' && mechanism.delta.gt(0));
}

/**
 * Why a compositor's budget is not what its bound certifies for all that is declared; null where it is. The mechanisms
 * are chosen adaptively, in any order.
 */
export function excessOfDeclared(terms: CompositorTerms, declared: readonly Entry[]): Refusal | null {
  if (isOpenQuestion(terms)) return { code: 'no-theorem', reason: 'open-question', measure: 'approximate-zcdp' };
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
