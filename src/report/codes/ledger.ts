import type { Caveat } from '../../ledger/core/rule.ts';
import type { InvalidQuery, Refusal, Unverified } from '../../ledger/core/refusal.ts';
import type { Explanations } from './code.ts';

/** A ledger that has ended; beside the refusals, which a decision makes. */
type Ended = 'converted';

/** Every no of a ledger. */
export const LEDGER_NO_CODES: Explanations<
  Extract<Refusal['code'], 'insufficient-budget' | 'halted' | 'count-limit' | 'no-such-hold'> | Ended
> = {
  'insufficient-budget': {
    meaning:
      'With what is asked for, a running total of the ledger would exceed its limit; or the budget of a compositor is less than its bound certifies.',
    remedy: 'See what still fits with "ledger status --next" or -m, or ask for less.',
  },
  halted: {
    meaning: 'The ledger was made with --terms on-excess=halt, and ended when more was asked for than it allows.',
    remedy: 'Nothing can be launched in it any more; what was granted stays granted.',
  },
  'count-limit': {
    meaning: 'More mechanisms are asked for than the term max-mechanisms allowed when the ledger was made.',
    remedy: 'Ask for fewer; the limit stays.',
  },
  'no-such-hold': {
    meaning: 'No open reservation has this name: it was committed or released, or has expired.',
    remedy:
      'See the open reservations with "ledger status", and reserve again; nothing may run on one that has expired.',
  },
  converted: {
    meaning: 'The ledger has ended: "ledger convert" made the one in which it goes on.',
    remedy: 'Use the ledger that is named.',
  },
};

/** A question that what stands in the file cannot answer. */
type FileRequest = 'earlier-ledger';

/** Every request that makes no sense for a ledger. */
export const LEDGER_REQUEST_CODES: Explanations<Unverified['reason'] | InvalidQuery | 'invalid-terms' | FileRequest> = {
  'wrong-measure': {
    meaning: 'A mechanism of this type has no guarantee in what the rule of the ledger adds up.',
    remedy: 'Write a guarantee that it has and the rule counts, such as dp; or keep it in a ledger of another rule.',
  },
  'positive-delta': {
    meaning: 'The rule counts mechanisms with delta 0 only, and this one has another.',
    remedy: 'Use a mechanism with delta 0, or a ledger whose rule has room for a delta.',
  },
  'order-too-high': {
    meaning: 'The Renyi orders of the mechanism are all below that of the ledger.',
    remedy: 'State its Renyi epsilon at an order of at least that.',
  },
  'other-neighbours': {
    meaning: 'What is to be launched or nested is meant for other neighbours than the ledger.',
    remedy: 'Give both the same --neighbours.',
  },
  'other-relation': {
    meaning:
      'The guarantee of a mechanism is for a relation of neighbours that the ledger does not name; guarantees of different relations do not add up.',
    remedy: 'Keep it in a ledger that was made with the same --neighbours.',
  },
  'other-distance': {
    meaning: 'The nested ledger is for another distance than the one around it.',
    remedy: 'Give both the same distance.',
  },
  'too-many-at-once': {
    meaning:
      'One launch has at most 1,000,000,000,000 mechanisms: every mechanism of a ledger has a number, and none is to use them up at once.',
    remedy: 'Ask for them in several launches.',
  },
  'no-evidence': {
    meaning: 'The ledger takes no guarantee without evidence of how it was verified.',
    remedy: 'Add --evidence FILE, whose hash is recorded, or --evidence sha256:HEX.',
  },
  'no-evidence-in-child': {
    meaning: 'The ledger takes no guarantee without evidence, and the nested one would.',
    remedy: 'Leave --terms evidence=optional out.',
  },
  'unchecked-terms': {
    meaning:
      'The ledger was made by an earlier version, and its terms ask for approvals, or open it for a time only. This version checks neither, so nothing is launched.',
    remedy:
      'Count what runs all the same with "ledger record --incurred", and begin another ledger for what is to come.',
  },
  'not-declared': {
    meaning: 'Nothing that was declared at the start of a compositor is of this type and at least as large.',
    remedy: 'Launch what was declared; "ledger status" shows what is left.',
  },
  'no-such-mechanism': {
    meaning: 'No mechanism of the ledger has this number.',
    remedy: 'Mechanisms are numbered in the order of launches, from 1; see "ledger status".',
  },
  'no-budget': {
    meaning: 'There is no budget of which something could be left, as in an odometer.',
    remedy: 'The loss is shown by "ledger status".',
  },
  'wrong-mode': {
    meaning: 'The command is for ledgers of another mode.',
    remedy: 'An odometer becomes a filter, and a filter an odometer; a compositor stays what it is.',
  },
  nested: {
    meaning:
      'The ledger is nested: its budget is what another one paid for it, so that it cannot become a ledger of another mode.',
    remedy: 'Go on in it within its budget, or nest another ledger with "ledger nest".',
  },
  'fixed-budget': {
    meaning:
      'The filter was made without --terms conversions=allowed: it becomes no odometer, from which its budget could be raised.',
    remedy: 'Go on in it within its budget, or begin another ledger for other data.',
  },
  'invalid-terms': {
    meaning: 'The terms of the ledger to be made contradict themselves, or have a number outside its range.',
    remedy: 'Correct what is named.',
  },
  'earlier-ledger': {
    meaning:
      'The ledger goes on from another one, whose mechanisms are not in its file, and the loss at another distance needs all of them.',
    remedy: 'Leave --distance out for the loss at the distance of the ledger.',
  },
};

/** Every caveat on the answer of a ledger. */
export const LEDGER_CAVEAT_CODES: Explanations<Caveat> = {
  'threshold-fixed-before': {
    meaning:
      'The reading of an odometer means something only against a threshold that was fixed before the first launch, like the level of a test; and so does a budget that was given to it later.',
    remedy: 'Fix the threshold, or the budget, before anything is launched.',
  },
  'budget-is-the-guarantee': {
    meaning: 'What the ledger guarantees is its budget, however little was spent.',
    remedy: 'Claim the budget; a smaller claim needs a smaller budget from the start.',
  },
  'adaptive-adversaries': {
    meaning:
      'The theorem assumes that guarantees of interactive and continual mechanisms hold against adversaries who choose each message after seeing the answers so far.',
    remedy: 'Use such guarantees, or pure ones; a document that denies it is refused.',
  },
  'discrete-answers': {
    meaning:
      'The theorem assumes guarantees against adaptive adversaries, and that answers of interactive and continual mechanisms have countably many possible values.',
    remedy: 'Round every answer to a grid, which costs no privacy; or use --terms concurrency=sequential.',
  },
  'finite-communication': {
    meaning:
      'The theorem assumes guarantees against adaptive adversaries, and that interactive and continual mechanisms have finitely many possible messages and answers, and end.',
    remedy:
      'See that every mechanism ends after a number of messages; or use the rule zcdp or rdp, or --terms concurrency=sequential.',
  },
  'spent-not-converted': {
    meaning:
      'What was spent is several numbers at once, and no theorem converts these along the path that was taken; what the ledger guarantees was fixed at the start, and is converted.',
    remedy: 'Rely on the guarantee, or keep a ledger whose loss is one number.',
  },
  'no-finite-epsilon': {
    meaning:
      'By the rule of the ledger no finite epsilon follows at the delta that was asked for: it is not above what the mechanisms may lose, or have lost, with a delta of their own.',
    remedy: 'Ask for a larger delta; a rule without a delta of the mechanisms has an epsilon at every delta above 0.',
  },
  'budget-no-longer-enforced': {
    meaning: 'A filter was made an odometer, and from here on nothing enforces its budget.',
    remedy: 'Compare the loss with a threshold that was fixed before.',
  },
  'not-granted-beforehand': {
    meaning:
      'Something was counted that ran without having been granted ("ledger record --incurred"). It is within the budget, but nothing had enforced that.',
    remedy:
      'Rely on the budget only if what ran would have kept within it whatever had been answered before; ask with "ledger spend" before anything runs.',
  },
  'budget-exceeded': {
    meaning:
      'What ran without having been granted is beyond the budget, which guarantees nothing any more. What was spent is only a sum, as an odometer reads it.',
    remedy:
      'Compare what was spent with a threshold that was fixed before the first launch; claim nothing of the budget.',
  },
  'more-than-was-paid': {
    meaning: 'The ledger is nested, and beyond the budget that the ledger around it has paid for.',
    remedy: 'Count what is beyond it there too, with "ledger record --incurred".',
  },
  'disjoint-parts': {
    meaning:
      'Parallel ledgers cost as much as the largest of them only where each sees a part of the data of its own and neighbours differ in one part.',
    remedy: 'Nest one ledger after the other where the parts overlap, or neighbours differ in several.',
  },
  'one-record-one-part': {
    meaning:
      'The budget of a part of the data bounds what all results tell of one record of that part. Each record must be in one part, and a mechanism must be charged to every part that it reads. Of a record that moves to another part, or of somebody with records in several, it is not guaranteed.',
    remedy: 'Rely on a line over everything for such neighbours; the budgets of the parts that they touch compose.',
  },
  'own-results-only': {
    meaning:
      "The budget of a person bounds what that person's own results tell. It is not guaranteed where results of others reach the person, or change the person's requests or data, or refusals that others caused are seen: no accounting person by person covers that (Tholoniat et al. 2025, arXiv 2506.05290).",
    remedy: 'Rely on a line over everything, which bounds what all results together tell.',
  },
  'no-budget-over-all': {
    meaning:
      'No line of the budgets is charged with everything: what the results of all people together tell is bounded by nothing.',
    remedy: 'Add a line without a key, such as one with the name all.',
  },
};
