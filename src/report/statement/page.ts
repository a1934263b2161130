import type { Layout } from '../kit/columns.ts';
import { heading, label, list, pageMarkdown, pageText, paragraph, stack, type Block } from '../kit/page.ts';
import { madeBy, privacySections, titleOf } from './privacy-statement.ts';
import type { PrivacyStatement } from './stated.ts';

/** Text is broken at this width where there is no terminal that is narrower. */
const WIDEST = 80;

const blocksOf = (statement: PrivacyStatement, version: string): Block[] => [
  heading(titleOf(statement)),
  ...privacySections(statement).map(({ title, paragraphs, items }) =>
    stack([label(title, 2), ...paragraphs.map(paragraph), list(items, 2)]),
  ),
  paragraph(madeBy(version)),
];

/** A privacy statement for a terminal or a text file. */
export const privacyStatementText = (statement: PrivacyStatement, version: string, layout: Layout): string =>
  pageText(blocksOf(statement, version), { ...layout, width: Math.min(WIDEST, layout.width) });

/** A privacy statement as a Markdown document. */
export const privacyStatementMarkdown = (statement: PrivacyStatement, version: string): string =>
  pageMarkdown(blocksOf(statement, version));
