import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { verdictOn, type Budget, type Problem } from '../../../src/composition/compose/compose.ts';
import { isEntry } from '../../../src/composition/core/plan-node.ts';
import { mechanismsIn, withMechanisms } from '../../../src/composition/solve/mechanisms.ts';
import { parameterOf } from '../../../src/privacy/mechanisms/records.ts';
import { solve, solveTotal, type SolveOutcome } from '../../../src/composition/solve/solve.ts';
import { decimalFromDouble } from '../../../src/numeric/decimal.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { boundedRange, decimal, dp, gaussian, gdp, laplace, zcdp, type Text } from '../../mechanisms.ts';
import { group, parallel } from '../../plans.ts';

const budget = (epsilon: Text, delta: Text = '1e-6'): Budget => ({ epsilon: decimal(epsilon), delta: decimal(delta) });
const list = (...entries: Problem['entries']): Problem => ({ entries, adaptivity: 'nonadaptive' });

/** Bounds in closed form, and sums: many questions are asked. */
const QUICK = { bounds: ['dp-optimal', 'gaussian', 'br-nonadaptive', 'zcdp', 'basic'] } as const;

const passes = (problem: Problem, limit: Budget): boolean =>
  problem.entries.length === 0 || verdictOn(problem, limit, QUICK).kind === 'within';

function entriesWith(problem: Problem, replaced: ReadonlyMap<number, Entry>): Problem {
  return { ...problem, entries: withMechanisms(problem.entries, replaced) };
}

const valueOf = (outcome: SolveOutcome): number => {
  if (outcome.kind !== 'solved') throw new Error(`not solved: ${outcome.kind}`);
  return outcome.value.toNumber();
};

const positive = (least: number, most: number) =>
  fc.double({ min: Math.log(least), max: Math.log(most), noNaN: true }).map((x) => Math.exp(x).toPrecision(3));

/** One of several kinds of mechanism, of about the same privacy. */
const mechanism = (count = 1) =>
  fc.tuple(fc.constantFrom('dp', 'range', 'gaussian', 'zcdp', 'gdp'), positive(0.2, 1)).map(([type, x]) => {
    const more = { count };
    switch (type) {
      case 'dp':
        return dp(x, '1e-9', more);
      case 'range':
        return boundedRange(x, more);
      case 'gaussian':
        return gaussian((4 / Number(x)).toPrecision(3), more);
      case 'zcdp':
        return zcdp((Number(x) ** 2 / 8).toPrecision(3), more);
      case 'gdp':
        return gdp(x, more);
      default:
        throw new Error(type);
    }
  });

describe('solving, against brute force on random cases', () => {
  it.each(['1e-6', '1e-4'])('finds the same whole number as counting up: delta %s', (delta) => {
    fc.assert(
      fc.property(mechanism(), fc.boolean(), positive(0.3, 3), (one, holds, total) => {
        // Held is what the same closed forms cover.
        const held = holds ? { ...one, count: 1 } : null;

        const problem = list(one, ...(held === null ? [] : [held]));
        const limit = budget(total, delta);
        const counted = (count: number): Problem =>
          count === 0
            ? list(...(held === null ? [] : [held]))
            : entriesWith(problem, new Map([[0, { ...one, count }]]));
        const found = solve({ problem, unknown: 'count', varied: [0], budget: limit }, QUICK);
        if (found.kind === 'never') {
          expect(passes(counted(0), limit)).toBe(false);
          return;
        }
        let count = 0;
        while (passes(counted(count + 1), limit)) count++;
        expect(valueOf(found)).toBe(count);
      }),
      { numRuns: 50 },
    );
  });

  it.each([1, 4])('finds the same parameter as halving, to 1e-9 and on the safe side: count %d', (count) => {
    fc.assert(
      fc.property(mechanism(count), positive(0.3, 3), (one, total) => {
        const problem = list(one);
        const limit = budget(total);
        const parameter = parameterOf(one.mechanism)!;
        const withValue = (x: number): Problem => list({ ...one, mechanism: parameter.replaced(decimalFromDouble(x)) });
        const found = solve({ problem, unknown: 'parameter', varied: [0], budget: limit }, { ...QUICK, digits: 12 });
        let [safe, unsafe] = parameter.isNoise ? [1e6, 1e-3] : [1e-9, 1e3];
        for (let i = 0; i < 120 && Math.abs(unsafe / safe - 1) > 1e-12; i++) {
          const middle = Math.sqrt(safe * unsafe);
          if (passes(withValue(middle), limit)) safe = middle;
          else unsafe = middle;
        }
        const value = valueOf(found);
        expect(passes(withValue(value), limit)).toBe(true);
        expect(Math.abs(value / safe - 1)).toBeLessThan(1e-9);
        const beyond = value * (parameter.isNoise ? 1 - 1e-9 : 1 + 1e-9);
        expect(passes(withValue(beyond), limit)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});

describe('solving for several mechanisms together', () => {
  const limit = budget(2, 0);

  it('multiplies their counts', () => {
    const problem = list(dp('0.1', 0, { count: 2 }), dp('0.2', 0, { count: 3 }), dp('0.3'));
    const found = solve({ problem, unknown: 'count', varied: [0, 1], budget: limit });
    // m (0.2 + 0.6) + 0.3 <= 2
    expect(found).toMatchObject({ kind: 'solved', name: 'multiple', next: 'exceeds' });
    expect(valueOf(found)).toBe(2);
    if (found.kind === 'solved') expect(found.nodes.map(({ node }) => isEntry(node) && node.count)).toEqual([4, 6]);
  });

  it('scales their parameters by one factor, noise by its inverse', () => {
    const problem = list(dp('0.1', 0, { count: 5 }), laplace(4, { count: 2 }), dp('0.5'));
    const found = solve({ problem, unknown: 'parameter', varied: [0, 1], budget: limit });
    // f (0.5 + 0.5) + 0.5 <= 2
    expect(found).toMatchObject({ kind: 'solved', name: 'factor' });
    expect(valueOf(found)).toBe(1.5);
    if (found.kind !== 'solved') return;
    const replaced = new Map(found.nodes.flatMap(({ node }, at) => (isEntry(node) ? [[at, node]] : [])));
    expect(passes(entriesWith(problem, replaced), limit)).toBe(true);
  });

  it('reaches into structures', () => {
    const problem = list(group(dp('0.1'), dp('0.2')), dp('0.4'));
    const found = solve({ problem, unknown: 'parameter', varied: [0, 1], budget: budget(1, 0) });
    expect(valueOf(found)).toBe(2);
    expect(mechanismsIn(problem.entries)).toHaveLength(3);
  });
});

describe('what has no solution', () => {
  it('is told where what is held costs too much, and where all fits', () => {
    const question = { unknown: 'count', varied: [0], budget: budget(1, 0) } as const;
    expect(solve({ problem: list(dp('0.1'), dp(2)), ...question })).toMatchObject({ kind: 'never', name: 'count' });
    expect(solve({ problem: list(dp(0)), ...question })).toMatchObject({ kind: 'unbounded', next: 'none' });
  });

  it('is 0 where not even one fits', () => {
    const question = { unknown: 'count', varied: [0], budget: budget(1, 0) } as const;
    expect(solve({ problem: list(dp(2)), ...question })).toMatchObject({ kind: 'solved', answer: null, nodes: [] });
    const withRest = solve({ problem: list(dp(2), dp('0.5')), ...question });
    expect(withRest).toMatchObject({ kind: 'solved', nodes: [] });
    expect(valueOf(withRest)).toBe(0);
  });

  it('is refused where no theorem covers it', () => {
    const problem = list(dp('0.1'), parallel(1, dp(1, '1e-6', { kind: 'continual' })));
    expect(solve({ problem, unknown: 'count', varied: [0], budget: budget(1) })).toMatchObject({
      kind: 'refused',
      refusal: { code: 'chosen-along-the-way' },
    });
  });
});

describe('the total', () => {
  it('is what compose claims, and the smallest only where that is certain in every digit', () => {
    const found = solveTotal(list(dp('0.1', 0, { count: 100 })), { solveFor: 'epsilon', delta: decimal('1e-6') });
    expect(found).toMatchObject({ kind: 'solved', name: 'total-epsilon', next: 'undecided' });
    expect(valueOf(found)).toBeCloseTo(4.7745675881, 9);
    const one = solveTotal(list(dp('0.5')), { solveFor: 'epsilon', delta: decimal(0) });
    expect(one).toMatchObject({ kind: 'solved', name: 'total-epsilon', next: 'exceeds' });
  });

  it('does not exist below the smallest delta', () => {
    const found = solveTotal(list(dp('0.1', '1e-3')), { solveFor: 'epsilon', delta: decimal('1e-6') });
    expect(found.kind).toBe('never');
  });
});
