import { compose, type ComposeOptions } from '../src/composition/compose/compose.ts';
import type { Answer, BoundRow } from '../src/composition/core/outcome.ts';
import type { RowId } from '../src/bounds/core/bound.ts';
import { Decimal } from '../src/numeric/decimal.ts';
import type { Entry, Mechanism, MechanismKind, RunLaw, RunMechanism, Sampled } from '../src/privacy/mechanism.ts';
import { isSampledBase } from '../src/privacy/mechanisms/sampled.ts';
import { isPair, tradeOffPair } from '../src/privacy/trade-off.ts';
import type { Adaptivity, Order, Query } from '../src/privacy/curve.ts';

/** A number as a user writes it. */
export type Text = string | number;

export const decimal = (x: Text): Decimal => new Decimal(x);

export interface EntryOptions {
  readonly count?: number;
  readonly kind?: MechanismKind;
  readonly label?: string;
}

const entry = (mechanism: Mechanism, { count = 1, kind = 'noninteractive', label }: EntryOptions = {}): Entry => ({
  mechanism,
  count,
  kind,
  label: label ?? null,
});

export const dp = (epsilon: Text, delta: Text = 0, options?: EntryOptions): Entry =>
  entry({ type: 'dp', epsilon: decimal(epsilon), delta: decimal(delta) }, options);

export const boundedRange = (epsilon: Text, options?: EntryOptions): Entry =>
  entry({ type: 'bounded-range', epsilon: decimal(epsilon) }, options);

export const gaussian = (sigma: Text, options?: EntryOptions): Entry =>
  entry({ type: 'gaussian', sigma: decimal(sigma), sensitivity: decimal(1) }, options);

export const laplace = (scale: Text, options?: EntryOptions, sensitivity: Text = 1): Entry =>
  entry({ type: 'laplace', scale: decimal(scale), sensitivity: decimal(sensitivity) }, options);

export const discreteLaplace = (scale: Text, sensitivity: Text, options?: EntryOptions): Entry =>
  entry({ type: 'discrete-laplace', scale: decimal(scale), sensitivity: decimal(sensitivity) }, options);

export const discreteGaussian = (sigma: Text, sensitivity: Text, options?: EntryOptions): Entry =>
  entry({ type: 'discrete-gaussian', sigma: decimal(sigma), sensitivity: decimal(sensitivity) }, options);

export const finitePair = (
  p: readonly Text[],
  q: readonly Text[],
  { direction = 'either', ...options }: EntryOptions & { readonly direction?: 'either' | 'fixed' } = {},
): Entry => entry({ type: 'finite-pair', p: p.map(decimal), q: q.map(decimal), direction }, options);

/** A trade-off function by its points [alpha, beta]. */
export function tradeOff(points: readonly (readonly [Text, Text])[], options?: EntryOptions): Entry {
  const pair = tradeOffPair(points.map(([alpha, beta]) => ({ alpha: decimal(alpha), beta: decimal(beta) })));
  if (!isPair(pair)) throw new Error(`no trade-off function: ${pair.map(({ rule }) => rule).join()}`);
  return entry(pair, options);
}

export const zcdp = (rho: Text, { delta, ...options }: EntryOptions & { readonly delta?: Text } = {}): Entry =>
  entry({ type: 'zcdp', rho: decimal(rho), ...(delta !== undefined && { delta: decimal(delta) }) }, options);

export const gdp = (mu: Text, options?: EntryOptions): Entry => entry({ type: 'gdp', mu: decimal(mu) }, options);

export const rdp = (orders: readonly (readonly [Text, Text])[], options?: EntryOptions): Entry =>
  entry(
    { type: 'rdp', orders: orders.map(([alpha, epsilon]) => ({ alpha: decimal(alpha), epsilon: decimal(epsilon) })) },
    options,
  );

/** A mechanism on a sample; records are added and removed under Poisson sampling, replaced without replacement. */
export function sampledMechanism(
  { mechanism }: Entry,
  rate: Text | readonly [Text, Text],
  scheme: 'poisson' | 'without-replacement' = 'poisson',
): Sampled {
  if (!isSampledBase(mechanism)) throw new Error(`${mechanism.type} is not run on samples`);
  const [numerator, denominator] = typeof rate === 'object' ? rate : [rate, 1];
  return {
    type: 'sampled',
    of: mechanism,
    scheme,
    rate: { numerator: decimal(numerator), denominator: decimal(denominator) },
    neighbours: scheme === 'poisson' ? 'add-remove' : 'replace-one',
  };
}

/** The entry's mechanism, as often, on samples. */
export const sampled = (
  of: Entry,
  rate: Text | readonly [Text, Text],
  scheme?: 'poisson' | 'without-replacement',
): Entry => ({ ...of, mechanism: sampledMechanism(of, rate, scheme) });

/** The best of so many runs of these mechanisms. */
export const selection = (of: readonly Entry[], runs: RunLaw, options?: EntryOptions): Entry =>
  entry({ type: 'selection', of: of as readonly Entry<RunMechanism>[], runs }, options);

/** A mechanism of every type. */
export const SAMPLES = {
  dp: dp('0.1', '1e-9'),
  'bounded-range': boundedRange('0.1'),
  laplace: laplace(10),
  gaussian: gaussian(10),
  'discrete-laplace': discreteLaplace(10, 1),
  'discrete-gaussian': discreteGaussian(10, 1),
  'finite-pair': finitePair(['0.4', '0.6'], ['0.6', '0.4']),
  zcdp: zcdp('0.1'),
  rdp: rdp([[8, '0.1']]),
  gdp: gdp('0.1'),
  'shuffled-reports': entry({ type: 'shuffled-reports', localEpsilon: decimal('1'), users: decimal(1000) }),
  'randomized-response': entry({ type: 'randomized-response', epsilon: decimal('1'), categories: decimal(4) }),
  sampled: sampled(gaussian(1), '0.1'),
  selection: selection([gaussian(10)], { law: 'poisson', mean: decimal(5) }),
} satisfies Readonly<Record<Mechanism['type'], Entry>>;

export const atDelta = (delta: Text): Query => ({ solveFor: 'epsilon', delta: decimal(delta) });
export const atEpsilon = (epsilon: Text): Query => ({ solveFor: 'delta', epsilon: decimal(epsilon) });

/** The answer to a query; a refusal fails the test. */
export function answer(
  entries: readonly Entry[],
  query: Query,
  options: ComposeOptions & { readonly adaptivity?: Adaptivity; readonly order?: Order } = {},
): Answer {
  const { adaptivity = 'adaptive', order = 'any', ...rest } = options;
  const outcome = compose({ entries, adaptivity, order }, query, rest);
  if (outcome.kind === 'refusal') throw new Error(`refused: ${outcome.refusal.code}`);
  return outcome.answer;
}

/** What one bound says; a bound that does not apply fails the test. */
export function row(result: Answer, id: RowId): Extract<BoundRow, { applies: true }> {
  const found = result.bounds.find((bound) => bound.id === id);
  if (!found?.applies) throw new Error(`${id} does not apply`);
  return found;
}

/** The bound's value for what was asked. */
export function valueOf(result: Answer, id: RowId): { readonly lower: number | null; readonly upper: number } {
  const found = row(result, id);
  return result.query.solveFor === 'epsilon' ? found.epsilon : found.delta;
}
