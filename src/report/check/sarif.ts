import { isFile, itemsOf, type CheckItem, type CheckReport } from './results.ts';
import { filesText, itemLines } from './words.ts';
import { SARIF_RULES, type SarifRule } from '../codes/sarif.ts';
import { jsonDocument, type Json } from '../kit/json-value.ts';
import { printable } from '../kit/prose.ts';

type Failing = Exclude<CheckItem['outcome']['kind'], 'within'>;

/** The rule of SARIF that a result is about. */
const SARIF_RULE_OF: Readonly<Record<Failing, SarifRule>> = {
  exceeds: 'budget-exceeded',
  undecided: 'budget-not-shown',
  refused: 'no-theorem',
  unreadable: 'unreadable-specification',
};

const FAILING: readonly Failing[] = ['exceeds', 'undecided', 'refused', 'unreadable'];

/** The rules, in the order of their indices. */
const RULES = FAILING.map((kind) => SARIF_RULE_OF[kind]);

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

function result(kind: Failing, text: string, place: CheckItem['place']): Json {
  const ruleIndex = FAILING.indexOf(kind);
  return {
    ruleId: SARIF_RULE_OF[kind],
    ruleIndex,
    level: 'error',
    message: { text: text.split('\n').map(printable).join('\n') },
    locations: location(place),
  };
}

function results(item: CheckItem): Json[] {
  const { outcome, place } = item;
  if (outcome.kind === 'within') return [];
  if (outcome.kind === 'unreadable') {
    return outcome.unreadable.flatMap(({ file, errors }) =>
      errors.map(({ path, message, hint, line = 1, column = 1 }) =>
        result('unreadable', `${path}: ${message}. ${hint}`, isFile(file) ? { file, line, column } : null),
      ),
    );
  }
  return [result(outcome.kind, `${filesText(item)}: ${itemLines(item).join('\n')}`, place)];
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
            rules: RULES.map((id) => ({
              id,
              shortDescription: { text: SARIF_RULES[id].meaning },
              defaultConfiguration: { level: 'error' },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: itemsOf(report).flatMap(results),
      },
    ],
  });
}
