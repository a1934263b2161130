import { describe, expect, it } from 'vitest';
import { mistakes, run, type } from '../run.ts';
import { lazy, seen } from './helpers.ts';

const OPE = 'plan ope --rounds 1e6 --experts 1000 --epsilon 0.1 --delta 1e-8';
const OCO = 'plan oco --rounds 1e5 --dimension 10 --epsilon 1 --delta 1e-6';
const QUICK = 'plan ope --rounds 1000 --experts 10 --epsilon 1 --delta 1e-6';

interface Planned {
  readonly input: object;
  readonly best: string;
  readonly guessing: { status: string; upper: number };
  readonly others: {
    readonly id: string;
    readonly isPrivate: boolean;
    readonly regret: { status: string; upper: number } | null;
    readonly rate: { status: string; value: number } | null;
    readonly batch: number | null;
    readonly deviation: string | null;
  }[];
  readonly instead: string | null;
  readonly missing: { id: string; code: string; p: number }[];
  readonly rows: {
    readonly id: string;
    readonly batch: number;
    readonly eta: string;
    readonly p: string;
    readonly c: string | null;
    readonly accounting: { resampling: string; epsilon: { upper: number } }[];
    readonly meetsTarget: boolean;
    readonly regret: { safe: { status: string; upper: number } };
    readonly chosen: { limit: string; why: string; others: object[] } | null;
    readonly notes: { code: string }[];
  }[];
}

/** A plan that several statements are about. */
const plans = new Map<string, Promise<Planned>>();
const planned = (line: string): Promise<Planned> => plans.get(line) ?? plans.set(line, lazy<Planned>(line)).get(line)!;

/** Parameters that a search found, and no formula. */
const isSearched = (id: string): boolean => /^(?:best|without-y)-/.test(id);

describe('dpcompose lazy plan', () => {
  it('has printed, repaired and best parameters for experts, each with its audit and what is certain of its regret', async () => {
    const { rows, best, missing, guessing } = await planned(OPE);
    expect(rows.map(({ id, meetsTarget }) => [id, meetsTarget])).toEqual([
      ['theorem-3.10', false],
      ['theorem-3.10-proof', true],
      ['repaired', true],
      ['without-y-randomized-response', true],
      ['without-y-bounded-range', true],
    ]);
    expect([best, missing]).toEqual(['without-y-bounded-range', []]);
    for (const { regret, chosen, id } of rows) {
      expect(regret.safe.status).toBe('guaranteed');
      expect(chosen !== null).toBe(isSearched(id));
    }
    expect(guessing).toEqual({ status: 'guaranteed', upper: 999_000 });
    expect(rows.at(-1)!.regret.safe.upper).toBeLessThan(15_016);
    expect(rows.at(-1)!.chosen!.why).toMatch(
      /^B 28 is the best batch found; the next eta of four digits, 0\.0005533, misses the target if all else stays the same; c 0\.0\d+ is the best found\./,
    );
  });

  it('finds parameters that lazy audit confirms', async () => {
    const { rows, best } = await planned(OPE);
    const { batch, eta, c, accounting } = rows.find(({ id }) => id === best)!;
    const line = `audit --rounds 1e6 --batch ${batch} --eta ${eta} --c ${c} --delta 1e-8`;
    expect(await lazy<object>(line)).toMatchObject({ accounting });
  });

  it('shows them to a person', async () => {
    const { stdout, code, stderr } = await seen(QUICK);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^L2P for 1,000 rounds, 10 experts, \(1, 1e-6\)-differential privacy\n/);
    expect(stdout).toMatch(/target met +safe regret\n[^]*\* without-y-\S+ .* yes +\d+\.?\d*\n/);
    expect(stdout).toMatch(/other learners +B +meets target +rate only +safe regret\n/);
  });

  it('has parameters for convex losses', async () => {
    const { rows, best } = await planned(OCO);
    expect(rows.map(({ id }) => id)).toEqual(['theorem-3.12', 'repaired', 'best-gaussian']);
    expect(best).toBe('best-gaussian');
    expect(rows.at(-1)!.accounting[0]!.epsilon.upper).toBeLessThanOrEqual(1);
    expect((await seen(OCO)).code).toBe(0);
  });

  it('says where guessing is better than what can be proved', async () => {
    const line = 'plan oco --rounds 200 --dimension 3 --diameter 2 --epsilon 0.5 --delta 1e-3';
    const { rows, guessing } = await planned(line);
    expect(rows.at(-1)!.regret.safe.upper).toBeGreaterThan(guessing.upper);
    const { stdout } = await seen(line);
    expect(stdout.replaceAll('\n', ' ')).toContain(
      'Playing the centre of the smallest ball around the set, which looks at no loss, has a regret of at most 245: the bound says nothing here, guess instead.',
    );
    expect((await seen(QUICK)).stdout).not.toContain('guess instead');
  });

  it('has other learners beside them: what is proved, and what is only a rate', async () => {
    const { others, instead, guessing } = await planned(OPE);
    expect(others.map(({ id, isPrivate, regret, rate }) => [id, isPrivate, regret?.status, rate?.status])).toEqual([
      ['guessing', true, 'guaranteed', undefined],
      ['perturbed-leader-tree', true, 'guaranteed', undefined],
      ['perturbed-leader-square-root', true, 'guaranteed', undefined],
      ['afkt23', true, undefined, 'claimed'],
      ['no-privacy', false, 'guaranteed', undefined],
    ]);
    expect(instead).toBeNull();
    expect(others[0]!.regret).toEqual(guessing);
    // sigma sqrt(1000) times the norms of tree and matrix, at least.
    for (const { batch, deviation } of others.slice(1, 3)) {
      expect(batch).toBeGreaterThanOrEqual(1);
      expect(Number(deviation)).toBeGreaterThan(45.937 * Math.sqrt(1000));
    }
    expect((await seen(OPE)).stdout).not.toContain('Use ');
  });

  it('says to use another private learner where it is proved to have a smaller regret', async () => {
    for (const line of ['plan ope --rounds 1e6 --experts 100 --epsilon 0.1 --delta 1e-8', OCO]) {
      const { rows, others, instead, best } = await planned(line);
      const { regret, isPrivate } = others.find(({ id }) => id === instead)!;
      expect(isPrivate).toBe(true);
      expect(regret!.upper).toBeLessThan(rows.find(({ id }) => id === best)!.regret.safe.upper);
      expect((await seen(line)).stdout).toContain(`Use ${instead} instead: it is (`);
    }
  });

  it('scales with the size of convex losses', async () => {
    const [one, other] = await Promise.all([planned(OCO), lazy<Planned>(`${OCO} --lipschitz 10 --diameter 2`)]);
    const safe = ({ rows }: Planned): number => rows.at(-1)!.regret.safe.upper;
    expect(safe(other) / safe(one)).toBeCloseTo(20, 0);
  });

  it('says which formulas give no parameters', async () => {
    const { missing, rows } = await lazy<Planned>('plan ope --rounds 4 --experts 1000 --epsilon 0.1 --delta 0.5');
    expect(missing.map(({ id, code }) => [id, code])).toContainEqual(['theorem-3.10', 'fake-switch-probability']);
    expect(rows.map(({ id }) => id)).toContain('repaired');
  });

  it.each([
    'plan ope --rounds 1 --experts 2 --epsilon 1e-12 --delta 1e-300',
    'plan ope --rounds 10 --experts 2 --epsilon 1000 --delta 0.999',
    'plan oco --rounds 1 --dimension 1 --epsilon 1e-12 --delta 1e-300',
    'plan oco --rounds 10 --dimension 2 --epsilon 1000 --delta 0.999',
  ])('works at the ends of what it takes: %s', async (line) => {
    const { rows } = await planned(line);
    expect(rows.at(-1)!.meetsTarget).toBe(true);
    expect((await seen(line)).stdout).not.toMatch(/NaN|undefined/);
  });

  it.each<[string, string, string[]]>([
    ['another problem', 'plan opee', ['PROBLEM: unknown-value']],
    [
      'no numbers',
      'plan ope',
      ['--rounds: missing-option', '--experts: missing-option', '--epsilon: missing-option', '--delta: missing-option'],
    ],
    ['the size of the other problem', `${QUICK} --dimension 3`, ['--dimension: conflicting-options']],
    ['one expert', 'plan ope --rounds 10 --experts 1 --epsilon 1 --delta 1e-6', ['--experts: out-of-range']],
    ['a delta of 0', 'plan ope --rounds 10 --experts 2 --epsilon 1 --delta 0', ['--delta: out-of-range']],
    ['an epsilon of 0', 'plan ope --rounds 10 --experts 2 --epsilon 0 --delta 1e-6', ['--epsilon: out-of-range']],
  ])('exits with 2 for %s', async (_, line, expected) => {
    const found = await type(`lazy ${line} --json`);
    expect(found.code).toBe(2);
    expect(mistakes(found)).toEqual(expected);
  });

  it('writes to a file that it opens before it works, and nothing with --quiet', async () => {
    const found = await run(['lazy', ...QUICK.split(' '), '-o', '/nowhere/at/all.json', '--json']);
    expect(found.code).toBe(74);
    expect(await type(`lazy ${QUICK} --quiet`)).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
