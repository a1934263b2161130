import { Decimal, ZERO } from '../numeric/decimal.ts';
import type { HaltReason, Refusal } from './rules/refusal.ts';
import type { Caveat, CompiledRule } from './rules/rule.ts';
import type { Terms, StoreTime } from './rules/terms.ts';

/** A part of the budget that is reserved for mechanisms that may be launched later; by itself it authorises nothing. */
export interface Reservation {
  readonly id: string;
  /** It is open before this moment. */
  readonly until: StoreTime;
  /** How many mechanisms it is for. */
  readonly launched: number;
  /** The amount that they add to each total of the rule to which they add something, as exact decimals. */
  readonly spent: Readonly<Record<string, string>>;
  /** The mechanisms in normal form, as plain JSON. */
  readonly mechanisms: readonly unknown[];
  /** The evidence by which their guarantees were verified. */
  readonly evidence?: string;
}

/**
 * The past as far as a decision depends on it, as plain JSON: the last record's totals and the new mechanism decide.
 */
export interface Totals {
  /** How many mechanisms were launched. */
  readonly launched: number;
  /**
   * The running total of each coordinate of the rule, by its name, as an exact decimal: `epsilon`, `delta`,
   * `epsilonSquared`, `rho`, `muSquared`, or `epsilon@ALPHA` for each order of a Renyi curve. In a compositor, how many
   * of each declared slot are taken: `slot0`, `slot1`, ... (those of which none is taken are left out).
   */
  readonly spent: Readonly<Record<string, string>>;
  /** Why the ledger has halted; null while it is open. */
  readonly halted: HaltReason | null;
  /** How many mechanisms were counted that ran without having been granted; left out where none was. */
  readonly incurred?: number;
  /** The latest moment that a decision depended on; left out where none did. */
  readonly clock?: StoreTime;
  /** What is held, in the order in which it was reserved; left out where nothing is. */
  readonly held?: readonly Reservation[];
}

/**
 * Where a ledger comes from, as far as that decides what may be made of it and claimed for it: it was opened by itself;
 * its budget was paid for in another one; or it goes on from what was launched in another one, before its own terms
 * were chosen.
 */
export type Provenance = 'opened' | 'nested' | 'converted';

/** A ledger at one moment: a value, never changed in place. Made by `open`, `resume` and decisions. */
export interface LedgerState {
  readonly terms: Terms;
  /** The terms' rule and budget, ready for decisions. */
  readonly rule: CompiledRule;
  readonly launched: number;
  /** The running total of each coordinate of the rule. */
  readonly spent: readonly Decimal[];
  readonly halted: HaltReason | null;
  readonly provenance: Provenance;
  /** How many mechanisms were counted that ran without having been granted. */
  readonly incurred: number;
  /** The latest moment that a decision depended on; null where none did. */
  readonly clock: StoreTime | null;
  /** What is held beside what was spent, and may have expired since. */
  readonly held: readonly Reservation[];
}

/** What of a ledger stays with the one that it becomes; what is held in it is given back. */
export const carriedOver = ({
  launched,
  spent,
  incurred,
  clock,
}: LedgerState): Pick<LedgerState, 'launched' | 'spent' | 'incurred' | 'clock' | 'held' | 'provenance'> => ({
  launched,
  spent,
  incurred,
  clock,
  held: [],
  provenance: goesOn(launched),
});

/** The provenance of a ledger that goes on from another with so many launches. */
export const goesOn = (launched: number): Provenance => (launched > 0 ? 'converted' : 'opened');

/** The totals that a record keeps of a ledger: enough to go on from. */
export function totalsOf({ terms, rule, launched, spent, halted, incurred, clock, held }: LedgerState): Totals {
  const amounts = rule.names.map((name, i): [string, string] => [name, spent[i]!.toString()]);
  const storedAmounts = terms.mode === 'compositor' ? amounts.filter(([, text]) => text !== '0') : amounts;
  return {
    launched,
    spent: Object.fromEntries(storedAmounts),
    halted,
    ...(incurred > 0 && { incurred }),
    ...(clock !== null && { clock }),
    ...(held.length > 0 && { held }),
  };
}

/** May this mechanism be run? A decision changes nothing; whoever acts on it must keep `totals`. */
export type Decision =
  | {
      readonly kind: 'accepted';
      readonly state: LedgerState;
      readonly totals: Totals;
      readonly caveats: readonly Caveat[];
    }
  | {
      readonly kind: 'refused';
      readonly refusal: Refusal;
      /** The ledger afterwards: the same, or halted. */
      readonly state: LedgerState;
      /** Whether this refusal halts the ledger, which must then be kept as well. */
      readonly halts: boolean;
    };

/** A refusal without a ledger to go on with. */
export interface Refused {
  readonly kind: 'refused';
  readonly refusal: Refusal;
}

/** A refusal of what was asked. */
export const refused = (refusal: Refusal): Refused => ({ kind: 'refused', refusal });

/** The amounts of a hold, in the order of the totals of the rule. */
export const amountsOf = ({ rule }: Pick<LedgerState, 'rule'>, { spent }: Reservation): readonly Decimal[] =>
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
export function withReservations(state: LedgerState): LedgerState {
  if (state.held.length === 0) return state;
  const { rule, held, launched } = state;
  const spent = held.reduce((total, hold) => rule.combine(total, amountsOf(state, hold)), state.spent);
  return { ...state, spent, launched: held.reduce((sum, hold) => sum + hold.launched, launched), held: [] };
}

/** The caveats of a budget that was set when something had been launched already; none for other budgets. */
export const budgetCaveats = ({ terms, provenance }: LedgerState): readonly Caveat[] =>
  terms.mode !== 'odometer' && provenance === 'converted' ? ['threshold-fixed-before'] : [];

/** Whether a ledger is beyond its budget, which only what ran without having been granted brings about. */
export const isExceeded = ({ rule, spent }: LedgerState): boolean => rule.excess(spent) !== null;

/** The caveats of what was counted without having been granted; an odometer only counts. */
function incurredCaveats(state: LedgerState): readonly Caveat[] {
  if (state.incurred === 0 || state.terms.mode === 'odometer') return [];
  if (!isExceeded(state)) return ['not-granted-beforehand'];
  return ['budget-exceeded', ...(state.provenance === 'nested' ? (['more-than-was-paid'] as const) : [])];
}

/** The caveats that stand with a ledger of these terms whenever it is opened or read. */
export const caveatsOf = (state: LedgerState): readonly Caveat[] => [
  ...incurredCaveats(state),
  ...(isExceeded(state)
    ? []
    : [state.terms.mode === 'odometer' ? ('threshold-fixed-before' as const) : ('budget-is-the-guarantee' as const)]),
  ...budgetCaveats(state),
  ...state.rule.caveats,
];
