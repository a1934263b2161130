import type { CheckItem, CheckReport, CheckScope, CheckStatus } from './results.ts';
import { CHANGES, filesText, outcomeText, remedies, scopeText, STATUS_TEXTS, totalText } from './words.ts';
import type { Layout } from '../kit/columns.ts';
import { heading, onTerminal, pageText, paragraph, stack, type Block } from '../kit/page.ts';
import { indented, printable } from '../kit/prose.ts';
import type { Style } from '../kit/style.ts';

const STYLES: Readonly<Record<CheckStatus, keyof Style>> = {
  within: 'best',
  exceeds: 'error',
  undecided: 'error',
  refused: 'warning',
  unreadable: 'error',
};

const WIDEST = Math.max(...Object.values(STATUS_TEXTS).map((text) => text.length)) + 2;

/** An item: its status, its files, and its messages. */
function itemText(item: CheckItem, { width, style }: Layout): string {
  const status = item.outcome.kind;
  const detail = (text: string, indent = 2): string =>
    text
      .split('\n')
      .map((line) => indented(printable(line), indent, width))
      .join('\n');
  const { notes, changes } = remedies(item);
  return [
    `${style[STYLES[status]](STATUS_TEXTS[status].padEnd(WIDEST))}${printable(filesText(item))}`,
    detail(outcomeText(item)),
    ...(changes.length === 0 ? [] : [detail(CHANGES)]),
    ...changes.map((change) => `  - ${detail(change, 4).trimStart()}`),
    ...notes.map((note) => style.quiet(detail(note))),
  ].join('\n');
}

const scopeBlock = (scope: CheckScope): Block =>
  stack([heading(scopeText(scope)), ...scope.items.map((item) => onTerminal((layout) => itemText(item, layout)))]);

/** The results of a check for a person. */
export const checkText = (report: CheckReport, layout: Layout): string =>
  pageText([heading(report.name), ...report.scopes.map(scopeBlock), paragraph(totalText(report))], layout);
