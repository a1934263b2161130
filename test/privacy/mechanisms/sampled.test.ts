import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/numeric/decimal.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { isSampledBase, sampled as record, SAMPLED_BASES } from '../../../src/privacy/mechanisms/sampled.ts';
import {
  answer,
  atDelta,
  atEpsilon,
  boundedRange,
  discreteGaussian,
  discreteLaplace,
  dp,
  finitePair,
  gaussian,
  gdp,
  laplace,
  sampled,
  sampledMechanism,
} from '../../mechanisms.ts';
import { normalTailOf } from '../../reference/normal-tail.ts';
import { holds, ONE, precise } from '../../reference/precise.ts';
import { fc } from '../../reference/properties.ts';
import { shareOf } from '../../reference/share.ts';
import { EPSILONS } from '../sampling/sampled-gaussian-golden.ts';

const SYMMETRIC = finitePair(['0.6', '0.3', '0.1'], ['0.1', '0.3', '0.6'], { count: 2 });

const BASES: readonly Entry[] = [
  gaussian('0.9', { count: 2 }),
  gdp('0.7', { count: 2 }),
  laplace('1.5', { count: 2 }),
  discreteLaplace('2', 1, { count: 3 }),
  discreteGaussian('0.8', 1),
  dp('0.8', '0.001', { count: 3 }),
  SYMMETRIC,
];

const SCHEMES = ['poisson', 'without-replacement'] as const;
const each = BASES.flatMap((base) => SCHEMES.map((scheme) => ({ type: base.mechanism.type, scheme, base })));

const deltaOf = (entry: Entry, epsilon: number): { lower: number | null; upper: number } =>
  answer([entry], atEpsilon(epsilon), { tolerance: 1e-4, bounds: ['loss-distribution'] }).delta;

const covers = ({ lower, upper }: { lower: number | null; upper: number }, value: number, slack: number): boolean =>
  (lower ?? 0) <= value * (1 + slack) && upper >= value * (1 - slack);

describe('Gaussian noise on Poisson samples', () => {
  it.each(EPSILONS)('$count x rate $rate, sigma $sigma: the larger of both directions', (row) => {
    const entry = sampled(gaussian(row.sigma, { count: row.count }), row.rate);
    const { epsilon } = answer([entry], atDelta(row.delta), { tolerance: 1e-9 });
    const value = Math.max(row.remove, row.add);
    expect(covers(epsilon, value, 1e-11)).toBe(true);
    expect(epsilon.upper - epsilon.lower!).toBeLessThan(2e-9 * value);
  });

  it('the published value of 60 epochs over 60,000 examples, batches of 256', () => {
    const entry = sampled(gaussian('1.1', { count: 14063 }), ['256', '60000']);
    const { epsilon } = answer([entry], atDelta('1e-5'), { tolerance: 1e-9 });
    expect(epsilon.upper).toBeCloseTo(2.38168972615, 9);
  });

  it('rarely drawn, little noise, many steps', () => {
    const entry = sampled(gaussian('0.4', { count: 10_000 }), '1e-4');
    const { delta } = answer([entry], atEpsilon(4), { bounds: ['loss-distribution'] });
    expect(covers(delta, 1.168318006e-5, 1e-9)).toBe(true);
    expect(delta.upper).toBeLessThan(1.1684e-5);
  });

  it.each([
    ['0.4', 0.4],
    ['-0.2', -0.2],
  ])('one step in closed form, at epsilon %s', (text, epsilon) => {
    const [rate, sigma] = [precise('0.013'), precise('0.83')];
    const removed = (y: Decimal): Decimal => {
      const share = y.minus(1).plus(rate);
      if (!share.isPositive()) return ONE.minus(y);
      const x = sigma.times(sigma).times(share.div(rate).ln()).plus(0.5);
      const without = normalTailOf(x.div(sigma));
      const withIt = normalTailOf(x.minus(1).div(sigma));
      return ONE.minus(rate).minus(y).times(without).plus(rate.times(withIt));
    };
    const y = precise(text).exp();
    const added = ONE.minus(y).plus(y.times(removed(ONE.div(y))));
    const truth = Decimal.max(removed(y), added);
    const delta = deltaOf(sampled(gaussian('0.83'), '0.013'), epsilon);
    expect(holds(delta, truth)).toBe(true);
    expect(delta.upper - delta.lower!).toBeLessThan(1e-3 * truth.toNumber());
  });

  // Integrals over the first step's noise of the second's closed form, in 30 digits.
  it.each([
    [0.4, 5.70788034523827e-5],
    [0.015, 5.975111611650036e-3],
  ])('two steps against a double integral, at epsilon %d', (epsilon, value) => {
    const delta = deltaOf(sampled(gaussian('0.83', { count: 2 }), '0.013'), epsilon);
    expect(covers(delta, value, 1e-9)).toBe(true);
    expect(delta.upper - delta.lower!).toBeLessThan(1e-3 * value);
  });
});

describe('other mechanisms on Poisson samples', () => {
  it('randomized response: the exact rational value', () => {
    const entry = sampled(dp(1, 0, { count: 100 }), '0.1');
    const { epsilon } = answer([entry], atDelta('1e-6'), { tolerance: 1e-12 });
    expect(covers(epsilon, 5.29552041190028, 1e-14)).toBe(true);
    expect(epsilon.upper).toBeLessThan(5.29552041190028 * (1 + 1e-9));
  });

  it('close to the largest loss of what only the data without the record give, every digit counts', () => {
    const entry = sampled(finitePair([0, 1], ['0.348', '0.652'], { direction: 'fixed', count: 2 }), '0.007');
    const { epsilon } = answer([entry], atDelta('3.69793593e-10'), { tolerance: 1e-4 });
    // Both additions show it: (0.348)^2 (1 - e^(epsilon - 2 ln(1 / 0.993))).
    const shown = ONE.minus(precise(epsilon.upper).exp().times(precise('0.993').pow(2)));
    expect(shown.times(precise('0.348').pow(2)).lte('3.69793593e-10')).toBe(true);
  });

  it('Laplace noise at delta 0: every largest loss at once', () => {
    const entry = sampled(laplace('0.5', { count: 3 }), '0.2');
    const { epsilon } = answer([entry], atDelta(0));
    const value = 3 * Math.log1p(0.2 * Math.expm1(2));
    expect(covers(epsilon, value, 1e-15)).toBe(true);
    expect(epsilon.upper - value).toBeLessThan(1e-12);
  });
});

describe.each(each)('$type, $scheme', ({ base, scheme }) => {
  it('of every record is not sampled', () => {
    const [all, plain] = [deltaOf(sampled(base, 1, scheme), 0.5), row(base)];
    expect(all.upper).toBeGreaterThanOrEqual(plain.lower! * (1 - 1e-9));
    expect(all.lower ?? 0).toBeLessThanOrEqual(plain.upper);
    expect(all.upper).toBeLessThanOrEqual(plain.upper * 1.001);
  });

  it('of no record costs nothing', () => {
    const { epsilon } = answer([sampled(base, 0, scheme)], atDelta('1e-12'));
    expect(epsilon.upper).toBe(0);
    expect(deltaOf(sampled(base, 0, scheme), 0).upper).toBe(0);
  });
});

function row(base: Entry): { lower: number | null; upper: number } {
  const { delta } = answer([base], atEpsilon(0.5), { tolerance: 1e-4 });
  return { lower: delta.lower ?? 0, upper: delta.upper };
}

describe('a smaller rate', () => {
  it('never costs more', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...each),
        fc.integer({ min: 1, max: 99 }),
        fc.integer({ min: 1, max: 99 }),
        fc.double({ min: 0, max: 2, noNaN: true }),
        ({ base, scheme }, one, other, epsilon) => {
          const [less, more] = [Math.min(one, other), Math.max(one, other)];
          const at = (n: number) =>
            answer([sampled(base, [n, 100], scheme)], atEpsilon(epsilon), { tolerance: 1e-4 }).delta;
          const [small, large] = [at(less), at(more)];
          const whole = answer([base], atEpsilon(epsilon), { tolerance: 1e-4 }).delta.upper;
          expect(small.lower ?? 0).toBeLessThanOrEqual(large.upper);
          expect(small.upper).toBeLessThanOrEqual(large.upper * 1.01 + 1e-12);
          expect(large.upper).toBeLessThanOrEqual(whole * 1.01 + 1e-12);
        },
      ),
      { numRuns: shareOf(40, 4) },
    );
  });
});

describe('the record of mechanisms on samples', () => {
  it('knows which may be run on one', () => {
    expect(SAMPLED_BASES).toHaveLength(7);
    expect(isSampledBase(gaussian(1).mechanism)).toBe(true);
    expect(isSampledBase(boundedRange(1).mechanism)).toBe(false);
    expect(isSampledBase(sampledMechanism(gaussian(1), '0.5'))).toBe(false);
  });

  it('has the rho of the mechanism on all data, and none where samples may reveal', () => {
    expect(record.rho(sampledMechanism(gaussian('2'), '0.1')).upper).toBeCloseTo(0.125, 14);
    expect(record.rho(sampledMechanism(finitePair(['0.5', '0.5'], ['1', '0']), '0.1')).upper).toBe(Infinity);
  });

  it('varies the parameter of the mechanism, not the rate', () => {
    const mechanism = sampledMechanism(gaussian('2'), '0.1');
    const replaced = record.parameter(mechanism)!.replaced(new Decimal(3));
    expect(replaced).toMatchObject({ type: 'sampled', rate: mechanism.rate, of: { type: 'gaussian' } });
    expect(replaced).not.toEqual(mechanism);
  });

  it('is nothing where nothing is drawn or nothing is done', () => {
    expect(record.isZeroLoss(sampledMechanism(gaussian('2'), 0))).toBe(true);
    expect(record.isZeroLoss(sampledMechanism(dp(0, 0), '0.5'))).toBe(true);
    expect(record.isZeroLoss(sampledMechanism(gaussian('2'), '0.5'))).toBe(false);
  });
});
