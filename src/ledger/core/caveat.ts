/** A reservation that stands with an answer. */
export type Caveat =
  /** An odometer's reading means something only against a threshold that was fixed before the run. */
  | 'threshold-fixed-before'
  /** The guarantee of a filter is its budget, however little was spent. */
  | 'budget-is-the-guarantee'
  /** The theorem behind concurrent composition asks for finite communication. */
  | 'finite-communication'
  /** The loss so far is several numbers, and was not converted; the guarantee was. */
  | 'spent-not-converted'
  /** No epsilon follows at the delta that was asked for. */
  | 'no-finite-epsilon'
  /** A ledger that became an odometer no longer enforces its budget. */
  | 'budget-no-longer-enforced'
  /** Several nested ledgers cost as much as the largest only where neighbours differ in the part of one of them. */
  | 'disjoint-parts';
