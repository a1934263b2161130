import { Command, Option } from 'commander';
import type { CurveAnswer } from '../../composition/curve/curve.ts';
import type { AxisChoice } from '../../report/curve/chart.ts';
import { grouped } from '../../report/kit/prose.ts';
import { exactForm } from '../../document/structure/normal-form.ts';
import type { InputError, Specification } from '../../document/core/specification.ts';
import { composedFlags, composedOptions, specArgument, type ComposedFlags } from '../kit/document-options.ts';
import { curveQuestion, readCurveSeries, type CurveFlags } from './question.ts';
import { loadSpecification } from '../kit/load-specification.ts';
import { SHARED } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { readWorkOptions, type WorkFlags } from '../kit/work-options.ts';
import { commandOf, refused } from '../kit/command.ts';
import { readOneOf } from '../kit/one-of.ts';

interface Flags extends ComposedFlags, CurveFlags, Omit<WorkFlags, 'precision'> {
  readonly xAxis?: string;
  readonly yAxis?: string;
}

const EXAMPLES = `
One of --count, --times, --delta and --epsilon has several values: a list with
commas of numbers and ranges.
  FROM:TO, FROM:TO:STEP   steps of 1 (deltas: factors of 10), or of STEP
  FROM:TO/POINTS          so many points at equal distances (deltas: ratios);
                          FROM:TO/POINTSlog and FROM:TO/POINTSlin say which
Points are in ascending order, and each is computed once. Without --bounds the
line is the claim: the best of all bounds. Mechanisms are written as for
compose.

Examples:
  dpcompose curve -m dp:epsilon=0.1 --count 1:1000/20log --delta 1e-6
  dpcompose curve -m exponential:epsilon=0.1,count=100 --delta 1e-2:1e-12 \\
    --format plot
  dpcompose curve privacy.json --vary counts --count 10:100:10 --delta 1e-6
  dpcompose curve privacy.json --times 1:12 --delta 1e-6 --format csv
  dpcompose curve -m dp:epsilon=0.1,count=100 --epsilon 0:8/100 \\
    --bounds dp-optimal,rdp,advanced-drv --format svg -o curve.svg`;

const SCALES = ['linear', 'log'] as const;

const scale = (flag: string) => ({ flag, words: SCALES, hint: 'Leave it out for the usual one.' });

function readAxes({ xAxis, yAxis }: Flags, errors: InputError[]): AxisChoice {
  const [x, y] = [readOneOf(xAxis, scale('--x-axis'), errors), readOneOf(yAxis, scale('--y-axis'), errors)];
  return { ...(x && { x }), ...(y && { y }) };
}

/** A curve, of what, and how it is drawn. */
interface Drawn {
  readonly answer: CurveAnswer;
  readonly specification: Specification;
  readonly axes: AxisChoice;
}

const chartOf = async ({ answer, specification, axes }: Drawn) =>
  (await import('../../report/curve/chart.ts')).curveChart(answer, specification.name, axes);

/** `dpcompose curve`: the cost of mechanisms along counts, deltas or epsilons. */
export const curveCommand = commandOf<Drawn, Flags>({
  command: () =>
    composedOptions(
      new Command('curve')
        .description(
          'The smallest epsilons along counts or deltas, or the smallest deltas along counts or epsilons, of the best bound or of several, as a table, as data or drawn.',
        )
        .addArgument(specArgument()),
    )
      .optionsGroup('What is asked:')
      .option('--delta <D>', 'the smallest epsilons at this delta, or along these')
      .option('--epsilon <E>', 'the smallest deltas at this epsilon, or along these')
      .option('--count <K>', 'along numbers of the only mechanism, or of that of --vary')
      .option('--vary <NAME>', 'a label, a place such as mechanisms[0], or #1 for the first')
      .option('--times <N>', 'along numbers of runs of the whole list')
      .optionsGroup('How it is computed:')
      .addOption(SHARED.bounds('only these bounds, a line for each'))
      .addOption(SHARED.tolerance())
      .addOption(SHARED.maxSeconds()),
  examples: EXAMPLES,
  printing: () => [
    new Option('--x-axis <SCALE>', 'linear or log; left out: as suits what is along it'),
    new Option('--y-axis <SCALE>', 'linear or log; left out: log for deltas'),
    SHARED.strict(),
  ],
  forms: {
    table: async ({ answer, specification: { name } }, { layout }) =>
      (await import('../../report/curve/table.ts')).curveTable(answer, name, await layout()),
    json: async ({ answer, specification }, { version }) =>
      (await import('../../report/curve/json.ts')).curveJson(
        answer,
        exactForm({ ...specification, target: null }),
        version,
      ),
    csv: async ({ answer }) => (await import('../../report/curve/csv.ts')).curveCsv(answer),
    svg: async (drawn) => (await import('../../report/chart/svg.ts')).chartSvg(await chartOf(drawn)),
    plot: async (drawn, { layout }) =>
      (await import('../../report/chart/terminal-plot.ts')).terminalPlot(await chartOf(drawn), await layout()),
  },
  async read({ operands: [source], flags, errors, io }) {
    const axes = readAxes(flags, errors);
    const work = readWorkOptions(flags, errors);
    const series = readCurveSeries(flags, errors);
    const loaded = await loadSpecification({ command: 'curve', source, flags: composedFlags(flags), errors }, io);
    if (loaded.kind === 'refusal') return refused(loaded.refusal);
    if (series === null) throw new UsageError(errors);
    const { specification } = loaded;
    const question = curveQuestion(series, specification);
    if ('message' in question) throw new UsageError([question]);
    const { curve } = await import('../../composition/curve/curve.ts');
    const total = question.values.length;
    return (report) => {
      const outcome = curve(question, {
        ...work,
        ...(report && {
          progress: (done) => {
            report(`point ${grouped(done + 1)} of ${grouped(total)}`, done / total);
          },
        }),
      });
      if (outcome.kind === 'refusal') return refused(outcome.refusal);
      return { result: { answer: outcome.curve, specification, axes }, warnings: outcome.curve.warnings };
    };
  },
});
