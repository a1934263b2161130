import { CONFIDENCE, type Rate } from '../../composition/attack/rate.ts';
import { blocks, columns, type Layout } from '../kit/columns.ts';
import { shortText } from '../kit/number.ts';
import { grouped, wrapped } from '../kit/prose.ts';

/** Rows under their headings, perhaps with a heading of the whole. */
export interface PageTable {
  readonly title?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A heading, tables, and sentences. */
export interface Page {
  readonly heading: string;
  readonly tables: readonly PageTable[];
  readonly sentences: readonly string[];
}

function tableText({ title, head, rows }: PageTable, layout: Layout): string {
  const lines = rows.map((cells) => ({ cells, best: false }));
  const table = columns(head, lines, layout) ?? blocks(head, lines, layout);
  return title === undefined ? table : `${wrapped(title, layout.width)}\n\n${table}`;
}

/** The text of a page, which fits in its layout. */
export function pageText({ heading, tables, sentences }: Page, layout: Layout): string {
  const paragraphs = [
    layout.style.heading(wrapped(heading, layout.width)),
    ...tables.map((table) => tableText(table, layout)),
    ...sentences.map((sentence) => wrapped(sentence, layout.width)),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}

/** `10,000 runs, seed 1`. */
export const runsText = ({ runs, seed }: { readonly runs: number; readonly seed: number }): string =>
  `${grouped(runs)} ${runs === 1 ? 'run' : 'runs'}, seed ${seed}`;

/** The heading of intervals. */
export const INTERVAL_HEADING = `${(CONFIDENCE * 100).toFixed()}% confidence`;

/** Four significant digits of a mean or a share. */
export const roughText = (x: number): string => String(Number(x.toPrecision(4)));

/** How often something happened, as a share of all cases, and the interval for its probability. */
export function rateCells({ times, of, interval }: Rate): [string, string] {
  if (interval === null) return ['', ''];
  const { lower, upper } = interval;
  return [roughText(times / of), `${shortText(lower, 'down')} to ${shortText(upper, 'up')}`];
}

/** Whether an interval agrees with what is expected, where it does not. */
export function disagreement(rate: Rate, expected: { readonly lower: number; readonly upper: number }): string[] {
  const { interval } = rate;
  if (interval === null || (interval.lower <= expected.upper && interval.upper >= expected.lower)) return [];
  const chance = Math.round(1 / (1 - CONFIDENCE));
  return [
    `The confidence interval does not contain what is expected: at most one seed in ${grouped(chance)} is like that. Try another --seed, or more --runs.`,
  ];
}
