import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import type { PlanNode } from '../../../src/composition/core/plan-node.ts';
import { groupFromCurve, deltaOfSteps, groupPrivacy } from '../../../src/composition/group-privacy/group-privacy.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import {
  answer,
  atDelta,
  atEpsilon,
  boundedRange,
  decimal,
  discreteLaplace,
  dp,
  finitePair,
  gaussian,
  laplace,
  sampled,
  zcdp,
} from '../../mechanisms.ts';
import { parallel } from '../../plans.ts';

const problem = <Node extends PlanNode>(...entries: readonly Node[]) => ({ entries, adaptivity: 'adaptive' as const });

describe('the delta of several steps', () => {
  it('is at least the sum, and hardly more', () => {
    const Exact = Decimal.clone({ precision: 200 });
    const numbers = fc.tuple(
      fc.double({ min: 0, max: 3, noNaN: true }),
      fc.double({ min: 1e-12, max: 1e-3, noNaN: true }),
      fc.integer({ min: 1, max: 40 }),
    );
    fc.assert(
      fc.property(numbers, ([epsilon, delta, steps]) => {
        let sum = new Exact(0);
        for (let i = 0; i < steps; i++) sum = sum.plus(new Exact(epsilon).times(i).exp().times(delta));
        const upper = deltaOfSteps(decimal(epsilon), decimal(delta), steps);
        const truth = Decimal.min(1, new Decimal(sum));
        expect(upper.gte(truth.times(decimal(1).minus('1e-150')))).toBe(true);
        expect(upper.lte(truth.times('1.0000000001'))).toBe(true);
      }),
    );
  });

  it('is 0 without a delta, and never above 1', () => {
    expect(deltaOfSteps(decimal(5), decimal(0), 1e15).toString()).toBe('0');
    expect(deltaOfSteps(decimal(5), decimal('1e-9'), 1e15).toString()).toBe('1');
    expect(deltaOfSteps(decimal(0), decimal('1e-9'), 1e6).toString()).toBe('0.001');
  });
});

/** sum_m Bin(m; a, q) N(m, 1) against sum_m Bin(m; b, q) N(-m, 1): delta at e^eps by the midpoint rule. */
function deltaOfRecords(q: number, [a, b]: readonly [number, number], epsilon: number): number {
  const density = (x: number, records: number, sign: number): number => {
    let [sum, weight] = [0, (1 - q) ** records];
    for (let m = 0; m <= records; m++) {
      sum += (weight * Math.exp(-((x - sign * m) ** 2) / 2)) / Math.sqrt(2 * Math.PI);
      weight *= ((records - m) / (m + 1)) * (q / (1 - q));
    }
    return sum;
  };
  const h = 1e-4;
  let delta = 0;
  for (let x = -15; x < 15; x += h) {
    delta += h * Math.max(0, density(x, a, 1) - Math.exp(epsilon) * density(x, b, -1));
  }
  return delta;
}

describe('group privacy', () => {
  it('of one Poisson sample is the most that records do, however many are added and removed', () => {
    for (const [rate, epsilon] of [
      ['0.1', '0.5'],
      ['0.6', '2'],
      ['0.9', '0.2'],
    ] as const) {
      const { claim } = groupPrivacy(problem(sampled(gaussian(1), rate)), atEpsilon(epsilon), 3);
      const splits = [0, 1, 2, 3].map((b) => deltaOfRecords(Number(rate), [3 - b, b], Number(epsilon)));
      expect(claim!.upper / Math.max(...splits)).toBeCloseTo(1, 6);
    }
  });

  it('of Poisson samples is below that of step by step', () => {
    const steps = sampled(gaussian(1, { count: 1000 }), '0.01');
    const { claim, method } = groupPrivacy(problem(steps), atDelta('1e-5'), 5);
    expect(method).toBe('mechanisms');
    expect(claim!.upper).toBeCloseTo(11.637974387, 8);
    expect(groupFromCurve(problem(steps), atDelta('1e-5'), 5)!.toNumber()).toBeGreaterThan(18);
  });

  it('is k epsilon where there is no delta', () => {
    expect(groupPrivacy(problem(dp('0.1', 0, { count: 3 })), atDelta(0), 4).claim).toMatchObject({ exact: '1.2' });
  });

  it('is the guarantee itself at distance 1', () => {
    for (const nodes of [[dp('0.1', '1e-8', { count: 10 })], [gaussian(3)], [boundedRange('0.2', { count: 5 })]]) {
      const { upper } = answer(nodes, atDelta('1e-6')).epsilon;
      const { claim } = groupPrivacy(problem(...nodes), atDelta('1e-6'), 1);
      expect(claim!.upper).toBeGreaterThanOrEqual(upper * (1 - 1e-3));
      expect(claim!.upper).toBeLessThanOrEqual(upper * (1 + 1e-9));
    }
  });

  it('is noise of k times the sensitivity', () => {
    const { claim, method } = groupPrivacy(problem(gaussian(10)), atDelta('1e-6'), 5);
    expect(method).toBe('mechanisms');
    expect(claim!.upper).toBe(answer([gaussian(2)], atDelta('1e-6')).epsilon.upper);
  });

  it('holds step by step: the claim of the curve is one, at either question', () => {
    const epsilons = fc.double({ min: 0.02, max: 0.5, noNaN: true });
    fc.assert(
      fc.property(epsilons, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 2, max: 5 }), (e, count, k) => {
        const whole = problem(dp(e, '1e-9', { count }));
        const epsilon = groupFromCurve(whole, atDelta('1e-5'), k);
        if (epsilon === null) return;
        const delta = groupFromCurve(whole, atEpsilon(epsilon.toString()), k);
        expect(delta!.lte('1e-5')).toBe(true);
        // The sum over the steps is at least their number.
        const { lower } = answer(whole.entries, atDelta(1e-5 / k)).epsilon;
        expect(epsilon.toNumber()).toBeGreaterThanOrEqual(k * (lower ?? 0) * (1 - 1e-9));
      }),
      { numRuns: 15 },
    );
  });

  it('is never below what data at that distance really differ by', () => {
    // k steps of Laplace and Gaussian noise differ by k sensitivities; of zCDP, the Gaussian attains it.
    for (const k of [3]) {
      const pairs: [Entry, Entry][] = [
        [laplace(10), laplace(10, {}, k)],
        [discreteLaplace(10, 1), discreteLaplace(10, k)],
        [dp('0.1'), dp(decimal('0.1').times(k).toString())],
        [zcdp('0.005'), gaussian(decimal(10).div(k).toString())],
      ];
      for (const [each, apart] of pairs) {
        const { lower } = answer([apart], atDelta('1e-6')).epsilon;
        for (const claim of [
          groupPrivacy(problem(each), atDelta('1e-6'), k).claim!.upper,
          groupFromCurve(problem(each), atDelta('1e-6'), k)!.toNumber(),
        ]) {
          expect(claim).toBeGreaterThanOrEqual((lower ?? 0) * (1 - 1e-12));
        }
      }
    }
  });

  it('comes from the curve alone where mechanisms tell nothing of it', () => {
    const pair = finitePair(['0.9', '0.1'], ['0.1', '0.9']);
    expect(groupPrivacy(problem(pair), atDelta('1e-6'), 2).method).toBe('curve');
    const continual = parallel(1, dp('0.1', '1e-9', { kind: 'continual' }), { instances: 3 });
    expect(groupPrivacy(problem(continual), atDelta('1e-6'), 2)).toMatchObject({ method: 'curve' });
    expect(groupPrivacy(problem(continual), atDelta('1e-6'), 2).claim!.upper).toBeGreaterThan(0.19);
  });

  it('claims nothing where nothing is promised', () => {
    expect(groupPrivacy(problem(dp(1, '0.1', { count: 3 })), atDelta('1e-6'), 2).claim).toBeNull();
    expect(groupPrivacy(problem(dp(1, '0.1', { count: 3 })), atEpsilon(1), 1e6).claim).toBeNull();
  });
});
