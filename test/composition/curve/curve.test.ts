import { describe, expect, it } from 'vitest';
import { compose } from '../../../src/composition/compose/compose.ts';
import {
  curve,
  withCount,
  type CurveAnswer,
  type CurveOptions,
  type CurveQuestion,
} from '../../../src/composition/curve/curve.ts';
import type { PlanNode } from '../../../src/composition/core/plan-node.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import type { Entry, Mechanism } from '../../../src/privacy/mechanism.ts';
import { gaussian, sampled } from '../../mechanisms.ts';

const entry = (mechanism: Mechanism, count = 1, label: string | null = null): Entry => ({
  mechanism,
  count,
  kind: 'noninteractive',
  label,
});
const dp = (epsilon: string, delta = '0'): Mechanism => ({
  type: 'dp',
  epsilon: new Decimal(epsilon),
  delta: new Decimal(delta),
});
const range = (epsilon: string): Mechanism => ({ type: 'bounded-range', epsilon: new Decimal(epsilon) });
const decimals = (...values: readonly (string | number)[]): Decimal[] => values.map((value) => new Decimal(value));

function drawn(question: CurveQuestion, options?: CurveOptions): CurveAnswer {
  const outcome = curve(question, options);
  if (outcome.kind === 'refusal') throw new Error(outcome.refusal.code);
  return outcome.curve;
}

/** The upper ends of a line. */
const uppers = ({ lines }: CurveAnswer, line = 0): (number | null)[] =>
  lines[line]!.points.map((point) => ('value' in point ? point.value.upper : null));

/** The upper end of the answer to one question about a list. */
function upperOf(entries: readonly PlanNode[], target: { delta: string } | { epsilon: string }): number {
  const query =
    'delta' in target
      ? ({ solveFor: 'epsilon', delta: new Decimal(target.delta) } as const)
      : ({ solveFor: 'delta', epsilon: new Decimal(target.epsilon) } as const);
  const outcome = compose({ entries, adaptivity: 'adaptive' }, query);
  if (outcome.kind === 'refusal') throw new Error(outcome.refusal.code);
  return outcome.answer[query.solveFor].upper;
}

const close = (found: readonly (number | null)[], expected: readonly number[]): void => {
  expect(found).toHaveLength(expected.length);
  found.forEach((value, index) => {
    expect(value).not.toBeNull();
    expect(Math.abs((value ?? NaN) / expected[index]! - 1)).toBeLessThan(1e-9);
  });
};

describe('a curve', () => {
  const counts = entry(dp('0.1'), 40, 'counts');
  const total = entry(dp('0.5', '1e-8'), 2, 'total');
  const list = [counts, total];
  const problem = { entries: list, adaptivity: 'adaptive' } as const;

  it.each([
    ['exponential mechanisms', [entry(range('0.1'))]],
    ['pure DP', [entry(dp('0.1')), entry(dp('0.03'), 7)]],
    ['approximate DP', [entry(dp('0.5', '1e-9'))]],
    ['Gaussian noise', [gaussian('20')]],
    ['Laplace noise', [entry({ type: 'laplace', scale: new Decimal(20), sensitivity: new Decimal(1) })]],
    ['a mixture', [entry(range('0.1')), entry(dp('0.05'), 3)]],
  ] as const)('of %s has the number and the theorem of a question of its own at every point', (_, mechanisms) => {
    for (const adaptivity of ['adaptive', 'nonadaptive'] as const) {
      for (const delta of decimals('1e-6', '0.1')) {
        const entries: readonly Entry[] = mechanisms;
        const values = decimals(1, 2, 9, 40);
        const along = { name: 'count', entry: entries[0]! } as const;
        const { lines } = drawn({ problem: { entries, adaptivity }, along, values, solveFor: 'epsilon', given: delta });
        values.forEach((value, at) => {
          const own = withCount(entries, entries[0]!, value.toNumber());
          const outcome = compose({ entries: own, adaptivity }, { solveFor: 'epsilon', delta });
          if (outcome.kind === 'refusal') throw new Error(outcome.refusal.code);
          const { epsilon, bound } = outcome.answer;
          expect(lines[0]!.points[at]).toMatchObject({ value: { upper: epsilon.upper }, bound });
        });
      }
    }
  });

  it('along delta is the answer at each delta', () => {
    const answer = drawn({
      problem,
      along: { name: 'delta' },
      values: decimals('1e-7', '1e-5', '0.1'),
      solveFor: 'epsilon',
      given: null,
    });
    close(uppers(answer), [
      upperOf(list, { delta: '1e-7' }),
      upperOf(list, { delta: '1e-5' }),
      upperOf(list, { delta: '0.1' }),
    ]);
  });

  it('along epsilon is the answer at each epsilon', () => {
    const values = decimals('0.5', '1', '3');
    const answer = drawn({ problem, along: { name: 'epsilon' }, values, solveFor: 'delta', given: null });
    close(
      uppers(answer),
      ['0.5', '1', '3'].map((epsilon) => upperOf(list, { epsilon })),
    );
  });

  it('along a count is the answer with that count of one mechanism, and the others as they are', () => {
    const answer = drawn({
      problem,
      along: { name: 'count', entry: counts },
      values: decimals(1, 10, 300),
      solveFor: 'epsilon',
      given: new Decimal('1e-6'),
    });
    close(
      uppers(answer),
      [1, 10, 300].map((count) => upperOf([{ ...counts, count }, total], { delta: '1e-6' })),
    );
  });

  it('along times is the answer for the list so many times', () => {
    const answer = drawn({
      problem,
      along: { name: 'times' },
      values: decimals(1, 3),
      solveFor: 'epsilon',
      given: new Decimal('1e-6'),
    });
    close(uppers(answer), [upperOf(list, { delta: '1e-6' }), upperOf([...list, ...list, ...list], { delta: '1e-6' })]);
  });

  it('has a line for each bound that is asked for, in that order', () => {
    const { lines } = drawn(
      { problem, along: { name: 'delta' }, values: decimals('1e-6'), solveFor: 'epsilon', given: null },
      { bounds: ['basic', 'dp-optimal', 'br-mgf'] },
    );
    expect(lines.map(({ id }) => id)).toEqual(['basic', 'dp-optimal', 'br-mgf']);
    expect(lines[0]?.points[0]).toMatchObject({ bound: 'basic' });
    expect(lines[2]?.points[0]).toMatchObject({ reason: { code: 'needs-types' } });
  });

  it('has gaps where a bound does not apply', () => {
    const entries = [entry(range('0.1'))] as const;
    const [fixed] = drawn(
      {
        problem: { entries, adaptivity: 'adaptive' },
        along: { name: 'count', entry: entries[0] },
        values: decimals(1, 2),
        solveFor: 'epsilon',
        given: new Decimal('1e-6'),
      },
      { bounds: ['br-nonadaptive'] },
    ).lines;
    expect(fixed?.points).toMatchObject([{ bound: 'br-nonadaptive' }, { reason: { code: 'needs-nonadaptive' } }]);
  });

  it('is refused where no point has an answer', () => {
    const question: CurveQuestion = {
      problem: { ...problem, adaptivity: 'parameters' },
      along: { name: 'delta' },
      values: decimals('1e-6', '1e-5'),
      solveFor: 'epsilon',
      given: null,
    };
    expect(curve(question)).toMatchObject({ kind: 'refusal', refusal: { code: 'adaptive-parameters' } });
    const unmet = curve({ ...question, problem }, { bounds: ['gaussian'] });
    expect(unmet).toMatchObject({ kind: 'refusal', refusal: { code: 'no-bound' } });
  });

  it('warns once of what concerns all points, and leaves what one number says to that number', () => {
    const mixed = [entry(dp('0.1'), 5), entry(range('0.1'), 5), entry({ type: 'zcdp', rho: new Decimal('0.01') })];
    const { warnings } = drawn({
      problem: { ...problem, entries: mixed },
      along: { name: 'delta' },
      values: decimals('1e-7', '1e-6', '1e-5'),
      solveFor: 'epsilon',
      given: null,
    });
    expect(warnings.map(({ code }) => code)).toEqual(['mixed-classes']);
    const infeasible = drawn({
      problem,
      along: { name: 'delta' },
      values: decimals('1e-9', '1e-6'),
      solveFor: 'epsilon',
      given: null,
    });
    expect(infeasible.warnings).toEqual([]);
    expect(uppers(infeasible)[0]).toBe(Infinity);
  });

  it('tells how many points are done, and computes each once', () => {
    const told: number[] = [];
    drawn(
      { problem, along: { name: 'epsilon' }, values: decimals(1, 2, 3), solveFor: 'delta', given: null },
      { progress: (done) => told.push(done) },
    );
    expect(told).toEqual([0, 1, 2]);
  });

  it('never falls as mechanisms are added, nor rises with delta', () => {
    const [ranged] = [entry(range('0.2'))];
    const values = Array.from({ length: 40 }, (_, index) => new Decimal(index + 1));
    const along = drawn(
      {
        problem: { entries: [ranged], adaptivity: 'nonadaptive' },
        along: { name: 'count', entry: ranged },
        values,
        solveFor: 'epsilon',
        given: new Decimal('1e-6'),
      },
      { bounds: ['br-nonadaptive'] },
    );
    const [line] = along.lines;
    line?.points.slice(1).forEach((point, index) => {
      const before = line.points[index]!;
      if (!('value' in point) || !('value' in before)) throw new Error('a gap');
      expect(point.value.upper).toBeGreaterThanOrEqual(before.value.lower ?? Infinity);
    });
  });

  it('runs along the count of a mechanism inside parts', () => {
    const inner = entry(dp('0.1'), 1, 'inner');
    const plan: PlanNode[] = [
      {
        node: 'partition',
        label: null,
        sparsity: 1,
        counted: 'parts',
        of: [{ node: 'group', label: null, nodes: [inner, total] }, total],
      },
    ];
    const answer = drawn({
      problem: { entries: plan, adaptivity: 'adaptive' },
      along: { name: 'count', entry: inner },
      values: decimals(5, 50),
      solveFor: 'epsilon',
      given: new Decimal('1e-6'),
    });
    close(
      uppers(answer),
      [5, 50].map((count) => upperOf(withCount(plan, inner, count), { delta: '1e-6' })),
    );
    expect(withCount(plan, inner, 5)).not.toEqual(plan);
  });

  it('never falls along counts and never rises along deltas, at either end', () => {
    const training: Entry = sampled(gaussian('2.47', { count: 30 }), '1.74e-4');
    const along = (question: Pick<CurveQuestion, 'along' | 'values' | 'given'>) =>
      drawn({ problem: { entries: [training], adaptivity: 'adaptive' }, solveFor: 'epsilon', ...question }).lines[0]!
        .points;
    const counts = Array.from({ length: 40 }, (_, i) => 10 + i);
    const deltas = Array.from({ length: 40 }, (_, i) => `1e-${String(3 + i)}`).reverse();
    for (const [points, sign] of [
      [
        along({ along: { name: 'count', entry: training }, values: decimals(...counts), given: new Decimal('1e-6') }),
        1,
      ],
      [along({ along: { name: 'delta' }, values: decimals(...deltas), given: null }), -1],
    ] as const) {
      points.forEach((point, i) => {
        const before = points[i - 1];
        if (!before || !('value' in before) || !('value' in point)) return;
        expect(sign * (point.value.upper - before.value.upper)).toBeGreaterThanOrEqual(0);
        expect(sign * (point.value.lower! - before.value.lower!)).toBeGreaterThanOrEqual(0);
      });
    }
  });
});
