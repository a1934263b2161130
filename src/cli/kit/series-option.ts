import { Decimal, ONE } from '../../numeric/decimal.ts';
import { givenText } from '../../output/kit/number.ts';
import { grouped } from '../../output/kit/prose.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { readNumberOption, type NumberRange } from './number-option.ts';

/** An option that takes several numbers, and how a range of them goes from one to the next. */
export interface SeriesRange extends NumberRange {
  readonly step: 'sum' | 'tenfold';
  /** Whether a range may also say how many points it has. */
  readonly points?: 'real' | 'whole';
}

/** The most values an option may have. */
const MOST = 1000;

const TEN = new Decimal(10);

const FORM = {
  sum: 'FROM:TO or FROM:TO:STEP',
  tenfold: 'FROM:TO, which steps by factors of 10',
};

const POINTS_FORM = {
  sum: 'FROM:TO, FROM:TO:STEP, FROM:TO/POINTS or FROM:TO/POINTSlog',
  tenfold: 'FROM:TO (by factors of 10), FROM:TO/POINTS or FROM:TO/POINTSlin',
};

/** Points between the ends of a range are rounded to so many digits. */
const DIGITS = { sum: 12, tenfold: 6 };

/** Powers of the ratio between points, carried further than what is shown of them. */
const Ratio = Decimal.clone({ precision: 40 });

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

/** So many points from FROM to TO, both among them, at equal distances or (both above 0) ratios. */
function evenly(from: Decimal, to: Decimal, points: number, spacing: 'sum' | 'tenfold'): readonly Decimal[] {
  if (points === 1 || from.eq(to)) return [from];
  const steps = points - 1;
  const ratio = spacing === 'sum' ? null : new Ratio(to).div(from).pow(new Ratio(1).div(steps));
  let reached = new Ratio(from);
  return Array.from({ length: points }, (_, index) => {
    if (index === 0) return from;
    if (index === steps) return to;
    reached = ratio === null ? new Ratio(to).minus(from).times(index).div(steps).plus(from) : reached.times(ratio);
    return new Decimal(reached.toSignificantDigits(DIGITS[spacing]));
  });
}

const tooMany = (flag: string, count: Decimal): InputError => ({
  code: 'too-many-values',
  path: flag,
  message: `must have at most ${grouped(MOST)} values, got ${givenText(count)}`,
  hint: 'Take a larger step, or ask in several parts.',
});

const positive = (range: NumberRange, what: string): NumberRange => ({
  ...range,
  allowed: what,
  contains: (value) => value.gt(0),
});

/** The values of FROM:TO or FROM:TO:STEP. */
function readRange(
  [first = '', last = '', step]: readonly string[],
  range: SeriesRange,
  errors: InputError[],
): readonly Decimal[] {
  const end = range.step === 'sum' ? range : positive(range, 'above 0 in a range');
  const [from, to] = [first, last].map((text) => readNumberOption(text, end, errors));
  const by = step === undefined ? ONE : readNumberOption(step, positive(range, 'above 0 as a step'), errors);
  if (from === undefined || to === undefined || by === undefined) return [];
  const values = range.step === 'sum' ? inSums(from, to, by) : inTens(from, to);
  if (!('tooMany' in values)) return values;
  errors.push(tooMany(range.flag, values.tooMany));
  return [];
}

const POINTS = /^([^:/]*):([^:/]*)\/(\d{1,15})(log|lin)?$/;

/** The values of FROM:TO/POINTS; whole numbers are rounded to whole ones, equal ones made one. */
function readPoints(
  [, first = '', last = '', many = '', spacing]: readonly string[],
  range: SeriesRange,
  errors: InputError[],
): readonly Decimal[] {
  const step = spacing === undefined ? range.step : spacing === 'log' ? 'tenfold' : 'sum';
  const end = step === 'sum' ? range : positive(range, 'above 0 in a range of equal ratios');
  const [from, to] = [first, last].map((text) => readNumberOption(text, end, errors));
  const points = readNumberOption(many, positive(range, 'at least 1 as a number of points'), errors);
  if (from === undefined || to === undefined || points === undefined) return [];
  if (points.gt(MOST)) {
    errors.push(tooMany(range.flag, points));
    return [];
  }
  const values = evenly(from, to, points.toNumber(), step);
  if (range.points !== 'whole') return values;
  const whole = values.map((value, index) => (index === 0 || index === values.length - 1 ? value : value.round()));
  return whole.filter((value, index) => index === 0 || !value.eq(whole[index - 1]!));
}

/** The dots of `1..10`, which is 1:10 elsewhere. */
const DOTS = /(?<=\d)\.\.(?=\d)/;

function readPiece(text: string, range: SeriesRange, errors: InputError[]): readonly Decimal[] {
  const piece = text.replace(DOTS, ':');
  const pointed = range.points === undefined ? null : POINTS.exec(piece);
  if (pointed !== null) return readPoints(pointed, range, errors);
  const parts = piece.split(':');
  if (parts.length === 1) {
    const value = readNumberOption(piece, range, errors);
    return value === undefined ? [] : [value];
  }
  if (parts.length <= (range.step === 'sum' ? 3 : 2)) return readRange(parts, range, errors);
  const form = range.points === undefined ? FORM : POINTS_FORM;
  const message = `a range must be ${form[range.step]}, got ${quote(piece)}`;
  const hint = 'Other values can be listed with commas between them.';
  errors.push({ code: 'malformed-range', path: range.flag, message, hint });
  return [];
}

/**
 * Reads an option that takes a number, a range FROM:TO or FROM:TO:STEP, or several of these with commas between them (FROM..TO is FROM:TO),
 * in exact decimals; what is wrong goes to `errors`. A range goes down where TO is below FROM. Where the option allows
 * it, FROM:TO/POINTS is so many points at equal distances (`lin`) or ratios (`log`): whichever steps of that option are.
 */
export function readSeriesOption(text: string, range: SeriesRange, errors: InputError[]): readonly Decimal[] {
  const values = text.split(',').flatMap((piece) => readPiece(piece, range, errors));
  if (values.length > MOST) errors.push(tooMany(range.flag, new Decimal(values.length)));
  const wrong = values.find((value) => !range.contains(value));
  if (wrong !== undefined) readNumberOption(wrong.toString(), range, errors);
  return values;
}
