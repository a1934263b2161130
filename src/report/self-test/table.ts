import type { Check, CheckGroup } from '../../composition/self-test/check.ts';
import { blocks, columns, type Layout, type Line } from '../kit/columns.ts';
import { grouped, wrapped } from '../kit/prose.ts';

const MOST_SHOWN = 5;

function gotText(got: Check['got']): string {
  if (got === null) return 'no number';
  return typeof got === 'number' ? String(got) : `${got.lower ?? 0} to ${got.upper}`;
}

const failed = ({ checks }: CheckGroup): CheckGroup['checks'] => checks.filter(({ passed }) => !passed);

/** Which groups of golden values pass on this machine, and what fails, for a person. */
export function selfTestTable(groups: readonly CheckGroup[], layout: Layout): string {
  const head = ['', 'values', 'group', 'passes if'];
  const lines = groups.map((group): Line => {
    const verdict = failed(group).length === 0 ? 'pass' : 'FAIL';
    return { cells: [verdict, grouped(group.checks.length), group.name, group.rule], best: verdict === 'FAIL' };
  });
  const failures = groups.flatMap((group) =>
    failed(group)
      .slice(0, MOST_SHOWN)
      .map(({ what, expected, got }) =>
        wrapped(`${what}: expected ${expected.toString()}, got ${gotText(got)}`, layout.width),
      ),
  );
  const all = groups.reduce((sum, { checks }) => sum + checks.length, 0);
  const wrong = groups.reduce((sum, group) => sum + failed(group).length, 0);
  const verdict =
    wrong === 0
      ? `All ${grouped(all)} values are as they must be: this program computes here what it was tested to compute.`
      : `${grouped(wrong)} of ${grouped(all)} values are wrong: no answer of this program is certified here, do not rely on this program here.`;
  return `${[
    columns(head, lines, layout) ?? blocks(head, lines, layout),
    ...(failures.length === 0 ? [] : [failures.join('\n')]),
    wrapped(verdict, layout.width),
  ].join('\n\n')}\n`;
}
