import { describe, expect, it } from 'vitest';
import { testsOf } from '../../../src/bounds/selection/lower-end.ts';
import { oneRun } from '../../../src/bounds/selection/run-profile.ts';
import { decimalFromDouble, type Decimal } from '../../../src/numeric/decimal.ts';
import { exactly } from '../../../src/numeric/enclosure.ts';
import type { Entry, RunLaw, RunMechanism } from '../../../src/privacy/mechanism.ts';
import { runCount } from '../../../src/privacy/selection/run-law.ts';
import { answer, atDelta, decimal, dp, finitePair, gaussian, gdp, sampled, selection, zcdp } from '../../mechanisms.ts';
import { normalTailOf } from '../../reference/normal-tail.ts';
import { holds, ln, ONE, precise } from '../../reference/precise.ts';
import { LAWS } from './selection-orders.ts';

const law = (text: 'poisson' | 'geometric' | 'logarithmic' | 'half' | 'fixed'): RunLaw => {
  const shaped = (shape: string, gamma: string): RunLaw => ({
    law: 'negative-binomial',
    shape: decimal(shape),
    gamma: decimal(gamma),
  });
  switch (text) {
    case 'poisson':
      return { law: 'poisson', mean: decimal(20) };
    case 'geometric':
      return shaped('1', '0.1');
    case 'logarithmic':
      return shaped('0', '0.01');
    case 'half':
      return shaped('0.5', '0.02');
    case 'fixed':
      return { law: 'fixed', count: decimal(20) };
  }
};

const testsFor = (base: Entry) => {
  const mechanism = { type: 'selection', of: [base as Entry<RunMechanism>], runs: law('geometric') } as const;
  const run = oneRun(mechanism, { adaptivity: 'adaptive', order: 'any' }, { exhausted: () => false });
  return testsOf(run!.profiles.remove, run!.profiles.add);
};

describe('tests of one run', () => {
  it('of few outcomes are no likelier under P than those that take outcomes by their ratios', () => {
    // In the order of P / Q: the corners are (0, 0), (0.1, 0.4), (0.4, 0.75), (1, 1).
    const corners = [
      [0, 0],
      [0.1, 0.4],
      [0.4, 0.75],
      [1, 1],
    ].map((corner) => corner.map(precise)) as [Decimal, Decimal][];
    const most = (q: Decimal): Decimal => {
      const i = corners.findIndex(([to]) => to.gte(q));
      const [[a, b], [c, d]] = [corners[i - 1]!, corners[i]!];
      return b.plus(d.minus(b).times(q.minus(a)).div(c.minus(a)));
    };
    const tests = testsFor(finitePair(['0.4', '0.35', '0.25'], ['0.1', '0.3', '0.6'], { direction: 'fixed' }));
    expect(tests.length).toBeGreaterThan(200);
    for (const { q, p } of tests) {
      const truth = most(precise(decimalFromDouble(q)));
      expect(truth.gte(decimalFromDouble(p)), String(q)).toBe(true);
      expect(truth.times(0.995).lte(decimalFromDouble(p)), String(q)).toBe(true);
    }
  });

  it('of Gaussian noise are no likelier than its largest losses', () => {
    const tests = testsFor(gdp('0.5')).filter((_, i) => i % 40 === 0);
    for (const { q, p } of tests.filter(({ q: size }) => size > 1e-15 && size < 1)) {
      let [low, high] = [-9, 9];
      for (let i = 0; i < 45; i++) {
        const middle = (low + high) / 2;
        if (normalTailOf(middle).gte(q)) low = middle;
        else high = middle;
      }
      // A threshold at which the probability under Q is at least q.
      expect(normalTailOf(low - 0.5).gte(decimalFromDouble(p)), String(q)).toBe(true);
      expect(
        normalTailOf(low - 0.5)
          .times(0.99)
          .lte(decimalFromDouble(p)),
        String(q),
      ).toBe(true);
    }
  });
});

/** E[x^K] at 60 digits. */
function generating(runs: RunLaw): (x: Decimal) => Decimal {
  switch (runs.law) {
    case 'poisson':
      return (x) => precise(runs.mean).times(x.minus(1)).exp();
    case 'fixed':
      return (x) => x.pow(runs.count.toNumber());
    case 'binomial':
      return (x) => ONE.plus(precise(runs.rate).times(x.minus(1))).pow(runs.trials.toNumber());
    case 'negative-binomial': {
      if (!('gamma' in runs)) throw new Error('only by gamma');
      const [shape, gamma] = [precise(runs.shape), precise(runs.gamma)];
      const u = (x: Decimal): Decimal => ONE.minus(ONE.minus(gamma).times(x));
      return shape.isZero()
        ? (x) => ln(u(x)).div(ln(gamma))
        : (x) => u(x).pow(shape.negated()).minus(1).div(gamma.pow(shape.negated()).minus(1));
    }
  }
}

describe('the gain of a law of runs', () => {
  it.each(LAWS.map((runs) => [JSON.stringify(runs), runs] as const))('%s encloses f(a) - f(a - d)', (_, runs) => {
    const f = generating(runs);
    for (const a of [1, 1 - 2 ** -30, 0.75, 0.3, 2 ** -20]) {
      for (const share of [1, 0.5, 2 ** -10, 2 ** -40]) {
        const [top, part] = [precise(decimalFromDouble(a)), precise(decimalFromDouble(a * share))];
        const gain = runCount(runs).gain(exactly(a), exactly(a * share));
        const truth = f(top).minus(f(top.minus(part)));
        expect(holds(gain, truth), `${a} ${share}`).toBe(true);
        expect(gain.upper - gain.lower).toBeLessThanOrEqual(1e-11 * gain.upper + Number.MIN_VALUE);
      }
    }
  });
});

describe('the lower bound of a selection', () => {
  // Orders of a fine grid of outcomes that another program found, in double precision.
  it.each([
    ['0.25', 'poisson', 2.5426],
    ['0.25', 'geometric', 1.4212],
    ['0.25', 'logarithmic', 1.4605],
    ['0.25', 'half', 1.5595],
    ['0.5', 'geometric', 2.9955],
    ['1', 'poisson', 11.4342],
    ['1', 'fixed', 20.09],
  ] as const)('of Gaussian noise of mu %s, %s: is what an order of outputs has', (mu, runs, least) => {
    const { lower, upper } = answer([selection([gdp(mu)], law(runs))], atDelta('1e-5')).epsilon;
    expect(lower).toBeGreaterThan(least * (1 - 1e-4));
    expect(lower).toBeLessThan(upper);
  });

  it('of 20 trainings is far above the privacy loss of one', () => {
    const training = { ...sampled(gaussian('1.1'), [256, 60000]), count: 3516 };
    const { lower } = answer([selection([training], law('fixed'))], atDelta('1e-5'), { claimOnly: true }).epsilon;
    expect(lower).toBeGreaterThan(4.06);
  });

  it('of pure runs is the upper bound', () => {
    for (const runs of LAWS) {
      const { lower, upper } = answer([selection([dp('0.7')], runs)], atDelta(0)).epsilon;
      expect(lower).toBeLessThanOrEqual(upper);
      expect(lower).toBeGreaterThan(upper * (1 - 1e-9));
    }
  });

  it('is unknown where no pair of distributions is known that runs have', () => {
    for (const base of [zcdp('0.1'), sampled(gaussian(1), '0.1', 'without-replacement')]) {
      expect(answer([selection([base], law('geometric'))], atDelta('1e-5')).epsilon.lower).toBeNull();
    }
  });
});
