import type { Caveat } from '../../ledger/rules/rule.ts';
import { from, list } from '../kit/codec.ts';
import { NOTICE } from '../kit/codecs.ts';
import { explanationsOf, type Explanations, type Text } from '../kit/message.ts';

/** What is to be said with the answer of a ledger. */
const CAVEAT_TEXTS: Readonly<Record<Caveat, Text<never> & { readonly message: string }>> = {
  'threshold-fixed-before': {
    message: 'The loss is meaningful only against a threshold fixed before the first launch.',
    meaning:
      'The loss of an odometer is meaningful only against a threshold fixed before the first launch, like the level of a test. The same holds for a budget added later.',
    hint: 'Fix the threshold, or the budget, before anything is launched.',
  },
  'budget-is-the-guarantee': {
    message: 'The guarantee is the full budget, even if less has been spent.',
    hint: 'State the full budget. For a smaller guarantee, fix a smaller budget at the start.',
  },
  'adaptive-adversaries': {
    message: 'Assumptions on interactive and continual mechanisms: adaptive adversaries.',
    meaning:
      'The theorem assumes that guarantees of interactive and continual mechanisms hold against adversaries who choose each message after seeing the answers so far.',
    hint: 'Use such guarantees, or pure ones; a document that denies it is refused.',
  },
  'discrete-answers': {
    message: 'Assumptions on interactive and continual mechanisms: adaptive adversaries, discrete answers.',
    meaning:
      'The theorem assumes guarantees against adaptive adversaries, and that answers of interactive and continual mechanisms have countably many possible values.',
    hint: 'Round every answer to a grid, which costs no privacy; or use --terms concurrency=sequential.',
  },
  'finite-communication': {
    message: 'Assumptions on interactive and continual mechanisms: adaptive adversaries, finite communication.',
    meaning:
      'The theorem assumes guarantees against adaptive adversaries, and that interactive and continual mechanisms have finitely many possible messages and answers, and end.',
    hint: 'See that every mechanism ends after a number of messages; or use the rule zcdp or rdp, or --terms concurrency=sequential.',
  },
  'spent-not-converted': {
    message:
      'What was spent is several numbers at once, and no theorem converts these along the path that was taken; what the ledger guarantees was fixed at the start, and is converted.',
    hint: 'Rely on the guarantee, or keep a ledger whose loss is one number.',
  },
  'no-finite-epsilon': {
    message:
      'By this rule no finite epsilon follows at this delta: it is not above what the mechanisms may lose, or have lost, with a delta of their own.',
    hint: 'Ask for a larger delta; a rule without a delta of the mechanisms has an epsilon at every delta above 0.',
  },
  'budget-no-longer-enforced': {
    message: 'Nothing enforces the budget from here on.',
    meaning: 'A filter was made an odometer, and from here on nothing enforces its budget.',
    hint: 'Compare the loss with a threshold that was fixed before.',
  },
  'not-granted-beforehand': {
    message:
      'Some mechanisms ran without a grant: the budget is a guarantee only if they would have stayed within it for every possible result.',
    meaning:
      'Something was counted that ran without having been granted ("ledger record --incurred"). It is within the budget, but nothing had enforced that.',
    hint: 'Rely on the budget only if what ran would have kept within it whatever had been answered before; ask with "ledger spend" before anything runs.',
  },
  'budget-exceeded': {
    message:
      'Mechanisms that ran without a grant exceeded the budget, which is no guarantee any more. Only the sum holds, like the loss of an odometer: compare it with a threshold fixed before the first launch.',
    hint: 'Compare what was spent with a threshold that was fixed before the first launch; claim nothing of the budget.',
  },
  'more-than-was-paid': {
    message: 'The parent has paid for the budget only: record the excess there too.',
    meaning: 'The ledger is nested, and beyond the budget that the ledger around it has paid for.',
    hint: 'Count what is beyond it there too, with "ledger record --incurred".',
  },
  'disjoint-parts': {
    message:
      'Parallel ledgers cost as much as the largest of them only where each sees a part of the data of its own and neighbors differ in one part.',
    hint: 'Nest one ledger after the other where the parts overlap, or neighbors differ in several.',
  },
  'one-record-one-part': {
    message:
      'The budget of a part holds for neighbours of which one has a record of that part more: where each record is in one part, and a mechanism is charged to every part that it reads. Not guaranteed at that budget where a record moves to another part, or where somebody has records in several.',
    hint: 'Rely on a line over everything for such neighbours; the budgets of the parts that they touch compose.',
  },
  'own-results-only': {
    message:
      "The budget of a person bounds what that person's own results tell. Not guaranteed where results of others reach the person, or change the person's requests or data, or refusals that others caused are seen; then only the budget over everything holds.",
    meaning:
      "The budget of a person bounds what that person's own results tell. It is not guaranteed where results of others reach the person, or change the person's requests or data, or refusals that others caused are seen: no accounting person by person covers that (Tholoniat et al. 2025, arXiv 2506.05290).",
    hint: 'Rely on a line over everything, which bounds what all results together tell.',
  },
  'no-budget-over-all': {
    message:
      'No line is charged with everything: what the results of all people together tell is bounded by nothing here.',
    hint: 'Add a line without a key, such as one with the name all.',
  },
};

/** A caveat in a sentence or two, which stand with an answer. */
export const caveatMessage = (caveat: Caveat): string => CAVEAT_TEXTS[caveat].message;

/** What every caveat is. */
export const caveatExplanations = (): Explanations<Caveat> => explanationsOf(CAVEAT_TEXTS);

/** Caveats. */
export const CAVEATS = list(from(NOTICE, (caveat: Caveat) => ({ code: caveat, message: caveatMessage(caveat) })));
