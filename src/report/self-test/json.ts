import type { CheckGroup } from '../../composition/self-test/check.ts';
import { jsonBracket, jsonDecimal, jsonDocument, jsonNumber } from '../kit/json-value.ts';

/** Which groups of golden values pass as `dpcompose.self-test/1`; of values, those that fail. */
export function selfTestJson(groups: readonly CheckGroup[], node: string, version: string): string {
  const rows = groups.map(({ id, name, rule, checks }) => {
    const failures = checks.filter(({ passed }) => !passed);
    return {
      id,
      name,
      rule,
      values: checks.length,
      passed: failures.length === 0,
      failures: failures.map(({ what, expected, got }) => ({
        what,
        expected: jsonDecimal(expected),
        got: got === null ? null : typeof got === 'number' ? jsonNumber(got) : jsonBracket(got),
      })),
    };
  });
  return jsonDocument({
    schema: 'dpcompose.self-test/1',
    version,
    node,
    passed: rows.every(({ passed }) => passed),
    groups: rows,
  });
}
