import { itemsOf, type CheckItem, type CheckReport, type CheckScope } from './results.ts';
import { CHANGES, filesText, outcomeText, remedies, scopeText, STATUS_TEXTS, totalText } from './words.ts';
import { limitName } from './risk-words.ts';
import { bold, escaped, type Inline } from '../kit/inline.ts';
import { upperText } from '../kit/number.ts';
import { heading, list, pageMarkdown, paragraph, type Block } from '../kit/page.ts';
import { table } from '../kit/table.ts';

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
