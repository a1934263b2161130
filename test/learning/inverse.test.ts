import { describe, expect, it } from 'vitest';
import { exactAccounting } from '../../src/learning/accounting/accounting.ts';
import { resampledMoment } from '../../src/learning/accounting/moment-bound.ts';
import { guaranteesOf } from '../../src/learning/accounting/resampling.ts';
import type { Measure } from '../../src/learning/core/setting.ts';
import { decimalFromDouble, encloseDecimal } from '../../src/numeric/decimal.ts';
import { exactly } from '../../src/numeric/enclosure.ts';
import { boundedRangeMoment, pureDpMoment } from '../../src/privacy/log-moment.ts';
import { someOf } from '../reference/share.ts';
import { d, MULTIPLICATIVE, near, setting } from './helpers.ts';

const convex = (beta: string): Measure => ({
  type: 'regularised-multiplicative-weights',
  beta: d(beta),
  lambda: d('0.7'),
  lipschitz: d(1),
  diameter: d(1),
});

describe('delta where epsilon(delta) ends', () => {
  for (const eta of someOf(['1e-4', '0.3', '5', '100'])) {
    it.each(['0', '1e-30', '1e-4', '0.2', '1'])(`is at most that delta: eta ${eta}, p %s`, (p) => {
      // Of many rounds with a jump in delta the tilt that suits one side of it does not reach the other.
      for (const rounds of someOf(p === '1e-30' ? [2, 5] : [2, 5, 100])) {
        const parameters = setting(rounds, 1, eta, p);
        for (const measure of [MULTIPLICATIVE, convex(eta)]) {
          for (const guarantee of guaranteesOf(measure, parameters.eta)) {
            const curve = exactAccounting(parameters, measure, guarantee);
            for (const delta of someOf(['0.3', '1e-5', '1e-12', '1e-40'], 3)) {
              const { upper } = curve.epsilon(d(delta));
              const found = curve.delta(decimalFromDouble(upper)).upper;
              expect(found, `${guarantee.kind}, T ${rounds}, delta ${delta}`).toBeLessThanOrEqual(
                Number(delta) * (1 + 1e-5),
              );
            }
          }
        }
      }
    });
  }
});

describe('the moment of a resampling', () => {
  const moment = pureDpMoment(exactly(1));

  it('is that of what is resampled where this is certain', () => {
    const certain = { rounds: 1, probability: exactly(1), complement: exactly(0) };
    expect(resampledMoment(certain, moment)).toBe(moment);
    const range = boundedRangeMoment(exactly(0.6));
    expect(resampledMoment(certain, range)(2000).upper).toBeLessThan(1200);
  });

  it.each(['0.5', '1e-9', '1e-30', '0.999999'])('neither overflows nor jumps: q = %s', (q) => {
    const part = {
      rounds: 1,
      probability: encloseDecimal(d(q)),
      complement: encloseDecimal(d(1).minus(q)),
    };
    const found = resampledMoment(part, moment);
    for (const lambda of [400, 499, 500, 501, 600, 709, 800, 1e4, 1e15]) {
      const expected = Math.log(Number(q)) + moment(lambda).upper;
      near(found(lambda).upper, expected, 1e-12);
      expect(found(lambda).lower).toBeLessThanOrEqual(found(lambda).upper);
      near(found(lambda).lower, expected, 1e-12);
    }
  });
});
