import type { Caveat } from '../../ledger/rules/rule.ts';
import { from, list } from '../kit/codec.ts';
import { NOTICE } from '../kit/codecs.ts';
import { explanationsOf, type Explanations, type Text } from '../kit/message.ts';

/** The caveats of a ledger: each stands with an answer. */
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
    message: 'Assumed of interactive and continual mechanisms: guarantees hold against adaptive adversaries.',
    meaning:
      'The theorem assumes that guarantees of interactive and continual mechanisms hold against adversaries who choose each message after seeing the answers so far.',
    hint: 'Use such guarantees, or pure ones. A document that denies it is refused.',
  },
  'discrete-answers': {
    message:
      'Assumed of interactive and continual mechanisms: guarantees hold against adaptive adversaries, and answers are discrete.',
    meaning:
      'The theorem assumes guarantees against adaptive adversaries, and that answers of interactive and continual mechanisms have countably many possible values.',
    hint: 'Round every answer to a grid, which costs no privacy; or use --terms concurrency=sequential.',
  },
  'finite-communication': {
    message:
      'Assumed of interactive and continual mechanisms: guarantees hold against adaptive adversaries, and communication is finite.',
    meaning:
      'The theorem assumes guarantees against adaptive adversaries, and that interactive and continual mechanisms have finitely many possible messages and answers, and end.',
    hint: 'End every mechanism after a fixed number of messages; or use the rule zcdp or rdp, or --terms concurrency=sequential.',
  },
  'spent-not-converted': {
    message:
      'The loss so far is several numbers, which no theorem converts. Only the guarantee, fixed at the start, is converted.',
    hint: 'Rely on the guarantee, or keep a ledger whose loss is one number.',
  },
  'no-finite-epsilon': {
    message:
      'No finite epsilon follows at this delta: it does not exceed the delta that the mechanisms may use, or have used.',
    hint: 'Use a larger delta, or a rule without a delta of the mechanisms, which has an epsilon at every delta above 0.',
  },
  'budget-no-longer-enforced': {
    message: 'Nothing enforces the budget from here on.',
    meaning: 'A filter became an odometer, and nothing enforces its budget from here on.',
    hint: 'Compare the loss with a threshold that was fixed before.',
  },
  'not-granted-beforehand': {
    message:
      'Some mechanisms ran without a grant. The budget is a guarantee only if they would have stayed within it for every possible result.',
    meaning:
      'Some mechanisms ran without a grant ("ledger record --incurred"). They are within the budget, but nothing enforced that.',
    hint: 'Rely on the budget only if they would have stayed within it for every possible result. Use "ledger spend" before you run anything.',
  },
  'budget-exceeded': {
    message:
      'The budget is no longer a guarantee, because mechanisms that ran without a grant exceeded it. The total loss counts only against a threshold fixed before the first launch.',
    hint: 'Compare the loss so far with a threshold fixed before the first launch. Do not claim the budget.',
  },
  'more-than-was-paid': {
    message: 'The parent has paid for the budget only. Record the excess there, too.',
    meaning: 'The ledger is nested, and exceeds the budget that its parent paid for.',
    hint: 'Record the excess in the parent, too, with "ledger record --incurred".',
  },
  'disjoint-parts': {
    message:
      'Parallel composition holds only if each ledger reads its own disjoint partition, and neighbors differ in one partition.',
    hint: 'If partitions overlap, or neighbors differ in several, nest one ledger after the other.',
  },
  'one-record-one-part': {
    message:
      'The budget of a partition holds for add/remove-one-record neighbors. Each record must be in one partition, and each mechanism charged to every partition that it reads. It does not hold if a record moves to another partition, or a person has records in several.',
    hint: 'For such neighbors, rely on a line without a key, or on the composition of the budgets of their partitions.',
  },
  'own-results-only': {
    message:
      "The budget of a person bounds the privacy loss of that person's own results. It does not hold if the results of others reach the person, change the person's requests or data, or cause denials that the person sees. Then only the budget of a line without a key holds.",
    meaning:
      "The budget of a person bounds the privacy loss of that person's own results. It does not hold if the results of others reach the person, change the person's requests or data, or cause denials that the person sees. No accounting per person covers that (Tholoniat et al. 2025, arXiv 2506.05290).",
    hint: 'Rely on a line without a key, which bounds the privacy loss of all results together.',
  },
  'no-budget-over-all': {
    message:
      'No line is charged with everything: nothing bounds the privacy loss of the results of all people together.',
    hint: 'Add a line without a key, such as one with the name all.',
  },
};

/** A caveat in a sentence or two, which stand with an answer. */
export const caveatMessage = (caveat: Caveat): string => CAVEAT_TEXTS[caveat].message;

/** Caveats as they stand below each other, where one may depend on the one before it. */
export const caveatMessages = (caveats: readonly Caveat[]): readonly string[] =>
  caveats.map((caveat) =>
    caveat === 'budget-is-the-guarantee' && caveats.includes('not-granted-beforehand')
      ? 'If so, the guarantee is the full budget, even if less has been spent.'
      : caveatMessage(caveat),
  );

/** What every caveat is. */
export const caveatExplanations = (): Explanations<Caveat> => explanationsOf(CAVEAT_TEXTS);

/** Caveats. */
export const CAVEATS = list(from(NOTICE, (caveat: Caveat) => ({ code: caveat, message: caveatMessage(caveat) })));
