import { uncheckedIn } from '../../ledger/rules/terms.ts';
import type { Present } from '../../ledger/present.ts';
import type { LedgerState } from '../../ledger/state.ts';
import { remaining, type OpenMechanism } from '../../ledger/loss.ts';
import { type Decimal, ZERO } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { decimalText } from '../kit/number.ts';
import { grouped, listed } from '../kit/prose.ts';
import { entryText, guaranteeText } from './amounts.ts';
import { list, object } from '../kit/codec.ts';
import { TEXT } from '../kit/codecs.ts';
import { DECIMAL_TEXT, rounded } from './facts-json.ts';
import { coordinateName, successorText, UNCHECKED } from './refusals.ts';

/** Why a ledger grants nothing at a moment by its clock, whatever is left of its budget; null where it does. */
export function standstillText(present: Present, isCopy: boolean): string | null {
  const { successor, movedTo, state } = present;
  if (isCopy) return 'This is a copy, which denies all requests.';
  if (movedTo !== undefined)
    return `This ledger denies all requests: it was moved to ${movedTo.name} in ${movedTo.store}.`;
  if (successor !== null) return `This ledger denies all requests: it continues as ${successorText(successor)}.`;
  const unchecked = uncheckedIn(state.terms);
  return unchecked === null ? null : `This ledger denies all requests: ${UNCHECKED[unchecked]}.`;
}

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
  const left = mechanism === null ? state.rule.left(state.spent) : null;
  if (left?.type === 'rdp' && left.orders.every(({ epsilon }) => epsilon.gt(0))) {
    return `one mechanism of at most ${guaranteeText(left, 'down')}`;
  }
  const capacity = mechanism && remaining(state, { form: 'next', mechanism, kind: 'noninteractive' });
  if (!capacity || !('value' in capacity) || capacity.value === 'any' || capacity.value.isZero()) return null;
  const [name, where] =
    mechanism.type === 'rdp' ? ['Renyi epsilon', ` at order ${String(mechanism.alpha)}`] : [capacity.parameter, ''];
  return `one mechanism of ${name} up to ${decimalText(capacity.value, 'down')}${where}`;
}

/** `12 more like the last (dp:epsilon=0.05)`; null where none fits. */
function moreLike(state: LedgerState, last: Entry | null): string | null {
  const capacity = last && remaining(state, { form: 'how-many', entry: last });
  if (last === null || !capacity || !('count' in capacity)) return null;
  const like = `like the last (${entryText({ ...last, count: 1, label: null })})`;
  if (capacity.count === 'any') return `any number of mechanisms ${like}`;
  if (capacity.count.isZero()) return `no more ${like}`;
  return `${grouped(BigInt(capacity.count.toFixed()))} more ${like}`;
}

/** The remaining capacity in words, null where nothing is known of it; `last`: what was launched last. */
export function leftText(state: LedgerState, last: Entry | null): string | null {
  const parts = [largestNext(state), moreLike(state, last)].filter((part) => part !== null);
  if (state.halted !== null) return 'Nothing remains: the ledger has halted.';
  if (exceededIn(state).length > 0) return 'Nothing remains: the budget is exceeded.';
  return parts.length === 0 ? null : `Remaining: ${parts.join(', or ')}.`;
}

/** A total that is beyond its limit. */
export interface Exceeded {
  readonly coordinate: string;
  readonly total: Decimal;
  readonly limit: Decimal;
}

/** The totals that are beyond their limits, as only what ran without having been granted brings about. */
export const exceededIn = ({ rule, spent }: LedgerState): readonly Exceeded[] =>
  rule.names.flatMap((coordinate, i) => {
    const [total, limit] = [spent[i]!, rule.limits[i] ?? null];
    return limit !== null && total.gt(limit) ? [{ coordinate, total, limit }] : [];
  });

/** The same in a document. */
export const EXCEEDED = list(
  object({
    coordinate: TEXT,
    total: rounded('up'),
    limit: rounded('down'),
    exact: object({ total: DECIMAL_TEXT, limit: DECIMAL_TEXT }),
  }),
);

export const exceededRows = (state: LedgerState) =>
  exceededIn(state).map((excess) => ({ ...excess, exact: { total: excess.total, limit: excess.limit } }));

/** `The budget is exceeded: epsilon is 1.2, and 1 was allowed.`; null where it is not. */
export function exceededText(state: LedgerState): string | null {
  const parts = exceededIn(state).map(
    ({ coordinate, total, limit }) =>
      `${coordinateName(coordinate)} is ${decimalText(total, 'up')}; the limit was ${decimalText(limit, 'down')}`,
  );
  return parts.length === 0 ? null : `The budget is exceeded: ${listed(parts)}.`;
}
