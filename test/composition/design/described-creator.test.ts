import { describe, expect, it } from 'vitest';
import { checkDesign, isPrivate } from '../../../src/composition/design/check-design.ts';
import type { Violation } from '../../../src/composition/design/violation.ts';
import type { PlanNode } from '../../../src/composition/core/plan-node.ts';
import { decimal, dp } from '../../mechanisms.ts';
import { designOf, entry, type Json } from './histogram.ts';

const PART = { label: 'm', receives: [{ name: 'bit', change: 1 }] };

const design = (procedure: Json, receives: readonly Json[] = PART.receives, change = 1) =>
  designOf({
    inputs: [{ name: 'x', differing: 1, change }],
    submechanisms: [{ mechanism: 'm', receives }],
    procedure,
  });

const violationsOf = (described: ReturnType<typeof designOf>, node: PlanNode): Violation[] =>
  checkDesign(described, [node]).verdicts.flatMap(({ violations }) => [...violations]);

describe('a cap on delta of instances that the design creates itself', () => {
  const capped = (deltaCap: string): PlanNode => ({
    node: 'parallel',
    label: 'm',
    sparsity: 1,
    instances: 'unbounded',
    deltaCap: decimal(deltaCap),
    firstPairConsistent: false,
    of: dp(0, '1e-6', { kind: 'continual' }),
  });
  const again = (limit: Json): Json => ({
    start: [{ create: 'm' }],
    input: [{ send: ['x'], to: 'm', answer: 'a' }, { output: ['a'] }, { if: ['a'], ...limit, then: [{ create: 'm' }] }],
  });

  it('is exceeded by the attack of Theorem 5.2, which creates another whenever the last one stays silent', () => {
    expect(violationsOf(design(again({})), capped('1e-6'))).toMatchObject([
      { code: 'cap-exceeded', created: 'unbounded', fits: 1 },
    ]);
  });

  it('is exceeded by one more than fit', () => {
    expect(violationsOf(design(again({ atMost: 1 })), capped('1e-6'))).toMatchObject([
      { code: 'cap-exceeded', created: 2, fits: 1 },
    ]);
  });

  it('is kept where no more are created than fit', () => {
    expect(isPrivate(checkDesign(design(again({ atMost: 1 })), [capped('2e-6')]))).toBe(true);
    expect(isPrivate(checkDesign(design(again({ atMost: 9 })), [capped('1e-5')]))).toBe(true);
  });
});

describe('a function that changes by at most 1 where its argument does', () => {
  const sent = (covered: string, change: number): Violation[] =>
    violationsOf(
      design(
        {
          start: [{ create: 'm' }],
          input: [{ set: 'v', from: ['x'], sensitivity: 1 }, { send: ['v'], to: 'm', answer: 'a' }, { output: ['a'] }],
        },
        [{ name: 'v', change: covered }],
        change,
      ),
      entry('m', 'continual'),
    );

  it('may change by 1 where that changes by 0.5, as rounding down does', () => {
    expect(sent('0.5', 0.5)).toMatchObject([{ code: 'larger-change' }]);
    expect(sent('1', 0.5)).toEqual([]);
  });

  it('may change by 2 where that changes by 1.5', () => {
    expect(sent('1.5', 1.5)).toMatchObject([{ code: 'larger-change' }]);
    expect(sent('2', 1.5)).toEqual([]);
  });
});
