import { describe, expect, it } from 'vitest';
import { guessingRegretOfExperts, hedgeRegret } from '../../../src/learning/alternatives/alternative.ts';
import type { ExpertsProblem } from '../../../src/learning/core/setting.ts';
import { bestAlong } from '../../../src/learning/planning/best-along.ts';
import { bestForExperts } from '../../../src/learning/planning/best-for-experts.ts';
import { safeRegretOfExperts } from '../../../src/learning/planning/regret.ts';
import { d } from '../helpers.ts';

const problem = (epsilon: string): ExpertsProblem => ({
  problem: 'ope',
  rounds: 1e5,
  experts: 50,
  epsilon: d(epsilon),
  delta: d('1e-7'),
});

const EPSILONS = ['10', '5', '2', '1', '0.5', '0.2', '0.1', '0.01', '1e-9'];

describe('regrets along epsilon', () => {
  const problems = EPSILONS.map(problem);
  const regrets = bestAlong(problems);

  it('grow from what no privacy costs to at most what guessing does', () => {
    expect(regrets[0]! / hedgeRegret(problem('10'))).toBeCloseTo(1, 2);
    for (const [index, regret] of regrets.slice(1).entries()) expect(regret).toBeGreaterThanOrEqual(regrets[index]!);
    expect(regrets.at(-1)).toBeLessThanOrEqual(guessingRegretOfExperts(problem('1e-9')));
  });

  it('are about those of the longer search of a plan', () => {
    for (const epsilon of ['1', '0.2']) {
      const { named } = bestForExperts(problem(epsilon), 'bounded-range');
      const plan = safeRegretOfExperts(named.setting, 50);
      const along = regrets[EPSILONS.indexOf(epsilon)]!;
      expect(along / plan).toBeGreaterThan(0.95);
      expect(along / plan).toBeLessThan(1.03);
    }
  });
});
