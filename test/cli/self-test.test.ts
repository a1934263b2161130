import { describe, expect, it } from 'vitest';
import { checkElementary, ELEMENTARY } from '../../src/composition/self-test/elementary.ts';
import { pageText, PLAIN } from '../../src/output/kit/page.ts';
import { selfTestOutput } from '../../src/output/self-test.ts';
import { violations } from '../output/schema.ts';
import { type } from './run.ts';

describe('dpcompose self-test', () => {
  it('passes here', async () => {
    const { code, stdout, stderr } = await type('self-test');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^pass +\d+ +optimal composition of equal mechanisms/m);
    expect(stdout).not.toContain('FAIL');
  });

  it('tells programs the same', async () => {
    const { code, stdout } = await type('self-test --json');
    expect(code).toBe(0);
    expect(violations('self-test', stdout)).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({ passed: true });
  });

  it('finds an engine whose functions are less precise than assumed', () => {
    const worse = ELEMENTARY.map((each) => ({ ...each, double: (x: number) => each.double(x) * (1 + 2 ** -49) }));
    const group = checkElementary(worse);
    expect(group.checks.every(({ passed }) => passed)).toBe(false);
    expect(checkElementary([{ ...ELEMENTARY[0]!, double: () => NaN }]).checks.some(({ passed }) => passed)).toBe(false);
    const text = pageText(selfTestOutput([group], 'v0').page('0'), { width: 80, style: PLAIN });
    expect(text).toMatch(/^FAIL/m);
    expect(text.replace(/\s+/g, ' ')).toContain('results on this machine are not certified');
    expect(text).toMatch(/: expected\s+-?\d[\d.e+-]+,\s+got\s+-?\d/);
    const nothing = checkElementary([{ ...ELEMENTARY[0]!, double: () => NaN }]);
    expect(pageText(selfTestOutput([nothing], 'v0').page('0'), { width: 80, style: PLAIN })).toMatch(
      /got\s+no\s+number/,
    );
    for (const each of [group, nothing]) {
      expect(violations('self-test', selfTestOutput([each], 'v0').json('0'))).toEqual([]);
    }
  });
});
