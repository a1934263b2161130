// Documents as people write them, the same in every run: for telling whether a change of the code changes an answer.
import fc from 'fast-check';

const SEED = 20261123;

const cents = (from, to) => fc.integer({ min: from, max: to }).map((n) => String(n / 100));
const epsilon = cents(1, 150);
const delta = fc.constantFrom('0', '1e-9', '2.5e-7', '0.001');
const count = fc.constantFrom(1, 1, 1, 2, 5, 30, 400);
const kind = fc.constantFrom('noninteractive', 'noninteractive', 'noninteractive', 'interactive', 'continual');
const label = fc.constantFrom('clicks', 'daily sums', 'a|b, "c"');

const entry = (type, required, optional = {}) =>
  fc.record(
    { type: fc.constant(type), ...required, count, kind, label, ...optional },
    {
      requiredKeys: ['type', ...Object.keys(required)],
    },
  );

const anyEntry = fc.oneof(
  entry('dp', { epsilon }, { delta }),
  entry('bounded-range', { epsilon }),
  entry('exponential', { coefficient: cents(1, 50), sensitivity: fc.constant('1') }, { monotonic: fc.boolean() }),
  entry('report-noisy-max', { noise: fc.constantFrom('gumbel', 'laplace', 'exponential'), epsilon }),
  entry('permute-and-flip', { epsilon }),
  entry('sparse-vector', { 'threshold-epsilon': epsilon, 'query-epsilon': epsilon }),
  entry('laplace', { scale: cents(100, 5000) }),
  entry('gaussian', { sigma: cents(100, 9000) }),
  entry('discrete-laplace', { scale: cents(100, 5000) }),
  entry('discrete-gaussian', { sigma: cents(100, 900) }),
  entry('gdp', { mu: cents(1, 90) }),
  entry('zcdp', { rho: cents(1, 40) }),
  entry('rdp', { alpha: fc.constantFrom('2', '8.5', '32'), epsilon }),
  entry('finite-pair', {
    p: fc.constantFrom(['0.7', '0.3'], ['0.9', '0.1']),
    q: fc.constant(['0.3', '0.7']),
  }),
  entry('trade-off', {
    points: fc.constantFrom(
      [['0.25', '0.25']],
      [
        ['0.1', '0.6'],
        ['0.5', '0.2'],
      ],
    ),
  }),
);

const target = fc.oneof(
  fc.record({ delta: fc.constantFrom('1e-6', '1e-10', '0.01', '0') }),
  fc.record({ epsilon: cents(0, 400) }),
);

const plain = fc
  .tuple(
    fc.array(anyEntry, { minLength: 1, maxLength: 4 }),
    target,
    fc.constantFrom({}, {}, { adaptivity: 'nonadaptive' }, { adaptivity: 'parameters' }, { order: 'declared' }),
  )
  .map(([mechanisms, asked, setting]) => ({ dpcompose: 1, mechanisms, target: asked, ...setting }));

const part = fc.oneof(
  fc.record({ type: fc.constant('group'), mechanisms: fc.array(anyEntry, { minLength: 1, maxLength: 3 }) }),
  fc.record(
    {
      type: fc.constant('parallel'),
      sparsity: fc.constantFrom(0, 1, 2),
      of: anyEntry,
      instances: fc.constantFrom(1, 10, 'unbounded'),
      deltaCap: fc.constantFrom('1e-7', '0.01'),
      kind,
      label,
    },
    { requiredKeys: ['type', 'sparsity', 'of'] },
  ),
  fc.record(
    { type: fc.constant('partition'), of: fc.array(anyEntry, { minLength: 1, maxLength: 3 }), sparsity: count },
    { requiredKeys: ['type', 'of'] },
  ),
  fc.record({ type: fc.constant('local'), of: anyEntry, users: fc.constantFrom(3, 'unbounded') }),
);

const structure = fc
  .tuple(fc.array(part, { minLength: 1, maxLength: 2 }), fc.array(anyEntry, { maxLength: 2 }), target)
  .map(([parts, beside, asked]) => ({ dpcompose: 1, mechanisms: [...parts, ...beside], target: asked }));

const broken = fc
  .tuple(plain, fc.constantFrom('mechanisms', 'target', 'dpcompose', 'typo'), fc.constantFrom(null, 'much', -1, {}, []))
  .map(([document, key, value]) => ({ ...document, [key]: value }));

/** `size` documents: most of them valid, some of them not. */
export const documents = (size) =>
  fc.sample(
    fc.oneof({ weight: 7, arbitrary: plain }, { weight: 2, arbitrary: structure }, { weight: 1, arbitrary: broken }),
    {
      numRuns: size,
      seed: SEED,
    },
  );
