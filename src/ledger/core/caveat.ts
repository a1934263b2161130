/** A reservation that stands with an answer. */
export type Caveat =
  /** An odometer's reading means something only against a threshold that was fixed before the run. */
  | 'threshold-fixed-before'
  /** The guarantee of a filter is its budget, however little was spent. */
  | 'budget-is-the-guarantee'
  /** Assumed of interactive and continual mechanisms: guarantees against adaptive adversaries; and besides what is named. */
  | 'adaptive-adversaries'
  | 'discrete-answers'
  | 'finite-communication'
  /** The loss so far is several numbers, and was not converted; the guarantee was. */
  | 'spent-not-converted'
  /** No epsilon follows at the delta that was asked for. */
  | 'no-finite-epsilon'
  /** A ledger that became an odometer no longer enforces its budget. */
  | 'budget-no-longer-enforced'
  /** Several nested ledgers cost as much as the largest only where neighbours differ in the part of one of them. */
  | 'disjoint-parts'
  /** The budget of a part of the data covers neighbours that differ in one record, of that part alone. */
  | 'one-record-one-part'
  /** The budget of a person covers that person's own results, as long as nobody else's reach them. */
  | 'own-results-only'
  /** What all results together tell is bounded by nothing. */
  | 'no-budget-over-all'
  /** Something was counted that ran without having been granted, so that nothing had kept it within the budget. */
  | 'not-granted-beforehand'
  /** What ran without having been granted is beyond the budget, which is no guarantee any more. */
  | 'budget-exceeded'
  /** A nested ledger is beyond the budget that another one paid for. */
  | 'more-than-was-paid';
