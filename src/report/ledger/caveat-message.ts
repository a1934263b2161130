import type { Caveat } from '../../ledger/core/caveat.ts';

const CAVEATS: Readonly<Record<Caveat, string>> = {
  'threshold-fixed-before':
    'A reading means something only against a threshold that was fixed before the first launch.',
  'budget-is-the-guarantee': 'What the ledger guarantees is its budget, however little was spent.',
  'finite-communication': 'Asked in turns, interactive mechanisms must each exchange finitely many messages.',
  'spent-not-converted':
    'What was spent is several numbers at once, and no theorem converts these along the path that was taken; what the ledger guarantees was fixed at the start, and is converted.',
  'no-finite-epsilon':
    'By this rule no finite epsilon follows at this delta: it is not above what the mechanisms may lose, or have lost, with a delta of their own.',
  'budget-no-longer-enforced': 'From here on nothing enforces the budget.',
  'disjoint-parts':
    'Parallel ledgers cost as much as the largest of them only where each sees a part of the data of its own and neighbours differ in one part.',
};

/** A caveat in one sentence, which stands with an answer. */
export const caveatMessage = (caveat: Caveat): string => CAVEATS[caveat];
