import { Decimal } from '../../numeric/decimal.ts';
import type { Hold, StoreTime } from './hold.ts';
import type { LedgerState } from './state.ts';

const ZERO = new Decimal(0);

/** The amounts of a hold, in the order of the totals of the rule. */
export const amountsOf = ({ rule }: Pick<LedgerState, 'rule'>, { spent }: Hold): readonly Decimal[] =>
  rule.names.map((name) => new Decimal(spent[name] ?? ZERO));

/** Amounts by their names; those of 0 are left out. */
export const namedAmounts = (
  { rule }: Pick<LedgerState, 'rule'>,
  amounts: readonly Decimal[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    rule.names.flatMap((name, i) => (amounts[i]!.isZero() ? [] : [[name, amounts[i]!.toString()] as const])),
  );

/** Whether a ledger has a clock: decisions of one without windows and holds never depend on the time. */
export const isTimed = ({ terms, held }: LedgerState): boolean => terms.window !== undefined || held.length > 0;

/** The ledger at a moment, or at the last one that it has seen if that was later; holds that have expired are gone. */
export function at(state: LedgerState, now: StoreTime): LedgerState {
  const clock = state.clock !== null && state.clock > now ? state.clock : now;
  return { ...state, clock, held: state.held.filter(({ until }) => until > clock) };
}

/** The ledger as if everything that is held in it were launched: what is asked for has to fit beside that. */
export function withHolds(state: LedgerState): LedgerState {
  if (state.held.length === 0) return state;
  const { rule, held, launched } = state;
  const spent = held.reduce((total, hold) => rule.combine(total, amountsOf(state, hold)), state.spent);
  return { ...state, spent, launched: held.reduce((sum, hold) => sum + hold.launched, launched), held: [] };
}
