import { escaped } from '../plan/markdown.ts';
import { madeBy, privacySections, titleOf, type PrivacyStatement, type Section } from './privacy-statement.ts';

const sectionLines = ({ title, paragraphs, items }: Section): string[] => [
  '',
  `## ${title}`,
  ...paragraphs.flatMap((text) => ['', escaped(text)]),
  ...(items.length === 0 ? [] : ['', ...items.map((item) => `- ${escaped(item)}`)]),
];

/** A privacy statement as a Markdown document. */
export function privacyStatementMarkdown(statement: PrivacyStatement, version: string): string {
  const sections = privacySections(statement).flatMap(sectionLines);
  return [`# ${escaped(titleOf(statement))}`, ...sections, '', escaped(madeBy(version)), ''].join('\n');
}
