import { Decimal, ZERO } from '../numeric/decimal.ts';
import type { Entry, Mechanism, MechanismKind } from '../privacy/mechanism.ts';
import type { Caveat, LedgerGuarantee, Underlying } from './rules/rule.ts';
import { refused, caveatsOf, isExceeded, type Refused, type LedgerState, withReservations } from './state.ts';
import { open } from './open.ts';
import { launch, launchOf, check } from './decide.ts';
import type { OdometerTerms, Terms } from './rules/terms.ts';

/** A loss with its caveats. */
export interface Loss {
  /** In the rule's measure, rounded up; Infinity where the rule bounds nothing any more. */
  readonly spent: LedgerGuarantee;
  /** The guarantee of the whole ledger, however little was spent; null for an odometer, and beyond the budget. */
  readonly guarantee: LedgerGuarantee | null;
  /** The guarantee that either was converted from, which gives it at other deltas; null where there is nothing behind it. */
  readonly underlying: { readonly spent: Underlying | null; readonly guarantee: Underlying | null };
  readonly caveats: readonly Caveat[];
}

/**
 * The privacy loss so far, at the ledger's distance: it changes with launches only.
 *
 * An odometer's reading means something only against a threshold that was fixed before the run, like the level of a test
 * [Haney et al. 2023, Sec 1.3], which says: stopped before the reading passes the threshold, the run has the threshold's guarantee. A
 * filter's guarantee is its budget. A compositor's loss is its budget from the start. Where what ran without having been granted is
 * beyond the budget, nothing is guaranteed: a filter's loss is then a reading as an odometer's is, and a compositor's is Infinity.
 */
export function loss(state: LedgerState): Loss {
  if (isExceeded(state)) {
    const reading = toldOf(state, state.rule.reading(state.spent), state.spent);
    return { ...reading, guarantee: null, underlying: { spent: reading.underlying.spent, guarantee: null } };
  }
  return toldOf(state, withinGuarantee(state, state.rule.reading(state.spent)), state.spent);
}

/** The loss of totals, with what they read. */
function toldOf(state: LedgerState, spent: LedgerGuarantee, totals: readonly Decimal[]): Loss {
  const { rule } = state;
  const limits = rule.limits.filter((limit) => limit !== null);
  const underlying = {
    spent: rule.underlying(totals),
    guarantee: limits.length === rule.limits.length ? rule.underlying(limits) : null,
  };
  return { spent, guarantee: rule.guarantee, underlying, caveats: caveatsOf(state) };
}

/**
 * The {@link loss} as it would be after a launch, whether or not the budget allows it; or why the rule does not understand the
 * mechanism. In an odometer it answers what a launch would cost.
 */
export function lossAfter(state: LedgerState, entry: Entry): Loss | Refused {
  const newLaunch = launchOf(entry, state.terms);
  if ('code' in newLaunch) return refused(newLaunch);
  const added = state.rule.extend(state.spent, newLaunch);
  if ('refusal' in added) return { kind: 'refused', refusal: added.refusal };
  const { rule } = state;
  const spent = rule.reading(added.spent);
  return toldOf(state, rule.excess(added.spent) ? spent : withinGuarantee(state, spent), added.spent);
}

/** The epsilon of totals that are within the budget is within it too, which the rounding of the reading may hide. */
function withinGuarantee({ rule }: LedgerState, reading: LedgerGuarantee): LedgerGuarantee {
  const { guarantee } = rule;
  return reading.type === 'dp' && guarantee?.type === 'dp' && reading.epsilon.gt(guarantee.epsilon)
    ? guarantee
    : reading;
}

const withoutBudget = (terms: Exclude<Terms, { mode: 'compositor' }>, distance: Decimal): OdometerTerms => {
  const { rule, concurrency, neighbours } = terms;
  return { mode: 'odometer', rule, concurrency, neighbours, maxMechanisms: null, distance };
};

const noMap = (ledgerKind: 'nested-ledger' | 'compositor', distance: Decimal): Refused =>
  refused({ code: 'no-theorem', reason: 'no-map', found: ledgerKind, distance: distance.toString() });

/**
 * The privacy loss between data sets at another distance: the map of every mechanism is taken at that distance and the
 * results are composed by the ledger's rule [Haney et al. 2023, Sec 5]. Reads all that was launched, a nested ledger as
 * `nested-ledger`.
 *
 * Refused (`no-theorem`, `no-map`) where a mechanism has no map to that distance; where a ledger was nested, as several on
 * disjoint parts cost what one does only between data that differ in one part, and mechanisms of a child were accepted at
 * its own distance; and in a compositor, whose bound is certified for what was declared at its distance.
 */
export function lossAtDistance(
  terms: Terms,
  launches: Iterable<Entry | 'nested-ledger'>,
  distance: Decimal,
): Loss | Refused {
  if (terms.mode === 'compositor') return noMap('compositor', distance);
  const opened = open(withoutBudget(terms, distance));
  if (opened.kind === 'refused') return opened;
  let { state } = opened;
  for (const entry of launches) {
    if (entry === 'nested-ledger') return noMap(entry, distance);
    const newLaunch = launchOf(entry, { distance, neighbours: terms.neighbours });
    if ('code' in newLaunch) return refused(newLaunch);
    const decision = launch(state, newLaunch);
    if (decision.kind === 'refused') return decision;
    ({ state } = decision);
  }
  return loss(state);
}

/** A decimal; or any, where there is no end. */
export type Found = Decimal | 'any';

/** The significant digits of the numbers that are tried. */
const DIGITS = 20;
const LARGEST_EXPONENT = 300;

const power = (exponent: number): Decimal => new Decimal(`1e${exponent}`);

/** The last place of 0 to `length` at which `holds` is true; it is at 0 and not at `length`, and does not come back. */
function lastOf(length: bigint, holds: (i: bigint) => boolean): bigint {
  let [from, to] = [0n, length];
  while (to - from > 1n) {
    const middle = (from + to) / 2n;
    if (holds(middle)) from = middle;
    else to = middle;
  }
  return from;
}

/** The last number of 20 digits, from 1e-300 to below 1e300, at which `holds` is true; it is at the first. */
function lastNumber(holds: (x: Decimal) => boolean): Decimal {
  const decade = lastOf(2n * BigInt(LARGEST_EXPONENT), (i) => holds(power(Number(i) - LARGEST_EXPONENT)));
  const exponent = Number(decade) - LARGEST_EXPONENT;
  const first = 10n ** BigInt(DIGITS - 1);
  const at = (i: bigint): Decimal => new Decimal(`${(first + i).toString()}e${exponent - DIGITS + 1}`);
  return at(lastOf(9n * first, (i) => holds(at(i))));
}

/**
 * The largest number of 20 significant digits from 0 to 1e300 that fits: the next one does not. Null where not even 0
 * does. `fits` must be monotone: where a number fits, everything below it does.
 */
function largestFitting(fits: (x: Decimal) => boolean): Found | null {
  if (!fits(ZERO)) return null;
  if (fits(power(LARGEST_EXPONENT))) return 'any';
  return fits(power(-LARGEST_EXPONENT)) ? lastNumber(fits) : ZERO;
}

/**
 * The smallest number of 20 significant digits from 1e-300 to 1e300 that fits: the one before it does not. Null where
 * not even the largest does. `fits` must be monotone: where a number fits, everything above it does.
 */
function smallestFitting(fits: (x: Decimal) => boolean): Found | null {
  if (!fits(power(LARGEST_EXPONENT))) return null;
  if (fits(power(-LARGEST_EXPONENT))) return 'any';
  const below = lastNumber((x) => !fits(x));
  return below.plus(power(below.e - DIGITS + 1));
}

/** A mechanism of which one parameter is open. */
export type OpenMechanism =
  | { readonly type: 'dp'; readonly delta: Decimal }
  | { readonly type: 'bounded-range' }
  | { readonly type: 'rdp'; readonly alpha: Decimal }
  | { readonly type: 'zcdp'; readonly delta?: Decimal }
  | { readonly type: 'gdp' }
  | { readonly type: 'laplace' | 'discrete-laplace'; readonly sensitivity: Decimal }
  | { readonly type: 'gaussian' | 'discrete-gaussian'; readonly sensitivity: Decimal };

export type OpenParameter = 'epsilon' | 'rho' | 'mu' | 'scale' | 'sigma';

export type RemainingQuestion =
  /** The largest next epsilon, rho or mu; of noise, the smallest scale or sigma. */
  | { readonly form: 'next'; readonly mechanism: OpenMechanism; readonly kind: MechanismKind }
  /** How many more of this one; its count is not looked at. */
  | { readonly form: 'how-many'; readonly entry: Entry }
  /** The remaining capacity in the rule's own measure. */
  | { readonly form: 'left' };

export type Remaining =
  | { readonly form: 'next'; readonly parameter: OpenParameter; readonly value: Found }
  | { readonly form: 'how-many'; readonly count: Found }
  | { readonly form: 'left'; readonly left: LedgerGuarantee };

/** A launch whose guarantee is taken to be verified. */
const SUPPOSED = 'supposed';
const noBudget = refused({ code: 'invalid-query', reason: 'no-budget' });

/** The open parameter, and the mechanism at a value of it. */
function family(open: OpenMechanism): { parameter: OpenParameter; at: (x: Decimal) => Mechanism } {
  switch (open.type) {
    case 'dp':
    case 'bounded-range':
      return { parameter: 'epsilon', at: (epsilon) => ({ ...open, epsilon }) };
    case 'rdp':
      return { parameter: 'epsilon', at: (epsilon) => ({ type: 'rdp', orders: [{ alpha: open.alpha, epsilon }] }) };
    case 'zcdp':
      return { parameter: 'rho', at: (rho) => ({ ...open, rho }) };
    case 'gdp':
      return { parameter: 'mu', at: (mu) => ({ ...open, mu }) };
    case 'laplace':
    case 'discrete-laplace':
      return { parameter: 'scale', at: (scale) => ({ ...open, scale }) };
    case 'gaussian':
    case 'discrete-gaussian':
      return { parameter: 'sigma', at: (sigma) => ({ ...open, sigma }) };
  }
}

/** The parameter of what is left, where it is in the same measure. */
function leftParameter(remainder: LedgerGuarantee | null, open: OpenMechanism): Decimal | null {
  if (remainder?.type === 'dp' && (open.type === 'dp' || open.type === 'bounded-range')) return remainder.epsilon;
  if (remainder?.type === 'zcdp' && open.type === 'zcdp') return remainder.rho;
  if (remainder?.type === 'rdp' && open.type === 'rdp') {
    return remainder.orders.find(({ alpha }) => alpha.eq(open.alpha))?.epsilon ?? null;
  }
  return null;
}

function next(state: LedgerState, open: OpenMechanism, kind: MechanismKind): Remaining | Refused {
  const { parameter, at } = family(open);
  const decide = (x: Decimal) => check(state, { mechanism: at(x), kind, count: 1, label: null }, SUPPOSED);
  const fits = (x: Decimal): boolean => decide(x).kind === 'accepted';
  const { rule, spent } = state;

  // Where what is left is spent to nothing, no number that fits is larger, however many digits it has.
  const all = leftParameter(rule.left(spent), open);
  const after = all && decide(all);
  if (after?.kind === 'accepted' && leftParameter(rule.left(after.state.spent), open)?.isZero() === true) {
    return { form: 'next', parameter, value: all! };
  }
  const value = parameter === 'scale' || parameter === 'sigma' ? smallestFitting(fits) : largestFitting(fits);
  if (value !== null) return { form: 'next', parameter, value };
  const decision = decide(parameter === 'scale' || parameter === 'sigma' ? new Decimal('1e300') : ZERO);
  return decision.kind === 'refused' ? refused(decision.refusal) : noBudget;
}

function howMany(state: LedgerState, entry: Entry): Remaining | Refused {
  const { terms, rule, spent, launched } = state;
  const single = { ...entry, count: 1 };
  const decision = check(state, single, SUPPOSED);
  if (decision.kind === 'refused') {
    const { refusal } = decision;
    const isUsedUp = refusal.code === 'insufficient-budget' || refusal.code === 'count-limit';
    return isUsedUp ? { form: 'how-many', count: ZERO } : refused(refusal);
  }
  const newLaunch = launchOf(single, terms);
  if ('code' in newLaunch) return refused(newLaunch);
  const byBudget = rule.capacity(spent, newLaunch);
  const byNumber = terms.maxMechanisms === null ? null : new Decimal(terms.maxMechanisms - launched);
  const counts = [byBudget, byNumber].filter((count) => count !== null);
  return { form: 'how-many', count: counts.length === 0 ? 'any' : Decimal.min(...counts) };
}

/**
 * The remaining capacity, of which {@link check} holds: the largest next parameter to 20 digits (in full where the
 * rule adds that parameter up itself), such that the next larger number is refused; of noise the smallest scale; how many
 * more equal mechanisms, one more being refused; or the largest guarantee that one more may have in the rule's measure,
 * rounded down.
 *
 * Refused as {@link check} refuses where nothing at all fits, and in an odometer, which has no budget. A compositor has
 * slots, but nothing left in a measure. What is held is not left.
 */
export function remaining(ledger: LedgerState, question: RemainingQuestion): Remaining | Refused {
  const state = withReservations(ledger);
  if (state.terms.mode === 'odometer') return noBudget;
  switch (question.form) {
    case 'next':
      return next(state, question.mechanism, question.kind);
    case 'how-many':
      return howMany(state, question.entry);
    case 'left': {
      const remainder = state.rule.left(state.spent);
      return remainder ? { form: 'left', left: remainder } : noBudget;
    }
  }
}
