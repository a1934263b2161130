import type { BoundId } from '../../src/bounds/core/bound.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import type { Entry, Mechanism, MechanismKind, RunLaw, RunMechanism } from '../../src/privacy/mechanism.ts';
import { isSampledBase } from '../../src/privacy/mechanisms/sampled.ts';
import type { Order, Query } from '../../src/privacy/curve.ts';

/**
 * How the records are drawn; records are added and removed under Poisson sampling and random allocation (the denominator is the number of
 * batches), replaced without replacement.
 */
export interface Sampling {
  readonly scheme: 'poisson' | 'without-replacement' | 'random-allocation';
  /** Two whole numbers. */
  readonly rate: readonly [numerator: string, denominator: string];
  /** Of Gaussian noise on Poisson samples: so many records of one person, default 1; and whether they are replaced. */
  readonly records?: number;
  readonly isReplaced?: boolean;
}

/** The best of so many runs: the number of fixed or binomial runs, and gamma of geometric ones or the chance of each of binomial ones. */
export interface BestOf {
  readonly law: 'fixed' | 'geometric' | 'negative-binomial' | 'binomial' | 'poisson';
  readonly times: number;
  readonly parameter: string;
}

interface EntryBase {
  readonly count: number;
  readonly kind?: MechanismKind;
  readonly sampling?: Sampling;
  readonly bestOf?: BestOf;
}

export type EntrySpec =
  | (EntryBase & { readonly type: 'dp'; readonly epsilon: string; readonly delta?: string })
  | (EntryBase & { readonly type: 'bounded-range'; readonly epsilon: string })
  | (EntryBase & { readonly type: 'gdp'; readonly mu: string })
  | (EntryBase & {
      readonly type: 'laplace' | 'discrete-laplace';
      readonly scale: string;
      readonly sensitivity: string;
    })
  | (EntryBase & {
      readonly type: 'gaussian' | 'discrete-gaussian';
      readonly sigma: string;
      readonly sensitivity: string;
    })
  | (EntryBase & {
      readonly type: 'shuffled-reports';
      readonly localEpsilon: string;
      readonly users: number;
      /** The symbols of the randomizer that is compared with: k-ary response but where there are weights. */
      readonly categories: number;
      /** Whether the randomizer is not named. */
      readonly isAny: boolean;
      /** Its probabilities, for each input those of all symbols, times their sum. */
      readonly weights?: readonly (readonly number[])[];
    })
  | (EntryBase & {
      readonly type: 'finite-pair';
      readonly p: readonly string[];
      readonly q: readonly string[];
      readonly direction: 'either' | 'fixed';
    });

export type QuerySpec = { readonly delta: string } | { readonly epsilon: string };

/** One case, as it is printed and replayed. */
export interface CaseSpec {
  readonly class: string;
  readonly entries: readonly EntrySpec[];
  readonly query: QuerySpec;
  readonly adaptivity?: 'adaptive' | 'nonadaptive';
  /** Default any. */
  readonly order?: Order;
  readonly tolerance?: number;
  /** Only these bounds; default all. */
  readonly bounds?: readonly BoundId[];
  /** Calls the discretised method itself: the pack of each entry, and how often the packs repeat (counts include that). */
  readonly discretised?: { readonly packs: readonly number[]; readonly repeat: number };
}

const number = (text: string): Decimal => new Decimal(text);

function mechanismOf(spec: EntrySpec): Mechanism {
  switch (spec.type) {
    case 'dp':
      return { type: 'dp', epsilon: number(spec.epsilon), delta: number(spec.delta ?? '0') };
    case 'bounded-range':
      return { type: 'bounded-range', epsilon: number(spec.epsilon) };
    case 'gdp':
      return { type: 'gdp', mu: number(spec.mu) };
    case 'laplace':
    case 'discrete-laplace':
      return { type: spec.type, scale: number(spec.scale), sensitivity: number(spec.sensitivity) };
    case 'gaussian':
    case 'discrete-gaussian':
      return { type: spec.type, sigma: number(spec.sigma), sensitivity: number(spec.sensitivity) };
    case 'shuffled-reports':
      return {
        type: 'shuffled-reports',
        localEpsilon: number(spec.localEpsilon),
        users: new Decimal(spec.users),
        ...(spec.isAny ? {} : { categories: new Decimal(spec.categories) }),
      };
    case 'finite-pair':
      return { type: 'finite-pair', p: spec.p.map(number), q: spec.q.map(number), direction: spec.direction };
  }
}

function sampledOf(
  { scheme, rate: [numerator, denominator], records = 1, isReplaced = false }: Sampling,
  of: Mechanism,
): Mechanism {
  if (!isSampledBase(of)) throw new Error(`${of.type} is not run on samples`);
  return {
    type: 'sampled',
    of,
    scheme,
    rate: { numerator: number(numerator), denominator: number(denominator) },
    ...(scheme === 'random-allocation' ? { batches: number(denominator) } : {}),
    ...(records > 1 && { records: new Decimal(records) }),
    neighbours: isReplaced || scheme === 'without-replacement' ? 'replace-one' : 'add-remove',
  };
}

function runsOf({ law, times, parameter }: BestOf): RunLaw {
  switch (law) {
    case 'fixed':
      return { law, count: new Decimal(times) };
    case 'geometric':
      return { law: 'negative-binomial', shape: new Decimal(1), gamma: number(parameter) };
    case 'negative-binomial':
      return { law, shape: new Decimal(times), gamma: number(parameter) };
    case 'poisson':
      return { law, mean: number(parameter).times(times) };
    case 'binomial':
      return { law, trials: new Decimal(times), rate: number(parameter) };
  }
}

export function entryOf(spec: EntrySpec): Entry {
  const single = singleOf(spec);
  if (spec.bestOf === undefined) return single;
  const of = [single as Entry<RunMechanism>];
  return { ...single, mechanism: { type: 'selection', of, runs: runsOf(spec.bestOf) }, count: 1 };
}

const singleOf = (spec: EntrySpec): Entry => ({
  mechanism: spec.sampling ? sampledOf(spec.sampling, mechanismOf(spec)) : mechanismOf(spec),
  count: spec.count,
  kind: spec.kind ?? 'noninteractive',
  label: null,
});

export const queryOf = (query: QuerySpec): Query =>
  'delta' in query
    ? { solveFor: 'epsilon', delta: new Decimal(query.delta) }
    : { solveFor: 'delta', epsilon: new Decimal(query.epsilon) };
