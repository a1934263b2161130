import { describe, expect, it } from 'vitest';
import { mistakes, type } from '../run.ts';
import { lazy, seen } from './helpers.ts';

const PROOF = 'audit --setting theorem-3.10-proof --rounds 1e6 --experts 1000 --epsilon 0.1 --delta 1e-8';
const OWN = 'audit --rounds 1e5 --batch 4 --eta 1e-4 --p 0.01';
const CONVEX = 'audit --setting theorem-3.12 --rounds 1e6 --dimension 100 --epsilon 0.01 --delta 1e-8';

interface Bracket {
  readonly lower: number | null;
  readonly upper: number | string;
}

interface Theorem {
  readonly status: string;
  readonly covers: boolean;
  readonly hypotheses: { id: string; holds: boolean }[];
  readonly terms: Record<string, Bracket>;
  readonly epsilon: Bracket;
  readonly delta: Bracket;
}

interface Audited {
  readonly input: Record<string, unknown>;
  readonly theorem: Theorem;
  readonly moved: Theorem | null;
  readonly delta: number;
  readonly accounting: { status: string; resampling: string; epsilon: Bracket }[];
  readonly guarantee: { resampling: string; epsilon: number } | null;
  readonly notes: { code: string }[];
}

describe('dpcompose lazy audit', () => {
  it('puts Theorem 3.2 beside exact accounting: a million rounds, a thousand experts, (0.1, 1e-8)', async () => {
    const { code, stdout, stderr } = await seen(PROOF);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/eta B ln\(1\/delta1\) \/ p +3\.293 +at most 1 +NO\n/);
    expect(stdout).toMatch(/\n {2}Theorem 3\.2 +0\.1596 +1e-8 +not covered\n/);
    expect(stdout).toMatch(/\n {2}exact, randomized-response steps +0\.03423 +0\.03422 +1e-8 +guaranteed\n/);
    expect(stdout).toMatch(/\n\* exact, bounded-range steps +0\.02556 +0\.02554 +1e-8 +guaranteed\n/);
    expect(stdout).toContain('Theorem 3.2 does not cover these parameters');
    expect(stdout).toContain('The epsilon of Theorem 3.2 is above the target 0.1.');
  });

  it('tells a program the same', async () => {
    const { input, theorem, moved, delta, accounting, guarantee, notes } = await lazy<Audited>(PROOF);
    expect(input).toMatchObject({ setting: 'theorem-3.10-proof', rounds: 1e6, batch: 10, target: 0.1, delta0: 0 });
    expect(theorem).toMatchObject({ status: 'claimed', covers: false });
    expect(theorem.epsilon.upper).toBeCloseTo(0.159575857, 8);
    expect(theorem.hypotheses.filter(({ holds }) => !holds).map(({ id }) => id)).toEqual(['batch-drift']);
    expect(moved).toBeNull();
    expect(delta).toBe(1e-8);
    expect(accounting.map(({ status, resampling }) => [status, resampling])).toEqual([
      ['guaranteed', 'randomized-response'],
      ['guaranteed', 'bounded-range'],
    ]);
    expect(accounting[0]!.epsilon.upper).toBeLessThan(0.03588);
    expect(accounting[1]!.epsilon.upper).toBeLessThan(0.0287);
    expect(guarantee).toEqual({ resampling: 'bounded-range', epsilon: accounting[1]!.epsilon.upper });
    expect(notes.map(({ code }) => code)).toEqual(['hypothesis-fails', 'never-covered', 'claim-above-target']);
  });

  it.each([
    ['--eta 1e-3 --p 0.05 --batch 1 --rounds 1e4 --delta1 1e-10 --delta 1e-7', '1\\.32', '2e-6', '1e-7'],
    // 2 T (2 / eta + ln(1/delta1) / p) e B delta0 + 2 T delta1 = 0.01237536...
    [
      '--measure convex --beta 1e-8 --lambda 1000 --delta0 1e-12 --eta 1e-4 --p 0.01 --batch 1 --rounds 1e5 --delta1 1e-12 --delta 1e-6',
      '0\\.2346',
      '0\\.01238',
      '1e-6',
    ],
    // delta0 of any measure is not a share of --delta.
    [
      '--measure any --delta0 1e-9 --eta 1e-3 --p 0.05 --batch 1 --rounds 1000 --delta 1e-6',
      '0\\.4136',
      '0\\.01321',
      null,
    ],
  ])(
    'says at which delta Theorem 3.2 gives its epsilon, whatever --delta is: %s',
    async (flags, epsilon, own, exact) => {
      const { stdout } = await seen(`audit ${flags}`);
      expect(stdout).toMatch(new RegExp(`Theorem 3\\.2 +${epsilon} +${own} +claimed`));
      if (exact !== null) expect(stdout).toMatch(new RegExp(`\\n\\* exact, .* ${exact} +guaranteed`));
      const json = await lazy<Audited>(`audit ${flags}`);
      if (exact !== null) expect(json.delta).toBe(Number(exact));
    },
  );

  it('takes parameters of your own, with delta1 or with delta', async () => {
    const byDelta1 = await lazy<Audited>(`${OWN} --delta1 1e-12`);
    expect(byDelta1.delta).toBeCloseTo(2e-7, 20);
    expect(byDelta1.theorem.epsilon.upper).toBeCloseTo(0.12721810094988, 12);
    const byDelta = await lazy<Audited>(`${OWN} --delta 2e-7`);
    expect(byDelta.input).toMatchObject({ delta1: 1e-12, setting: null, target: null });
    expect(byDelta.accounting).toEqual(byDelta1.accounting);
  });

  it.each([
    ['theorem-3.10', '--experts 100', 'claim-above-target'],
    ['theorem-3.10-proof', '--experts 100', 'hypothesis-fails'],
    ['repaired', '--experts 100', 'claim-only'],
    ['theorem-3.12', '--dimension 100', 'measure-moves-further'],
    ['repaired', '--dimension 100', 'claim-only'],
  ])('knows the parameters %s with %s', async (name, size, code) => {
    const line = `audit --setting ${name} --rounds 1e5 ${size} --epsilon 0.1 --delta 1e-6`;
    const { notes, guarantee } = await lazy<Audited>(line);
    expect(notes.map((note) => note.code)).toContain(code);
    expect(guarantee!.epsilon).toBeGreaterThan(0);
    expect((await seen(line)).code).toBe(0);
  });

  it('says that a printed batch is no whole number, and that the measure moves further than it should', async () => {
    const { moved, theorem, accounting, notes } = await lazy<Audited>(CONVEX);
    expect(notes.map(({ code }) => code)).toEqual([
      'batch-rounded',
      'measure-moves-further',
      'hypothesis-fails',
      'claim-above-target',
      'guarantee-above-target',
    ]);
    expect(theorem.epsilon.upper).toBeCloseTo(0.045999, 6);
    expect(moved!.epsilon.upper).toBeCloseTo(0.202493, 6);
    expect(accounting).toHaveLength(1);
    expect(accounting[0]).toMatchObject({ resampling: 'gaussian', status: 'guaranteed' });
  });

  it('guarantees nothing where delta0 is above 0 and the measure is not known, nor where a switch reveals all', async () => {
    const any = await lazy<Audited>(`${OWN} --delta1 1e-12 --delta0 1e-20 --measure any`);
    expect(any).toMatchObject({ accounting: [], guarantee: null });
    expect(any.notes.map(({ code }) => code)).toContain('no-accounting');
    const line = 'audit --rounds 1e5 --batch 4 --eta 1e-4 --p 0 --delta 1e-6 --measure any';
    const revealing = await lazy<Audited>(line);
    expect(revealing.accounting[0]!.epsilon.upper).toBe('Infinity');
    expect(revealing.notes.map(({ code }) => code)).toContain('switch-reveals');
    expect((await seen(line)).stdout).not.toContain('differentially private');
  });

  it.each([
    ['--eta 0.01 --p 0.99999999999999999999 --delta 1e-6', /\np +1 - 1e-20 +above 0, below 1 +yes/],
    ['--eta 0.01 --p 1 --delta 1e-6', /\np +1 +above 0, below 1 +NO/],
    ['--eta 0.10000000000000000001 --p 0.9 --delta 1e-6', /\neta +0\.1001 +at most 0\.1 +NO/],
    ['--eta 0.1 --p 0.9 --delta 1e-6', /\neta +0\.1 +at most 0\.1 +yes/],
    ['--eta 1e-4 --p 0.00099999 --delta 1e-6', /\nT p \/ B +0\.9999 +at least 1 +NO/],
    // eta ln(1/delta1) / p is 1.00001 at delta1 = 1e-9.
    ['--eta 1e-3 --p 0.02072306 --delta1 1e-9', /\neta B ln\(1\/delta1\) \/ p +1\.001 +at most 1 +NO/],
  ])('shows no value as reaching a bound that it fails, nor the other way round: %s', async (flags, row) => {
    expect((await seen(`audit --rounds 1000 --batch 1 ${flags}`)).stdout).toMatch(row);
  });

  it('asks for no p where c is given and is wrong', async () => {
    for (const line of ['audit', 'switches', 'run c.run --init --experts 3']) {
      const c = `lazy ${line} --rounds 1000 --batch 2 --eta 0.01 --c 1e300 --delta 1e-6 --json`;
      expect(mistakes(await type(line === 'switches' ? c.replace('--delta 1e-6 ', '') : c))).toEqual([
        '--c: out-of-range',
      ]);
    }
  });

  it.each([
    ['p 0', '--rounds 1e5 --batch 4 --eta 1e-4 --p 0 --delta 1e-6'],
    ['p 1', '--rounds 1e5 --batch 4 --eta 1e-4 --p 1 --delta 1e-6'],
    ['one round', '--rounds 1 --batch 1 --eta 1e-4 --p 0.5 --delta 1e-6'],
    ['one batch', '--rounds 100 --batch 100 --eta 1e-4 --p 0.5 --delta 1e-6'],
    ['the smallest parameters', '--rounds 2 --batch 1 --eta 1e-30 --p 1e-30 --delta 1e-300'],
    ['the largest parameters', '--rounds 9007199254740991 --batch 1 --eta 100 --p 1 --delta 0.999'],
  ])('works at the ends of what it takes: %s', async (_, flags) => {
    const { guarantee } = await lazy<Audited>(`audit ${flags}`);
    expect(guarantee).not.toBeNull();
    expect((await seen(`audit ${flags}`)).stdout).not.toMatch(/NaN|undefined|e-3[12]\d/);
  });

  it.each<[string, string, string[]]>([
    [
      'nothing',
      'audit',
      ['--rounds: missing-option', '--batch: missing-option', '--eta: missing-option', '--p: missing-option'],
    ],
    [
      'numbers out of range',
      'audit --rounds 0 --batch 0 --eta -1 --p 1.5 --delta1 0',
      [
        '--rounds: out-of-range',
        '--batch: out-of-range',
        '--eta: out-of-range',
        '--p: out-of-range',
        '--delta1: out-of-range',
      ],
    ],
    [
      'what is no number',
      'audit --rounds NaN --batch Infinity --eta 0x1 --p one --delta 1e999',
      [
        '--rounds: not-finite',
        '--batch: not-finite',
        '--eta: not-a-number',
        '--p: not-a-number',
        '--delta: out-of-range',
      ],
    ],
    [
      'a batch of more rounds than there are',
      `${OWN.replace('--batch 4', '--batch 1e6')} --delta 1e-6`,
      ['--batch: out-of-range'],
    ],
    ['no delta', OWN, ['--delta1: missing-option']],
    ['a delta1 that leaves nothing', `${OWN} --delta1 0.1`, ['--delta1: out-of-range']],
    ['a measure that is not known', `${OWN} --delta 1e-6 --measure gauss`, ['--measure: unknown-value']],
    [
      'convex losses without weights',
      `${OWN} --delta 1e-6 --measure convex`,
      ['--beta: missing-option', '--lambda: missing-option'],
    ],
    ['a setting that is not known', 'audit --setting repaird', ['--setting: unknown-value']],
    ['a setting with parameters of its own', `${PROOF} --eta 1`, ['--eta: conflicting-options']],
    ['experts with weights of convex losses', `${OWN} --delta 1e-6 --beta 1`, ['--beta: conflicting-options']],
    ['a delta0 of experts', `${OWN} --delta 1e-6 --delta0 1e-9`, ['--delta0: conflicting-options']],
    [
      'a setting that has no parameters here',
      'audit --setting theorem-3.10 --rounds 4 --experts 1000 --epsilon 0.1 --delta 0.5',
      ['--setting: out-of-range'],
    ],
    ['a form that is not known', `${OWN} --delta 1e-6 --format markdown`, ['--format: unknown-value']],
  ])('exits with 2 for %s', async (_, line, expected) => {
    const found = await type(`lazy ${line} --json`);
    expect(found.code).toBe(2);
    const told = mistakes(found);
    for (const each of expected) expect(told.map((mistake) => mistake.split(':')[0])).toContain(each.split(':')[0]);
    expect([...told].sort()).toEqual([...expected].sort());
  });
});
