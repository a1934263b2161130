import type { Unavailable } from '../../bounds/precise/curve.ts';
import type { Warning } from '../../composition/core/outcome.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { givenText } from '../kit/number.ts';
import { explanationsOf, filledIn, type Explanations, type Named, type Text, type Texts } from '../kit/message.ts';
import { abridged, grouped, listed, printable } from '../kit/prose.ts';
import { placeOf } from './refused-document.ts';

const ONCE = 'Set "kind" to "noninteractive" where a mechanism answers once.';

/** A width to three digits, rounded up. */
const brief = (width: number): Decimal => new Decimal(width).toSignificantDigits(3, Decimal.ROUND_UP);

function widthText({ asked, reached, rows }: Named<Warning, 'code', 'tolerance-not-met'>): string {
  const width = `${givenText(brief(reached))} wide (relative) where ${givenText(new Decimal(asked))} was asked`;
  if (rows === undefined) return `The enclosure is ${width}. The claim is valid.`;
  const wide = rows === 1 ? '1 enclosure is' : `${grouped(rows)} enclosures are`;
  return `${wide} wider than asked, up to ${width}. All numbers are valid.`;
}

/** A number that is held as text. */
const numberText = (text: string): string => givenText(new Decimal(text));

/** Every warning of an answer, in sentences: what and why, and what can be done. */
const WARNINGS: Texts<'code', Warning> = {
  'laplace-as-dp': {
    message: ({ entries }) =>
      `Laplace noise (${abridged(entries)}) is interactive or continual, and loss distributions compose for noninteractive mechanisms only: composed as (sensitivity/scale, 0)-DP and through Renyi DP.`,
    meaning:
      'Laplace noise of an interactive or continual mechanism is composed as (sensitivity / scale, 0)-DP and through Renyi DP, because loss distributions compose for noninteractive mechanisms only.',
    hint: ONCE,
  },
  'bounded-range-interactive': {
    message: ({ entries }) =>
      `${abridged(entries)} ${entries.length === 1 ? 'has bounded range but is' : 'have bounded range but are'} interactive or continual, and bounded-range theorems hold for noninteractive mechanisms only: composed as (epsilon, 0)-DP and through Renyi DP.`,
    meaning:
      'A bounded-range mechanism that is interactive or continual is composed as (epsilon, 0)-DP and through Renyi DP, because the theorems on bounded range hold for noninteractive mechanisms only.',
    hint: ONCE,
  },
  'single-pair-interactive': {
    message: ({ entries }) =>
      `${abridged(entries)} ${entries.length === 1 ? 'adds noise of a known distribution but is' : 'add noise of a known distribution but are'} interactive or continual, and exact loss distributions compose for noninteractive mechanisms only: composed through Renyi DP.`,
    meaning:
      'Noise of a known distribution in an interactive or continual mechanism is composed through Renyi DP, because exact loss distributions compose for noninteractive mechanisms only.',
    hint: ONCE,
  },
  'mixed-classes': {
    message: ({ classes }) =>
      `The list mixes ${listed(classes)}. No bound here uses the particular strength of each of them at once, so only bounds that hold for all are used and the claim may be larger than it need be.`,
    meaning:
      'The list mixes classes of mechanisms that no bound here uses in full at once, so that only bounds that hold for all are used, and the claim may be larger than it need be.',
    hint: 'Compose one class at a time to see what each costs alone.',
  },
  'delta-infeasible': {
    message: ({ failure }) =>
      `The target delta is below ${numberText(failure)}, the chance that these mechanisms together fail completely, so no epsilon is large enough.`,
    meaning:
      'The target delta is below the chance that the mechanisms together fail completely, so that no epsilon is large enough; the infinite epsilon is the answer.',
    hint: ({ failure, smallestDelta }) =>
      `Ask for at least ${failure === smallestDelta ? 'that delta' : `a delta of ${numberText(smallestDelta)}`}, or make each mechanism less likely to fail.`,
    remedy: 'Ask for a delta of at least that chance, or make each mechanism less likely to fail.',
  },
  'delta-not-covered': {
    message: ({ smallestDelta }) =>
      `No theorem here gives a finite epsilon at the target delta: what pays for this plan fails completely with probability ${numberText(smallestDelta)}. Whether the plan can fail that often is not known.`,
    meaning:
      'No theorem here gives a finite epsilon at the target delta, which is below the chance of a complete failure that the theorems allow for; whether the plan can fail that often is not known.',
    hint: 'Ask for at least that delta, or make each mechanism less likely to fail.',
    remedy: 'Ask for a delta of at least that chance, or make each mechanism less likely to fail.',
  },
  'no-finite-epsilon': {
    message:
      'No bound that applies gives a finite epsilon at this delta: the privacy loss of these mechanisms is not bounded.',
    hint: 'Ask for a larger delta.',
  },
  'large-delta': {
    message: ({ delta, examples }) =>
      `A delta of ${givenText(delta)} is not below 1 / ${grouped(examples)}: publishing one of the examples, drawn at random, as it is would be (0, 1 / ${grouped(examples)})-differentially private.`,
    meaning:
      'A delta is not below one over the number of examples: giving away one example, drawn at random, is (0, 1 / N)-differentially private.',
    hint: 'Ask for a delta well below one over the number of examples.',
  },
  'weaker-bound': {
    message: ({ bound, sharper, limit }) =>
      `${sharper}, which is sharper, ${limit === undefined ? 'found no narrow number here' : `is only computed for at most ${limit}`}. The claim is by ${bound}: valid, and perhaps far larger than it need be.`,
    meaning:
      'A sharper bound found no narrow number, or is not computed for a composition so large: a weaker one won. The claim is valid, and perhaps far larger than it need be.',
    hint: ({ limit }) =>
      limit === undefined
        ? 'A larger delta or fewer mechanisms may get the sharper one.'
        : 'Within those limits the sharper one is claimed.',
    remedy: 'Ask for a larger delta, or compose fewer mechanisms, within the limits that the warning names.',
  },
  interrupted: {
    message: ({ bounds }) => `Time was up (--max-seconds) before ${listed(bounds)} had a number.`,
    meaning: 'Time was up (--max-seconds) before some bounds had a number. The claim is valid; theirs may be smaller.',
    hint: 'The claim is valid; with more time it may be smaller.',
    remedy: 'Allow more time with --max-seconds, or name the bounds to compute with --bounds.',
  },
  'tolerance-not-met': {
    message: widthText,
    meaning: 'An enclosure is wider than --tolerance asks. The claim is valid all the same.',
    hint: ({ cut }) =>
      cut ? 'Time was up (--max-seconds); with more time it may be narrower.' : 'A larger --tolerance accepts it.',
    remedy: 'Allow more time with --max-seconds, or accept the width with a larger --tolerance.',
  },
  'different-neighbours': {
    message: ({ relations: [one, other] }) =>
      `The designs are for different neighboring data ("${printable(one)}" and "${printable(other)}"): their numbers bound different risks, and the smaller one need not protect more.`,
    meaning:
      'Designs that are set beside each other are for different neighboring data, so that their numbers bound different risks: the smaller one need not protect more.',
    hint: 'Give both for the same "neighbours".',
  },
  'design-not-checked': {
    message:
      'The "design" of this document was not checked: this is the total of its mechanisms, a guarantee of the whole only if dpcompose design accepts it.',
    hint: 'Run dpcompose design on this document.',
  },
  'cap-below-instance': {
    message: ({ path, label, deltaCap, delta }) =>
      `${placeOf({ path, label }, null)} has "deltaCap": ${givenText(deltaCap)}, and one instance may fail with probability ${givenText(delta)}: no instance fits under the cap.`,
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

const ANOTHER = 'Rely on the enclosure, or choose another bound with --bounds.';

/** Why there is no second opinion in decimals. */
const UNAVAILABLE: Readonly<Record<Unavailable, Text<never> & { readonly message: string }>> = {
  'too-large': {
    message: 'there are too many mechanisms, or their parameters are too large, to add up every term',
    hint: 'Rely on the enclosure, which does not depend on it; or ask for fewer mechanisms.',
  },
  'needs-lattice': { message: 'it is computed by integrals or tables', hint: ANOTHER },
  'mechanism-not-covered': { message: 'it has no such form for these mechanisms', hint: ANOTHER },
  interrupted: { message: 'time was up (--max-seconds)', hint: 'Allow more time, or rely on the enclosure.' },
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
