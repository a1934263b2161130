import { preciseValue } from '../../bounds/precise/evaluate.ts';
import type { Interval } from '../../bounds/precise/interval.ts';
import { Decimal, decimalFromDouble, ONE } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { effectiveOrder } from '../../privacy/curve.ts';
import type { ComposeOptions, Problem } from './compose.ts';
import type { Answer, BoundRow, DecimalValue } from '../core/outcome.ts';
import { flatEntries } from '../core/plan-node.ts';

/** Digits that can be asked for. */
export const DIGITS = { least: 20, most: 200 } as const;

/** How far, relatively, the upper bound in doubles may exceed the decimal where no lower end says how tight it is. */
const LOOSE = 1e-6;
/** Beyond any rounding of a decimal, below any of a double. */
const ROUNDING = '1e-18';
/**
 * Times 1/e: what the moments of e-bounded range lose in doubles, where they are differences of e and numbers near 1;
 * relative to the exponent of delta.
 */
const MOMENT_ROUNDING = 1e-12;
/** Smaller doubles lose digits, so that only their direction is compared. */
const SMALLEST = 1e-300;

const decimalOf = (x: number): Decimal => (Number.isFinite(x) ? decimalFromDouble(x) : new Decimal(x));

/** Whether a decimal value and what doubles say of the same bound can both be true. */
function agree(interval: Interval, { lower, upper }: Bracket, loose: number): boolean {
  const upperEnd = decimalOf(upper);
  if (lower !== null) return interval.upper.gte(decimalOf(lower)) && interval.lower.lte(upperEnd);
  if (interval.lower.gt(upperEnd.plus(upperEnd.abs().times(ROUNDING)))) return false;
  if (upper < SMALLEST || interval.upper.gte(upperEnd)) return true;
  return interval.upper.gte(upperEnd.times(ONE.minus(loose)));
}

/** How far above the decimal a bound without a lower end may lie: as far as was asked, and as doubles take it. */
function looseness(entries: readonly Entry[], { query, delta }: Answer, tolerance: number): number {
  const ranges = entries.flatMap(({ mechanism }) =>
    mechanism.type === 'bounded-range' && mechanism.epsilon.gt(0) ? [mechanism.epsilon.toNumber()] : [],
  );
  const lost = ranges.length === 0 ? 0 : MOMENT_ROUNDING / Math.min(...ranges);
  const scale = query.solveFor === 'delta' ? 1 - Math.log(Math.max(delta.upper, SMALLEST)) : 1;
  return Math.min(1, Math.max(LOOSE, tolerance) + lost * scale);
}

/** A bracket that the decimal contradicts, for the message. */
const bracketText = ({ lower, upper }: Bracket): string =>
  lower === null ? `at most ${upper}` : `between ${lower} and ${upper}`;

/**
 * The same answer with a second opinion: every bound that applies is computed again in decimal arithmetic with
 * `digits` significant digits (20 to 200), rounded up, by code that shares nothing with the first, where that is
 * possible; else it says why not.
 *
 * @param answer - what {@link compose} answered to the problem
 * @param options - `tolerance`, where {@link compose} was given one; `interrupted`: true once the work is to be given up
 * @throws Error where the two contradict each other: one of them is wrong, and nothing should be claimed
 * @throws RangeError where `digits` is not a whole number from 20 to 200
 */
export function secondOpinion(
  { entries: nodes, adaptivity, order: declared }: Problem,
  answer: Answer,
  digits: number,
  options: Pick<ComposeOptions, 'tolerance' | 'interrupted'> = {},
): Answer {
  if (!Number.isInteger(digits) || digits < DIGITS.least || digits > DIGITS.most) {
    throw new RangeError(`digits must be a whole number from ${DIGITS.least} to ${DIGITS.most}, got ${digits}`);
  }
  if (adaptivity === 'parameters') return answer;
  const { query, plan } = answer;
  const entries = plan?.entries ?? flatEntries(nodes) ?? [];
  const order = plan === undefined ? effectiveOrder(adaptivity, declared) : 'any';
  const watch = options.interrupted === undefined ? {} : { interrupted: options.interrupted };
  const loose = looseness(entries, answer, options.tolerance ?? 0);
  const valueFor = (row: Extract<BoundRow, { applies: true }>): DecimalValue => {
    if (row.id === 'grouped' || plan?.sets.eq(1) === false) return { unavailable: 'mechanism-not-covered' };
    const value = preciseValue(row.id, { entries, adaptivity, order }, query, digits, watch);
    if ('unavailable' in value) return value;
    const bracket = row[query.solveFor];
    if (!agree(value.interval, bracket, loose)) {
      throw new Error(
        `${row.id} contradicts itself: its ${query.solveFor} is ${value.digits} in decimal arithmetic and ${bracketText(bracket)} in doubles`,
      );
    }
    return { digits: value.digits };
  };
  const bounds = answer.bounds.map((row) => (row.applies ? { ...row, decimal: valueFor(row) } : row));
  const best = bounds.find((row) => row.id === answer.bound);
  return { ...answer, bounds, ...(best?.applies === true ? { decimal: best.decimal } : {}) };
}
