import { isEntry } from '../composition/core/plan-node.ts';
import { type Along, type CurveQuestion, withCount } from '../composition/curve/curve.ts';
import type { RiskMeasure } from '../composition/risk-curve/risk-curve.ts';
import { isNamed, mechanismsIn, type PlacedEntry } from '../composition/solve/mechanisms.ts';
import { quote } from '../document/core/quote.ts';
import type { InputError, Specification } from '../document/core/specification.ts';
import { didYouMean } from '../document/core/suggest.ts';
import { conflict, twoTargets, lacking } from './kit/usage-error.ts';
import { ascending, type Decimal } from '../numeric/decimal.ts';
import type { Entry } from '../privacy/mechanism.ts';
import type { Query } from '../privacy/curve.ts';
import { inGroup, seriesOption, textOption, type ValuesOf } from './kit/option.ts';
import { anyNumber, atLeastZero, probability, readNumberOption, wholeNumber } from './kit/number-option.ts';
import type { SeriesRange } from './kit/series-option.ts';

const points = (example: string, step: SeriesRange['step'], of: 'real' | 'whole') => ({ example, step, points: of });

/** The options of along what the curve runs. */
export const CURVE = inGroup('Target:', {
  delta: seriesOption(
    '--delta <D>',
    'find epsilon at this delta, or over these',
    probability,
    points('1e-2:1e-8', 'tenfold', 'real'),
  ),
  epsilon: seriesOption(
    '--epsilon <E>',
    'find delta at this epsilon, or over these',
    anyNumber,
    points('0:5:0.1', 'sum', 'real'),
  ),
  fpr: seriesOption(
    '--fpr <A>',
    'false-positive rates of the trade-off function',
    probability,
    points('0:1/50', 'sum', 'real'),
  ),
  count: seriesOption(
    '--count <K>',
    'counts of the mechanism (of --vary, if there are several)',
    wholeNumber,
    points('1:100', 'sum', 'whole'),
  ),
  vary: textOption('--vary <NAME>', 'mechanism: a label, a place such as mechanisms[0], or #1'),
  times: seriesOption('--times <N>', 'numbers of runs of the whole list', wholeNumber, points('1:100', 'sum', 'whole')),
});

type CurveFlags = ValuesOf<typeof CURVE>;
/** Whether an option is there, right or wrong. */
type IsTyped = (name: keyof CurveFlags) => boolean;

type Series = 'count' | 'times' | 'delta' | 'epsilon';

/** The series options once parsed, before the specification is known. */
interface CurveSeries {
  readonly along: Series;
  readonly values: readonly Decimal[];
  /** A delta or an epsilon beside the series; the specification may have one too. */
  readonly query: Query | null;
  /** One count beside a series of deltas or epsilons. */
  readonly count: number | null;
  readonly vary: string | null;
}

/** The options that are missing or contradict each other, whatever their values are. */
function flagErrors(isTyped: IsTyped): InputError[] {
  const errors: InputError[] = [];
  if (!(['count', 'times', 'delta', 'epsilon'] as const).some(isTyped)) {
    const message = 'no range is given: one of --count, --times, --delta and --epsilon needs several values';
    errors.push(lacking('--count', message, 'For example: --count 1:100 --delta 1e-6, or --delta 1e-2:1e-8.'));
  }
  if (isTyped('delta') && isTyped('epsilon')) {
    errors.push(twoTargets('the answer'));
  }
  if (isTyped('count') && isTyped('times')) {
    errors.push(conflict('--times', '--count and --times exclude each other', 'Keep one of them.'));
  }
  if (isTyped('vary') && !isTyped('count')) {
    errors.push(conflict('--vary', 'needs --count', 'Add --count 1:100.'));
  }
  return errors;
}

const queryOf = (name: 'delta' | 'epsilon', value: Decimal): Query =>
  name === 'delta' ? { solveFor: 'epsilon', delta: value } : { solveFor: 'delta', epsilon: value };

/** The series; null where they are wrong, and what is wrong is in `errors`. */
export function curveSeries(flags: CurveFlags, isTyped: IsTyped, errors: InputError[]): CurveSeries | null {
  errors.push(...flagErrors(isTyped));
  if (errors.length > 0) return null;
  const [counts, times, deltas, epsilons] = (['count', 'times', 'delta', 'epsilon'] as const).map((name) => {
    const values = flags[name];
    return values === undefined ? null : ascending(values);
  });
  const vary = flags.vary ?? null;
  const targetName = deltas ? 'delta' : 'epsilon';
  const targets = deltas ?? epsilons ?? [];
  const runName = counts ? 'count' : 'times';
  const runs = counts ?? times;
  if (!runs) return { along: targetName, values: targets, query: null, count: null, vary };
  const [target] = targets;
  if (targets.length <= 1) {
    return { along: runName, values: runs, query: target ? queryOf(targetName, target) : null, count: null, vary };
  }
  if (runs.length > 1) {
    const message = `only one of --${runName} and --${targetName} may have several values, but both have`;
    errors.push({ code: 'two-series', path: `--${targetName}`, message, hint: `Give one value for --${targetName}.` });
  } else if (counts) {
    return { along: targetName, values: targets, query: null, count: counts[0]?.toNumber() ?? null, vary };
  } else {
    const hint = 'Write the counts into the specification, or give one value.';
    errors.push(conflict('--times', `--times does not go with several values of --${targetName}`, hint));
  }
  return null;
}

/** How a message names a mechanism. */
const nameOf = ({ entry, path }: PlacedEntry): string => entry.label ?? path;

/** The mechanism whose count is meant. */
function countedEntry({ entries: nodes }: Specification, vary: string | null): Entry | InputError {
  const all = mechanismsIn(nodes);
  const [only] = all;
  if (vary === null) {
    if (all.length === 1 && only !== undefined) return only.entry;
    const names = all.slice(0, 5).map(nameOf);
    const message = `there are ${all.length} mechanisms, and --vary does not choose one`;
    const hint = `Add --vary LABEL${names.length > 0 ? ` (such as --vary ${quote(names[0]!)})` : ''}, or use --times to run the whole list several times.`;
    return lacking('--count', message, hint);
  }
  const labelled = all.filter(({ entry }) => entry.label === vary);
  const matches = labelled.length > 0 ? labelled : all.filter((placed, index) => isNamed(vary, placed, index));
  const [first] = matches;
  if (first === undefined) {
    const labels = all.flatMap(({ entry }) => entry.label ?? []);
    const hint = `${didYouMean(vary, labels)}Give the label of a mechanism, its place such as mechanisms[0], or #1 for the first.`;
    return { code: 'unknown-name', path: '--vary', message: `no mechanism has the label ${quote(vary)}`, hint };
  }
  if (matches.length === 1) return first.entry;
  const message = `${matches.length} mechanisms have the label ${quote(vary)}`;
  return { code: 'duplicate-name', path: '--vary', message, hint: 'Give them different labels.' };
}

/** The most times a list can be run such that every count stays exact; null for a list with parts. */
function mostTimes({ entries: nodes }: Specification): number | null {
  if (!nodes.every(isEntry)) return null;
  return Math.floor(Number.MAX_SAFE_INTEGER / Math.max(...nodes.map(({ count }) => count)));
}

function timesError(specification: Specification, values: readonly Decimal[]): InputError | null {
  const limit = mostTimes(specification);
  if (limit === null) {
    const hint = 'Give the count of one mechanism with --count and --vary.';
    return conflict(
      '--times',
      'only a plain list of mechanisms can run several times, and this document has parts',
      hint,
    );
  }
  const largest = values.at(-1)!;
  if (largest.lte(limit)) return null;
  const message = `must be at most ${limit} here, where counts stay below 2^53, got ${largest.toString()}`;
  return { code: 'out-of-range', path: '--times', message, hint: 'Run the list fewer times.' };
}

/** The curve that is asked for, or what is wrong. */
export function curveQuestion(series: CurveSeries, specification: Specification): CurveQuestion | InputError {
  const { along: name, values, count, vary } = series;
  const { adaptivity, order, setting } = specification;
  const problem = (entries: Specification['entries']) => ({ entries, adaptivity, order, setting });
  const entry = name === 'count' || count !== null ? countedEntry(specification, vary) : null;
  if (entry !== null && 'message' in entry) return entry;
  if (name === 'delta' || name === 'epsilon') {
    const solveFor = name === 'delta' ? 'epsilon' : 'delta';
    const { entries } = specification;
    const counted = entry === null || count === null ? entries : withCount(entries, entry, count);
    return { problem: problem(counted), along: { name }, values, solveFor, given: null };
  }
  const query = series.query ?? specification.target;
  if (query === null) {
    const message = 'the target is missing: give a delta, or an epsilon';
    return { code: 'no-target', path: '--delta', message, hint: 'Add --delta 1e-6 (or --epsilon 1).' };
  }
  const wrong = name === 'times' ? timesError(specification, values) : null;
  if (wrong !== null) return wrong;
  const along: Along = entry === null ? { name: 'times' } : { name: 'count', entry };
  return {
    problem: problem(specification.entries),
    along,
    values,
    solveFor: query.solveFor,
    given: query.solveFor === 'epsilon' ? query.delta : query.epsilon,
  };
}

/** Several documents where there is one line for each bound. */
export const severalDocuments = (source: string): InputError =>
  conflict(
    source,
    'a curve of epsilon or delta takes one document',
    'Add --of tradeoff or --of profile, which take several.',
  );

/** False-positive rates where none are asked for. */
export const forTradeoff = (): InputError => conflict('--fpr', 'needs --of tradeoff', 'Add --of tradeoff.');

const COST_ONLY = ['count', 'times', 'vary', 'delta'] as const;

/** Where the values of a measure are asked for; null where that is left out. What is wrong goes to `errors`. */
export function riskValues(
  of: RiskMeasure,
  { fpr, epsilon }: CurveFlags,
  isTyped: IsTyped,
  errors: InputError[],
): readonly Decimal[] | null {
  const [own, other, values] =
    of === 'tradeoff' ? (['fpr', 'epsilon', fpr] as const) : (['epsilon', 'fpr', epsilon] as const);
  for (const name of [...COST_ONLY, other].filter(isTyped)) {
    errors.push(conflict(`--${name}`, `--${name} does not go with --of ${of}`, `Omit it; --${own} says where.`));
  }
  const negative = of === 'profile' ? values?.find((value) => value.lt(0)) : undefined;
  if (negative !== undefined) readNumberOption(negative.toString(), atLeastZero('--epsilon', '0:5:0.1'), errors);
  return values === undefined ? null : ascending(values);
}
