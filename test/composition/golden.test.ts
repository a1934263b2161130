import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Decimal, decimalFromDouble } from '../../src/numeric/decimal.ts';
import type { Entry } from '../../src/privacy/mechanism.ts';
import { answer, atDelta, atEpsilon, boundedRange, dp, valueOf } from '../mechanisms.ts';

interface Group {
  readonly epsilon: string;
  readonly count: number;
}
interface Golden {
  readonly dpHomogeneousEpsilon: readonly {
    k: number;
    epsilon: string;
    deltaEach: string;
    delta: string;
    result: string | null;
  }[];
  readonly dpHomogeneousDelta: readonly {
    k: number;
    epsilon: string;
    deltaEach: string;
    epsilonTotal: string;
    result: string;
  }[];
  readonly dpHeterogeneous: readonly {
    groups: Group[];
    deltas: string[];
    epsilonTotal: string;
    result: string;
    epsilonAt1e6: string | null;
  }[];
  readonly brNonadaptiveDelta: readonly { k: number; epsilon: string; epsilonTotal: string; result: string }[];
  readonly brNonadaptiveEpsilon: readonly { k: number; epsilon: string; delta: string; result: string }[];
  readonly brClosedForms: readonly {
    k: number;
    epsilon: string;
    delta: string;
    optkl: string;
    dr19: string;
    drv: string;
    kov: string;
  }[];
  readonly brMgfDelta: readonly { k: number; epsilon: string; epsilonTotal: string; result: string }[];
  readonly brMgfEpsilon: readonly { k: number; epsilon: string; delta: string; result: string }[];
  readonly brMgfHeterogeneousEpsilon: readonly { groups: Group[]; delta: string; result: string }[];
}

const golden = JSON.parse(
  readFileSync(new URL('../../fixtures/golden/reference.json', import.meta.url), 'utf8'),
) as Golden;

/** The golden values have 25 digits; a double's neighbours differ at the 16th. */
const GOLDEN_DIGITS = 1e-22;

/** `truth` lies in [lower, upper], exactly as decimals, and the enclosure is at most `width` wide. */
function expectEnclosure(value: { lower: number | null; upper: number }, truth: string, width: number): void {
  const exact = new Decimal(truth);
  const slack = exact.times(GOLDEN_DIGITS);
  expect(value.lower).not.toBeNull();
  expect(decimalFromDouble(value.lower!).minus(slack).lte(exact), `lower ${value.lower!} above ${truth}`).toBe(true);
  expect(decimalFromDouble(value.upper).plus(slack).gte(exact), `upper ${value.upper} below ${truth}`).toBe(true);
  expect(value.upper - value.lower!).toBeLessThanOrEqual(width * Number(truth));
}

/** `value` is at or above `truth` and within 1e-9 of it, relatively. */
function expectJustAbove(value: number, truth: string): void {
  const exact = new Decimal(truth);
  expect(decimalFromDouble(value).plus(exact.times(GOLDEN_DIGITS)).gte(exact), `${value} below ${truth}`).toBe(true);
  expect(value).toBeLessThanOrEqual(Number(truth) * (1 + 1e-9));
}

const grouped = (groups: readonly Group[], make: (epsilon: string, count: number) => Entry): Entry[] =>
  groups.map(({ epsilon, count }) => make(epsilon, count));

describe('optimal composition of equal (e, d)-DP mechanisms', () => {
  test.each(golden.dpHomogeneousEpsilon)('$k x ($epsilon, $deltaEach) at delta $delta costs $result', (g) => {
    const result = answer([dp(g.epsilon, g.deltaEach, { count: g.k })], atDelta(g.delta));
    if (g.result === null) {
      expect(result.epsilon.upper).toBe(Infinity);
      expect(result.warnings.map(({ code }) => code)).toContain('delta-infeasible');
    } else {
      expectEnclosure(result.epsilon, g.result, 1e-9);
      expect(result.bound).toBe('dp-optimal');
      expect(result.tight).toBe(true);
    }
  });

  test.each(golden.dpHomogeneousDelta)(
    '$k x ($epsilon, $deltaEach) at epsilon $epsilonTotal has delta $result',
    (g) => {
      const result = answer([dp(g.epsilon, g.deltaEach, { count: g.k })], atEpsilon(g.epsilonTotal));
      expectEnclosure(result.delta, g.result, 1e-9);
    },
  );
});

describe('optimal composition of different (e, d)-DP mechanisms', () => {
  test.each(golden.dpHeterogeneous)('$groups with deltas $deltas', (g) => {
    const entries = [...grouped(g.groups, (e, count) => dp(e, 0, { count })), ...g.deltas.map((d) => dp(0, d))];
    expectEnclosure(answer(entries, atEpsilon(g.epsilonTotal)).delta, g.result, 1e-9);
    if (g.epsilonAt1e6 !== null) expectEnclosure(answer(entries, atDelta('1e-6')).epsilon, g.epsilonAt1e6, 1e-9);
  });
});

describe('bounded range', () => {
  const entry = (g: { k: number; epsilon: string }): Entry[] => [boundedRange(g.epsilon, { count: g.k })];

  test.each(golden.brNonadaptiveDelta)('nonadaptive: $k x $epsilon at epsilon $epsilonTotal has delta $result', (g) => {
    const result = answer(entry(g), atEpsilon(g.epsilonTotal), { adaptivity: 'nonadaptive' });
    expect(result.bound).toBe('br-nonadaptive');
    expectEnclosure(result.delta, g.result, 1e-9);
  });

  test.each(golden.brNonadaptiveEpsilon)('nonadaptive: $k x $epsilon at delta $delta costs $result', (g) => {
    const result = answer(entry(g), atDelta(g.delta), { adaptivity: 'nonadaptive' });
    expectEnclosure(result.epsilon, g.result, 1e-9);
  });

  test.each(golden.brClosedForms)('closed forms: $k x $epsilon at delta $delta', (g) => {
    const result = answer(entry(g), atDelta(g.delta));
    expectJustAbove(valueOf(result, 'br-optkl').upper, g.optkl);
    expectJustAbove(valueOf(result, 'br-dr19').upper, g.dr19);
    expectJustAbove(valueOf(result, 'advanced-drv').upper, g.drv);
    expectJustAbove(valueOf(result, 'advanced-kov').upper, g.kov);
  });

  test.each(golden.brMgfDelta)('moments: $k x $epsilon at epsilon $epsilonTotal give $result', (g) => {
    const result = answer(entry(g), atEpsilon(g.epsilonTotal));
    expectJustAbove(valueOf(result, 'br-mgf').upper, g.result);
    expect(valueOf(result, 'br-rdp').upper).toBeLessThan(Number(g.result));
  });

  test.each(golden.brMgfEpsilon)('moments: $k x $epsilon at delta $delta give $result', (g) => {
    expectJustAbove(valueOf(answer(entry(g), atDelta(g.delta)), 'br-mgf').upper, g.result);
  });

  test.each(golden.brMgfHeterogeneousEpsilon)('moments: $groups at delta $delta give $result', (g) => {
    const entries = grouped(g.groups, (e, count) => boundedRange(e, { count }));
    expectJustAbove(valueOf(answer(entries, atDelta(g.delta)), 'br-mgf').upper, g.result);
  });
});

describe('the values the project is held to', () => {
  test.each([
    ['1e-6', '19.344671447993043673'],
    ['1e-15', '29.354668980332927'],
    ['1e-30', '40.1739595629788503'],
  ])('1000 x (0.1, 0) at delta %s costs %s', (delta, truth) => {
    const { epsilon } = answer([dp('0.1', 0, { count: 1000 })], atDelta(delta));
    expect(epsilon.lower!).toBeLessThanOrEqual(Number(truth) * (1 + 1e-15));
    expect(epsilon.upper).toBeGreaterThanOrEqual(Number(truth) * (1 - 1e-15));
    expect(epsilon.upper - epsilon.lower!).toBeLessThan(1e-9);
  });

  test('e_i = 0.01 i for i to 100 at delta 1e-6 costs 38.353445375135482704', () => {
    const entries = Array.from({ length: 100 }, (_, i) => dp(new Decimal(i + 1).div(100).toString()));
    expectEnclosure(answer(entries, atDelta('1e-6')).epsilon, '38.353445375135482704', 1e-9);
  });

  test('30 x (1, 0.001) at delta 0.06 costs 21.709612624528212406, and 0.02 is infeasible', () => {
    const entries = [dp(1, '0.001', { count: 30 })];
    expectEnclosure(answer(entries, atDelta('0.06')).epsilon, '21.709612624528212406', 1e-9);
    const infeasible = answer(entries, atDelta('0.02'));
    expect(infeasible.epsilon).toMatchObject({ lower: Infinity, upper: Infinity });
    expect(infeasible.warnings).toContainEqual({
      code: 'delta-infeasible',
      failure: '0.029569032737',
      smallestDelta: '0.029569032737',
    });
  });

  test('one (0.5, 1e-7) mechanism at delta exactly 1e-7 costs exactly 0.5', () => {
    expect(answer([dp('0.5', '1e-7')], atDelta('1e-7')).epsilon).toMatchObject({ lower: 0.5, upper: 0.5 });
  });

  test('100 exponential mechanisms of range 0.1 at delta 1e-6', () => {
    const entries = [boundedRange('0.1', { count: 100 })];
    const adaptive = answer(entries, atDelta('1e-6'));
    expectJustAbove(valueOf(adaptive, 'br-mgf').upper, '2.7286299975504580');
    expectJustAbove(valueOf(adaptive, 'br-rdp').upper, '2.40019879018898');
    expectJustAbove(valueOf(adaptive, 'br-optkl').upper, '2.7532435276244497');
    expectJustAbove(valueOf(adaptive, 'br-dr19').upper, '3.1282608848784660');
    expect(adaptive.bound).toBe('br-adaptive');
    expect(adaptive.epsilon.upper).toBeLessThan(2.2521);
    const fixed = answer(entries, atDelta('1e-6'), { adaptivity: 'nonadaptive' });
    expect(fixed.epsilon.lower).toBeCloseTo(2.246026212456179, 11);
    expect(fixed.epsilon.upper).toBeCloseTo(2.246026212456179, 11);
    expect(adaptive.epsilon.lower).toBeGreaterThan(2.246026212456179);
  });
});
