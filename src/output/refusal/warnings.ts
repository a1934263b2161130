import type { Unavailable } from '../../bounds/precise/curve.ts';
import type { Warning } from '../../composition/core/outcome.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { givenText } from '../kit/number.ts';
import { explanationsOf, filledIn, type Explanations, type Named, type Text, type Texts } from '../kit/message.ts';
import { abridged, counted, grouped, listed, printable } from '../kit/prose.ts';
import { placeOf } from './refused-document.ts';

const ONCE = 'Set "kind" to "noninteractive" if a mechanism answers once.';

/** A width to three digits, rounded up. */
const brief = (width: number): Decimal => new Decimal(width).toSignificantDigits(3, Decimal.ROUND_UP);

function widthText({ asked, reached, rows }: Named<Warning, 'code', 'tolerance-not-met'>): string {
  const [gap, tolerance] = [givenText(brief(reached)), givenText(new Decimal(asked))];
  if (rows === undefined) {
    return `The relative gap between the bounds is ${gap}, above the tolerance of ${tolerance}. The upper bound is valid.`;
  }
  return `For ${counted(rows, 'value')}, the relative gap between the bounds is above the tolerance of ${tolerance}, up to ${gap}. All numbers are valid.`;
}

/** A number that is held as text. */
const numberText = (text: string): string => givenText(new Decimal(text));

/** Every warning of an answer, in sentences: what and why, and what can be done. */
const WARNINGS: Texts<'code', Warning> = {
  'laplace-as-dp': {
    message: ({ entries }) =>
      `Laplace noise (${abridged(entries)}) is interactive or continual, and privacy loss distributions compose for noninteractive mechanisms only. It is composed as (sensitivity/scale, 0)-DP and through Renyi DP.`,
    meaning:
      'Laplace noise of an interactive or continual mechanism is composed as (sensitivity / scale, 0)-DP and through Renyi DP. Privacy loss distributions compose for noninteractive mechanisms only.',
    hint: ONCE,
  },
  'bounded-range-interactive': {
    message: ({ entries }) =>
      `${abridged(entries)} ${entries.length === 1 ? 'has bounded range but is' : 'have bounded range but are'} interactive or continual, and bounded-range theorems hold for noninteractive mechanisms only. Each is composed as (epsilon, 0)-DP and through Renyi DP.`,
    meaning:
      'A bounded-range mechanism that is interactive or continual is composed as (epsilon, 0)-DP and through Renyi DP. The theorems on bounded range hold for noninteractive mechanisms only.',
    hint: ONCE,
  },
  'single-pair-interactive': {
    message: ({ entries }) =>
      `${abridged(entries)} ${entries.length === 1 ? 'is interactive or continual' : 'are interactive or continual'}. Without finite communication, privacy loss distributions compose for noninteractive mechanisms only. Renyi DP is used instead.`,
    meaning:
      'Noise of a known distribution in an interactive or continual mechanism is composed through Renyi DP. Without finite communication, privacy loss distributions compose for noninteractive mechanisms only.',
    hint: `If communication is finite, set "finiteCommunication": true. ${ONCE}`,
  },
  'mixed-classes': {
    message: ({ classes }) =>
      `The list mixes ${listed(classes)}. No bound in dpcompose uses the full strength of all of them at once. The upper bound may be larger than necessary.`,
    meaning:
      'The list mixes classes of mechanisms, and no bound in dpcompose uses the full strength of all of them at once. The upper bound may be larger than necessary.',
    hint: 'To see the privacy loss of each class, compose one at a time.',
  },
  'delta-infeasible': {
    message: ({ failure }) =>
      `The total delta of these mechanisms is at least ${numberText(failure)} at every epsilon. The target delta is smaller, so no epsilon is large enough.`,
    meaning:
      'The target delta is smaller than the total delta of the mechanisms at every epsilon. No epsilon is large enough, so the answer is infinite.',
    hint: ({ failure, smallestDelta }) =>
      `Use ${failure === smallestDelta ? 'a delta of at least that' : `a delta of at least ${numberText(smallestDelta)}`}, or reduce the delta of each mechanism.`,
    remedy: 'Use a delta of at least that, or reduce the delta of each mechanism.',
  },
  'delta-not-covered': {
    message: ({ smallestDelta }) =>
      `No theorem in dpcompose gives a finite epsilon at the target delta: the bounds allow for a complete failure with probability ${numberText(smallestDelta)}. Whether the plan can fail that often is not known.`,
    meaning:
      'No theorem in dpcompose gives a finite epsilon at the target delta, as the bounds allow for a complete failure with a larger probability. Whether the plan can fail that often is not known.',
    hint: 'Use at least that delta, or make each mechanism less likely to fail.',
    remedy: 'Use a delta of at least that probability, or make each mechanism less likely to fail.',
  },
  'no-finite-epsilon': {
    message:
      'No bound that applies gives a finite epsilon at this delta: the privacy loss of these mechanisms is not bounded.',
    hint: 'Use a larger delta.',
  },
  'large-delta': {
    message: ({ delta, examples }) =>
      `A delta of ${givenText(delta)} is not below 1 / ${grouped(examples)}. Publishing one example drawn at random is (0, 1 / ${grouped(examples)})-differentially private.`,
    meaning:
      'The delta is not below one over the number N of examples. Publishing one example drawn at random is (0, 1 / N)-differentially private.',
    hint: 'Use a delta well below one over the number of examples.',
  },
  'weaker-bound': {
    message: ({ bound, sharper, limit }) =>
      `${sharper}, which is sharper, ${limit === undefined ? 'gave no tight value here' : `is computed for at most ${limit} only`}. The upper bound is that of ${bound}: valid, but it may be far larger than necessary.`,
    meaning:
      'A sharper bound gave no tight value, or is not computed for compositions this large. The upper bound is valid, but it may be far larger than necessary.',
    hint: ({ limit }) =>
      limit === undefined
        ? 'More noise, or fewer mechanisms where there are several, may make the sharper bound tight.'
        : 'Within that limit the sharper bound is used.',
    remedy: 'Use more noise, or compose fewer mechanisms, within the limit that the warning names.',
  },
  interrupted: {
    message: ({ bounds }) => `--max-seconds ran out before ${listed(bounds)} finished.`,
    meaning: '--max-seconds ran out before some bounds finished. The upper bound is valid; theirs may be smaller.',
    hint: 'The upper bound is valid; with more time it may be smaller.',
    remedy: 'Allow more time with --max-seconds, or name the bounds to compute with --bounds.',
  },
  'tolerance-not-met': {
    message: widthText,
    meaning: 'The gap between the bounds is wider than --tolerance. The upper bound is still valid.',
    hint: ({ cut }) =>
      cut
        ? '--max-seconds ran out; with more time the gap may be narrower.'
        : 'To accept the gap, use a larger --tolerance.',
    remedy: 'Allow more time with --max-seconds, or accept the width with a larger --tolerance.',
  },
  'different-neighbours': {
    message: ({ relations: [one, other] }) =>
      `The designs have different neighboring relations ("${printable(one)}" and "${printable(other)}"). Their numbers bound different risks, and the smaller one need not protect more.`,
    meaning:
      'The compared designs have different neighboring relations. Their numbers bound different risks, and the smaller one need not protect more.',
    hint: 'Write both for the same "neighbours".',
  },
  'design-not-checked': {
    message:
      'The "design" of this document was not checked. The total of its mechanisms is a guarantee of the whole only if dpcompose design accepts it.',
    hint: 'Run dpcompose design on this document.',
  },
  'cap-below-instance': {
    message: ({ path, label, deltaCap, delta }) =>
      `${placeOf({ path, label }, null)} has "deltaCap": ${givenText(deltaCap)}, below the delta ${givenText(delta)} of one instance: no instance fits under the cap.`,
    meaning: 'A "deltaCap" is smaller than the delta of one instance, so that not one instance fits under it.',
    hint: 'Raise "deltaCap", or lower the delta of the instances.',
  },
};

/** A warning in a few sentences: what, why, and what can be done. */
export function warningMessage(warning: Warning): string {
  const { message, hint } = filledIn<never>(WARNINGS[warning.code], warning as never);
  return `${message} ${hint}`;
}

/** What every warning is. */
export const warningExplanations = (): Explanations<Warning['code']> => explanationsOf(WARNINGS);

const ANOTHER = 'Use the certified upper and lower bounds, or choose another bound with --bounds.';

/** Why there is no second opinion in decimals. */
const UNAVAILABLE: Readonly<Record<Unavailable, Text<never> & { readonly message: string }>> = {
  'too-large': {
    message: 'there are too many mechanisms, or their parameters are too large, to add up every term',
    hint: 'Use the certified upper and lower bounds, which do not depend on it, or compose fewer mechanisms.',
  },
  'needs-lattice': { message: 'it is computed by integrals or tables', hint: ANOTHER },
  'mechanism-not-covered': { message: 'it has no evaluation in decimals for these mechanisms', hint: ANOTHER },
  interrupted: {
    message: '--max-seconds ran out',
    hint: 'Allow more time, or use the certified upper and lower bounds.',
  },
  'not-resolved': {
    message: 'so many digits were lost to cancellation that those asked for are not certain',
    hint: 'Ask for more digits with --precision.',
  },
};

const NOT_AVAILABLE = 'is not available in decimal arithmetic:';

/** Why a bound has no decimal value, in words that follow its name. */
export const unavailableMessage = (reason: Unavailable): string => `${NOT_AVAILABLE} ${UNAVAILABLE[reason].message}`;

/** What every reason is for which there is no second opinion. */
export const precisionExplanations = (): Explanations<Unavailable> =>
  explanationsOf(UNAVAILABLE, `the bound ${NOT_AVAILABLE} `);
