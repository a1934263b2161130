import type { Check, CheckGroup } from '../composition/self-test/elementary.ts';
import type { Decimal } from '../numeric/decimal.ts';
import { BRACKET, FLAG, NUMBER, TEXT, whole, type ReadNumber } from './kit/codecs.ts';
import { jsonDecimal } from './kit/json-value.ts';
import { paragraph, stack, type Output } from './kit/page.ts';
import { grouped } from './kit/prose.ts';
import { table } from './kit/table.ts';
import * as json from './kit/codec.ts';

const EXPECTED: json.Codec<Decimal, ReadNumber> = { schema: NUMBER.schema, encode: jsonDecimal };

const GOT = json.orNull(json.anyOf(NUMBER, BRACKET));

/** The golden values that the program computes right. */
export const SELF_TEST = json.document(
  'self-test',
  'Golden values and whether this installation reproduces them: the output of self-test --json.',
  {
    node: json.described('The version of node.', TEXT),
    passed: FLAG,
    groups: json.list(
      json.object({
        id: TEXT,
        name: TEXT,
        rule: TEXT,
        values: whole(1),
        passed: FLAG,
        failures: json.list(
          json.object({
            what: TEXT,
            expected: EXPECTED,
            got: json.described('A value, or certified lower and upper bounds of it.', GOT),
          }),
        ),
      }),
    ),
  },
);

const MOST_SHOWN = 5;

function gotText(got: Check['got']): string {
  if (got === null) return 'no number';
  return typeof got === 'number' ? String(got) : `${got.lower ?? 0} to ${got.upper}`;
}

/** Which groups of golden values pass on this machine, and what fails. */
export function selfTestOutput(groups: readonly CheckGroup[], node: string): Output {
  const all = groups.reduce((sum, { checks }) => sum + checks.length, 0);
  const rows = groups.map(({ checks, ...group }) => {
    const failures = checks.filter(({ passed }) => !passed);
    return { ...group, values: checks.length, passed: failures.length === 0, failures };
  });
  const wrong = rows.reduce((sum, { failures }) => sum + failures.length, 0);
  return {
    page: () => [
      table(rows, [
        ['', ({ passed }) => (passed ? 'pass' : 'FAIL'), { bright: ({ passed }) => !passed }],
        ['values', ({ values }) => grouped(values)],
        ['group', ({ name }) => name],
        ['passes if', ({ rule }) => rule],
      ]),
      stack(
        rows
          .flatMap(({ failures }) => failures.slice(0, MOST_SHOWN))
          .map(({ what, expected, got }) => paragraph(`${what}: expected ${expected.toString()}, got ${gotText(got)}`)),
      ),
      paragraph(
        wrong === 0
          ? `All ${grouped(all)} values are as they must be: this program computes here what it was tested to compute.`
          : `${grouped(wrong)} of ${grouped(all)} values are wrong: results on this machine are not certified; do not rely on them.`,
      ),
    ],
    json: (version) =>
      json.documentText(SELF_TEST, { version, node, passed: rows.every(({ passed }) => passed), groups: rows }),
  };
}
