import { Decimal } from '../numeric/decimal.ts';
import { givenText } from '../report/number.ts';
import { grouped } from '../report/prose.ts';
import { quote } from '../spec/quote.ts';
import type { InputError } from '../spec/specification.ts';
import { readNumberOption, type NumberRange } from './number-option.ts';

/** An option that takes several numbers, and how a range of them goes from one to the next. */
export interface SeriesRange extends NumberRange {
  readonly step: 'sum' | 'tenfold';
}

/** The most values an option may have. */
const MOST = 1000;

const TEN = new Decimal(10);

const FORM = {
  sum: 'FROM:TO or FROM:TO:STEP',
  tenfold: 'FROM:TO, which steps by factors of 10',
};

/** FROM, FROM + STEP, ... up to TO, or down to it; how many there are, where they are too many. */
function inSums(from: Decimal, to: Decimal, step: Decimal): readonly Decimal[] | { readonly tooMany: Decimal } {
  const steps = to.minus(from).abs().divToInt(step);
  if (steps.gte(MOST)) return { tooMany: steps.plus(1) };
  const change = to.lt(from) ? step.negated() : step;
  return Array.from({ length: steps.toNumber() + 1 }, (_, index) => from.plus(change.times(index)));
}

/** FROM, then ten times more or less at each step, as long as TO is not passed; both are above 0. */
function inTens(from: Decimal, to: Decimal): readonly Decimal[] {
  const rises = from.lte(to);
  const values: Decimal[] = [];
  for (let value = from; rises ? value.lte(to) : value.gte(to); value = rises ? value.times(TEN) : value.div(TEN)) {
    values.push(value);
  }
  return values;
}

const tooMany = (flag: string, count: Decimal): InputError => ({
  code: 'too-many-values',
  path: flag,
  message: `must have at most ${grouped(MOST)} values, got ${givenText(count)}`,
  hint: 'Take a larger step, or ask in several parts.',
});

/** The values of FROM:TO or FROM:TO:STEP. */
function readRange(
  [first = '', last = '', step]: readonly string[],
  range: SeriesRange,
  errors: InputError[],
): readonly Decimal[] {
  const positive = (what: string): NumberRange => ({ ...range, allowed: what, contains: (value) => value.gt(0) });
  const end = range.step === 'sum' ? range : positive('above 0 in a range');
  const [from, to] = [first, last].map((text) => readNumberOption(text, end, errors));
  const by = step === undefined ? new Decimal(1) : readNumberOption(step, positive('above 0 as a step'), errors);
  if (from === undefined || to === undefined || by === undefined) return [];
  const values = range.step === 'sum' ? inSums(from, to, by) : inTens(from, to);
  if (!('tooMany' in values)) return values;
  errors.push(tooMany(range.flag, values.tooMany));
  return [];
}

function readPiece(piece: string, range: SeriesRange, errors: InputError[]): readonly Decimal[] {
  const parts = piece.split(':');
  if (parts.length === 1) {
    const value = readNumberOption(piece, range, errors);
    return value === undefined ? [] : [value];
  }
  if (parts.length <= (range.step === 'sum' ? 3 : 2)) return readRange(parts, range, errors);
  const message = `a range must be ${FORM[range.step]}, got ${quote(piece)}`;
  const hint = 'Other values can be listed with commas between them.';
  errors.push({ code: 'malformed-range', path: range.flag, message, hint });
  return [];
}

/**
 * Reads an option that takes a number, a range FROM:TO or FROM:TO:STEP, or several of these with commas between them,
 * in exact decimals; what is wrong goes to `errors`. A range goes down where TO is below FROM.
 */
export function readSeriesOption(text: string, range: SeriesRange, errors: InputError[]): readonly Decimal[] {
  const values = text.split(',').flatMap((piece) => readPiece(piece, range, errors));
  if (values.length > MOST) errors.push(tooMany(range.flag, new Decimal(values.length)));
  const wrong = values.find((value) => !range.contains(value));
  if (wrong !== undefined) readNumberOption(wrong.toString(), range, errors);
  return values;
}
