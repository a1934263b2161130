import { describe, expect, it } from 'vitest';
import { answer, atDelta, atEpsilon, gaussian, laplace, sampled } from '../../mechanisms.ts';

/* Integrals over the losses next to the largest one, by quadrature with 40 digits. */
const KNOWN: readonly (readonly [scale: string, count: number, epsilon: string, delta: string])[] = [
  ['3', 1, '0.3333333333', '1.6666666666527777778e-11'],
  ['3', 5, '1.6666666660', '2.083333334375e-11'],
  ['3', 5, '1.66666666665', '5.2083333333984375e-13'],
  ['3', 5, '1.6666666', '2.0833334374999996142e-9'],
  ['3', 5, '1.6664', '8.3349999753061729712e-6'],
  ['3', 50, '16.6666666660', '5.9211895120370173846e-25'],
  ['3', 50, '16.66660', '5.9259275995180691038e-20'],
  ['1', 3, '2.9999999999999', '1.25000000000003125e-14'],
  ['0.025', 2, '79.99999', '2.4999999999895833594e-6'],
];

/* A little farther, where contours begin. */
const FARTHER: typeof KNOWN = [
  ['5', 2, '0.399', '2.4999998958593710942e-4'],
  ['5', 2, '0.3986', '3.4999997142666873279e-4'],
];

describe('Laplace noise next to its largest loss', () => {
  it.each([...KNOWN, ...FARTHER])(
    'of scale %s, %d times, at epsilon %s has delta %s',
    (scale, count, epsilon, delta) => {
      const entries = [laplace(scale, { count })];
      const found = answer(entries, atEpsilon(epsilon));
      expect(found.bound).toBe('loss-distribution');
      expect(found.delta.lower!).toBeLessThanOrEqual(Number(delta) * (1 + 1e-15));
      expect(found.delta.upper).toBeGreaterThanOrEqual(Number(delta) * (1 - 1e-15));
      expect(found.delta.upper - found.delta.lower!).toBeLessThan(1e-6 * found.delta.upper);
    },
  );

  it.each(KNOWN)('of scale %s, %d times, has the epsilon %s again at the delta', (scale, count, epsilon, delta) => {
    const found = answer([laplace(scale, { count })], atDelta(delta)).epsilon;
    expect(found.upper).toBeGreaterThanOrEqual(Number(epsilon) * (1 - 1e-15));
    expect(found.lower!).toBeLessThanOrEqual(Number(epsilon) * (1 + 1e-15));
    expect(found.upper - found.lower!).toBeLessThan(1e-9 * found.upper);
  });

  it.each([
    ['3', 3, '1'],
    ['7', 7, '1'],
    ['0.3', 15, '50'],
    ['1', 5, '4.999999999999999999999999999999'],
  ])('of scale %s, %d times, costs next to nothing at its largest loss %s', (scale, count, epsilon) => {
    const { delta } = answer([laplace(scale, { count })], atEpsilon(epsilon));
    expect(delta.upper).toBeLessThan(1e-25);
    expect(answer([laplace(scale, { count })], atEpsilon(-1)).delta.lower!).toBeGreaterThan(0.6);
  });

  it.each([
    ['1000', 1, '0.00049987', '1.00466835e-8'],
    ['10000', 2, '4.99949999e-5', null],
  ])('of scale %s, %d times, at delta %s is as narrow at a small epsilon', (scale, count, delta, epsilon) => {
    const found = answer([laplace(scale, { count })], atDelta(delta)).epsilon;
    expect(found.upper - found.lower!).toBeLessThan((count === 1 ? 1e-8 : 1e-4) * found.upper);
    if (epsilon !== null) expect(found.upper).toBeCloseTo(Number(epsilon), 15);
  });

  it('its delta falls with epsilon where the closed form begins', () => {
    // 5 times scale 3: from sqrt(1e-6 / 5) below the largest loss on.
    const from = 5 / 3 - Math.sqrt(1e-6 / 5);
    const at = (epsilon: number) => answer([laplace(3, { count: 5 })], atEpsilon(String(epsilon))).delta;
    for (const apart of [1e-4, 1e-6, 1e-8]) {
      expect(at(from - apart).upper).toBeGreaterThan(at(from + apart).lower!);
      expect(at(from - apart).upper).toBeLessThan(at(from + apart).upper * (1 + 1e-5 + 1e4 * apart));
    }
  });

  it.each([12, 13, 14, 15, 16, 17, 18])(
    'beside a little sampled Gaussian noise, %d times, costs about as much',
    (count) => {
      const alone = answer([laplace('17.24', { count })], atDelta('2e-8')).epsilon;
      const beside = [laplace('17.24', { count }), sampled(gaussian('9.363', { count: 394 }), '0.00013')];
      const together = answer(beside, atDelta('2e-8'));
      expect(together.bound).toBe('loss-distribution');
      expect(together.epsilon.upper).toBeGreaterThanOrEqual(alone.lower!);
      expect(together.epsilon.upper).toBeLessThan(alone.upper * 1.001);
      expect(together.epsilon.upper - together.epsilon.lower!).toBeLessThan(1e-4 * alone.upper);
    },
  );
});
