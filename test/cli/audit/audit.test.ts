import { describe, expect, it } from 'vitest';
import { AUDIT_METHODS } from '../../../src/composition/audit/methods.ts';
import { violations } from '../../output/schema.ts';
import { mistakes, type, type Run } from '../run.ts';

const ONE_RUN = '--canaries 1000 --guesses 100 --correct 75';

/** 200 runs of each kind, those with the canary higher by 100 of 300 places. */
const SCORES = `member,score\n${Array.from({ length: 200 }, (_, i) => `0,${i}\n1,${i + 100}\n`).join('')}`;

const scored = (words: string, stdin = SCORES): Promise<Run> => type(`audit --scores - ${words}`, { stdin });

interface Document {
  readonly method: string;
  readonly epsilon: number | null;
  readonly mu: number | null;
  readonly delta: number;
  readonly thresholds: readonly { readonly rank: number | null; readonly epsilon: number }[];
  readonly claim: { readonly epsilon: number; readonly contradicted: boolean } | null;
  readonly meaning: string;
  readonly assumptions: readonly string[];
}

function documentIn({ stdout }: Run): Document {
  expect(violations('audit', stdout)).toEqual([]);
  return JSON.parse(stdout) as Document;
}

describe('dpcompose audit', () => {
  it('prints what scores show, and what that assumes', async () => {
    const { code, stdout, stderr } = await scored('--method thresholds --ranks 1,10,100 --delta 1e-5');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Audit by thresholds: 200 runs with the canary, 200 without it\n/);
    expect(stdout).toMatch(/^Shown with 95% confidence: epsilon at least \d\.\d+ at delta 1e-5, and mu at least /m);
    expect(stdout).toMatch(/^above 199 +1 +0\./m);
    expect(stdout).toContain('runs are independent');
    expect(stdout).toContain('ranks were fixed before the scores were seen');
  });

  it('names the line of a score that is none', async () => {
    const { code, stderr } = await scored('--method thresholds --ranks 1', 'member,score\n1,2\n0,x\n');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: standard input:3:1: a score must be a number, got "x"/);
  });

  it('has a line of help for each method', async () => {
    const { stdout } = await type('audit --help');
    for (const method of AUDIT_METHODS) expect(stdout).toMatch(new RegExp(`^  ${method}  +\\w`, 'm'));
  });

  it('prints what guesses in one run show', async () => {
    const one = await type(`audit --method one-run ${ONE_RUN} --delta 1e-4`);
    expect(one.stdout).toContain('epsilon at least 0.6951260176 at delta 0.0001.');
    expect(one.stdout).toContain('Steinke, Nasr, Jagielski 2023, Thm 5.2');
    expect(one.stdout).toContain('with probability 1/2');
    const other = await type(`audit --method one-run-f-dp ${ONE_RUN}`);
    expect(other.stdout).toMatch(/Shown with 95% confidence: mu at least 0\.26949\d+\./);
    expect(other.stdout).toContain('Mahloujifar');
  });

  it('ends with 1 where the claim is contradicted, and says what that may mean', async () => {
    const wrong = await type(`audit -m dp:epsilon=0.5 --method one-run ${ONE_RUN}`, { stdin: '' });
    expect(mistakes(await type(`audit -m dp:epsilon=0.5 --method one-run ${ONE_RUN} --json`))).toEqual([
      '--delta: missing-option',
    ]);
    expect(wrong.code).toBe(2);
    const { code, stdout } = await type(`audit -m dp:epsilon=0.5 --method one-run ${ONE_RUN} --delta 0`);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^Claimed: epsilon at most 0\.5 at delta 0\. Shown with 95% confidence: epsilon at least 0\.702213/m,
    );
    expect(stdout).toContain('The audit contradicts the claim: the implementation has a bug, or');
    expect(stdout).toContain('At most 5% of audits contradict a correct claim');
  });

  it('never calls a claim verified', async () => {
    const { code, stdout } = await type(`audit -m gaussian:sigma=1 --method one-run ${ONE_RUN} --delta 1e-5`);
    expect(code).toBe(0);
    expect(stdout).toContain('does not contradict the claim. That does not verify it');
    const nothing = await scored('--method thresholds --split', 'member,score\n0,1\n1,1\n0,1\n1,1\n');
    expect(nothing.stdout).toContain('epsilon at least 0 at delta 0, and mu at least 0. That says nothing');
  });

  it('takes the delta of the claim, and rates beyond its trade-off function', async () => {
    const { code, ...run } = await scored(
      '-m gaussian:sigma=2 --method thresholds --thresholds 150 --delta 1e-5 --neighbours add-remove --json',
    );
    const { claim, thresholds, epsilon, assumptions, delta } = documentIn(run as Run);
    expect(code).toBe(1);
    expect(claim).toMatchObject({ contradicted: true });
    expect(claim!.epsilon).toBeGreaterThan(epsilon!);
    expect(thresholds.map(({ rank }) => rank)).toEqual([null]);
    expect(assumptions.join(' ')).toContain('adding or removing one record');
    expect(delta).toBe(1e-5);
    const own = documentIn(await type(`audit fixtures/dashboard.json --method one-run ${ONE_RUN} --json`));
    expect([own.delta, own.claim!.contradicted]).toEqual([1e-6, false]);
  });

  it('writes rows, and a page in Markdown', async () => {
    const rows = await scored('--method thresholds --ranks 1,10 --format csv');
    expect(rows.stdout.split('\r\n')[0]).toBe(
      'rank,threshold,falsePositives,truePositives,falsePositiveRate,truePositiveRate,epsilon,mu',
    );
    expect(rows.stdout.trim().split('\r\n')).toHaveLength(3);
    const one = await type(`audit --method one-run ${ONE_RUN} --format csv`);
    expect(one.stdout).toMatch(/\r\n,,,,,,0\.7022139309\d+,\r\n$/);
    expect((await scored('--method thresholds --split --format markdown')).stdout).toMatch(/^# Audit by thresholds/);
  });

  it.each([
    ['audit', ['--method: missing-option']],
    ['audit --method thresholds', ['--ranks: missing-option', '--scores: missing-option']],
    ['audit --method thresholds --scores - --split --ranks 1', ['--split: missing-option']],
    ['audit --method threshold', ['--method: unknown-value']],
    ['audit --method one-run --guesses 9', ['--canaries: missing-option', '--correct: missing-option']],
    ['audit --method one-run --canaries 9 --guesses 10 --correct 11', ['--guesses: out-of-range']],
    [`audit --method one-run ${ONE_RUN} --split`, ['--split: conflicting-options']],
    [`audit --method one-run ${ONE_RUN} --adaptive`, ['--adaptive: conflicting-options']],
    [`audit --method one-run ${ONE_RUN} --confidence 1`, ['--confidence: out-of-range']],
    [`audit --method one-run ${ONE_RUN} --confidence 0.4`, ['--confidence: out-of-range']],
    ['audit --method thresholds --scores nowhere.csv --split', ['nowhere.csv: no-such-file']],
    ['audit nowhere.json --method thresholds --scores - --ranks 201', ['--ranks: out-of-range']],
  ])('%s is refused', async (line, expected) => {
    const result = await type(`${line} --json`, { stdin: SCORES });
    expect(result.code).toBe(2);
    expect(mistakes(result)).toEqual(expected);
  });

  it('names the line of a score that is none', async () => {
    const { code, stdout } = await scored('--method thresholds --split --json', 'member,score\n1,2\n0,nan\n');
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ errors: [{ code: 'not-finite', line: 3 }] });
  });

  it('is refused where no theorem covers the claim', async () => {
    const { code } = await type(`audit fixtures/adaptive-parameters.json --method one-run ${ONE_RUN} --delta 1e-6`);
    expect(code).toBe(3);
  });
});
