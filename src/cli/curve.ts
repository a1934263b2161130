import type { CurveAnswer } from '../composition/curve/curve.ts';
import type { RiskCurve } from '../composition/risk-curve/risk-curve.ts';
import type { Specification } from '../document/core/specification.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import type { DrawnOutput } from '../output/chart/chart.ts';
import type { AxisChoice } from '../output/curve.ts';
import { grouped } from '../output/kit/prose.ts';
import { commandOf, formsOf, type Invocation, type Work } from './kit/command.ts';
import { COMPOSED, composedFlags, specArgument, STRICT, WORK, workOf } from './kit/shared-options.ts';
import { covered } from './kit/refusal.ts';
import { loadSpecification } from './kit/load-specification.ts';
import { loadAll, problemOf, type NamedSpecification } from './kit/several-specifications.ts';
import { inGroup, PRINTED, wordOption, type ValuesOf } from './kit/option.ts';
import { progressFor } from './kit/progress.ts';
import { UsageError } from './kit/usage-error.ts';
import { CURVE, curveQuestion, curveSeries, forTradeoff, riskValues, severalDocuments } from './curve-question.ts';

type Sources = readonly [sources: readonly string[]];

const EXAMPLES = `
Give several values to one of --count, --times, --delta and --epsilon: numbers
and ranges, with commas between them.
  FROM:TO, FROM:TO:STEP   steps of 1 (for deltas, factors of 10) or of STEP
  FROM:TO/POINTS          POINTS equidistant values (for deltas, equal ratios);
                          append log or lin to choose the spacing
Without --bounds, the curve is the best of all bounds.

--of tradeoff plots the smallest false-negative rate against the false-positive
rate (--fpr). --of profile plots the smallest delta against epsilon (--epsilon).
Both draw one curve for each document and each of --bounds.

Examples:
  dpcompose curve -m dp:epsilon=0.1 --count 1:1000/20log --delta 1e-6
  dpcompose curve privacy.json --times 1:12 --delta 1e-6 --format plot
  dpcompose curve --of tradeoff -m gaussian:sigma=2,count=9 --fpr 1e-6:1/7log`;

const SCALES = ['linear', 'log'] as const;
const USUAL_SCALE = 'Omit it for the usual one.';

/** What a curve shows: the cost along something, or all that a cost stands for. */
const SUBJECTS = ['cost', 'tradeoff', 'profile'] as const;

const OPTIONS = {
  ...COMPOSED,
  ...inGroup('Target:', {
    of: wordOption('--of <WHAT>', 'cost (default), tradeoff or profile', SUBJECTS, 'Omit it for epsilon or delta.'),
  }),
  ...CURVE,
  ...WORK('use only these bounds, one line each'),
  ...inGroup(PRINTED, {
    xAxis: wordOption('--x-axis <SCALE>', 'linear or log (default: chosen by the values)', SCALES, USUAL_SCALE),
    yAxis: wordOption('--y-axis <SCALE>', 'linear or log (default: log for deltas)', SCALES, USUAL_SCALE),
    ...STRICT,
  }),
};

type Flags = ValuesOf<typeof OPTIONS>;

const axesOf = ({ xAxis: x, yAxis: y }: Flags): AxisChoice => ({ ...(x && { x }), ...(y && { y }) });

/** A curve of costs, of what, and how it is drawn. */
interface CostCurve {
  readonly answer: CurveAnswer;
  readonly specification: Specification;
  readonly axes: AxisChoice;
}

/** Trade-off functions or privacy profiles, and of what. */
interface RiskCurves {
  readonly risks: RiskCurve;
  readonly specifications: readonly NamedSpecification[];
}

type Drawn = CostCurve | RiskCurves;

const isCost = (curves: Drawn): curves is CostCurve => 'answer' in curves;

/** A specification in normal form, without its target: a curve has its own. */
const untargeted = (specification: Specification) => exactForm({ ...specification, target: null });

const outputOf = async (curves: Drawn): Promise<DrawnOutput> =>
  isCost(curves)
    ? (await import('../output/curve.ts')).curveOutput(curves.answer, {
        name: curves.specification.name,
        input: untargeted(curves.specification),
        axes: curves.axes,
      })
    : (await import('../output/risk-curve.ts')).riskCurveOutput(
        curves.risks,
        curves.specifications.map(({ name, specification }) => ({ name, input: untargeted(specification) })),
      );

/** A curve of costs: reads along what, and of which document. */
async function readCosts(
  source: string | undefined,
  axes: AxisChoice,
  { flags, isTyped, errors, io }: Invocation<typeof OPTIONS, Sources>,
): Promise<Work<Drawn>> {
  const work = workOf(flags);
  const series = curveSeries(flags, isTyped, errors);
  const origin = { command: 'curve', source, flags: composedFlags(flags), errors, io } as const;
  const specification = await loadSpecification(origin);
  if (series === null) throw new UsageError(errors);
  const question = curveQuestion(series, specification);
  if ('message' in question) throw new UsageError([question]);
  const { curve } = await import('../composition/curve/curve.ts');
  const total = question.values.length;
  return (report) => {
    const progress = progressFor(report, (done: number) => [
      `point ${grouped(done + 1)} of ${grouped(total)}`,
      done / total,
    ]);
    const { curve: answer } = covered(curve(question, { ...work, ...progress }));
    return { result: { answer, specification, axes }, warnings: answer.warnings };
  };
}

/** Trade-off functions or profiles: reads where, and of which documents. */
async function readRisks(
  of: 'tradeoff' | 'profile',
  sources: readonly string[],
  axes: AxisChoice,
  { flags, isTyped, errors, io, format }: Invocation<typeof OPTIONS, Sources>,
): Promise<Work<Drawn>> {
  const work = workOf(flags);
  const values = riskValues(of, flags, isTyped, errors);
  const specifications = await loadAll({ command: 'curve', sources, flags: composedFlags(flags), errors, io });
  const { riskCurve } = await import('../composition/risk-curve/risk-curve.ts');
  const scales = { x: axes.x ?? 'linear', y: axes.y ?? (of === 'tradeoff' ? 'linear' : 'log') } as const;
  const isDrawn = format === 'svg' || format === 'plot';
  const problems = specifications.map(problemOf);
  return (report) => {
    const progress = progressFor(report, (done: number, all: number) => [
      `line ${grouped(done + 1)} of ${grouped(all)}`,
      done / all,
    ]);
    const question = { of, problems, values, scales, isDrawn };
    const { curve: risks } = covered(riskCurve(question, { ...work, ...progress }));
    return { result: { risks, specifications }, warnings: risks.warnings };
  };
}

/** `dpcompose curve`: the cost of mechanisms along counts, deltas or epsilons; trade-off functions and profiles. */
export const curveCommand = commandOf<Drawn, typeof OPTIONS, Sources>({
  name: 'curve',
  about:
    'Epsilon or delta over a range of counts, deltas or epsilons, privacy profiles and trade-off functions (f-DP), as a table, data or a chart.',
  operands: [specArgument('[SPEC...]')],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(outputOf, 'table', 'json', 'csv', 'svg', 'plot'),
  async read(invocation) {
    const { operands, flags, isTyped, errors } = invocation;
    const [sources] = operands;
    const axes = axesOf(flags);
    const { of } = flags;
    if (of !== undefined && of !== 'cost') return readRisks(of, sources, axes, invocation);
    if (sources.length > 1) errors.push(severalDocuments(sources[1]!));
    if (isTyped('fpr')) errors.push(forTradeoff());
    return readCosts(sources[0], axes, invocation);
  },
});
