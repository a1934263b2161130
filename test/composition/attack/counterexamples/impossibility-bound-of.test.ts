import { describe, expect, test } from 'vitest';
import {
  fewestInstancesBeyond,
  gatedBound,
  gatesOf,
  renyiOfOne,
  revealedByOne,
} from '../../../../src/composition/attack/counterexamples/counterexamples.ts';
import { asUpper } from '../../../../src/numeric/enclosure.ts';
import { atDelta, atEpsilon, decimal, dp, gaussian, gdp, rdp, zcdp } from '../../../mechanisms.ts';
import { claim, parallel, planAnswer } from '../../../plans.ts';
import { fc } from '../../../reference/properties.ts';

const RUNS = { numRuns: 200, seed: 7 };
const continual = { kind: 'continual' } as const;

/** The delta at an epsilon of a mechanism that is silent but with probability p, and then answers by RR(e). */
const gatedDelta = ({ p, odds }: { p: number; odds: number }, epsilon: number): number =>
  Math.max(0, (p * (odds - Math.exp(epsilon))) / (1 + odds));

describe('a mechanism behind a gate', () => {
  const parameters = fc.double({ min: 1e-3, max: 12, noNaN: true });

  test('stays within zCDP at every order', () => {
    const orders = fc.double({ min: 1.0001, max: 400, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom('0.001', '0.02', '0.5', '3'), parameters, orders, (rho, e, alpha) => {
        const gate = gatesOf(zcdp(rho).mechanism)?.(e);
        const [p, q] = [gate?.p ?? NaN, 1 / (1 + Math.exp(-e))];
        // ln of E[(P/Q)^alpha], scaled by its largest term so that it does not overflow.
        const top = (alpha - 1) * e;
        const divergence = q * (1 + Math.exp((1 - 2 * alpha) * e));
        const scaled = (1 - p) * Math.exp(-top) + p * divergence;
        expect(Math.log(scaled) + top).toBeLessThanOrEqual((alpha - 1) * alpha * Number(rho) * (1 + 1e-9) + 1e-12);
      }),
      RUNS,
    );
  });

  test('stays within Renyi DP at its order', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<[number, string]>([2, '0.1'], [8, '0.5'], [1.5, '2']),
        parameters,
        ([alpha, r], e) => {
          const gate = gatesOf(rdp([[alpha, r]]).mechanism)?.(e);
          const [p, q] = [gate?.p ?? NaN, 1 / (1 + Math.exp(-e))];
          const divergence = q * Math.exp((alpha - 1) * e) + (1 - q) * Math.exp(-(alpha - 1) * e);
          expect(1 - p + p * divergence).toBeLessThanOrEqual(Math.exp((alpha - 1) * Number(r)) * (1 + 1e-12));
        },
      ),
      RUNS,
    );
  });

  test('stays within the curve of Gaussian noise at every epsilon', () => {
    const mus = fc.constantFrom('0.1', '0.7', '2');
    const epsilons = fc.double({ min: 0, max: 8, noNaN: true });
    fc.assert(
      fc.property(mus, fc.double({ min: 1e-3, max: 6, noNaN: true }), epsilons, (mu, parameter, epsilon) => {
        const gate = gatesOf(gdp(mu).mechanism)?.(parameter);
        const delta = claim(planAnswer([gdp(mu)], atEpsilon(epsilon), { bounds: ['gaussian'] }));
        const own = gatedDelta({ p: gate?.p ?? NaN, odds: gate?.odds.lower ?? NaN }, epsilon);
        expect(own).toBeLessThanOrEqual(delta * (1 + 1e-12));
      }),
      RUNS,
    );
  });
});

describe('what no claim can go below', () => {
  test('lies below what is claimed of as many instances', () => {
    const count = fc.integer({ min: 1, max: 300 });
    const entries = fc.constantFrom(
      gdp('0.3', continual),
      gaussian(4, continual),
      zcdp('0.02', continual),
      rdp([[8, '0.2']], continual),
    );
    fc.assert(
      fc.property(entries, count, fc.constantFrom(atDelta('1e-3'), atEpsilon('0.2')), (each, instances, query) => {
        const floor = gatedBound(each.mechanism, instances, query);
        expect(floor).not.toBeNull();
        expect(floor).toBeLessThanOrEqual(claim(planAnswer([parallel(1, each, { instances })], query)));
      }),
      { ...RUNS, numRuns: 30 },
    );
  });

  test('is attained by approximate instances', () => {
    fc.assert(
      fc.property(fc.constantFrom('1e-6', '0.01', '0.3'), fc.integer({ min: 1, max: 1000 }), (delta, instances) => {
        const plan = [parallel(1, dp(0, delta, continual), { instances })];
        const answer = planAnswer(plan, atEpsilon(3));
        expect(answer.delta.lower).toBe(revealedByOne(decimal(delta), instances));
        expect(answer.tight).toBe(true);
      }),
      RUNS,
    );
  });

  test('grows with the number of instances to its limit', () => {
    for (const query of [atDelta('1e-3'), atEpsilon('0.2')]) {
      const floors = [1, 1e3, 1e6, 1e12].map((instances) =>
        Number(gatedBound(zcdp('0.01').mechanism, instances, query)),
      );
      expect(floors).toEqual([...floors].sort((a, b) => a - b));
    }
    expect(gatedBound(zcdp('0.01').mechanism, 1e15, atEpsilon('0.2'))).toBeGreaterThan(0.4);
    expect(renyiOfOne(decimal(2), decimal('0.1'), 1e15)).toBeGreaterThan(30);
  });

  test('is nothing where the guarantee is nothing', () => {
    expect(renyiOfOne(decimal(2), decimal(0), 1e6)).toBeLessThan(1e-300);
    expect(fewestInstancesBeyond(decimal('0.5'), decimal(0))).toBe(Infinity);
    expect(revealedByOne(decimal(0), 1e6)).toBe(asUpper(0));
  });
});
