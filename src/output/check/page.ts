import { type CheckItem, type CheckReport, type CheckScope, type CheckStatus, itemsOf } from './results.ts';
import { CHANGES, filesText, outcomeText, remedies, scopeText, STATUS_TEXTS, totalText, limitName } from './words.ts';
import {
  type Layout,
  heading,
  onTerminal,
  pageText,
  paragraph,
  stack,
  type Block,
  list,
  pageMarkdown,
  type Style,
} from '../kit/page.ts';
import { indented, printable } from '../kit/prose.ts';
import { bold, escaped, type Inline } from '../kit/inline.ts';
import { upperText } from '../kit/number.ts';
import { table } from '../kit/table.ts';

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

const MARKS: Readonly<Record<CheckItem['outcome']['kind'], Inline>> = {
  within: 'yes',
  exceeds: [bold('no')],
  undecided: [bold('not shown')],
  refused: [bold('refused')],
  unreadable: [bold('unreadable')],
};

function details(item: CheckItem): Block[] {
  if (item.outcome.kind === 'within') return [];
  const { notes, changes } = remedies(item);
  const text = outcomeText(item);
  return [
    paragraph([
      bold(filesText(item)),
      ` (${STATUS_TEXTS[item.outcome.kind]}): `,
      { text, markdown: text.split('\n').map(escaped).join('<br>') },
    ]),
    paragraph(changes.length === 0 ? null : CHANGES),
    list(changes),
    ...notes.map(paragraph),
  ];
}

const epsilonText = ({ outcome }: CheckItem): string =>
  'spent' in outcome && outcome.spent !== null ? upperText(outcome.spent.answer.epsilon) : '';

/** Whether epsilon is a column: where risks alone are limited it is not asked. */
const hasBudget = ({ items }: CheckScope): boolean =>
  items.some(({ budget, risks }) => budget !== null || risks.length === 0);

/** A column for each risk that is limited, which are those of all items of a scope. */
const riskColumns = ({ items: [first] }: CheckScope) =>
  (first?.risks ?? []).map((limit, index) => {
    const value = ({ outcome }: CheckItem): string => {
      const verdict = 'risks' in outcome ? outcome.risks[index] : undefined;
      return verdict === undefined ? '' : upperText(verdict.value);
    };
    return [limitName(limit), value, { right: true }] as const;
  });

const section = (scope: CheckScope): Block[] => [
  heading(scopeText(scope), 2),
  table(scope.items, [
    ['specification', filesText],
    ...(hasBudget(scope) ? [['epsilon', epsilonText, { right: true }] as const] : []),
    ...riskColumns(scope),
    ['within', ({ outcome }) => MARKS[outcome.kind]],
  ]),
  ...scope.items.flatMap(details),
];

/** The results of a check as a Markdown document, such as the summary of a job. */
export function checkMarkdown(report: CheckReport): string {
  const passed = itemsOf(report).every(({ outcome }) => outcome.kind === 'within');
  return pageMarkdown([
    heading(`${report.name ?? 'Privacy budget'}: ${passed ? 'within' : 'not within'}`),
    paragraph(totalText(report)),
    ...report.scopes.flatMap(section),
  ]);
}
