import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { verdictOn, type Budget, type Verdict, type Problem } from '../../../src/composition/compose/compose.ts';
import { isEntry, type PlanNode } from '../../../src/composition/core/plan-node.ts';
import { nodesIn, withMechanisms, withNode } from '../../../src/composition/solve/mechanisms.ts';
import { parameterOf } from '../../../src/privacy/mechanisms/records.ts';
import { solve, type SolveQuestion } from '../../../src/composition/solve/solve.ts';
import { structureNumber, type StructureNumber } from '../../../src/composition/solve/largest-count.ts';
import type { Decimal } from '../../../src/numeric/decimal.ts';
import { solveStatement } from '../../../src/output/solve.ts';
import {
  boundedRange,
  decimal,
  discreteGaussian,
  discreteLaplace,
  dp,
  gaussian,
  laplace,
  rdp,
  zcdp,
  type Text,
} from '../../mechanisms.ts';
import { group, local, parallel, partition } from '../../plans.ts';
import { someOf } from '../../reference/share.ts';

const budget = (epsilon: Text, delta: Text = '1e-6'): Budget => ({ epsilon: decimal(epsilon), delta: decimal(delta) });
const list = (...entries: readonly PlanNode[]): Problem => ({ entries, adaptivity: 'adaptive' });

/** A problem in which what varies has a value. */
function problemWith(question: SolveQuestion, value: Decimal): Problem {
  const { problem, unknown } = question;
  if ('path' in question) {
    const { node } = nodesIn(problem.entries).find(({ path }) => path === question.path)!;
    const own = structureNumber(node, question.unknown)!;
    return { ...problem, entries: withNode(problem.entries, question.path, own.replaced(value.toNumber())) };
  }
  const [index] = question.varied as [number];
  const entry = problem.entries[index]!;
  if (!isEntry(entry)) throw new Error('a mechanism varies');
  const changed =
    unknown === 'count'
      ? { ...entry, count: value.toNumber() }
      : { ...entry, mechanism: parameterOf(entry.mechanism)!.replaced(value) };
  return { ...problem, entries: withMechanisms(problem.entries, new Map([[index, changed]])) };
}

type BudgetQuestion = SolveQuestion & { readonly budget: Budget };

/** Every sentence of an outcome, held against the verdicts on the values that it speaks of, and on some beyond them. */
function hold(question: BudgetQuestion, more: Parameters<typeof solve>[1] = {}): string {
  const outcome = solve(question, more);
  if (outcome.kind === 'refused') throw new Error(`refused: ${outcome.refusal.code}`);
  const said = solveStatement(outcome, { kind: 'within', question });
  const verdict = (value: Decimal): Verdict['kind'] => verdictOn(problemWith(question, value), question.budget).kind;
  const isNoise = ['scale', 'sigma'].includes(outcome.name);
  const beyond = (value: Decimal, times: number): Decimal =>
    isNoise ? value.div(times) : question.unknown === 'parameter' ? value.times(times) : value.times(times).ceil();
  if (outcome.kind === 'never') {
    if (!outcome.isCertain) expect(said).toContain('is shown to be');
    return said;
  }
  const solution = outcome.kind === 'cut' ? outcome.within : outcome;
  const value = solution?.value ?? null;
  const answer = solution?.answer ?? null;
  if (answer !== null) {
    // What is shown is within, not only said to be.
    const { epsilon, delta } = question.budget;
    expect(decimal(answer.epsilon.exact ?? answer.epsilon.upper).lte(epsilon)).toBe(true);
    expect(decimal(answer.delta.exact ?? answer.delta.upper).lte(delta)).toBe(true);
  }
  const { exceeding, isSteady } = outcome;
  if (value !== null && !value.isZero()) expect(verdict(value)).toBe('within');
  if (exceeding !== null) {
    expect(verdict(exceeding)).toBe('exceeds');
    expect(said).toContain('exceeds the budget');
    for (const times of isSteady ? [1.01, 1.3, 4] : []) expect(verdict(beyond(exceeding, times))).not.toBe('within');
  }
  // What is said to be the largest has what exceeds right behind it.
  const claim = /The (?:largest|smallest) [\w ]+ within \(.*?\) is (at (?:least|most) )?[\d.,e-]+/.exec(said);
  if (claim !== null && claim[1] === undefined) {
    expect(outcome).toMatchObject({ kind: 'solved', next: 'exceeds', isSteady: true });
    expect(exceeding).not.toBeNull();
  }
  if (!isSteady) expect(said).not.toContain('smallest sigma within');
  return said;
}

const positive = (least: number, most: number) =>
  fc.double({ min: Math.log(least), max: Math.log(most), noNaN: true }).map((x) => Math.exp(x).toPrecision(3));

/** Mechanisms whose curves are closed forms. */
const quick = fc.tuple(fc.nat(4), positive(0.05, 1), fc.integer({ min: 1, max: 20 })).map(([type, x, count]) => {
  const make = [
    () => dp(x, '1e-9', { count }),
    () => gaussian((4 / Number(x)).toPrecision(3), { count }),
    () => zcdp((Number(x) ** 2 / 8).toPrecision(3), { count }),
    () => rdp([['8', x]], { count }),
    () => boundedRange(x, { kind: 'interactive', count }),
  ][type]!;
  return make();
});

describe('what solve says is so', () => {
  it('of mechanisms whose curves are closed forms, alone and beside others', () => {
    fc.assert(
      fc.property(
        quick,
        fc.option(fc.constantFrom(dp('0.1'), zcdp('0.001'), gaussian(20))),
        fc.constantFrom('count' as const, 'parameter' as const),
        positive(0.2, 4),
        fc.constantFrom('1e-6', '1e-3', '0'),
        fc.constantFrom(2, 6, 12),
        (one, held, unknown, total, delta, digits) => {
          const problem = list(one, ...(held === null ? [] : [held]));
          hold({ problem, unknown, varied: [0], budget: budget(total, delta) }, { digits });
        },
      ),
      { numRuns: 25 },
    );
  });

  it.each<readonly [string, PlanNode, Budget]>([
    ['Laplace noise', laplace(4, { count: 3 }), budget(1)],
    ['discrete Laplace noise', discreteLaplace(5, 1, { count: 4 }), budget(1, '1e-3')],
    ['bounded range', boundedRange('0.1', { count: 6 }), budget('0.8', '1e-4')],
  ])('of mechanisms that take lattices and tables: %s', (_, one, limit) => {
    for (const unknown of ['count', 'parameter'] as const) {
      hold({ problem: list(one), unknown, varied: [0], budget: limit }, { digits: 4 });
    }
    hold({ problem: list(one, dp('0.05', '1e-9')), unknown: 'count', varied: [0], budget: limit });
  });

  it('where less noise may cost less', () => {
    // Delta of one discrete Gaussian at epsilon 3.8815 rises with sigma from 0.4787 to 0.4835.
    const problem = list(discreteGaussian('0.48', 1));
    const said = hold(
      { problem, unknown: 'parameter', varied: [0], budget: budget('3.8815', '0.0861') },
      { digits: 4 },
    );
    expect(said).toMatch(/^A sigma of \S+ is within .* A still smaller one may be within/);
  });

  const nodes: readonly (readonly [StructureNumber, PlanNode])[] = [
    ['instances', parallel(1, dp('0.1', '1e-9', { kind: 'continual' }), { instances: 10 })],
    ['sparsity', parallel(1, dp('0.1', 0, { kind: 'continual' }), { instances: 40 })],
    ['sparsity', partition([dp('0.1'), dp('0.2'), dp('0.3'), dp('0.4')])],
    ['users', local(2, dp('0.1', '1e-9'), 10)],
    ['differing', local(1, dp('0.1'), 50)],
  ];
  it.each(nodes)('of %s', (unknown, node) => {
    for (const total of someOf(['0.05', '0.3', '0.75', '1.2', '9'], 3)) {
      hold({ problem: list(node), unknown, path: 'mechanisms[0]', budget: budget(total) });
      hold({
        problem: list(dp('0.1'), group(node)),
        unknown,
        path: 'mechanisms[1].mechanisms[0]',
        budget: budget(total),
      });
    }
  });

  it('where the search is cut', () => {
    const problem = list(laplace(4, { count: 3 }), dp('0.01'));
    const question: BudgetQuestion = { problem, unknown: 'parameter', varied: [0], budget: budget(1) };
    const seen = new Set<string>();
    for (const most of [0, 1, 3, 6, 9, 12, 100]) {
      let left = most;
      const over = { isOver: false };
      const said = hold(question, {
        exhausted: () => (over.isOver ||= left-- <= 0),
        interrupted: () => over.isOver,
      });
      seen.add(said.replace(/[\d.e-]+/g, '#'));
      if (most === 0)
        expect(said).toBe(
          '--max-seconds ran out before the smallest scale within (1, 1e-6) was found. None was shown to be within so far.',
        );
    }
    expect(seen.size).toBeGreaterThan(2);
  });
});
