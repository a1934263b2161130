import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { violations } from '../../output/schema.ts';
import { mistakes, type } from '../run.ts';

const NOISE = resolve('fixtures/noise.json');
const PARTS = resolve('fixtures/designs/histogram.json');

interface Bracket {
  readonly lower: number | null;
  readonly upper: number;
}

interface Document {
  readonly advantage: Bracket;
  readonly guesses: readonly { readonly prior: number; readonly success: Bracket }[];
  readonly tests: readonly {
    readonly falsePositiveRate: number;
    readonly truePositiveRate: Bracket;
    readonly predictive: readonly { readonly prior: number; readonly value: Bracket }[];
  }[];
  readonly reconstructions: readonly { readonly baseline: number; readonly success: Bracket }[];
  readonly leakedBits: { readonly minEntropy: Bracket; readonly mutualInformation: Bracket };
  readonly gaussian?: {
    readonly rate: number;
    readonly above: number;
    readonly below: number | null;
    readonly everywhere: number | null;
    readonly regret: Bracket | null;
  };
  readonly divergences: readonly { readonly kind: string; readonly order?: number; readonly value: Bracket }[];
  readonly notes: readonly string[];
  readonly warnings: readonly { readonly code: string }[];
}

async function json(line: string): Promise<Document> {
  const { stdout } = await type(`${line} --json`);
  expect(violations('risk', stdout)).toEqual([]);
  return JSON.parse(stdout) as Document;
}

describe('dpcompose risk', () => {
  it('tells, in words and numbers, what Gaussian noise risks', async () => {
    const { code, stdout, stderr } = await type('risk -m gaussian:sigma=1 --neighbours add-remove');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Risks of Gaussian noise of sigma 1\n/);
    expect(stdout).toMatch(
      /knows everything except which of two neighboring data sets was used.*adding or removing one record\.$/m,
    );
    expect(stdout).toMatch(/^0\.3829249226 +0\.3829249225$/m);
    expect(stdout).toMatch(/^0\.5 +0\.5 +0\.6914624613 +0\.691462461\d$/m);
    expect(stdout).toMatch(/^0\.1 +0\.3891436917 +0\.389143691\d+ +0\.5 +0\.795561\d+/m);
    expect(stdout).toMatch(/^0\.01 +0\.092362248\d+ /m);
    expect(stdout).toContain('profile: gaussian, ');
    expect(stdout).toContain('Wasserman, Zhou 2010');
    expect(stdout).not.toContain('guarantees alone');
  });

  it('tells first what most people ask, and nothing where nothing is promised or told', async () => {
    const short = async (line: string) => (await type(`risk ${line}`)).stdout.split('\n')[2]!;
    expect(await short(NOISE)).toBe(
      'An attacker who considers two neighboring data sets equally likely guesses the right one with a probability of at most 61.22%; a coin flip is right with 50%. An attack with a false-positive rate of at most 1% has a true-positive rate of at most 3.92%.',
    );
    expect(await short(`${NOISE} --fpr 0.1,0.2`)).toMatch(/rate of at most 10% has/);
    expect(await short('-m dp:epsilon=1,delta=1')).toMatch(/^These bounds hold for/);
    expect((await type('risk -m dp:epsilon=0')).stdout).toMatch(/^The results reveal nothing about which/m);
  });

  it('names the right one of two data sets far less often than one epsilon and delta of them say', async () => {
    const { guesses } = await json(`risk ${NOISE}`);
    expect(guesses).toHaveLength(1);
    expect(guesses[0]!.success.upper).toBeCloseTo(0.6121, 4);
  });

  it('tells rates and priors digit for digit, as what holds at them need not hold at rounded ones', async () => {
    const { stdout } = await type(
      'risk -m gdp:mu=1 --fpr 0.0123456789012345678912345 --prior 0.123456789012345678912345 --baseline 0.987654321098765432198765',
    );
    expect(stdout).toContain('at most 1.23456789012345678912345%');
    for (const digits of ['0.0123456789012345678912345', '0.123456789012345678912345', '0.987654321098765432198765']) {
      expect(stdout).toContain(`\n${digits} `);
    }
  });

  it('takes priors, rates, baselines and divergences, each once and as exact as they were given', async () => {
    const found = await json(
      'risk -m dp:epsilon=1 -m dp:epsilon=2 --prior 0.5,0.25,0.50 --fpr 0.1:0.001 --baseline 0.1 --divergence tv,renyi:1.5,kl',
    );
    expect(found.guesses.map(({ prior }) => prior)).toEqual([0.5, 0.25]);
    expect(found.tests.map((test) => test.falsePositiveRate)).toEqual([0.1, 0.01, 0.001]);
    expect(found.tests[0]!.truePositiveRate.upper).toBeCloseTo(0.828598123992, 10);
    expect(found.tests[0]!.predictive.map(({ prior }) => prior)).toEqual([0.5, 0.25]);
    expect(found.reconstructions).toMatchObject([{ baseline: 0.1, success: { lower: null } }]);
    expect(found.divergences).toMatchObject([
      { kind: 'total-variation', value: { upper: found.advantage.upper } },
      { kind: 'renyi', order: 1.5 },
      { kind: 'kl' },
    ]);
  });

  it('tells by how many bits a guess improves, and by how many the uncertainty is smaller', async () => {
    const { leakedBits } = await json('risk -m gaussian:sigma=1');
    expect(leakedBits.minEntropy.lower).toBeCloseTo(0.467722836, 9);
    expect(leakedBits.minEntropy.upper).toBeCloseTo(0.467722836, 9);
    expect(leakedBits.mutualInformation.lower).toBeCloseTo(0.160747219796, 11);
    expect(leakedBits.mutualInformation.upper).toBeCloseTo(0.160747219796, 11);
    const { stdout } = await type('risk -m gaussian:sigma=1');
    expect(stdout).toMatch(/^by the best guess \(min-entropy leakage\) +0\.467722836\d +0\.467722836\d$/m);
    expect(stdout).toMatch(/^on average \(mutual information\) +0\.1607472198 +0\.1607472197$/m);
  });

  it('finds the Gaussian that fits, where it is asked for', async () => {
    expect(await json('risk -m gaussian:sigma=1')).not.toHaveProperty('gaussian');
    const { gaussian: noise } = await json('risk -m gaussian:sigma=1 --gaussian');
    expect(noise!.rate).toBe(1e-6);
    for (const mu of [noise!.above, noise!.below, noise!.everywhere]) expect(mu).toBeCloseTo(1, 14);
    expect(noise!.regret!.upper).toBeLessThan(1e-14);
    const file = await json('risk --gaussian fixtures/noise.json');
    expect(file.gaussian).toEqual((await json('risk fixtures/noise.json --gaussian')).gaussian);
    const steps = 'risk -m gaussian:sigma=1,sampling=poisson,rate=0.01,count=1000 --gaussian';
    const { gaussian } = await json(`${steps}=1e-4`);
    expect(gaussian!.rate).toBe(1e-4);
    expect(gaussian!.above).toBeGreaterThan(gaussian!.below!);
    expect(gaussian!.everywhere).toBeGreaterThan(gaussian!.above);
    expect(gaussian!.regret!.lower).toBeGreaterThan(0);
    const { stdout } = await type(steps);
    expect(stdout).toMatch(/^Gaussian DP \(mu-GDP\)$/m);
    expect(stdout).toMatch(/^at most as easy as mu +0\.47/m);
    expect(stdout).toMatch(/^Regret of the first mu: at every prior, .* by at most 0\.013/m);
    const guarantee = await type('risk -m zcdp:rho=0.5 --gaussian');
    expect(guarantee.stdout).toMatch(/^at all error rates, at most as easy as mu +none known$/m);
    expect(guarantee.stdout).toContain('How loose this mu is is not known.');
    const csv = (await type('risk -m dp:epsilon=1 --gaussian --format csv')).stdout;
    expect(csv).toMatch(
      /^gaussian-mu,0\.000001,,0\.2\d+,1\.2\d+\r\ngaussian-mu,,,,1\.2\d+\r\ngaussian-regret,0\.000001,,0\.\d+,0\.\d+\r$/m,
    );
  });

  it('names what each number follows from', async () => {
    const plain = (await type('risk -m dp:epsilon=1 --divergence tv')).stdout;
    expect(plain).toContain('total variation: delta at epsilon 0');
    expect(plain).not.toContain('- divergences: ');
    expect(plain).not.toContain('the Gaussian that fits: ');
    const all = (await type('risk -m dp:epsilon=1 --divergence kl --gaussian')).stdout;
    expect(all).toContain('divergences: of each mechanism by its moments or its guarantee; they add up');
    expect(all).toContain('the Gaussian that fits: ');
    expect(all).not.toContain('- total variation: ');
  });

  it('is one record for each number in CSV', async () => {
    const { stdout } = await type('risk -m gaussian:sigma=1 --fpr 0.1 --baseline 0.2 --format csv');
    const [header, ...records] = stdout.trim().split('\r\n');
    expect(header).toBe('risk,at,prior,lower,upper');
    expect(records.map((record) => record.split(',').slice(0, 3).join(','))).toEqual([
      'advantage,,',
      'guess,,0.5',
      'true-positive-rate,0.1,',
      'positive-predictive-value,0.1,0.5',
      'reconstruction,0.2,',
      'min-entropy-leakage,,',
      'mutual-information,,',
    ]);
  });

  it('is a Markdown document', async () => {
    const { stdout } = await type('risk -m gaussian:sigma=1 --format markdown');
    expect(stdout).toMatch(/^# Risks of Gaussian noise of sigma 1\n/);
    expect(stdout).toMatch(/^## True-positive rate at a false-positive rate$/m);
    expect(stdout).toMatch(/^\| 0\.1 \| 0\.3891436917 \|/m);
  });

  it('says what follows from guarantees alone, and that a baseline says nothing of other knowledge', async () => {
    const { stdout } = await type('risk -m zcdp:rho=0.5 --baseline 0.1');
    expect(stdout).toContain('These bounds follow from guarantees alone');
    expect(stdout).toContain('no smaller number holds for all of them');
    expect(stdout).toMatch(/It says nothing about attackers with another prior or other knowledge/);
    expect(stdout).toMatch(/Attribute inference.*\n.*\nbaseline +success rate\n/);
  });

  it('says that nothing is promised where that is so', async () => {
    const { stdout } = await type('risk -m dp:epsilon=0,delta=1');
    expect(stdout).toContain('This is no guarantee at all');
  });

  it('takes parts, and warns of a design that is not checked', async () => {
    const found = await json(`risk ${PARTS}`);
    expect(found.warnings).toMatchObject([{ code: 'design-not-checked' }]);
    expect(found.advantage.upper).toBeLessThan(0.2);
    const { code, stdout } = await type(`risk ${PARTS} --strict`);
    expect(code).toBe(1);
    expect(stdout).toContain('The parts compose by Thm 4.12');
  });

  it('answers when time is up, and says so', async () => {
    const cut = await json('risk -m laplace:scale=1,count=10 --max-seconds 0');
    expect(cut.warnings).toMatchObject([{ code: 'interrupted' }]);
    expect(cut.advantage.upper).toBeLessThan(0.9);
    for (const { truePositiveRate } of cut.tests) expect(truePositiveRate.upper).toBeLessThan(1);
  });

  it('says when a rate is wider than was asked', async () => {
    const { code, stderr } = await type('risk -m gaussian:sigma=1 --tolerance 1e-16 --strict');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^warning: For \d values, the relative gap/);
  });

  it('refuses what compose refuses', async () => {
    expect((await type(`risk ${resolve('fixtures/adaptive-parameters.json')}`)).code).toBe(3);
    expect((await type('risk -m gaussian:sigma=0.4,sampling=shuffled,rate=0.01,count=100')).code).toBe(3);
    expect((await type('risk -m zcdp:rho=0.1 --bounds dp-optimal')).code).toBe(3);
  });

  it('tells all mistakes of a command line', async () => {
    const line =
      'risk -m dp:epsilon=1 --prior 0,0.5 --fpr 1,nan --baseline= --divergence kl,kk,renyi:1,renyi: --gaussian 0.2 --json';
    expect(mistakes(await type(line)).sort()).toEqual([
      '--baseline: not-a-number',
      '--divergence: not-a-number',
      '--divergence: out-of-range',
      '--divergence: unknown-value',
      '--fpr: not-finite',
      '--fpr: out-of-range',
      '--gaussian: out-of-range',
      '--prior: out-of-range',
    ]);
    const many = 'risk -m dp:epsilon=1 --prior 0.001:0.999:0.001 --fpr 1e-9:0.1/1000 --json';
    expect(mistakes(await type(many))).toEqual(['--fpr: too-many-values']);
    expect((await type('risk', { terminal: true })).stderr).toContain('dpcompose risk -m gaussian:sigma=1');
  });

  it('fits a narrow terminal', async () => {
    const { stdout } = await type(`risk ${NOISE} --baseline 0.1`, {
      terminal: true,
      columns: 60,
      env: { NO_COLOR: '1' },
    });
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
  });
});
