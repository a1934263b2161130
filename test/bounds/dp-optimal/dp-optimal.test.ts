import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { atomsOfRandomizedResponses } from '../../../src/bounds/loss-distribution/dp-chunks.ts';
import { homogeneousOptimum } from '../../../src/bounds/dp-optimal/dp-optimal.ts';
import { composeLattices } from '../../../src/numeric/lattice/power.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { discretiseUpward, observeCells } from '../../../src/numeric/lattice/discretise.ts';
import { fromDecimal } from '../../../src/numeric/double-double.ts';
import { logGainFromCells, logHockeyStick } from '../../../src/numeric/lattice/measure.ts';
import { logHockeyStickOfSum } from '../../../src/bounds/loss-distribution/few-combinations.ts';
import { groupEqual, totalEpsilon, type PureGroup } from '../../../src/privacy/pure.ts';
import { answer, atDelta, atEpsilon, dp } from '../../mechanisms.ts';
import { holds, ln, precise } from '../../reference/precise.ts';
import { enumeratedDelta, enumeratedDeltaWithFailures } from '../../reference/randomized-response.ts';

/** Groups whose parameters have `digits` decimals, up to about e = 2. */
const groupsWith = (digits: number, most = 3): fc.Arbitrary<PureGroup[]> =>
  fc
    .array(
      fc.record({
        epsilon: fc.integer({ min: 1, max: 2 * 10 ** digits }).map((n) => new Decimal(n).div(10 ** digits)),
        count: fc.integer({ min: 1, max: 7 }),
      }),
      { minLength: 1, maxLength: most },
    )
    .map(groupEqual);

const share = fc.double({ min: 0, max: 0.9999, noNaN: true });
const tilts = fc.oneof(fc.double({ min: 0, max: 3, noNaN: true }), fc.double({ min: 0, max: 60, noNaN: true }));

/** A share of the largest loss, as a decimal with 15 digits; every other one is a possible loss of the composition. */
function epsilonAt(groups: readonly PureGroup[], s: number): Decimal {
  const maximum = totalEpsilon(groups);
  if (Math.floor(s * 1e6) % 2 === 0) return maximum.times(s).toSignificantDigits(15);
  const [first] = groups;
  const steps = Math.floor(s * first!.count);
  return Decimal.max(0, maximum.minus(first!.epsilon.times(2 * steps)));
}

const truthAt = (groups: readonly PureGroup[], epsilon: Decimal): Decimal => ln(enumeratedDelta(groups, epsilon));

describe('each way to compose randomized responses contains the full enumeration', () => {
  it('meeting in the middle, under any tilt', () => {
    fc.assert(
      fc.property(groupsWith(12, 2), groupsWith(3, 2), share, tilts, (left, right, s, tilt) => {
        const groups = [...left, ...right];
        const epsilon = epsilonAt(groups, s);
        const [a, b] = [atomsOfRandomizedResponses(left, tilt), atomsOfRandomizedResponses(right, tilt)];
        const result = logHockeyStickOfSum(a, b, fromDecimal(epsilon));
        const truth = truthAt(groups, epsilon);
        expect(holds(result, truth), `[${result.lower}, ${result.upper}] for ${truth.toString()}`).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
  it('discretised losses, from above and from below, under any tilt and with any step', () => {
    fc.assert(
      fc.property(
        groupsWith(12, 2),
        groupsWith(12, 1),
        share,
        tilts,
        fc.double({ min: -4, max: -0.5, noNaN: true }),
        (left, right, s, tilt, exponent) => {
          const step = 10 ** exponent;
          const groups = [...left, ...right];
          const epsilon = epsilonAt(groups, s);
          const [a, b] = [atomsOfRandomizedResponses(left, tilt), atomsOfRandomizedResponses(right, tilt)];
          const above = composeLattices(discretiseUpward(a, step), discretiseUpward(b, step));
          const [seenA, seenB] = [observeCells(a, step), observeCells(b, step)];
          const own = composeLattices(seenA.own, seenB.own);
          const other = composeLattices(seenA.other, seenB.other);
          const result = {
            lower: logGainFromCells(own, other, fromDecimal(epsilon)),
            upper: logHockeyStick(above, fromDecimal(epsilon)).upper,
          };
          const truth = truthAt(groups, epsilon);
          expect(holds(result, truth), `[${result.lower}, ${result.upper}] for ${truth.toString()}`).toBe(true);
        },
      ),
      { numRuns: 80 },
    );
  });
  it('the binomial sum for equal parameters, to 1e-12', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000_000 }), fc.integer({ min: 1, max: 40 }), share, (e, count, s) => {
        const group = { epsilon: new Decimal(e).div(1e6), count };
        const epsilon = epsilonAt([group], s);
        const result = homogeneousOptimum(group.epsilon, count).logDelta(fromDecimal(epsilon));
        const truth = truthAt([group], epsilon);
        expect(holds(result, truth), `[${result.lower}, ${result.upper}] for ${truth.toString()}`).toBe(true);
        if (truth.isFinite()) expect(result.upper - result.lower).toBeLessThan(1e-12 * (1 + Math.abs(result.lower)));
      }),
      { numRuns: 150 },
    );
  });
});

describe('the optimum of different (epsilon, delta)-DP mechanisms', () => {
  const cases = fc.tuple(
    groupsWith(2),
    fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 1, maxLength: 3 }),
    share,
  );
  it('contains the enumeration at every epsilon, and is narrow', () => {
    fc.assert(
      fc.property(cases, ([groups, failures, s]) => {
        const epsilon = epsilonAt(groups, s);
        const deltas = failures.map((d) => new Decimal(d).div(10_000));
        const entries = [
          ...groups.map((g) => dp(g.epsilon.toString(), 0, { count: g.count })),
          ...deltas.map((d) => dp(0, d.toString())),
        ];
        const { delta } = answer(entries, atEpsilon(epsilon.toString()), { bounds: ['dp-optimal'] });
        const truth = enumeratedDeltaWithFailures(groups, deltas, epsilon);
        expect(holds(delta, truth), `[${delta.lower!}, ${delta.upper}] for ${truth.toString()}`).toBe(true);
        expect(delta.upper - delta.lower!).toBeLessThanOrEqual(1e-9 * delta.upper + 1e-300);
      }),
      { numRuns: 80 },
    );
  });
  it('at delta: no epsilon below the lower end does, the upper end does', () => {
    fc.assert(
      fc.property(groupsWith(2), fc.double({ min: -60, max: -0.3, noNaN: true }), (groups, exponent) => {
        const target = new Decimal(10 ** exponent);
        const entries = groups.map((g) => dp(g.epsilon.toString(), 0, { count: g.count }));
        const { epsilon } = answer(entries, atDelta(target.toString()), { bounds: ['dp-optimal'] });
        expect(enumeratedDelta(groups, epsilon.upper).lte(target)).toBe(true);
        if (epsilon.lower! > 0) expect(enumeratedDelta(groups, epsilon.lower!).gte(target)).toBe(true);
        expect(epsilon.upper - epsilon.lower!).toBeLessThanOrEqual(1e-9 * epsilon.upper);
      }),
      { numRuns: 40 },
    );
  });
  it('does not depend on how an exact lattice, two halves or neither is chosen', () => {
    const epsilons = ['0.5', '0.25', '0.3', '0.7', '0.9', '0.4'];
    const disturbed = epsilons.map((e, i) => new Decimal(e).plus(`${i + 1}e-14`).toString());
    const [a, b] = [epsilons, disturbed].map(
      (list) =>
        answer(
          list.map((e) => dp(e)),
          atDelta('1e-4'),
        ).epsilon,
    );
    expect(Math.abs(a!.upper - b!.upper)).toBeLessThan(1e-11);
  });
});

describe('the largest epsilon', () => {
  it('is rounded up: 0.1 + 0.2 at delta 1e-300 does not cost less than 0.3', () => {
    const { epsilon } = answer([dp('0.1'), dp('0.2')], atDelta('1e-300'));
    expect(precise(epsilon.upper).gte('0.3')).toBe(true);
    expect(epsilon.lower!).toBeLessThan(0.3);
  });
  it.each([3, 7, 1000])('is approached without contradiction: %i x 0.1 at epsilon just below the sum', (count) => {
    const sum = new Decimal('0.1').times(count);
    for (const digits of [10, 20, 30, 31, 32, 33, 34, 40, 60]) {
      const epsilon = sum.minus(new Decimal(10).pow(-digits));
      const { delta } = answer([dp('0.1', 0, { count })], atEpsilon(epsilon.toString()));
      const truth = enumeratedTop('0.1', count, epsilon);
      expect(holds(delta, truth), `${digits}: [${delta.lower!}, ${delta.upper}] for ${truth.toString()}`).toBe(true);
    }
  });
  it('is approached without contradiction by small parameters of many digits, of which some are many', () => {
    const list = [
      ['1.39e-9', '1.56423e-9', 1],
      ['2.27e-6', '1.723096e-115', 2],
      ['1.461e-9', '1.4e-100', 123],
    ] as const;
    const total = list.reduce((sum, [e, , count]) => sum.plus(precise(e).times(count)), precise(0));
    for (const text of ['4.7210929998926339e-6', '4.72109299e-6']) {
      const gap = total.minus(text);
      // All others of the outcomes are below.
      const top = list.reduce(
        (chance, [e, , count]) => chance.div(precise(1).plus(precise(e).negated().exp()).pow(count)),
        precise(1).minus(gap.negated().exp()),
      );
      const alive = list.reduce((chance, [, d, count]) => chance.times(precise(1).minus(d).pow(count)), precise(1));
      const entries = list.map(([e, d, count]) => dp(e, d, { count }));
      const { delta } = answer(entries, atEpsilon(text));
      expect(holds(delta, precise(1).minus(alive.times(precise(1).minus(top))))).toBe(true);
    }
  });
  it('may exceed what doubles hold', () => {
    const { epsilon } = answer([dp('1e300', 0, { count: Number.MAX_SAFE_INTEGER })], atDelta('1e-6'));
    expect(epsilon.upper).toBe(Infinity);
    expect(answer([dp('1e300'), dp('1e-300')], atDelta('1e-6')).epsilon.upper).toBeGreaterThanOrEqual(1e300);
    expect(answer([dp('1e100'), dp('1')], atDelta('1e-6')).epsilon.upper).toBeGreaterThanOrEqual(1e100);
    const { upper, lower } = answer([dp('800'), dp('50'), dp('1e-9')], atDelta('1e-6')).epsilon;
    expect(upper).toBeLessThanOrEqual(850.0000000010001);
    expect(lower!).toBeGreaterThan(849.9);
  });
  it('counts every mechanism of entries whose counts together no longer fit a double', () => {
    const entries = [dp('0.1', 0, { count: Number.MAX_SAFE_INTEGER }), dp('0.1', 0, { count: 2 })];
    expect(answer(entries, atDelta(0)).epsilon.exact).toBe('900719925474099.3');
  });
});

/** The excess when only the largest loss counts. */
function enumeratedTop(each: string, count: number, epsilon: Decimal): Decimal {
  const e = precise(each);
  const gap = e.times(count).minus(precise(epsilon));
  return precise(1).div(precise(1).plus(e.negated().exp())).pow(count).times(precise(1).minus(gap.negated().exp()));
}

describe('mechanisms that cost nothing', () => {
  it.each(['1e-6', '0', '0.5'])('cost epsilon 0 at delta %s', (delta) => {
    expect(answer([dp(0), dp(0)], atDelta(delta)).epsilon).toMatchObject({ lower: 0, upper: 0 });
  });
  it('only fail', () => {
    const entries = [dp(0, '0.001', { count: 3 })];
    expect(answer(entries, atDelta('0.003')).epsilon).toMatchObject({ lower: 0, upper: 0 });
    expect(answer(entries, atDelta('0.002')).epsilon).toMatchObject({ lower: Infinity, upper: Infinity });
    const { delta } = answer(entries, atEpsilon(0));
    expect(holds(delta, precise('0.002997001'))).toBe(true);
  });
});

describe('more than 10^12 equal mechanisms', () => {
  it.each([
    // Of Gaussian noise with mu = e sqrt(k), from which the sum differs by less than 1e-12, relatively.
    ['1e-12', 1e15, '1e-9', 0.0001154849798017862],
    ['1e-7', 1e13, '1e-300', 11.72456363885277],
    ['1e-9', 1e14, '1e-9', 0.04886639301570327],
  ])('are enclosed: %s-DP, %d times', (epsilon, count, delta, truth) => {
    const { bound, epsilon: found } = answer([dp(epsilon, 0, { count })], atDelta(delta));
    expect(bound).toBe('dp-optimal');
    expect(found.lower!).toBeLessThanOrEqual(truth * (1 + 1e-11));
    expect(found.upper).toBeGreaterThanOrEqual(truth * (1 - 1e-11));
    expect(found.upper / truth).toBeLessThan(1 + 1e-6);
  });

  it('are left to closed forms where losses spread so widely that those are as good', () => {
    const { epsilon } = answer([dp(10, 0, { count: 1e13 })], atDelta('1e-9'));
    expect(epsilon.upper).toBeLessThan(9.9991e13);
  });
});
