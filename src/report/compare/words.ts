import type { Both, ComparedAt, DesignComparison } from '../../composition/compare/compare.ts';
import type { Stretch } from '../../numeric/convex/certain-order.ts';
import { Decimal } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import { bracketText, exactGivenText, givenText } from '../kit/number.ts';
import { printable } from '../kit/prose.ts';

/** A number of both designs, with its name. */
export interface ComparedRow {
  readonly quantity: string;
  readonly values: Both<Bracket>;
}

const rowsAt = (name: string, along: string, all: readonly ComparedAt[]): ComparedRow[] =>
  all.map(({ at, values }) => ({ quantity: `${name} at ${along} ${exactGivenText(at)}`, values }));

/** All numbers that are compared; of each the smaller is better. */
export const comparedRows = ({ epsilons, deltas, advantage, truePositiveRates }: DesignComparison): ComparedRow[] => [
  ...rowsAt('epsilon', 'delta', epsilons),
  ...rowsAt('delta', 'epsilon', deltas),
  { quantity: 'membership advantage', values: advantage },
  ...rowsAt('true-positive rate', 'false-positive rate', truePositiveRates),
];

/** The design whose number is certainly smaller; null where that is not known. */
export function smallerOf([first, second]: Both<Bracket>): 'first' | 'second' | null {
  if (second.lower !== null && first.upper < second.lower) return 'first';
  return first.lower !== null && second.upper < first.lower ? 'second' : null;
}

export const valueText = (value: Bracket): string => bracketText(value);

const nameOf = ({ names }: DesignComparison, which: 'first' | 'second'): string =>
  printable(names[which === 'first' ? 0 : 1]);

/** Whose number is smaller, or nothing. */
export const smallerText = (comparison: DesignComparison, values: Both<Bracket>): string => {
  const smaller = smallerOf(values);
  return smaller === null ? 'not known' : nameOf(comparison, smaller);
};

/** A row of the table that says where each is better. */
export interface StretchRow {
  readonly from: string;
  readonly to: string;
  readonly better: string;
}

/** Digits of the end of a stretch. */
const DIGITS = 10;

/** The ends of a stretch: inward where something is certain of it, outward where it is not. */
function endsText({ from, to, smaller }: Stretch): Pick<StretchRow, 'from' | 'to'> {
  const isCertain = smaller !== null;
  const short = (end: number, isUp: boolean): string =>
    givenText(
      new Decimal(new Decimal(end).toSignificantDigits(DIGITS, isUp ? Decimal.ROUND_CEIL : Decimal.ROUND_FLOOR)),
    );
  return { from: short(from, isCertain), to: short(to, !isCertain) };
}

/** Where the delta of each is smaller. */
export const epsilonRows = (comparison: DesignComparison): StretchRow[] =>
  comparison.byEpsilon.map((stretch) => {
    const { smaller } = stretch;
    const better = smaller === null ? 'not known' : smaller === 'both-0' ? 'both are 0' : nameOf(comparison, smaller);
    return { ...endsText(stretch), better };
  });

/** Where tests on each have the larger false-negative rate. */
export const rateRows = (comparison: DesignComparison): StretchRow[] =>
  comparison.byRate.map((stretch) => {
    const { smaller } = stretch;
    const better =
      smaller === null
        ? 'not known'
        : smaller === 'both-0'
          ? 'both are 0'
          : nameOf(comparison, smaller === 'first' ? 'second' : 'first');
    return { ...endsText(stretch), better };
  });

const isOf =
  (which: 'first' | 'second') =>
  ({ smaller }: Stretch): boolean =>
    smaller === which || smaller === 'both-0';

/** Which is better, as far as that is proved, in a sentence. */
export function compareStatement(comparison: DesignComparison): string {
  const { byEpsilon, neverLarger } = comparison;
  const [one, two] = [nameOf(comparison, 'first'), nameOf(comparison, 'second')];
  const last = endsText({ ...byEpsilon.at(-1)!, smaller: 'first' }).to;
  const settled = (best: string, worse: string): string =>
    `At every epsilon of at least 0 the smallest delta of ${best} is smaller than that of ${worse}, or both are 0.`;
  const upTo = (best: string, worse: string): string =>
    `At every epsilon from 0 to ${last} the smallest delta of ${best} is smaller than that of ${worse}, or both are 0; beyond that nothing is proved.`;
  if (byEpsilon.every(({ smaller }) => smaller === 'both-0'))
    return 'At every epsilon of at least 0 both deltas are 0.';
  if (neverLarger[0]) return settled(one, two);
  if (neverLarger[1]) return settled(two, one);
  if (byEpsilon.every(isOf('first'))) return upTo(one, two);
  if (byEpsilon.every(isOf('second'))) return upTo(two, one);
  const some = (which: 'first' | 'second'): boolean => byEpsilon.some(({ smaller }) => smaller === which);
  if (some('first') && some('second')) {
    return `Neither is better everywhere: the smallest delta is certainly smaller for ${one} at some epsilons, and for ${two} at others.`;
  }
  if (some('first') || some('second')) {
    const [best, worse] = some('first') ? [one, two] : [two, one];
    return `The smallest delta of ${best} is certainly smaller than that of ${worse} at some epsilons; at no epsilon is the contrary certain.`;
  }
  return 'At no epsilon is it certain whose smallest delta is smaller.';
}

/** Where all numbers are only claims, nothing certain can be said of who is better. */
export function compareNotes({ names, deltas, advantage }: DesignComparison): string[] {
  const unknown = ([0, 1] as const).filter((which) =>
    [advantage, ...deltas.map(({ values }) => values)].every((values) => values[which].lower === null),
  );
  return unknown.map(
    (which) =>
      `Of ${printable(names[which])} claims are known, but not how far below them the truth may be: nothing is certainly smaller than it.`,
  );
}
