import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { violations } from '../../output/schema.ts';
import { run, type } from '../run.ts';

const OVER_COUNT = 'gap --each 0.1 --count 2,10,30 --delta 1e-6';
const QUICK = 'gap --each 0.5 --count 2:4 --epsilon 1 --tolerance 0.1';

interface Enclosed {
  readonly lower: number;
  readonly upper: number;
}

interface Gaps {
  readonly input: object;
  readonly solveFor: string;
  readonly rows: { count: number; nonadaptive: Enclosed; adaptive: Enclosed; ratio: Enclosed | null }[];
  readonly largest: { ratio: Enclosed; row: number };
}

async function gaps(line: string): Promise<Gaps> {
  const { code, stdout, stderr } = await type(`${line} --json`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(violations('gap', stdout)).toEqual([]);
  return JSON.parse(stdout) as Gaps;
}

describe('dpcompose gap', () => {
  it('says in a sentence what is not given', async () => {
    const { code, stderr } = await type('gap');
    expect(code).toBe(2);
    expect(stderr).toContain('--each: the epsilon of each mechanism is not given. For example');
    expect(stderr).toContain('--count: the number of mechanisms is not given. For example');
  });

  it('tells a person what adaptivity costs', async () => {
    const { code, stdout, stderr } = await type(OVER_COUNT);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^Smallest epsilon at delta 1e-6 of mechanisms of 0\.1-bounded range\n\ncount +nonadaptive /,
    );
    expect(stdout).toContain('\n2      0.1937403256  0.1937403256                  0%');
    expect(stdout).toMatch(/need at least 0\.8\d*% more epsilon at count 10, and nowhere here more than 0\.8\d*%\.\n$/);
  });

  it('tells a program the same as one JSON document', async () => {
    const { input, solveFor, rows, largest } = await gaps(OVER_COUNT);
    expect(input).toEqual({ each: [0.1], count: [2, 10, 30], delta: [1e-6] });
    expect(solveFor).toBe('epsilon');
    expect(rows.map(({ count }) => count)).toEqual([2, 10, 30]);
    expect(rows[2]?.nonadaptive.upper).toBeCloseTo(1.15915742235445, 12);
    expect(rows[2]?.adaptive.lower).toBeGreaterThan(1.159157423);
    expect(largest.row).toBe(1);
  });

  it('is no other answer than that of compose', async () => {
    const compose = async (more: string): Promise<Enclosed> => {
      const line = `compose -m exponential:epsilon=0.5,count=4 --epsilon 1 ${more} --json`;
      return (JSON.parse((await type(line)).stdout) as { answer: { delta: Enclosed } }).answer.delta;
    };
    const [row] = (await gaps('gap --each 0.5 --count 4 --epsilon 1')).rows;
    expect(row?.nonadaptive).toEqual(await compose('--nonadaptive'));
    const adaptive = await compose('--bounds br-adaptive');
    expect(row?.adaptive.lower).toBeLessThanOrEqual(adaptive.upper);
    expect(row?.adaptive.upper).toBeGreaterThanOrEqual(adaptive.lower);
  });

  it.each([
    ['epsilons over delta', 'gap --each 0.5 --count 4 --delta 1e-2:1e-4', { delta: [0.01, 0.001, 1e-4] }],
    ['deltas over epsilon', 'gap --each 0.5 --count 4 --epsilon 0:1:0.25', { epsilon: [0, 0.25, 0.5, 0.75, 1] }],
    ['deltas over count', QUICK, { count: [2, 3, 4], epsilon: [1] }],
    ['epsilons over each', 'gap --each 0.1:0.3:0.1 --count 4 --delta 1e-3', { each: [0.1, 0.2, 0.3] }],
    ['one number', 'gap --each 0.5 --count 4 --delta 1e-3', { each: [0.5], count: [4], delta: [0.001] }],
  ])('compares %s', async (_, line, asked) => {
    const { input, rows } = await gaps(line);
    expect(input).toMatchObject(asked);
    expect(rows).toHaveLength(Math.max(...Object.values(input).map((values: unknown[]) => values.length)));
  });

  it('is comma-separated values for a spreadsheet', async () => {
    const { code, stdout } = await type(`${QUICK} --format csv`);
    expect(code).toBe(0);
    const [header = '', ...lines] = stdout.split('\r\n').slice(0, -1);
    const names = header.split(',');
    expect(names.slice(0, 5)).toEqual(['each', 'count', 'epsilon', 'nonadaptive.lower', 'nonadaptive.upper']);
    const { rows } = await gaps(QUICK);
    expect(lines).toHaveLength(rows.length);
    lines.forEach((line, index) => {
      const fields: Record<string, string> = Object.fromEntries(
        line.split(',').map((field, column) => [names[column] ?? '', field]),
      );
      expect(Number(fields.count)).toBe(rows[index]?.count);
      expect(Number(fields['adaptive.upper'])).toBe(rows[index]?.adaptive.upper);
    });
  });

  it('fits a terminal of 80 columns with columns, and a narrower one without', async () => {
    const shown = async (columns: number): Promise<string> => {
      const { stdout } = await type(OVER_COUNT, { terminal: true, columns, env: { NO_COLOR: '1' } });
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
      return stdout;
    };
    expect(await shown(80)).toMatch(/^count +nonadaptive +adaptive +gap$/m);
    expect(await shown(40)).toMatch(/^count 10\n {4}nonadaptive 0\.628/m);
  });

  it('says with a reason what it does not compute, and compares the rest', async () => {
    const { code, stdout } = await type('gap --each 9 --count 2,100000 --epsilon 0.6 --tolerance 0.1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^100,000 .* not computed$/m);
    expect(stdout).toMatch(/\nWhere no adaptive optimum is computed: br-adaptive is computed for at most /);
  });

  it('warns where there was no time for what was asked', async () => {
    const line = 'gap --each 0.5 --count 30:50:20 --delta 1e-6 --tolerance 1e-8 --max-seconds 0';
    const { code, stdout, stderr } = await type(line);
    expect(code).toBe(0);
    expect(stdout).toContain('nonadaptive');
    expect(stderr).toMatch(
      /^warning: For 2 values, the relative gap between the bounds is above the tolerance of .*, up to .* All numbers are valid\./,
    );
    expect(await type(`${line} -q`)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('writes a file without colour', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'dpcompose-'));
    const written = await run([...QUICK.split(' '), '-q', '-o', 'gaps.txt'], { cwd, terminal: true, columns: 40 });
    expect(written).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await readFile(join(cwd, 'gaps.txt'), 'utf8')).toBe((await type(QUICK)).stdout);
    await rm(cwd, { recursive: true });
  });

  it('has its headings marked on a terminal only', async () => {
    expect((await type(QUICK, { terminal: true })).stdout).toContain('\u001b[1mSmallest');
    expect((await type(QUICK)).stdout).not.toContain('\u001b');
    expect((await type(`${QUICK} --no-color`, { terminal: true })).stdout).not.toContain('\u001b');
  });
});
