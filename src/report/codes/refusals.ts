import type { CheckRefusal } from '../../composition/check/check.ts';
import type { Refusal } from '../../composition/core/outcome.ts';
import type { Violation } from '../../composition/design/violation.ts';
import type { NoTheorem } from '../../ledger/core/refusal.ts';
import type { Explanations } from './code.ts';

const LIMITED =
  'Limit how many there are, describe them by a pure guarantee if they have one, or set "kind" to "interactive" where their data are fixed from the start.';

/** Every refusal of a specification. */
export const REFUSAL_CODES: Explanations<Refusal['code'] | CheckRefusal['code']> = {
  'adaptive-parameters': {
    meaning:
      'The privacy parameters are chosen along the way, and composition theorems need them fixed in advance: a total computed as if they were would be wrong.',
    remedy: 'Use a privacy filter or odometer (dpcompose ledger init), or fix the parameters.',
  },
  'adaptive-parameters-in-parallel': {
    meaning:
      'The privacy parameters are chosen adaptively, and no theorem covers that inside groups, parts or parallel instances.',
    remedy: 'Fix the parameters inside each part; a ledger then charges the part as one mechanism.',
  },
  'chosen-along-the-way': {
    meaning:
      'Mechanisms are said to be fixed in advance, data and all, and the plan has something that is created or chosen along the way: parallel instances, parts, local users or continual data.',
    remedy: 'Leave out --nonadaptive and "adaptivity": "nonadaptive": the claim then holds against whoever chooses.',
  },
  'mixed-neighbours': {
    meaning: 'Mechanisms on samples are for different relations of neighbours, under which guarantees do not add up.',
    remedy: 'Describe all of them for the same neighbours.',
  },
  'sampled-in-structure': {
    meaning:
      'A mechanism on samples stands where several instances or users may differ, or where a replaced record may move between parts.',
    remedy: 'Let one instance or user differ, or use Poisson samples for add-remove neighbours.',
  },
  'shuffled-batches': {
    meaning:
      'Batches are shuffled, which is no Poisson sampling: the cost may be far larger, and no theorem here bounds it from above.',
    remedy: 'Draw Poisson samples, or leave out the sampling.',
  },
  'not-offered': {
    meaning: 'The mechanism is one that is known elsewhere, and whose composition needs theorems that are not here.',
    remedy: 'Describe it by a guarantee that it has: dp, rdp, zcdp or gdp.',
  },
  'not-expressible': {
    meaning: 'A table, or an event of dp_accounting, cannot say what stands at this place.',
    remedy: 'Write YAML or JSON instead; the message says what else can be done.',
  },
  'no-bound': {
    meaning: 'No bound covers these mechanisms together; the nearest ones and what they lack are told.',
    remedy: 'Describe what is in the way by a guarantee that it has, such as dp, or compose it apart.',
  },
  'unbounded-approximate': {
    meaning:
      'There is any number of continual instances, each of which may reveal everything with some probability, and the answers may show which one is about to: no theorem limits what they reveal together.',
    remedy: `${LIMITED} A "deltaCap" limits them too.`,
  },
  'unbounded-renyi': {
    meaning:
      'There is any number of continual instances with no more than a Renyi guarantee, by which each may reveal much, if rarely: no theorem limits what they reveal together.',
    remedy: LIMITED,
  },
  'unbounded-f-dp': {
    meaning:
      'There is any number of continual instances with no more than the guarantee of their noise, by which each may reveal much, if rarely: no theorem limits what they reveal together.',
    remedy: LIMITED,
  },
  'oblivious-guarantee': {
    meaning:
      'The guarantees are said to hold only for questions and data that are fixed in advance ("adaptiveAdversary": false), and an analyst who chooses the next question after an answer can break such a guarantee completely.',
    remedy: 'Use guarantees that are proved against adaptive adversaries, and remove "adaptiveAdversary": false.',
  },
  'answers-not-discrete': {
    meaning:
      'The answers are said not to be discrete ("discrete": false), and how such interactive mechanisms compose is proved for answers of countably many values only.',
    remedy: 'Round every answer to a grid, which costs no privacy, and remove "discrete": false.',
  },
  'too-many-mechanisms': {
    meaning: 'An element multiplies to more than 2^53 - 1 mechanisms that are alike.',
    remedy: 'Lower its count, instances, users or sparsity.',
  },
  'design-fails': {
    meaning:
      'The design does not pass the privacy of the mechanisms that it runs on to the whole: each way in which it fails is told as a violation.',
    remedy: 'Change what the violations name, and run dpcompose design again.',
  },
  'different-neighbours': {
    meaning: 'Specifications that are to be composed together name different neighbours.',
    remedy: 'Give all of them the same "neighbours", or check them one by one.',
  },
};

/** Every way in which a design fails. */
export const DESIGN_CODES: Explanations<Violation['code']> = {
  'tainted-condition': {
    meaning: 'What is created, sent or output depends on the input through a condition.',
    remedy: 'Decide it by the answer of a sub-mechanism, such as a sparse vector test.',
  },
  'tainted-creation': {
    meaning: 'Which mechanism is created, or how it starts, depends on the input.',
    remedy: 'Create it from constants and from answers of sub-mechanisms only.',
  },
  'tainted-choice': {
    meaning: 'Which instance gets a message depends on the input.',
    remedy: 'Choose the instance by constants and by answers of sub-mechanisms only.',
  },
  'tainted-output': {
    meaning: 'What is output depends on the input directly, and not through the answers of sub-mechanisms.',
    remedy: 'Output answers of sub-mechanisms and constants only.',
  },
  'larger-change': {
    meaning: 'Neighbours may differ by more in an argument than the guarantee of the sub-mechanism covers.',
    remedy: 'Send something that changes less, or use a guarantee that covers so large a difference.',
  },
  'later-difference': {
    meaning:
      'Neighbours may differ in a message after the first one, where the guarantee allows that in the first only.',
    remedy: 'Give the data to the instance when it is created, or declare the mechanism continual.',
  },
  'more-messages': {
    meaning: 'Neighbours may differ in more messages to one instance than its guarantee covers.',
    remedy: 'Limit in how many messages they may differ, or use a guarantee that covers so many.',
  },
  'more-instances': {
    meaning: 'Neighbours may differ in what more instances get than the plan pays for.',
    remedy: 'Raise what the plan says of it ("sparsity" or "differing"), which its price then covers, or send less.',
  },
  'more-created': {
    meaning: 'More instances are created, or more messages sent to mechanisms that answer once, than the plan has.',
    remedy: 'Raise how many the plan has, or limit how many are created.',
  },
  'cap-exceeded': {
    meaning: 'More instances may be created than fit under the "deltaCap" on which the price rests.',
    remedy: 'Limit how many are created, or raise "deltaCap".',
  },
};

/** Every refusal of a ledger for want of a theorem. */
export const LEDGER_REFUSAL_CODES: Explanations<NoTheorem['reason']> = {
  'adaptive-parameters': {
    meaning:
      'A bound for parameters that are fixed at the start was named as the rule of a filter or an odometer, where they are chosen along the way; a run in which it lets the budget be exceeded is told.',
    remedy: 'Choose a rule for a filter, or declare all mechanisms at the start with --mode compositor.',
  },
  'open-question': {
    meaning:
      'Whether approximate zCDP or approximate Renyi DP composes concurrently, with interactive mechanisms asked in turns, is an open question.',
    remedy: 'Use --terms concurrency=sequential, or a rule without a delta of the mechanisms.',
  },
  'communication-not-finite': {
    meaning:
      'The document denies finite communication. Without it, no theorem covers adaptively chosen parameters of interactive mechanisms with trade-off functions.',
    remedy: 'Use the rule zcdp or rdp, or --terms concurrency=sequential; or remove "finiteCommunication": false.',
  },
  'nested-in-sequential': {
    meaning:
      'A ledger nested in a sequential one would be spent from also after the next launch, which is concurrent composition.',
    remedy: 'Nest in a ledger of --terms concurrency=concurrent, or spend in this one.',
  },
  'several-coordinates': {
    meaning:
      'What was spent is several numbers at once, and no theorem covers a conversion that takes the order, or the share of delta, that is best on the path that was taken.',
    remedy: 'Leave --delta and --epsilon out, or keep a ledger whose loss is one number; a budget can be converted.',
  },
  'unbounded-child': {
    meaning: 'A nested odometer has no budget that the ledger around it could pay.',
    remedy: 'Nest a filter or a compositor.',
  },
  'no-map': {
    meaning: 'What a mechanism, a nested ledger or a compositor guarantees at another distance is not known.',
    remedy: 'State a guarantee that has a map, such as zcdp or the noise itself; or leave --distance out.',
  },
  'bound-does-not-apply': {
    meaning: 'The bound of a compositor does not cover what is declared.',
    remedy: 'Choose another bound with --rule; dpcompose compose shows those that apply.',
  },
};
