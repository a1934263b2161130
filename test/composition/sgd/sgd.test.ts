import { describe, expect, it } from 'vitest';
import { compose } from '../../../src/composition/compose/compose.ts';
import { sgd, type SgdAnswer, type SgdQuestion } from '../../../src/composition/sgd/sgd.ts';
import { lengthOfSteps, problemOf, type Run, type Training } from '../../../src/composition/sgd/training.ts';
import type { Query } from '../../../src/privacy/curve.ts';
import { decimal } from '../../mechanisms.ts';

const training = (examples: number, batch: number, scheme: Training['scheme'] = 'poisson'): Training => ({
  examples,
  batch,
  scheme,
});

const MNIST = training(60000, 256);

const atDelta = (delta: string): Query => ({ solveFor: 'epsilon', delta: decimal(delta) });
const budget = { epsilon: decimal(2), delta: decimal('1e-5') };

function answerOf(question: SgdQuestion): SgdAnswer {
  const outcome = sgd(question);
  if (outcome.kind === 'refusal') throw new Error(outcome.refusal.code);
  return outcome.answer;
}

const costOf = (of: Training, noise: string, steps: number, query: Query): SgdAnswer =>
  answerOf({
    kind: 'cost',
    training: of,
    noise: decimal(noise),
    length: lengthOfSteps(of, steps),
    query,
    every: null,
  });

/** Certified epsilon of a run, by compose. */
function epsilonOf(run: Run): { readonly lower: number; readonly upper: number } {
  const outcome = compose(problemOf(run), { solveFor: 'epsilon', delta: budget.delta });
  if (outcome.kind === 'refusal') throw new Error(outcome.refusal.code);
  const { lower, upper } = outcome.answer.epsilon;
  return { lower: lower ?? 0, upper };
}

describe('what training costs', () => {
  // Contour integrals in doubles, compared with 30 digits: examples, batch, noise, steps, delta, epsilon of a removal.
  it.each([
    [100, 1, '1', 10000, '1e-5', 6.18771238997203],
    [60000, 256, '1.1', 14063, '1e-5', 2.3816897261526297],
    [1000, 1, '0.6', 100000, '1e-6', 6.960843884566543],
    [10, 1, '2', 500, '1e-8', 7.390073596821554],
    [2, 1, '8', 1000, '1e-6', 10.91161584065751],
    [50, 1, '0.8', 300, '1e-10', 7.170532521813696],
  ])(
    'encloses the reference: %i examples, batches of %i, noise %s',
    (examples, batch, noise, steps, delta, epsilon) => {
      const { trained } = costOf(training(examples, batch), noise, steps, atDelta(delta));
      const { lower, upper } = trained!.answer.epsilon;
      expect(lower).toBeLessThanOrEqual(epsilon * (1 + 1e-9));
      expect(upper).toBeGreaterThanOrEqual(epsilon * (1 - 1e-9));
      expect(upper - lower!).toBeLessThan(2e-6 * epsilon);
    },
  );

  it('is told along the way by numbers that compose gives', () => {
    const of = training(1000, 10);
    const question = { training: of, noise: decimal(1), length: lengthOfSteps(of, 400), query: atDelta('1e-5') };
    const { milestones } = answerOf({ kind: 'cost', ...question, every: 'usual' });
    expect(milestones.map(({ steps }) => steps)).toEqual([100, 200, 300, 400]);
    for (const { steps, cost } of milestones) {
      const alone = epsilonOf({ ...of, noise: decimal(1), length: lengthOfSteps(of, steps) });
      expect(cost!.upper).toBeGreaterThanOrEqual(alone.lower);
      expect(cost!.lower).toBeLessThanOrEqual(alone.upper);
    }
  });

  it('counts noise twice as small where an example is replaced: of all examples it is Gaussian of that sensitivity', () => {
    const all = training(100, 100, 'without-replacement');
    const outcome = compose(
      {
        entries: [
          {
            mechanism: { type: 'gaussian', sigma: decimal(10), sensitivity: decimal(2) },
            count: 5,
            kind: 'noninteractive',
            label: null,
          },
        ],
        adaptivity: 'adaptive',
      },
      atDelta('1e-3'),
    );
    const least = outcome.kind === 'answer' ? outcome.answer.epsilon.lower! : NaN;
    expect(costOf(all, '10', 5, atDelta('1e-3')).trained!.answer.epsilon.upper).toBeGreaterThanOrEqual(least);
  });

  it('warns of a delta that gives an example away', () => {
    const codes = (delta: string): string[] =>
      costOf(training(1000, 10), '2', 10, atDelta(delta)).warnings.map(({ code }) => code);
    expect(codes('0.001')).toContain('large-delta');
    expect(codes('0.00099')).not.toContain('large-delta');
  });
});

describe('the smallest noise', () => {
  it.each(['0.1', '2', '30'])('is within a budget of epsilon %s, and the next smaller one is not', (epsilon) => {
    const length = lengthOfSteps(MNIST, 14063);
    const limit = { ...budget, epsilon: decimal(epsilon) };
    const { search, trained } = answerOf({ kind: 'noise', training: MNIST, length, budget: limit, every: null });
    expect(search!.outcome).toMatchObject({ kind: 'solved', next: 'exceeds' });
    expect(trained!.answer.epsilon.upper).toBeLessThanOrEqual(Number(epsilon));
    const { run } = trained!;
    expect(epsilonOf(run).lower).toBeLessThanOrEqual(Number(epsilon));
    const { exceeding } = search!.outcome as { exceeding: Run['noise'] };
    expect(epsilonOf({ ...run, noise: exceeding }).upper).toBeGreaterThan(Number(epsilon));
    expect(exceeding.div(run.noise).toNumber()).toBeGreaterThan(1 - 2e-5);
  });

  it('is found where a budget is tiny, and where it is huge', () => {
    for (const epsilon of ['0.0001', '100']) {
      const of = training(1000, 100);
      const limit = { epsilon: decimal(epsilon), delta: decimal('1e-9') };
      const found = answerOf({
        kind: 'noise',
        training: of,
        length: lengthOfSteps(of, 50),
        budget: limit,
        every: null,
      });
      expect(found.trained!.answer.epsilon.upper).toBeLessThanOrEqual(Number(epsilon));
    }
  });
});

describe('the longest training', () => {
  it('is within the budget, and one step more is not', () => {
    const { trained, search } = answerOf({
      kind: 'steps',
      training: MNIST,
      noise: decimal('1.1'),
      budget,
      every: null,
    });
    const { run } = trained!;
    expect(search!.outcome).toMatchObject({ kind: 'solved', next: 'exceeds' });
    expect(trained!.answer.epsilon.upper).toBeLessThanOrEqual(2);
    expect(epsilonOf({ ...run, length: lengthOfSteps(run, run.length.steps + 1) }).upper).toBeGreaterThan(2);
  });

  it('is none where one step costs too much', () => {
    const limit = { ...budget, epsilon: decimal('1e-4') };
    const found = answerOf({ kind: 'steps', training: MNIST, noise: decimal('1.1'), budget: limit, every: null });
    expect(found).toMatchObject({ trained: null, milestones: [] });
  });
});

describe('shuffled batches', () => {
  const shuffled = training(60000, 256, 'shuffled');

  it.each<SgdQuestion>([
    {
      kind: 'cost',
      training: shuffled,
      noise: decimal('1.1'),
      length: lengthOfSteps(shuffled, 14063),
      query: atDelta('1e-5'),
      every: null,
    },
    { kind: 'noise', training: shuffled, length: lengthOfSteps(shuffled, 14063), budget, every: null },
    { kind: 'steps', training: shuffled, noise: decimal('1.1'), budget, every: null },
  ])('are refused with what they cost at least: $kind', (question) => {
    const outcome = sgd(question);
    const refusal = outcome.kind === 'refusal' ? outcome.refusal : null;
    if (refusal?.code !== 'shuffled-batches') throw new Error('They were not refused.');
    expect(refusal.least).toBeGreaterThan(2 * refusal.asPoisson!);
  });

  it('of a rate of 1e-4 have a delta that Poisson samples would hide', () => {
    const of = training(1e6, 100, 'shuffled');
    const outcome = sgd({
      kind: 'cost',
      training: of,
      noise: decimal('0.4'),
      length: lengthOfSteps(of, 10000),
      query: { solveFor: 'delta', epsilon: decimal(4) },
      every: null,
    });
    expect(outcome).toMatchObject({ kind: 'refusal', refusal: { code: 'shuffled-batches', solveFor: 'delta' } });
    const { least, asPoisson } = (outcome as { refusal: { least: number; asPoisson: number } }).refusal;
    expect(least).toBeGreaterThan(0.2);
    expect(asPoisson).toBeGreaterThan(1.168318e-5);
    expect(asPoisson).toBeLessThan(1.1684e-5);
  });
});
