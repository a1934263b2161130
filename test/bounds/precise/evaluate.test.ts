import { describe, expect, it } from 'vitest';
import type { BoundId } from '../../../src/bounds/core/bound.ts';
import { preciseValue } from '../../../src/bounds/precise/evaluate.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import type { Adaptivity, Query } from '../../../src/privacy/curve.ts';
import { atDelta, atEpsilon, boundedRange, dp, gaussian, gdp, rdp, zcdp } from '../../mechanisms.ts';

function valueOf(
  id: BoundId,
  entries: readonly Entry[],
  query: Query,
  digits = 50,
  adaptivity: Exclude<Adaptivity, 'parameters'> = 'nonadaptive',
): string {
  const value = preciseValue(id, { entries, adaptivity, order: 'any' }, query, digits);
  return 'digits' in value ? value.digits : value.unavailable;
}

const hundred = [dp('0.1', 0, { count: 100 })];
const selections = [boundedRange('0.1', { count: 100 })];
const thousand = [gaussian('133.6', { count: 1000 })];

describe('a bound in decimal arithmetic', () => {
  it('is the value the project is held to, to 24 digits', () => {
    expect(valueOf('dp-optimal', hundred, atDelta('1e-6')).slice(0, 26)).toBe('4.774567588107986153285948');
  });

  it('is rounded up, so that fewer digits are never less', () => {
    const long = new Decimal(valueOf('dp-optimal', hundred, atDelta('1e-6'), 200));
    for (const digits of [20, 21, 33, 50, 100]) {
      const short = valueOf('dp-optimal', hundred, atDelta('1e-6'), digits);
      expect(short).toBe(long.toSignificantDigits(digits, Decimal.ROUND_CEIL).toPrecision(digits));
    }
  });

  it('agrees with the values of the lattices and of the Gaussian', () => {
    const steps = Array.from({ length: 30 }, (_, i) => dp(new Decimal(i + 1).div(100).toString()));
    const listed = valueOf('dp-optimal', steps, atDelta('1e-6'));
    expect(new Decimal(listed).toNumber()).toBeCloseTo(4.0864416022537, 12);
    expect(valueOf('gaussian', thousand, atDelta('1e-6'))).toMatch(/^0\.99996834779869/);
  });

  it('gives the same for equal mechanisms, one by one or counted, and for a sum or a list of losses', () => {
    const apart = [dp('0.1', 0, { count: 60 }), dp('0.1', 0, { count: 40 })];
    expect(valueOf('dp-optimal', apart, atDelta('1e-6'))).toBe(valueOf('dp-optimal', hundred, atDelta('1e-6')));
    const nearly = [dp('0.1', 0, { count: 50 }), dp(`0.1${'0'.repeat(60)}1`, 0, { count: 50 })];
    expect(valueOf('dp-optimal', nearly, atDelta('1e-6'), 40)).toBe(
      valueOf('dp-optimal', hundred, atDelta('1e-6'), 40),
    );
  });

  it.each<[BoundId, Entry[], string]>([
    ['dp-optimal', hundred, '1e-6'],
    ['dp-optimal', [dp('0.3', '1e-8', { count: 7 }), dp('0.07', '1e-9', { count: 5 })], '1e-5'],
    ['br-nonadaptive', [boundedRange('0.2', { count: 20 })], '1e-5'],
    ['br-mgf', selections, '1e-6'],
    ['br-rdp', selections, '1e-6'],
    ['br-optkl', selections, '1e-6'],
    ['br-dr19', selections, '1e-6'],
    ['advanced-kov', hundred, '1e-6'],
    ['advanced-drv', hundred, '1e-6'],
    ['gaussian', thousand, '1e-6'],
    ['gaussian', thousand, '1e-300'],
    ['gaussian', [gdp(3)], '1e-12'],
    ['zcdp', [zcdp('0.01'), gaussian(4), boundedRange('0.3'), dp('0.2')], '1e-6'],
    ['zcdp', [zcdp('0.01', { delta: '1e-8', count: 3 }), gaussian(4), dp('0.2', '1e-8')], '1e-6'],
    ['rdp', [zcdp('0.01', { delta: '1e-8', count: 3 }), gaussian(4), dp('0.2', '1e-8')], '1e-6'],
    ['rdp', [zcdp('0.01'), gaussian(4), boundedRange('0.3'), dp('0.2'), gdp('0.2')], '1e-6'],
  ])('%s at its own epsilon is the delta it was asked at (%#)', (id, entries, delta) => {
    const epsilon = valueOf(id, entries, atDelta(delta), 60);
    const back = new Decimal(valueOf(id, entries, atEpsilon(epsilon), 50));
    expect(back.minus(delta).abs().div(delta).lt('1e-45'), `${back.toString()} at ${epsilon}`).toBe(true);
  });

  it('mirrors the curve at negative epsilon: delta(-e) = 1 - e^-e + e^-e delta(e)', () => {
    const Wide = Decimal.clone({ precision: 60 });
    const decay = new Wide(-1).exp();
    for (const [id, entries] of [
      ['dp-optimal', hundred],
      ['br-mgf', selections],
      ['gaussian', thousand],
    ] as const) {
      const delta = new Wide(valueOf(id, entries, atEpsilon(1), 60));
      const mirrored = new Wide(1).minus(decay).plus(decay.times(delta));
      expect(new Wide(valueOf(id, entries, atEpsilon(-1), 50)).minus(mirrored).abs().lt('1e-49')).toBe(true);
    }
  });

  it('is exact, and short, where the bound is a decimal', () => {
    expect(valueOf('basic', hundred, atDelta('1e-6'))).toBe('10');
    expect(valueOf('dp-optimal', [dp('0.5', '1e-7')], atDelta('1e-7'))).toBe('0.5');
    expect(valueOf('dp-optimal', hundred, atEpsilon(10))).toBe('0');
    expect(valueOf('dp-optimal', hundred, atDelta(1))).toBe('0');
    expect(valueOf('dp-optimal', [dp(0)], atDelta('1e-6'))).toBe('0');
    expect(
      valueOf(
        'gaussian',
        [{ ...gaussian(1), mechanism: { type: 'gaussian', sigma: new Decimal(1), sensitivity: new Decimal(0) } }],
        atDelta('1e-6'),
      ),
    ).toBe('0');
    expect(valueOf('dp-optimal', [dp(1, '0.001', { count: 30 })], atDelta('0.02'))).toBe('Infinity');
    expect(valueOf('zcdp', [zcdp(1)], atDelta(0))).toBe('Infinity');
  });

  it('reaches where doubles end', () => {
    expect(new Decimal(valueOf('gaussian', [gaussian(1)], atEpsilon(100))).e).toBeLessThan(-2000);
    expect(valueOf('dp-optimal', hundred, atDelta('1e-2000'))).toBe(`10.${'0'.repeat(48)}`);
  });

  it('keeps its digits for tiny parameters, where more guard digits are needed', () => {
    const one = valueOf('dp-optimal', [dp('1e-30', 0)], atEpsilon('5e-31'));
    // (e^e - e^eps) / (1 + e^e) is 2.5e-31 to first order.
    expect(new Decimal(one).div('2.5e-31').minus(1).abs().lt('1e-29')).toBe(true);
    expect(one).toHaveLength(51 + '.e-31'.length - 1);
  });

  it('says why it is not available', () => {
    expect(valueOf('loss-distribution', hundred, atDelta('1e-6'))).toBe('needs-lattice');
    expect(valueOf('dp-optimal', [dp('0.1', 0, { count: 1e6 })], atDelta('1e-6'))).toBe('too-large');
    expect(valueOf('br-nonadaptive', [boundedRange('0.1', { count: 10_000 })], atDelta('1e-6'))).toBe('too-large');
    expect(valueOf('rdp', [rdp([[2, '0.1']])], atDelta('1e-6'))).toBe('mechanism-not-covered');
    const distinct = Array.from({ length: 40 }, (_, i) => dp(`0.1${String(7n ** BigInt(i + 1))}`));
    expect(valueOf('dp-optimal', distinct, atDelta('1e-6'))).toBe('too-large');
  });
});
