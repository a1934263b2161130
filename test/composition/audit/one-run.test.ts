import { describe, expect, it } from 'vitest';
import { epsilonByGuesses } from '../../../src/composition/audit/one-run.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { fc } from '../../reference/properties.ts';

const least = (canaries: number, guesses: number, correct: number, delta: number | string = 0, confidence = 0.95) =>
  epsilonByGuesses({ canaries, guesses, correct }, new Decimal(delta), new Decimal(confidence));

/** P[W = w] for w = 0..n, W binomial. */
function law(n: number, p: number): number[] {
  let log = n * Math.log1p(-p);
  return Array.from({ length: n + 1 }, (_, w) => {
    if (w > 0) log += Math.log(((n - w + 1) * p) / (w * (1 - p)));
    return Math.exp(log);
  });
}

const from = (masses: readonly number[], v: number): number => masses.slice(v).reduce((sum, mass) => sum + mass, 0);

/** Cor 5.4 of Steinke, Nasr, Jagielski (2023), as it is printed. */
function published(canaries: number, guesses: number, correct: number, delta: number, epsilon: number): number {
  const masses = law(guesses, 1 / (1 + Math.exp(-epsilon)));
  const tail = from(masses, correct);
  let steepest = 0;
  for (let i = 1; i <= correct; i++) steepest = Math.max(steepest, (from(masses, correct - i) - tail) / i);
  return tail + 2 * canaries * delta * steepest;
}

describe('the epsilon that guesses in one run show', () => {
  // mpmath with 40 digits; without a delta these are the values that are printed in the paper.
  it.each([
    [100, 100, 75, '0', 0.702213930949506],
    [16, 16, 16, '0', 1.58032313579279],
    [100, 100, 75, '1e-4', 0.701517936373613],
    [1000, 100, 75, '1e-4', 0.695126017639286],
    [100_000, 1510, 1439, '1e-5', 2.80283775277118],
    [10_000, 10_000, 9820, '1e-5', 3.87436337419637],
    [100, 100, 100, '1e-3', 3.48647954080279],
  ])('of %i canaries and %i guesses, %i right, at delta %s is %d', (canaries, guesses, correct, delta, expected) => {
    const epsilon = least(canaries, guesses, correct, delta);
    expect(epsilon).toBeLessThanOrEqual(expected * (1 + 1e-14));
    expect(epsilon).toBeGreaterThan(expected * (1 - 1e-10));
  });

  it.each([
    [100, 100, 75, 1e-4, 0.699466813],
    [1000, 100, 75, 1e-4, 0.672984664],
    [100_000, 1510, 1439, 1e-5, 2.675851008],
    [10_000, 10_000, 9820, 1e-5, 3.87131693],
  ])('of %i, %i, %i at %d is above what the paper shows', (canaries, guesses, correct, delta, printed) => {
    expect(published(canaries, guesses, correct, delta, printed)).toBeCloseTo(0.05, 6);
    const epsilon = least(canaries, guesses, correct, delta);
    expect(epsilon).toBeGreaterThan(printed);
    expect(published(canaries, guesses, correct, delta, epsilon)).toBeGreaterThan(0.05);
  });

  it('of 75 of 100 at epsilon ln 3 has the chance that is printed', () => {
    expect(from(law(100, 0.75), 75)).toBeCloseTo(0.553470824, 9);
    // What is shown with this confidence is ln 3.
    expect(least(100, 100, 75, 0, 0.5)).toBeLessThan(Math.log(3));
    expect(least(100, 100, 75, 0, 0.5)).toBeGreaterThan(0.97 * Math.log(3));
  });

  it('is above the truth at most as often as it says, exactly, for randomized response', () => {
    for (const [guesses, epsilon] of [
      [12, 0.5],
      [40, 1],
      [100, 3],
    ] as const) {
      const masses = law(guesses, 1 / (1 + Math.exp(-epsilon)));
      const wrong = masses.reduce(
        (sum, mass, correct) => sum + (least(guesses, guesses, correct) > epsilon ? mass : 0),
        0,
      );
      expect(wrong).toBeLessThanOrEqual(0.05);
      expect(wrong).toBeGreaterThan(0);
    }
  });

  it('is above the truth as often as it says for the guesses of a mechanism with a delta', () => {
    const [canaries, guesses, correct, delta] = [60, 40, 33, 1e-3];
    const epsilon: number = least(canaries, guesses, correct, delta);
    // Scaled alike below the threshold, and alike from it on.
    const masses = law(guesses, 1 / (1 + Math.exp(-epsilon)));
    const tail = from(masses, correct);
    const above = 1 + (canaries * delta * (1 - tail)) / (correct * masses[correct]!);
    const below = (1 - above * tail) / (1 - tail);
    const scaled = masses.map((mass, w) => mass * (w < correct ? below : above));
    // It is (epsilon, delta)-DP: right guesses against wrong ones with one right less.
    const excess = scaled.reduce((sum, mass, w) => {
      const other = w === 0 ? 0 : scaled[w - 1]! * (guesses - w + 1);
      return (
        sum + Math.max(0, mass * w - Math.exp(epsilon) * other) + Math.max(0, other - Math.exp(epsilon) * mass * w)
      );
    }, 0);
    expect(below).toBeGreaterThan(0);
    expect(excess).toBeCloseTo(canaries * delta, 9);
    expect(from(scaled, correct)).toBeCloseTo(0.05, 9);
  });

  it('rises with correct guesses, and falls with confidence, delta and canaries', () => {
    const cases = fc.record({
      guesses: fc.integer({ min: 1, max: 300 }),
      share: fc.double({ min: 0.4, max: 1, noNaN: true }),
      others: fc.integer({ min: 0, max: 2000 }),
      delta: fc.double({ min: 0, max: 1e-3, noNaN: true }),
      confidence: fc.double({ min: 0.5, max: 0.999, noNaN: true }),
    });
    fc.assert(
      fc.property(cases, ({ guesses, share, others, delta, confidence }) => {
        const correct = Math.floor(share * guesses);
        const epsilon = least(guesses + others, guesses, correct, delta, confidence);
        if (correct < guesses) {
          expect(least(guesses + others, guesses, correct + 1, delta, confidence)).toBeGreaterThanOrEqual(epsilon);
        }
        expect(least(guesses + others, guesses, correct, 2 * delta, confidence)).toBeLessThanOrEqual(epsilon);
        expect(least(guesses + others, guesses, correct, delta, (1 + confidence) / 2)).toBeLessThanOrEqual(epsilon);
        expect(least(guesses + others + 9, guesses, correct, delta, confidence)).toBeLessThanOrEqual(epsilon);
      }),
    );
  });

  it('is 0 where guesses are no better than a coin, and where nothing is right', () => {
    expect(least(100, 100, 50)).toBe(0);
    expect(least(100, 100, 0)).toBe(0);
    expect(least(1e6, 10, 10, 0.5)).toBe(0);
  });
});
