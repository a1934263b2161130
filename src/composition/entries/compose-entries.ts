import {
  BOUND_IDS,
  type Bound,
  type BoundId,
  type Composition,
  type Effort,
  type RowId,
} from '../../bounds/core/bound.ts';
import { createSession, Kept, type Session } from '../../bounds/core/session.ts';
import { Decimal, exactUpper } from '../../numeric/decimal.ts';
import { asLower, asUpper, relativeWidth, type Bracket, type LowerBound } from '../../numeric/enclosure.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import { unlessInterrupted } from '../../numeric/watch.ts';
import { type PrivacyCurve, effectiveOrder, type Adaptivity, type Order, type Query } from '../../privacy/curve.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { mergeEqual, valueKey } from '../../privacy/mechanism-key.ts';
import { ALL_BOUNDS } from '../../bounds/all.ts';
import { withOneAnswer } from '../../privacy/mechanisms/records.ts';
import { samplingRefusal, type CostOf } from './sampling-refusal.ts';
import { bySelections } from './selections.ts';
import {
  checked,
  consistent,
  solvedIn,
  type Answer,
  type AppliedRow,
  type BoundRow,
  type Outcome,
} from '../core/outcome.ts';
import { isSlowLowerBound, lowerBoundOf, quickLowerBoundOf } from './lower-bound.ts';
import { answerWarnings, entryWarnings, weakerBound } from './warnings.ts';

/** A list of mechanisms to compose. */
export interface EntriesProblem {
  /** At least one. */
  readonly entries: readonly Entry[];
  readonly adaptivity: Adaptivity;
  /** Default any; says nothing where all mechanisms are fixed in advance. */
  readonly order?: Order;
}

export interface ComposeOptions {
  /** Only these bounds compete, and beside them nothing slow is computed; default all. */
  readonly bounds?: readonly BoundId[];
  /** Only what takes milliseconds is computed: closed forms and sums, no tables and lattices. */
  readonly quick?: boolean;
  /** Whether removals and additions of a record are told apart in the answer, where they are composed apart; default false. */
  readonly directions?: boolean;
  /** Whether only the claim is wanted, and nothing beside it that cannot make it smaller; default false. */
  readonly claimOnly?: boolean;
  /** Relative width asked of the enclosure. */
  readonly tolerance?: number;
  /** Whether that is no reason to work longer than where none is asked. */
  readonly sparing?: boolean;
  /** True once no further refinement should start. */
  readonly exhausted?: () => boolean;
  /** True once work under way is to be given up: bounds that are not done then have no part in the answer. */
  readonly interrupted?: () => boolean;
  /** Receives the work under way, and the share of its present stage that is done, 0 to 1; may be called often. */
  readonly progress?: (what: BoundId | 'lower bound', share: number) => void;
  /** Where what several questions need is kept; absent: for this one alone. */
  readonly session?: Session;
}

/** Lower and upper closer than this, relatively, are called tight where no tolerance is asked. */
const TIGHT = 1e-6;

const NOTHING: Composition = { entries: [], adaptivity: 'adaptive', order: 'any' };

/**
 * The relative width at which a bound's enclosure counts as tight where no tolerance is asked; the smallest one where the
 * composition is not at hand.
 */
export const usualTolerance = (id: RowId, composition = NOTHING): number =>
  ALL_BOUNDS.find((bound) => bound.id === id)?.tolerance?.(composition) ?? TIGHT;

/** A number of the query, as the nearest double (it is the user's own number, not a bound), with its exact text. */
const givenBracket = (value: Decimal): Bracket => ({
  lower: asLower(value.toNumber()),
  upper: asUpper(value.toNumber()),
  exact: value.toString(),
});

/** The delta or epsilon that a query gives, unchanged. */
export const givenBracketOf = (query: Query): Bracket =>
  givenBracket(query.solveFor === 'epsilon' ? query.delta : query.epsilon);

const neverExhausted = (): boolean => false;

/** The effort for one part of the work; what takes milliseconds is never given up. */
export function effortFor(what: BoundId | 'lower bound', isSlow: boolean, options: ComposeOptions): Effort {
  const { exhausted = neverExhausted, interrupted, progress, session, sparing, tolerance } = options;
  return {
    exhausted,
    ...(session && { session }),
    ...(sparing === undefined ? {} : { sparing }),
    ...(interrupted && isSlow && { interrupted }),
    ...(tolerance === undefined ? {} : { tolerance }),
    ...(progress && {
      progress: (share) => {
        progress(what, share);
      },
    }),
  };
}

/** A bound and what it gives for a composition, which is computed when it is first needed. */
interface Applied {
  readonly bound: Bound;
  readonly applied: ReturnType<Bound['apply']>;
  readonly isSlow: boolean;
}

function applyBounds(whole: Composition, options: ComposeOptions): Applied[] {
  const standIn = bySelections(whole);
  return ALL_BOUNDS.flatMap((theorem) => {
    const { id } = theorem;
    if (options.bounds?.includes(id) === false) return [];
    const { bound, composition, apply } = standIn(theorem);
    let [cachedSlowness, cached]: [boolean?, Applied['applied']?] = [];
    const row: Applied = {
      bound,
      get isSlow() {
        return (cachedSlowness ??= bound.isSlow?.(composition) === true);
      },
      get applied() {
        return (cached ??= apply(effortFor(id, row.isSlow, options)));
      },
    };
    return options.quick === true && row.isSlow ? [] : [row];
  });
}

/** An impossibility lower bound; where bounds are named, or time is up, only one that takes milliseconds. */
function lowerBoundFor(entries: readonly Entry[], options: ComposeOptions): (query: Query) => LowerBound | null {
  const isSlow = isSlowLowerBound(entries);
  const quick = quickLowerBoundOf(entries);
  if (isSlow && (options.bounds !== undefined || options.quick === true)) return quick;
  const full = lowerBoundOf(entries, effortFor('lower bound', isSlow, options));
  return (query) => full(query) ?? quick(query);
}

function rowFor({ bound, applied }: Applied, query: Query, isShown: boolean): BoundRow {
  const { id, name, reference } = bound;
  const named = { id, name, reference };
  if ('reason' in applied) return { ...named, applies: false, reason: applied.reason };
  const { curve } = applied;
  const read = (privacyCurve: PrivacyCurve): Bracket =>
    checked(query.solveFor === 'epsilon' ? privacyCurve.epsilon(query.delta) : privacyCurve.delta(query.epsilon), id);
  const reading = unlessInterrupted(() => ({
    value: read(curve),
    directions:
      curve.directions && isShown
        ? { remove: read(curve.directions.remove), add: read(curve.directions.add) }
        : undefined,
  }));
  if (reading === null) return { ...named, applies: false, reason: { code: 'interrupted' } };
  const { value, directions } = reading;
  return { ...named, applies: true, ...epsilonAndDelta(value, query), ...(directions && { directions }) };
}

/** Ends that are closer than this, relatively, leave nothing to gain. */
const EXACT = 1e-9;

/** The row of the quick bound that is exact; undefined where none is. */
function exactRow(rows: readonly BoundRow[], query: Query): AppliedRow | undefined {
  return rows.find((row): row is AppliedRow => {
    const value = row.applies ? solvedIn(row, query) : null;
    return value !== null && (value.upper === 0 || relativeWidth(value) <= EXACT);
  });
}

/** Whether a bound says that there is no loss at all. */
const isNothing = (row: BoundRow, query: Query): boolean => row.applies && solvedIn(row, query).upper === 0;

const needless = ({ bound: { id, name, reference } }: Applied, bound: RowId): BoundRow => ({
  id,
  name,
  reference,
  applies: false,
  reason: { code: 'needless', bound },
});

/** The row of the bound whose ends meet about; undefined where none do. */
const tightRow = (rows: readonly BoundRow[], query: Query): BoundRow | undefined =>
  rows.find((row) => row.applies && relativeWidth(solvedIn(row, query)) <= TIGHT);

/** Theorems from this one on have no lower ends. */
const FROM_ABOVE = BOUND_IDS.indexOf('br-rdp');

const isFromAbove = ({ bound }: Applied): boolean => BOUND_IDS.indexOf(bound.id) >= FROM_ABOVE;

/**
 * The row of each bound; slow ones only where they are named, or no quick one is exact. Where only the claim is wanted,
 * theorems without lower ends come last, and not beside ends that meet: below the lower one of those no claim lies.
 */
function rowsFor(
  bounds: readonly Applied[],
  query: Query,
  { bounds: named, directions = false, claimOnly = false }: ComposeOptions,
  step: Step,
): BoundRow[] {
  const rows = new Map<Applied, BoundRow>();
  const isEnough = claimOnly && named === undefined;
  const ask = (theorem: Applied, other: RowId | undefined): void => {
    const row = (): BoundRow => step(theorem.bound.id, () => rowFor(theorem, query, directions));
    rows.set(theorem, other === undefined ? row() : needless(theorem, other));
  };
  const first = isEnough ? bounds.filter((theorem) => !isFromAbove(theorem)) : bounds;
  let exact: RowId | undefined;
  for (const theorem of first) {
    if ((isEnough && exact !== undefined) || theorem.isSlow) continue;
    ask(theorem, undefined);
    const row = rows.get(theorem)!;
    if (named === undefined && (!isEnough || !isNothing(row, query))) exact ??= exactRow([row], query)?.id;
  }
  for (const theorem of first) {
    if (rows.has(theorem)) continue;
    ask(theorem, exact !== undefined && (isEnough || !('reason' in theorem.applied)) ? exact : undefined);
  }
  if (!isEnough) return bounds.map((theorem) => rows.get(theorem)!);
  const tight =
    exact ??
    tightRow(
      [...rows.values()].filter((row) => !isNothing(row, query)),
      query,
    )?.id;
  for (const theorem of bounds) if (!rows.has(theorem)) ask(theorem, tight);
  // Where a quick bound claims nothing at all, slow ones are not asked if rows are wanted.
  const nothing = bounds.find((theorem) => !theorem.isSlow && isNothing(rows.get(theorem)!, query))?.bound.id;
  return bounds.map((theorem) =>
    nothing !== undefined && theorem.isSlow ? needless(theorem, nothing) : rows.get(theorem)!,
  );
}

/** A value that was asked for, beside what was given. */
function epsilonAndDelta(value: Bracket, query: Query): Record<'epsilon' | 'delta', Bracket> {
  const givenUpper = (decimal: Decimal): Bracket => ({ ...givenBracket(decimal), lower: null });
  return query.solveFor === 'epsilon'
    ? { epsilon: value, delta: givenUpper(query.delta) }
    : { epsilon: givenUpper(query.epsilon), delta: value };
}

const isInterrupted = (row: BoundRow): boolean => !row.applies && row.reason.code === 'interrupted';

const idsOf = (rows: readonly BoundRow[]): BoundId[] =>
  ALL_BOUNDS.flatMap(({ id }) => (rows.some((row) => row.id === id) ? [id] : []));

/** Where bounds cover a composition and all of them were given up, one that claims nothing. */
function claimingNothing(rows: readonly BoundRow[], query: Query): AppliedRow | undefined {
  const row = rows.find(isInterrupted);
  const vacuous: Bracket = { lower: null, upper: asUpper(query.solveFor === 'epsilon' ? Infinity : 1) };
  return (
    row && { id: row.id, name: row.name, reference: row.reference, applies: true, ...epsilonAndDelta(vacuous, query) }
  );
}

/** The best of the lower ends that the bounds themselves certify for exactly these classes. */
function highestLower(rows: readonly AppliedRow[], query: Query): LowerBound | null {
  const lowerEnds = rows.map((row) => solvedIn(row, query).lower).filter((lower) => lower !== null);
  return lowerEnds.length === 0 ? null : asLower(Math.max(...lowerEnds));
}

/** Digits in which claims are printed. */
const PRINTED = 10;
/** What is printed alike in them is no further apart, relatively. */
const NEAR = 1e-8;

/**
 * The order of claims: the smaller one first; of those that are printed alike, the one that certifies its own lower end,
 * as that is the sharper theorem, and then the one that comes first among all bounds.
 */
function bySharpness(a: Bracket, b: Bracket): number {
  const printed = (claim: Bracket): Decimal => exactUpper(claim).toSignificantDigits(PRINTED, Decimal.ROUND_UP);
  const isOpen = ({ lower }: Bracket): number => (lower === null ? 1 : 0);
  const isNear = Math.abs(a.upper - b.upper) <= NEAR * b.upper && b.upper < Infinity;
  const isAlike = a.upper === b.upper || (isNear && printed(a).eq(printed(b)));
  return isAlike ? isOpen(a) - isOpen(b) : a.upper - b.upper;
}

/** Answers one query after another about the same mechanisms. */
export type Answerer = (query: Query) => Outcome;

/** Does a part of the work on one answer, which has a name there. */
type Step = <Result>(name: BoundId | 'lower bound', work: () => Result) => Result;

/** Answers in the steps, and with the session, of the caller. */
type SteppedAnswerer = (query: Query, session: Session, step: Step) => Outcome;

/** Answers kept for a composition, as parts of a plan repeat their questions. */
const MOST_OUTCOMES = 8;

/** Answerers, each with the options of the first question: its watches serve no other. */
const ANSWERERS = new Kept<{ readonly options: ComposeOptions; readonly answer: SteppedAnswerer }>(16);

/** What is asked, and what the watches see, apart. */
function apart({ session, exhausted, interrupted, progress, ...request }: ComposeOptions) {
  return { session, watches: [exhausted, interrupted, progress], request };
}

function newAnswererOf(
  { entries: listed, adaptivity, order: declared }: EntriesProblem,
  options: ComposeOptions,
): SteppedAnswerer {
  if (adaptivity === 'parameters') return () => ({ kind: 'refusal', refusal: { code: 'adaptive-parameters' } });
  const entries = withOneAnswer(listed);
  const order = effectiveOrder(adaptivity, declared);
  const merged = mergeEqual(entries, order);
  const composition: Composition = { entries: merged, adaptivity, order };
  const bounds = applyBounds(composition, options);
  let cachedFloor: ReturnType<typeof lowerBoundFor> | undefined;
  const floor = (query: Query): LowerBound | null => (cachedFloor ??= lowerBoundFor(merged, options))(query);
  const cache = new LruCache<Outcome>(MOST_OUTCOMES);
  const answered: SteppedAnswerer = (query, session, step) => {
    const costOf: CostOf = (others, partQuery) => {
      const outcome = composeEntries({ entries: others, adaptivity, order }, partQuery, { ...options, session });
      return outcome.kind === 'answer' ? solvedIn(outcome.answer, partQuery) : null;
    };
    const refusal = samplingRefusal(merged, query, costOf);
    if (refusal !== null) return { kind: 'refusal', refusal };
    const rows = rowsFor(bounds, query, options, step);
    const applied = rows
      .filter((row): row is AppliedRow => row.applies)
      .sort((a, b) => bySharpness(solvedIn(a, query), solvedIn(b, query)));
    const interrupted = rows.filter(isInterrupted);
    const best = applied[0] ?? claimingNothing(rows, query);
    const warnings = entryWarnings(entries, best !== undefined && solvedIn(best, query).lower !== null);
    if (!best) return { kind: 'refusal', refusal: { code: 'no-bound', bounds: rows, warnings } };

    const tolerance = options.tolerance ?? usualTolerance(best.id, composition);
    const own = solvedIn(best, query);
    const lower =
      own.upper === 0 ? asLower(0) : (highestLower(applied, query) ?? step('lower bound', () => floor(query)));
    const value: Bracket = consistent({ ...own, lower }, best.id);
    const answer: Answer = {
      query,
      epsilon: query.solveFor === 'epsilon' ? value : givenBracket(query.epsilon),
      delta: query.solveFor === 'delta' ? value : givenBracket(query.delta),
      bound: best.id,
      ...(best.directions && { directions: best.directions }),
      tight: relativeWidth(value) <= tolerance,
      bounds: [
        ...(applied.length === 0 ? [best] : applied),
        ...rows.filter((row) => !row.applies && row.id !== best.id),
      ],
      warnings: [
        ...warnings,
        ...(interrupted.length === 0 ? [] : [{ code: 'interrupted', bounds: idsOf(interrupted) } as const]),
        ...weakerBound(rows, query, best, tolerance),
        ...answerWarnings(
          entries,
          interrupted.length > 0,
          query,
          value,
          best,
          tolerance,
          options.exhausted?.() === true,
        ),
      ],
    };
    return { kind: 'answer', answer };
  };
  // What time cuts short is not what another question would find.
  const isOpen = (): boolean => options.exhausted !== undefined || options.interrupted !== undefined;
  return (query, session, step) =>
    isOpen() ? answered(query, session, step) : cache.get(valueKey(query), () => answered(query, session, step));
}

/**
 * Answers any number of queries about one composition: each theorem is applied to the mechanisms once, and what it
 * keeps serves all queries. Each answer is that of {@link composeEntries}.
 */
export function answererOf(problem: EntriesProblem, options: ComposeOptions = {}): Answerer {
  const { session = createSession(), watches, request } = apart(options);
  const work = { ...options, session };
  // Labels are free words, which might read as what follows them.
  const labels = problem.entries.map(({ label }) => label);
  const unlabelled = problem.entries.map((entry) => ({ ...entry, label: null }));
  const key = `${JSON.stringify(labels)} ${valueKey([{ ...problem, entries: unlabelled }, request])}`;
  const answerer = (): SteppedAnswerer => {
    const cachedAnswerer = session.get(ANSWERERS, key, () => ({ options, answer: newAnswererOf(problem, work) }));
    const others = apart(cachedAnswerer.options).watches;
    return watches.every((watch, at) => watch === others[at]) ? cachedAnswerer.answer : newAnswererOf(problem, work);
  };
  let answer: SteppedAnswerer | undefined;
  return (query) => {
    const own = `${key} ${valueKey(query)}`;
    return session.step(own, () =>
      (answer ??= answerer())(query, session, (name, part) => session.step(`${own} ${name}`, part)),
    );
  };
}

/**
 * Composes the mechanisms by every theorem that applies, the tightest first, with an impossibility lower bound of the
 * answer.
 *
 * `answer.epsilon.upper` (or `delta.upper`) is a valid claim for every mechanism of the declared classes in the declared
 * setting. Parameters chosen adaptively are refused: only filters and odometers cover them.
 */
export const composeEntries = (problem: EntriesProblem, query: Query, options: ComposeOptions = {}): Outcome =>
  answererOf(problem, options)(query);
