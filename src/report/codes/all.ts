import type { Inapplicability } from '../../bounds/core/bound.ts';
import type { Unavailable } from '../../bounds/precise/curve.ts';
import { type Explanations, type CodeFacts, type CodeKind, type Explanation, SARIF_RULES } from './code.ts';
import { OPTION_ERROR_CODES, type OptionErrorCode } from '../../document/core/error-codes.ts';
import { INPUT_ERROR_CODES, type InputErrorCode } from '../../document/core/input-error.ts';
import type { AuditNote } from '../../lazy/accounting/audit.ts';
import type { NoSetting } from '../../lazy/core/setting.ts';
import type { Warning } from '../../composition/core/outcome.ts';
import { FAULT_CODES } from './faults.ts';
import { LEDGER_CAVEAT_CODES, LEDGER_NO_CODES, LEDGER_REQUEST_CODES } from './ledger.ts';
import { DESIGN_CODES, LEDGER_REFUSAL_CODES, REFUSAL_CODES } from './refusals.ts';

const OTHERS = 'Nothing need be done: the answer is by the bounds that apply.';

/** Every reason for which a bound does not apply. */
const INAPPLICABILITY_CODES: Explanations<Inapplicability['code']> = {
  'needs-types': {
    meaning: 'The bound holds for mechanisms of certain types only, and others are listed.',
    remedy: 'Describe the others by a guarantee of those types that they have, or rely on the bounds that apply.',
  },
  'needs-noninteractive': {
    meaning: 'The bound holds for noninteractive mechanisms only, and some are interactive or continual.',
    remedy: 'Set "kind" to "noninteractive" where a mechanism answers once.',
  },
  'needs-nonadaptive': {
    meaning: 'The bound holds where every mechanism is fixed in advance.',
    remedy: 'Say --nonadaptive if that is so.',
  },
  'is-dp-optimal': {
    meaning: 'Without noise of a known distribution and finite pairs the bound is dp-optimal, which is listed itself.',
    remedy: OTHERS,
  },
  'is-exact-otherwise': {
    meaning: 'The bound is for mechanisms that are chosen along the way; of those fixed in advance another is exact.',
    remedy: OTHERS,
  },
  'too-large': {
    meaning: 'The bound is computed only up to a number of mechanisms that is exceeded.',
    remedy: OTHERS,
  },
  'needs-mixture': {
    meaning: 'The bound joins bounded-range mechanisms to others, and only one of the two is listed.',
    remedy: OTHERS,
  },
  'no-sampling-theorem': {
    meaning:
      'No theorem is known to this program for a way in which samples are drawn, under its relation of neighbours.',
    remedy: 'Sample as poisson (a record added or removed) or without-replacement (a record replaced).',
  },
  interrupted: {
    meaning: 'Time was up (--max-seconds) before the bound had a number.',
    remedy: 'Allow more time, or rely on the bounds that have one.',
  },
  needless: {
    meaning: 'Another bound is exact, so that this one, which takes longer, could not be less.',
    remedy: 'Nothing need be done; name the bound with --bounds to see its number.',
  },
};

/** Every reason for which there is no second opinion. */
const PRECISION_CODES: Explanations<Unavailable> = {
  'too-large': {
    meaning: 'There are too many mechanisms, or their parameters are too large, to add up every term in decimals.',
    remedy: 'Rely on the enclosure, which does not depend on it; or ask for fewer mechanisms.',
  },
  'needs-lattice': {
    meaning: 'The bound is computed by integrals or tables, for which there is no evaluation in decimals.',
    remedy: 'Rely on the enclosure, or choose another bound with --bounds.',
  },
  'mechanism-not-covered': {
    meaning: 'The bound has no form in decimals for these mechanisms.',
    remedy: 'Rely on the enclosure, or choose another bound with --bounds.',
  },
  'not-resolved': {
    meaning: 'So many digits were lost to cancellation that those asked for are not certain.',
    remedy: 'Ask for more digits with --precision.',
  },
  interrupted: {
    meaning: 'Time was up (--max-seconds) before the decimals were computed.',
    remedy: 'Allow more time, or rely on the enclosure.',
  },
};

const NUMBER = 'Write a decimal number such as 0.1 or 1e-6.';
const ALLOWED = 'Write one of the values that the message allows.';

/** The remedy for each kind of mistake. */
const REMEDIES: Readonly<Record<InputErrorCode, string>> = {
  'not-text': 'Save the document as UTF-8.',
  'empty-document': 'Write a document, such as {"dpcompose": 1, "mechanisms": [{"type": "dp", "epsilon": "0.1"}]}.',
  'invalid-json': 'Correct the JSON at the line and column that are told.',
  'invalid-yaml': 'Correct the YAML at the line and column that are told, or write JSON.',
  'invalid-python': 'Correct the text at the line and column that are told, or give JSON.',
  'invalid-csv': 'Correct the table at the line and column that are told.',
  'truncated-json': 'Write the rest of the document, or close what is open.',
  'too-deep': 'Nest less.',
  'duplicate-key': 'Keep one of the two.',
  'unknown-key': 'Correct the key or remove it; "dpcompose schema spec" has those that there are.',
  'missing-key': 'Add the key.',
  'conflicting-keys': 'Keep one of them.',
  'two-targets': 'Keep the delta or the epsilon.',
  'no-target': 'Add --delta 1e-6, or "target": {"delta": "1e-6"} to the document.',
  'unknown-type': 'Write a type that exists; "dpcompose schema spec" has all of them.',
  'unknown-value': ALLOWED,
  'wrong-type': 'Write a value of the kind that the message names.',
  'not-a-number': NUMBER,
  'not-finite': NUMBER,
  'too-many-digits': 'Round it to the side that is safe for you.',
  'out-of-range': ALLOWED,
  'not-whole': 'Write a whole number.',
  'unsupported-version': 'Write "dpcompose": 1, or read a newer document with a newer program.',
  'empty-list': 'Write at least one element.',
  'wrong-sum': 'Correct the probabilities; decimals and quotients such as 1/3 are exact.',
  'unequal-lengths': 'Make them equally long.',
  'duplicate-order': 'Keep one epsilon for each order.',
  'no-trade-off':
    'Write the corners of a convex function by ascending alpha, none above 1 - alpha; see the specification.',
  'unknown-name': 'Correct the name, or define it.',
  'duplicate-name': 'Rename one of the two.',
  'not-described': 'Describe it under "submechanisms", or take it out of the plan.',
  'malformed-flag': 'Write TYPE:key=value,key=value, in quotes where the shell would read it otherwise.',
};

const ofInput = Object.fromEntries(
  Object.entries(INPUT_ERROR_CODES).map(([code, meaning]) => [
    code,
    { meaning, remedy: REMEDIES[code as InputErrorCode] },
  ]),
) as Explanations<InputErrorCode>;

/** Every mistake in a document, an option or a file. */
const ERROR_CODES: Explanations<InputErrorCode | OptionErrorCode> = { ...ofInput, ...OPTION_ERROR_CODES };

/** Every note of lazy, and every reason for which a formula gives no parameters. */
const LAZY_CODES: Explanations<AuditNote['code'] | NoSetting['reason']> = {
  'batch-rounded': {
    meaning: 'A formula gives a batch that is not a whole number, and a whole one is used in its place.',
    remedy: 'Nothing need be done: all that is told is about the batch that is used.',
  },
  'hypothesis-fails': {
    meaning: 'Theorem 3.2 does not cover the parameters: a hypothesis fails.',
    remedy: 'Rely on exact accounting, or change what the hypothesis names.',
  },
  'claim-only': {
    meaning:
      'Theorem 3.2 covers the parameters, but its epsilon is printed as a claim, not as a guarantee of this program.',
    remedy: 'Rely on exact accounting.',
  },
  'without-y': {
    meaning: 'There is no y: Theorem 3.2, which is about L2P with one, says nothing.',
    remedy: 'Rely on exact accounting.',
  },
  'flag-of-any-measure': {
    meaning:
      'Theorem 3.2 takes 2 eta for what one loss does to the logarithm of the chance to keep a decision. For any measure of Assumption 3.1 it is 4 eta, so that exact accounting may be above the theorem (docs/theorem-3-2.md has an example).',
    remedy: 'Rely on exact accounting, or name the measure with --measure, for which less may hold.',
  },
  'claim-above-target': {
    meaning: 'The epsilon of Theorem 3.2 is above the target.',
    remedy: 'Rely on exact accounting, or change the parameters.',
  },
  'measure-moves-further': {
    meaning: 'By Lemma 3.11 the measure moves by more than its eta, so that Theorem 3.2 is about that larger eta.',
    remedy: 'Read the row at the larger eta.',
  },
  'guarantee-above-target': {
    meaning: 'Exact accounting does not give the target either.',
    remedy: 'Change the parameters, or raise the target; lazy plan finds parameters for one.',
  },
  'no-accounting': {
    meaning: 'With delta0 above 0 exact accounting needs to know the measure.',
    remedy: 'For convex losses give --measure convex with --beta and --lambda.',
  },
  'switch-reveals': {
    meaning: 'There is no finite epsilon: without fake switches a switch may tell the neighbours apart.',
    remedy: 'Give a p above 0, or a larger eta; without y a larger c.',
  },
  'no-finite-epsilon': {
    meaning: 'Exact accounting finds no finite epsilon at this delta.',
    remedy: 'Give a larger delta, or a smaller eta or beta.',
  },
  'never-covered': {
    meaning:
      'With the parameters of Theorem 3.10 a hypothesis of Theorem 3.2 fails for every delta below 1 at so many rounds.',
    remedy: 'Use the repaired parameters of lazy plan.',
  },
  'fake-switch-probability': {
    meaning: 'A formula gives a probability of fake switches above 1, and so no parameters.',
    remedy: 'Use other parameters, such as the best of lazy plan; or a larger epsilon.',
  },
};

const ONCE = 'Set "kind" to "noninteractive" where a mechanism answers once.';

/** Every warning of an answer. */
const WARNING_CODES: Explanations<Warning['code']> = {
  'laplace-as-dp': {
    meaning:
      'Laplace noise of an interactive or continual mechanism is composed as (sensitivity / scale, 0)-DP and through Renyi DP, because loss distributions compose for noninteractive mechanisms only.',
    remedy: ONCE,
  },
  'bounded-range-interactive': {
    meaning:
      'A bounded-range mechanism that is interactive or continual is composed as (epsilon, 0)-DP and through Renyi DP, because the theorems on bounded range hold for noninteractive mechanisms only.',
    remedy: ONCE,
  },
  'single-pair-interactive': {
    meaning:
      'Noise of a known distribution in an interactive or continual mechanism is composed through Renyi DP, because exact loss distributions compose for noninteractive mechanisms only.',
    remedy: ONCE,
  },
  'mixed-classes': {
    meaning:
      'The list mixes classes of mechanisms that no bound here uses in full at once, so that only bounds that hold for all are used, and the claim may be larger than it need be.',
    remedy: 'Compose one class at a time to see what each costs alone.',
  },
  'delta-infeasible': {
    meaning:
      'The target delta is below the chance that the mechanisms together fail completely, so that no epsilon is large enough; the infinite epsilon is the answer.',
    remedy: 'Ask for a delta of at least that chance, or make each mechanism less likely to fail.',
  },
  'delta-not-covered': {
    meaning:
      'No theorem here gives a finite epsilon at the target delta, which is below the chance of a complete failure that the theorems allow for; whether the plan can fail that often is not known.',
    remedy: 'Ask for a delta of at least that chance, or make each mechanism less likely to fail.',
  },
  'no-finite-epsilon': {
    meaning:
      'No bound that applies gives a finite epsilon at this delta, because the privacy loss of these mechanisms is not bounded.',
    remedy: 'Ask for a larger delta.',
  },
  'large-delta': {
    meaning:
      'A delta is not below one over the number of examples: giving away one example, drawn at random, is (0, 1 / N)-differentially private.',
    remedy: 'Ask for a delta well below one over the number of examples.',
  },
  'weaker-bound': {
    meaning:
      'A sharper bound found no narrow number, or is not computed for a composition so large: a weaker one won. The claim is valid, and perhaps far larger than it need be.',
    remedy: 'Ask for a larger delta, or compose fewer mechanisms, within the limits that the warning names.',
  },
  interrupted: {
    meaning: 'Time was up (--max-seconds) before some bounds had a number. The claim is valid; theirs may be smaller.',
    remedy: 'Allow more time with --max-seconds, or name the bounds to compute with --bounds.',
  },
  'tolerance-not-met': {
    meaning: 'An enclosure is wider than --tolerance asks. The claim is valid all the same.',
    remedy: 'Allow more time with --max-seconds, or accept the width with a larger --tolerance.',
  },
  'different-neighbours': {
    meaning:
      'Designs that are set beside each other are for different neighbouring data, so that their numbers bound different risks: the smaller one need not protect more.',
    remedy: 'Give the guarantees of both for the same "neighbours".',
  },
  'design-not-checked': {
    meaning:
      'The document holds a design that was not checked: the answer is what its mechanisms cost together, and a guarantee of the whole only if the design passes.',
    remedy: 'Run dpcompose design on the document.',
  },
  'cap-below-instance': {
    meaning: 'A "deltaCap" is smaller than the delta of one instance, so that not one instance fits under it.',
    remedy: 'Raise "deltaCap", or lower the delta of the instances.',
  },
};

/** Every code in a document of the schema error. */
export type ErrorDocumentCode =
  | keyof typeof ERROR_CODES
  | keyof typeof FAULT_CODES
  | keyof typeof LEDGER_NO_CODES
  | keyof typeof LEDGER_REQUEST_CODES;

type Table = Readonly<Record<string, Explanation & { readonly exit?: number }>>;

/** Every table of codes, where they are printed, and what the program then ends with if that is the same for all. */
const TABLES: readonly (readonly [CodeKind, Table, number | null])[] = [
  ['warning', WARNING_CODES, null],
  ['bound', INAPPLICABILITY_CODES, null],
  ['precision', PRECISION_CODES, null],
  ['refusal', REFUSAL_CODES, 3],
  ['refusal', LEDGER_REFUSAL_CODES, 3],
  ['design', DESIGN_CODES, 3],
  ['ledger-no', LEDGER_NO_CODES, 1],
  ['ledger-request', LEDGER_REQUEST_CODES, 2],
  ['ledger-caveat', LEDGER_CAVEAT_CODES, null],
  ['ledger-file', FAULT_CODES, null],
  ['lazy-note', LAZY_CODES, null],
  ['error', ERROR_CODES, 2],
  ['sarif-rule', SARIF_RULES, null],
];

/** Every code that the program prints, with what it stands for; one that is printed in several places several times. */
export const codeFacts = (): readonly CodeFacts[] =>
  TABLES.flatMap(([kind, table, exit]) =>
    Object.entries(table).map(([code, { meaning, remedy, exit: own }]) => ({
      code,
      kind,
      meaning,
      remedy,
      exit: own ?? exit,
    })),
  );
