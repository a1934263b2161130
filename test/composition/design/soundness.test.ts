import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { checkDesign } from '../../../src/composition/design/check-design.ts';
import type { Design, Statement } from '../../../src/composition/design/design.ts';
import { partOf, type Part } from '../../../src/composition/design/part.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { entry, parallel } from './histogram.ts';
import { simulate, type Action, type Step, type Trace } from './simulator.ts';
import { shareOf } from '../../reference/share.ts';

// Designs drawn at random are run on neighboring inputs with the same answers of sub-mechanisms: nothing may then happen
// that the checker says cannot.

const NODES = [
  parallel('often', 'continual'),
  parallel('once', 'noninteractive'),
  parallel('hold', 'interactive'),
  entry('single', 'continual'),
];
const CASES = 3000;
const PARTS = new Map(NODES.map((node): [string, Part] => [node.label ?? '', partOf(node)!]));
const DATA = new Map([['hold', 1]]);

const argument = { name: 'value', change: 'any' } as const;
const SUBMECHANISMS: Design['submechanisms'] = [...PARTS.keys()].map((mechanism) => ({
  mechanism,
  data: mechanism === 'hold' ? [argument] : [],
  receives: [argument],
  differing: 1,
  noise: [],
}));

const SUMS = ['c', 'e'];
const VALUES = ['u', 'v', 'w'];
const ANSWERS = ['a', 'b'];
const PUBLIC = ['t', ...ANSWERS];
const ANY = ['x', 'y', ...SUMS, ...VALUES, ...ANSWERS];

/** Mostly untainted, as otherwise hardly a design would pass. */
const mostlyPublic = fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...PUBLIC) }, fc.constantFrom(...ANY));
const few = (name: fc.Arbitrary<string>, maxLength = 2) => fc.array(name, { maxLength });
const any = fc.constantFrom(...ANY);

const set = fc.record({
  does: fc.constant('set' as const),
  variable: fc.constantFrom(...VALUES),
  from: few(any),
  sensitivity: fc.option(fc.integer({ min: 0, max: 2 }).map((n) => new Decimal(n))),
  declared: fc.constant(null),
});
const reset = fc.constantFrom(...SUMS).map((variable): Statement => {
  return { does: 'set', variable, from: [], sensitivity: null, declared: null };
});
const add = fc.record({
  does: fc.constant('add' as const),
  variable: fc.constantFrom(...SUMS),
  terms: fc.array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom('x', 'y', ...VALUES) }, any), {
    minLength: 1,
    maxLength: 2,
  }),
});
const create = fc.constantFrom('often', 'hold', 'single').chain((mechanism) =>
  fc.record({
    does: fc.constant('create' as const),
    mechanism: fc.constant(mechanism),
    from: few(mostlyPublic, 1),
    data: mechanism === 'hold' ? any.map((name) => [name]) : fc.constant([]),
  }),
);
const send = fc.record({
  does: fc.constant('send' as const),
  values: any.map((name) => [name]),
  mechanism: fc.constantFrom(...PARTS.keys()),
  which: few(mostlyPublic, 1),
  answer: fc.option(fc.constantFrom(...ANSWERS)),
});
const output = fc.record({ does: fc.constant('output' as const), values: few(mostlyPublic, 1) });

const simple: fc.Arbitrary<Statement> = fc.oneof(set, reset, add, create, send, send, output);
const condition = (then: fc.Arbitrary<Statement>): fc.Arbitrary<Statement> =>
  fc.record({
    does: fc.constant('if' as const),
    on: few(mostlyPublic),
    atMost: fc.constantFrom<(1 | 2 | 'unbounded')[]>(1, 2, 'unbounded', 'unbounded'),
    then: fc.array(then, { minLength: 1, maxLength: 4 }),
  });
/** A condition on anything under which variables are set and nothing else is done. */
const quiet: fc.Arbitrary<Statement> = fc.record({
  does: fc.constant('if' as const),
  on: fc.tuple(any),
  atMost: fc.constant('unbounded' as const),
  then: fc.array(fc.oneof(set, reset, add), { minLength: 1, maxLength: 2 }),
});
const statement = fc.oneof(
  { weight: 5, arbitrary: simple },
  { weight: 1, arbitrary: quiet },
  { weight: 2, arbitrary: condition(fc.oneof({ weight: 5, arbitrary: simple }, condition(simple))) },
);
const block = (maxLength: number) => fc.array(statement, { maxLength });

const input = (name: string) =>
  fc.record({
    name: fc.constant(name),
    differing: fc.constantFrom(1, 2),
    change: fc.constantFrom(1, 2).map((n) => new Decimal(n)),
    label: fc.constant(null),
  });

const design: fc.Arbitrary<Design> = fc.record({
  inputs: fc.tuple(input('x'), input('y')),
  constants: fc.constant(['t']),
  submechanisms: fc.constant(SUBMECHANISMS),
  procedure: fc.record({ start: block(3), input: block(7), round: block(3) }),
});

/** Steps of two runs that are neighbours for a design. */
const neighbours = (of: Design): fc.Arbitrary<readonly [Step[], Step[]]> => {
  const step = fc.record({
    block: fc.constantFrom('input' as const, 'input' as const, 'round' as const),
    x: fc.integer({ min: 0, max: 5 }),
    y: fc.integer({ min: 0, max: 5 }),
    moves: fc.record({ x: fc.integer({ min: -2, max: 2 }), y: fc.integer({ min: -2, max: 2 }) }),
  });
  return fc.array(step, { minLength: 1, maxLength: 10 }).map((steps) => {
    const left = new Map(of.inputs.map(({ name, differing }) => [name, Number(differing)]));
    const runs: [Step[], Step[]] = [[], []];
    for (const { block, x, y, moves } of steps) {
      const moved = (name: 'x' | 'y', value: number): number => {
        const rest = left.get(name) ?? 0;
        const most = Number(of.inputs.find((each) => each.name === name)?.change);
        const move = Math.max(-most, Math.min(most, moves[name]));
        if (rest === 0 || move === 0) return value;
        left.set(name, rest - 1);
        return value + move;
      };
      const inputs = block === 'input';
      runs[0].push({ block, inputs: inputs ? { x, y } : {} });
      runs[1].push({ block, inputs: inputs ? { x: moved('x', x), y: moved('y', y) } : {} });
    }
    return runs;
  });
};

type Message = Extract<Action, { does: 'message' }>;

const isMessage = (action: Action): action is Message => action.does === 'message';

/** What the destination property fixes of an action. */
const destination = (action: Action): object =>
  action.does === 'message' ? { ...action, values: null } : action.does === 'output' ? { does: 'output' } : action;

function expectLockstep([one, two]: readonly [Trace, Trace]): void {
  expect(two.actions.map(destination)).toEqual(one.actions.map(destination));
}

const runs = ([one, two]: readonly [Step[], Step[]], of: Design): [Trace, Trace] => [
  simulate(of, PARTS, one, DATA),
  simulate(of, PARTS, two, DATA),
];

describe('what the checker says of a design', () => {
  it('holds whenever the design is run on neighboring inputs', () => {
    let judged = 0;
    let exposed = 0;
    fc.assert(
      fc.property(
        design.chain((of) => fc.tuple(fc.constant(of), neighbours(of))),
        ([of, steps]) => {
          const { verdicts, taint, exposures } = checkDesign(of, NODES);
          if (verdicts[0]?.state !== 'holds') return;
          judged++;
          const [one, two] = runs(steps, of);
          expectLockstep([one, two]);
          for (const [index, state] of one.states.entries()) {
            for (const [name, value] of state) {
              if (!taint.has(name)) expect([name, two.states[index]?.get(name)]).toEqual([name, value]);
            }
          }
          if (verdicts[1]?.state === 'holds') {
            const outputs = (trace: Trace) => trace.actions.filter(({ does }) => does === 'output');
            expect(outputs(two)).toEqual(outputs(one));
          }
          for (const exposure of exposures) {
            const pairs = one.actions.flatMap((action, index): { a: Message; b: Message }[] => {
              const other = two.actions[index];
              const same = isMessage(action) && action.mechanism === exposure.mechanism;
              return same && other !== undefined && isMessage(other) ? [{ a: action, b: other }] : [];
            });
            const differing = pairs.filter(({ a, b }) => a.values.some((value, i) => value !== b.values[i]));
            if (differing.length > 0) exposed++;
            const limit = (times: number | 'unbounded'): number => (times === 'unbounded' ? Infinity : times);
            expect(differing.length).toBeLessThanOrEqual(limit(exposure.messages));
            const touched = new Set(differing.map(({ a }) => a.instance));
            if (exposure.kind !== 'continual' || PARTS.get(exposure.mechanism)?.instances === 'unbounded')
              expect(touched.size).toBeLessThanOrEqual(limit(exposure.instances));
            for (const { a, b } of differing) {
              a.values.forEach((value, i) => {
                const change = exposure.arguments[a.offset + i]?.change;
                if (change !== 'any') expect(Math.abs(value - b.values[i]!)).toBeLessThanOrEqual(Number(change));
              });
            }
          }
        },
      ),
      { numRuns: CASES },
    );
    expect(judged).toBeGreaterThan(shareOf(CASES) / 3);
    expect(exposed).toBeGreaterThan(shareOf(CASES) / 9);
  });
});
