import type { Check, CheckGroup } from '../../composition/self-test/elementary.ts';
import type { Layout } from '../kit/columns.ts';
import { pageText, paragraph, stack } from '../kit/page.ts';
import { grouped } from '../kit/prose.ts';
import { table } from '../kit/table.ts';

const MOST_SHOWN = 5;

function gotText(got: Check['got']): string {
  if (got === null) return 'no number';
  return typeof got === 'number' ? String(got) : `${got.lower ?? 0} to ${got.upper}`;
}

const failed = ({ checks }: CheckGroup): CheckGroup['checks'] => checks.filter(({ passed }) => !passed);

/** Which groups of golden values pass on this machine, and what fails, for a person. */
export function selfTestTable(groups: readonly CheckGroup[], layout: Layout): string {
  const all = groups.reduce((sum, { checks }) => sum + checks.length, 0);
  const wrong = groups.reduce((sum, group) => sum + failed(group).length, 0);
  const isWrong = (group: CheckGroup): boolean => failed(group).length > 0;
  return pageText(
    [
      table(groups, [
        ['', (group) => (isWrong(group) ? 'FAIL' : 'pass'), { bright: isWrong }],
        ['values', ({ checks }) => grouped(checks.length)],
        ['group', ({ name }) => name],
        ['passes if', ({ rule }) => rule],
      ]),
      stack(
        groups
          .flatMap((group) => failed(group).slice(0, MOST_SHOWN))
          .map(({ what, expected, got }) => paragraph(`${what}: expected ${expected.toString()}, got ${gotText(got)}`)),
      ),
      paragraph(
        wrong === 0
          ? `All ${grouped(all)} values are as they must be: this program computes here what it was tested to compute.`
          : `${grouped(wrong)} of ${grouped(all)} values are wrong: no answer of this program is certified here, do not rely on this program here.`,
      ),
    ],
    layout,
  );
}
