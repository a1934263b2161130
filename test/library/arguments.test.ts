import { Decimal as DecimalJs } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import * as library from '../../src/index.ts';
import { Decimal } from '../../src/numeric/decimal.ts';

// What plain JavaScript may hand over, which the types would not let pass.

const loose = library as unknown as Readonly<Record<string, (...args: unknown[]) => unknown>>;

const dp = { type: 'dp', epsilon: new Decimal('0.1'), delta: new Decimal(0) };
const entry = { mechanism: dp, count: 10, kind: 'noninteractive', label: null };
const problem = { entries: [entry], adaptivity: 'adaptive' };
const query = { solveFor: 'epsilon', delta: new Decimal('1e-6') };
const budget = { epsilon: new Decimal(1), delta: new Decimal('1e-6') };

const withMechanism = (mechanism: unknown) => ({ ...problem, entries: [{ ...entry, mechanism }] });
const points = (...pairs: (readonly [number, number])[]) =>
  pairs.map(([alpha, beta]) => ({ alpha: new Decimal(alpha), beta: new Decimal(beta) }));
const QUARTERS = library.tradeOffPair(points([0.25, 0.25]));
const IN_ENTRY = 'problem.entries[0].mechanism';

type Case = readonly [call: string, args: readonly unknown[], kind: typeof TypeError, message: string];

const PROBLEMS: readonly Case[] = [
  ['compose', [], TypeError, 'problem must be a problem, got nothing. Write { entries: [...]'],
  [
    'compose',
    [{ adaptivity: 'adaptive' }, query],
    TypeError,
    'problem.entries must be a list of mechanisms and parts, got nothing. ',
  ],
  [
    'compose',
    [{ ...problem, entries: [] }, query],
    RangeError,
    'problem.entries must be a list of mechanisms and parts, at least one, got a list. ',
  ],
  [
    'compose',
    [{ entries: [entry] }, query],
    TypeError,
    'problem.adaptivity must be "adaptive", "nonadaptive" or "parameters", got nothing. ',
  ],
  [
    'compose',
    [{ entries: [entry], adaptivty: 'adaptive' }, query],
    TypeError,
    'problem.adaptivty means nothing: a problem has entries, adaptivity, order or setting. Did you mean "adaptivity"? ',
  ],
  [
    'compose',
    [{ ...problem, adaptivity: 'adaptiv' }, query],
    RangeError,
    'problem.adaptivity must be "adaptive", "nonadaptive" or "parameters", got "adaptiv". Did you mean "adaptive"? ',
  ],
  [
    'compose',
    [{ ...problem, entries: [dp] }, query],
    TypeError,
    'problem.entries[0] must be a mechanism with its count, got an object. Write it as { mechanism: {',
  ],
  [
    'compose',
    [{ ...problem, entries: [{ ...entry, count: 0 }] }, query],
    RangeError,
    'problem.entries[0].count must be a whole number from 1 to 2^53 - 1, got the number 0. ',
  ],
  [
    'compose',
    [{ ...problem, entries: [{ ...entry, count: new Decimal(3) }] }, query],
    TypeError,
    'problem.entries[0].count must be a whole number from 1 to 2^53 - 1, got 3. ',
  ],
  [
    'compose',
    [{ ...problem, entries: [{ mechanism: dp, count: 1, kind: 'noninteractive' }] }, query],
    TypeError,
    'problem.entries[0].label must be a text, got nothing. ',
  ],
  [
    'compose',
    [{ ...problem, entries: [{ ...entry, kind: 'continuous' }] }, query],
    RangeError,
    'problem.entries[0].kind must be "noninteractive", "interactive" or "continual", got "continuous". ',
  ],
  [
    'compose',
    [{ ...problem, entries: [{ node: 'group', label: null, nodes: [entry, { ...entry, count: 1.5 }] }] }, query],
    RangeError,
    'problem.entries[0].nodes[1].count must be ',
  ],
  [
    'compose',
    [{ ...problem, entries: [{ node: 'gruop', label: null, nodes: [entry] }] }, query],
    RangeError,
    'problem.entries[0].node must be "group", "parallel", "partition" or "local", got "gruop". Did you mean "group"? ',
  ],
  [
    'compose',
    [{ ...problem, setting: { discrete: true } }, query],
    TypeError,
    'problem.setting.discrete must be "stated", "assumed" or "denied", got true. ',
  ],
];

const MECHANISMS: readonly Case[] = [
  [
    'compose',
    [withMechanism({ ...dp, epsilon: 0.1 }), query],
    TypeError,
    `${IN_ENTRY}.epsilon must be a Decimal of at least 0, got the number 0.1. Write new Decimal('0.1'), with the Decimal of dpcompose.`,
  ],
  [
    'compose',
    [withMechanism({ ...dp, epsilon: '0.1' }), query],
    TypeError,
    `${IN_ENTRY}.epsilon must be a Decimal of at least 0, got "0.1". Write new Decimal('0.1')`,
  ],
  [
    'compose',
    [withMechanism({ ...dp, epsilon: new Decimal(-1) }), query],
    RangeError,
    `${IN_ENTRY}.epsilon must be a Decimal of at least 0, got -1. `,
  ],
  [
    'compose',
    [withMechanism({ ...dp, epsilon: new Decimal(NaN) }), query],
    RangeError,
    `${IN_ENTRY}.epsilon must be a Decimal of at least 0, got NaN. `,
  ],
  [
    'compose',
    [withMechanism({ ...dp, epsilon: new Decimal(Infinity) }), query],
    RangeError,
    `${IN_ENTRY}.epsilon must be a Decimal of at least 0, got Infinity. `,
  ],
  [
    'compose',
    [withMechanism({ ...dp, epsilon: new Decimal('1e-400') }), query],
    RangeError,
    `${IN_ENTRY}.epsilon must be 0 or of magnitude 1e-300 to 1e300, with at most 1000 digits, got 1e-400. Round it `,
  ],
  [
    'compose',
    [withMechanism({ ...dp, delta: new Decimal(2) }), query],
    RangeError,
    `${IN_ENTRY}.delta must be a Decimal from 0 to 1, got 2. `,
  ],
  [
    'compose',
    [withMechanism({ type: 'dp', epsilon: dp.epsilon }), query],
    TypeError,
    `${IN_ENTRY}.delta must be a Decimal from 0 to 1, got nothing. `,
  ],
  [
    'compose',
    [withMechanism({ type: 'lapalce', scale: new Decimal(1), sensitivity: new Decimal(1) }), query],
    RangeError,
    `${IN_ENTRY}.type must be "dp", `,
  ],
  [
    'compose',
    [withMechanism({ type: 'laplace', scal: new Decimal(1), sensitivity: new Decimal(1) }), query],
    TypeError,
    `${IN_ENTRY}.scal means nothing: a mechanism of type laplace has type, scale, sensitivity or byEpsilon. Did you mean "scale"? `,
  ],
  [
    'compose',
    [withMechanism({ type: 'gaussian', sigma: new Decimal(0), sensitivity: new Decimal(1) }), query],
    RangeError,
    `${IN_ENTRY}.sigma must be a Decimal above 0, got 0. `,
  ],
  [
    'compose',
    [
      withMechanism({
        type: 'rdp',
        orders: [
          { alpha: new Decimal(3), epsilon: new Decimal(1) },
          { alpha: new Decimal(2), epsilon: new Decimal(1) },
        ],
      }),
      query,
    ],
    RangeError,
    `${IN_ENTRY}.orders[1].alpha must be larger than the order before, got 2. `,
  ],
  [
    'compose',
    [withMechanism({ type: 'finite-pair', p: [new Decimal('0.5')], q: [new Decimal(1)], direction: 'either' }), query],
    RangeError,
    `${IN_ENTRY}.p must be a list of probabilities that sum to exactly 1, got 0.5. `,
  ],
  [
    'compose',
    [
      withMechanism({
        type: 'finite-pair',
        p: [new Decimal(1), new Decimal(0)],
        q: [new Decimal(1)],
        direction: 'either',
      }),
      query,
    ],
    RangeError,
    `${IN_ENTRY}.q must be as long as p (2), got the number 1. `,
  ],
  ['tradeOffPair', [[]], RangeError, 'points must be a list of points, at least one, got a list. '],
  [
    'tradeOffPair',
    [[[new Decimal('0.25'), new Decimal('0.25')]]],
    TypeError,
    'points[0] must be a point, got a list. Write { alpha: new Decimal(',
  ],
  [
    'tradeOffPair',
    // A hole in a list is no argument that may be left out.
    [Object.assign(new Array(2), { 1: points([0.25, 0.25])[0] })],
    TypeError,
    'points[0] must be a point, got nothing. ',
  ],
  [
    'tradeOffPair',
    [Array.from({ length: 201 }, () => null)],
    RangeError,
    'points must be a list of at most 200 points, got a list. ',
  ],
  ['tradeOffPair', [points([0.25, 2])], RangeError, 'points[0].beta must be a Decimal from 0 to 1, got 2. '],
  [
    'tradeOffPair',
    [points([0.25, 0.8])],
    RangeError,
    'points[0].beta: beta must be at most 1 - alpha, got 0.8 at alpha 0.25. ',
  ],
  [
    'tradeOffPair',
    [points([0.25, 0.2], [0.25, 0.2])],
    RangeError,
    'points[1].alpha: every alpha must stand once, got 0.25 again. ',
  ],
  [
    'tradeOffPair',
    [points([0.25, 0.2], [0.5, 0.3])],
    RangeError,
    'points[1].beta: beta must be at most that of the point before, got 0.3 after 0.2. ',
  ],
  [
    'tradeOffPair',
    [points([0.25, 0.25], [0.5, 0.17])],
    RangeError,
    'points[1].beta: points must be convex: beta at alpha 0.5 must be at most 0.16666666666666666666, as on the line from ',
  ],
  [
    'compose',
    [withMechanism({ ...QUARTERS, written: { points: 1 } }), query],
    TypeError,
    `${IN_ENTRY}.written.points must be a list of points, got the number 1. `,
  ],
];

const QUERIES: readonly Case[] = [
  ['compose', [problem], TypeError, 'query must be a query, got nothing. '],
  ['compose', [problem, null], TypeError, 'query must be a query, got null. '],
  [
    'compose',
    [problem, { delta: new Decimal('1e-6') }],
    TypeError,
    'query.solveFor must be "epsilon" or "delta", got nothing. ',
  ],
  [
    'compose',
    [problem, { solveFor: 'epsilon', delta: 1e-6 }],
    TypeError,
    "query.delta must be a Decimal from 0 to 1, got the number 0.000001. Write new Decimal('0.000001')",
  ],
  [
    'compose',
    [problem, { solveFor: 'epsilon', epsilon: new Decimal(1) }],
    TypeError,
    'query.epsilon means nothing: a query for epsilon has solveFor or delta. ',
  ],
  ['compose', [problem, query, { tolerence: 1e-3 }], TypeError, 'options.tolerence means nothing: '],
  [
    'compose',
    [problem, query, { tolerance: 2 }],
    RangeError,
    'options.tolerance must be a number above 0 and below 1, got the number 2. ',
  ],
  ['compose', [problem, query, { bounds: ['rpd'] }], RangeError, 'options.bounds[0] must be '],
  [
    'compose',
    [problem, query, { session: {} }],
    TypeError,
    'options.session must be a session, got an object. Write createSession().',
  ],
  ['compose', [problem, query, { interrupted: true }], TypeError, 'options.interrupted must be a function, got true. '],
];

const OTHERS: readonly Case[] = [
  ['solve', [{ problem, budget, unknown: 'counts', varied: [0] }], RangeError, 'question.unknown must be '],
  [
    'solve',
    [{ problem, budget, unknown: 'count', varied: [1] }],
    RangeError,
    'question.varied[0] must be a whole number from 0 to 0, got the number 1. ',
  ],
  [
    'solve',
    [{ problem, budget, unknown: 'count', varied: [0, 0] }],
    RangeError,
    'question.varied[1] must be another place, ',
  ],
  [
    'solve',
    [{ problem, budget, unknown: 'sparsity', path: 'mechanisms[0]' }],
    RangeError,
    'question.path must be the place of a part that has sparsity, got "mechanisms[0]". Nothing in the problem has sparsity.',
  ],
  [
    'solve',
    [{ problem, budget: { epsilon: 1, delta: 0 }, unknown: 'count', varied: [0] }],
    TypeError,
    'question.budget.epsilon must be a Decimal of at least 0, got the number 1. ',
  ],
  ['solveTotal', [problem, {}], TypeError, 'query.solveFor must be '],
  ['check', [problem, budget], TypeError, 'specifications must be a list of specifications, got an object. '],
  ['check', [[problem], budget, { most: -1 }], RangeError, 'options.most must be a whole number from 0 '],
  ['diff', [problem, { ...problem, name: 3 }, query], TypeError, 'after.name must be a text, got the number 3. '],
  ['statement', [problem, query, { distance: 0 }], RangeError, 'options.distance must be a whole number from 1 '],
  ['explain', [undefined], TypeError, 'name must be a text, got nothing. '],
  ['explainAnswer', [{}], TypeError, 'answer must be an answer, got an object. '],
  ['secondOpinion', [problem, {}, 30], TypeError, 'answer must be an answer, got an object. '],
  [
    'pricePlan',
    [problem, query],
    TypeError,
    'plan.entries means nothing: a plan has nodes, adaptivity, order or setting. ',
  ],
  ['composeDesign', [problem, query], TypeError, 'problem.design must be a design, got nothing. '],
  ['normalForm', [problem], TypeError, 'specification.order must be "any" or "declared", got nothing. '],
  [
    'gap',
    [{ solveFor: 'epsilon', each: [0.1], count: [10], given: [new Decimal('1e-6')] }],
    TypeError,
    'question.each[0] must be a Decimal above 0, got the number 0.1. ',
  ],
  [
    'curve',
    [{ problem, along: { name: 'epsilon' }, values: [new Decimal(1)], solveFor: 'epsilon', given: null }],
    RangeError,
    'question.along.name must be "delta" where epsilon is solved for, got "epsilon". ',
  ],
  [
    'curve',
    [
      {
        problem,
        along: { name: 'times' },
        values: [new Decimal(2), new Decimal(1)],
        solveFor: 'epsilon',
        given: new Decimal('1e-6'),
      },
    ],
    RangeError,
    'question.values[1] must be larger than the value before, got 1. ',
  ],
  [
    'curve',
    [{ problem, along: { name: 'times' }, values: [new Decimal(2)], solveFor: 'epsilon', given: null }],
    TypeError,
    'question.given must be a Decimal from 0 to 1, got null. ',
  ],
  ['roomFor', [0.28, new Decimal('0.1')], TypeError, 'cap must be a Decimal from 0 to 1, got the number 0.28. '],
  [
    'remainingDelta',
    [new Decimal('0.28'), { delta: new Decimal('0.1'), count: 2 }],
    TypeError,
    'created must be a list of instances that were created, got an object. ',
  ],
  [
    'readSpecification',
    [{ dpcompose: 1 }],
    TypeError,
    'input must be the text of a document, or its bytes, got an object. Write JSON.stringify(value) for an object.',
  ],
  ['readSpecification', ['{}', { delta: 1e-6 }], TypeError, 'flags.delta must be a text, got the number 0.000001. '],
];

describe('an argument that is not what it must be is told with its place, the rule and what to do', () => {
  test.each([...PROBLEMS, ...MECHANISMS, ...QUERIES, ...OTHERS])('%s %#', (call, args, kind, message) => {
    let thrown: unknown;
    try {
      loose[call]!(...args);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(kind);
    const text = (thrown as Error).message;
    expect(text.slice(0, call.length + 2 + message.length)).toBe(`${call}: ${message}`);
    expect(text).toMatch(/[.!]$/);
  });
});

test('a syntax that is not known', async () => {
  await expect(loose.readSpecificationAsync!('{}', { syntax: 'yml' })).rejects.toThrow(
    'readSpecificationAsync: options.syntax must be "json", "yaml" or "csv", got "yml". Did you mean "yaml"? ',
  );
});

test('decimals of another context are taken exactly, not rounded to its digits', () => {
  const Short = DecimalJs.clone({ precision: 5 });
  const epsilon = '0.123456789012345678901234567890123';
  const foreign = { ...entry, count: 3, mechanism: { ...dp, epsilon: new Short(epsilon), delta: new Short(0) } };
  const own = { ...entry, count: 3, mechanism: { ...dp, epsilon: new Decimal(epsilon) } };
  const zero = { solveFor: 'epsilon', delta: new Short(0) };
  const answerOf = (each: unknown) =>
    library.compose(
      { entries: [each as typeof own], adaptivity: 'adaptive' } as unknown as library.Problem,
      zero as unknown as library.Query,
      { bounds: ['basic'] },
    );
  expect(answerOf(foreign)).toEqual(answerOf(own));
  const outcome = answerOf(foreign);
  expect(outcome.kind === 'answer' && outcome.answer.epsilon.exact).toBe('0.370370367037037036703703703670369');
  // The entry along which a curve runs is still one of the problem.
  const curve = library.curve({
    problem: { entries: [foreign], adaptivity: 'adaptive' },
    along: { name: 'count', entry: foreign },
    values: [new Short(1), new Short(2)],
    solveFor: 'epsilon',
    given: new Short(0),
  } as unknown as library.CurveQuestion);
  expect(curve.kind).toBe('curve');
});

test('whoever hands over what is right gets the answer of what lies below', () => {
  const written = Object.freeze({ ...problem, entries: Object.freeze([Object.freeze(entry)]) });
  const outcome = library.compose(written as unknown as library.Problem, query as unknown as library.Query);
  expect(outcome.kind).toBe('answer');
});

test('a bound may be named as other accountants call it', () => {
  const named = (...bounds: string[]) =>
    loose.compose!({ ...problem, entries: [{ ...entry, count: 3 }] }, query, { bounds });
  expect(named('kov', 'basic')).toEqual(named('dp-optimal', 'basic'));
  expect(named('pld', 'prv')).toEqual(named('loss-distribution'));
});

test('mechanisms on a sample need only the numbers of their own scheme', () => {
  const gaussian = { type: 'gaussian', sigma: new Decimal(2), sensitivity: new Decimal(1) };
  const rate = { numerator: new Decimal(1), denominator: new Decimal(100) };
  const sampled = (scheme: string) => ({ type: 'sampled', of: gaussian, scheme, rate, neighbours: 'add-remove' });
  const outcome = loose.compose!(withMechanism(sampled('poisson')), query) as { readonly kind: string };
  expect(outcome.kind).toBe('answer');
  expect(() => loose.compose!(withMechanism(sampled('random-allocation')), query)).toThrow(
    `${IN_ENTRY}.batches must be the number of batches of an epoch`,
  );
});

test('the rates of the records of one person are all of them, the largest first', () => {
  const gaussian = { type: 'gaussian', sigma: new Decimal(2), sensitivity: new Decimal(1) };
  const [small, large] = [1, 4].map((percent) => ({
    numerator: new Decimal(percent),
    denominator: new Decimal(100),
  }));
  const drawn = { type: 'sampled', of: gaussian, scheme: 'poisson', neighbours: 'add-remove', rate: large };
  const asked = (more: object) => loose.compose!(withMechanism({ ...drawn, ...more }), query);
  const records = new Decimal(2);
  expect(asked({ records, rates: [large, small] })).toMatchObject({ kind: 'answer' });
  for (const wrong of [
    { records, rates: [small, large] },
    { records, rates: [large] },
    { rates: [large, small] },
    { records, rates: [small, small] },
    { records, rates: [large, { ...small!, numerator: new Decimal(0) }] },
  ]) {
    expect(() => asked(wrong)).toThrow(`${IN_ENTRY}.rates must be the rates of all records in a Poisson sample`);
  }
});
