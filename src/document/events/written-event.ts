import type { InexpressibleEvent } from '../../composition/core/outcome.ts';
import { isEntry, type PlanNode } from '../../composition/core/plan-node.ts';
import { Decimal, ONE, ZERO } from '../../numeric/decimal.ts';
import { Rational, roundedDecimal } from '../../numeric/rational.ts';
import type { Entry, Mechanism, Sampled, Selection } from '../../privacy/mechanism.ts';
import { sizesOf } from '../../privacy/sampling/random-allocation.ts';
import { rationalOf } from '../../privacy/sampling/rate.ts';
import { isSeveral } from '../../privacy/sampling/several-records.ts';
import { meanRunsAbove } from '../../privacy/selection/run-law.ts';
import type { Path } from '../core/input-error.ts';
import { formatPath } from '../core/quote.ts';
import { Diagnostics } from '../core/validate.ts';
import { DOCUMENT_VOCABULARY } from '../structure/document-schema.ts';
import { validateDocument } from '../structure/validate-document.ts';
import type { JsonValue } from '../syntax/json-read.ts';
import { isObject, quotientText } from './conversion.ts';
import { binomialChances } from './named-events.ts';
import type { WrittenDocument } from './read-convertible.ts';

/** An event of dp_accounting: its class and its attributes, numbers as exact text that is a number in Python. */
export interface DpEvent {
  readonly className: string;
  readonly attributes: Readonly<Record<string, string | DpEvent | readonly DpEvent[]>>;
  /** The label of the mechanism. */
  readonly label?: string | null;
}

/** The events of a specification. */
export interface WrittenEvent {
  readonly event: DpEvent;
  readonly name: string | null;
  /** Whether neighbours are data of which one record is replaced. */
  readonly replaced: boolean;
}

/** What no event of dp_accounting says, and where it stands. */
export interface NoEvent {
  readonly path: string;
  readonly obstacle: InexpressibleEvent;
}

/** What keeps an entry from being an event, and under which of its keys. */
class Inexpressible extends Error {
  readonly obstacle: InexpressibleEvent;
  readonly path: Path;

  constructor(obstacle: InexpressibleEvent, path: Path) {
    super(obstacle);
    this.obstacle = obstacle;
    this.path = path;
  }
}

const NO_OPERATION: DpEvent = { className: 'NoOpDpEvent', attributes: {} };
const TWO = new Decimal(2);

/** Noise in units of the norm bound of a record: of a replaced one half the sensitivity. */
const multiplierText = (noise: Decimal, sensitivity: Decimal, replaced: boolean): string =>
  quotientText(noise, replaced ? sensitivity.div(TWO) : sensitivity);

function onBoundedRecords(className: string, noise: Decimal, sensitivity: Decimal, replaced: boolean): DpEvent {
  if (sensitivity.isZero()) return NO_OPERATION;
  return { className, attributes: { noise_multiplier: multiplierText(noise, sensitivity, replaced) } };
}

type Base = Exclude<Mechanism, Sampled | Selection>;
type EventOf<M> = (mechanism: M, replaced: boolean, path: Path) => DpEvent;

/** The events of mechanisms, type by type; `replaced` as in `WrittenEvent`. Types that are not here have none. */
const EVENTS: { readonly [T in Base['type']]?: EventOf<Extract<Base, { type: T }>> } = {
  dp: ({ epsilon, delta }) =>
    epsilon.isZero() && delta.isZero()
      ? NO_OPERATION
      : { className: 'EpsilonDeltaDpEvent', attributes: { epsilon: epsilon.toString(), delta: delta.toString() } },
  gaussian: ({ sigma, sensitivity }, replaced) => onBoundedRecords('GaussianDpEvent', sigma, sensitivity, replaced),
  gdp: ({ mu }, replaced) => onBoundedRecords('GaussianDpEvent', ONE, mu, replaced),
  laplace: ({ scale, sensitivity }, replaced) => onBoundedRecords('LaplaceDpEvent', scale, sensitivity, replaced),
  'discrete-laplace'({ scale, sensitivity }, replaced, path) {
    if (sensitivity.isZero()) return NO_OPERATION;
    const bound = replaced ? sensitivity.div(TWO) : sensitivity;
    if (!bound.isInteger()) throw new Inexpressible('odd-sensitivity', [...path, 'sensitivity']);
    return {
      className: 'DiscreteLaplaceDpEvent',
      attributes: { noise_parameter: quotientText(ONE, scale), sensitivity: bound.toFixed() },
    };
  },
  'discrete-gaussian'({ sigma, sensitivity }) {
    if (sensitivity.isZero()) return NO_OPERATION;
    return {
      className: 'DiscreteGaussianDpEvent',
      attributes: { sigma: sigma.toString(), sensitivity: sensitivity.toFixed(), dimension: '1' },
    };
  },
  zcdp({ rho, delta }, _, path) {
    if (delta?.gt(0) === true) throw new Inexpressible('type', path);
    return { className: 'ZCDpEvent', attributes: { rho: rho.toString() } };
  },
  'bounded-range': ({ epsilon }) => ({
    className: 'ExponentialMechanismDpEvent',
    attributes: { epsilon: epsilon.toString() },
  }),
};

/** The event of a mechanism by itself. */
function baseEvent(mechanism: Base, path: Path, replaced: boolean): DpEvent {
  const event = EVENTS[mechanism.type] as EventOf<Base> | undefined;
  if (event === undefined) throw new Inexpressible('type', path);
  return event(mechanism, replaced, path);
}

/** Randomized response, where a finite pair is one: (own, other, the rest) against (other, own, the rest) of k symbols. */
function responseEvent(mechanism: Mechanism): DpEvent | null {
  if (mechanism.type !== 'finite-pair' || mechanism.direction !== 'either') return null;
  const { p, q } = mechanism;
  const [own, other, rest = ZERO] = p;
  if (own === undefined || other === undefined || p.length > 3 || other.isZero() || own.lt(other)) return null;
  const isSymmetric = q[0]!.eq(other) && q[1]!.eq(own) && (q[2] ?? ZERO).eq(rest);
  const symbols = Rational.ofDecimal(rest).over(Rational.ofDecimal(other)).plus(Rational.of(2));
  const noise = Rational.ofDecimal(other).times(symbols);
  if (!isSymmetric || symbols.denominator !== 1n || noise.compare(Rational.ONE) > 0) return null;
  const buckets = symbols.numerator;
  return {
    className: 'RandomizedResponseDpEvent',
    attributes: { noise_parameter: other.times(buckets.toString()).toString(), num_buckets: buckets.toString() },
  };
}

const WHOLE_QUOTIENT = /^\d+\/\d+$/;

/** The rate of a validated entry as it is written, where that is a quotient. */
function writtenQuotient(entry: JsonValue | undefined): string | null {
  if (!isObject(entry)) return null;
  const rate = isObject(entry.sampling) ? entry.sampling.rate : entry.rate;
  return typeof rate === 'string' && WHOLE_QUOTIENT.test(rate) ? rate : null;
}

/** Mixtures of more shifts are not written. */
const MOST_SHIFTS = 32;
/** Digits of probabilities. */
const SHIFT_DIGITS = 40;

/** Several records of one person, drawn binomially often; probabilities are rounded to more of them. */
function severalEvent(mechanism: Sampled, path: Path): DpEvent {
  const { of, rate, rates, records = ONE, opposite, neighbours } = mechanism;
  if (of.type !== 'gaussian' || neighbours !== 'add-remove' || opposite || rates || records.gt(MOST_SHIFTS)) {
    throw new Inexpressible('several-records', path);
  }
  const chances = binomialChances(records.toNumber(), rationalOf(rate)).map((chance) =>
    roundedDecimal(chance, SHIFT_DIGITS, 'up'),
  );
  chances[0] = chances.slice(1).reduce((rest, chance) => rest.minus(chance), ONE);
  if (chances[0].isNegative()) throw new Inexpressible('several-records', path);
  const list = (values: readonly Decimal[]): string => `[${values.map(String).join(', ')}]`;
  return {
    className: 'MixtureOfGaussiansDpEvent',
    attributes: {
      standard_deviation: of.sigma.toString(),
      sensitivities: list(chances.map((_, m) => of.sensitivity.times(m))),
      sampling_probs: list(chances),
    },
  };
}

function sampledEvent(mechanism: Sampled, entry: JsonValue | undefined, path: Path, replaced: boolean): DpEvent {
  const event = baseEvent(mechanism.of, path, replaced);
  if (event === NO_OPERATION) return event;
  const { numerator, denominator } = mechanism.rate;
  const quotient = writtenQuotient(entry);
  switch (mechanism.scheme) {
    case 'poisson': {
      if (isSeveral(mechanism)) return severalEvent(mechanism, [...path, 'sampling']);
      const rate = quotient ?? quotientText(numerator, denominator);
      return { className: 'PoissonSampledDpEvent', attributes: { sampling_probability: rate, event } };
    }
    case 'without-replacement': {
      const [sample = '', population = ''] = (quotient ?? `${numerator.toFixed()}/${denominator.toFixed()}`).split('/');
      return {
        className: 'SampledWithoutReplacementDpEvent',
        attributes: { source_dataset_size: population, sample_size: sample, event },
      };
    }
    case 'with-replacement': {
      const { numerator: drawn, denominator: among } = rationalOf(mechanism.rate);
      if (drawn !== 1n || mechanism.draws === undefined || mechanism.neighbours === 'replace-one') {
        throw new Inexpressible('several-records', [...path, 'sampling']);
      }
      return {
        className: 'SampledWithReplacementDpEvent',
        attributes: {
          source_dataset_size: String(among),
          sample_size: mechanism.draws.toFixed(),
          event: baseEvent(mechanism.of, path, true),
        },
      };
    }
    case 'random-allocation': {
      const { batches, selected } = sizesOf(mechanism);
      return {
        className: 'RandomAllocationDpEvent',
        attributes: { event, num_selected: String(selected), num_steps: String(batches) },
      };
    }
    case 'shuffled':
      throw new Inexpressible('shuffled', [...path, 'sampling']);
  }
}

/** The event of a selection; of a law by gamma, the mean is rounded up. dp_accounting has no fixed and no binomial number of runs. */
function selectionEvent({ of, runs }: Selection, path: Path, replaced: boolean): DpEvent {
  if (runs.law === 'binomial' || (runs.law === 'fixed' && !runs.count.eq(ONE)))
    throw new Inexpressible('runs', [...path, 'runs']);
  const events = of.map((part, index) => entryEvent(part, undefined, [...path, 'of', index], replaced));
  const [first, ...more] = events;
  const event: DpEvent =
    first !== undefined && more.length === 0 ? first : { className: 'ComposedDpEvent', attributes: { events } };
  const shape = runs.law === 'negative-binomial' ? runs.shape.toString() : "float('inf')";
  return {
    className: 'RepeatAndSelectDpEvent',
    attributes: { event, mean: meanRunsAbove(runs).toString(), shape: runs.law === 'fixed' ? '1' : shape },
  };
}

function entryEvent(
  { mechanism, count, kind, label, neighbours }: Entry,
  entry: JsonValue | undefined,
  path: Path,
  replaced: boolean,
): DpEvent {
  if (kind !== 'noninteractive') throw new Inexpressible('kind', [...path, 'kind']);
  if (mechanism.type === 'sampled' && (mechanism.neighbours === 'replace-one') !== replaced) {
    throw new Inexpressible('mixed-neighbours', path);
  }
  const event =
    mechanism.type === 'selection'
      ? selectionEvent(mechanism, path, replaced)
      : mechanism.type === 'sampled'
        ? sampledEvent(mechanism, entry, path, replaced)
        : ((neighbours === 'replace-one' ? responseEvent(mechanism) : null) ?? baseEvent(mechanism, path, replaced));
  if (count === 1) return { ...event, label };
  return { className: 'SelfComposedDpEvent', attributes: { event, count: String(count) }, label };
}

const isReplacedEntry = (node: PlanNode): boolean =>
  isEntry(node) &&
  (node.mechanism.type === 'selection' ? node.mechanism.of.some(isReplacedEntry) : isReplacedSingle(node));

const isReplacedSingle = (node: Entry): boolean =>
  node.mechanism.type === 'sampled'
    ? node.mechanism.neighbours === 'replace-one'
    : node.neighbours === 'replace-one' && responseEvent(node.mechanism) !== null;

/**
 * The event of dp_accounting that says what the mechanisms of a valid document are; or what there stands in the way. Numbers are
 * exact. mu-Gaussian DP is the Gaussian event of multiplier 1 / mu; of two relations of neighbours the multipliers are as
 * `readEventList` reads them. What is asked, and labels, are no part of an event.
 */
export function writtenEvent(document: WrittenDocument): WrittenEvent | NoEvent {
  const specification = validateDocument(document, new Diagnostics(DOCUMENT_VOCABULARY));
  if (specification === null) throw new Error('A document is invalid that was valid.');
  const { entries, adaptivity, design, name } = specification;
  if (adaptivity === 'parameters') return { path: 'adaptivity', obstacle: 'adaptive-parameters' };
  if (design !== null) return { path: 'design', obstacle: 'design' };
  const replaced = entries.some(isReplacedEntry);
  const mechanismKeys = document.mechanisms as readonly JsonValue[];
  try {
    const events = entries.map((node, index) => {
      const path = ['mechanisms', index];
      if (!isEntry(node)) throw new Inexpressible('structure', path);
      return entryEvent(node, mechanismKeys[index], path, replaced);
    });
    const [first, ...more] = events;
    const event: DpEvent =
      first !== undefined && more.length === 0 ? first : { className: 'ComposedDpEvent', attributes: { events } };
    return { event, name, replaced };
  } catch (error) {
    if (!(error instanceof Inexpressible)) throw error;
    return { path: formatPath(error.path), obstacle: error.obstacle };
  }
}
