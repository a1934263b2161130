import { blocks, columns, type Layout, type Line } from '../kit/columns.ts';
import { wrapped } from '../kit/prose.ts';

/** A table under its headings, as columns, or where there is no room one block for each row under the first heading. */
export function section(head: readonly string[], lines: readonly Line[], layout: Layout): string {
  const name = head[0]?.trim() ?? '';
  const title = name === '' ? [] : [layout.style.heading(wrapped(`${name}:`, layout.width))];
  return columns(head, lines, layout) ?? [...title, blocks(head, lines, layout)].join('\n');
}

/** A row that is not marked. */
export const plainLine = (...cells: readonly string[]): Line => ({ cells, best: false });

/** Paragraphs with blank lines between them; sentences are wrapped, tables (which have line breaks) are not. */
export const paragraphs = (parts: readonly string[], { width }: Layout): string =>
  `${parts.map((part) => (part.includes('\n') ? part : wrapped(part, width))).join('\n\n')}\n`;
