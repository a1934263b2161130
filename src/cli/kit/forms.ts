import type { DrawnOutput } from '../../report/chart/chart.ts';
import type { Output } from '../../report/kit/output.ts';
import { pageMarkdown, pageText } from '../../report/kit/page.ts';
import type { Forms, Page } from './command.ts';
import type { Format } from './shared-options.ts';

type Writer = (output: Output | DrawnOutput, page: Page) => string | Promise<string>;

/** What is usually printed: a page for a terminal. */
const onTerminal: Writer = async ({ page, widest = Infinity }, { version, layout }) => {
  const own = await layout();
  return pageText(page(version), { ...own, width: Math.min(widest, own.width) });
};

const WRITERS: Readonly<Partial<Record<Format, Writer>>> = {
  json: ({ json }, { version }) => json(version),
  csv: ({ csv }) => csv?.() ?? '',
  markdown: ({ page, markdown = page }, { version }) => pageMarkdown(markdown(version)),
  svg: async (output) =>
    'chart' in output ? (await import('../../report/chart/svg.ts')).chartSvg(output.chart()) : '',
  plot: async (output, { layout }) =>
    'chart' in output
      ? (await import('../../report/chart/terminal-plot.ts')).terminalPlot(output.chart(), await layout())
      : '',
};

/** The forms of an output, the usual one first; `outputOf` loads what writes it. A text stands for itself in each. */
export const formsOf = <R>(
  outputOf: (result: R) => Output | string | Promise<Output | string>,
  ...formats: readonly Format[]
): Forms<R> =>
  Object.fromEntries(
    formats.map((format) => [
      format,
      async (result: R, page: Page) => {
        const output = await outputOf(result);
        return typeof output === 'string' ? output : await (WRITERS[format] ?? onTerminal)(output, page);
      },
    ]),
  );
