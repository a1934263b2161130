import { describe, expect, it } from 'vitest';
import { compareSchemes } from '../../../src/composition/sgd/scheme-comparison.ts';
import { sgd, type SgdAnswer, type SgdQuestion } from '../../../src/composition/sgd/sgd.ts';
import { lengthOfEpochs, lengthOfSteps, type Training } from '../../../src/composition/sgd/training.ts';
import { Rational } from '../../../src/numeric/rational.ts';
import { decimal } from '../../mechanisms.ts';

const training = (examples: number, batch: number, scheme: Training['scheme'] = 'random-allocation'): Training => ({
  examples,
  batch,
  scheme,
});

function answerOf(question: SgdQuestion): SgdAnswer {
  const outcome = sgd(question);
  if (outcome.kind === 'refusal') throw new Error(outcome.refusal.code);
  return outcome.answer;
}

describe('training on randomly allocated batches', () => {
  // Moments and densities of 30 digits (batches of an epoch, noise, epochs, epsilon, delta of a removal).
  it.each([
    [10, '1', 5, '2', 1.0932441012789e-2],
    [50, '2', 40, '1', 4.977036691288e-3],
  ])('encloses the reference: %i batches, noise %s, %i epochs', (batches, noise, epochs, epsilon, delta) => {
    const of = training(batches * 30, 30);
    const { trained, milestones } = answerOf({
      kind: 'cost',
      training: of,
      noise: decimal(noise),
      length: lengthOfSteps(of, batches * epochs),
      query: { solveFor: 'delta', epsilon: decimal(epsilon) },
      every: Rational.of(10),
    });
    const { lower, upper } = trained!.answer.delta;
    expect(lower).toBeLessThanOrEqual(delta * (1 + 1e-12));
    expect(upper).toBeGreaterThanOrEqual(delta * (1 - 1e-12));
    expect(upper - lower!).toBeLessThan(1e-4 * delta);
    expect(milestones.every(({ steps }) => steps % batches === 0)).toBe(true);
    const costs = milestones.map(({ cost }) => cost!.upper);
    expect(costs).toEqual([...costs].sort((a, b) => a - b));
  });

  it('finds whole epochs, of which one more exceeds the budget', () => {
    const of = training(3000, 300);
    const budget = { epsilon: decimal(3), delta: decimal('1e-5') };
    const { search, trained } = answerOf({ kind: 'steps', training: of, noise: decimal(2), budget, every: null });
    expect(search!.outcome).toMatchObject({ kind: 'solved', next: 'exceeds' });
    const { steps, epochs } = trained!.run.length;
    expect(steps).toBe(10 * Number(epochs.numerator));
    expect(epochs.denominator).toBe(1n);
    expect(trained!.answer.epsilon.upper).toBeLessThanOrEqual(3);
  });

  it('finds the smallest noise of a length', () => {
    const of = training(3000, 300);
    const budget = { epsilon: decimal(2), delta: decimal('1e-5') };
    const { search, trained } = answerOf({
      kind: 'noise',
      training: of,
      length: lengthOfSteps(of, 50),
      budget,
      every: null,
    });
    expect(search!.outcome).toMatchObject({ kind: 'solved', next: 'exceeds' });
    expect(trained!.answer.epsilon.upper).toBeLessThanOrEqual(2);
  });
});

describe('one training in every scheme', () => {
  const compared = (examples: number, batch: number, epochs: Rational) =>
    compareSchemes({
      kind: 'cost',
      training: training(examples, batch, 'poisson'),
      noise: decimal(2),
      length: lengthOfEpochs(training(examples, batch, 'poisson'), epochs)!,
      query: { solveFor: 'epsilon', delta: decimal('1e-5') },
      every: null,
    }).rows;

  it('has an upper bound where a theorem gives one, each that of the scheme alone', () => {
    const rows = Object.fromEntries(compared(1000, 100, Rational.of(3)).map((row) => [row.scheme, row]));
    expect(rows.poisson).toMatchObject({ reason: null });
    expect(rows['random-allocation']).toMatchObject({ reason: null });
    expect(rows['without-replacement']).toMatchObject({ reason: null, least: null });
    expect(rows.shuffled).toMatchObject({ reason: 'no-theorem', cost: null });
    expect(rows.shuffled!.least).toBeGreaterThan(0);
    const of = training(1000, 100);
    const { trained } = answerOf({
      kind: 'cost',
      training: of,
      noise: decimal(2),
      length: lengthOfSteps(of, 30),
      query: { solveFor: 'epsilon', delta: decimal('1e-5') },
      every: null,
    });
    expect(rows['random-allocation']!.cost).toEqual(trained!.answer.epsilon);
  });

  it('says why random allocation does not apply', () => {
    const reasonOf = (examples: number, batch: number, epochs: Rational): unknown =>
      compared(examples, batch, epochs).find(({ scheme }) => scheme === 'random-allocation')?.reason;
    expect(reasonOf(1000, 300, Rational.of(3))).toBe('no-whole-batches');
    expect(reasonOf(1000, 500, Rational.of(3, 2))).toBe('no-whole-epochs');
  });
});
