import { escapeXml } from '../kit/xml.ts';
import { isFile, itemsOf, type CheckItem, type CheckReport, type CheckScope } from './results.ts';
import { filesText, itemLines, scopeText } from './words.ts';

/** Characters that XML 1.0 does not have, and controls, written out. */
const visible = (text: string): string =>
  text.replace(/[^\n\P{C}]|[\ufffe\uffff\u2028\u2029]/gu, (character) => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });

/** Text of an XML document, in elements and in attributes. */
const xml = (text: string): string => escapeXml(visible(text));

function result(item: CheckItem): string {
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
  const inner = result(item);
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
