import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMAND_NAMES } from '../../src/cli/commands.ts';
import { run, type World } from './run.ts';

/** Tabs, ends of lines, what ASCII prints, and what sets off parts of a text on a terminal. */
// eslint-disable-next-line no-control-regex
const ASCII = /^(?:[\t\n\r -~]|\u001b\[\d+m)*$/;

const FIXTURES = resolve('fixtures');

/** Every command that writes for people, in each of its forms that a terminal shows. */
const COMMANDS = [
  'compose dashboard.json',
  'compose dashboard.json --all',
  'compose endless-alarms.json',
  'solve dashboard.json --find count --vary #1 --epsilon 5',
  'sgd --examples 1000 --batch 10 --epochs 4 --noise-multiplier 1 --delta 1e-5 --scheme poisson',
  'sgd --examples 1000 --batch 100 --epochs 2 --noise-multiplier 1 --delta 1e-5 --compare-schemes',
  'diff dashboard.json noise.json',
  'diff dashboard.json noise.json --format markdown',
  'gap --each 0.1 --count 2:4 --delta 1e-6',
  'check dashboard.json noise.json --epsilon 4',
  'check dashboard.json --epsilon 4 --format markdown',
  'check dashboard.json --epsilon 4 --format github',
  'risk noise.json --baseline 0.1 --divergence tv --gaussian',
  'risk noise.json --format markdown',
  'audit noise.json --scores scores.csv --method thresholds --ranks 1,10 --delta 1e-5',
  'audit --scores scores.csv --method thresholds --split --format markdown',
  'statement live-dashboard.json',
  'statement noise.json --format markdown',
  'curve -m dp:epsilon=0.1 --count 1:10 --delta 1e-6',
  'curve -m dp:epsilon=0.1 --count 1:10 --delta 1e-6 --format plot',
  'curve -m dp:epsilon=0.1,count=9 --epsilon 0:1/9 --bounds basic,dp-optimal --format plot',
  'curve --of tradeoff -m gaussian:sigma=1 --format plot',
  'curve --of profile -m gaussian:sigma=1',
  'compare dashboard.json noise.json',
  'compare dashboard.json noise.json --format plot',
  'figure',
  'figure bounded-range-2',
  'figure lazy-rates',
  'plan live-dashboard.json',
  'plan live-dashboard.json --format markdown',
  'design --example histogram',
  'design designs/histogram-exact-interval.json',
  'attack parallel --delta 0.1 --instances 3 --runs 100',
  'attack renyi --alpha 2 --epsilon 1 --runs 10',
  'attack oblivious --delta 0.1 --runs 10',
  'lazy audit --rounds 1e5 --batch 4 --eta 1e-4 --p 0.01 --delta1 1e-12',
  'lazy rates',
  'lazy rates --lower-bound --rounds 1e6 --experts 1000 --epsilon 0.1',
  'lazy switches --rounds 1e4 --batch 10 --eta 6.68e-3 --p 6.68e-3',
  'theorems',
  'theorems --format markdown',
  'explain br-adaptive',
  'explain parallel-delta-cap --format markdown',
  'validate every-type.json',
  'schema',
  'self-test',
  ...COMMAND_NAMES.map((name) => `${name} --help`),
  '--help',
  'ledger spend --help',
  'lazy plan --help',
  'attack parallel --help',
];

const WORLDS = {
  'a terminal': { terminal: true, columns: 72, env: { LC_ALL: 'C', LANG: 'en_US.UTF-8' } },
  'a pipe': { env: { LC_ALL: 'C', LANG: 'en_US.UTF-8' } },
} as const satisfies Readonly<Record<string, World>>;

describe('with LC_ALL=C', () => {
  it.each(COMMANDS.map((command, i) => [command, i % 2 === 0 ? 'a terminal' : 'a pipe'] as const))(
    '%s writes ASCII to %s',
    async (command, world) => {
      const { stdout, stderr } = await run(command.split(' '), { cwd: FIXTURES, ...WORLDS[world] });
      expect(stdout + stderr).not.toBe('');
      expect(stdout + stderr).toMatch(ASCII);
    },
  );

  it('a word that is wider than a column is broken, not cut', async () => {
    const label = 'x'.repeat(100);
    const { stdout } = await run(['diff', 'noise.json', '-m', `dp:epsilon=1,label=${label}`, '--no-color'], {
      cwd: FIXTURES,
      ...WORLDS['a terminal'],
    });
    expect(stdout).toMatch(ASCII);
    expect(stdout.match(/x/g)?.length).toBeGreaterThanOrEqual(label.length);
  });
});

describe('a ledger with LC_ALL=C', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dpcompose-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('writes ASCII', async () => {
    for (const command of [
      'init b.jsonl --epsilon 1 --delta 1e-6 --rule zcdp-optimal',
      'spend b.jsonl -m dp:epsilon=0.1,count=2 --label x',
      'status b.jsonl',
      'remaining b.jsonl',
      'loss b.jsonl',
      'replay b.jsonl --all',
      'verify b.jsonl',
      'export b.jsonl',
      'spend b.jsonl -m dp:epsilon=5',
    ]) {
      const world = { cwd: folder, ...WORLDS['a terminal'] };
      const { stdout, stderr } = await run(['ledger', ...command.split(' ')], world);
      expect(stdout + stderr).toMatch(ASCII);
      expect(stdout + stderr).not.toBe('');
    }
  });
});
