import { describe, expect, it } from 'vitest';
import {
  entryOf,
  lengthOfEpochs,
  lengthOfSteps,
  type Run,
  type Training,
} from '../../../src/composition/sgd/training.ts';
import { Rational } from '../../../src/numeric/rational.ts';
import { decimal } from '../../mechanisms.ts';
import { fc } from '../../reference/properties.ts';

const MNIST: Training = { examples: 60000, batch: 256, scheme: 'poisson' };

const trainings = fc
  .record({ examples: fc.integer({ min: 1, max: 1e9 }), share: fc.double({ min: 0, max: 1, noNaN: true }) })
  .map(({ examples, share }): Training => {
    return { examples, batch: Math.max(1, Math.round(share * examples)), scheme: 'poisson' };
  });

describe('lengthOfEpochs', () => {
  it('takes the steps of the tutorial', () => {
    expect(lengthOfEpochs(MNIST, Rational.of(60))?.steps).toBe(14063);
    expect(lengthOfEpochs(MNIST, Rational.of(32))?.steps).toBe(7500);
    expect(lengthOfEpochs(MNIST, Rational.of(1, 10 ** 9))?.steps).toBe(1);
  });

  it('takes the least number of steps that see as many examples', () => {
    fc.assert(
      fc.property(trainings, fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (training, n, d) => {
        const epochs = Rational.of(n, d);
        const { steps } = lengthOfEpochs(training, epochs)!;
        expect(lengthOfSteps(training, steps).epochs.compare(epochs)).toBeGreaterThanOrEqual(0);
        expect(lengthOfSteps(training, steps - 1).epochs.compare(epochs)).toBeLessThan(0);
      }),
    );
  });

  it('has none where they cannot be counted', () => {
    expect(lengthOfEpochs(MNIST, Rational.of(10n ** 30n))).toBeNull();
  });
});

describe('entryOf', () => {
  const run: Run = { ...MNIST, noise: decimal('1.1'), length: lengthOfSteps(MNIST, 7) };

  it('adds noise to a sum that one example moves by its clipped gradient', () => {
    const { mechanism, count } = entryOf(run);
    expect(mechanism).toMatchObject({ neighbours: 'add-remove', scheme: 'poisson' });
    expect(mechanism.of).toMatchObject({ sigma: decimal('1.1'), sensitivity: decimal(1) });
    expect(count).toBe(7);
  });

  it('counts both gradients of an example that is replaced', () => {
    const { mechanism } = entryOf({ ...run, scheme: 'without-replacement' });
    expect(mechanism).toMatchObject({ neighbours: 'replace-one' });
    expect(mechanism.of).toMatchObject({ sigma: decimal('1.1'), sensitivity: decimal(2) });
  });
});
