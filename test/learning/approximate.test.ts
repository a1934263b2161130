import { describe, expect, it } from 'vitest';
import { exactAccounting } from '../../src/learning/accounting/accounting.ts';
import { approximateDelta, type ApproximateStep } from '../../src/learning/accounting/approximate-accounting.ts';
import { approximateGaussianDelta } from '../../src/learning/accounting/approximate-moments.ts';
import { keepProbability } from '../../src/learning/accounting/first-flag.ts';
import { guaranteesOf, type ResamplingGuarantee } from '../../src/learning/accounting/resampling.ts';
import { fakeSwitchOf, transitions, type L2pSetting, type Measure } from '../../src/learning/core/setting.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { exactly, midpoint } from '../../src/numeric/enclosure.ts';
import { gaussianLogDelta } from '../../src/privacy/gaussian.ts';
import { fc } from '../reference/properties.ts';
import { shareOf } from '../reference/share.ts';
import { d, MULTIPLICATIVE, near, scaled } from './helpers.ts';

const stepOf = (guarantee: ResamplingGuarantee): ApproximateStep =>
  guarantee.kind === 'gaussian'
    ? { kind: 'gaussian', muSquared: midpoint(guarantee.muSquared) }
    : { kind: guarantee.kind, epsilon: guarantee.epsilon.toNumber() };

/** At an epsilon above 0 where exact accounting has about this delta, if there is one: both deltas. */
function both(parameters: L2pSetting, measure: Measure, delta: Decimal) {
  const { logMost, logLeast, change } = keepProbability(parameters, measure);
  return guaranteesOf(measure, parameters.eta).flatMap((guarantee) => {
    const curve = exactAccounting(parameters, measure, guarantee, 'upper');
    const epsilon = new Decimal(curve.epsilon(delta).upper).toSignificantDigits(6);
    if (!epsilon.isFinite() || epsilon.isZero()) return [];
    const exact: number = curve.delta(epsilon).upper;
    // Six digits of the largest loss may be above it.
    if (delta.times('1e-3').gt(exact)) return [];
    const run = {
      transitions: transitions(parameters),
      fakeSwitch: fakeSwitchOf(parameters).toNumber(),
      logMost: midpoint(logMost),
      logLeast: midpoint(logLeast),
      change: midpoint(change),
      step: stepOf(guarantee),
    };
    return [[approximateDelta(run, epsilon.toNumber()), exact] as const];
  });
}

const runs = fc.record({
  rounds: fc.integer({ min: 2, max: 100_000 }),
  batches: fc.integer({ min: 2, max: 1000 }),
  fakeSwitch: fc.oneof(fc.constant(d(0)), scaled(1e-5, 0.99)),
  delta: scaled(1e-10, 0.1),
});

const settingOf = (rounds: number, batches: number, eta: Decimal, fakeSwitch: Decimal): L2pSetting => ({
  rounds,
  batch: Math.ceil(rounds / Math.min(rounds, batches)),
  eta,
  fakeSwitch,
});

describe('accounting in doubles', () => {
  it('is about exact accounting of experts, to the width of what counts are told apart', () => {
    let compared = 0;
    fc.assert(
      fc.property(runs, scaled(1e-5, 3), ({ rounds, batches, fakeSwitch, delta }, eta) => {
        for (const [about, exact] of both(settingOf(rounds, batches, eta, fakeSwitch), MULTIPLICATIVE, delta)) {
          near(about, exact, 0.2);
          compared++;
        }
      }),
      { seed: 71, numRuns: 40 },
    );
    expect(compared).toBeGreaterThan(shareOf(40));
  });

  it('is about exact accounting of convex losses, to the width of what counts are told apart', () => {
    let compared = 0;
    fc.assert(
      fc.property(
        runs,
        scaled(1e-5, 3),
        scaled(1e-3, 1.99),
        scaled(1e-2, 1e6),
        ({ rounds, batches, fakeSwitch, delta }, eta, share, lambda) => {
          const one = d(1);
          const measure: Measure = {
            type: 'regularised-multiplicative-weights',
            beta: eta.times(share),
            lambda,
            lipschitz: one,
            diameter: one,
          };
          for (const [about, exact] of both(settingOf(rounds, batches, eta, fakeSwitch), measure, delta)) {
            near(about, exact, 0.2);
            compared++;
          }
        },
      ),
      { seed: 72, numRuns: 60 },
    );
    expect(compared).toBeGreaterThan(shareOf(60) / 2);
  });

  it('sees a first flag that nearly uses up epsilon by itself', () => {
    const measure: Measure = {
      type: 'regularised-multiplicative-weights',
      beta: d('0.00035'),
      lambda: d(103_300),
      lipschitz: d(1),
      diameter: d(1),
    };
    const found = both(settingOf(45_010, 22_505, d('0.001044'), d('0.000784')), measure, d('1.8e-8'));
    expect(found).toHaveLength(1);
    for (const [about, exact] of found) near(about, exact, 0.2);
  });

  it('has the delta of one Gaussian', () => {
    fc.assert(
      fc.property(scaled(1e-6, 20), fc.double({ min: 0, max: 12, noNaN: true }), (size, share) => {
        const mu = size.toNumber();
        const epsilon = share * mu;
        const { lower, upper } = gaussianLogDelta(exactly(mu), exactly(epsilon));
        near(approximateGaussianDelta(mu, epsilon), Math.exp((lower + upper) / 2), 1e-8);
      }),
      { seed: 73, numRuns: 300 },
    );
  });
});
