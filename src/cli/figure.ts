import { Command } from 'commander';
import type { Figure } from '../report/figures/figure.ts';
import { quote } from '../document/core/quote.ts';
import type { InputError } from '../document/core/specification.ts';
import { didYouMean } from '../document/core/suggest.ts';
import type { Context } from './kit/context.ts';
import { layoutFor, openDestination } from './kit/destination.ts';
import { EXIT } from './kit/exit.ts';
import { readFormat } from './kit/format.ts';
import type { PrintFlags } from './kit/shared-options.ts';
import { UsageError } from './kit/usage-error.ts';
import { printOptions } from './kit/print-options.ts';

const FORMATS = ['plot', 'json', 'csv', 'svg'] as const;

const EXAMPLES = `
Examples:
  dpcompose figure
  dpcompose figure bounded-range-1
  dpcompose figure bounded-range-1 --format svg -o figure.svg
  dpcompose figure bounded-range-2 --format csv
  dpcompose figure lazy-rates --json`;

/** `dpcompose figure`: figures of papers with the numbers of this program. */
export function figureCommand(context: Context): Command {
  return printOptions(
    new Command('figure')
      .description('Draws a figure of a paper again, every number computed here; without NAME, lists those there are.')
      .argument('[NAME]', 'the figure'),
    FORMATS,
  )
    .addHelpText('after', EXAMPLES)
    .action(async (name: string | undefined, flags: PrintFlags) => {
      context.ends(await figure(name, flags, context));
    });
}

function list(figures: readonly Figure[]): string {
  const width = Math.max(...figures.map(({ name }) => name.length)) + 2;
  return figures.map(({ name, summary, reference }) => `${name.padEnd(width)}${summary} [${reference}]\n`).join('');
}

function unknown(name: string, figures: readonly Figure[]): InputError {
  const names = figures.map((each) => each.name);
  const hint = `${didYouMean(name, names)}The figures are ${names.join(', ')}.`;
  return { code: 'unknown-figure', path: 'NAME', message: `there is no figure ${quote(name)}`, hint };
}

async function figure(name: string | undefined, flags: PrintFlags, context: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  const { FIGURES } = await import('../report/figures/figures.ts');
  const found = FIGURES.find((each) => each.name === name);
  if (name !== undefined && found === undefined) errors.push(unknown(name, FIGURES));
  if (errors.length > 0) throw new UsageError(errors);
  const put = await openDestination(flags, context.io);
  if (put !== null) await put(found === undefined ? list(FIGURES) : await text(found, format, flags, context));
  return EXIT.done;
}

async function text(
  figure: Figure,
  format: (typeof FORMATS)[number],
  flags: PrintFlags,
  { io, version }: Context,
): Promise<string> {
  switch (format) {
    case 'json': {
      const { figureJson } = await import('../report/figures/json.ts');
      return figureJson(figure, version);
    }
    case 'csv': {
      const { chartCsv } = await import('../report/chart/chart-csv.ts');
      return chartCsv(figure.draw());
    }
    case 'svg': {
      const { chartSvg } = await import('../report/chart/svg.ts');
      return chartSvg(figure.draw());
    }
    case 'plot': {
      const { terminalPlot } = await import('../report/chart/terminal-plot.ts');
      return terminalPlot(figure.draw(), await layoutFor(flags, io));
    }
  }
}
