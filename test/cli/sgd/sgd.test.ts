import { describe, expect, it } from 'vitest';
import { violations } from '../../output/schema.ts';
import { mistakes, type } from '../run.ts';

const DATA = '--examples 60000 --batch 256';
const NOISE = '--noise-multiplier 1.1';
const POISSON = '--scheme poisson';
const TUTORIAL = `sgd ${DATA} --epochs 60 ${NOISE} --delta 1e-5 ${POISSON}`;

const json = async (line: string): Promise<Record<string, unknown>> => {
  const { stdout } = await type(`${line} --json`);
  expect(violations('sgd', stdout)).toEqual([]);
  return JSON.parse(stdout) as Record<string, unknown>;
};

describe('dpcompose sgd', () => {
  it('finds more steps than privacy loss distributions are computed for', async () => {
    const few = 'sgd --examples 1000000 --batch 1 --noise-multiplier 100 --target-epsilon 1 --delta 1e-7';
    const { solution } = (await json(`${few} --scheme poisson`)) as { solution: { value: object; next: string } };
    expect(solution.next).not.toBe('refused');
    expect(Number(/\d+/.exec(JSON.stringify(solution.value))?.[0])).toBeGreaterThan(1e8);
  });

  it('tells the cost along the epochs, and a sentence for a paper', async () => {
    const { code, stdout, stderr } = await type(TUTORIAL);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^DP-SGD: 14,063 steps \(60 epochs\) on Poisson subsamples of expected size 256/);
    expect(stdout).toMatch(/^30 +7,032 +1\.6362\d+ +1\.6362\d+$/m);
    expect(stdout).toMatch(
      /run for 14,063 steps \(60 epochs\) .* is \(2\.3816\d+, 1e-5\)-differentially private.*data sets that differ by adding or removing one record.*Thm 11/,
    );
    expect(stdout).toContain('batches of a shuffled list are not Poisson subsamples');
  });

  it('is one document, of which compose answers the input alike', async () => {
    const found = await json(TUTORIAL);
    expect(found).toMatchObject({
      training: { examples: 60000, batch: 256, rate: '8/1875', scheme: 'poisson', neighbours: 'add-remove' },
      find: 'cost',
      query: { solveFor: 'epsilon', delta: 1e-5 },
      noiseMultiplier: 1.1,
      steps: 14063,
      epochs: 60,
      solution: null,
      warnings: [],
    });
    const { answer, input, milestones } = found as {
      answer: { epsilon: { lower: number; upper: number } };
      input: object;
      milestones: { steps: number; cost: object }[];
    };
    expect(milestones.at(-1)).toMatchObject({ steps: 14063, cost: answer.epsilon });
    const { stdout } = await type('compose - --json', { stdin: JSON.stringify(input) });
    const composed = (JSON.parse(stdout) as { answer: typeof answer }).answer;
    expect(composed.epsilon.lower).toBeLessThanOrEqual(answer.epsilon.upper);
    expect(composed.epsilon.upper).toBeGreaterThanOrEqual(answer.epsilon.lower);
  });

  it('finds noise and steps, and says that less and more do not fit', async () => {
    const noise = await json(`sgd ${DATA} --epochs 60 --target-epsilon 2 --delta 1e-5 ${POISSON}`);
    expect(noise).toMatchObject({
      find: 'noise',
      budget: { epsilon: 2, delta: 1e-5 },
      noiseMultiplier: 1.22418,
      solution: { value: 1.22418, next: 'exceeds', exceeding: 1.22417 },
    });
    const steps = await json(`sgd ${DATA} ${NOISE} --target-epsilon 2 --delta 1e-5 ${POISSON}`);
    expect(steps).toMatchObject({ find: 'steps', steps: 10207, solution: { value: 10207, exceeding: 10208 } });
    expect(steps.message).toMatch(/^The largest number of steps within .* 43 whole epochs fit: 10,079 steps\.$/);
  });

  it('finds the noise and the steps of a delta at epsilon 0 to the last digit, as solve does', async () => {
    const noise = await json(`sgd ${DATA} --epochs 60 --target-epsilon 0 --delta 0.1 ${POISSON}`);
    expect(noise).toMatchObject({ noiseMultiplier: 2.12787, solution: { next: 'exceeds', exceeding: 2.12786 } });
    const steps = await json(`sgd ${DATA} --noise-multiplier 2 --target-epsilon 0 --delta 0.1 ${POISSON}`);
    expect(steps).toMatchObject({ steps: 12240, solution: { next: 'exceeds', exceeding: 12241 } });
    const mechanism = 'gaussian:noise-multiplier=1,sampling=poisson,rate=256/60000,count=14063';
    const { stdout } = await type(`solve -m ${mechanism} --find sigma --epsilon 0 --delta 0.1 --json`);
    expect(JSON.parse(stdout)).toMatchObject({ solution: { value: 2.12787, exceeding: 2.12786 } });
  });

  it('finds the noise and the steps of a risk', async () => {
    const noise = await json(`sgd ${DATA} --epochs 60 --max-advantage 0.1 ${POISSON}`);
    expect(noise).toMatchObject({ limit: { measure: 'advantage', most: 0.1 }, noiseMultiplier: 2.12787, warnings: [] });
    const rate = await json(`sgd ${DATA} --epochs 60 --max-tpr 0.05@0.01 ${POISSON}`);
    const { noiseMultiplier } = rate as { noiseMultiplier: number };
    const mechanism = `gaussian:noise-multiplier=${noiseMultiplier},sampling=poisson,rate=256/60000,count=14063`;
    const { stdout } = await type(`risk -m ${mechanism} --fpr 0.01 --json`);
    const { tests } = JSON.parse(stdout) as { tests: { truePositiveRate: { upper: number } }[] };
    expect(tests[0]!.truePositiveRate.upper).toBeLessThanOrEqual(0.05);
    expect(tests[0]!.truePositiveRate.upper).toBeGreaterThan(0.04999);
    const steps = await json(`sgd ${DATA} --noise-multiplier 2 --max-advantage 0.1 ${POISSON}`);
    expect(steps).toMatchObject({ find: 'steps', steps: 12240 });
  });

  it('asks for delta at an epsilon', async () => {
    expect(await json(`sgd ${DATA} --steps 500 ${NOISE} --epsilon 1 ${POISSON}`)).toMatchObject({
      query: { solveFor: 'delta', epsilon: 1 },
      milestones: [{ epochs: 0.2 }, {}, {}, {}, {}, {}, {}, {}, {}, {}, { steps: 500 }],
    });
  });

  it('writes the cost along the way as CSV', async () => {
    const { stdout } = await type(`${TUTORIAL} --every 30 --format csv`);
    const [header, ...records] = stdout.trim().split('\r\n');
    expect(header).toBe('noiseMultiplier,epochs,steps,cost.lower,cost.upper');
    expect(records.map((record) => record.split(',').slice(0, 3).join(' '))).toEqual(['1.1 30 7032', '1.1 60 14063']);
  });

  it('says what a sample without replacement is for', async () => {
    const line = `sgd --examples 1000 --batch 10 --steps 40 --noise-multiplier 8 --delta 1e-5 --scheme without-replacement`;
    const { code, stdout } = await type(line);
    expect(code).toBe(0);
    expect(stdout).toContain('data sets that differ in the value of one record');
    expect(stdout).toContain('moves the sum by up to 2 C');
  });

  it.each([
    [`--epochs 60 ${NOISE}`, 10.75],
    ['--epochs 60 --target-epsilon 2', 6.9],
    [`${NOISE} --target-epsilon 2`, 9.2],
  ])('refuses shuffled batches, with what they cost at least: %s', async (rest, least) => {
    const { code, stdout } = await type(`sgd ${DATA} ${rest} --delta 1e-5 --scheme shuffled --json`);
    expect(code).toBe(3);
    expect(violations('refusal', stdout)).toEqual([]);
    const [, found] = /epsilon is at least (\S+) for some data/.exec(stdout)!;
    expect(Number(found)).toBeGreaterThanOrEqual(least);
  });

  it('warns of a large delta, and fails under --strict', async () => {
    const line = `sgd ${DATA} --steps 500 ${NOISE} --delta 1e-4 ${POISSON}`;
    const { code, stderr } = await type(line);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: A delta of 0\.0001 is not below 1 \/ 60,000/);
    expect((await type(`${line} --strict`)).code).toBe(1);
  });

  it('ends with 1 where not one step fits', async () => {
    const { code, stdout } = await type(
      `sgd --examples 10 --batch 9 ${NOISE} --target-epsilon 0.01 --delta 1e-5 ${POISSON}`,
    );
    expect(code).toBe(1);
    expect(stdout).toContain('The largest number of steps within (0.01, 1e-5) is 0.');
  });
});

describe('mistakes in training', () => {
  const found = async (rest: string): Promise<string[]> => mistakes(await type(`sgd --json${rest}`));

  it('are told together', async () => {
    expect(await found('')).toEqual([
      '--examples: missing-option',
      '--batch: missing-option',
      '--scheme: missing-option',
      '--noise-multiplier: missing-option',
      '--epochs: missing-option',
      '--delta: no-target',
    ]);
  });

  it('say why a scheme has no default', async () => {
    const { code, stderr } = await type(`sgd ${DATA} --epochs 60 ${NOISE} --delta 1e-5`);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: --scheme: .* has no default: the wrong sampling scheme can understate epsilon/);
  });

  it.each([
    [`--examples 256 --batch 60000 --epochs 1 ${NOISE} --delta 1e-5 ${POISSON}`, '--batch: out-of-range'],
    [`${DATA} --epochs 1 --steps 3 ${NOISE} --delta 1e-5 ${POISSON}`, '--steps: conflicting-options'],
    [`${DATA} --epochs 1 --noise-multiplier 0 --delta 1e-5 ${POISSON}`, '--noise-multiplier: out-of-range'],
    [`${DATA} --epochs -1 ${NOISE} --delta 1e-5 ${POISSON}`, '--epochs: out-of-range'],
    [`${DATA} --epochs 1e300 ${NOISE} --delta 1e-5 ${POISSON}`, '--epochs: out-of-range'],
    [`${DATA} --epochs 60 ${NOISE} --delta 1e-5 --epsilon 1 ${POISSON}`, '--epsilon: two-targets'],
    [
      `${DATA} --epochs 60 ${NOISE} --target-epsilon 1 --delta 1e-5 ${POISSON}`,
      '--target-epsilon: conflicting-options',
    ],
    [`${DATA} --epochs 60 ${NOISE} --max-advantage 0.1 ${POISSON}`, '--max-advantage: conflicting-options'],
    [`${DATA} --epochs 60 --max-tpr 0.05@0.01 --delta 1e-5 ${POISSON}`, '--max-tpr: conflicting-options'],
    [`${DATA} --target-epsilon 1 --delta 1e-5 ${POISSON}`, '--noise-multiplier: missing-option'],
    [`${DATA} --epochs 60 --target-epsilon 1 ${POISSON}`, '--delta: missing-option'],
    [`${DATA} --epochs 60 --target-epsilon 1 --delta 1e-5 --epsilon 1 ${POISSON}`, '--epsilon: conflicting-options'],
    [`${DATA} --epochs 60 ${NOISE} --delta 1e-5 --scheme balls`, '--scheme: unknown-value'],
    [`${DATA} --epochs 60 ${NOISE} --delta 1e-5 --every 1e-3 ${POISSON}`, '--every: too-many-values'],
    [`${DATA} --epochs 60 ${NOISE} --delta 1.5 ${POISSON}`, '--delta: out-of-range'],
    [`--examples many --batch 256 --epochs 60 ${NOISE} --delta 1e-5 ${POISSON}`, '--examples: not-a-number'],
  ])('%s', async (rest, mistake) => {
    expect(await found(` ${rest}`)).toEqual([mistake]);
  });

  it('asks for no smaller number of examples of a person than there are', async () => {
    const line = 'sgd --examples 60000 --batch 256 --epochs 1 --noise-multiplier 1 --delta 1e-5 --scheme poisson';
    const { code, stderr } = await type(`${line} --records-per-person 10001`);
    expect(code).toBe(2);
    expect(stderr).toContain('computed up to 10000, got 10001. Compose all batches without sampling');
    const listed = await type('compose -m gaussian:sigma=1,sampling=poisson,rate=0.01,records=10001 --delta 1e-5');
    expect(listed.code).toBe(3);
    expect(listed.stderr).toContain('Remove the sampling with its "records"');
  });

  it('says whose norm the sensitivity is where sampled records are replaced', async () => {
    const { stdout } = await type(
      'compose -m gaussian:sigma=9,sampling=poisson,rate=0.01,neighbours=replace-one --delta 1e-5',
    );
    expect(stdout).toContain('the sensitivity is the largest norm of what one record adds, not of its change.');
  });
});
