import { describe, expect, test } from 'vitest';
import { Decimal, decimalFromDouble } from '../../src/numeric/decimal.ts';
import type { Entry } from '../../src/privacy/mechanism.ts';
import { answer, atDelta, atEpsilon, boundedRange, dp, gaussian, valueOf } from '../mechanisms.ts';
import { precise } from '../reference/precise.ts';
import { enumeratedDelta } from '../reference/randomized-response.ts';

/* Inputs on which other accountants are known to be wrong; the truths were computed with 50 digits and more. */

/** The certified epsilon contains `truth` and is at most 1e-6 wide, relatively. */
function expectCost(entries: readonly Entry[], delta: string, truth: string): void {
  const { epsilon } = answer(entries, atDelta(delta));
  const unit = new Decimal(10).pow(-new Decimal(truth).decimalPlaces());
  expect(decimalFromDouble(epsilon.lower!).lte(new Decimal(truth).plus(unit)), `lower ${epsilon.lower!}`).toBe(true);
  expect(decimalFromDouble(epsilon.upper).gte(new Decimal(truth).minus(unit)), `upper ${epsilon.upper}`).toBe(true);
  expect(epsilon.upper - epsilon.lower!).toBeLessThanOrEqual(1e-6 * epsilon.upper);
}

describe('(1 + e^epsilon)^k overflows (PSI, rrogers, google advanced_composition)', () => {
  test.each([
    [953, 954],
    [954, 955],
    [1000, 1001],
    [2000, 2001],
  ])('%i mechanisms still cost less than %i', (fewer, more) => {
    const cost = (count: number) => answer([dp('0.1', 0, { count })], atDelta('1e-6')).epsilon;
    expect(cost(fewer).upper).toBeLessThan(cost(more).lower!);
    expect(cost(fewer).lower!).toBeGreaterThan(18);
  });
  test('1000 x 0.1 at delta 1e-6 costs 19.34467, and a million cost what a thousand times as many do', () => {
    expectCost([dp('0.1', 0, { count: 1000 })], '1e-6', '19.344671447993043673');
    const { epsilon } = answer([dp('0.1', 0, { count: 1_000_000 })], atDelta('1e-6'));
    expect(epsilon.upper).toBeGreaterThan(4990);
    expect(epsilon.upper).toBeLessThan(5500);
    expect(epsilon.upper - epsilon.lower!).toBeLessThan(1e-6);
  });
});

describe('optimal only on the grid e (k - 2i) (google)', () => {
  test('30 x (1, 0.001) at delta 0.06 and 0.1', () => {
    expectCost([dp(1, '0.001', { count: 30 })], '0.06', '21.709612624528212406');
    expectCost([dp(1, '0.001', { count: 30 })], '0.1', '19.817379170052113544');
  });
  test('the epsilon each of 50 mechanisms may have within (5, 0.01) is 0.25237179031843373777, not 0.25', () => {
    const cost = (epsilon: string) => answer([dp(epsilon, 0, { count: 50 })], atDelta('0.01')).epsilon;
    expect(cost('0.252371790318').upper).toBeLessThanOrEqual(5);
    expect(cost('0.252371790319').lower!).toBeGreaterThan(5);
  });
});

describe('noise of a float transform passes for a bound (google PLD, autodp)', () => {
  test('1000 x 0.1 at delta 1e-12 costs 26.5292, not 26.5248', () => {
    const { epsilon } = answer([dp('0.1', 0, { count: 1000 })], atDelta('1e-12'));
    expect(epsilon.lower!).toBeGreaterThan(26.529);
    expect(epsilon.upper).toBeLessThan(26.5293);
  });
  test('100 x 0.1 at delta 1e-6 costs 4.7746, not 4.52', () => {
    const { epsilon } = answer([dp('0.1', 0, { count: 100 })], atDelta('1e-6'));
    expect(epsilon.lower!).toBeGreaterThan(4.7745);
    expect(epsilon.upper).toBeLessThan(4.7746);
  });
});

describe('a domain cut too short (prv_accountant, pure DP)', () => {
  test.each([
    [5, 10, '49.99999893', '50'],
    [3, 50, '149.99998865', '150'],
    [8, 20, '159.99999899', '160'],
    [30, 2, '59.999999', '60'],
  ])('%i-DP x %i costs %s', (epsilon, count, truth, basic) => {
    const result = answer([dp(epsilon, 0, { count })], atDelta('1e-6')).epsilon;
    expect(result.lower!).toBeCloseTo(Number(truth), 6);
    expect(result.upper).toBeCloseTo(Number(truth), 6);
    expect(result.upper).toBeLessThan(Number(basic));
    const group = { epsilon: String(epsilon), count };
    expect(enumeratedDelta([group], result.upper).lte('1e-6')).toBe(true);
  });
});

describe('delta = 0', () => {
  test('costs the sum of epsilon, however 0 is written (autodp: infinity)', () => {
    for (const zero of ['0', '0.0', '0e5', '-0']) {
      expect(answer([dp('0.1', 0, { count: 10 })], atDelta(zero)).epsilon).toMatchObject({
        lower: 1,
        upper: 1,
        exact: '1',
      });
    }
  });
  test('costs infinity for Gaussian noise, and for mechanisms that fail, however rarely', () => {
    expect(answer([gaussian(1)], atDelta(0)).epsilon.upper).toBe(Infinity);
    expect(answer([dp('0.1', '1e-300', { count: 9 })], atDelta(0)).epsilon).toMatchObject({ upper: Infinity });
    expect(answer([dp('0.1', '1e-130', { count: 100 })], atDelta(0)).epsilon).toMatchObject({ upper: Infinity });
    expect(answer([dp('0.1', '1e-130', { count: 100 })], atDelta('1e-128')).epsilon.upper).toBe(10);
    expect(answer([dp('0.1', '1e-130', { count: 100 })], atDelta('9.999e-129')).epsilon.upper).toBe(Infinity);
  });
});

describe('a delta that cannot be reached (PSI, smartnoise)', () => {
  test('300 x (0.1, 0.001) never has delta below 1 - 0.999^300 = 0.25929', () => {
    const entries = [dp('0.1', '0.001', { count: 300 })];
    for (const delta of ['0.19256', '0.2592', '0.25929']) {
      const result = answer(entries, atDelta(delta));
      expect(result.epsilon).toMatchObject({ lower: Infinity, upper: Infinity });
      expect(result.warnings.map(({ code }) => code)).toContain('delta-infeasible');
    }
    expect(answer(entries, atDelta('0.2593')).epsilon.upper).toBeLessThan(30);
    expect(answer(entries, atEpsilon(1000)).delta.lower!).toBeGreaterThan(0.25929);
  });
  test('the border itself is exact: it costs the sum, just below it costs infinity', () => {
    const entries = [dp('0.1', '0.1'), dp('0.2', '0.2', { count: 2 })];
    expect(answer(entries, atDelta('0.424')).epsilon).toMatchObject({ lower: 0.5, upper: 0.5, exact: '0.5' });
    const below = new Decimal('0.424').minus('1e-100').toString();
    const above = new Decimal('0.424').plus('1e-100').toString();
    expect(answer(entries, atDelta(below)).epsilon).toMatchObject({ lower: Infinity, upper: Infinity });
    expect(answer(entries, atDelta(above)).epsilon.upper).toBe(0.5);
  });
});

describe('worse than basic composition (PSI, prv_accountant)', () => {
  test('0.1, 0.2, 0.3 at delta 1e-3 cost 0.59395087391831063296', () => {
    expectCost([dp('0.1'), dp('0.2'), dp('0.3')], '1e-3', '0.59395087391831063296');
  });
  test('10 x 0.1 at delta 1e-6 cost 0.99937', () => {
    const { epsilon } = answer([dp('0.1', 0, { count: 10 })], atDelta('1e-6'));
    expect(epsilon.upper).toBeLessThan(1);
    expect(epsilon.lower!).toBeGreaterThan(0.9993);
  });
});

describe('decimals summed as binary floats (diffprivlib, OpenDP)', () => {
  test('ten times 0.1 is 1, neither below nor above', () => {
    const entries = Array.from({ length: 10 }, () => dp('0.1'));
    const basic = valueOf(answer(entries, atDelta(0)), 'basic');
    expect(basic.upper).toBe(1);
    expect(answer(entries, atDelta(0)).epsilon.exact).toBe('1');
  });
  test('0.1 + 0.9 is within a budget of 1, and 0.1 + 0.2 within 0.3', () => {
    expect(answer([dp('0.1'), dp('0.9')], atDelta(0)).epsilon).toMatchObject({ upper: 1, exact: '1' });
    expect(answer([dp('0.1'), dp('0.2')], atDelta(0)).epsilon.exact).toBe('0.3');
    expect(answer([dp('0.1'), dp('0.2')], atEpsilon('0.3')).delta).toMatchObject({ upper: 0 });
    expect(answer([dp(0, '0.1'), dp(0, '0.2')], atEpsilon(0), { bounds: ['basic'] }).delta.exact).toBe('0.3');
  });
  test('an upper bound is never below the decimal it stands for', () => {
    const { upper } = answer([dp('0.1'), dp('0.2')], atDelta(0)).epsilon;
    expect(precise(upper).gte('0.3')).toBe(true);
  });
});

describe('the number of exponential mechanisms counts (google RDP: 0.10575 for any count)', () => {
  test.each([10, 100, 1000])('%i cost more than one', (count) => {
    const bounds = ['br-rdp', 'rdp', 'zcdp'] as const;
    const one = answer([boundedRange('0.1')], atDelta('1e-6')).epsilon;
    const many = answer([boundedRange('0.1', { count })], atDelta('1e-6'), { bounds });
    expect(many.epsilon.lower!).toBeGreaterThan(5 * one.upper);
    for (const id of bounds) expect(valueOf(many, id).upper).toBeGreaterThan(many.epsilon.lower!);
  });
});
