import { describe, expect, it } from 'vitest';
import { Decimal, encloseDecimal } from '../../src/numeric/decimal.ts';
import { exactly } from '../../src/numeric/enclosure.ts';
import { boundedRangeKl } from '../../src/privacy/bounded-range.ts';
import { finitePairMoment, finitePairRho } from '../../src/privacy/finite-pair-moment.ts';
import { discreteLaplaceKl, laplaceKl } from '../../src/privacy/laplace.ts';
import {
  boundedRangeMoment,
  discreteLaplaceMoment,
  laplaceMoment,
  zcdpMoment,
  type LogMoment,
} from '../../src/privacy/log-moment.ts';
import type { FinitePair } from '../../src/privacy/finite-pair.ts';
import { holds, precise } from '../reference/precise.ts';
import { fc } from '../reference/properties.ts';

const Wide = Decimal.clone({ precision: 80 });
const sizes = fc.double({ min: -7, max: 2, noNaN: true }).map((x) => 10 ** x);
const orders = fc.double({ min: -8, max: 5, noNaN: true }).map((x) => 10 ** x);

/** sum of p_i (p_i / q_i)^lambda over integers z, P at 0 and Q at s, by brute force in decimals. */
function summedMoment(scale: number, s: number, lambda: number): Decimal {
  const r = new Wide(-1).div(precise(scale)).exp();
  const c = new Wide(1).minus(r).div(new Wide(1).plus(r));
  const reach = Math.ceil(scale * 120);
  let sum = new Wide(0);
  for (let z = -reach; z <= s + reach; z++) {
    const loss = Math.abs(z - s) - Math.abs(z);
    sum = sum.plus(c.times(r.pow(Math.abs(z))).times(r.pow(precise(lambda).times(-loss))));
  }
  return precise(sum.ln());
}

describe('the expected loss of Laplace noise', () => {
  it('is e + e^-e - 1', () => {
    fc.assert(
      fc.property(sizes, (e) => {
        const x = new Wide(precise(e));
        const truth = precise(x.plus(x.negated().exp()).minus(1));
        const result = laplaceKl(exactly(e));
        expect(holds(result, truth), `e = ${e}`).toBe(true);
        expect(result.upper - result.lower).toBeLessThanOrEqual(2e-14 * result.upper);
      }),
    );
  });
  it.each([1e-320, 1e-300, 1e-155, 1e-20, 1e20, 1e300])('is found at the ends of doubles: %d', (e) => {
    for (const { lower, upper } of [laplaceKl(exactly(e)), discreteLaplaceKl(exactly(e), exactly(e))]) {
      expect(lower).toBeGreaterThanOrEqual(-1e-322);
      expect(upper).toBeGreaterThanOrEqual(Math.min((e * e) / 2, e - 1));
      expect(upper).toBeLessThanOrEqual(Math.max(1e-289, e * e * (1 + 1e-12)));
    }
  });
  it('is e - (r / sinh r)(1 - e^-e) where noise is discrete', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 1000 }), (rate, sensitivity) => {
        const [r, e] = [new Wide(precise(rate)), new Wide(precise(rate)).times(sensitivity)];
        const sinh = r.exp().minus(r.negated().exp()).div(2);
        const truth = e.minus(r.div(sinh).times(new Wide(1).minus(e.negated().exp())));
        const result = discreteLaplaceKl(encloseDecimal(new Decimal(e)), exactly(rate));
        expect(holds(result, precise(truth)), `rate ${rate} x ${sensitivity}`).toBe(true);
        expect(result.upper - result.lower).toBeLessThanOrEqual(1e-13 * result.upper);
      }),
    );
  });
});

describe('the log-moment of discrete Laplace noise', () => {
  it.each([
    [1, 1, 0.5],
    [1, 3, 2],
    [0.3, 2, 0.01],
    [2, 5, 7],
    [1.5, 4, 30],
  ])('is the sum over the integers: scale %f, sensitivity %f, lambda %f', (scale, sensitivity, lambda) => {
    const rate = encloseDecimal(new Decimal(new Wide(1).div(scale)));
    const e = encloseDecimal(new Decimal(new Wide(sensitivity).div(scale)));
    const { lower, upper } = discreteLaplaceMoment(e, rate)(lambda);
    const truth = summedMoment(scale, sensitivity, lambda).toNumber();
    expect(Math.abs(upper - truth)).toBeLessThan(1e-12 * truth);
    expect(Math.abs(lower - truth)).toBeLessThan(1e-12 * truth);
  });
});

describe('the divergence over its order is largest as the order tends to 1', () => {
  /** Where rounding is less than what tells them apart. */
  const never = (moment: LogMoment, rho: number, lambda: number): void => {
    expect(moment(lambda).lower).toBeLessThanOrEqual(zcdpMoment(exactly(rho))(lambda).upper * (1 + 1e-13));
  };
  const attained = (moment: LogMoment, rho: number): void => {
    const lambda = 1e-6;
    expect(moment(lambda).upper / lambda).toBeGreaterThan(rho * (1 - 1e-5) - 1e-9);
  };
  it('of Laplace noise', () => {
    fc.assert(
      fc.property(sizes, orders, (e, lambda) => {
        never(laplaceMoment(exactly(e)), laplaceKl(exactly(e)).upper, lambda);
        attained(laplaceMoment(exactly(e)), laplaceKl(exactly(e)).lower);
      }),
      { numRuns: 2000 },
    );
  });
  it('of discrete Laplace noise', () => {
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 50 }), orders, (rate, sensitivity, lambda) => {
        const e = encloseDecimal(new Decimal(new Wide(precise(rate)).times(sensitivity)));
        const rho = discreteLaplaceKl(e, exactly(rate));
        never(discreteLaplaceMoment(e, exactly(rate)), rho.upper, lambda);
        attained(discreteLaplaceMoment(e, exactly(rate)), rho.lower);
      }),
      { numRuns: 2000 },
    );
  });
  it('of bounded range', () => {
    fc.assert(
      fc.property(sizes, orders, (e, lambda) => {
        never(boundedRangeMoment(exactly(e)), boundedRangeKl(exactly(e)).upper, lambda);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the zCDP parameter of a finite pair', () => {
  const decimals = (values: readonly number[]): Decimal[] => {
    const whole = values.map((x) => new Decimal(Math.max(1, Math.round(x * 1e9))));
    const total = whole.reduce((sum, x) => sum.plus(x), new Decimal(0));
    const Down = Decimal.clone({ precision: 30, rounding: 1 });
    const parts = whole.slice(1).map((x) => new Decimal(new Down(x).div(total).toFixed(25)));
    return [new Decimal(1).minus(parts.reduce((sum, x) => sum.plus(x), new Decimal(0))), ...parts];
  };
  const distributions = fc
    .integer({ min: 2, max: 6 })
    .chain((n) =>
      fc.tuple(
        fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: n, maxLength: n }),
        fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: n, maxLength: n }),
      ),
    );

  /** max of ln sum p (p/q)^lambda / (lambda (1 + lambda)) on a fine grid, either direction. */
  function searched({ p, q }: FinitePair): number {
    const one = (a: readonly number[], b: readonly number[]): number => {
      let most = a.reduce((sum, x, i) => sum + x * Math.log(x / b[i]!), 0);
      for (let exponent = -3; exponent < 4; exponent += 0.01) {
        const lambda = 10 ** exponent;
        const moment = Math.log(a.reduce((sum, x, i) => sum + x * (x / b[i]!) ** lambda, 0));
        if (Number.isFinite(moment)) most = Math.max(most, moment / (lambda * (1 + lambda)));
      }
      return most;
    };
    const [a, b] = [p.map(Number), q.map(Number)];
    return Math.max(one(a, b), one(b, a));
  }

  it('is what a search over orders finds, and hardly more', () => {
    fc.assert(
      fc.property(distributions, ([a, b]) => {
        const pair = { p: decimals(a), q: decimals(b) };
        const { lower, upper } = finitePairRho(pair);
        const found = searched(pair);
        expect(upper).toBeGreaterThanOrEqual(found * (1 - 1e-9) - 1e-12);
        expect(lower).toBeLessThanOrEqual(found * (1 + 1e-4) + 1e-12);
        expect(upper - lower).toBeLessThanOrEqual(1e-9 * upper + 1e-13);
      }),
      { numRuns: 60 },
    );
  });
  it('is that of the moments at every order', () => {
    fc.assert(
      fc.property(distributions, orders, ([a, b], lambda) => {
        const pair = { p: decimals(a), q: decimals(b) };
        const moment = finitePairMoment(pair)(lambda);
        expect(moment.lower).toBeLessThanOrEqual(zcdpMoment(exactly(finitePairRho(pair).upper))(lambda).upper + 1e-14);
      }),
      { numRuns: 60 },
    );
  });
  it('is more than the expected loss of randomized response with many answers', () => {
    const others = Array.from({ length: 18 }, () => new Decimal('0.05'));
    const pair = {
      p: [new Decimal('0.08'), new Decimal('0.02'), ...others],
      q: [new Decimal('0.02'), new Decimal('0.08'), ...others],
    };
    const kl = 0.06 * Math.log(4);
    expect(finitePairRho(pair).lower).toBeGreaterThan(kl * 1.01);
  });
});
