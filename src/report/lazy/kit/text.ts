import type { AuditNote } from '../../../lazy/accounting/audit.ts';
import type { GuaranteeKind } from '../../../lazy/accounting/resampling.ts';
import { isWithoutY, type L2pSetting, type Measure } from '../../../lazy/core/setting.ts';
import type { Precondition } from '../../../lazy/theorems/theorem-3-2.ts';
import { Decimal, decimalFromDouble } from '../../../numeric/decimal.ts';
import type { Enclosure } from '../../../numeric/enclosure.ts';
import { givenText, shortText } from '../../kit/number.ts';
import { onTerminal, type Block } from '../../kit/page.ts';
import { grouped, listed, wrapped } from '../../kit/prose.ts';

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
  return text === '1' && !value.eq(1) ? `1 - ${parameterText(new Decimal(1).minus(value))}` : text;
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
      return `regularised weights with beta ${parameterText(beta)}, lambda ${parameterText(lambda)}${size}`;
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

/** One sentence or two for a note. */
export function auditNoteMessage(note: AuditNote): string {
  switch (note.code) {
    case 'batch-rounded':
      return `The formula gives B = ${aboutText(note.printed.toNumber())}, which is not a whole number: ${grouped(note.batch)} is used.`;
    case 'hypothesis-fails': {
      const hypotheses = note.hypotheses.map((id) => HYPOTHESIS_TEXT[id].join(' must be '));
      return `Theorem 3.2 does not cover these parameters: ${listed(hypotheses)}.`;
    }
    case 'claim-only':
      return 'Theorem 3.2 covers these parameters, but its epsilon is printed as a claim: its proof takes eta for a switch where it shows 2 eta, and bounds the fake but not the real switches.';
    case 'without-y':
      return 'There is no y: Theorem 3.2, which is about L2P with one, says nothing here.';
    case 'flag-of-any-measure':
      return 'Case 2 of its proof takes 2 eta for what one loss does to the logarithm of the chance to keep x. For any measure of Assumption 3.1 it is 4 eta, since Lemma 3.6 bounds each of the two ratios there by e^(2 eta): exact accounting, which has 4 eta, may be above the theorem, and what its proof reveals may lose more than it says (docs/theorem-3-2.md has an example).';
    case 'claim-above-target':
      return `The epsilon of Theorem 3.2 is above the target ${givenText(note.target)}.`;
    case 'measure-moves-further':
      return `Lemma 3.11 lets the measure move by ${aboutText(note.eta)}, more than its eta, so that Theorem 3.2 is taken at that larger eta.`;
    case 'guarantee-above-target':
      return `Exact accounting does not give the target ${givenText(note.target)}.`;
    case 'no-accounting':
      return 'With delta0 above 0 exact accounting needs to know the measure; for convex losses give --measure convex with --beta and --lambda.';
    case 'switch-reveals':
      return `Exact accounting gives no finite epsilon: without fake switches the losses may keep x for certain, and then a switch tells the neighbours apart, with a chance of up to ${mostText(note.chance)}. Give ${note.helps === 'c' ? 'a larger c' : `a p above 0${note.helps === null ? '' : ', a larger eta'}`} or a delta above that.`;
    case 'no-finite-epsilon':
      return `Exact accounting finds no finite epsilon at delta ${givenText(note.delta)}: give a larger delta, or a smaller eta or beta.`;
    case 'never-covered':
      return `With p = 10 eta/epsilon the hypothesis on eta B ln(1/delta1) / p is epsilon B ln(2T/delta) <= 10: with this B it fails for every delta below 1 once T is above ${grouped(note.rounds)}.`;
  }
}

/** The heading of a page of lazy; where it is broken into lines its marks count as columns. */
export const lazyHeading = (text: string): Block =>
  onTerminal(({ style, width }) => wrapped(style.heading(text), width));
