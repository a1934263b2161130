import { describe, expect, it } from 'vitest';
import { milestones, lengthOfEpochs, type Run, type Training } from '../../../src/composition/sgd/training.ts';
import { epochsText } from '../../../src/output/sgd.ts';
import { Rational } from '../../../src/numeric/rational.ts';
import { decimal } from '../../mechanisms.ts';

const MNIST: Training = { examples: 60000, batch: 256, scheme: 'poisson' };

const runOf = (epochs: Rational, training = MNIST): Run => ({
  ...training,
  noise: decimal(1),
  length: lengthOfEpochs(training, epochs)!,
});

const epochsOf = (run: Run, every: Rational | 'usual'): string[] => milestones(run, every).map(epochsText);

describe('milestones', () => {
  it('are at round epochs, at most twenty with the end', () => {
    expect(epochsOf(runOf(Rational.of(60)), 'usual').join(' ')).toBe('5 10 15 20 25 30 35 40 45 50 55');
    expect(epochsOf(runOf(Rational.of(4)), 'usual').join(' ')).toBe('1 2 3');
    for (const epochs of [1, 2, 3, 7, 19, 20, 21, 99, 1000, 12345]) {
      expect(milestones(runOf(Rational.of(epochs)), 'usual').length).toBeLessThan(20);
    }
  });

  it('are inside an epoch where there are few', () => {
    expect(epochsOf(runOf(Rational.of(1, 2)), 'usual').slice(0, 3)).toEqual(['0.05', '0.1', '0.15']);
  });

  it('are as far apart as is asked, and of different steps', () => {
    expect(epochsOf(runOf(Rational.of(3, 2)), Rational.of(1, 2))).toEqual(['0.5', '1']);
    const steps = milestones(runOf(Rational.ONE, { ...MNIST, batch: 20000 }), Rational.of(1, 10)).map(
      (each) => each.steps,
    );
    expect(steps).toEqual([1, 2]);
  });

  it('are the usual ones where those asked for are too many', () => {
    expect(milestones(runOf(Rational.of(60)), Rational.of(1, 1000)).length).toBe(11);
  });

  it('are none of a single step', () => {
    expect(milestones(runOf(Rational.of(1, 1000)), 'usual')).toEqual([]);
  });
});
