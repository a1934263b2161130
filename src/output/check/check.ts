import type { RiskVerdict } from '../../composition/risk/limits.ts';
import type { SpecifiedChange } from '../../composition/check/check.ts';
import { PLACE } from '../compose/error.ts';
import { BRACKET, BUDGET, COUNT, FLAG, GIVEN, TEXT, TEXT_OR_NULL, whole } from '../kit/codecs.ts';
import { ROW_ID, WARNING } from '../refusal/refusal.ts';
import {
  statusOf,
  STATUSES,
  type CheckItem,
  type CheckReport,
  type CheckScope,
  type CheckStatus,
  itemsOf,
  checkRefusalReference,
  checkRefusalText,
  outcomeText,
  CHANGES,
  filesText,
  remedies,
  scopeText,
  STATUS_TEXTS,
  totalText,
  limitName,
} from './words.ts';
import { PARAMETER_NAMES } from '../../privacy/mechanisms/record.ts';
import * as json from '../kit/codec.ts';
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
  bold,
  escaped,
  type Inline,
} from '../kit/page.ts';
import { indented, printable } from '../kit/prose.ts';
import { upperText } from '../kit/number.ts';
import { table } from '../kit/table.ts';

const notEmpty = <C extends json.AnyCodec>(codec: C): C => ({ ...codec, schema: { ...codec.schema, minItems: 1 } });

const ALLOWED = json.described('The budget, with all digits.', BUDGET);
const FILES = notEmpty(json.list(json.object({ path: TEXT, name: json.optional(TEXT) })));
const POSITIVE = whole(1);

const PLACED = { file: TEXT, path: TEXT, label: json.optional(TEXT) };

const next = json.described(
  'A smaller change: exceeds: certainly not enough; undecided: not shown to be enough; refused: no theorem; none: there is none; unknown: --max-seconds ran out.',
  json.choice('exceeds', 'undecided', 'refused', 'none', 'unknown'),
);

const CHANGE = json.described(
  'A change to one mechanism that would bring the composition within the budget.',
  json.oneOf(
    json.object({ ...PLACED, kind: json.is('count'), from: POSITIVE, to: POSITIVE, next }),
    json.object({
      ...PLACED,
      kind: json.is('parameter'),
      parameter: json.choice(...PARAMETER_NAMES),
      from: GIVEN,
      to: GIVEN,
      next,
    }),
  ),
);

const LIMIT_STATUS = json.choice('within', 'exceeds', 'undecided');

const RISK = json.described(
  'How well an attacker distinguishes neighboring data sets, beside the limit.',
  json.oneOf(
    json.object({ measure: json.is('advantage'), most: GIVEN, value: BRACKET, status: LIMIT_STATUS }),
    json.object({
      measure: json.is('true-positive-rate'),
      falsePositiveRate: GIVEN,
      most: GIVEN,
      value: BRACKET,
      status: LIMIT_STATUS,
    }),
  ),
);

const COMPARED = json.object({
  files: FILES,
  budget: json.described('Null if only risks are limited.', json.orNull(ALLOWED)),
  status: LIMIT_STATUS,
  epsilon: json.described('At the delta of the budget.', json.orNull(BRACKET)),
  bound: json.orNull(ROW_ID),
  delta: json.described('At the epsilon of the budget, if it was computed.', json.orNull(BRACKET)),
  risks: json.optional(json.list(RISK)),
  message: TEXT,
  changes: json.list(CHANGE),
  warnings: json.list(WARNING),
});

const REFUSED = json.object({
  files: FILES,
  budget: json.orNull(ALLOWED),
  status: json.is('refused'),
  code: TEXT,
  message: TEXT,
  reference: TEXT_OR_NULL,
});

const UNREADABLE = json.object({
  files: FILES,
  budget: json.orNull(ALLOWED),
  status: json.is('unreadable'),
  errors: json.list(json.object({ file: TEXT, code: TEXT, path: TEXT, message: TEXT, hint: TEXT, ...PLACE }), {
    minItems: 1,
  }),
  more: json.described('The number of further errors, not listed.', COUNT),
});

const RESULT = json.oneOf(COMPARED, REFUSED, UNREADABLE);

/** The outcome of a check, with the status that is the worst of any specification. */
export const CHECK = json.document(
  'check',
  'Specifications compared with their budgets, as check --json prints them.',
  {
    policy: json.optional(TEXT),
    name: json.optional(TEXT),
    status: json.described('The first of these that holds of any specification.', json.choice(...STATUSES)),
    scopes: json.list(json.object({ name: json.optional(TEXT), together: FLAG, results: notEmpty(json.list(RESULT)) })),
  },
);

const changeOf = (change: SpecifiedChange, { files }: CheckItem): json.ValueOf<typeof CHANGE> => {
  const placed = { file: files[change.specification]?.path ?? '', label: change.entry.label };
  return change.kind === 'count' ? { ...change, ...placed } : { ...change, ...placed, parameter: change.name };
};

const riskOf = ({ limit, value, kind: status }: RiskVerdict): json.ValueOf<typeof RISK> =>
  limit.measure === 'advantage'
    ? { ...limit, value, status }
    : { ...limit, falsePositiveRate: limit.at, value, status };

function resultOf(item: CheckItem): json.ValueOf<typeof RESULT> {
  const { files, budget, outcome } = item;
  switch (outcome.kind) {
    case 'refused': {
      const { kind: status, refusal } = outcome;
      const [message, reference] = [checkRefusalText(refusal), checkRefusalReference(refusal)];
      return { files, budget, status, code: refusal.code, message, reference };
    }
    case 'unreadable':
      return {
        files,
        budget,
        status: outcome.kind,
        errors: outcome.unreadable.flatMap(({ file, errors }) => errors.map((error) => ({ ...error, file }))),
        more: outcome.unreadable.reduce((sum, { more }) => sum + more, 0),
      };
    case 'within':
    case 'exceeds':
    case 'undecided': {
      const { kind: status, spent, risks } = outcome;
      return {
        files,
        budget,
        status,
        epsilon: spent?.answer.epsilon ?? null,
        bound: spent?.answer.bound ?? null,
        delta: spent?.delta ?? null,
        risks: risks.length === 0 ? null : risks.map(riskOf),
        message: outcomeText(item),
        changes: outcome.changes.map((change) => changeOf(change, item)),
        warnings: spent?.answer.warnings ?? [],
      };
    }
  }
}

/** A check as `dpcompose.check/1`. */
export const checkJson = (report: CheckReport, version: string): string =>
  json.documentText(CHECK, {
    ...report,
    version,
    status: statusOf(report),
    scopes: report.scopes.map((scope) => ({ ...scope, results: scope.items.map(resultOf) })),
  });

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
