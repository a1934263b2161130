import { Decimal } from '../numeric/decimal.ts';
import { LruCache } from '../numeric/lru-cache.ts';
import { compileSlots, declaredAtDistance } from './declared/compositor.ts';
import { compileRule } from './rules/compile.ts';
import type { CompiledRule } from './core/rule.ts';
import type { LedgerState, Provenance, Totals } from './core/state.ts';
import type { Terms } from './core/terms.ts';

/** The total that a text writes; null where it is none. */
function total(text: string): Decimal | null {
  if (!/^\d+(\.\d+)?(e[+-]?\d+)?$/.test(text)) return null;
  return new Decimal(text);
}

/** The totals by their names, those that are left out at their start; null where some name is not of the rule. */
function spentOf({ names, initial }: CompiledRule, { spent }: Totals): readonly Decimal[] | null {
  const given = new Map(Object.entries(spent));
  const all = names.map((name, i) => {
    const text = given.get(name);
    given.delete(name);
    return text === undefined ? initial[i]! : total(text);
  });
  const known = all.filter((each) => each !== null);
  return given.size === 0 && known.length === names.length ? known : null;
}

/** The ledgers of the same terms, of which only the first is made ready for decisions; see {@link resume}. */
export function resumingMany(most = 1000): typeof resume {
  const known = new LruCache<LedgerState | null>(most);
  const none: Totals = { launched: 0, spent: {}, halted: null };
  return (terms, totals, provenance) => {
    const ready = known.get(JSON.stringify(terms), () => resume(terms, none));
    return ready === null ? null : resumed(ready.rule, terms, totals, provenance ?? 'opened');
  };
}

/**
 * A ledger that was opened with these terms, as it was when it had these totals; null where they are not totals of such a
 * ledger. `provenance` must be that of the state the totals were of: it keeps a nested ledger within what was paid for it.
 * That the terms were opened and the totals came from decisions is taken on trust: nothing is certified again.
 */
export function resume(terms: Terms, totals: Totals, provenance: Provenance = 'opened'): LedgerState | null {
  const declared = terms.mode === 'compositor' ? declaredAtDistance(terms) : [];
  if ('code' in declared) return null;
  const rule = terms.mode === 'compositor' ? compileSlots(terms, declared) : compileRule(terms);
  return resumed(rule, terms, totals, provenance);
}

function resumed(rule: CompiledRule, terms: Terms, totals: Totals, provenance: Provenance): LedgerState | null {
  const spent = spentOf(rule, totals);
  const { launched, halted, incurred = 0, clock = null, held = [] } = totals;
  if (!spent || !Number.isSafeInteger(launched) || launched < 0) return null;
  const names = new Set(rule.names);
  const isHeld = held.every((hold) =>
    Object.entries(hold.spent).every(([name, amount]) => names.has(name) && total(amount) !== null),
  );
  if (!isHeld) return null;
  return { terms, rule, launched, spent, halted, provenance, incurred, clock, held };
}
