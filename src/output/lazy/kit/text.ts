import type { GuaranteeKind } from '../../../learning/accounting/resampling.ts';
import { isWithoutY, type L2pSetting, type Measure } from '../../../learning/core/setting.ts';
import type { Precondition } from '../../../learning/theorems/theorem-3-2.ts';
import { Decimal, decimalFromDouble, ONE } from '../../../numeric/decimal.ts';
import type { Enclosure } from '../../../numeric/enclosure.ts';
import { givenText, shortText } from '../../kit/number.ts';
import { onTerminal, type Block } from '../../kit/page.ts';
import { grouped, wrapped } from '../../kit/prose.ts';

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

/** The heading of a page of lazy; where it is broken into lines its marks count as columns. */
export const lazyHeading = (text: string): Block =>
  onTerminal(({ style, width }) => wrapped(style.heading(text), width));
