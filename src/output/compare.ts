import type { Both, ComparedAt, DesignComparison } from '../composition/compare/compare.ts';
import type { Stretch } from '../numeric/convex/certain-order.ts';
import { Decimal } from '../numeric/decimal.ts';
import type { Bracket } from '../numeric/enclosure.ts';
import { bracketText, exactGivenText, givenText } from './kit/number.ts';
import { printable, listed } from './kit/prose.ts';
import type { ExactForm } from '../document/structure/normal-form.ts';
import { BRACKET, FINITE, FLAG, GIVEN, TEXT } from './kit/codecs.ts';
import { WARNING } from './refusal/refusal.ts';
import { NAMED_INPUT, riskCurvePanel } from './risk-curve.ts';
import * as json from './kit/codec.ts';
import { heading, paragraph, type Block } from './kit/page.ts';
import { csvText, endsOf, table } from './kit/table.ts';
import type { Chart, DrawnOutput } from './chart/chart.ts';

/** A number of both designs, with its name. */
interface ComparedRow {
  readonly quantity: string;
  readonly values: Both<Bracket>;
}

const rowsAt = (name: string, along: string, all: readonly ComparedAt[]): ComparedRow[] =>
  all.map(({ at, values }) => ({ quantity: `${name} at ${along} ${exactGivenText(at)}`, values }));

/** All numbers that are compared; of each the smaller is better. */
const comparedRows = ({ epsilons, deltas, advantage, truePositiveRates }: DesignComparison): ComparedRow[] => [
  ...rowsAt('epsilon', 'delta', epsilons),
  ...rowsAt('delta', 'epsilon', deltas),
  { quantity: 'membership advantage', values: advantage },
  ...rowsAt('true-positive rate', 'false-positive rate', truePositiveRates),
];

/** The design whose number is certainly smaller; null where that is not known. */
function smallerOf([first, second]: Both<Bracket>): 'first' | 'second' | null {
  if (second.lower !== null && first.upper < second.lower) return 'first';
  return first.lower !== null && second.upper < first.lower ? 'second' : null;
}

/** The name of a design, or that both values are 0, or that it is not known of which something holds. */
function nameOf({ names }: DesignComparison, which: Stretch['smaller']): string {
  if (which === null) return 'not known';
  return which === 'both-0' ? 'both are 0' : printable(names[which === 'first' ? 0 : 1]);
}

/** Digits of the end of a stretch. */
const DIGITS = 10;

/** The ends of a stretch: inward where something is certain of it, outward where it is not. */
function endsText({ from, to, smaller }: Stretch): { readonly from: string; readonly to: string } {
  const isCertain = smaller !== null;
  const short = (end: number, isUp: boolean): string =>
    givenText(
      new Decimal(new Decimal(end).toSignificantDigits(DIGITS, isUp ? Decimal.ROUND_CEIL : Decimal.ROUND_FLOOR)),
    );
  return { from: short(from, isCertain), to: short(to, !isCertain) };
}

const OTHER = { first: 'second', second: 'first' } as const;

/** Where a value of each is smaller: deltas, of which the smaller is better, or false-negative rates, of which the larger is. */
function stretches(comparison: DesignComparison, of: 'byEpsilon' | 'byRate'): Block {
  const along = of === 'byEpsilon' ? 'epsilon' : 'false-positive rate';
  const better = ({ smaller }: Stretch): string =>
    nameOf(comparison, of === 'byRate' && (smaller === 'first' || smaller === 'second') ? OTHER[smaller] : smaller);
  return table(comparison[of], [
    [`${along} from`, (stretch) => endsText(stretch).from, { right: true, inBlock: `${along} from` }],
    ['to', (stretch) => endsText(stretch).to, { right: true }],
    [of === 'byEpsilon' ? 'smaller delta (better)' : 'larger false-negative rate (better)', better],
  ]);
}

const isOf =
  (which: 'first' | 'second') =>
  ({ smaller }: Stretch): boolean =>
    smaller === which || smaller === 'both-0';

/** Which is better, as far as that is proved, in a sentence. */
function compareStatement(comparison: DesignComparison): string {
  const { byEpsilon, neverLarger } = comparison;
  const [first, second] = [nameOf(comparison, 'first'), nameOf(comparison, 'second')];
  const last = endsText({ ...byEpsilon.at(-1)!, smaller: 'first' }).to;
  const settled = (best: string, worse: string): string =>
    `At every epsilon of at least 0 the smallest delta of ${best} is smaller than that of ${worse}, or both are 0.`;
  const upTo = (best: string, worse: string): string =>
    `At every epsilon from 0 to ${last} the smallest delta of ${best} is smaller than that of ${worse}, or both are 0; beyond that, nothing is proved.`;
  if (byEpsilon.every(({ smaller }) => smaller === 'both-0'))
    return 'At every epsilon of at least 0 both deltas are 0.';
  if (neverLarger[0]) return settled(first, second);
  if (neverLarger[1]) return settled(second, first);
  if (byEpsilon.every(isOf('first'))) return upTo(first, second);
  if (byEpsilon.every(isOf('second'))) return upTo(second, first);
  const some = (which: 'first' | 'second'): boolean => byEpsilon.some(({ smaller }) => smaller === which);
  if (some('first') && some('second')) {
    return `Neither is better everywhere: the smallest delta is certainly smaller for ${first} at some epsilons, and for ${second} at others.`;
  }
  if (some('first') || some('second')) {
    const [best, worse] = some('first') ? [first, second] : [second, first];
    return `The smallest delta of ${best} is certainly smaller than that of ${worse} at some epsilons; the opposite is certain at no epsilon.`;
  }
  return 'At no epsilon is it certain whose smallest delta is smaller.';
}

/** Where all numbers are only claims, nothing certain can be said of who is better. */
function compareNotes({ names, deltas, advantage }: DesignComparison): string[] {
  const unknown = ([0, 1] as const).filter((which) =>
    [advantage, ...deltas.map(({ values }) => values)].every((values) => values[which].lower === null),
  );
  return unknown.map(
    (which) => `For ${printable(names[which])}, only upper bounds are known: nothing is certainly smaller.`,
  );
}

const SMALLER = json.described(
  'The design whose number is certainly smaller; null if unknown.',
  json.choice('first', 'second', null),
);

const BOTH = { first: BRACKET, second: BRACKET, smaller: SMALLER };

const bothOf = (values: Both<Bracket>) => ({ first: values[0], second: values[1], smaller: smallerOf(values) });

const AT_DELTA = json.from(json.object({ delta: GIVEN, ...BOTH }), ({ at, values }: ComparedAt) => ({
  delta: at,
  ...bothOf(values),
}));
const AT_EPSILON = json.from(json.object({ epsilon: GIVEN, ...BOTH }), ({ at, values }: ComparedAt) => ({
  epsilon: at,
  ...bothOf(values),
}));
const AT_RATE = json.from(json.object({ falsePositiveRate: GIVEN, ...BOTH }), ({ at, values }: ComparedAt) => ({
  falsePositiveRate: at,
  ...bothOf(values),
}));

const STRETCH = json.object({
  from: FINITE,
  to: FINITE,
  smaller: json.described(
    'The design whose value is smaller at every point of the range, unless both are 0; null if unknown.',
    json.choice('first', 'second', 'both-0', null),
  ),
});

/** Two designs, and where each is better. */
export const COMPARE = json.document('compare', 'Two designs side by side: the output of compare --json.', {
  first: NAMED_INPUT,
  second: NAMED_INPUT,
  message: TEXT,
  epsilons: json.list(AT_DELTA),
  deltas: json.list(AT_EPSILON),
  advantage: json.from(json.object(BOTH), bothOf),
  truePositiveRates: json.list(AT_RATE),
  byEpsilon: json.described(
    'Ranges of epsilon with the design whose smallest delta is smaller (better).',
    json.list(STRETCH),
  ),
  byRate: json.described(
    'Ranges of false-positive rate with the design whose smallest false-negative rate is smaller; the other is better.',
    json.list(STRETCH),
  ),
  neverLarger: json.described(
    'The design whose smallest delta is proved never to exceed that of the other, at any epsilon.',
    json.from(json.object({ first: FLAG, second: FLAG }), ([first, second]: Both<boolean>) => ({ first, second })),
  ),
  warnings: json.list(WARNING),
});

/** The quantities that are compared, and for which of them the smaller one is better. */
const compareHeading = ({ names: [first, second] }: Pick<DesignComparison, 'names'>): string =>
  `${printable(first)} beside ${printable(second)}`;

/** Both designs as a chart: their profiles, and beside them their trade-off functions. */
function compareChart(comparison: DesignComparison): Chart {
  const { curves, names } = comparison;
  if (curves === null) throw new Error('the curves of a comparison are computed where it is drawn');
  const statement = compareStatement(comparison);
  return {
    title: compareHeading(comparison),
    description: `Two panels with a line for each of ${listed(names)}: delta over epsilon, and false-negative over false-positive rates. ${statement}`,
    notes: [statement, ...compareNotes(comparison)],
    panels: [
      riskCurvePanel(curves.profile, 'privacy profiles: lower is better'),
      riskCurvePanel(curves.tradeoff, 'trade-off functions: higher is better'),
    ],
  };
}

/** Two designs, numbers of both and where each is better; `inputs` are the specifications in normal form. */
export function compareOutput(comparison: DesignComparison, inputs: Both<ExactForm>): DrawnOutput {
  const [first, second] = comparison.names.map(printable);
  const rows = comparedRows(comparison);
  return {
    page: () => [
      heading(compareHeading(comparison)),
      table(rows, [
        'quantity',
        [first!, ({ values }) => bracketText(values[0]), { right: true }],
        [second!, ({ values }) => bracketText(values[1]), { right: true }],
        ['certainly smaller (better)', ({ values }) => nameOf(comparison, smallerOf(values))],
      ]),
      stretches(comparison, 'byEpsilon'),
      stretches(comparison, 'byRate'),
      paragraph(compareStatement(comparison)),
      ...compareNotes(comparison).map(paragraph),
    ],
    json: (version) =>
      json.documentText(COMPARE, {
        ...comparison,
        version,
        message: compareStatement(comparison),
        first: { name: comparison.names[0], input: inputs[0] },
        second: { name: comparison.names[1], input: inputs[1] },
      }),
    csv: () =>
      csvText(rows, [
        'quantity',
        ...endsOf<ComparedRow>('first', ({ values }) => values[0]),
        ...endsOf<ComparedRow>('second', ({ values }) => values[1]),
        ['smaller', ({ values }) => smallerOf(values)],
      ]),
    chart: () => compareChart(comparison),
  };
}
