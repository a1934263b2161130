import { Command, Option } from 'commander';
import type { CurveAnswer } from '../../composition/curve/curve.ts';
import type { AxisChoice } from '../../report/curve/chart.ts';
import { grouped } from '../../report/kit/prose.ts';
import { exactForm } from '../../document/structure/normal-form.ts';
import { either, quote } from '../../document/core/quote.ts';
import type { InputError, Specification } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { composedFlags, composedOptions, specArgument, type ComposedFlags } from '../kit/document-options.ts';
import { curveQuestion, readCurveSeries, type CurveFlags } from './question.ts';
import { layoutFor, openDestination } from '../kit/destination.ts';
import { EXIT } from '../kit/exit.ts';
import { readFormat } from '../kit/format.ts';
import type { Io } from '../kit/io.ts';
import { loadSpecification } from '../kit/load-specification.ts';
import { withProgress } from '../kit/progress.ts';
import { tellRefusal } from '../kit/refusal.ts';
import { SHARED, type PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { tellWarnings } from '../kit/warnings.ts';
import { readWorkOptions, type WorkFlags } from '../kit/work-options.ts';
import { printOptions } from '../kit/print-options.ts';

interface Flags extends ComposedFlags, CurveFlags, PrintFlags, Omit<WorkFlags, 'precision'> {
  readonly xAxis?: string;
  readonly yAxis?: string;
  readonly strict?: boolean;
}

const FORMATS = ['table', 'json', 'csv', 'svg', 'plot'] as const;

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

/** `dpcompose curve`: the cost of mechanisms along counts, deltas or epsilons. */
export function curveCommand(context: Context): Command {
  return printOptions(
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
    FORMATS,
    [
      new Option('--x-axis <SCALE>', 'linear or log; left out: as suits what is along it'),
      new Option('--y-axis <SCALE>', 'linear or log; left out: log for deltas'),
      SHARED.strict(),
    ],
  )
    .addHelpText('after', EXAMPLES)
    .action(async (source: string | undefined, flags: Flags) => {
      context.ends(await curve(source, flags, context));
    });
}

const SCALES = ['linear', 'log'] as const;

function readScale(flag: string, text: string | undefined, errors: InputError[]): (typeof SCALES)[number] | undefined {
  const known = SCALES.find((name) => name === text);
  if (text !== undefined && known === undefined) {
    const message = `must be ${either(SCALES)}, got ${quote(text)}`;
    errors.push({ code: 'unknown-value', path: flag, message, hint: 'Leave it out for the usual one.' });
  }
  return known;
}

function readAxes({ xAxis, yAxis }: Flags, errors: InputError[]): AxisChoice {
  const [x, y] = [readScale('--x-axis', xAxis, errors), readScale('--y-axis', yAxis, errors)];
  return { ...(x && { x }), ...(y && { y }) };
}

async function curve(source: string | undefined, flags: Flags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  const axes = readAxes(flags, errors);
  const work = readWorkOptions(flags, errors);
  const series = readCurveSeries(flags, errors);
  const loaded = await loadSpecification({ command: 'curve', source, flags: composedFlags(flags), errors }, io);
  if (loaded.kind === 'refusal') return await tellRefusal(loaded.refusal, { format, color: flags.color, io });
  if (series === null) throw new UsageError(errors);
  const { specification } = loaded;
  const question = curveQuestion(series, specification);
  if ('message' in question) throw new UsageError([question]);
  const put = await openDestination(flags, io);
  const { curve } = await import('../../composition/curve/curve.ts');
  const total = question.values.length;
  const outcome = withProgress(flags, io, (report) =>
    curve(question, {
      ...work,
      ...(report && {
        progress: (done) => {
          report(`point ${grouped(done + 1)} of ${grouped(total)}`, done / total);
        },
      }),
    }),
  );
  if (outcome.kind === 'refusal') return await tellRefusal(outcome.refusal, { format, color: flags.color, io });
  const { warnings } = outcome.curve;
  if (flags.quiet !== true) await tellWarnings(warnings, { color: flags.color, io });
  if (put !== null) await put(await text(outcome.curve, specification, { format, axes, version, flags, io }));
  return flags.strict === true && warnings.length > 0 ? EXIT.no : EXIT.done;
}

/** How the curve is shown. */
interface Shown {
  readonly format: (typeof FORMATS)[number];
  readonly axes: AxisChoice;
  readonly version: string;
  readonly flags: Flags;
  readonly io: Io;
}

async function text(
  answer: CurveAnswer,
  specification: Specification,
  { format, axes, version, flags, io }: Shown,
): Promise<string> {
  const { name } = specification;
  switch (format) {
    case 'json': {
      const { curveJson } = await import('../../report/curve/json.ts');
      return curveJson(answer, exactForm({ ...specification, target: null }), version);
    }
    case 'csv': {
      const { curveCsv } = await import('../../report/curve/csv.ts');
      return curveCsv(answer);
    }
    case 'svg': {
      const { curveChart } = await import('../../report/curve/chart.ts');
      const { chartSvg } = await import('../../report/chart/svg.ts');
      return chartSvg(curveChart(answer, name, axes));
    }
    case 'plot': {
      const { curveChart } = await import('../../report/curve/chart.ts');
      const { terminalPlot } = await import('../../report/chart/terminal-plot.ts');
      return terminalPlot(curveChart(answer, name, axes), await layoutFor(flags, io));
    }
    case 'table': {
      const { curveTable } = await import('../../report/curve/table.ts');
      return curveTable(answer, name, await layoutFor(flags, io));
    }
  }
}
