import { describe, expect, it } from 'vitest';
import { violations } from '../../output/schema.ts';
import { mistakes, run, type } from '../run.ts';

const json = async (line: string): Promise<Record<string, unknown>> => {
  const { stdout } = await type(`${line} --json`);
  expect(violations('solve', stdout)).toEqual([]);
  return JSON.parse(stdout) as Record<string, unknown>;
};

describe('dpcompose solve', () => {
  it('says what fits, what certifies it, and that one more does not', async () => {
    const { code, stdout, stderr } = await type('solve -m dp:epsilon=0.1 --find count --epsilon 3 --delta 1e-6');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^The largest count within \(3, 1e-6\) is 46\. .* by dp-optimal: .* One more certainly exceeds the budget/,
    );
    expect(stdout).toContain('mechanisms[0]  46 x (0.1, 0)-DP');
  });

  it('finds every kind of unknown, as one document', async () => {
    const rest = '--epsilon 2 --delta 1e-6';
    for (const [line, find] of [
      [`-m zcdp:rho=1 --find rho ${rest}`, 'rho'],
      [`-m gdp:mu=1 --find mu ${rest}`, 'mu'],
      [`-m gaussian:sigma=1 --find sigma ${rest}`, 'sigma'],
      [`-m laplace:scale=1 --find scale ${rest}`, 'scale'],
      [`-m dp:epsilon=1 -m dp:epsilon=2 --find parameter ${rest}`, 'factor'],
      [`-m dp:epsilon=1 -m dp:epsilon=2,label=b --vary b --find epsilon ${rest}`, 'epsilon'],
      [`-m dp:epsilon=0.1 -m dp:epsilon=0.2 --find count ${rest}`, 'multiple'],
      ['-m shuffled-reports:local-epsilon=1 --find reports --epsilon 0.1 --delta 1e-6', 'reports'],
      ['-m dp:epsilon=0.1 --delta 1e-6', 'total-epsilon'],
      ['-m dp:epsilon=0.1 --epsilon 0.05', 'total-delta'],
    ]) {
      expect(await json(`solve ${line}`)).toMatchObject({ find, outcome: 'solved' });
    }
  });

  it('finds how many reports have to be shuffled: so many are within, and some fewer are not', async () => {
    const { code, stdout } = await type(
      'solve -m shuffled-reports:local-epsilon=2 --find reports --epsilon 0.5 --delta 1e-6',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('The smallest number of reports within (0.5, 1e-6) is at most 678 and above 573.');
    const at = async (users: number): Promise<{ lower: number; upper: number }> => {
      const line = `compose -m shuffled-reports:local-epsilon=2,users=${users} --delta 1e-6 --json`;
      return (JSON.parse((await type(line)).stdout) as { answer: { epsilon: { lower: number; upper: number } } }).answer
        .epsilon;
    };
    expect((await at(678)).upper).toBeLessThanOrEqual(0.5);
    expect((await at(573)).lower).toBeGreaterThan(0.5);
    const other = await type('solve -m laplace:scale=3 --find reports --epsilon 0.5 --delta 1e-6 --json');
    expect(mistakes(other)).toEqual(['--find: unknown-value']);
  });

  it('finds noise beside Laplace noise in a budget that only the sharper bound keeps, for any noise', async () => {
    const beside = '-m dp:epsilon=0.1,count=20 -m laplace:scale=20,count=40';
    const line = `solve ${beside} -m gaussian:sigma=20,count=10,label=means --vary means --epsilon 2.45 --delta 1e-6`;
    const solved = await json(`${line} --find sigma`);
    expect(solved).toMatchObject({ outcome: 'solved', find: 'sigma' });
    expect(JSON.stringify(solved)).toContain('24.9755');
  });

  it('finds the noise of a risk, in place of a budget', async () => {
    const noise = 'solve -m gaussian:sigma=1,count=30 --find sigma';
    expect(await json(`${noise} --max-advantage 0.1`)).toMatchObject({
      limit: { measure: 'advantage', most: 0.1 },
      solution: { value: 21.7936, next: 'exceeds' },
    });
    const found = await json(`${noise} --max-tpr 0.05@0.01`);
    expect(found).toMatchObject({
      limit: { measure: 'true-positive-rate', falsePositiveRate: 0.01, most: 0.05 },
      solution: { value: 8.03709, next: 'exceeds', exceeding: 8.03708 },
    });
    expect(found.message).toMatch(
      /^The smallest sigma with a true-positive rate of at most 0\.05 at a false-positive rate of 0\.01 is 8\.03709 to 6 digits/,
    );
    expect(found).not.toHaveProperty('budget');
  });

  it.each([
    ['--max-tpr 0.01@0.01', '--max-tpr: out-of-range'],
    ['--max-tpr 1@0.01', '--max-tpr: out-of-range'],
    ['--max-tpr 0.05', '--max-tpr: malformed-flag'],
    ['--max-advantage 0.1 --max-tpr 0.05@0.01', '--max-advantage: conflicting-options'],
    ['--max-advantage 0.1 --delta 1e-6', '--max-advantage: conflicting-options'],
    ['--max-advantage 0.1 --find total-epsilon', '--find: conflicting-options'],
  ])('takes one risk, and no budget beside it: %s', async (options, mistake) => {
    expect(mistakes(await type(`solve -m gaussian:sigma=1 ${options} --json`))).toEqual([mistake]);
  });

  it('takes half of the budget from the document', async () => {
    const found = await json('solve fixtures/dashboard.json --find count --vary mechanisms[0] --vary #4 --epsilon 5');
    expect(found).toMatchObject({
      budget: { epsilon: 5, delta: 1e-6 },
      vary: ['mechanisms[0]', 'mechanisms[3]'],
    });
  });

  it('ends with 1 where nothing fits, or everything', async () => {
    expect(
      (await type('solve -m dp:epsilon=2 -m dp:epsilon=1,label=a --vary a --find count --epsilon 1 --delta 0')).code,
    ).toBe(1);
    expect((await type('solve -m dp:epsilon=0 --find count --epsilon 1 --delta 0')).code).toBe(1);
    expect(await json('solve -m dp:epsilon=1 --find parameter --epsilon 1 --delta 1')).toMatchObject({
      outcome: 'unbounded',
    });
    expect(await json('solve -m dp:epsilon=1,delta=0.1 --find parameter --epsilon 1 --delta 0')).toMatchObject({
      outcome: 'never',
      solution: null,
    });
  });

  it('ends with 3 where no theorem covers it', async () => {
    const { code, stdout } = await type('solve fixtures/endless-alarms.json --find count --epsilon 1 --delta 0 --json');
    expect(code).toBe(3);
    expect(violations('refusal', stdout)).toEqual([]);
  });

  it('says what is missing or makes no sense', async () => {
    const wrong = async (line: string): Promise<string[]> => mistakes(await type(`solve ${line} --json`));
    expect(await wrong('-m dp:epsilon=1 --find count --epsilon 1')).toEqual(['--delta: no-target']);
    expect(await wrong('-m dp:epsilon=1 --epsilon 1 --delta 0')).toEqual(['--find: missing-option']);
    expect(await wrong('-m dp:epsilon=1 --find sigma --epsilon 1 --delta 0')).toEqual(['--find: unknown-value']);
    expect(await wrong('-m finite-pair:p=1;0,q=0;1 --find parameter --epsilon 1 --delta 0')).toEqual([
      '--find: unknown-value',
    ]);
    expect(await wrong('-m dp:epsilon=1,label=abc --vary abd --find count --epsilon 1 --delta 0')).toEqual([
      '--vary: unknown-name',
    ]);
    expect(await wrong('-m dp:epsilon=1 --find counts --epsilon -1 --delta 2')).toEqual([
      '--find: unknown-value',
      '--delta: out-of-range',
      '--epsilon: out-of-range',
    ]);
  });
});

describe('dpcompose solve, without a value of what is sought', () => {
  const BUDGET = '--epsilon 1 --delta 1e-6';

  it.each([
    ['gaussian', 'count=10', 'sigma', 'sigma=3'],
    ['gaussian', 'sensitivity=2,count=10', 'sigma', 'sigma=3'],
    ['laplace', 'count=10', 'scale', 'scale=3'],
    ['discrete-gaussian', 'count=10', 'sigma', 'sigma=3'],
    ['dp', 'count=10', 'epsilon', 'epsilon=0.3'],
    ['zcdp', 'count=10', 'rho', 'rho=0.3'],
    ['gdp', 'count=10', 'mu', 'mu=0.3'],
  ])('%s:%s --find %s is as with one', async (name, rest, find, value) => {
    const with1 = await type(`solve -m ${name}:${rest},${value} --find ${find} ${BUDGET}`);
    const without = await type(`solve -m ${name}:${rest} --find ${find} ${BUDGET}`);
    expect(without).toEqual(with1);
    expect(without.code).toBe(0);
    const mechanism = { type: name, ...Object.fromEntries(rest.split(',').map((pair) => pair.split('='))) } as object;
    const stdin = JSON.stringify({ dpcompose: 1, mechanisms: [mechanism] });
    const inDocument = await run(['solve', '-', '--find', find, ...BUDGET.split(' ')], { stdin });
    expect(inDocument).toEqual(with1);
  });

  it('is told by --json without a value that nobody gave', async () => {
    const { stdout } = await type(
      `solve -m gaussian:count=10 -m gaussian:sigma=40 --vary #1 --find sigma ${BUDGET} --json`,
    );
    const { input, solution } = JSON.parse(stdout) as {
      input: { mechanisms: readonly object[] };
      solution: { mechanisms: readonly object[] };
    };
    expect(input.mechanisms[0]).toEqual({ type: 'gaussian', sensitivity: 1, count: 10, kind: 'noninteractive' });
    expect(input.mechanisms[1]).toHaveProperty('sigma', 40);
    expect(solution.mechanisms[0]).toHaveProperty('sigma');
  });

  it('needs all else, and the values of several that vary, as they are their proportion', async () => {
    for (const line of [
      `solve -m gaussian:count=10 -m gaussian:sigma=2 --find sigma ${BUDGET}`,
      `solve -m gaussian:count=10 -m gaussian:sigma=2 --vary #2 --find sigma ${BUDGET}`,
      `solve -m gaussian:count=10 --find scale ${BUDGET}`,
      `solve -m gaussian:count=10 --find count ${BUDGET}`,
      `solve -m gaussian:sampling=poisson --find sigma ${BUDGET}`,
      `solve -m gaussian:count=10 --find sigma --delta 1e-6`,
    ]) {
      const { code, stderr } = await type(line);
      expect([line, code]).toEqual([line, 2]);
      expect(stderr).toMatch(/needs sigma|is missing|^error: -m #1/);
    }
  });
});
