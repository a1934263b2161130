import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import {
  claimedDifference,
  compare,
  isIncrease,
  matchNodes,
  type Comparison,
  type Side,
} from '../../../src/composition/diff/compare.ts';
import type { PlanNode } from '../../../src/composition/core/plan-node.ts';
import { USUAL_SETTING } from '../../../src/composition/core/setting.ts';
import { asLower, asUpper, type Bracket } from '../../../src/numeric/enclosure.ts';
import { atDelta, boundedRange, decimal, dp, laplace } from '../../mechanisms.ts';
import { group, parallel } from '../../plans.ts';

const side = (entries: readonly PlanNode[], more: Partial<Side> = {}): Side => ({
  entries,
  adaptivity: 'adaptive',
  order: 'any',
  setting: USUAL_SETTING,
  target: null,
  ...more,
});

const QUERY = { solveFor: 'epsilon', delta: decimal(0) } as const;

function compared(before: Side, after: Side): Comparison {
  const comparison = compare(before, after, QUERY, { bounds: ['basic'] });
  if ('refusal' in comparison) throw new Error(comparison.refusal.code);
  return comparison;
}

/** The changes with how much each costs alone. */
const costs = (comparison: Comparison): [string, number][] =>
  comparison.changes.map(({ change, total }) => {
    if ('refusal' in total) throw new Error(total.refusal.code);
    return [change.kind, claimedDifference(comparison.before.epsilon, total.value)?.toNumber() ?? NaN];
  });

describe('the elements of two specifications', () => {
  const kinds = (before: readonly PlanNode[], after: readonly PlanNode[]): [number | null, number | null][] =>
    matchNodes(before, after).map((each) => [each.before?.index ?? null, each.after?.index ?? null]);

  it('are matched by label first, whatever they are', () => {
    const before = [dp('0.1', 0, { label: 'a' }), dp('0.2', 0, { label: 'b' })];
    const after = [laplace(5, { label: 'b' }), dp('0.2', 0, { label: 'a' })];
    expect(kinds(before, after)).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it('are matched as they are, then but for their count, then by type', () => {
    expect(kinds([dp('0.1'), dp('0.2', 0, { count: 3 }), dp('0.3')], [dp('0.9'), dp('0.2'), dp('0.1')])).toEqual([
      [2, 0],
      [1, 1],
      [0, 2],
    ]);
  });

  it('are not matched where their labels say that they are different ones', () => {
    expect(kinds([dp('0.1', 0, { label: 'a' })], [dp('0.2', 0, { label: 'b' })])).toEqual([
      [null, 0],
      [0, null],
    ]);
    expect(kinds([dp('0.1', 0, { label: 'a' })], [dp('0.1', 0, { label: 'b' })])).toEqual([[0, 0]]);
  });

  it('are each matched once', () => {
    const element = fc
      .tuple(fc.constantFrom('0.1', '0.2', '0.3'), fc.constantFrom('a', 'b', undefined), fc.nat(2))
      .map(([epsilon, label, extra]) =>
        dp(epsilon, 0, { count: 1 + extra, ...(label === undefined ? {} : { label }) }),
      );
    fc.assert(
      fc.property(fc.array(element), fc.array(element), (before, after) => {
        const matched = kinds(before, after);
        const places = (at: 0 | 1): number[] => matched.flatMap((pair) => pair[at] ?? []).sort((a, b) => a - b);
        expect(places(0)).toEqual([...before.keys()]);
        expect(places(1)).toEqual([...after.keys()]);
      }),
    );
  });
});

describe('what a change costs', () => {
  it('is told change by change', () => {
    const before = side([dp('0.1', 0, { label: 'a', count: 5 }), dp('0.3'), boundedRange('0.2')]);
    const after = side([dp('0.1', 0, { label: 'a', count: 9 }), dp('0.3'), laplace(2)]);
    const comparison = compared(before, after);
    expect(costs(comparison)).toEqual([
      ['changed', 0.4],
      ['added', 0.5],
      ['removed', -0.2],
    ]);
    expect(comparison).toMatchObject({
      unchanged: 1,
      before: { epsilon: { exact: '1' } },
      after: { epsilon: { exact: '1.7' } },
    });
  });

  it('is nothing for a specification and itself, whatever the order of its elements', () => {
    const entries = [dp('0.1'), group(dp('0.2'), parallel(1, dp('0.1'))), dp('0.4')];
    const comparison = compared(side(entries), side(entries.toReversed()));
    expect(comparison).toMatchObject({ changes: [], unchanged: 3 });
  });

  it('is told of parts with structure as a whole', () => {
    const comparison = compared(side([group(dp('0.2'), dp('0.1'))]), side([group(dp('0.2'), dp('0.5'))]));
    expect(costs(comparison)).toEqual([['changed', 0.4]]);
  });

  it('is told of adaptivity, of other settings and of the target', () => {
    const entries = [boundedRange('0.1', { count: 30 })];
    const target = atDelta('1e-6');
    const comparison = compare(
      side(entries, { target }),
      side(entries, {
        target: atDelta('1e-3'),
        adaptivity: 'nonadaptive',
        setting: { ...USUAL_SETTING, symmetric: 'stated' },
      }),
      target,
      { bounds: ['br-mgf', 'br-nonadaptive'] },
    );
    if ('refusal' in comparison) throw new Error(comparison.refusal.code);
    const found = costs(comparison);
    expect(found.map(([kind]) => kind)).toEqual(['adaptivity', 'setting', 'target']);
    expect(found[0]![1]).toBeLessThan(0);
    expect(found[1]![1]).toBe(0);
    expect(found[2]![1]).toBeLessThan(0);
  });

  it('is told at one target where both ask for different things', () => {
    const after = side([dp('0.1')], { target: { solveFor: 'delta', epsilon: decimal(1) } });
    expect(compared(side([dp('0.2')]), after)).toMatchObject({
      incomparable: true,
      after: { epsilon: { upper: 0.1 } },
    });
  });

  it('is the whole cost where everything is removed or added', () => {
    const comparison = compared(side([dp('0.2')]), side([laplace(10)]));
    expect(costs(comparison)).toEqual([
      ['added', 0.1],
      ['removed', -0.2],
    ]);
  });
});

describe('an increase', () => {
  const at = (upper: number): Bracket => ({ lower: asLower(0), upper: asUpper(upper) });

  it('is more than rounding', () => {
    expect(isIncrease(at(1), at(1.1))).toBe(true);
    expect(isIncrease(at(1), at(Infinity))).toBe(true);
    expect(isIncrease(at(1), at(1 + 1e-15))).toBe(false);
    expect(isIncrease(at(1.1), at(1))).toBe(false);
    expect(isIncrease(at(Infinity), at(Infinity))).toBe(false);
    expect(isIncrease(at(0), at(1e-12))).toBe(true);
  });

  const enclosed = (lower: number, upper: number): Bracket => ({ lower: asLower(lower), upper: asUpper(upper) });
  const exact = (text: string): Bracket => ({ ...enclosed(Number(text), Number(text)), exact: text });

  it('is more than the width of the enclosures, where these stand for one number', () => {
    const [a, b] = [enclosed(2.4943754, 2.4943759), enclosed(2.4943757, 2.4943761)];
    expect(claimedDifference(a, b)?.toString()).toBe('0');
    expect(isIncrease(a, b)).toBe(false);
    const c = enclosed(2.49437595, 2.4943763);
    expect(claimedDifference(a, c)?.toNumber()).toBeCloseTo(4e-7, 10);
    expect(isIncrease(a, c)).toBe(true);
    expect(isIncrease(c, a)).toBe(false);
  });

  it('is more where enclosures are wide, as only the claims are compared then', () => {
    const [a, b] = [enclosed(2.2508, 2.2511), enclosed(2.2509, 2.2512)];
    expect(isIncrease(a, b)).toBe(true);
    expect(claimedDifference(a, b)?.toNumber()).toBeCloseTo(1e-4, 10);
  });

  it('is none by the rounding of one and the same value', () => {
    const entries = [laplace(10), dp('0.3'), laplace(20), dp('0.1', '1e-9')];
    const comparison = compare(side(entries), side(entries.toReversed()), atDelta('1e-6'));
    if ('refusal' in comparison) throw new Error(comparison.refusal.code);
    expect(claimedDifference(comparison.before.epsilon, comparison.after.epsilon)?.toString()).toBe('0');
    const [lower, upper] = [4.774567588107958, 4.774567588108017];
    const moved = enclosed(lower + 3.02e-14, upper + 3.02e-14);
    expect(claimedDifference(enclosed(lower, upper), moved)?.toString()).toBe('0');
    expect(claimedDifference({ lower: null, upper: asUpper(upper) }, moved)?.toString()).toBe('0');
  });

  it('is exact where both claims are', () => {
    expect(claimedDifference(exact('1'), exact('1.0000000000000001'))?.toString()).toBe('1e-16');
    expect(isIncrease(exact('1'), exact('1.0000000000000001'))).toBe(true);
    expect(isIncrease(exact('1'), exact('1'))).toBe(false);
  });
});
