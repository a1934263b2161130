import { describe, expect, it } from 'vitest';
import { pureKl } from '../../src/privacy/pure.ts';
import { Decimal, encloseDecimal } from '../../src/numeric/decimal.ts';
import { exactly } from '../../src/numeric/enclosure.ts';
import { boundedRangeKl } from '../../src/privacy/bounded-range.ts';
import { boundedRangeMoment, pureDpMoment, rdpMoment, squaredRatio, zcdpMoment } from '../../src/privacy/log-moment.ts';
import { searchedLogMoment } from '../reference/bounded-range.ts';
import { ONE, holds, precise } from '../reference/precise.ts';
import { fc } from '../reference/properties.ts';

const parameters = fc.oneof(
  fc.double({ min: -9, max: 2, noNaN: true }).map((x) => 10 ** x),
  fc.constantFrom(0.25, 0.2499999, 1, 50, 800, 1e100),
);
const orders = fc.double({ min: -6, max: 5, noNaN: true }).map((x) => 10 ** x);

describe('the largest expected loss of bounded range', () => {
  it('is b - 1 - ln b, b = e / (1 - e^-e)', () => {
    fc.assert(
      fc.property(parameters, (e) => {
        const Wide = Decimal.clone({ precision: 100 });
        const x = new Wide(precise(e));
        const b = x.div(new Wide(1).minus(x.negated().exp()));
        const truth = precise(b.minus(1).minus(b.ln()));
        const result = boundedRangeKl(exactly(e));
        expect(holds(result, truth), `e = ${e}: [${result.lower}, ${result.upper}] for ${truth.toString()}`).toBe(true);
        expect(result.upper - result.lower).toBeLessThanOrEqual(1e-11 * result.upper);
      }),
      { numRuns: 200 },
    );
  });
  it('is below e^2 / 8 and below e', () => {
    fc.assert(
      fc.property(parameters, (e) => {
        expect(boundedRangeKl(exactly(e)).lower).toBeLessThanOrEqual(Math.min(e, (e * e) / 8) * (1 + 1e-12));
      }),
    );
  });
});

describe('the log-moment of bounded range', () => {
  it('is the supremum found by a dense search over t', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -3, max: 1.2, noNaN: true }),
        fc.double({ min: -2, max: 2, noNaN: true }),
        (size, order) => {
          const [e, lambda] = [(10 ** size).toPrecision(6), 10 ** order];
          const { lower, upper } = boundedRangeMoment(encloseDecimal(new Decimal(e)))(lambda);
          const found = searchedLogMoment(e, lambda);
          expect(precise(upper).gte(found), `e = ${e}, lambda = ${lambda}: ${upper} for ${found.toString()}`).toBe(
            true,
          );
          const slack = found.times(1e-10).plus(1e-15);
          expect(precise(lower).lte(found.plus(slack))).toBe(true);
          expect(precise(upper).lte(found.plus(slack).plus(2e-14 * (1 + lambda)))).toBe(true);
        },
      ),
      { numRuns: 15 },
    );
  });
  it('is at most that of (e, 0)-DP and of e^2/8-zCDP', () => {
    fc.assert(
      fc.property(parameters, orders, (e, lambda) => {
        const { lower } = boundedRangeMoment(exactly(e))(lambda);
        expect(lower).toBeLessThanOrEqual(pureDpMoment(exactly(e))(lambda).upper);
        expect(lower).toBeLessThanOrEqual(zcdpMoment(exactly((e * e * (1 + 1e-15)) / 8))(lambda).upper);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the log-moment of (e, 0)-DP', () => {
  it('is that of randomized response', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 30, noNaN: true }), orders, (e, lambda) => {
        const [x, l] = [precise(e), precise(lambda)];
        const plus = ONE.div(ONE.plus(x.negated().exp()));
        const truth = plus
          .times(l.times(x).exp())
          .plus(ONE.minus(plus).times(l.times(x).negated().exp()))
          .ln();
        expect(holds(pureDpMoment(exactly(e))(lambda), truth.plus(l.times(0)))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
  it('is at most lambda (1 + lambda) e tanh(e/2): the derived zCDP parameter', () => {
    fc.assert(
      fc.property(fc.double({ min: -5, max: 3, noNaN: true }), orders, (size, lambda) => {
        const e = exactly(10 ** size);
        expect(pureDpMoment(e)(lambda).lower).toBeLessThanOrEqual(zcdpMoment(pureKl(e))(lambda).upper);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the log-moment of Renyi guarantees', () => {
  const order = (alpha: string, epsilon: string) => ({ alpha: new Decimal(alpha), epsilon: new Decimal(epsilon) });
  it('uses the best order at or above, and none beyond the last', () => {
    const moment = rdpMoment([order('2', '0.5'), order('4', '0.4'), order('8', '3')]);
    expect(moment(1).upper).toBeCloseTo(0.4, 12);
    expect(moment(3).upper).toBeCloseTo(1.2, 12);
    expect(moment(3.0001).upper).toBeCloseTo(9.0003, 12);
    expect(moment(7.0001).upper).toBe(Infinity);
  });
});

describe('the squared ratio of sensitivity and noise', () => {
  it.each([
    ['1', '3'],
    ['1e-300', '1e300'],
    ['1e300', '1e-300'],
    ['0', '7'],
  ])('(%s / %s)^2 is enclosed', (s, sigma) => {
    expect(holds(squaredRatio(new Decimal(s), new Decimal(sigma)), precise(s).div(sigma).pow(2))).toBe(true);
  });
});
