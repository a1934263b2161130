import { describe, expect, it } from 'vitest';
import { sgd } from '../../../src/composition/sgd/sgd.ts';
import { lengthOfSteps } from '../../../src/composition/sgd/training.ts';
import type { RunLaw } from '../../../src/privacy/mechanism.ts';
import { sgdOutput } from '../../../src/output/sgd.ts';
import { atDelta, decimal } from '../../mechanisms.ts';

const training = { examples: 60_000, batch: 256, scheme: 'poisson' } as const;

const accountOf = (tuning?: RunLaw) => {
  const outcome = sgd({
    kind: 'cost',
    training,
    noise: decimal('1.1'),
    length: lengthOfSteps(training, 400),
    query: atDelta('1e-5'),
    every: null,
    ...(tuning && { tuning }),
  });
  if (outcome.kind === 'refusal') throw new Error(outcome.refusal.code);
  return outcome.answer;
};

describe('a hyperparameter search', () => {
  it('costs more than a run, less than twice as many runs as are expected, and leaves the account of one as it is', () => {
    const runs: RunLaw = { law: 'negative-binomial', shape: decimal(1), mean: decimal(10) };
    const [plain, tuned, all] = [accountOf(), accountOf(runs), accountOf({ law: 'fixed', count: decimal(20) })];
    expect(plain.tuning).toBeNull();
    expect(tuned.trained).toEqual(plain.trained);
    const cost = tuned.tuning!.answer.epsilon.upper;
    expect(cost).toBeGreaterThan(plain.trained!.answer.epsilon.upper);
    expect(cost).toBeLessThan(all.tuning!.answer.epsilon.upper);
  });

  it('is told in words and as a specification that says the same', () => {
    const answer = accountOf({ law: 'poisson', mean: decimal(5) });
    const json = JSON.parse(sgdOutput(answer).json('0')) as {
      tuning: { statement: string; input: { mechanisms: { type: string }[] } };
    };
    expect(json.tuning.statement).toContain('a Poisson number of runs of mean 5');
    expect(json.tuning.input.mechanisms.map(({ type }) => type)).toEqual(['selection']);
  });
});
