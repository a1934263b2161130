import type { Check, CheckGroup } from '../../composition/self-test/elementary.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { described, document, documentText, list, object, type Codec, type ReadOf } from '../kit/codec.ts';
import { BRACKET, FLAG, NUMBER, TEXT, whole, type ReadNumber } from '../kit/codecs.ts';
import { jsonDecimal } from '../kit/json-value.ts';

const EXPECTED: Codec<Decimal, ReadNumber> = { schema: NUMBER.schema, encode: jsonDecimal };

const GOT: Codec<Check['got'], ReadNumber | ReadOf<typeof BRACKET> | null> = {
  schema: { anyOf: [NUMBER.schema, BRACKET.schema, { type: 'null' }] },
  encode: (got) => (got === null ? null : typeof got === 'number' ? NUMBER.encode(got) : BRACKET.encode(got)),
};

/** The golden values that the program computes right. */
export const SELF_TEST = document(
  'self-test',
  'Which golden values the program computes right, as self-test --json prints it.',
  {
    node: described('The version of node.', TEXT),
    passed: FLAG,
    groups: list(
      object({
        id: TEXT,
        name: TEXT,
        rule: TEXT,
        values: whole(1),
        passed: FLAG,
        failures: list(
          object({ what: TEXT, expected: EXPECTED, got: described('A value, or an enclosure of it.', GOT) }),
        ),
      }),
    ),
  },
);

/** Groups of golden values as `dpcompose.self-test/1`; of values, those that fail. */
export function selfTestJson(groups: readonly CheckGroup[], node: string, version: string): string {
  const rows = groups.map(({ checks, ...group }) => {
    const failures = checks.filter(({ passed }) => !passed);
    return { ...group, values: checks.length, passed: failures.length === 0, failures };
  });
  return documentText(SELF_TEST, { version, node, passed: rows.every(({ passed }) => passed), groups: rows });
}
