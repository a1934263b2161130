import { describe, expect, test } from 'vitest';
import {
  answer,
  atDelta,
  atEpsilon,
  boundedRange,
  discreteLaplace,
  dp,
  finitePair,
  gaussian,
  gdp,
  laplace,
  zcdp,
} from '../../mechanisms.ts';
import { claim, group, local, parallel, partition, planAnswer } from '../../plans.ts';

// A trade-off function is declared of the two views of every adaptive adversary: of one mechanism alone it needs no theorem.

const kinds = ['interactive', 'continual'] as const;

describe.each(kinds)('one %s mechanism alone', (kind) => {
  test.each([
    ['Gaussian noise', (options: object) => gaussian(10, options)],
    ['Gaussian DP', (options: object) => gdp('0.1', options)],
    ['Laplace noise', (options: object) => laplace(3, options)],
    ['discrete Laplace noise', (options: object) => discreteLaplace(3, 1, options)],
    ['a finite pair', (options: object) => finitePair(['0.5', '0.3', '0.2'], ['0.2', '0.3', '0.5'], options)],
  ])('has the curve of its trade-off function, without a warning: %s', (_, of) => {
    for (const query of [atDelta('1e-3'), atEpsilon('0.05')]) {
      const once = answer([of({})], query);
      const found = answer([of({ kind })], query);
      expect(found[query.solveFor]).toEqual(once[query.solveFor]);
      expect(found.warnings).toEqual(once.warnings);
      expect(answer([of({ kind }), dp(0)], query)[query.solveFor].upper).toBeCloseTo(found[query.solveFor].upper, 9);
      for (const plan of [group(of({ kind })), parallel(1, of({ kind }), { firstPairConsistent: true })])
        expect(planAnswer([plan], query)[query.solveFor].upper).toBe(found[query.solveFor].upper);
    }
  });

  test('has no more than its Renyi guarantee where that is declared, nor than a ratio where bounded range is', () => {
    const query = atDelta('1e-6');
    expect(answer([zcdp('0.005', { kind })], query).epsilon.upper).toBeCloseTo(0.4299414689, 9);
    expect(answer([boundedRange('0.1', { kind })], query).warnings).toMatchObject([
      { code: 'bounded-range-interactive' },
    ]);
  });

  test('has it no longer beside another, nor twice', () => {
    const query = atDelta('1e-6');
    for (const entries of [[gaussian(10, { kind }), gaussian(20)], [gaussian(10, { kind, count: 2 })]])
      expect(answer(entries, query).warnings.map(({ code }) => code)).toContain('single-pair-interactive');
  });
});

describe('instances of which one differs', () => {
  const query = atDelta('1e-6');
  const one = answer([gaussian(10)], query).epsilon.upper;
  const continual = { kind: 'continual' } as const;
  const interactive = { kind: 'interactive' } as const;

  test('late pay the curve of one for each of them, whatever their communication', () => {
    const found = planAnswer([parallel(1, gaussian(10, continual), { instances: 1000 })], query);
    expect(claim(found)).toBe(answer([gaussian(10)], atDelta('1e-9')).epsilon.upper);
    expect(claim(found)).toBeCloseTo(0.535148231555, 9);
    expect(found.warnings).toEqual([]);
    expect(found.plan?.theorems.map(({ id }) => id)).toEqual(['parallel-sets']);
  });

  test.each([
    ['interactive', parallel(1, gaussian(10, interactive))],
    ['first-pair consistent', parallel(1, gaussian(10, continual), { firstPairConsistent: true })],
    ['parts of the data', partition([gaussian(10, interactive), gaussian(11, interactive)])],
    ['in instances', parallel(1, group(parallel(1, gaussian(10, interactive))), { instances: 9 })],
    ['users', local(1, gaussian(10, interactive), 100)],
  ])('at once pay the curve of one: %s', (_, plan) => {
    const found = planAnswer([plan], query);
    expect(claim(found)).toBe(one);
    expect(found.plan?.theorems.map(({ id }) => id)).toContain('parallel-one');
    expect(found.plan?.theorems.map(({ id }) => id)).not.toContain('parallel-renyi-interactive');
  });

  test('by their Renyi guarantees where more than one mechanism gets different data', () => {
    for (const plan of [
      [parallel(2, gaussian(10, interactive))],
      [parallel(1, group(gaussian(10, interactive), gaussian(10, interactive)))],
      [parallel(1, gaussian(10, interactive)), gaussian(10)],
    ])
      expect(planAnswer(plan, query).plan?.theorems.map(({ id }) => id)).not.toContain('parallel-one');
  });
});
