import { fc } from '../reference/properties.ts';

const digits = fc.bigInt({ min: 0n, max: 10n ** 40n }).map(String);
/** A decimal of at least 0, as text in one of its many forms. */
const decimal = fc
  .tuple(digits, digits, fc.integer({ min: -150, max: 150 }))
  .map(([whole, fraction, exponent]) => `${whole}.${fraction}e${String(exponent)}`);
const positive = fc
  .tuple(fc.constantFrom('', '+'), fc.bigInt({ min: 1n, max: 10n ** 40n }))
  .map(([s, n]) => `${s}${String(n)}e-9`);
/** A positive decimal whose products stay far from where numbers end. */
const moderate = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 40n }), fc.integer({ min: -60, max: 20 }))
  .map(([whole, exponent]) => `${String(whole)}e${String(exponent)}`);
const fraction = fc.oneof(
  fc.constantFrom('0', '1', '1.0', '-0'),
  digits.map((text) => `0.${text}`),
);
const aboveOne = fc.bigInt({ min: 2n, max: 10n ** 20n }).map(String);

const wholeSensitivity = fc.integer({ min: 0, max: 1_000_000 }).chain((n) => fc.constantFrom(n, String(n), `${n}.0`));
const discreteSigma = fc.integer({ min: 1, max: 20_000_000 }).chain((n) => fc.constantFrom(n / 100, `${n}e-2`));

const WHOLE = 10n ** 30n;

/** Probabilities of outcomes as exact decimals: the pieces into which cuts divide [0, 1], some of them empty. */
const distribution = (outcomes: number) =>
  fc
    .array(fc.oneof(fc.bigInt({ min: 0n, max: WHOLE }), fc.constantFrom(0n, WHOLE)), {
      minLength: outcomes - 1,
      maxLength: outcomes - 1,
    })
    .map((cuts) => {
      const ends = [0n, ...cuts, WHOLE].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      return ends.slice(1).map((end, i) => `${String(end - (ends[i] ?? 0n))}e-30`);
    });
const finitePair = fc
  .integer({ min: 1, max: 6 })
  .chain((outcomes) => fc.record({ p: distribution(outcomes), q: distribution(outcomes) }));

/** Corners of a trade-off function from one axis to the other: steps of integers, the steepest first. */
const tradeOffPoints = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 6 })
  .map((steps): [string, string][] => {
    const sorted = steps.sort(([a, b], [c, d]) => d * a - b * c);
    const at = (i: number): [string, string] => [
      `${sorted.slice(0, i).reduce((sum, [a]) => sum + a, 0)}e-2`,
      `${sorted.slice(i).reduce((sum, [, b]) => sum + b, 0)}e-2`,
    ];
    return [...sorted.keys(), sorted.length].map(at);
  });

const common = {
  count: fc.oneof(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), fc.constant('1e6')),
  label: fc.string({ unit: 'binary' }),
  kind: fc.constantFrom('noninteractive', 'interactive', 'continual'),
};

const entry = <T>(required: Record<string, fc.Arbitrary<T>>, optional: Record<string, fc.Arbitrary<T>> = {}) =>
  fc.record<Record<string, unknown>, string>(
    { ...required, ...optional, ...common },
    { requiredKeys: Object.keys(required) },
  );
const constant = (type: string) => fc.constant(type);

const noise = fc.constantFrom('gumbel', 'laplace', 'exponential');

/** A selection by its coefficient or scale, and by what is known of its utility. */
const selection = (head: Record<string, fc.Arbitrary<string>>, sharpness: 'coefficient' | 'scale') =>
  fc.oneof(
    entry<string>({ ...head, [sharpness]: moderate, range: moderate }),
    entry<string | boolean>({ ...head, [sharpness]: moderate, sensitivity: moderate }, { monotonic: fc.boolean() }),
  );

const sparse = constant('sparse-vector');

/** One valid entry of any type but a selection, as a JSON value. */
const anySingle = fc.oneof(
  entry<string>({ type: constant('dp'), epsilon: decimal }, { delta: fraction }),
  entry<string>({ type: fc.constantFrom('bounded-range', 'exponential', 'permute-and-flip'), epsilon: decimal }),
  entry<string>({ type: constant('report-noisy-max'), noise, epsilon: decimal }),
  selection({ type: fc.constantFrom('bounded-range', 'exponential', 'permute-and-flip') }, 'coefficient'),
  selection({ type: constant('permute-and-flip') }, 'scale'),
  selection({ type: constant('report-noisy-max'), noise }, 'coefficient'),
  selection({ type: constant('report-noisy-max'), noise }, 'scale'),
  entry<string>({ type: sparse, epsilon: decimal }),
  entry<string>({ type: sparse, 'threshold-epsilon': decimal, 'query-epsilon': decimal }),
  entry<string | boolean>(
    {
      type: sparse,
      'threshold-scale': moderate,
      'query-scale': moderate,
      positives: constant('3'),
      sensitivity: moderate,
    },
    { monotonic: fc.boolean() },
  ),
  entry<string>({ type: constant('laplace'), scale: positive }, { sensitivity: decimal }),
  entry<string>({ type: constant('laplace'), epsilon: decimal }),
  entry<string>({ type: constant('gaussian'), sigma: positive }, { sensitivity: decimal }),
  entry<string>({ type: constant('gaussian'), 'noise-multiplier': positive }, { sensitivity: moderate }),
  entry<string>(
    { type: constant('gaussian'), epsilon: fc.constantFrom('0', '0.1', '3'), delta: fc.constantFrom('1e-9', '0.2') },
    { sensitivity: moderate },
  ),
  entry<string>(
    { type: constant('gaussian'), variance: fc.constantFrom('0.5', '10000/11', '7/3', '1e300', '1/10000') },
    { sensitivity: decimal },
  ),
  entry<string | number>(
    {
      type: constant('tree-aggregation'),
      'noise-multiplier': positive,
      steps: fc.integer({ min: 1, max: 2000 }),
      participations: fc.integer({ min: 1, max: 12 }),
    },
    {
      separation: fc.integer({ min: 1, max: 300 }),
      nodes: fc.constantFrom('all', 'completed'),
      'restart-every': fc.integer({ min: 1, max: 3000 }),
    },
  ),
  entry<string | number>(
    {
      type: constant('banded-matrix'),
      'noise-multiplier': positive,
      steps: fc.integer({ min: 1, max: 2000 }),
      bands: fc.integer({ min: 1, max: 20 }),
      separation: fc.integer({ min: 20, max: 300 }),
      participations: fc.integer({ min: 1, max: 2000 }),
    },
    { 'column-norm': moderate },
  ),
  entry<string | number | number[]>(
    {
      type: constant('banded-matrix'),
      'noise-multiplier': positive,
      steps: fc.integer({ min: 1, max: 2000 }),
      coefficients: fc
        .array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 20 })
        .map((values) => values.sort((a, b) => b - a)),
      participations: fc.integer({ min: 1, max: 2000 }),
    },
    { separation: fc.integer({ min: 1, max: 300 }) },
  ),
  entry<string | number>({ type: constant('discrete-laplace'), scale: positive }, { sensitivity: wholeSensitivity }),
  entry<string | number>(
    { type: constant('discrete-gaussian'), sigma: discreteSigma },
    { sensitivity: wholeSensitivity },
  ),
  entry<string | number>(
    { type: constant('discrete-gaussian'), variance: fc.constantFrom('0.5', '10000/11', '7/3', '4e10', '1/10000') },
    { sensitivity: wholeSensitivity },
  ),
  fc
    .tuple(
      entry<string>({ type: constant('finite-pair') }, { direction: fc.constantFrom('either', 'fixed') }),
      finitePair,
    )
    .map(([head, pair]): Record<string, unknown> => ({ ...head, ...pair })),
  entry<string | [string, string][]>({ type: constant('trade-off'), points: tradeOffPoints }),
  entry<string>({ type: constant('zcdp'), rho: decimal }),
  entry<string>({ type: constant('gdp'), mu: decimal }),
  entry<string | number>({
    type: constant('randomized-response'),
    epsilon: decimal,
    categories: fc.integer({ min: 2, max: 1000 }),
  }),
  entry<string | number>(
    { type: constant('shuffled-reports'), 'local-epsilon': decimal, users: fc.integer({ min: 1, max: 1_000_000 }) },
    { categories: fc.integer({ min: 2, max: 1000 }) },
  ),
  fc.record<Record<string, unknown>, string>({ type: constant('rappor'), f: fc.constantFrom('0.1', '0.5', '1') }),
  entry<string>({ type: constant('rdp'), alpha: aboveOne, epsilon: decimal }),
  entry<string | [string, string][]>({
    type: constant('rdp'),
    orders: fc.uniqueArray(fc.tuple(aboveOne, decimal), { minLength: 1, maxLength: 5, selector: ([alpha]) => alpha }),
  }),
);

/** The law of the number of runs, as a JSON value. */
const runs = fc.oneof(
  fc.record({ law: constant('poisson'), mean: fc.constantFrom('0.5', '20') }),
  fc.record({ law: fc.constantFrom('geometric', 'logarithmic'), mean: fc.constantFrom('1.5', 10) }),
  fc.record({ law: fc.constantFrom('geometric', 'logarithmic'), gamma: fc.constantFrom('0.1', '1/7') }),
  fc.record({ law: constant('negative-binomial'), shape: fc.constantFrom('-0.5', 0.5), gamma: constant('0.02') }),
  fc.record({ law: constant('binomial'), trials: fc.integer({ min: 1, max: 99 }), rate: constant('0.5') }),
  fc.record({ law: constant('fixed'), count: fc.integer({ min: 1, max: 99 }) }),
);

/** A mechanism that answers once, as one run or several. */
const answeringOnce = anySingle.map((entry): Record<string, unknown> => ({ ...entry, kind: 'noninteractive' }));

/** One valid entry of any type, as a JSON value. */
const anyEntry = fc.oneof(
  { weight: 12, arbitrary: anySingle },
  { weight: 1, arbitrary: fc.tuple(answeringOnce, runs).map(([one, law]) => ({ ...one, 'best-of': law })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.array(answeringOnce, { minLength: 1, maxLength: 3 }), runs)
      .map(([of, law]): Record<string, unknown> => ({ type: 'selection', of, runs: law, kind: 'noninteractive' })),
  },
);

/** A valid document, as a JSON value. */
export const anyDocument = fc.record(
  {
    dpcompose: fc.constantFrom(1, '1'),
    name: fc.string(),
    adaptivity: fc.constantFrom('adaptive', 'nonadaptive', 'parameters'),
    order: fc.constantFrom('any', 'declared'),
    target: fc.oneof(fc.record({ delta: fraction }), fc.record({ epsilon: decimal.map((text) => `-${text}`) })),
    mechanisms: fc.array(anyEntry, { minLength: 1, maxLength: 6 }),
  },
  { requiredKeys: ['dpcompose', 'mechanisms'] },
);

type Raw = Record<string, unknown>;

const whole = (least: number) =>
  fc.integer({ min: least, max: Number.MAX_SAFE_INTEGER }).chain((n) => fc.constantFrom<number | string>(n, String(n)));
const instances = fc.oneof(whole(1), fc.constant('unbounded'));
const label = fc.string({ unit: 'binary' });
const record = (required: Record<string, fc.Arbitrary<unknown>>, optional: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record<Raw, string>({ ...required, ...optional, label }, { requiredKeys: Object.keys(required) });

/** One valid element of `mechanisms`, as a JSON value. */
const { node: anyNode } = fc.letrec<{ node: Raw }>((tie) => {
  const nodes = fc.array(tie('node'), { minLength: 1, maxLength: 3 });
  const users = { type: constant('local') };
  return {
    node: fc.oneof(
      { maxDepth: 4 },
      anyEntry,
      record({ type: constant('group'), mechanisms: nodes }, {}),
      record(
        { type: constant('parallel'), sparsity: whole(0), of: tie('node') },
        { instances, deltaCap: fraction, firstPairConsistent: fc.boolean(), kind: common.kind },
      ),
      record({ type: constant('partition'), of: nodes }, { sparsity: whole(0) }),
      record({ ...users, of: tie('node') }, { users: instances, differing: whole(0) }),
      record({ ...users, each: nodes }, { differing: whole(0) }),
    ),
  };
});

/** A valid document with structure, as a JSON value. */
export const anyPlanDocument = fc
  .record(
    {
      dpcompose: fc.constant(1),
      neighbours: fc.string(),
      discrete: fc.boolean(),
      adaptiveAdversary: fc.boolean(),
      symmetric: fc.boolean(),
      finiteCommunication: fc.boolean(),
      mechanisms: fc.array(anyNode, { minLength: 1, maxLength: 4 }),
    },
    { requiredKeys: ['dpcompose', 'mechanisms'] },
  )
  .filter(({ discrete, finiteCommunication }) => !(discrete === false && finiteCommunication === true))
  // Local reports are for replace-one neighbors.
  .map(({ neighbours, ...document }) =>
    neighbours === undefined || /randomized-response|rappor|shuffled-reports/.test(JSON.stringify(document))
      ? document
      : { ...document, neighbours: neighbours.trim() === '' ? 'persons' : neighbours },
  );
