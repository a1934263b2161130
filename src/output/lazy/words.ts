import type { GuaranteeKind } from '../../learning/accounting/resampling.ts';
import { isWithoutY, type L2pSetting, type Measure, type NoSetting } from '../../learning/core/setting.ts';
import type { Precondition } from '../../learning/theorems/theorem-3-2.ts';
import { Decimal, decimalFromDouble, ONE } from '../../numeric/decimal.ts';
import type { Enclosure } from '../../numeric/enclosure.ts';
import { givenText, shortText } from '../kit/number.ts';
import { onTerminal, type Block } from '../kit/page.ts';
import { grouped, wrapped, listed } from '../kit/prose.ts';
import type { AuditNote } from '../../learning/accounting/audit.ts';
import { explanationsOf, filledIn, type Explanations, type Text, type Texts } from '../kit/message.ts';
import { always, choice, described, is, object, oneOf, orNull, type Codec, type Members } from '../kit/codec.ts';
import { COUNT, GIVEN, UPPER } from '../kit/codecs.ts';
import { jsonDocument, type JsonMembers } from '../kit/json-value.ts';

/** Digits shown of what is no bound. */
const DIGITS = 4;

/** From here on numbers are shown whole, with their thousands marked. */
const LARGE = 9999.5;
const HUGE = 1e15;

/** A number that is no bound, to four significant digits. */
export function aboutText(x: number): string {
  if (!Number.isFinite(x)) return x > 0 ? 'infinity' : '-infinity';
  if (Math.abs(x) >= LARGE && Math.abs(x) < HUGE) return grouped(Math.round(x));
  return givenText(decimalFromDouble(x).toSignificantDigits(DIGITS));
}

/** A number that is only claimed, to four significant digits; what is 0 up to rounding is 0. */
export const claimText = ({ lower, upper }: Enclosure): string => (lower <= 0 ? '0' : aboutText(upper));

/** An upper bound, rounded up: large ones to a whole number, others to four significant digits. */
export function mostText(x: number): string {
  if (x >= LARGE && x < HUGE) return grouped(Math.ceil(x));
  return shortText(x, 'up');
}

/** A lower bound, rounded down to four significant digits. */
export const leastText = (x: number): string => shortText(x, 'down');

/** A parameter as it is; beyond six digits rounded for reading, which the JSON output does not do. */
export function parameterText(value: Decimal): string {
  return givenText(value.precision() <= 6 ? value : new Decimal(value.toSignificantDigits(6)));
}

/** A probability as a parameter; where it is so close to 1 that it would be shown as 1, what is missing to 1. */
export function probabilityText(value: Decimal): string {
  const text = parameterText(value);
  return text === '1' && !value.eq(1) ? `1 - ${parameterText(ONE.minus(value))}` : text;
}

/** A whole count, grouped; beyond what doubles count, about. */
export const countText = (x: number): string => (Number.isSafeInteger(x) ? grouped(x) : aboutText(x));

/** The measure from which L2P samples, in words. */
export function measureText(measure: Measure): string {
  switch (measure.type) {
    case 'multiplicative-weights':
      return 'multiplicative weights';
    case 'any':
      return 'any measure of Assumption 3.1';
    case 'regularised-multiplicative-weights': {
      const { beta, lambda, lipschitz, diameter } = measure;
      const size =
        lipschitz.eq(1) && diameter.eq(1) ? '' : `, L ${parameterText(lipschitz)}, D ${parameterText(diameter)}`;
      return `regularized weights with beta ${parameterText(beta)}, lambda ${parameterText(lambda)}${size}`;
    }
  }
}

/** `L2P with multiplicative weights: T 1,000,000, B 10, eta 1e-4, p 0.01`, or `L2P without y ... c 0.002`. */
export function settingText(setting: L2pSetting, measure: Measure): string {
  const { rounds, batch, eta } = setting;
  const parameters = [
    `T ${grouped(rounds)}`,
    `B ${grouped(batch)}`,
    `eta ${parameterText(eta)}`,
    isWithoutY(setting) ? `c ${parameterText(setting.switchRate)}` : `p ${probabilityText(setting.fakeSwitch)}`,
  ];
  return `L2P ${isWithoutY(setting) ? 'without y, ' : ''}with ${measureText(measure)}: ${parameters.join(', ')}`;
}

/** The class of mechanisms as which exact accounting treats every resampling, in words. */
export const GUARANTEE_TEXT: Readonly<Record<GuaranteeKind, string>> = {
  'randomized-response': 'randomized-response steps',
  'bounded-range': 'bounded-range steps',
  gaussian: 'Gaussian steps',
};

/** The hypotheses of Theorem 3.2: left-hand side, and what is needed of it. */
export const HYPOTHESIS_TEXT: Readonly<Record<Precondition, readonly [what: string, needed: string]>> = {
  'whole-batch': ['B', 'whole'],
  'small-eta': ['eta', 'at most 0.1'],
  'fake-chance': ['p', 'above 0, below 1'],
  'fake-switches': ['T p / B', 'at least 1'],
  'batch-drift': ['eta B ln(1/delta1) / p', 'at most 1'],
};

/** The heading of a page of lazy; where it is broken into lines its marks count as columns. */
export const lazyHeading = (text: string): Block =>
  onTerminal(({ style, width }) => wrapped(style.heading(text), width));

const EXACT = 'Use exact accounting.';

/** Every note, in a sentence or two. */
const NOTES: Texts<'code', AuditNote> = {
  'batch-rounded': {
    message: ({ printed, batch }) =>
      `The formula gives B = ${aboutText(printed.toNumber())}, which is not a whole number: ${grouped(batch)} is used.`,
    meaning: 'A formula gives a batch size that is not a whole number; a whole one is used instead.',
    hint: 'No action needed: all results are for the batch size that is used.',
  },
  'hypothesis-fails': {
    message: ({ hypotheses }) =>
      `Theorem 3.2 does not cover these parameters: ${listed(hypotheses.map((id) => HYPOTHESIS_TEXT[id].join(' must be ')))}.`,
    meaning: 'Theorem 3.2 does not cover the parameters: a hypothesis fails.',
    hint: 'Use exact accounting, or change the parameters in the hypothesis.',
  },
  'claim-only': {
    message:
      'Theorem 3.2 covers these parameters, but its epsilon is only a claim. Its proof uses eta for a switch but shows 2 eta, and bounds only the fake switches.',
    hint: EXACT,
  },
  'without-y': {
    message: 'Theorem 3.2 is about L2P with y and does not apply without y.',
    hint: EXACT,
  },
  'flag-of-any-measure': {
    message:
      'Case 2 of its proof takes 2 eta for the effect of one loss on the logarithm of the probability to keep x. For any measure of Assumption 3.1 it is 4 eta, since Lemma 3.6 bounds each of the two ratios there by e^(2 eta). Exact accounting has 4 eta and may exceed the theorem. What the proof reveals may lose more than the theorem says (docs/theorem-3-2.md has an example).',
    meaning:
      'Theorem 3.2 takes 2 eta for what one loss does to the logarithm of the chance to keep a decision. For any measure of Assumption 3.1 it is 4 eta, so that exact accounting may be above the theorem (docs/theorem-3-2.md has an example).',
    hint: 'Use exact accounting, or name the measure with --measure, which may give a smaller epsilon.',
  },
  'claim-above-target': {
    message: ({ target }) => `The epsilon of Theorem 3.2 is above the target ${givenText(target)}.`,
    meaning: 'The epsilon of Theorem 3.2 is above the target.',
    hint: 'Use exact accounting, or change the parameters.',
  },
  'measure-moves-further': {
    message: ({ eta }) =>
      `By Lemma 3.11 the measure can move by ${aboutText(eta)}, more than its eta, so Theorem 3.2 is evaluated at that larger eta.`,
    meaning: 'By Lemma 3.11 the measure can move by more than its eta, so Theorem 3.2 is evaluated at the larger eta.',
    hint: 'Read the row at the larger eta.',
  },
  'guarantee-above-target': {
    message: ({ target }) => `Exact accounting does not reach the target ${givenText(target)}.`,
    meaning: 'Exact accounting does not reach the target either.',
    hint: 'Change the parameters, or raise the target. To find parameters for a target, run lazy plan.',
  },
  'no-accounting': {
    message:
      'With delta0 above 0 exact accounting needs to know the measure; for convex losses give --measure convex with --beta and --lambda.',
    meaning: 'With delta0 above 0 exact accounting needs to know the measure.',
    hint: 'For convex losses give --measure convex with --beta and --lambda.',
  },
  'switch-reveals': {
    message: ({ chance, helps }) =>
      `Exact accounting gives no finite epsilon: without fake switches, the losses may keep x with certainty, and then a switch distinguishes the neighbors, with probability up to ${mostText(chance)}. Give ${helps === 'c' ? 'a larger c' : `a p above 0${helps === null ? '' : ', a larger eta'}`} or a delta above that.`,
    meaning: 'There is no finite epsilon: without fake switches, a switch may distinguish the neighbors.',
    hint: 'Give a p above 0, or a larger eta; without y a larger c.',
  },
  'no-finite-epsilon': {
    message: ({ delta }) =>
      `Exact accounting finds no finite epsilon at delta ${givenText(delta)}: give a larger delta, or a smaller eta or beta.`,
    meaning: 'Exact accounting finds no finite epsilon at this delta.',
    hint: 'Give a larger delta, or a smaller eta or beta.',
  },
  'never-covered': {
    message: ({ rounds }) =>
      `With p = 10 eta/epsilon the hypothesis on eta B ln(1/delta1) / p is epsilon B ln(2T/delta) <= 10: with this B it fails for every delta below 1 once T is above ${grouped(rounds)}.`,
    meaning:
      'With the parameters of Theorem 3.10 a hypothesis of Theorem 3.2 fails for every delta below 1 at so many rounds.',
    hint: 'Use the repaired parameters of lazy plan.',
  },
};

/** A note in a sentence or two. */
export const auditNoteMessage = (note: AuditNote): string => filledIn<never>(NOTES[note.code], note as never).message;

/** Why a formula gives no parameters. */
const NO_SETTING: Text<NoSetting> = {
  message: ({ id, fakeSwitch }) =>
    `${id} gives no parameters here: its p is ${aboutText(fakeSwitch)}, which is not below 1.`,
  meaning: 'A formula gives a probability of fake switches that is not below 1, and so no parameters.',
  hint: 'Use other parameters, such as the best of lazy plan, or a larger epsilon.',
};

/** The formula that gives no parameters, and why. */
export const missingText = (missing: NoSetting): string => filledIn(NO_SETTING, missing).message;

/** What every note is, and every reason for which a formula gives no parameters. */
export const lazyExplanations = (): Explanations<AuditNote['code'] | NoSetting['reason']> =>
  explanationsOf({ ...NOTES, 'fake-switch-probability': NO_SETTING });

/** The status of a number that is printed in a paper, and that this program does not guarantee. */
export const CLAIMED = always('claimed');
/** The status of a number that is certain. */
export const GUARANTEED = always('guaranteed');

export const SAFE = object({ status: GUARANTEED, upper: UPPER });

/** The parameters of L2P, with all their digits. */
export const SETTING = {
  rounds: COUNT,
  batch: COUNT,
  eta: GIVEN,
  p: described('the probability of a fake switch; null without y', orNull(GIVEN)),
  c: described('x is kept with probability e^(-c - eta loss); null with y', orNull(GIVEN)),
};

/** A setting under the names of its printed parameters. */
export const printedSetting = ({
  rounds,
  batch,
  eta,
  fakeSwitch,
  switchRate,
}: L2pSetting): Members<typeof SETTING> => ({
  rounds,
  batch,
  eta,
  p: fakeSwitch ?? null,
  c: switchRate ?? null,
});

export const MEASURE = oneOf(
  object({ type: choice('multiplicative-weights', 'any') }),
  object({
    type: is('regularised-multiplicative-weights'),
    beta: GIVEN,
    lambda: GIVEN,
    lipschitz: GIVEN,
    diameter: GIVEN,
  }),
);

export const RESAMPLING = choice('randomized-response', 'bounded-range', 'gaussian');

/** A result of a lazy command as `dpcompose.lazy/1`. */
export const lazyText = <Value>(result: Codec<Value, unknown>, value: NoInfer<Value>, version: string): string =>
  jsonDocument({ schema: 'dpcompose.lazy/1', version, ...(result.encode(value) as JsonMembers) });
