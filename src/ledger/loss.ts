import type { Decimal } from '../numeric/decimal.ts';
import type { Entry } from '../privacy/mechanism.ts';
import type { Caveat } from './core/caveat.ts';
import { caveatsOf, isExceeded } from './core/caveats.ts';
import type { Refused, LedgerState } from './core/state.ts';
import type { LedgerGuarantee, Underlying } from './core/guarantee.ts';
import { open } from './open.ts';
import { launch, launchOf } from './spend.ts';
import type { OdometerTerms, Terms } from './core/terms.ts';

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
    const read = toldOf(state, state.rule.reading(state.spent), state.spent);
    return { ...read, guarantee: null, underlying: { spent: read.underlying.spent, guarantee: null } };
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
  const wanted = launchOf(entry, state.terms);
  if ('code' in wanted) return { kind: 'refused', refusal: wanted };
  const added = state.rule.extend(state.spent, wanted);
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

const noMap = (found: 'nested-ledger' | 'compositor', distance: Decimal): Refused => ({
  kind: 'refused',
  refusal: { code: 'no-theorem', reason: 'no-map', found, distance: distance.toString() },
});

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
    const wanted = launchOf(entry, { distance, neighbours: terms.neighbours });
    if ('code' in wanted) return { kind: 'refused', refusal: wanted };
    const decision = launch(state, wanted);
    if (decision.kind === 'refused') return decision;
    ({ state } = decision);
  }
  return loss(state);
}
