import type { Bound, BoundId, Composition, Effort, RowId } from '../bounds/bound.ts';
import { failureOf } from '../bounds/entries.ts';
import { Decimal } from '../numeric/decimal.ts';
import { asLower, asUpper, relativeWidth, type Bracket, type LowerBound } from '../numeric/enclosure.ts';
import type { Entry } from '../privacy/mechanism.ts';
import { effectiveOrder, type Adaptivity, type Order, type Query } from '../privacy/query.ts';
import { mergeEqual } from '../privacy/mechanism-key.ts';
import { ALL_BOUNDS } from './bounds.ts';
import { checked, consistent } from './certain.ts';
import { lowerBoundOf } from './lower-bound.ts';
import type { Answer, BoundRow, Outcome, Warning } from './outcome.ts';
import { entryWarnings } from './warnings.ts';

/** What to compose: mechanisms in a row. */
export interface EntriesProblem {
  /** At least one. */
  readonly entries: readonly Entry[];
  readonly adaptivity: Adaptivity;
  /** Default any; says nothing where all mechanisms are fixed in advance. */
  readonly order?: Order;
}

export interface ComposeOptions {
  /** Only these bounds compete; default all. */
  readonly bounds?: readonly BoundId[];
  /** Relative width asked of the enclosure. */
  readonly tolerance?: number;
  /** True once no further refinement should start. */
  readonly exhausted?: () => boolean;
  /** Told the bound that is computed, and the share of its present stage that is done, 0 to 1; may be called often. */
  readonly progress?: (bound: BoundId, share: number) => void;
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

type AppliedRow = Extract<BoundRow, { applies: true }>;

/** What was asked, as the nearest double (it is the user's own number, not a bound), with its exact text. */
const echo = (value: Decimal): Bracket => ({
  lower: asLower(value.toNumber()),
  upper: asUpper(value.toNumber()),
  exact: value.toString(),
});

/** What a query gives, as it was asked. */
export const echoOf = (query: Query): Bracket => echo(query.solveFor === 'epsilon' ? query.delta : query.epsilon);

const solved = (row: { readonly epsilon: Bracket; readonly delta: Bracket }, query: Query): Bracket =>
  query.solveFor === 'epsilon' ? row.epsilon : row.delta;

function effortFor(id: BoundId, effort: Effort, { progress }: ComposeOptions): Effort {
  if (!progress) return effort;
  return {
    ...effort,
    progress: (share) => {
      progress(id, share);
    },
  };
}

type Applied = ReturnType<Bound['apply']>;

const applyBounds = (
  composition: Composition,
  effort: Effort,
  options: ComposeOptions,
): (readonly [Bound, Applied])[] =>
  ALL_BOUNDS.filter(({ id }) => !options.bounds || options.bounds.includes(id)).map((bound) => [
    bound,
    bound.apply(composition, effortFor(bound.id, effort, options)),
  ]);

function rowFor({ id, name, reference }: Bound, applied: Applied, query: Query): BoundRow {
  if ('reason' in applied) return { id, name, reference, applies: false, reason: applied.reason };
  const { curve } = applied;
  const given = (value: Decimal): Bracket => ({ ...echo(value), lower: null });
  return query.solveFor === 'epsilon'
    ? {
        id,
        name,
        reference,
        applies: true,
        epsilon: checked(curve.epsilon(query.delta), id),
        delta: given(query.delta),
      }
    : {
        id,
        name,
        reference,
        applies: true,
        epsilon: given(query.epsilon),
        delta: checked(curve.delta(query.epsilon), id),
      };
}

/** The best of the lower ends that the bounds themselves certify for exactly these classes. */
function highestLower(rows: readonly AppliedRow[], query: Query): LowerBound | null {
  const known = rows.map((row) => solved(row, query).lower).filter((lower) => lower !== null);
  return known.length === 0 ? null : asLower(Math.max(...known));
}

/** The smallest feasible delta, rounded up to 12 digits for reading. */
export const smallestDelta = (failure: Decimal): string => failure.toSignificantDigits(12, Decimal.ROUND_UP).toString();

function answerWarnings(
  entries: readonly Entry[],
  query: Query,
  value: Bracket,
  best: AppliedRow,
  asked: number,
): Warning[] {
  if (query.solveFor === 'epsilon' && value.upper === Infinity) {
    const failure = failureOf(entries);
    if (query.delta.gte(failure.upper)) return [{ code: 'no-finite-epsilon' }];
    const least = smallestDelta(failure.upper);
    return query.delta.lt(failure.lower)
      ? [{ code: 'delta-infeasible', failure: least, smallestDelta: least }]
      : [{ code: 'delta-not-covered', smallestDelta: least }];
  }
  const own = solved(best, query);
  const reached = relativeWidth(own);
  return own.lower !== null && reached > asked ? [{ code: 'tolerance-not-met', asked, reached }] : [];
}

/** Answers one query after another about the same mechanisms. */
export type Answerer = (query: Query) => Outcome;

/**
 * What mechanisms cost together, for any number of queries: each theorem is applied to them once, and what it keeps
 * serves all queries. Each answer is that of {@link composeEntries}.
 */
export function answererOf(
  { entries, adaptivity, order: declared }: EntriesProblem,
  options: ComposeOptions = {},
): Answerer {
  if (adaptivity === 'parameters') return () => ({ kind: 'refusal', refusal: { code: 'adaptive-parameters' } });
  const order = effectiveOrder(adaptivity, declared);
  const merged = mergeEqual(entries, order);
  const effort: Effort = {
    exhausted: options.exhausted ?? (() => false),
    ...(options.tolerance === undefined ? {} : { tolerance: options.tolerance }),
  };
  const composition: Composition = { entries: merged, adaptivity, order };
  const bounds = applyBounds(composition, effort, options);
  const floor = lowerBoundOf(merged, effort);
  return (query) => {
    const rows = bounds.map(([bound, applied]) => rowFor(bound, applied, query));
    const applied = rows
      .filter((row): row is AppliedRow => row.applies)
      .sort((a, b) => Math.sign(solved(a, query).upper - solved(b, query).upper) || 0);
    const [best] = applied;
    const warnings = entryWarnings(entries, best !== undefined && solved(best, query).lower !== null);
    if (!best) return { kind: 'refusal', refusal: { code: 'no-bound', bounds: rows, warnings } };

    const asked = options.tolerance ?? usualTolerance(best.id, composition);
    const own = solved(best, query);
    const lower = highestLower(applied, query) ?? floor(query);
    const value: Bracket = consistent({ ...own, lower }, best.id);
    const answer: Answer = {
      query,
      epsilon: query.solveFor === 'epsilon' ? value : echo(query.epsilon),
      delta: query.solveFor === 'delta' ? value : echo(query.delta),
      bound: best.id,
      tight: relativeWidth(value) <= asked,
      bounds: [...applied, ...rows.filter((row) => !row.applies)],
      warnings: [...warnings, ...answerWarnings(entries, query, value, best, asked)],
    };
    return { kind: 'answer', answer };
  };
}

/**
 * What the mechanisms cost together: every theorem that applies, the tightest first, and how far below it no claim
 * can go.
 *
 * `answer.epsilon.upper` (or `delta.upper`) is a valid claim for every mechanism of the declared classes in the declared
 * setting. Parameters chosen along the way are refused: only filters and odometers cover them.
 */
export const composeEntries = (problem: EntriesProblem, query: Query, options: ComposeOptions = {}): Outcome =>
  answererOf(problem, options)(query);
