import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { violations } from '../../output/schema.ts';
import { readXml } from '../../output/xml.ts';
import { mistakes, run, type } from '../run.ts';

const BINARY = join(import.meta.dirname, '../../../bin/dpcompose.js');
const OVER_COUNT = 'curve -m dp:epsilon=0.1 --count 1,10,100 --delta 1e-6';
const OVER_DELTA = 'curve -m exponential:epsilon=0.1,count=20 --delta 1e-2:1e-6 --nonadaptive';
const DOCUMENT = JSON.stringify({
  dpcompose: 1,
  name: 'two kinds',
  target: { delta: '1e-6' },
  mechanisms: [
    { type: 'dp', epsilon: '0.1', count: 4, label: 'counts' },
    { type: 'dp', epsilon: '0.5', label: 'totals' },
  ],
});

interface Ends {
  readonly lower: number | null;
  readonly upper: number | 'Infinity';
}

interface Curve {
  readonly input: { readonly target?: object };
  readonly query: object;
  readonly lines: {
    readonly id: string;
    readonly points: { count?: number; delta?: number | Ends; epsilon?: number | Ends | null; code?: string }[];
  }[];
  readonly warnings: { code: string }[];
}

async function curve(line: string, stdin?: string): Promise<Curve> {
  const { code, stdout, stderr } = await type(`${line} --json`, { ...(stdin && { stdin }) });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(violations('curve', stdout)).toEqual([]);
  return JSON.parse(stdout) as Curve;
}

/** The built program, as its users run it. */
function built(line: string, env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BINARY, ...line.split(' ')], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  });
  return { code: status, stdout, stderr };
}

describe('dpcompose curve', () => {
  it('has a help within eighty columns', async () => {
    const { stdout } = await type('curve --help');
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('tells a person the claim at each point, and which bound gives it', async () => {
    const { code, stdout, stderr } = await type(OVER_COUNT);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^Certified epsilon at delta 1e-6 of \(0\.1, 0\)-DP mechanisms, chosen adaptively\n\ncount /,
    );
    expect(stdout).toContain('\n100    4.774567589    4.774567588    dp-optimal\n');
  });

  it('is no other answer than that of compose', async () => {
    const { lines } = await curve(OVER_COUNT);
    for (const { count = 0, epsilon } of lines[0]?.points ?? []) {
      const { stdout } = await type(`compose -m dp:epsilon=0.1,count=${count} --delta 1e-6 --json`);
      expect(epsilon).toEqual((JSON.parse(stdout) as { answer: { epsilon: Ends } }).answer.epsilon);
    }
  });

  it.each([
    [
      'epsilon over delta',
      OVER_DELTA,
      { along: 'delta', solveFor: 'epsilon', values: [1e-6, 1e-5, 1e-4, 0.001, 0.01] },
    ],
    [
      'delta over epsilon',
      'curve -m dp:epsilon=1,count=3 --epsilon 0:3/4',
      { along: 'epsilon', solveFor: 'delta', values: [0, 1, 2, 3] },
    ],
    [
      'delta over count',
      'curve -m dp:epsilon=1 --count 1:100/3log --epsilon 1',
      { along: 'count', solveFor: 'delta', epsilon: 1, values: [1, 10, 100] },
    ],
    [
      'epsilon over runs of a list',
      'curve -m dp:epsilon=1 -m gdp:mu=1 --times 3,1 --delta 1e-6',
      { along: 'times', solveFor: 'epsilon', delta: 1e-6, values: [1, 3] },
    ],
    ['a point twice only once', 'curve -m dp:epsilon=1 --count 5,2,5,1:2 --delta 1e-6', { values: [1, 2, 5] }],
    [
      'epsilon over delta at a count',
      'curve -m dp:epsilon=1 --count 7 --delta 1e-3,1e-4',
      { along: 'delta', values: [1e-4, 0.001] },
    ],
  ])('draws %s', async (_, line, query) => {
    expect((await curve(line)).query).toMatchObject(query);
  });

  it('takes the count of one mechanism of a document, and its target', async () => {
    const { query, lines, input } = await curve('curve - --vary counts --count 4,8', DOCUMENT);
    expect(query).toMatchObject({ solveFor: 'epsilon', delta: 1e-6, along: 'count', vary: 'counts' });
    expect(input.target).toBeUndefined();
    const { stdout } = await type('compose - --json', { stdin: DOCUMENT });
    expect(lines[0]?.points[0]?.epsilon).toEqual((JSON.parse(stdout) as { answer: { epsilon: Ends } }).answer.epsilon);
    expect((await curve('curve - --vary mechanisms[0] --count 4,8', DOCUMENT)).lines).toEqual(lines);
    expect((await curve('curve - --vary #1 --count 4,8', DOCUMENT)).lines).toEqual(lines);
  });

  it('has a line for each of several bounds, with a reason where one has no value', async () => {
    const { lines } = await curve(`${OVER_COUNT} --bounds basic,dp-optimal,br-mgf`);
    expect(lines.map(({ id }) => id)).toEqual(['basic', 'dp-optimal', 'br-mgf']);
    expect(lines[2]?.points.map(({ epsilon, code }) => [epsilon, code])).toEqual(Array(3).fill([null, 'needs-types']));
    const { stdout } = await type(`${OVER_COUNT} --bounds basic,dp-optimal,br-mgf`);
    expect(stdout.match(/br-mgf has no line here: br-mgf holds for bounded-range mechanisms only/g)).toHaveLength(1);
  });

  it('shows no number where epsilon is infinite, and says so once', async () => {
    const line = 'curve -m dp:epsilon=0.1,delta=1e-3,count=2 --delta 1e-5:1e-2';
    expect((await curve(line)).lines[0]?.points[0]?.epsilon).toMatchObject({ upper: 'Infinity' });
    const { stdout } = await type(line);
    expect(stdout).toContain('claim gives no finite epsilon at 3 of 4 points.');
  });

  it('is comma-separated values for a spreadsheet', async () => {
    const { stdout } = await type(`${OVER_COUNT} --format csv`);
    const [header, first, ...others] = stdout.split('\r\n');
    expect(header).toBe('count,epsilon.lower,epsilon.upper,bound');
    expect(first).toMatch(/^1,0\.0999\d+,0\.0999\d+,dp-optimal$/);
    expect(others).toHaveLength(3);
    const bounds = await type(`${OVER_COUNT} --bounds basic,br-mgf --format csv`);
    expect(bounds.stdout.split('\r\n')[1]).toBe('1,,0.1,,,,needs-types');
  });

  it('is an SVG file that is XML, also where names are markup', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'dpcompose-'));
    const stdin = DOCUMENT.replace('two kinds', 'a <b> & \\"c\\"');
    const written = await run('curve - --times 1:12 --format svg -o curve.svg'.split(' '), { cwd, stdin });
    expect(written).toEqual({ code: 0, stdout: '', stderr: '' });
    const svg = await readFile(join(cwd, 'curve.svg'), 'utf8');
    expect(readXml(svg)).toHaveProperty('svg.title');
    expect(svg).toContain('a &lt;b&gt; &amp; &quot;c&quot;');
    await rm(cwd, { recursive: true });
  });

  it.each([40, 80, 200])('plots in %d columns', async (columns) => {
    for (const LANG of ['en_US.UTF-8', 'C']) {
      const world = { terminal: true, columns, env: { LANG, NO_COLOR: '1' } };
      const { stdout } = await type(`${OVER_DELTA} --bounds br-mgf,basic --format plot`, world);
      const plot = stdout.split('\n').filter((line) => /[│┤|+]/.test(line));
      expect(Math.max(...plot.map((line) => line.length))).toBe(columns);
      expect(stdout).toContain('A br-mgf   B basic');
      expect(stdout).not.toContain('\u001b');
      expect(/[\u2800-\u28ff]/.test(stdout)).toBe(LANG !== 'C');
    }
  });

  it.each([
    [{ LC_ALL: 'C', LANG: 'en_US.UTF-8' }, false],
    [{ LC_CTYPE: 'de_DE.utf8' }, true],
    [{ LANG: 'en_US.UTF-8', TERM: 'linux' }, false],
    [{}, false],
  ])('plots in braille where the terminal shows it: %j', async (env, braille) => {
    const { stdout } = await type(`${OVER_COUNT} --format plot`, { env });
    expect(/[\u2800-\u28ff]/.test(stdout)).toBe(braille);
  });

  it('divides axes as they are asked to be', async () => {
    const ticks = async (more: string): Promise<string> => (await type(`${OVER_COUNT} --format plot${more}`)).stdout;
    expect(await ticks('')).toMatch(/ 1 +10 +100$/m);
    expect(await ticks(' --x-axis linear')).toMatch(/ 20 +40 +60 +80 +100$/m);
    expect(await ticks(' --y-axis log')).toMatch(/^ *10 \+/m);
  });

  it.each([
    ['curve -m dp:epsilon=1', '--count: missing-option'],
    ['curve -m dp:epsilon=1 --count 1:5', '--delta: no-target'],
    ['curve -m dp:epsilon=1 --count 1:5 --delta 1e-2:1e-4', '--delta: two-series'],
    ['curve -m dp:epsilon=1 --delta 0.1 --epsilon 1', '--epsilon: two-targets'],
    ['curve -m dp:epsilon=1 -m dp:epsilon=2 --count 1:5 --delta 1e-6', '--count: missing-option'],
    [
      'curve -m dp:epsilon=1,label=a -m dp:epsilon=2,label=a --vary a --count 1:5 --delta 1e-6',
      '--vary: duplicate-name',
    ],
    ['curve -m dp:epsilon=1,label=a --vary b --count 1:5 --delta 1e-6', '--vary: unknown-name'],
    ['curve -m dp:epsilon=1,label=a --vary a --delta 1e-6', '--vary: conflicting-options'],
    ['curve -m dp:epsilon=1 --count 2 --times 2 --delta 1e-6', '--times: conflicting-options'],
    ['curve -m dp:epsilon=1 --times 2 --delta 1e-6,1e-5', '--times: conflicting-options'],
    ['curve -m dp:epsilon=1,count=9007199254740991 --times 1,2 --delta 1e-6', '--times: out-of-range'],
    ['curve fixtures/live-dashboard.json --times 1:3 --delta 1e-6', '--times: conflicting-options'],
    ['curve -m dp:epsilon=1 --count 0:5 --delta 1e-6', '--count: out-of-range'],
    ['curve -m dp:epsilon=1 --delta 1e-2:20/3', '--delta: out-of-range'],
    ['curve -m dp:epsilon=1 --delta 1e-2:1e-8/2000', '--delta: too-many-values'],
    ['curve -m dp:epsilon=1 --delta 0:1/5', '--delta: out-of-range'],
    ['curve -m dp:epsilon=1 --delta 1e-6 --x-axis logarithmic', '--x-axis: unknown-value'],
    ['curve -m dp:epsilon=1 --delta 1e-6 --bounds nothing', '--bounds: unknown-bound'],
  ])('says what is wrong with %s', async (line, mistake) => {
    const ended = await type(`${line} --json`);
    expect(ended.code).toBe(2);
    expect(mistakes(ended)).toContain(mistake);
  });

  it('is refused where no theorem covers any point', async () => {
    const { code, stdout } = await type('curve -m dp:epsilon=1 --count 1:5 --delta 1e-6 --bounds gaussian --json');
    expect(code).toBe(3);
    expect(violations('refusal', stdout)).toEqual([]);
  });

  it('warns once, and with --strict ends with 1', async () => {
    const line = 'curve -m zcdp:rho=0.01 -m exponential:epsilon=0.1 --delta 1e-4:1e-6';
    const { code, stderr } = await type(line);
    expect(code).toBe(0);
    expect(stderr.match(/^warning: /gm)).toHaveLength(1);
    expect((await type(`${line} --strict -q`)).code).toBe(1);
  });

  it('is in the built program', () => {
    expect(built(`${OVER_COUNT} --format csv`)).toMatchObject({ code: 0, stderr: '' });
    const plot = built(`${OVER_DELTA} --format plot`, { LANG: 'en_US.UTF-8' });
    expect(plot).toMatchObject({ code: 0, stderr: '' });
    expect(plot.stdout).toMatch(/[\u2800-\u28ff]/);
    expect(readXml(built(`${OVER_DELTA} --format svg`).stdout)).toHaveProperty('svg.title');
  });
});
