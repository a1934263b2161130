import { Decimal } from '../../numeric/decimal.ts';
import type { LedgerState } from '../../ledger/core/state.ts';

/** How much of one total is used up. */
export interface Share {
  /** The name of the total. */
  readonly name: string;
  readonly spent: Decimal;
  readonly limit: Decimal;
  /** From 0 to 1, to four places, rounded up: 1 only where nothing is left or less than that. */
  readonly share: number;
}

const Short = Decimal.clone({ precision: 20 });

const share = (used: Decimal, room: Decimal): number =>
  Decimal.min(1, new Short(used).div(room).toDecimalPlaces(4, Decimal.ROUND_UP)).toNumber();

/**
 * The share of every limited total that is used up, in the unit in which mechanisms add to it: half of it used means
 * that as much again fits. Totals without capacity from the start are left out. Of a compositor it is the share of what
 * was declared that was launched.
 */
export function shareOf({ terms, rule, spent, launched }: LedgerState): readonly Share[] {
  if (terms.mode === 'compositor') {
    const declared = terms.declared.reduce((sum, { count }) => sum.plus(count), new Decimal(0));
    const total = new Decimal(launched);
    return [{ name: 'mechanisms', spent: total, limit: declared, share: share(total, declared) }];
  }
  return rule.names.flatMap((name, i): Share[] => {
    const [total, limit, initial] = [spent[i], rule.limits[i], rule.initial[i]];
    if (total === undefined || initial === undefined || limit === null || limit === undefined) return [];
    const room = limit.minus(initial);
    if (!room.gt(0)) return [];
    return [{ name, spent: total, limit, share: share(total.minus(initial), room) }];
  });
}
