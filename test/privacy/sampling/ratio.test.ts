import { expect, it } from 'vitest';
import { Rational } from '../../../src/numeric/rational.ts';
import { logRatio, placeOf } from '../../../src/privacy/sampling/ratio.ts';
import { severalRatio } from '../../../src/privacy/sampling/several-records.ts';

it('several records have a loss at the place that is said to have it', () => {
  for (const [mu, gained, lost] of [
    [1 / 0.3, 5, 0],
    [0.2, 5, 0],
    [1, 2, 2],
    [0.5, 40, 1],
  ] as const) {
    const { ratio, shift } = severalRatio({ rate: Rational.of(1, 100) }, mu, { gained, lost })!;
    const along = { slope: mu, shift };
    for (let i = -4; i <= 300; i++) {
      const loss = i / 64;
      const u = placeOf(ratio, along, loss);
      // Of additions there is none below the least.
      if (u !== -Infinity) expect(Math.abs(logRatio(ratio, along, u) - loss)).toBeLessThan(1e-12 * (1 + loss));
    }
  }
});
