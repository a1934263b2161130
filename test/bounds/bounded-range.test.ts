import { describe, expect, it } from 'vitest';
import { nonadaptiveOptimum } from '../../src/bounds/bounded-range/nonadaptive-optimum.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { fromDecimal } from '../../src/numeric/double-double.ts';
import { answer, atDelta, atEpsilon, boundedRange, dp, valueOf } from '../mechanisms.ts';
import { nonadaptiveDelta } from '../reference/bounded-range.ts';
import { holds, ln, precise } from '../reference/precise.ts';
import { fc } from '../reference/properties.ts';
import { enumeratedDelta } from '../reference/randomized-response.ts';

const parameter = fc
  .double({ min: -6, max: 1.5, noNaN: true })
  .map((x) => new Decimal((10 ** x).toPrecision(5)).toString());
const share = fc.double({ min: 0, max: 0.99999, noNaN: true });

describe('the nonadaptive optimum of equal bounded-range mechanisms', () => {
  it('contains the largest of all k + 1 local maxima, and is narrow', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 14 }), parameter, share, fc.boolean(), (k, e, s, onMultiple) => {
        const each = new Decimal(e);
        const epsilon = onMultiple ? each.times(Math.floor(s * k)) : each.times(k).times(s).toSignificantDigits(12);
        const result = nonadaptiveOptimum(each, k).logDelta(fromDecimal(epsilon));
        const truth = ln(nonadaptiveDelta(k, e, epsilon.toString()));
        expect(holds(result, truth), `[${result.lower}, ${result.upper}] for ${truth.toString()}`).toBe(true);
        if (s < 0.99) expect(result.upper - result.lower).toBeLessThan(1e-11 * (1 + Math.abs(result.lower)));
      }),
      { numRuns: 80 },
    );
  });
  it('contains it next to the largest loss, down to where doubles cannot tell', () => {
    for (const k of [1, 2, 5]) {
      for (const digits of [5, 12, 20, 25, 28, 30, 31, 32, 33, 40, 60]) {
        const epsilon = new Decimal('0.1').times(k).minus(new Decimal(10).pow(-digits));
        const { delta } = answer([boundedRange('0.1', { count: k })], atEpsilon(epsilon.toString()), {
          adaptivity: 'nonadaptive',
          bounds: ['br-nonadaptive'],
        });
        const truth = nonadaptiveDelta(k, '0.1', epsilon.toString());
        expect(holds(delta, truth), `${k}, ${digits}: [${delta.lower!}, ${delta.upper}] for ${truth.toString()}`).toBe(
          true,
        );
      }
    }
  });
  it('at delta: the upper end suffices and the lower end does not', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        parameter,
        fc.double({ min: -40, max: -0.2, noNaN: true }),
        (k, e, exponent) => {
          const target = new Decimal(10 ** exponent);
          const entries = [boundedRange(e, { count: k })];
          const { epsilon } = answer(entries, atDelta(target.toString()), {
            adaptivity: 'nonadaptive',
            bounds: ['br-nonadaptive'],
          });
          const at = (x: number): Decimal => nonadaptiveDelta(k, e, precise(x).toString());
          expect(at(epsilon.upper).lte(target)).toBe(true);
          if (epsilon.lower! > 0) expect(at(epsilon.lower!).gte(target)).toBe(true);
        },
      ),
      { numRuns: 30 },
    );
  });
  it('is at t = (eps + e) / 2 for one mechanism, which holds adaptively too', () => {
    const { delta, bound } = answer([boundedRange(1)], atEpsilon('0.3'));
    expect(bound).toBe('br-nonadaptive');
    const truth = nonadaptiveDelta(1, '1', '0.3');
    expect(holds(delta, truth)).toBe(true);
  });
  it('is at least the optimal composition of e/2-DP, which is one of its members', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), parameter, share, (k, e, s) => {
        const half = new Decimal(e).div(2).toString();
        const epsilon = new Decimal(e).times(k).times(s).toSignificantDigits(12);
        const member = enumeratedDelta([{ epsilon: half, count: k }], epsilon);
        const { delta } = answer([boundedRange(e, { count: k })], atEpsilon(epsilon.toString()), {
          adaptivity: 'nonadaptive',
          bounds: ['br-nonadaptive'],
        });
        expect(precise(delta.upper).gte(member)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
  it('is 0 from k e on and 1 - e^eps below -k e', () => {
    const at = (epsilon: string) =>
      answer([boundedRange('0.5', { count: 4 })], atEpsilon(epsilon), { adaptivity: 'nonadaptive' }).delta;
    expect(at('2')).toMatchObject({ lower: 0, upper: 0 });
    expect(at('-2').upper).toBeCloseTo(-Math.expm1(-2), 14);
    expect(at('-7').upper).toBeCloseTo(-Math.expm1(-7), 14);
  });
});

describe('the moment bounds of bounded range', () => {
  it('are no worse than any single order', () => {
    const entries = [boundedRange('0.3', { count: 20 }), boundedRange('0.1', { count: 7 })];
    const result = answer(entries, atEpsilon('2.5'));
    const h = (e: number, x: number): number => {
      const kappa = -Math.expm1(-x * e) / -Math.expm1(-e);
      return x * e + (1 + x) * Math.log((1 + kappa * Math.exp(-e)) / (1 + x)) - x * Math.log(kappa / x);
    };
    for (let x = 0.05; x < 200; x *= 1.1) {
      const chernoff = 20 * h(0.3, x) + 7 * h(0.1, x) - x * 2.5;
      expect(valueOf(result, 'br-mgf').upper).toBeLessThanOrEqual(Math.exp(chernoff) * (1 + 1e-9));
      const factor = x * Math.log(x) - (1 + x) * Math.log1p(x);
      expect(valueOf(result, 'br-rdp').upper).toBeLessThanOrEqual(Math.exp(chernoff + factor) * (1 + 1e-9));
    }
  });
  it('are ordered: with the conversion factor below without', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        parameter,
        fc.double({ min: -30, max: -1, noNaN: true }),
        (k, e, exponent) => {
          const result = answer([boundedRange(e, { count: k })], atDelta((10 ** exponent).toString()), {
            bounds: ['br-rdp', 'br-mgf'],
          });
          expect(valueOf(result, 'br-rdp').upper).toBeLessThanOrEqual(valueOf(result, 'br-mgf').upper * (1 + 1e-9));
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('where bounded-range bounds hold', () => {
  const RANGED = ['br-nonadaptive', 'br-rdp', 'br-mgf', 'br-optkl', 'br-dr19'] as const;
  it.each(['interactive', 'continual'] as const)(
    'not for %s entries: those count as (e, 0)-DP, and by their moments',
    (kind) => {
      const result = answer([boundedRange('0.1', { count: 100, kind })], atDelta('1e-6'));
      for (const id of RANGED) {
        expect(result.bounds.find((bound) => bound.id === id)).toMatchObject({
          applies: false,
          reason: { code: 'needs-noninteractive', kinds: [kind] },
        });
      }
      const pure = answer([dp('0.1', 0, { count: 100 })], atDelta('1e-6'));
      for (const id of ['dp-optimal', 'advanced-kov', 'advanced-drv', 'basic'] as const) {
        expect(valueOf(result, id).upper).toBe(valueOf(pure, id).upper);
      }
      const once = answer([boundedRange('0.1', { count: 100 })], atDelta('1e-6'));
      for (const id of ['rdp', 'zcdp'] as const) expect(valueOf(result, id).upper).toBe(valueOf(once, id).upper);
      expect(result.warnings.map(({ code }) => code)).toContain('bounded-range-interactive');
    },
  );
  it('not when a single one of many entries is interactive', () => {
    const entries = [boundedRange('0.1', { count: 99 }), boundedRange('0.1', { kind: 'interactive' })];
    for (const adaptivity of ['adaptive', 'nonadaptive'] as const) {
      const result = answer(entries, atDelta('1e-6'), { adaptivity });
      for (const id of RANGED) expect(result.bounds.find((bound) => bound.id === id)?.applies).toBe(false);
    }
  });
  it('the nonadaptive optimum not for mechanisms that are chosen adaptively', () => {
    for (const entries of [[boundedRange('0.1', { count: 2 })], [boundedRange('0.1'), boundedRange('0.2')]]) {
      const row = answer(entries, atDelta('1e-6')).bounds.find(({ id }) => id === 'br-nonadaptive');
      expect(row).toMatchObject({ applies: false, reason: { code: 'needs-nonadaptive' } });
    }
  });
});
