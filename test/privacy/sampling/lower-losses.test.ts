import { describe, expect, it } from 'vitest';
import { lowerHockeyStick, lowerLosses, repeated } from '../../../src/privacy/sampling/lower-losses.ts';
import { enumeratedDelta } from '../../reference/randomized-response.ts';

/** The outcomes of a randomized response, their probabilities and losses rounded down. */
function response(e: number): { mass: number; loss: number }[] {
  const high = 1 / (1 + Math.exp(-e));
  return [
    { mass: high * (1 - 1e-15), loss: e },
    { mass: (1 - high) * (1 - 1e-15), loss: -e },
  ];
}

describe('a lower bound on the law of a privacy loss', () => {
  it('is below randomized responses composed, and near where the step is small', () => {
    for (const [e, count, step] of [
      [0.3, 7, 2 ** -12],
      [1, 12, 2 ** -10],
      [0.01, 40, 2 ** -16],
    ] as const) {
      const losses = repeated(lowerLosses(response(e), step), count);
      for (const share of [-0.2, 0, 0.3, 0.9]) {
        const epsilon = share * count * e;
        const truth = enumeratedDelta([{ epsilon: e.toString(), count }], epsilon.toString()).toNumber();
        const lower = lowerHockeyStick(losses, epsilon);
        expect(lower).toBeLessThanOrEqual(truth);
        expect(lower).toBeGreaterThan(truth * (1 - 2e-3) - 3 * count * step);
      }
    }
  });

  it('is below them too where the sum has more places than are kept', () => {
    const losses = repeated(lowerLosses(response(0.37), 2 ** -14), 20);
    expect(losses.step).toBeGreaterThan(2 ** -14);
    const truth = enumeratedDelta([{ epsilon: '0.37', count: 20 }], '2').toNumber();
    expect(lowerHockeyStick(losses, 2)).toBeLessThanOrEqual(truth);
    expect(lowerHockeyStick(losses, 2)).toBeGreaterThan(0.98 * truth);
  });

  it('is nothing where nothing is known', () => {
    expect(lowerHockeyStick(repeated(lowerLosses([], 0.5), 3), 0)).toBe(0);
  });
});
