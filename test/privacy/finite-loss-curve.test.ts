import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/numeric/decimal.ts';
import { enclosure, type Enclosure } from '../../src/numeric/enclosure.ts';
import { curveWithFailure, type FiniteLossCurve } from '../../src/privacy/finite-loss-curve.ts';
import { NEVER, failureProbability } from '../../src/privacy/failure.ts';
import { fc } from '../reference/properties.ts';

/** delta = e^-eps / 2 up to the largest loss 3, known to the given width of its logarithm. */
const halving = (width: number): FiniteLossCurve => ({
  maximum: new Decimal(3),
  logDelta: ({ high }): Enclosure => enclosure(-high - Math.LN2 - width, -high - Math.LN2 + width),
});
const failing = (delta: string, count = 1) => failureProbability([{ delta: new Decimal(delta), count }]);

describe('a curve with failures', () => {
  it('adds what fails to what leaks', () => {
    const curve = curveWithFailure(halving(1e-12), failing('0.1'), 'tight');
    const { lower, upper } = curve.delta(new Decimal(1));
    expect(lower!).toBeLessThanOrEqual(0.1 + 0.45 * Math.exp(-1));
    expect(upper).toBeGreaterThanOrEqual(0.1 + 0.45 * Math.exp(-1));
    expect(upper - lower!).toBeLessThan(1e-11);
    expect(curve.delta(new Decimal(3))).toMatchObject({ exact: '0.1' });
  });
  it('is infeasible below what fails and costs the largest loss exactly there', () => {
    const curve = curveWithFailure(halving(1e-12), failing('0.1'), 'tight');
    expect(curve.epsilon(new Decimal('0.0999999999999999999999999999'))).toMatchObject({
      lower: Infinity,
      upper: Infinity,
    });
    expect(curve.epsilon(new Decimal('0.1'))).toEqual({ lower: 3, upper: 3, exact: '3' });
    expect(curve.epsilon(new Decimal('0.10000000000000000000000000001')).upper).toBe(3);
    expect(curve.epsilon(new Decimal(1))).toMatchObject({ lower: 0, upper: 0 });
  });
  it('claims nothing at a delta of which it cannot tell whether it is feasible', () => {
    const unclear = { lower: new Decimal(0), upper: new Decimal('1e-120') };
    const curve = curveWithFailure(halving(1e-12), unclear, 'tight');
    for (const delta of ['0', '1e-200', '9e-121']) {
      const { lower, upper } = curve.epsilon(new Decimal(delta));
      expect(upper).toBe(Infinity);
      expect(lower!).toBeLessThanOrEqual(3);
    }
    expect(curve.epsilon(new Decimal('1e-120')).upper).toBe(3);
  });
  it('has an inverse that errs on the safe side, however wide its enclosures', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -14, max: -1, noNaN: true }),
        fc.double({ min: 0.0001, max: 0.9999, noNaN: true }),
        (exponent, delta) => {
          const curve = curveWithFailure(halving(10 ** exponent), NEVER, 'tight');
          const { lower, upper } = curve.epsilon(new Decimal(delta));
          const truth = delta > Math.exp(-3) / 2 ? Math.max(0, -Math.log(2 * delta)) : 3;
          expect(lower!).toBeLessThanOrEqual(truth * (1 + 1e-15));
          expect(upper).toBeGreaterThanOrEqual(truth * (1 - 1e-15));
          expect(upper - lower!).toBeLessThanOrEqual(5 * 10 ** exponent + 1e-14);
        },
      ),
      { numRuns: 200 },
    );
  });
  it('gives up where no finite epsilon shows, instead of looking on for ever', () => {
    const never: FiniteLossCurve = { maximum: null, logDelta: () => enclosure(-Infinity, 0) };
    expect(curveWithFailure(never, NEVER, 'tight').epsilon(new Decimal('0.5'))).toEqual({ lower: 0, upper: Infinity });
  });
  it('keeps the symmetry of negative epsilon', () => {
    const curve = curveWithFailure(halving(0), failing('0.2'), 'tight');
    const at = (epsilon: number): number => curve.delta(new Decimal(epsilon)).upper;
    for (const e of [0.1, 1, 2.9, 3, 10]) expect(at(-e)).toBeCloseTo(-Math.expm1(-e) + Math.exp(-e) * at(e), 13);
  });
});
