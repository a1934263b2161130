import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mistakes, type } from '../run.ts';
import { csv, lazy, seen } from './helpers.ts';

const COINS = 'simulate --losses coins --rounds 500 --experts 10 --batch 5 --eta 0.01 --p 0.01 --runs 20';
const COVERED = COINS.replace('--p 0.01', '--p 0.5');
const CONVEX =
  'simulate --measure convex --losses coins --rounds 400 --dimension 3 --batch 4 --eta 0.05 --p 0.2 --beta 0.1 --lambda 20 --runs 20';
const FLAGS = '--batch 1 --eta 0.1 --p 0.3';

interface Estimate {
  readonly mean: number;
  readonly lower: number;
  readonly upper: number;
}

interface Simulated {
  readonly input: object;
  readonly regret: {
    estimate: Estimate;
    expected: number;
    safe: { status: string; upper: number };
    claimed: { status: string } | null;
  };
  readonly bestLoss: number;
  readonly switches: Record<string, Estimate & { expected?: number }>;
  readonly privacy: { epsilon: number | string; delta: number };
  readonly instances: {
    expectedRegret: Estimate;
    worst: { seed: number; estimate: Estimate; expected: number };
  } | null;
}

interface Searched {
  readonly neighbour: { round: number; losses: number[] };
  readonly epsilon: number;
  readonly accounting: { epsilon: number };
}

interface Exact {
  readonly views: { view: string; outcomes: number; deltas: number[]; largestLoss: number | string }[];
  readonly accounting: { status: string; resampling: string; deltas: number[] }[];
  readonly played: { played: string; probability: number; neighbour: number }[];
}

describe('dpcompose lazy simulate', () => {
  let folder = '';
  const file = (name: string): string => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dpcompose-lazy-'));
    await writeFile(file('a.csv'), '0,1\n1,0\n0,1\n');
    await writeFile(file('b.csv'), '1,0\r\n1,0\r\n\r\n0,1');
    await writeFile(file('same.csv'), '0,1\n1,0\n0,1');
    await writeFile(file('short.csv'), '0,1\n1,0\n');
    await writeFile(file('bad.csv'), 'a,0.5\n0,2\n0\n-1,NaN\n');
    await writeFile(file('one.csv'), '0\n1\n');
    await writeFile(file('empty.csv'), '\n \n');
    await writeFile(file('binary'), Buffer.from([0xff, 0x00, 0xfe, 0x80, 0x81]));
    await writeFile(file('many.csv'), '0,1\n'.repeat(40));
    await writeFile(file('other.csv'), `1,0\n${'0,1\n'.repeat(39)}`);
  });
  afterAll(async () => {
    await rm(folder, { recursive: true });
  });

  it('runs L2P on generated losses, the same for the same seed', async () => {
    const found = await lazy<Simulated>(COINS);
    expect(found.input).toMatchObject({ losses: 'coins', runs: 20, seed: 1, experts: 10 });
    expect(found.regret.estimate.lower).toBeLessThan(found.regret.estimate.mean);
    expect(found.regret.expected).toBeLessThan(found.regret.safe.upper);
    // Proposition 3.3 asks for eta B ln(1/delta1) <= p: with p 0.01 it is about no such parameters.
    expect([found.regret.safe.status, found.regret.claimed]).toEqual(['guaranteed', null]);
    expect((await lazy<Simulated>(COVERED)).regret.claimed!.status).toBe('claimed');
    expect(await lazy<Simulated>(`${COINS} --seed 1`)).toEqual(found);
    expect((await lazy<Simulated>(`${COINS} --seed 2`)).regret).not.toEqual(found.regret);
  });

  it('shows them to a person', async () => {
    const { code, stdout, stderr } = await seen(COINS);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('20 runs on 500 rounds of 10 experts, losses coins, seed 1\n');
    expect(stdout).toMatch(/\nresamplings of x +[\d.]+ +[\d.]+ to [\d.]+ +[\d.]+\n/);
    expect(stdout).not.toContain('Proposition 3.3');
    expect((await seen(COVERED)).stdout).toContain('Proposition 3.3 claims');
    expect((await csv(COINS)).map(({ quantity }) => quantity)).toEqual([
      'regret',
      'real',
      'fake',
      'ofX',
      'ofY',
      'epsilon',
      'delta',
    ]);
  });

  it('runs it on given losses, from a file or standard input', async () => {
    const fromFile = await lazy<Simulated>(`simulate --losses ${file('a.csv')} ${FLAGS}`);
    const piped = await lazy<Simulated>(`simulate --losses - ${FLAGS}`, { stdin: '0,1\n1,0\n0,1\n' });
    expect(piped.regret).toEqual(fromFile.regret);
    expect(piped.switches).toEqual(fromFile.switches);
    const named = await lazy<Simulated>(`simulate --losses - ${FLAGS}`, {
      stdin: 'one,other\n[0, 1]\n{"other": 0, "one": 1}\n0,1',
    });
    expect(named.regret).toEqual(fromFile.regret);
  });

  it('states the privacy of a run as the audit does', async () => {
    const { privacy } = await lazy<Simulated>(`${COINS} --delta 1e-5`);
    const audited = await lazy<{ guarantee: object }>('audit --rounds 500 --batch 5 --eta 0.01 --p 0.01 --delta 1e-5');
    expect(privacy).toEqual({ status: 'guaranteed', delta: 1e-5, ...audited.guarantee });
    expect((await lazy<Simulated>(COINS)).privacy.delta).toBe(1e-6);
    expect((await seen(COINS)).stdout).toMatch(/a run is \([\d.]+, 1e-6\)-differentially\s+private/);
    const { epsilon } = (await lazy<Simulated>(`${COINS.replace('--p 0.01', '--c 0')} --delta 1e-30`)).privacy;
    expect(epsilon).toBe('Infinity');
    expect((await seen(`${COINS.replace('--p 0.01', '--c 0')} --delta 1e-30`)).stdout).toContain('gives no epsilon');
  });

  it('plays several loss sequences, and says which is the worst', async () => {
    const { regret, instances, input } = await lazy<Simulated>(`${COINS} --instances 5`);
    expect(input).toMatchObject({ instances: 5, runs: 20 });
    const { worst, expectedRegret } = instances!;
    expect(expectedRegret.mean).toBe(regret.expected);
    expect(worst.expected).toBeGreaterThan(regret.expected);
    const alone = await lazy<Simulated>(`${COINS} --seed ${worst.seed}`);
    expect([alone.regret.expected, alone.regret.estimate]).toEqual([worst.expected, worst.estimate]);
    expect(alone.instances).toBeNull();
    const { stdout } = await seen(`${COINS} --instances 5`);
    expect(stdout).toContain('20 runs on each of 5 loss sequences of 500 rounds');
    expect((await csv(`${COINS} --instances 5`))[1]).toMatchObject({ quantity: 'worstRegret' });
  });

  it('reads long losses in little memory', async () => {
    const rows = '0,1,0.5,0.25\n1,0,.125,1e-3\n'.repeat(50_000);
    const { input, bestLoss } = await lazy<Simulated>('simulate --losses - --batch 10 --eta 0.001 --p 0.1 --runs 2', {
      stdin: rows,
    });
    expect(input).toMatchObject({ rounds: 100_000, experts: 4 });
    expect(bestLoss).toBeCloseTo(50_000 * 0.251, 6);
  });

  it.each(['0', '0.99999999999999999999', '1'])('compares neighbours at the ends of p: %s', async (p) => {
    const flags = `--batch 1 --eta 0.1 --p ${p} --epsilon 0.1`;
    const pair = `--losses ${file('a.csv')} --neighbour ${file('b.csv')}`;
    const { views, accounting } = await lazy<Exact>(`simulate ${pair} ${flags}`);
    for (const { deltas, largestLoss } of views) {
      expect(Number.isFinite(largestLoss)).toBe(true);
      for (const bound of accounting) expect(deltas[0]!).toBeLessThanOrEqual(bound.deltas[0]!);
    }
  });

  it('lists the exact law on two neighbours, below the accounting', async () => {
    const line = `simulate --losses ${file('a.csv')} --neighbour ${file('b.csv')} ${FLAGS}`;
    const { views, accounting, played } = await lazy<Exact>(`${line} --epsilon 0,0.1,0.2,0.3`);
    expect(views.map(({ view, outcomes }) => [view, outcomes])).toEqual([
      ['played', 8],
      ['states', 100],
      ['flags', 324],
    ]);
    expect(views[0]!.deltas[1]).toBeCloseTo(0.01506866636764612, 14);
    expect(views[2]!.deltas[1]).toBeCloseTo(0.0425830938223, 12);
    for (const { status, deltas } of accounting) {
      expect(status).toBe('guaranteed');
      for (const { deltas: exact } of views)
        exact.forEach((delta, i) => {
          expect(delta).toBeLessThanOrEqual(deltas[i]!);
        });
    }
    expect(played.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 12);
    const { stdout } = await seen(`${line} --epsilon 0,0.1`);
    expect(stdout).toMatch(/exact: x, y and both flags +0\.08066/);
    expect(await csv(line)).toHaveLength(8);
  });

  it('runs it on linear losses on a ball', async () => {
    const { input, regret, switches, privacy } = await lazy<Simulated>(CONVEX);
    expect(input).toMatchObject({ losses: 'coins', dimension: 3, measure: { lambda: 20 } });
    expect(regret.estimate.mean).toBeLessThan(regret.safe.upper);
    expect(switches.ofY!.mean).toBeGreaterThan(0);
    const audited = await lazy<{ guarantee: object }>(
      'audit --measure convex --rounds 400 --batch 4 --eta 0.05 --p 0.2 --beta 0.1 --lambda 20 --delta 1e-6',
    );
    expect(privacy).toMatchObject(audited.guarantee);
    expect((await seen(CONVEX)).stdout).toContain('linear losses on the ball in 3 dimensions');
    expect((await csv(CONVEX)).map(({ quantity }) => quantity)).toContain('ofY');
  });

  it('searches the neighbour that is told apart most, exactly where all can be listed', async () => {
    const line = `simulate --losses ${file('a.csv')} --worst-neighbour ${FLAGS}`;
    const found = await lazy<Searched>(`${line} --delta 1e-3`);
    expect(found).toMatchObject({ result: 'worst-neighbour', kind: 'exact', confidence: null, tried: 12 });
    expect(found.neighbour.losses.every((loss) => loss === 0 || loss === 1)).toBe(true);
    const other = ['0,1', '1,0', '0,1'].map((row, t) =>
      t + 1 === found.neighbour.round ? found.neighbour.losses.join(',') : row,
    );
    await writeFile(file('worst.csv'), other.join('\n'));
    const pair = `simulate --losses ${file('a.csv')} --neighbour ${file('worst.csv')} ${FLAGS}`;
    const { views } = await lazy<Exact>(`${pair} --epsilon ${found.epsilon.toFixed(12)}`);
    expect(views[2]!.deltas[0]).toBeCloseTo(1e-3, 10);
    expect((await seen(line)).stdout).toMatch(/by\s+listing\s+all\s+that\s+can\s+happen/);
    expect(await csv(line)).toHaveLength(1);
  });

  it('tests one by runs where too much can be seen', async () => {
    const line = `${COINS.replace('--runs 20', '--runs 2000')} --worst-neighbour`;
    const found = await lazy<Searched>(line);
    expect(found).toMatchObject({
      kind: 'tested',
      confidence: 0.95,
      accounting: { status: 'guaranteed', delta: 1e-6 },
    });
    expect(found.epsilon).toBeGreaterThan(0.1 * found.accounting.epsilon);
    expect(found.epsilon).toBeLessThan(found.accounting.epsilon);
    const { stdout } = await seen(line);
    expect(stdout).toContain('An event was chosen on 2,000 runs');
    expect(stdout).toMatch(/at least, with 95% confidence +0\.\d/);
  });

  it.each<[string, () => string, () => string[]]>([
    ['no losses', () => `simulate ${FLAGS}`, () => ['--losses: missing-option']],
    [
      'generated losses of no size',
      () => `simulate --losses coins ${FLAGS}`,
      () => ['--experts: missing-option', '--rounds: missing-option'],
    ],
    [
      'a file that is not there',
      () => `simulate --losses ${file('nothing')} ${FLAGS}`,
      () => [`${file('nothing')}: no-such-file`],
    ],
    ['a directory', () => `simulate --losses ${folder} ${FLAGS}`, () => [`${folder}: is-a-directory`]],
    [
      'a file that is no text',
      () => `simulate --losses ${file('binary')} ${FLAGS}`,
      () => [`${file('binary')}:1: not-text`],
    ],
    [
      'a file with nothing in it',
      () => `simulate --losses ${file('empty.csv')} ${FLAGS}`,
      () => ['--losses: empty-list'],
    ],
    ['one expert', () => `simulate --losses ${file('one.csv')} ${FLAGS}`, () => [`${file('one.csv')}:1: out-of-range`]],
    [
      'losses that are none',
      () => `simulate --losses ${file('bad.csv')} ${FLAGS}`,
      () => [
        `${file('bad.csv')}:1: not-a-number`,
        `${file('bad.csv')}:2: out-of-range`,
        `${file('bad.csv')}:3: unequal-lengths`,
        `${file('bad.csv')}:4: out-of-range`,
        `${file('bad.csv')}:4: not-finite`,
      ],
    ],
    [
      'too many losses',
      () => `simulate --losses coins --rounds 1e9 --experts 100 ${FLAGS}`,
      () => ['--rounds: too-large'],
    ],
    [
      'too many experts',
      () => `simulate --losses zero --rounds 2 --experts 1e7 ${FLAGS}`,
      () => ['--experts: too-large'],
    ],
    [
      'a batch that is longer than the file',
      () => `simulate --losses ${file('a.csv')} ${FLAGS.replace('--batch 1', '--batch 4')}`,
      () => ['--batch: out-of-range'],
    ],
    [
      'instances of a file',
      () => `simulate --losses ${file('a.csv')} --instances 2 ${FLAGS}`,
      () => ['--instances: conflicting-options'],
    ],
    ['too few runs', () => COINS.replace('--runs 20', '--runs 1'), () => ['--runs: out-of-range']],
    [
      'a neighbour of another size',
      () => `simulate --losses ${file('a.csv')} --neighbour ${file('short.csv')} ${FLAGS}`,
      () => ['--neighbour: unequal-lengths'],
    ],
    [
      'a neighbour that is the same',
      () => `simulate --losses ${file('a.csv')} --neighbour ${file('same.csv')} ${FLAGS}`,
      () => ['--neighbour: out-of-range'],
    ],
    [
      'neighbours that are too long to list',
      () => `simulate --losses ${file('many.csv')} --neighbour ${file('other.csv')} ${FLAGS}`,
      () => ['--losses: too-large'],
    ],
    [
      'a neighbour that is given and searched for',
      () => `simulate --losses ${file('a.csv')} --neighbour ${file('b.csv')} --worst-neighbour ${FLAGS}`,
      () => ['--neighbour: conflicting-options'],
    ],
    [
      'too many losses to search',
      () => `simulate --losses zero --rounds 1e7 --experts 10 --worst-neighbour ${FLAGS}`,
      () => ['--rounds: too-large'],
    ],
    [
      'too many runs to search with',
      () => `simulate --losses zero --rounds 1e6 --experts 2 --runs 1e5 --worst-neighbour ${FLAGS}`,
      () => ['--runs: too-large'],
    ],
    ['a dimension of experts', () => `${COINS} --dimension 3`, () => ['--dimension: conflicting-options']],
    ['a measure that is not run', () => `${COINS} --measure any`, () => ['--measure: unknown-value']],
    [
      'a file of linear losses',
      () => CONVEX.replace('--losses coins', '--losses a.csv'),
      () => ['--losses: unknown-value'],
    ],
    ['linear losses without y', () => CONVEX.replace('--p 0.2', '--c 0.2'), () => ['--c: conflicting-options']],
    [
      'what is for experts on linear losses',
      () => `${CONVEX} --experts 3 --instances 2 --worst-neighbour --neighbour a.csv`,
      () => [
        '--experts: conflicting-options',
        '--instances: conflicting-options',
        '--neighbour: conflicting-options',
        '--worst-neighbour: conflicting-options',
      ],
    ],
    ['too many dimensions', () => CONVEX.replace('--dimension 3', '--dimension 1e6'), () => ['--dimension: too-large']],
    ['too many linear losses', () => CONVEX.replace('--rounds 400', '--rounds 1e9'), () => ['--rounds: too-large']],
    [
      'too many points',
      () => CONVEX.replace('--runs 20', '--runs 1e5').replace('--dimension 3', '--dimension 1e4'),
      () => ['--runs: too-large'],
    ],
    ['an epsilon without a neighbour', () => `${COINS} --epsilon 1`, () => ['--epsilon: conflicting-options']],
  ])('exits with 2 for %s', async (_, line, expected) => {
    const found = await type(`lazy ${line()} --json`);
    expect(found.code).toBe(2);
    expect(mistakes(found)).toEqual(expected());
  });
});
