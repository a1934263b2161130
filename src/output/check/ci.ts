import {
  isFile,
  itemsOf,
  type CheckItem,
  type CheckReport,
  type CheckScope,
  filesText,
  itemLines,
  totalText,
  scopeText,
} from './words.ts';
import { printable } from '../kit/prose.ts';
import { escapeXml } from '../kit/page.ts';
import type { Explanation } from '../kit/message.ts';
import { jsonDocument, type Json } from '../kit/json-value.ts';

type Failing = Exclude<CheckItem['outcome']['kind'], 'within'>;

/** What a finding is: its rule of SARIF, in the order of their indices, and the title of its annotation. */
const FAILING = {
  exceeds: {
    rule: 'budget-exceeded',
    title: 'Privacy budget exceeded',
    meaning: 'The mechanisms exceed their privacy budget.',
    remedy: 'Reduce what the message names, or raise the budget.',
  },
  undecided: {
    rule: 'budget-not-shown',
    title: 'Not shown to be within the privacy budget',
    meaning: 'The mechanisms cannot be shown to be within their privacy budget.',
    remedy: 'Reduce what the message names, or raise the budget. Whether the budget is exceeded is not known.',
  },
  refused: {
    rule: 'no-theorem',
    title: 'No theorem covers this',
    meaning: 'No composition theorem covers the specification.',
    remedy: 'Change what the message names. For what is covered, run dpcompose compose.',
  },
  unreadable: {
    rule: 'unreadable-specification',
    title: 'Specification cannot be read',
    meaning: 'The specification cannot be read.',
    remedy: 'Correct the line that the message names.',
  },
} as const satisfies Readonly<Record<Failing, Explanation & { readonly rule: string; readonly title: string }>>;

/** The rules, in the order of their indices. */
const RULES = Object.values(FAILING);

/** What every rule of SARIF is. */
export const sarifRules = (): Readonly<Record<string, Explanation>> =>
  Object.fromEntries(RULES.map(({ rule, ...explanation }) => [rule, explanation]));

/** Something to look at: a specification that is not within its budget, or one of its mistakes. */
interface Finding {
  readonly kind: Failing;
  readonly place: CheckItem['place'];
  readonly text: string;
}

/** Each line as a person may see it; other controls than the ends of lines written out. */
const visible = (text: string): string => text.split('\n').map(printable).join('\n');

function findings(item: CheckItem): Finding[] {
  const { outcome, place } = item;
  const { kind } = outcome;
  if (kind === 'within') return [];
  if (kind !== 'unreadable')
    return [{ kind, place, text: visible(`${filesText(item)}: ${itemLines(item).join('\n')}`) }];
  return outcome.unreadable.flatMap(({ file, errors }) =>
    errors.map(({ path, message, hint, line = 1, column = 1 }) => ({
      kind,
      place: isFile(file) ? { file, line, column } : null,
      text: visible(`${path}: ${message}. ${hint}`),
    })),
  );
}

const CODES: Readonly<Record<string, string>> = { '%': '%25', '\r': '%0D', '\n': '%0A', ':': '%3A', ',': '%2C' };

/** Data of a workflow command: no line of it can begin another command. */
const data = (text: string): string => text.replace(/[%\r\n]/g, (character) => CODES[character] ?? '');

/** A property of a workflow command, which `,` and `:` would end. */
const property = (text: string): string => text.replace(/[%\r\n:,]/g, (character) => CODES[character] ?? '');

function annotation({ kind, place, text }: Finding): string {
  const properties = [
    ...(place === null ? [] : [`file=${property(place.file)}`, `line=${place.line}`, `col=${place.column}`]),
    `title=${property(FAILING[kind].title)}`,
  ];
  return `::error ${properties.join(',')}::${data(text)}\n`;
}

/**
 * The outcome of a check as workflow commands of GitHub Actions: one annotation for each specification that is not
 * within its budget, at its place in the file, and a line of plain text at the end.
 */
export function checkGithub(report: CheckReport): string {
  return `${itemsOf(report).flatMap(findings).map(annotation).join('')}${totalText(report)}\n`;
}

/** Characters that XML 1.0 does not have, and controls, written out. */
const withoutControls = (text: string): string =>
  text.replace(/[^\n\P{C}]|[\ufffe\uffff\u2028\u2029]/gu, (character) => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });

/** Text of an XML document, in elements and in attributes. */
const xml = (text: string): string => escapeXml(withoutControls(text));

function junitResult(item: CheckItem): string {
  const { kind } = item.outcome;
  if (kind === 'within') return '';
  // What was compared and is not within failed; what could not be compared is an error of the test.
  const element = kind === 'exceeds' || kind === 'undecided' ? 'failure' : 'error';
  const lines = itemLines(item);
  return `      <${element} type="${kind}" message="${xml(lines[0] ?? '')}">${xml(lines.join('\n'))}</${element}>\n`;
}

function testcase(item: CheckItem, scope: CheckScope): string {
  const [first] = item.files;
  const file = item.files.length === 1 && first && isFile(first.path) ? ` file="${xml(first.path)}"` : '';
  const open = `    <testcase name="${xml(filesText(item))}" classname="${xml(scope.name ?? 'dpcompose')}"${file}`;
  const inner = junitResult(item);
  return inner === '' ? `${open}/>\n` : `${open}>\n${inner}    </testcase>\n`;
}

function counts(items: readonly CheckItem[]): string {
  const of = (...kinds: readonly string[]): number =>
    items.filter(({ outcome }) => kinds.includes(outcome.kind)).length;
  return `tests="${items.length}" failures="${of('exceeds', 'undecided')}" errors="${of('refused', 'unreadable')}"`;
}

/** The outcome of a check as a report of tests in the format of JUnit, one test for each item. */
export function checkJunit(report: CheckReport): string {
  const suites = report.scopes.map((scope) => {
    const cases = scope.items.map((item) => testcase(item, scope)).join('');
    return `  <testsuite name="${xml(scopeText(scope))}" ${counts(scope.items)}>\n${cases}  </testsuite>\n`;
  });
  const name = xml(report.name ?? 'dpcompose check');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${name}" ${counts(itemsOf(report))}>\n${suites.join('')}</testsuites>\n`;
}

/** A path as a relative reference; it has no `:` that would make it another scheme, and no half of a character. */
const uri = (path: string): string =>
  path
    .replace(/\p{Cs}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');

function location(place: CheckItem['place']): Json[] {
  if (place === null) return [];
  const { file, line, column } = place;
  const base = file.startsWith('/') || file.startsWith('../') ? {} : { uriBaseId: '%SRCROOT%' };
  const physicalLocation = {
    artifactLocation: { uri: file.startsWith('/') ? `file://${uri(file)}` : uri(file), ...base },
    region: { startLine: line, startColumn: column },
  };
  return [{ physicalLocation }];
}

function sarifResult({ kind, place, text }: Finding): Json {
  const rule = FAILING[kind];
  return {
    ruleId: rule.rule,
    ruleIndex: RULES.indexOf(rule),
    level: 'error',
    message: { text },
    locations: location(place),
  };
}

/**
 * The outcome of a check in the Static Analysis Results Interchange Format (SARIF 2.1.0): a result for each
 * specification that is not within its budget, at its place in the file.
 */
export function checkSarif(report: CheckReport, version: string): string {
  return jsonDocument({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'dpcompose',
            version,
            rules: RULES.map(({ rule, meaning }) => ({
              id: rule,
              shortDescription: { text: meaning },
              defaultConfiguration: { level: 'error' },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: itemsOf(report).flatMap(findings).map(sarifResult),
      },
    ],
  });
}
