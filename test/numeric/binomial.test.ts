import { fc } from '../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { logBinomialHockeyStick, type BinomialHockeyStick } from '../../src/numeric/binomial-hockey-stick.ts';
import {
  binomialWindow,
  logBinomialProbability,
  type Probability,
  stirlingRemainder,
} from '../../src/numeric/binomial.ts';
import { enclosure } from '../../src/numeric/enclosure.ts';
import { UNIT_ROUNDOFF as U } from '../../src/numeric/rounding.ts';
import { logBinomialByDecimals, stirlingRemainderByDecimals } from '../reference/binomial.ts';
import { ONE, holds, ln, oneMinusExp, precise, sumOf } from '../reference/precise.ts';

/** The double p itself, with its complement rounded. */
const exactProbability = (p: number): Probability => ({
  value: p,
  complement: ONE.minus(precise(p)).toNumber(),
  error: U,
});

const anyProbability = fc.oneof(
  fc.double({ min: 0.01, max: 0.99, noNaN: true }),
  fc.double({ min: -250, max: -1, noNaN: true }).map((x) => 10 ** x),
  fc.double({ min: 1e-9, max: 0.1, noNaN: true }).map((x) => 1 - x),
);

describe('the Stirling remainder', () => {
  it('is right to 2^-55', () => {
    for (const n of [...Array.from({ length: 40 }, (_, i) => i + 1), 100, 1e4, 1e8, 2 ** 53 - 1]) {
      const error = stirlingRemainderByDecimals(n)
        .minus(precise(stirlingRemainder(n)))
        .abs()
        .toNumber();
      expect(error, `n = ${n}`).toBeLessThanOrEqual(2 ** -55);
    }
  });
});

describe('ln of a binomial probability', () => {
  const check = (n: number, i: number, p: number): void => {
    const { value, error } = logBinomialProbability(n, i, exactProbability(p));
    const truth = logBinomialByDecimals(n, i, precise(p));
    const miss = precise(value).minus(truth).abs();
    expect(
      miss.lte(precise(error).plus(1e-55)),
      `C(${n},${i}) at ${p}: off by ${miss.toString()}, stated ${error}`,
    ).toBe(true);
  };
  it('is within its stated error, also far from the mode', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1500 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        anyProbability,
        (n, share, p) => {
          check(n, Math.floor(share * n), p);
          check(n, 0, p);
          check(n, n, p);
        },
      ),
      { numRuns: 60 },
    );
  });
  it('is within its stated error for counts up to 2^53 - 1, around the mode', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 4, max: 15.9, noNaN: true }),
        fc.double({ min: -9, max: 9, noNaN: true }),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (size, deviations, p) => {
          const n = Math.min(2 ** 53 - 1, Math.round(10 ** size));
          const i = Math.round(n * p + deviations * Math.sqrt(n * p * (1 - p)));
          check(n, Math.min(n, Math.max(0, i)), p);
        },
      ),
      { numRuns: 100 },
    );
  });
  it('does not need more accuracy than the last place near the mode of 10^15', () => {
    const { error } = logBinomialProbability(1e15, 5e14, exactProbability(0.5));
    expect(error).toBeLessThan(1e-13);
  });
});

describe('the binomial sum of excesses', () => {
  const truthOf = ({ trials, last, excess, step }: BinomialHockeyStick, p: number) =>
    sumOf(
      Array.from({ length: last + 1 }, (_, i) => {
        const height = precise(excess).plus(precise(step).times(last - i));
        return logBinomialByDecimals(trials, i, precise(p)).exp().times(oneMinusExp(height));
      }),
    );
  const cases = fc.record({
    trials: fc.integer({ min: 1, max: 60 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    p: anyProbability,
    excess: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
    step: fc.double({ min: -9, max: 2, noNaN: true }).map((x) => 10 ** x),
  });
  const build = ({
    trials,
    share,
    p,
    excess,
    step,
  }: {
    trials: number;
    share: number;
    p: number;
    excess: number;
    step: number;
  }): BinomialHockeyStick => ({
    trials,
    probability: exactProbability(p),
    last: Math.floor(share * trials),
    excess: excess * step,
    excessError: 0,
    step,
  });
  it('contains the sum of its definition and is narrow', () => {
    fc.assert(
      fc.property(cases, (drawn) => {
        const sum = build(drawn);
        const result = logBinomialHockeyStick(sum);
        const truth = ln(truthOf(sum, drawn.p));
        expect(holds(result, truth), `[${result.lower}, ${result.upper}] for ${truth.toString()}`).toBe(true);
        if (sum.excess > 1e-250 && result.lower > -500) expect(result.upper - result.lower).toBeLessThan(1e-11);
      }),
      { numRuns: 150 },
    );
  });
  it('contains the sum when the excess is off by its stated error', () => {
    fc.assert(
      fc.property(cases, fc.double({ min: -1, max: 1, noNaN: true }), (drawn, share) => {
        const sum = build(drawn);
        const excessError = 1e-6 * sum.step;
        const moved = { ...sum, excess: Math.max(0, sum.excess + share * excessError), excessError };
        expect(holds(logBinomialHockeyStick(moved), ln(truthOf(sum, drawn.p)))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a binomial window', () => {
  it('holds every weight to its stated error and states what it leaves out', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1500 }), anyProbability, (n, p) => {
        const window = binomialWindow(n, exactProbability(p));
        const { first, weights, relativeError, leak } = window;
        let inside = precise(0);
        weights.forEach((weight, m) => {
          if (m % 32 === 0) {
            const truth = logBinomialByDecimals(n, first + m, precise(p)).exp();
            const range = enclosure(weight * (1 - relativeError), weight * (1 + relativeError));
            expect(holds(range, truth), `n = ${n}, p = ${p}, i = ${first + m}`).toBe(true);
          }
          inside = inside.plus(precise(weight));
        });
        expect(inside.plus(precise(leak)).gte(ONE.minus(precise(relativeError)).minus(1e-15))).toBe(true);
        expect(leak).toBeLessThan(1e-20);
      }),
      { numRuns: 12 },
    );
  });
  it('ends where the probability underflows to 0', () => {
    expect(binomialWindow(1, { value: 0, complement: 1, error: 1e-12 })).toMatchObject({ first: 0, leak: 0 });
    expect(binomialWindow(5, { value: 1, complement: 0, error: 1e-12 }).weights).toEqual(new Float64Array([1]));
  });
});
