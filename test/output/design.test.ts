import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkDesign, composeDesign } from '../../src/composition/design/check-design.ts';
import type { Design } from '../../src/composition/design/design.ts';
import type { PlanNode } from '../../src/composition/core/plan-node.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { failureJson, failureText } from '../../src/output/design/failure.ts';
import { designOutput, type Designed } from '../../src/output/design/design.ts';
import { pageMarkdown, pageText, PLAIN } from '../../src/output/kit/page.ts';
import { violationText } from '../../src/output/design/violations.ts';
import { specificationOf } from '../document/helpers.ts';
import {
  designOf,
  entry,
  histogram,
  HISTOGRAM_PLAN,
  parallel,
  type Json,
  type Variant,
} from '../composition/design/histogram.ts';
import { violations } from './schema.ts';

const WIDE = { width: Infinity, style: PLAIN };

const aboutDesign = (design: Design, entries: readonly PlanNode[] = HISTOGRAM_PLAN) => ({
  design,
  entries,
  exposures: checkDesign(design, entries).exposures,
});

const texts = (design: Design, plan: readonly PlanNode[] = HISTOGRAM_PLAN): { message: string; remedy: string }[] =>
  checkDesign(design, plan).verdicts.flatMap((verdict) =>
    verdict.violations.map((each) => violationText(each, aboutDesign(design, plan))),
  );

const variant = (changes: Variant): { message: string; remedy: string } => texts(histogram(changes))[0]!;

describe('what is wrong with a design', () => {
  it('names the decision, the chain of definitions and the way out', () => {
    const exact: Json = { set: 'exact', from: ['q', 'c', 'h'], sensitivity: 1 };
    expect(variant({ ends: [exact], decidedBy: 'exact' })).toEqual({
      message:
        'An action depends on the input (destination property), at design.procedure.input[3]: whether check and d-counter get a message and svt is created is decided by exact, which the input reaches: exact <- c <- x. On neighboring inputs the mechanism could act differently, which no composition theorem covers.',
      remedy:
        'Decide it by the answer of a sub-mechanism: send the new value x (not the running sum c) to a continual mechanism that keeps the sum, such as a sparse vector test. Use its answer in the condition in place of exact: such as a, the answer of svt at design.procedure.input[1].',
    });
  });

  it('names the output', () => {
    const { message, remedy } = variant({ output: 'c' });
    expect(message).toContain(
      'The output depends on the input (response property), at design.procedure.input[4]: the output includes c, which the input reaches: c <- x.',
    );
    expect(remedy).toContain('send c to a sub-mechanism');
    expect(variant({ output: 'x' }).message).toContain('the output includes x, an input.');
  });

  it('names what is created with the input', () => {
    const { message, remedy } = variant({ before: [{ create: 'svt', from: ['c'] }] });
    expect(message).toContain('svt is created from c, which the input reaches: c <- x.');
    expect(remedy).toBe('Create it from answers of sub-mechanisms and constants only, and send it c in a message.');
  });

  it('names the difference, where it comes from, and what would cover it', () => {
    const twice: Json = { set: 'twice', from: ['c'], sensitivity: 2 };
    const { message, remedy } = variant({ before: [twice], fed: 'twice' });
    expect(message).toContain(
      'd-counter is sent twice as its sums, which may differ by 2 between neighbors (x: 1; c, the sum of 1 such value: 1; twice, 2 times that: 2), but its guarantee covers a difference of at most 1.',
    );
    expect(remedy).toContain('write 2 as the "change" of sums at design.submechanisms[0].receives[0].');
  });

  it.each([
    [
      { before: [{ set: 'u', from: ['c'] }], fed: 'u' },
      'Write how closely u (set at design.procedure.input[2].then[3]) follows what it is computed from, such as "sensitivity": 1: the most that it changes where those change by at most 1.',
    ],
    [
      { input: { name: 'x', differing: 1, change: 'any' } },
      'Limit by how much x can differ, as by clipping it, and write that as its "change", such as "change": 1 at design.inputs[0].',
    ],
    [
      { before: [{ if: ['c'], then: [{ set: 'u', from: [] }] }], fed: 'u' },
      'Set u for every input: move the set at design.procedure.input[2].then[3].then[0] out of the "if". Compute it also from the variables of the condition ("from", with the "sensitivity" of the whole).',
    ],
    [
      { before: [{ set: 'u', from: ['c'], change: 'any', differing: 1 }], fed: 'u' },
      'Declare a smaller "change" of u (set at design.procedure.input[2].then[3]), if it has one.',
    ],
    [
      { reset: [] },
      'Reset c in the step in which it is sent: add {"set": "c", "from": []} behind that; if c should go on counting, send the new value that is added to it instead, to a continual mechanism that keeps the sum itself.',
    ],
    [
      { input: { name: 'x', differing: 'unbounded', change: 1 } },
      'Write a number as "differing", which is "unbounded" now, at design.inputs[0] ("x"): how many of its values may differ between neighbors (for event-level privacy, 1).',
    ],
    [
      { before: [{ send: ['x', 'c'], to: 'svt' }] },
      'Send threshold from answers of sub-mechanisms and constants only; if the guarantee of svt does cover a difference in it, write that as its "change" at design.submechanisms[1].receives[1].',
    ],
  ] satisfies [Variant, string][])('says what would fix %j', (changes, remedy) => {
    expect(texts(histogram(changes)).map((each) => each.remedy)).toContain(remedy);
  });

  it('says how many instances or messages would have to be paid for', () => {
    const two = texts(histogram({ input: { name: 'x', differing: 2, change: 1 } })).map(({ remedy }) => remedy);
    expect(two).toContain('Set "sparsity" to 2 at mechanisms[1] ("svt"); the price then covers 2.');
    expect(two).toContain(
      'Use a guarantee of svt that covers differences in 2 messages, and set "differing" to 2 at design.submechanisms[1].',
    );
    const few = texts(histogram(), [
      HISTOGRAM_PLAN[0]!,
      parallel('svt', 'continual', { instances: 5 }),
      HISTOGRAM_PLAN[2]!,
    ]);
    expect(few).toMatchObject([
      {
        message: expect.stringContaining(
          'any number of instances of svt may be created, but "instances" is 5 at mechanisms[1] ("svt").',
        ) as string,
      },
    ]);
  });

  it('names the keys that the element has, and the statement that is run too often', () => {
    const about = (...mechanisms: object[]) => {
      const proc = { start: [{ create: 'm' }], input: [{ create: 'm' }, { send: ['x'], to: 'm', answer: 'a' }] };
      const design = {
        inputs: [{ name: 'x', differing: 1, change: 1 }],
        submechanisms: [{ mechanism: 'm', receives: [{ name: 'v', change: 1 }] }],
        procedure: proc,
      };
      const specification = specificationOf(JSON.stringify({ dpcompose: 1, mechanisms, design }));
      return texts(specification.design!, specification.entries).map(({ message, remedy }) => `${message} ${remedy}`);
    };
    const one = { type: 'dp', epsilon: '0.1', kind: 'continual' };
    const [few] = about({ type: 'parallel', label: 'm', sparsity: 1, instances: 3, of: one });
    expect(few).toContain('at design.procedure.input[0]:');
    expect(few).toContain(
      'Put the create at design.procedure.input[0] under {"if": [...], "atMost": 2, "then": [...]}; or set "instances" to "unbounded" at mechanisms[0].',
    );
    expect(about({ ...one, label: 'm' })[0]).toContain(
      'Replace mechanisms[0] by {"type": "parallel", "label": "m", "sparsity": 1, "of": ...}',
    );
    expect(about({ type: 'local', label: 'm', users: 3, of: one })[0]).toContain('"users" is 3 at mechanisms[0] ("m")');
  });

  it('says where a number is to be written, and what to take out of a condition', () => {
    const declared: Json = { set: 'u', from: ['c'], change: 1, differing: 'unbounded' };
    expect(texts(histogram({ before: [declared], fed: 'u' })).map(({ remedy }) => remedy)).toContain(
      'Write a number as "differing", which is "unbounded" now, at design.procedure.input[2].then[3]: how many of its values may differ between neighbors (for event-level privacy, 1).',
    );
    const remedies = texts(histogram({ before: [{ if: ['x'], then: [{ add: ['x'], to: 'u' }] }], fed: 'u' })).map(
      ({ remedy }) => remedy,
    );
    expect(remedies[0]).toContain('Whether x is added to u is decided by x: take the add at');
  });

  it('is told in full for the first twenty violations', () => {
    const many = Array.from({ length: 25 }, (): Json => ({ output: ['c'] }));
    const about = aboutDesign(histogram({ ends: many }));
    const check = checkDesign(about.design, HISTOGRAM_PLAN);
    expect(failureText(check, about, WIDE)).toContain('\n\nand 5 more\n\n');
    expect(JSON.parse(failureJson(check, about, '0.1.0'))).toMatchObject({ more: 5 });
    expect(violations('refusal', failureJson(check, about, '0.1.0'))).toEqual([]);
  });

  it('shows both ends of a long chain', () => {
    const chain = Array.from({ length: 40 }, (_, i): Json => ({ set: `v${i}`, from: [i === 0 ? 'c' : `v${i - 1}`] }));
    expect(variant({ ends: chain, output: 'v39' }).message).toContain(
      'v39 <- v38 <- v37 <- v36 <- v35 <- v34 <- v33 <- ... <- v3 <- v2 <- v1 <- v0 <- c <- x.',
    );
  });

  it('is JSON of its schema for every kind of violation', () => {
    for (const changes of [
      { output: 'c' },
      { before: [{ create: 'svt', from: ['c'] }] },
      { reset: [] },
      { input: { name: 'x', differing: 2, change: 1 } },
    ]) {
      const about = aboutDesign(histogram(changes));
      const json = failureJson(checkDesign(about.design, HISTOGRAM_PLAN), about, '0.1.0');
      expect(violations('refusal', json)).toEqual([]);
    }
  });
});

/** The report on a fixture. */
function reported(name: string): Designed {
  const specification = specificationOf(readFileSync(`fixtures/designs/${name}.json`));
  const { design, target } = specification;
  if (design === null || target === null) throw new Error('The fixture has no design or no target.');
  const outcome = composeDesign({ ...specification, design }, target);
  if (outcome.kind !== 'priced') throw new Error(`The fixture is ${outcome.kind}.`);
  return { ...outcome, design, specification: { ...specification, target }, errorShape: null };
}

describe('the report on a design', () => {
  const histogramReport = reported('histogram-approximate');

  it('says who the neighbours are, and against whom the guarantee holds', () => {
    expect(pageText(designOutput(histogramReport).page('0.1.0'), WIDE)).toContain(
      '\nThe mechanism is (1, 9.999996251e-7)-differentially private, against adversaries who choose each input after seeing the outputs so far. Neighboring inputs: streams that are the same except for one row: they differ in at most 1 value of x, by at most 1.\n',
    );
  });

  it('says what is taken on trust', () => {
    const text = pageText(designOutput(reported('histogram-interval-cap')).page('0.1.0'), WIDE);
    expect(text).toContain(
      '\n- the guarantee of svt is for neighbors that differ in row by at most 1, in 1 message to an instance\n',
    );
    expect(text).toContain(
      '\n- value changes by at most 1 where q, c and h change by at most 1 (design.procedure.input[2].then[0])\n',
    );
    expect(text).toContain('\n- the condition holds at most 19 times (design.procedure.input[2])\n');
  });

  it('says that a protocol has the guarantee in the local model', () => {
    expect(pageText(designOutput(reported('core-decomposition')).page('0.1.0'), WIDE)).toContain(
      'the protocol has that guarantee in the local model.',
    );
  });

  it('says where nothing is promised, or no epsilon is finite', () => {
    const one = entry('counter', 'continual');
    const sure = { ...one, mechanism: { type: 'dp', epsilon: new Decimal(1), delta: new Decimal(1) } } as const;
    const design = designOf({
      inputs: [{ name: 'x', differing: 'unbounded', change: 'any' }],
      submechanisms: [{ mechanism: 'counter', receives: [{ name: 'row' }] }],
      procedure: {
        start: [{ create: 'counter' }],
        input: [
          { set: 'y', from: [] },
          { send: ['y'], to: 'counter' },
        ],
      },
    });
    const at = (target: Designed['specification']['target']): string => {
      const outcome = composeDesign({ entries: [sure], adaptivity: 'adaptive', design }, target);
      if (outcome.kind !== 'priced') throw new Error(outcome.kind);
      const specification = { ...histogramReport.specification, neighbours: null, target };
      return pageText(designOutput({ ...outcome, design, specification, errorShape: null }).page('0.1.0'), WIDE);
    };
    expect(at({ solveFor: 'delta', epsilon: new Decimal(1) })).toContain(
      'which is no guarantee at all. Neighboring inputs: they differ in any number of values of x.',
    );
    expect(at({ solveFor: 'epsilon', delta: new Decimal('1e-6') })).toContain('has no finite epsilon at delta 1e-6');
  });

  it('has no character in Markdown that would be read as a mark', () => {
    const named = { ...histogramReport, specification: { ...histogramReport.specification, name: 'a|b *c* <d>' } };
    expect(pageMarkdown(designOutput(named).markdown!('0.1.0'))).toMatch(/^# a\\\|b \\\*c\\\* \\<d\\>\n/);
    expect(pageMarkdown(designOutput(named).markdown!('0.1.0'))).toContain(
      '\n| svt | the threshold, once | Laplace, scale 6 |\n',
    );
  });

  it.each(['histogram', 'histogram-approximate', 'histogram-gaussian-check', 'core-decomposition'])(
    'on %s is JSON of its schema',
    (name) => {
      expect(violations('design', designOutput(reported(name)).json('0.1.0'))).toEqual([]);
    },
  );

  it('in JSON tells from where the input reaches each variable', () => {
    const { variables } = JSON.parse(designOutput(histogramReport).json('0.1.0')) as { variables: { name: string }[] };
    expect(variables.filter(({ name }) => ['x', 'c', 'h'].includes(name))).toEqual([
      { name: 'x', tainted: true, reached: null },
      { name: 'h', tainted: false, reached: null },
      { name: 'c', tainted: true, reached: { from: 'x', how: 'added', path: 'design.procedure.input[0]' } },
    ]);
  });
});
