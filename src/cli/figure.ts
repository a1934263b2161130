import { Argument } from 'commander';
import type { Figure } from '../output/figures/figure.ts';
import { quote } from '../document/core/quote.ts';
import type { InputError } from '../document/core/specification.ts';
import { didYouMean } from '../document/core/suggest.ts';
import { UsageError } from './kit/usage-error.ts';
import { commandOf, formsOf } from './kit/command.ts';

const EXAMPLES = `
Examples:
  dpcompose figure
  dpcompose figure bounded-range-1 --format svg -o figure.svg
  dpcompose figure lazy-rates --format csv`;

function list(figures: readonly Figure[]): string {
  const width = Math.max(...figures.map(({ name }) => name.length)) + 2;
  return figures.map(({ name, summary, reference }) => `${name.padEnd(width)}${summary} [${reference}]\n`).join('');
}

function unknown(name: string, figures: readonly Figure[]): InputError {
  const names = figures.map((figure) => figure.name);
  const hint = `${didYouMean(name, names)}The figures are ${names.join(', ')}.`;
  return { code: 'unknown-figure', path: 'NAME', message: `unknown figure ${quote(name)}`, hint };
}

/** `dpcompose figure`: figures of papers, and of what is proved here, with the numbers of this program. */
export const figureCommand = commandOf<Figure | string>({
  name: 'figure',
  about: 'Recomputes and draws a figure of a paper. Without NAME, lists the figures.',
  operands: [new Argument('[NAME]', 'the figure')],
  examples: EXAMPLES,
  forms: formsOf(
    async (figure) =>
      typeof figure === 'string' ? figure : (await import('../output/figures/figure.ts')).figureOutput(figure),
    'plot',
    'json',
    'csv',
    'svg',
  ),
  async read({ operands: [name], errors }) {
    const { FIGURES } = await import('../output/figures/figures.ts');
    const figure = FIGURES.find((candidate) => candidate.name === name);
    if (name !== undefined && figure === undefined) errors.push(unknown(name, FIGURES));
    if (errors.length > 0) throw new UsageError(errors);
    return () => ({ result: figure ?? list(FIGURES) });
  },
});
