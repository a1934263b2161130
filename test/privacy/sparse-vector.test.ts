import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/numeric/decimal.ts';
import { sparseVectorEpsilon } from '../../src/privacy/sparse-vector.ts';
import { fc } from '../reference/properties.ts';
import { NOISE, integral } from '../reference/selection.ts';

/** How often a list of answers is given, for a threshold of 0 and queries of these values. */
function chanceOf(
  answers: readonly boolean[],
  queries: readonly number[],
  scales: { readonly threshold: number; readonly query: number; readonly noise: keyof typeof NOISE },
): number {
  const { density, below, from } = NOISE[scales.noise];
  const [start, end] = [Math.max(from, -45), 45].map((z) => z * scales.threshold) as [number, number];
  const kinks = [...queries, ...queries.map((q) => q + from * scales.query)];
  const breaks = [start, 0, ...kinks, end].filter((z) => z >= start && z <= end).sort((a, b) => a - b);
  return integral(
    (z) =>
      answers.reduce(
        (chance, isAbove, i) => {
          const distance = (z - queries[i]!) / scales.query;
          // Laplace noise is symmetric, so that small chances to be above keep their digits.
          const above = scales.noise === 'laplace' ? below(-distance) : 1 - below(distance);
          return chance * (isAbove ? above : below(distance));
        },
        density(z / scales.threshold) / scales.threshold,
      ),
    breaks,
  );
}

const run = fc.record({
  noise: fc.constantFrom('laplace', 'exponential', 'gumbel'),
  threshold: fc.double({ min: 0.5, max: 4, noNaN: true }),
  query: fc.double({ min: 0.5, max: 4, noNaN: true }),
  isMonotonic: fc.boolean(),
  queries: fc.array(
    fc.record({
      value: fc.double({ min: -6, max: 6, noNaN: true }),
      moved: fc.constantFrom(-1, 0, 1),
      isAbove: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});

describe('the sparse vector technique', () => {
  it('has the sum of both epsilons, rounded up once', () => {
    const epsilonOf = (thresholdScale: number, queryScale: number, positives: number, monotonic = false): string =>
      sparseVectorEpsilon({
        thresholdScale: new Decimal(thresholdScale),
        queryScale: new Decimal(queryScale),
        positives: new Decimal(positives),
        sensitivity: new Decimal(1),
        monotonic,
      }).toString();
    expect(epsilonOf(20, 40, 1)).toBe('0.1');
    expect(epsilonOf(20, 40, 3)).toBe('0.2');
    expect(epsilonOf(20, 40, 3, true)).toBe('0.125');
    expect(epsilonOf(3, 3, 1)).toBe('1');
    expect(epsilonOf(3, 4, 1, true)).toBe(`0.58${'3'.repeat(57)}4`);
  });

  it('loses no more than that, whatever is asked and answered', () => {
    fc.assert(
      fc.property(run, ({ queries, isMonotonic, ...scales }) => {
        const values = queries.map(({ value }) => value);
        const moved = queries.map(({ value, moved: by }) => value + (isMonotonic ? Math.abs(by) : by));
        const answers = queries.map(({ isAbove }) => isAbove);
        const positives = Math.max(1, answers.filter(Boolean).length);
        const epsilon = 1 / scales.threshold + ((isMonotonic ? 1 : 2) * positives) / scales.query;
        const [one, other] = [chanceOf(answers, values, scales), chanceOf(answers, moved, scales)];
        expect(Math.abs(Math.log(one / other))).toBeLessThanOrEqual(epsilon * (1 + 1e-6));
        // With queries that only rise, it is more private in one of the two orders.
        if (isMonotonic) expect(Math.log(other / one)).toBeLessThanOrEqual((positives / scales.query) * (1 + 1e-6));
      }),
    );
  });

  it.each([
    [false, [1, -1], 1 + 2 / 0.7],
    [true, [1, 0], 1 + 1 / 0.7],
  ])('loses nearly that much on far queries (monotonic: %s)', (_, [first, second], epsilon) => {
    const scales = { threshold: 1, query: 0.7, noise: 'laplace' } as const;
    const answers = [false, false, false, false, true];
    const chance = (above: number, below: number): number =>
      chanceOf(answers, [above, above, above, above, below], scales);
    const loss = Math.log(chance(12, -12) / chance(12 + first!, -12 + second!));
    expect(loss / epsilon).toBeGreaterThan(0.9999);
    expect(loss / epsilon).toBeLessThan(1 + 1e-9);
  });
});
