import { describe, expect, it } from 'vitest';
import { exactAccounting, revealingChance } from '../../../src/learning/accounting/accounting.ts';
import { audit, auditNotes } from '../../../src/learning/accounting/audit.ts';
import { firstFlag, keepProbability } from '../../../src/learning/accounting/first-flag.ts';
import { guaranteesOf } from '../../../src/learning/accounting/resampling.ts';
import { shareOf, type L2pSetting, type Measure } from '../../../src/learning/core/setting.ts';
import { covers, theorem32 } from '../../../src/learning/theorems/theorem-3-2.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { fc } from '../../reference/properties.ts';
import { shareOf as shareOfCases } from '../../reference/share.ts';
import { d, input, MULTIPLICATIVE, near, scaled, setting } from '../helpers.ts';

const ANY: Measure = { type: 'any' };

const convex = (beta: string, lambda: string, lipschitz = '1', diameter = '1'): Measure => ({
  type: 'regularised-multiplicative-weights',
  beta: d(beta),
  lambda: d(lambda),
  lipschitz: d(lipschitz),
  diameter: d(diameter),
});

const deltas = (parameters: L2pSetting, measure: Measure, epsilon: Decimal): number[] =>
  guaranteesOf(measure, parameters.eta).map(
    (guarantee) => exactAccounting(parameters, measure, guarantee).delta(epsilon).upper,
  );

/** Every combination of outcomes of independent pairs of distributions. */
function deltaOfProduct(pairs: readonly (readonly (readonly [p: number, q: number])[])[], epsilon: number): number {
  const all = pairs.reduce<readonly (readonly [number, number])[]>(
    (so, pair) => so.flatMap(([p, q]) => pair.map(([r, s]) => [p * r, q * s] as const)),
    [[1, 1]],
  );
  return all.reduce((sum, [p, q]) => sum + Math.max(0, p - Math.exp(epsilon) * q), 0);
}

/** A randomized response with a chance, else nothing, told apart. */
const response = (chance: number, epsilon: number): (readonly [number, number])[] => {
  const [high, low] = [chance / (1 + Math.exp(-epsilon)), chance / (1 + Math.exp(epsilon))];
  return [
    [high, low],
    [low, high],
    [1 - chance, 1 - chance],
  ];
};

describe('exact accounting', () => {
  it('with randomized responses is the composition of flag and resamplings, listed in full', () => {
    fc.assert(
      fc.property(
        scaled(1e-3, 1),
        scaled(1e-3, 0.99),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 4 }),
        fc.double({ min: 0, max: 2, noNaN: true }),
        (eta, p, batch, steps, share) => {
          const parameters = { rounds: batch * steps + 1, batch, eta, fakeSwitch: p };
          const [e, fake] = [eta.toNumber(), p.toNumber()];
          const keep = (1 - fake) * Math.exp(-batch * e);
          const [kept, less] = [keep, keep * Math.exp(-2 * e)];
          const forward = [
            [1 - less, 1 - kept],
            [less, kept],
          ] as const;
          const backward = forward.map(([a, b]) => [b, a] as const);
          const resampled = [
            response(1, 2 * e),
            ...Array.from({ length: steps - 1 }, () => response(1 - (1 - fake) * Math.exp(-3 * batch * e), 2 * e)),
            ...Array.from({ length: steps }, () => response(fake, 2 * e)),
          ];
          const epsilon = d((share * (Math.log((1 - less) / (1 - kept)) + 2 * e)).toPrecision(5));
          const listed = [forward, backward].map((flag) => deltaOfProduct([flag, ...resampled], epsilon.toNumber()));
          const [guarantee] = guaranteesOf(MULTIPLICATIVE, eta);
          const found = exactAccounting(parameters, MULTIPLICATIVE, guarantee!).delta(epsilon);
          const truth = Math.max(...listed);
          expect(found.upper).toBeGreaterThanOrEqual(truth * (1 - 1e-12) - 1e-16);
          expect(found.lower).toBeLessThanOrEqual(truth * (1 + 1e-12) + 1e-16);
          expect(found.upper).toBeLessThanOrEqual(truth * (1 + 1e-8) + 1e-14);
        },
      ),
      { seed: 11, numRuns: 60 },
    );
  });

  it('is never worse with what is known more', () => {
    fc.assert(
      fc.property(
        scaled(1e-6, 0.1),
        scaled(1e-4, 0.5),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 50, max: 2000 }),
        (eta, fakeSwitch, batch, rounds) => {
          const parameters = { rounds, batch, eta, fakeSwitch };
          const epsilon = eta.times(8);
          const [responses, ranges] = deltas(parameters, MULTIPLICATIVE, epsilon);
          const [general] = deltas(parameters, ANY, epsilon);
          expect(ranges).toBeLessThanOrEqual(responses! * (1 + 1e-6));
          expect(responses).toBeLessThanOrEqual(general! * (1 + 1e-6));
        },
      ),
      { seed: 12, numRuns: 30 },
    );
  });

  it.each([
    ['more rounds', setting(20_000, 10, '1e-4', '0.01'), setting(40_000, 10, '1e-4', '0.01')],
    ['a larger eta', setting(20_000, 10, '1e-4', '0.01'), setting(20_000, 10, '2e-4', '0.01')],
  ])('grows with %s', (_, less, more) => {
    const [small, large] = [less, more].map((parameters) => deltas(parameters, MULTIPLICATIVE, d('0.02')));
    small!.forEach((delta, index) => {
      expect(delta).toBeLessThan(large![index]!);
    });
  });

  it.each([
    ['one round', setting(1, 1, '0.1', '0.5')],
    ['one batch', setting(100, 100, '0.1', '0.5')],
    ['one batch, without fake switches', setting(100, 100, '0.1', '0')],
  ])('of %s costs nothing: the first x does not depend on the losses', (_, parameters) => {
    for (const measure of [MULTIPLICATIVE, ANY, convex('1', '1')]) {
      for (const guarantee of guaranteesOf(measure, parameters.eta)) {
        const curve = exactAccounting(parameters, measure, guarantee);
        expect(curve.delta(d(0)).upper).toBe(0);
        expect(curve.epsilon(d('1e-9')).upper).toBe(0);
      }
    }
  });

  it('has no finite epsilon where a switch without fake ones may tell the neighbours apart', () => {
    const [guarantee] = guaranteesOf(ANY, d('0.01'));
    expect(exactAccounting(setting(100, 10, '0.01', '0'), ANY, guarantee!).epsilon(d('1e-6')).upper).toBe(Infinity);
    // beta L D above 2 eta: x may be kept for certain.
    const measure = convex('1', '10');
    const [gaussian] = guaranteesOf(measure, d('0.4'));
    const reveals = exactAccounting(setting(100, 10, '0.4', '0'), measure, gaussian!);
    expect(reveals.epsilon(d('1e-6')).upper).toBe(Infinity);
    const never = exactAccounting(setting(100, 10, '0.6', '0'), measure, gaussian!);
    expect(never.epsilon(d('1e-6')).upper).toBeLessThan(Infinity);
  });

  it('has one at a delta above the chance that it does: the worse order of the neighbours, listed in full', () => {
    for (const [eta, rounds] of [
      [0.05, 2],
      [0.05, 4],
      [0.3, 3],
    ] as const) {
      const parameters = setting(rounds, 1, String(eta), '0');
      const kept = Math.exp(-4 * eta);
      // One keeps x for certain, the other not.
      const forward = [
        [1 - kept, 0],
        [kept, 1],
      ] as const;
      const backward = forward.map(([a, b]) => [b, a] as const);
      const resampled = Array.from({ length: rounds - 1 }, (_, i) =>
        response(i === 0 ? 1 : -Math.expm1(-4 * eta), 2 * eta),
      );
      const [guarantee] = guaranteesOf(ANY, parameters.eta);
      const curve = exactAccounting(parameters, ANY, guarantee!);
      for (const epsilon of [0, eta, 3 * eta, 6 * eta, 20 * eta]) {
        const truth = Math.max(...[forward, backward].map((flag) => deltaOfProduct([flag, ...resampled], epsilon)));
        const { lower, upper } = curve.delta(new Decimal(epsilon));
        expect(upper).toBeGreaterThanOrEqual(truth * (1 - 1e-12));
        expect(upper).toBeLessThanOrEqual(truth * (1 + 1e-8) + 1e-14);
        expect(lower).toBeLessThanOrEqual(truth * (1 + 1e-12));
      }
      const { upper: chance } = revealingChance(parameters, ANY)!;
      near(chance, 1 - kept, 1e-12);
      expect(curve.epsilon(d(chance * (1 - 1e-9))).upper).toBe(Infinity);
      expect(curve.epsilon(d(chance * (1 + 1e-3))).upper).toBeLessThan(20 * eta);
    }
    expect(revealingChance(setting(3, 1, '0.1', '0.01'), ANY)).toBeNull();
    expect(revealingChance(setting(3, 1, '0.1', '0'), MULTIPLICATIVE)).toBeNull();
    expect(revealingChance(setting(3, 3, '0.1', '0'), ANY)).toBeNull();
  });

  it.each([
    ['every switch fake', setting(200, 2, '0.01', '1')],
    ['no switch fake', setting(200, 2, '0.01', '0')],
    ['nearly no switch fake', setting(200, 2, '0.01', '1e-30')],
    ['hardly any learning', setting(200, 2, '1e-30', '0.3')],
    ['a large eta', setting(200, 2, '100', '0.3')],
    ['very many rounds', setting(1e12, 10, '1e-9', '0.001')],
    ['as many rounds as there may be', setting(Number.MAX_SAFE_INTEGER, 1, '1e-12', '0.001')],
  ])('is a number between 0 and 1, the ends in order, with %s', (_, parameters) => {
    for (const guarantee of guaranteesOf(MULTIPLICATIVE, parameters.eta)) {
      const curve = exactAccounting(parameters, MULTIPLICATIVE, guarantee);
      for (const epsilon of ['0', '1e-6', '0.01', '1', '100']) {
        const { lower, upper } = curve.delta(d(epsilon));
        expect(upper).toBeGreaterThanOrEqual(0);
        expect(upper).toBeLessThanOrEqual(1);
        expect(lower ?? 0).toBeLessThanOrEqual(upper);
      }
      for (const delta of ['0.5', '1e-6', '1e-300']) {
        const { lower, upper } = curve.epsilon(d(delta));
        expect(upper).toBeGreaterThanOrEqual(0);
        expect(lower ?? 0).toBeLessThanOrEqual(upper);
      }
    }
  });

  it('with Gaussian steps lies between that of the fewest and of the most resamplings', () => {
    const measure = convex('0.02', '7000');
    const [guarantee] = guaranteesOf(measure, d('0.3'));
    const few = exactAccounting(setting(10_000, 100, '0.3', '0.01'), measure, guarantee!);
    const many = exactAccounting(setting(100_000, 100, '0.3', '0.01'), measure, guarantee!);
    const found = exactAccounting(setting(50_000, 100, '0.3', '0.01'), measure, guarantee!).epsilon(d('1e-6'));
    expect(found.upper).toBeGreaterThan(few.epsilon(d('1e-6')).upper);
    expect(found.upper).toBeLessThan(many.epsilon(d('1e-6')).upper);
    expect((found.upper - found.lower!) / found.upper).toBeLessThan(0.05);
  });

  it('does not depend on the units of convex losses', () => {
    const one = setting(10_000, 10, '0.003', '0.01');
    const epsilonOf = (measure: Measure): number => audit({ ...given(one, measure) }).accounting[0]!.epsilon.upper;
    const given = (parameters: L2pSetting, measure: Measure) => ({
      id: null,
      setting: parameters,
      measure,
      delta1: d('1e-12'),
      delta0: d('1e-15'),
      delta: d('1e-6'),
    });
    // beta L D and lambda D / L stay what they are.
    near(epsilonOf(convex('0.004', '1000')), epsilonOf(convex('0.002', '8000', '4', '0.5')), 1e-9);
  });
});

describe('the first flag', () => {
  it('loses at most what the paper says', () => {
    fc.assert(
      fc.property(scaled(1e-8, 0.1), scaled(1e-6, 0.999), fc.integer({ min: 1, max: 1000 }), (eta, p, batch) => {
        for (const measure of [MULTIPLICATIVE, ANY]) {
          const keep = keepProbability({ batch, eta }, measure);
          const factor = measure === ANY ? 2 : 1;
          const flags = firstFlag(keep, p);
          for (const [{ loss }, { loss: other }] of flags) {
            const most = (factor * 2 * eta.toNumber()) / p.toNumber();
            expect(loss.upper).toBeLessThanOrEqual(Math.max(most, factor * 2 * eta.toNumber()) * (1 + 1e-12));
            expect(0 - other.lower).toBeLessThanOrEqual(Math.max(most, factor * 2 * eta.toNumber()) * (1 + 1e-12));
          }
          // Both orders are distributions.
          for (const [{ mass }, { mass: rest }] of flags) near(mass.upper + rest.upper, 1, 1e-12);
        }
      }),
      { seed: 13, numRuns: 300 },
    );
  });
});

describe('Theorem 3.2', () => {
  const ofAny = { ...input(50, 1, '0.0014', '0.02', '8e-7'), batch: 1 };

  it('may be below exact accounting for any measure of Assumption 3.1, and says why', () => {
    const found = audit({ id: null, setting: ofAny, measure: ANY, delta1: d('8e-7'), delta0: d(0), delta: d('8e-5') });
    expect(covers(found.theorem!)).toBe(true);
    near(found.theorem!.epsilon.upper, 0.1896, 1e-3);
    near(found.accounting[0]!.epsilon.lower!, 0.2399, 1e-3);
    expect(auditNotes(found, null).map(({ code }) => code)).toEqual(['claim-only', 'flag-of-any-measure']);
    const ofWeights = { ...found, measure: MULTIPLICATIVE };
    expect(auditNotes(ofWeights, null).map(({ code }) => code)).toEqual(['claim-only']);
  });

  it('is below what its proof reveals of two points: x, y and whether they are kept after the first batch', () => {
    const { epsilon, delta } = theorem32(input(50, 1, '0.0014', '0.02', '8e-7'));
    // One loss multiplies the measure by (e^c, e^-c), its neighbour by (e^-c, e^c), all others leave it alone.
    const [c, eta, p] = [0.0013, 0.0014, 0.02];
    const logOf = (x: number, sign: number): number => sign * (x === 0 ? c : -c) - Math.log(Math.cosh(c));
    for (const x of [0, 1]) expect(Math.abs(logOf(x, 1))).toBeLessThanOrEqual(eta);
    const switches = (x: number, y: number, sign: number): number =>
      1 - (1 - p) * Math.exp(-2 * eta + logOf(x, sign) - logOf(y, sign));
    const excess = (a: number, b: number): number => Math.max(0, a - Math.exp(epsilon.upper) * b);
    const revealed = [0, 1].flatMap((x) =>
      [0, 1].map((y) => {
        const [one, other] = [switches(x, y, 1), switches(x, y, -1)];
        return (excess(one, other) + excess(1 - one, 1 - other)) / 4;
      }),
    );
    const lost = revealed.reduce((sum, each) => sum + each, 0);
    expect(lost).toBeGreaterThan(1e-4);
    expect(lost).toBeGreaterThan(delta.upper);
    const [guarantee] = guaranteesOf(ANY, d('0.0014'));
    const exact = exactAccounting(setting(50, 1, '0.0014', '0.02'), ANY, guarantee!);
    expect(exact.delta(d(epsilon.upper)).upper).toBeGreaterThanOrEqual(lost);
  });

  it('is above exact accounting at the same delta wherever its hypotheses hold', () => {
    let covered = 0;
    fc.assert(
      fc.property(
        scaled(1e-6, 1e-2),
        scaled(1e-3, 0.9),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1000, max: 1_000_000 }),
        scaled(1e-12, 1e-3),
        (eta, fakeSwitch, batch, rounds, delta) => {
          const delta1 = shareOf(delta, 2, rounds);
          const theorem = theorem32({ ...input(rounds, batch, '1', '1', '0.1'), eta, fakeSwitch, delta1 });
          fc.pre(covers(theorem));
          covered++;
          const parameters = { rounds, batch, eta, fakeSwitch };
          const found = audit({ id: null, setting: parameters, measure: MULTIPLICATIVE, delta1, delta0: d(0), delta });
          for (const { epsilon } of found.accounting) expect(epsilon.upper).toBeLessThan(theorem.epsilon.upper);
        },
      ),
      { seed: 14, numRuns: 12 },
    );
    expect(covered).toBeGreaterThanOrEqual(shareOfCases(12));
  });
});
