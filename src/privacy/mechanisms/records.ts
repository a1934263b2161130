import { type Decimal, decimalFromDouble } from '../../numeric/decimal.ts';
import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { add, multiply } from '../../numeric/enclosure-arithmetic.ts';
import type { LogMoment } from '../log-moment.ts';
import type { Directions } from '../curve.ts';
import { failureProbability } from '../failure.ts';
import { failureOfPair, swapped } from '../finite-pair.ts';
import type { Entry, Mechanism, Selection } from '../mechanism.ts';
import { totalEpsilon } from '../pure.ts';
import { sampledMoments } from '../sampling/sampled-moment.ts';
import { guaranteeOfRuns } from '../selection/pure-runs.ts';
import { finitePair, boundedRange, dp, rdp, zcdp } from './guarantees.ts';
import { discreteGaussian, gaussian, gdp, rhoOfSquare, discreteLaplace, laplace } from './noise.ts';
import { randomizedResponse, shuffledReports } from './local.ts';
import type { EpsilonDelta, MechanismRecord, Parameter, ParameterName } from './record.ts';
import { sampled } from './sampled.ts';
import { selectionOf } from './selection.ts';

type Type = Mechanism['type'];
type OfType<T extends Type> = Extract<Mechanism, { type: T }>;

/** In the order in which messages list them. */
const RECORDS = {
  dp,
  'bounded-range': boundedRange,
  laplace,
  gaussian,
  'discrete-laplace': discreteLaplace,
  'discrete-gaussian': discreteGaussian,
  'finite-pair': finitePair,
  zcdp,
  rdp,
  gdp,
  'randomized-response': randomizedResponse,
  'shuffled-reports': shuffledReports,
  sampled,
  selection: selectionOf({
    isZeroLoss: (of: Selection['of']): boolean => of.every(({ mechanism }) => isZeroLoss(mechanism)),
    moments: (of: Selection['of']): Directions<LogMoment> | null => momentsOfOneRun(of),
    guarantee: (selection: Selection): EpsilonDelta | null => guaranteeOfSelection(selection),
  }),
} satisfies { readonly [T in Type]: MechanismRecord<OfType<T>> };

type Member = keyof MechanismRecord<Mechanism>;
type TypeWith<K extends Member> = {
  [T in Type]: (typeof RECORDS)[T] extends Readonly<Record<K, unknown>> ? T : never;
}[Type];

/** Mechanisms of the types whose records have a member. */
export type MechanismWith<K extends Member> = OfType<TypeWith<K>>;

export const MODELLED_TYPES = Object.keys(RECORDS) as Type[];

/** The types whose records have a member. */
export const typesWith = <K extends Member>(member: K): readonly TypeWith<K>[] =>
  MODELLED_TYPES.filter((type): type is TypeWith<K> => member in RECORDS[type]);

/** The record of a mechanism's type. */
export const recordOf = <M extends Mechanism>({ type }: Pick<M, 'type'>): MechanismRecord<M> =>
  RECORDS[type] as unknown as MechanismRecord<M>;

/** Mechanisms with an (e, d)-DP guarantee of finite e. */
export type WithPurePart = MechanismWith<'epsilonDelta'>;

export const WITH_PURE_PART = typesWith('epsilonDelta');

export const hasPurePart = (mechanism: Mechanism): mechanism is WithPurePart => 'epsilonDelta' in recordOf(mechanism);

/** Whether what is declared is a trade-off function: that of a pair of distributions of its own. */
export const hasTradeOff = (mechanism: Mechanism): boolean => 'hasOwnPair' in recordOf(mechanism);

/** The (e, d)-DP guarantee behind a mechanism of bounded loss. */
export const epsilonDeltaOf = (mechanism: WithPurePart): EpsilonDelta => recordOf(mechanism).epsilonDelta!(mechanism);

/** The e of that. */
export const pureEpsilon = (mechanism: WithPurePart): Decimal => epsilonDeltaOf(mechanism).epsilon;

/** Mechanisms that go by their (e, d)-DP guarantee where the distribution of losses counts: as randomized response. */
export type Response = Exclude<WithPurePart, MechanismWith<'hasOwnPair'>>;

export const RESPONSES = WITH_PURE_PART.filter((type): type is Response['type'] => !('hasOwnPair' in RECORDS[type]));

export const isResponse = (mechanism: Mechanism): mechanism is Response =>
  RESPONSES.some((type) => type === mechanism.type);

export const isZeroLoss = (mechanism: Mechanism): boolean => recordOf(mechanism).isZeroLoss(mechanism);

/** mu^2 / 2 of Gaussian noise, discrete or not, or of a mu-GDP guarantee; null of others. */
export function gaussianRho({ mechanism }: Entry): Enclosure | null {
  const { muSquared } = recordOf(mechanism);
  return muSquared ? rhoOfSquare(muSquared.enclosed(mechanism)) : null;
}

/**
 * The zCDP parameter of one entry's mechanism; null for Renyi DP at single orders, which has none.
 *
 * Source: Bun, Steinke (2016), Definition 1.1.
 */
export const rhoOf = ({ mechanism, kind }: Entry): Enclosure | null =>
  isZeroLoss(mechanism) ? exactly(0) : (recordOf(mechanism).rho?.(mechanism, kind) ?? null);

/** The log-moment of one entry's mechanism. */
export const momentOf = ({ mechanism, kind }: Entry): LogMoment => recordOf(mechanism).moment(mechanism, kind);

/**
 * The parameter by which a mechanism is made more or less private, its other numbers held: epsilon, rho, mu, or the
 * scale or sigma of noise; or another of that name. Null where it has none.
 */
export function parameterOf(mechanism: Mechanism, name?: ParameterName): Parameter | null {
  const { parameter, named } = recordOf(mechanism);
  const other = name === undefined ? undefined : named?.(mechanism);
  return other !== undefined && other.name === name ? other : (parameter?.(mechanism) ?? null);
}

/**
 * A randomized response RR(e) which a composition of such noise is never below: what noise reveals to who only sees on which
 * side of the middle between the two true values the answer lies (a coin decides where it is the middle), by symmetry. Its
 * e, rounded down; null where that is 0 or the mechanism adds no such noise.
 */
export function midpointResponse(mechanism: Mechanism): Decimal | null {
  const e = recordOf(mechanism).midpoint?.(mechanism) ?? 0;
  return e > 0 && Number.isFinite(e) ? decimalFromDouble(e) : null;
}

/**
 * The same mechanisms, of which one that is run alone counts as one that answers once: what it answers is the view of
 * its adversary. A trade-off function is declared of the two views of every adaptive adversary, so alone its curve holds
 * as it is, and nothing is asked of its communication.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Definition 14.6; interactive: Haney et al. (2023), Definition 2.2.
 */
export function withOneAnswer(entries: readonly Entry[]): readonly Entry[] {
  const [only, ...others] = entries.filter(({ mechanism }) => !isZeroLoss(mechanism));
  if (only === undefined || others.length > 0 || only.count > 1 || !hasTradeOff(only.mechanism)) return entries;
  return entries.map((entry) => (entry === only ? { ...only, kind: 'noninteractive' } : entry));
}

/** Whether all that a mechanism loses with infinite losses is a failure whose probability is the same for both neighbors. */
function failsAlike(mechanism: Mechanism): boolean {
  const base = mechanism.type === 'sampled' ? mechanism.of : mechanism;
  return base.type !== 'finite-pair' || (failureOfPair(base).isZero() && failureOfPair(swapped(base)).isZero());
}

/** The log-moments of mechanisms that are run together, in both directions; null where infinite losses are no failures. */
export function momentsOfOneRun(of: Selection['of']): Directions<LogMoment> | null {
  if (!of.every(({ mechanism }) => failsAlike(mechanism))) return null;
  const parts = of.map((entry) => {
    const { mechanism, count } = entry;
    if (mechanism.type === 'sampled') return { count, ...sampledMoments(mechanism) };
    const moment = momentOf(entry);
    return { count, remove: moment, add: moment };
  });
  const sumIn =
    (direction: keyof Directions<LogMoment>): LogMoment =>
    (lambda) =>
      parts.reduce((sum, part) => add(sum, multiply(exactly(part.count), part[direction](lambda))), exactly(0));
  return { remove: sumIn('remove'), add: sumIn('add') };
}

/** The (e, d)-DP guarantee of a selection whose mechanisms all have one; null of others, see {@link guaranteeOfRuns}. */
export function guaranteeOfSelection({ of, runs }: Selection): EpsilonDelta | null {
  const guarantees = of.flatMap(({ mechanism, count }) =>
    hasPurePart(mechanism) ? [{ ...epsilonDeltaOf(mechanism), count }] : [],
  );
  if (guarantees.length < of.length) return null;
  return guaranteeOfRuns(runs, { epsilon: totalEpsilon(guarantees), delta: failureProbability(guarantees).upper });
}
