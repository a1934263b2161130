import type { CheckItem, CheckReport, CheckScope, CheckStatus } from './results.ts';
import { CHANGES, filesText, outcomeText, remedies, scopeText, STATUS_TEXTS, totalText } from './words.ts';
import type { Layout } from '../kit/columns.ts';
import { printable, wrapped } from '../kit/prose.ts';
import type { Style } from '../kit/style.ts';

const STYLES: Readonly<Record<CheckStatus, keyof Style>> = {
  within: 'best',
  exceeds: 'error',
  undecided: 'error',
  refused: 'warning',
  unreadable: 'error',
};

const WIDEST = Math.max(...Object.values(STATUS_TEXTS).map((text) => text.length)) + 2;

/** Narrower than this nothing is broken into lines. */
const NARROWEST = 16;

function itemText(item: CheckItem, { width, style }: Layout): string {
  const status = item.outcome.kind;
  const indented = (text: string, indent: number): string => {
    const lines = text.split('\n').map((line) => wrapped(printable(line), Math.max(NARROWEST, width - indent)));
    return lines.join('\n').replace(/^/gm, ' '.repeat(indent));
  };
  const { notes, changes } = remedies(item);
  const list = changes.map((change) => `${' '.repeat(2)}- ${indented(change, 4).trimStart()}`);
  return [
    `${style[STYLES[status]](STATUS_TEXTS[status].padEnd(WIDEST))}${printable(filesText(item))}`,
    indented(outcomeText(item), 2),
    ...(changes.length === 0 ? [] : [indented(CHANGES, 2), ...list]),
    ...notes.map((note) => style.quiet(indented(note, 2))),
  ].join('\n');
}

function scopeBlock(scope: CheckScope, layout: Layout): string {
  const items = scope.items.map((item) => itemText(item, layout));
  return [layout.style.heading(wrapped(printable(scopeText(scope)), layout.width)), ...items].join('\n');
}

/** What came of a check, for a person. */
export function checkText(report: CheckReport, layout: Layout): string {
  const paragraphs = [
    ...(report.name === null ? [] : [layout.style.heading(wrapped(printable(report.name), layout.width))]),
    ...report.scopes.map((scope) => scopeBlock(scope, layout)),
    wrapped(totalText(report), layout.width),
  ];
  return `${paragraphs.join('\n\n')}\n`;
}
