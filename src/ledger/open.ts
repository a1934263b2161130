import { adaptiveCounterexample } from './core/adaptive-counterexample.ts';
import { caveatsOf } from './core/caveats.ts';
import type { Caveat } from './core/caveat.ts';
import type { Refusal } from './core/refusal.ts';
import type { Refused } from './core/decision.ts';
import { compileSlots, declaredAtDistance } from './declared/compositor.ts';
import { excessOfDeclared } from './declared/within-budget.ts';
import { compileRule, FILTER_RULES } from './rules/compile.ts';
import type { CompiledRule } from './core/rule.ts';
import type { LedgerState } from './core/state.ts';
import type { FixedParameterTerms, RuleId, Terms } from './core/terms.ts';
import { invalidTerms } from './validate-terms.ts';

export interface Opened {
  readonly kind: 'opened';
  readonly state: LedgerState;
  readonly caveats: readonly Caveat[];
}

const refused = (refusal: Refusal): Refused => ({ kind: 'refused', refusal });

const isOpenConcurrently = (id: RuleId): id is 'approximate-zcdp' | 'approximate-rdp' =>
  FILTER_RULES[id].concurrent === 'open';

const atStart = (terms: Terms, rule: CompiledRule): LedgerState => ({
  terms,
  rule,
  launched: 0,
  spent: rule.initial,
  halted: null,
  provenance: 'opened',
  incurred: 0,
  clock: null,
  held: [],
});

const opened = (state: LedgerState): Opened => ({ kind: 'opened', state, caveats: caveatsOf(state) });

/** Why terms cannot be those of a ledger, as far as that is seen without composing what a compositor declares. */
export function refusalOfTerms(terms: Terms): Refusal | null {
  const invalid = invalidTerms(terms);
  if (invalid) return { code: 'invalid-terms', ...invalid };
  if (terms.mode === 'compositor' || terms.concurrency === 'sequential') return null;
  const { id } = terms.rule;
  return isOpenConcurrently(id) ? { code: 'no-theorem', reason: 'open-question', measure: id } : null;
}

/**
 * A new ledger: a filter, which lets mechanisms run while its rule finds them within the budget; an odometer, which only
 * counts; or a compositor, in which whatever was declared at the start may run.
 *
 * Refused are terms that contradict themselves (`invalid-terms`); a bound for fixed parameters (optimal composition, its
 * closed forms, loss distributions) as the rule of a filter or an odometer, with a run in which it would let the budget be
 * exceeded, and concurrent approximate zCDP or Renyi DP, an open question (`no-theorem`); and a compositor whose bound does
 * not certify the budget for all that is declared (`insufficient-budget`).
 *
 * Nothing of the terms may change afterwards: that they do not depend on answers is what every theorem here asks for.
 */
export function open(terms: Terms | FixedParameterTerms): Opened | Refused {
  if (terms.mode !== 'compositor' && 'bound' in terms) {
    return refused({
      code: 'no-theorem',
      reason: 'adaptive-parameters',
      bound: terms.bound,
      counterexample: adaptiveCounterexample(),
    });
  }
  const refusal = refusalOfTerms(terms);
  if (refusal) return refused(refusal);
  if (terms.mode === 'compositor') {
    const declared = declaredAtDistance(terms);
    if ('code' in declared) return refused(declared);
    const excess = excessOfDeclared(terms, declared);
    return excess ? refused(excess) : opened(atStart(terms, compileSlots(terms, declared)));
  }
  return opened(atStart(terms, compileRule(terms)));
}
