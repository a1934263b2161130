import type { Caveat } from '../../ledger/core/caveat.ts';

const CAVEATS: Readonly<Record<Caveat, string>> = {
  'threshold-fixed-before':
    'A reading means something only against a threshold that was fixed before the first launch.',
  'budget-is-the-guarantee': 'What the ledger guarantees is its budget, however little was spent.',
  'adaptive-adversaries': 'Assumed of interactive and continual mechanisms: adaptive adversaries.',
  'discrete-answers': 'Assumed of interactive and continual mechanisms: adaptive adversaries, discrete answers.',
  'finite-communication':
    'Assumed of interactive and continual mechanisms: adaptive adversaries, finite communication.',
  'spent-not-converted':
    'What was spent is several numbers at once, and no theorem converts these along the path that was taken; what the ledger guarantees was fixed at the start, and is converted.',
  'no-finite-epsilon':
    'By this rule no finite epsilon follows at this delta: it is not above what the mechanisms may lose, or have lost, with a delta of their own.',
  'budget-no-longer-enforced': 'From here on nothing enforces the budget.',
  'not-granted-beforehand':
    'Something was counted that had not been granted beforehand: the budget is a guarantee only if what ran would have kept within it whatever had been answered.',
  'budget-exceeded':
    'The budget was exceeded by what ran without having been granted, and guarantees nothing any more. What holds is only the sum, as the reading of an odometer: it means something against a threshold that was fixed before the first launch.',
  'more-than-was-paid':
    'The ledger in which this one is nested has paid for its budget only: count there too what is beyond it.',
  'disjoint-parts':
    'Parallel ledgers cost as much as the largest of them only where each sees a part of the data of its own and neighbours differ in one part.',
  'one-record-one-part':
    'The budget of a part holds for neighbours of which one has a record of that part more: where each record is in one part, and a mechanism is charged to every part that it reads. Not guaranteed at that budget where a record moves to another part, or where somebody has records in several.',
  'own-results-only':
    "The budget of a person bounds what that person's own results tell. Not guaranteed where results of others reach the person, or change the person's requests or data, or refusals that others caused are seen; then only the budget over everything holds.",
  'no-budget-over-all':
    'No line is charged with everything: what the results of all people together tell is bounded by nothing here.',
};

/** A caveat in one sentence, which stands with an answer. */
export const caveatMessage = (caveat: Caveat): string => CAVEATS[caveat];
