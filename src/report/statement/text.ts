import type { Layout } from '../kit/columns.ts';
import { madeBy, privacySections, titleOf, type PrivacyStatement, type Section } from './privacy-statement.ts';
import { printable, wrapped } from '../kit/prose.ts';

/** Text is broken at this width where there is no terminal that is narrower. */
const WIDEST = 80;

function sectionText({ title, paragraphs, items }: Section, { width, style }: Layout): string {
  const room = Math.min(WIDEST, width);
  const indented = (text: string, first: string): string =>
    `${first}${wrapped(printable(text), Math.max(16, room - 4)).replace(/\n/g, '\n    ')}`;
  return [
    style.heading(title),
    ...paragraphs.map((text) => wrapped(printable(text), room)),
    ...items.map((text) => indented(text, '  - ')),
  ].join('\n');
}

/** A privacy statement for a terminal or a text file. */
export function privacyStatementText(statement: PrivacyStatement, version: string, layout: Layout): string {
  const room = Math.min(WIDEST, layout.width);
  const parts = [
    layout.style.heading(wrapped(printable(titleOf(statement)), room)),
    ...privacySections(statement).map((section) => sectionText(section, layout)),
    wrapped(madeBy(version), room),
  ];
  return `${parts.join('\n\n')}\n`;
}
