import type { LedgerState } from '../../ledger/core/state.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { list, object } from '../kit/codec.ts';
import { TEXT } from '../kit/codecs.ts';
import { listed } from '../kit/prose.ts';
import { amountText } from './amounts.ts';
import { DECIMAL_TEXT, rounded } from './facts-json.ts';
import { coordinateName } from './refusal-message.ts';

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
  exceededIn(state).map((each) => ({ ...each, exact: { total: each.total, limit: each.limit } }));

/** `The budget is exceeded: epsilon is 1.2, and 1 was allowed.`; null where it is not. */
export function exceededText(state: LedgerState): string | null {
  const parts = exceededIn(state).map(
    ({ coordinate, total, limit }) =>
      `${coordinateName(coordinate)} is ${amountText(total, 'up')}, and ${amountText(limit, 'down')} was allowed`,
  );
  return parts.length === 0 ? null : `The budget is exceeded: ${listed(parts)}.`;
}
