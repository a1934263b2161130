import { itemsOf, type CheckItem, type CheckReport, type CheckScope } from './results.ts';
import { CHANGES, filesText, outcomeText, remedies, scopeText, STATUS_TEXTS, totalText } from './words.ts';
import { upperText } from '../kit/number.ts';
import { escaped } from '../plan/markdown.ts';

const MARKS = {
  within: 'yes',
  exceeds: '**no**',
  undecided: '**not shown**',
  refused: '**refused**',
  unreadable: '**unreadable**',
};

function row(item: CheckItem): string {
  const { outcome } = item;
  const epsilon = 'answer' in outcome ? upperText(outcome.answer.epsilon) : '';
  return `| ${escaped(filesText(item))} | ${epsilon} | ${MARKS[outcome.kind]} |`;
}

function details(item: CheckItem): string[] {
  if (item.outcome.kind === 'within') return [];
  const { notes, changes } = remedies(item);
  return [
    '',
    `**${escaped(filesText(item))}** (${STATUS_TEXTS[item.outcome.kind]}): ${outcomeText(item).split('\n').map(escaped).join('<br>')}`,
    ...(changes.length === 0 ? [] : ['', CHANGES, '', ...changes.map((change) => `- ${escaped(change)}`)]),
    ...notes.flatMap((note) => ['', escaped(note)]),
  ];
}

const section = (scope: CheckScope): string[] => [
  '',
  `## ${escaped(scopeText(scope))}`,
  '',
  '| specification | epsilon | within |',
  '| --- | ---: | --- |',
  ...scope.items.map(row),
  ...scope.items.flatMap(details),
];

/** What came of a check as a Markdown document, such as the summary of a job. */
export function checkMarkdown(report: CheckReport): string {
  const passed = itemsOf(report).every(({ outcome }) => outcome.kind === 'within');
  const title = report.name === null ? 'Privacy budget' : escaped(report.name);
  const lines = [
    `# ${title}: ${passed ? 'within' : 'not within'}`,
    '',
    totalText(report),
    ...report.scopes.flatMap(section),
  ];
  return `${lines.join('\n')}\n`;
}
