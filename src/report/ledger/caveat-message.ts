import type { Caveat } from '../../ledger/core/caveat.ts';

/** What should be said with an answer, in one sentence. */
export function caveatMessage(caveat: Caveat): string {
  switch (caveat) {
    case 'threshold-fixed-before':
      return 'A reading means something only against a threshold that was fixed before the first launch.';
    case 'budget-is-the-guarantee':
      return 'What the ledger guarantees is its budget, however little was spent.';
    case 'finite-communication':
      return 'Asked in turns, interactive mechanisms must each exchange finitely many messages.';
    case 'spent-not-converted':
      return 'What was spent is several numbers at once, and no theorem converts these along the path that was taken; what the ledger guarantees was fixed at the start, and is converted.';
    case 'no-finite-epsilon':
      return 'By this rule no finite epsilon follows at this delta: it is not above what the mechanisms may lose, or have lost, with a delta of their own.';
    case 'budget-no-longer-enforced':
      return 'From here on nothing enforces the budget.';
    case 'disjoint-parts':
      return 'Parallel ledgers cost as much as the largest of them only where each sees a part of the data of its own and neighbours differ in one part.';
  }
}
