import type { AuditNote } from '../../../learning/accounting/audit.ts';
import type { NoSetting } from '../../../learning/core/setting.ts';
import { explanationsOf, filledIn, type Explanations, type Text, type Texts } from '../../kit/message.ts';
import { givenText } from '../../kit/number.ts';
import { grouped, listed } from '../../kit/prose.ts';
import { aboutText, HYPOTHESIS_TEXT, mostText } from './text.ts';

const EXACT = 'Rely on exact accounting.';

/** Every note, in a sentence or two. */
const NOTES: Texts<'code', AuditNote> = {
  'batch-rounded': {
    message: ({ printed, batch }) =>
      `The formula gives B = ${aboutText(printed.toNumber())}, which is not a whole number: ${grouped(batch)} is used.`,
    meaning: 'A formula gives a batch that is not a whole number, and a whole one is used in its place.',
    hint: 'Nothing need be done: all that is told is about the batch that is used.',
  },
  'hypothesis-fails': {
    message: ({ hypotheses }) =>
      `Theorem 3.2 does not cover these parameters: ${listed(hypotheses.map((id) => HYPOTHESIS_TEXT[id].join(' must be ')))}.`,
    meaning: 'Theorem 3.2 does not cover the parameters: a hypothesis fails.',
    hint: 'Rely on exact accounting, or change what the hypothesis names.',
  },
  'claim-only': {
    message:
      'Theorem 3.2 covers these parameters, but its epsilon is printed as a claim: its proof takes eta for a switch where it shows 2 eta, and bounds the fake but not the real switches.',
    hint: EXACT,
  },
  'without-y': {
    message: 'There is no y: Theorem 3.2, which is about L2P with one, says nothing here.',
    hint: EXACT,
  },
  'flag-of-any-measure': {
    message:
      'Case 2 of its proof takes 2 eta for what one loss does to the logarithm of the chance to keep x. For any measure of Assumption 3.1 it is 4 eta, since Lemma 3.6 bounds each of the two ratios there by e^(2 eta): exact accounting, which has 4 eta, may be above the theorem, and what its proof reveals may lose more than it says (docs/theorem-3-2.md has an example).',
    meaning:
      'Theorem 3.2 takes 2 eta for what one loss does to the logarithm of the chance to keep a decision. For any measure of Assumption 3.1 it is 4 eta, so that exact accounting may be above the theorem (docs/theorem-3-2.md has an example).',
    hint: 'Rely on exact accounting, or name the measure with --measure, for which less may hold.',
  },
  'claim-above-target': {
    message: ({ target }) => `The epsilon of Theorem 3.2 is above the target ${givenText(target)}.`,
    meaning: 'The epsilon of Theorem 3.2 is above the target.',
    hint: 'Rely on exact accounting, or change the parameters.',
  },
  'measure-moves-further': {
    message: ({ eta }) =>
      `Lemma 3.11 lets the measure move by ${aboutText(eta)}, more than its eta, so that Theorem 3.2 is taken at that larger eta.`,
    meaning: 'By Lemma 3.11 the measure moves by more than its eta, so that Theorem 3.2 is about that larger eta.',
    hint: 'Read the row at the larger eta.',
  },
  'guarantee-above-target': {
    message: ({ target }) => `Exact accounting does not give the target ${givenText(target)}.`,
    meaning: 'Exact accounting does not give the target either.',
    hint: 'Change the parameters, or raise the target; lazy plan finds parameters for one.',
  },
  'no-accounting': {
    message:
      'With delta0 above 0 exact accounting needs to know the measure; for convex losses give --measure convex with --beta and --lambda.',
    meaning: 'With delta0 above 0 exact accounting needs to know the measure.',
    hint: 'For convex losses give --measure convex with --beta and --lambda.',
  },
  'switch-reveals': {
    message: ({ chance, helps }) =>
      `Exact accounting gives no finite epsilon: without fake switches the losses may keep x for certain, and then a switch tells the neighbours apart, with a chance of up to ${mostText(chance)}. Give ${helps === 'c' ? 'a larger c' : `a p above 0${helps === null ? '' : ', a larger eta'}`} or a delta above that.`,
    meaning: 'There is no finite epsilon: without fake switches a switch may tell the neighbours apart.',
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
  meaning: 'A formula gives a probability of fake switches above 1, and so no parameters.',
  hint: 'Use other parameters, such as the best of lazy plan; or a larger epsilon.',
};

/** The formula that gives no parameters, and why. */
export const missingText = (missing: NoSetting): string => filledIn(NO_SETTING, missing).message;

/** What every note is, and every reason for which a formula gives no parameters. */
export const lazyExplanations = (): Explanations<AuditNote['code'] | NoSetting['reason']> =>
  explanationsOf({ ...NOTES, 'fake-switch-probability': NO_SETTING });
