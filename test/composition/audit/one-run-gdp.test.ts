import { describe, expect, it } from 'vitest';
import { isImpossible, muByGuesses, type RateLine } from '../../../src/composition/audit/one-run-gdp.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';

const least = (canaries: number, guesses: number, correct: number, confidence = '0.95') =>
  muByGuesses({ canaries, guesses, correct }, new Decimal(confidence));

/** What (epsilon, delta)-DP says of false-positive rates. */
const linesOf = (epsilon: number, delta: number): RateLine[] => [
  { slope: Math.exp(-epsilon), offset: -Math.exp(-epsilon) * delta },
  { slope: Math.exp(epsilon), offset: 1 - delta - Math.exp(epsilon) },
];

/** The largest chance of so many correct guesses under (epsilon, delta)-DP, which some mechanism has: see one-run. */
function attained(canaries: number, guesses: number, correct: number, epsilon: number, delta: number): number {
  const p = 1 / (1 + Math.exp(-epsilon));
  let log = guesses * Math.log1p(-p);
  let [first, tail] = [0, 0];
  for (let w = 0; w <= guesses; w++) {
    if (w > 0) log += Math.log(((guesses - w + 1) * p) / (w * (1 - p)));
    if (w === correct) first = Math.exp(log);
    if (w >= correct) tail += Math.exp(log);
  }
  return Math.min(1, tail + (canaries * delta * tail * (1 - tail)) / (correct * first));
}

describe('the recursion over guesses', () => {
  // The linear program over all laws of correct guesses, by scipy's highs.
  it.each([
    [50, 50, 40, 1, 0, 0.21742060698],
    [50, 50, 40, 1, 1e-3, 0.22047345982],
    [30, 20, 15, 0.5, 0, 0.206611736523],
    [30, 20, 19, 2, 1e-2, 0.348222385934],
    [40, 10, 9, 1, 1e-2, 0.273450165628],
    [20, 20, 15, 0, 1e-2, 0.041702871639],
    [40, 40, 40, 3, 1e-4, 0.143288395042],
  ])('of %i, %i, %i under (%d, %d)-DP rejects beyond the linear program', (canaries, guesses, correct, ...more) => {
    const [epsilon, delta, expected] = more;
    const rejects = (mass: number): boolean =>
      isImpossible(linesOf(epsilon, delta), { canaries, guesses, correct }, mass);
    // What some mechanism has, and what only the averages allow.
    expect(rejects(attained(canaries, guesses, correct, epsilon, delta) * (1 - 1e-9))).toBe(false);
    expect(rejects(expected * (1 - 1e-7))).toBe(false);
    expect(rejects(expected * (1 + 1e-7))).toBe(true);
  });

  it('rejects nothing without lines, or without a correct guess', () => {
    expect(isImpossible([], { canaries: 9, guesses: 9, correct: 9 }, 1)).toBe(false);
    expect(isImpossible(linesOf(0, 0), { canaries: 9, guesses: 9, correct: 0 }, 1)).toBe(false);
  });
});

describe('the mu that guesses in one run show', () => {
  // The recursion in doubles by scipy, bisected.
  it.each([
    [1000, 100, 75, 0.2694947210575],
    [100, 100, 75, 0.404311982983],
    [1000, 1000, 760, 0.4824962],
    [10_000, 200, 190, 0.7273922],
  ])('of %i canaries and %i guesses, %i right, is %d', (canaries, guesses, correct, expected) => {
    const mu = least(canaries, guesses, correct);
    expect(mu).toBeLessThanOrEqual(expected + 1e-7);
    expect(mu).toBeGreaterThan(expected * (1 - 5e-6));
  });

  it('is above the truth at most as often as it says, exactly, for Gaussian noise on every canary', () => {
    // Each of 40 guesses is right with probability Phi(mu / 2), on its own.
    const [guesses, mu, p] = [40, 1, 0.691462461274013];
    let log = guesses * Math.log(p);
    let [tail, correct] = [Math.exp(log), guesses];
    // The fewest that have a chance of at most 5 %.
    for (;;) {
      log += Math.log((correct * (1 - p)) / ((guesses - correct + 1) * p));
      if (tail + Math.exp(log) > 0.05) break;
      tail += Math.exp(log);
      correct--;
    }
    expect(correct).toBeGreaterThan(30);
    expect(least(guesses, guesses, correct - 1)).toBeLessThanOrEqual(mu);
  });

  it('rises with correct guesses, and falls with canaries and confidence', () => {
    const mus = [30, 34, 37, 40].map((correct) => least(60, 40, correct));
    expect(mus).toEqual([...mus].sort((a, b) => a - b));
    expect(mus[3]).toBeGreaterThan(mus[0]!);
    expect(least(120, 40, 37)).toBeLessThan(mus[2]!);
    expect(least(60, 40, 37, '0.99')).toBeLessThan(mus[2]!);
  });

  it('is 0 where guesses are no better than a coin', () => {
    expect(least(100, 100, 50)).toBe(0);
    expect(least(100, 100, 0)).toBe(0);
  });
});
