import type { LedgerState } from '../../ledger/core/state.ts';
import { remaining, type OpenMechanism } from '../../ledger/remaining.ts';
import { Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { grouped } from '../kit/prose.ts';
import { amountText } from './amounts.ts';
import { entryText } from './entry-text.ts';

const ZERO = new Decimal(0);

/** The mechanism whose parameter a rule adds up; null where there is no such one. */
export function ownMechanism({ terms }: LedgerState): OpenMechanism | null {
  if (terms.mode === 'compositor') return null;
  switch (terms.rule.id) {
    case 'pure':
    case 'basic':
    case 'approximate-dp':
    case 'zcdp-optimal':
      return { type: 'dp', delta: ZERO };
    case 'zcdp':
    case 'approximate-zcdp':
      return { type: 'zcdp' };
    case 'rdp':
    case 'approximate-rdp':
      return { type: 'rdp', alpha: terms.rule.alpha };
    case 'gdp':
      return { type: 'gdp' };
    case 'rdp-curve':
      return null;
  }
}

/** `one more mechanism of epsilon up to 0.1579`; null where nothing of the kind is left. */
function largestNext(state: LedgerState): string | null {
  const mechanism = ownMechanism(state);
  const found = mechanism && remaining(state, { form: 'next', mechanism, kind: 'noninteractive' });
  if (!found || !('value' in found) || found.value === 'any' || found.value.isZero()) return null;
  return `one mechanism of ${found.parameter} up to ${amountText(found.value, 'down')}`;
}

/** `12 more like the last (dp:epsilon=0.05)`; null where none fits. */
function moreLike(state: LedgerState, last: Entry | null): string | null {
  const found = last && remaining(state, { form: 'how-many', entry: last });
  if (last === null || !found || !('count' in found)) return null;
  const like = `like the last (${entryText({ ...last, count: 1, label: null })})`;
  if (found.count === 'any') return `any number of mechanisms ${like}`;
  if (found.count.isZero()) return `no more ${like}`;
  return `${grouped(BigInt(found.count.toFixed()))} more ${like}`;
}

/** The remaining capacity in words; `last`: what was launched last. */
export function leftText(state: LedgerState, last: Entry | null): string {
  const parts = [largestNext(state), moreLike(state, last)].filter((part) => part !== null);
  if (state.halted !== null) return 'Nothing is left: the ledger has halted.';
  return parts.length === 0 ? '' : `Left: ${parts.join(', or ')}.`;
}
