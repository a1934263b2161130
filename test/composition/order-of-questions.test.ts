import { fc } from '../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { createSession, type Session } from '../../src/bounds/core/session.ts';
import { compose, type ComposeOptions, type Problem } from '../../src/composition/compose/compose.ts';
import { answererOf } from '../../src/composition/entries/compose-entries.ts';
import type { Outcome } from '../../src/composition/core/outcome.ts';
import type { Entry } from '../../src/privacy/mechanism.ts';
import type { Query } from '../../src/privacy/curve.ts';
import { atDelta, atEpsilon, boundedRange, dp, gaussian, laplace } from '../mechanisms.ts';
import { parallel, partition } from '../plans.ts';
import { someOf } from '../reference/share.ts';

/** A question, with all that may have a say in its answer. */
interface Question {
  readonly problem: Problem;
  readonly query: Query;
  readonly options?: ComposeOptions;
}

const range = boundedRange('0.1', { count: 12 });
const ranges = [boundedRange('0.1', { count: 4 }), boundedRange('0.17', { count: 2 })];
const adaptive = { adaptivity: 'adaptive' } as const;
const fixed = { adaptivity: 'nonadaptive' } as const;

/** Questions that share what is slow to compute: tables of bounded-range mechanisms, coarse and fine, for near and far tails. */
const ALL: readonly Question[] = [
  ...['1e-6', '1e-3', '1e-12', '1e-40'].map((delta) => ({
    problem: { entries: [range], ...adaptive },
    query: atDelta(delta),
  })),
  ...[3, 5, 11, 40].map((count) => ({
    problem: { entries: [boundedRange('0.1', { count })], ...adaptive },
    query: atDelta('1e-6'),
  })),
  ...['1e-2', '1e-5', '1e-6'].map((tolerance) => ({
    problem: { entries: [range], ...adaptive },
    query: atDelta('1e-6'),
    options: { tolerance: Number(tolerance) },
  })),
  ...['0', '0.3', '1.1'].map((epsilon) => ({ problem: { entries: [range], ...fixed }, query: atEpsilon(epsilon) })),
  ...['1e-6', '1e-30'].map((delta) => ({ problem: { entries: [range], ...fixed }, query: atDelta(delta) })),
  { problem: { entries: ranges, ...adaptive }, query: atDelta('1e-6') },
  { problem: { entries: ranges, ...adaptive, order: 'declared' }, query: atDelta('1e-6') },
  { problem: { entries: [...ranges].reverse(), ...adaptive, order: 'declared' }, query: atDelta('1e-6') },
  { problem: { entries: ranges, ...fixed }, query: atDelta('1e-6') },
  { problem: { entries: [range, gaussian(8)], ...adaptive }, query: atDelta('1e-6') },
  { problem: { entries: [range, gaussian(8)], ...adaptive }, query: atEpsilon('0.5'), options: { tolerance: 1e-4 } },
  { problem: { entries: [range, dp('0.1', '1e-7')], ...fixed }, query: atDelta('1e-6') },
  {
    problem: { entries: [laplace(9, { count: 3 }), dp('0.05', 0, { count: 3 })], ...adaptive },
    query: atDelta('1e-6'),
  },
  ...['1e-6', '3e-6', '1e-20', '0.2'].map((delta) => ({
    problem: { entries: [laplace(9, { count: 30 }), dp('0.0512345', 0, { count: 3 })], ...adaptive },
    query: atDelta(delta),
  })),
  ...['0', '0.4', '0.41'].map((epsilon) => ({
    problem: { entries: [laplace(9, { count: 30 }), dp('0.0512345', 0, { count: 3 })], ...adaptive },
    query: atEpsilon(epsilon),
  })),
  {
    problem: { entries: [laplace(9, { count: 31 }), dp('0.0512345', 0, { count: 3 })], ...adaptive },
    query: atDelta('1e-6'),
  },
  { problem: { entries: [parallel(2, boundedRange('0.1', { count: 6 }))], ...adaptive }, query: atDelta('1e-6') },
  { problem: { entries: [partition([range]), dp('0.1')], ...adaptive }, query: atDelta('1e-6') },
];

const QUESTIONS = someOf(ALL, 14);

const ask = ({ problem, query, options }: Question, session?: Session): string =>
  JSON.stringify(compose(problem, query, { ...options, ...(session && { session }) }));

describe('the answer to a question', () => {
  const alone = QUESTIONS.map((question) => ask(question));
  const order = fc.shuffledSubarray([...QUESTIONS.keys()], { minLength: 2 });

  it('is the same whatever was asked before', () => {
    fc.assert(
      fc.property(order, (indices) => {
        for (const index of indices) expect(ask(QUESTIONS[index]!)).toBe(alone[index]);
      }),
      { numRuns: 3 },
    );
  });

  it('is the same in a session, which only spares what would be computed again', () => {
    fc.assert(
      fc.property(order, (indices) => {
        const session = createSession();
        for (const index of [...indices, ...indices]) expect(ask(QUESTIONS[index]!, session)).toBe(alone[index]);
      }),
      { numRuns: 3 },
    );
  });

  it('is the same where one list answers many', () => {
    const lists: readonly { readonly entries: readonly Entry[]; readonly adaptivity: 'adaptive' | 'nonadaptive' }[] = [
      { entries: [range], ...adaptive },
      { entries: [range], ...fixed },
      { entries: ranges, ...fixed },
      { entries: [range, gaussian(8)], ...adaptive },
    ];
    const queries = [atDelta('1e-6'), atDelta('1e-20'), atEpsilon('0.2'), atEpsilon('0.9'), atDelta('0.1')];
    for (const list of lists) {
      const each = queries.map((query): Outcome => compose(list, query));
      fc.assert(
        fc.property(fc.shuffledSubarray([...queries.keys()], { minLength: 2 }), (indices) => {
          const answer = answererOf(list);
          for (const index of indices) expect(answer(queries[index]!)).toEqual(each[index]);
        }),
        { numRuns: 3 },
      );
    }
  });
});
