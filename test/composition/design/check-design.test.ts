import { describe, expect, it } from 'vitest';
import { checkDesign, isPrivate } from '../../../src/composition/design/check-design.ts';
import type { Design } from '../../../src/composition/design/design.ts';
import { placeOf } from '../../../src/composition/design/data-flow.ts';
import type { Violation } from '../../../src/composition/design/violation.ts';
import type { PlanNode } from '../../../src/composition/core/plan-node.ts';
import { chainText } from '../../../src/output/refusal/design-reasons.ts';
import { formatPath } from '../../../src/document/core/quote.ts';
import { designOf, entry, histogram, HISTOGRAM_PLAN, parallel, type Json } from './histogram.ts';

const states = (design: Design, plan = HISTOGRAM_PLAN): string[] =>
  checkDesign(design, plan).verdicts.map(({ state }) => state);

const violations = (design: Design, plan: readonly PlanNode[] = HISTOGRAM_PLAN): Violation[] =>
  checkDesign(design, plan).verdicts.flatMap((verdict) => [...verdict.violations]);

/** `code at place`, with the chains of the variables at fault. */
const summary = (violation: Violation): string => {
  const chains =
    'variables' in violation ? violation.variables.map((each) => chainText(each.variable, each.chain)) : [];
  return [violation.code, formatPath(placeOf(violation.at)), ...chains].join(' | ');
};

const EXACT: Json = { set: 'exact', from: ['q', 'c', 'h'], sensitivity: 1 };

describe('Algorithm 4 of Henzinger, Safavi, Vadhan', () => {
  const check = checkDesign(histogram(), HISTOGRAM_PLAN);

  it("has the destination, the response and the f -> f' property", () => {
    expect(states(histogram())).toEqual(['holds', 'holds', 'holds']);
    expect(isPrivate(check)).toBe(true);
  });

  it('has the untainted variables that its authors name, and no others', () => {
    const names = ['q', 'a', 'h', 'out', 'j', 't', 'Thresh'];
    expect(names.filter((name) => check.taint.has(name))).toEqual([]);
    expect([...check.taint.keys()]).toEqual(['x', 'c', 'value']);
  });

  it('gives one interval, one check and all counters data in which neighbors differ, by 1 at most', () => {
    expect(
      check.exposures.map(({ mechanism, created, messages, instances }) => [mechanism, created, messages, instances]),
    ).toEqual([
      ['d-counter', 1, 1, 1],
      ['svt', 'unbounded', 1, 1],
      ['check', 'unbounded', 1, 1],
    ]);
    expect(check.exposures.flatMap((each) => each.arguments.map(({ change }) => String(change)))).toEqual([
      '1',
      '1',
      '0',
      '1',
    ]);
  });
});

describe('TC-35: a variant of it that is refused', () => {
  it('ends intervals by the exact q(c + h): the destination property fails, as c reaches the decision', () => {
    const design = histogram({ ends: [EXACT], decidedBy: 'exact' });
    expect(states(design)).toEqual(['fails', 'open', 'open']);
    expect(violations(design).map(summary)).toEqual([
      'tainted-condition | design.procedure.input[3] | exact <- c <- x',
    ]);
  });

  it('outputs the exact q(c + h): the response property fails', () => {
    const design = histogram({ ends: [EXACT], output: 'exact' });
    expect(states(design)).toEqual(['holds', 'fails', 'holds']);
    expect(violations(design).map(summary)).toEqual(['tainted-output | design.procedure.input[5] | exact <- c <- x']);
  });

  it("feeds its counters 2 c: the f -> f' property fails, as neighbours differ by 2 where 1 is covered", () => {
    const design = histogram({ before: [{ set: 'twice', from: ['c'], sensitivity: 2 }], fed: 'twice' });
    expect(states(design)).toEqual(['holds', 'holds', 'fails']);
    const [violation] = violations(design);
    expect(violation).toMatchObject({
      code: 'larger-change',
      mechanism: 'd-counter',
      argument: 'sums',
      variable: 'twice',
    });
    expect(violation?.code === 'larger-change' ? violation.difference.reasons : []).toMatchObject([
      { variable: 'twice', because: 'computed', change: expect.objectContaining({ d: [2] }) as unknown },
      { variable: 'c', because: 'sum', times: 1 },
      { variable: 'x', because: 'input' },
    ]);
  });
});

describe('the destination property', () => {
  it('fails where what is created starts with the input', () => {
    const design = histogram({ before: [{ create: 'svt', from: ['q', 'c'] }] });
    expect(violations(design).map(summary)).toEqual(['tainted-creation | design.procedure.input[2].then[3] | c <- x']);
  });

  it('fails where the input chooses the instance', () => {
    const plan = [parallel('svt', 'continual')];
    const design = designOf({
      inputs: [{ name: 'x', differing: 1, change: 1 }],
      submechanisms: [{ mechanism: 'svt', receives: [{ name: 'row', change: 1 }] }],
      procedure: {
        start: [{ create: 'svt' }, { create: 'svt' }],
        input: [{ send: ['x'], to: 'svt', which: ['x'] }],
      },
    });
    expect(violations(design, plan).map(summary)).toEqual(['tainted-choice | design.procedure.input[0] | x']);
  });

  it('says nothing of conditions under which variables are set and nothing else is done', () => {
    const design = histogram({ ends: [{ if: ['c'], then: [{ set: 'large', from: [] }] }] });
    expect(states(design)).toEqual(['holds', 'holds', 'holds']);
  });
});

describe('a design that uses what is not in the plan', () => {
  it('is not judged', () => {
    expect(() => checkDesign(histogram(), HISTOGRAM_PLAN.slice(1))).toThrow(RangeError);
    const { submechanisms, ...rest } = histogram();
    expect(() => checkDesign({ ...rest, submechanisms: submechanisms.slice(1) }, HISTOGRAM_PLAN)).toThrow('d-counter');
  });
});

describe('taint', () => {
  it('comes with the condition under which a variable is set', () => {
    const flag = [
      { set: 'large', from: [] },
      { if: ['c'], then: [{ set: 'large', from: [] }] },
    ];
    const design = histogram({ ends: flag, output: 'large' });
    expect(violations(design).map(summary)).toEqual([
      'tainted-output | design.procedure.input[6] | large <- if c <- x',
    ]);
  });

  it('goes round in circles without end, and is found once', () => {
    const circle = [
      { set: 'u', from: ['w'] },
      { set: 'v', from: ['u', 'c'] },
      { set: 'w', from: ['v'] },
    ];
    const design = histogram({ ends: circle, output: 'u' });
    expect(violations(design).map(summary)).toEqual([
      'tainted-output | design.procedure.input[7] | u <- w <- v <- c <- x',
    ]);
  });

  it('is told by a shortest chain', () => {
    const detour = [
      { set: 'u', from: ['c'] },
      { set: 'v', from: ['u'] },
      { set: 'w', from: ['v', 'x'] },
    ];
    expect(violations(histogram({ ends: detour, output: 'w' })).map(summary)).toEqual([
      'tainted-output | design.procedure.input[7] | w <- x',
    ]);
  });
});

describe("the f -> f' property", () => {
  const codes = (design: Design, plan?: readonly PlanNode[]): string[] =>
    violations(design, plan).map((each) => `${each.code} ${'mechanism' in each ? each.mechanism : ''}`);

  it('fails where a sum is sent on and on without a reset', () => {
    const design = histogram({ reset: [] });
    expect(codes(design)).toEqual(['more-messages d-counter', 'more-instances check']);
    expect(violations(design)[0]).toMatchObject({ unending: { why: 'sum-not-reset', variable: 'c' } });
  });

  it('fails where the reset does not come with every message', () => {
    const design = histogram({ reset: [{ if: ['noisy'], then: [{ set: 'c', from: [] }] }] });
    expect(codes(design)).toEqual(['more-messages d-counter', 'more-instances check']);
  });

  it('fails for neighbours that differ in two rows, with as much as would have to be covered', () => {
    const design = histogram({ input: { name: 'x', differing: 2, change: 1 } });
    expect(codes(design)).toEqual([
      'larger-change d-counter',
      'more-messages d-counter',
      'more-messages svt',
      'more-instances svt',
      'larger-change check',
      'more-instances check',
    ]);
  });

  it('holds for those where the guarantees and the plan cover two rows', () => {
    const plan = [
      HISTOGRAM_PLAN[0]!,
      parallel('svt', 'continual', { sparsity: 2 }),
      parallel('check', 'noninteractive', { sparsity: 2 }),
    ];
    const submechanisms = [
      { mechanism: 'd-counter', receives: [{ name: 'sums', change: 2 }], differing: 2 },
      { mechanism: 'svt', receives: [{ name: 'row', change: 1 }, { name: 'threshold' }], differing: 2 },
      { mechanism: 'check', receives: [{ name: 'value', change: 2 }] },
    ];
    const design = histogram({ input: { name: 'x', differing: 2, change: 1 }, submechanisms });
    expect(codes(design, plan)).toEqual([]);
  });

  it('fails where neighbors may differ in every row', () => {
    const design = histogram({ input: { name: 'x', differing: 'unbounded', change: 1 } });
    expect(violations(design)[2]).toMatchObject({
      code: 'more-messages',
      mechanism: 'svt',
      unending: { why: 'any-value', variable: 'x' },
    });
  });

  it('fails where a tainted threshold is sent, as thresholds must be the same', () => {
    const design = histogram({ before: [{ send: ['x', 'c'], to: 'svt' }] });
    expect(violations(design)).toContainEqual(
      expect.objectContaining({ code: 'larger-change', mechanism: 'svt', argument: 'threshold', variable: 'c' }),
    );
  });

  it('fails where more instances are created than the plan has, and holds where a condition limits them', () => {
    const plan = [HISTOGRAM_PLAN[0]!, parallel('svt', 'continual', { instances: 20 }), HISTOGRAM_PLAN[2]!];
    expect(violations(histogram(), plan)).toMatchObject([{ code: 'more-created', created: 'unbounded', declared: 20 }]);
    const capped = histogram({ atMost: 19 });
    expect(codes(capped, plan)).toEqual([]);
    expect(violations(histogram({ atMost: 20 }), plan)).toMatchObject([{ code: 'more-created', created: 21 }]);
  });

  const counting = (input: Json[], takes = 1): Design =>
    designOf({
      inputs: [{ name: 'x', differing: 1, change: 1 }],
      submechanisms: [
        { mechanism: 'counter', receives: Array.from({ length: takes }, (_, i) => ({ name: `part ${i}`, change: 1 })) },
      ],
      procedure: { start: [{ create: 'counter' }], input },
    });
  const counter = [entry('counter', 'continual')];

  it('holds for a sum over one step, reset before it is added to', () => {
    const steps = [
      { set: 's', from: [] },
      { add: ['x'], to: 's' },
      { send: ['s'], to: 'counter' },
    ];
    expect(codes(counting(steps), counter)).toEqual([]);
  });

  it('fails for a sum read both before and after its reset: one value reaches two messages', () => {
    const steps = [
      { set: 'before', from: ['s'], sensitivity: 1 },
      { set: 's', from: [] },
      { add: ['x'], to: 's' },
      { send: ['before', 's'], to: 'counter' },
    ];
    expect(codes(counting(steps, 2), counter)).toEqual(['more-messages counter']);
  });

  it('fails for a value kept from an earlier step, which may be sent twice', () => {
    const steps = [
      { send: ['last'], to: 'counter' },
      { set: 'last', from: ['x'], sensitivity: 1 },
    ];
    expect(violations(counting(steps), counter)).toMatchObject([
      { code: 'more-messages', unending: { why: 'kept', variable: 'last' } },
    ]);
  });

  it('takes a declared difference for what it says', () => {
    const steps = [
      { set: 'v', from: ['x'], change: 1, differing: 1 },
      { send: ['v'], to: 'counter' },
    ];
    expect(codes(counting(steps), counter)).toEqual([]);
    const unknown = [
      { set: 'v', from: ['x'] },
      { send: ['v'], to: 'counter' },
    ];
    expect(codes(counting(unknown), counter)).toEqual(['larger-change counter']);
  });

  it('counts a sum of sums by the changes of both', () => {
    const steps = [
      { add: ['x'], to: 's' },
      { add: ['s'], to: 'r' },
      { set: 's', from: [] },
      { send: ['r'], to: 'counter' },
      { set: 'r', from: [] },
    ];
    expect(codes(counting(steps), counter)).toEqual([]);
    const growing = [
      { add: ['x'], to: 's' },
      { add: ['s'], to: 'r' },
      { send: ['r'], to: 'counter' },
      { set: 'r', from: [] },
    ];
    expect(codes(counting(growing), counter)).toEqual(['larger-change counter', 'more-messages counter']);
  });

  it('lets data of interactive mechanisms differ when they are created, and not later', () => {
    const asking = (values: string[]): Design =>
      designOf({
        inputs: [{ name: 'x', differing: 1, change: 1 }],
        submechanisms: [{ mechanism: 'block', data: [{ name: 'row', change: 1 }], receives: [{ name: 'question' }] }],
        procedure: {
          input: [
            { create: 'block', data: ['x'] },
            { send: values, to: 'block' },
          ],
          start: [{ set: 'y', from: [] }],
        },
      });
    const plan = [parallel('block', 'interactive')];
    expect(codes(asking(['y']), plan)).toEqual([]);
    expect(codes(asking(['x']), plan)).toEqual(['later-difference block']);
  });
});
