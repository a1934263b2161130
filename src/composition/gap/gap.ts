import type { Bound, Composition, Effort, Inapplicability } from '../../bounds/core/bound.ts';
import { brAdaptive } from '../../bounds/bounded-range/adaptive.ts';
import { brNonadaptive } from '../../bounds/bounded-range/nonadaptive.ts';
import { createSession } from '../../bounds/core/session.ts';
import { decimalFromDouble, type Decimal } from '../../numeric/decimal.ts';
import { enclosure, exactly, relativeWidth, type Bracket, type Enclosure } from '../../numeric/enclosure.ts';
import { nextDown, nextUp } from '../../numeric/rounding.ts';
import { type PrivacyCurve, queryAt, type Adaptivity, type Query } from '../../privacy/curve.ts';
import type { BoundedRange, Entry } from '../../privacy/mechanism.ts';
import { checked, consistent, type Warning } from '../core/outcome.ts';
import type { ComposeOptions } from '../entries/compose-entries.ts';

/** Compositions of equal bounded-range mechanisms, every combination of what is listed; each list has at least one. */
export interface GapQuestion {
  /** The bounded range of each mechanism, above 0. */
  readonly each: readonly Decimal[];
  /** How many there are: whole numbers from 1 to 2^53 - 1. */
  readonly count: readonly number[];
  readonly solveFor: Query['solveFor'];
  /** The other one of epsilon and delta. */
  readonly given: readonly Decimal[];
}

export interface GapOptions extends Pick<ComposeOptions, 'exhausted' | 'interrupted' | 'session'> {
  /** Relative width asked of the adaptive optimum. */
  readonly tolerance?: number;
  /** Receives the row (from 0) that is computed, and the share of its present stage that is done. */
  readonly progress?: (row: number, share: number) => void;
}

/** An optimum, enclosed; `exact` where it is a decimal. */
export type Optimum = Enclosure & Pick<Bracket, 'exact'>;

/** How much more the adaptive optimum is than the nonadaptive one. */
export interface Gap {
  readonly adaptive: Optimum;
  /** adaptive / nonadaptive - 1; null where the nonadaptive optimum is 0. */
  readonly ratio: Enclosure | null;
  /** adaptive - nonadaptive. */
  readonly difference: Enclosure;
}

/** One composition, its two optima and how far they are apart. */
export interface GapRow {
  readonly each: Decimal;
  readonly count: number;
  readonly given: Decimal;
  readonly nonadaptive: Optimum;
  /** Or why the adaptive optimum is not computed. */
  readonly gap: Gap | { readonly reason: Inapplicability };
}

/** The largest of the ratios. */
export interface LargestGap {
  readonly ratio: Enclosure;
  /** The row whose ratio is the largest for certain, or one of them. */
  readonly row: GapRow;
}

export interface GapAnswer {
  readonly question: GapQuestion;
  readonly rows: readonly GapRow[];
  /** Null where no row has a ratio. */
  readonly largest: LargestGap | null;
  readonly warnings: readonly Warning[];
}

/** A gap of a few per cent keeps two or three digits at this relative width. */
const TOLERANCE = 1e-4;

/** The name of what is given where the other one is solved for. */
export const givenName = ({ solveFor }: GapQuestion): 'epsilon' | 'delta' =>
  solveFor === 'epsilon' ? 'delta' : 'epsilon';

function composition(epsilon: Decimal, count: number, adaptivity: Exclude<Adaptivity, 'parameters'>): Composition {
  const entry: Entry<BoundedRange> = {
    mechanism: { type: 'bounded-range', epsilon },
    count,
    kind: 'noninteractive',
    label: null,
  };
  return { entries: [entry], adaptivity, order: 'any' };
}

function curveOf(bound: Bound, composed: Composition, effort: Effort): PrivacyCurve {
  const applied = bound.apply(composed, effort);
  if ('reason' in applied) throw new Error(`${bound.id} does not apply: ${applied.reason.code}`);
  return applied.curve;
}

function optimum({ id }: Bound, curve: PrivacyCurve, query: Query): Optimum {
  const bracket = checked(query.solveFor === 'epsilon' ? curve.epsilon(query.delta) : curve.delta(query.epsilon), id);
  const { lower, upper, exact } = bracket;
  return { ...enclosure(lower ?? 0, upper), ...(exact === undefined ? {} : { exact }) };
}

/**
 * Whether both optima are the same for certain: at an epsilon of at least (k - 1) e, and of at most -(k - 1) e. An
 * epsilon that is solved for lies there where the nonadaptive one does, since the curves are the same from there on.
 *
 * Source: Dong, Durfee, Rogers (2020), Lemma 6.10.
 */
function nothingToGain({ solveFor }: GapQuestion, { each, count, given, nonadaptive }: Omit<GapRow, 'gap'>): boolean {
  const end = each.times(count).minus(each);
  return solveFor === 'delta' ? given.abs().gte(end) : decimalFromDouble(nonadaptive.lower).gte(end);
}

/** The gap between optima that are the same. */
const noGap = (optimum: Optimum): Gap => ({
  adaptive: optimum,
  ratio: optimum.upper === 0 ? null : exactly(0),
  difference: exactly(0),
});

/** The gap between enclosed optima, of which the adaptive one is certainly not the smaller. */
export function gapBetween(nonadaptive: Optimum, adaptive: Optimum): Gap {
  consistent({ lower: nonadaptive.lower, upper: adaptive.upper }, brAdaptive.id);
  const [lower, upper]: [number, number] = [nonadaptive.lower, nonadaptive.upper];
  const from = adaptive.lower > upper ? nextDown(adaptive.lower - upper) : 0;
  const to = adaptive.upper > lower ? nextUp(adaptive.upper - lower) : 0;
  const ratio = enclosure(Math.max(0, nextDown(from / upper)), to === 0 ? 0 : nextUp(to / lower));
  return { adaptive, ratio: upper === 0 ? null : ratio, difference: enclosure(from, to) };
}

function largestOf(rows: readonly GapRow[]): LargestGap | null {
  let largest: LargestGap | null = null;
  for (const row of rows) {
    const ratio = 'reason' in row.gap ? null : row.gap.ratio;
    if (ratio === null) continue;
    const upper = Math.max(ratio.upper, largest?.ratio.upper ?? 0);
    largest =
      largest !== null && largest.ratio.lower >= ratio.lower
        ? { ratio: enclosure(largest.ratio.lower, upper), row: largest.row }
        : { ratio: enclosure(ratio.lower, upper), row };
  }
  return largest;
}

function warningsOf(rows: readonly GapRow[], tolerance: number, cut: boolean): Warning[] {
  const widths = rows.flatMap(({ gap }) => ('reason' in gap ? [] : [relativeWidth(gap.adaptive)]));
  const wide = widths.filter((width) => width > tolerance);
  return wide.length === 0
    ? []
    : [{ code: 'tolerance-not-met', asked: tolerance, reached: Math.max(...wide), cut, rows: wide.length }];
}

/**
 * The cost of adaptivity: the optimum of equal bounded-range mechanisms that are fixed in advance, the optimum of those
 * that are chosen adaptively, and how much more that is. Dong, Durfee and Rogers (2020) prove that there is a gap, and
 * conjecture that it is small.
 */
export function gap(question: GapQuestion, options: GapOptions = {}): GapAnswer {
  const tolerance = options.tolerance ?? TOLERANCE;
  const rows: GapRow[] = [];
  const effort: Effort = {
    tolerance,
    exhausted: options.exhausted ?? (() => false),
    ...(options.interrupted && { interrupted: options.interrupted }),
    session: options.session ?? createSession(),
    progress: (share) => options.progress?.(rows.length, share),
  };
  for (const range of question.each) {
    for (const count of question.count) {
      const fixed = curveOf(brNonadaptive, composition(range, count, 'nonadaptive'), effort);
      const chosen = brAdaptive.apply(composition(range, count, 'adaptive'), effort);
      for (const given of question.given) {
        options.progress?.(rows.length, 0);
        const query = queryAt(question.solveFor, given);
        const nonadaptive = optimum(brNonadaptive, fixed, query);
        const row = { each: range, count, given, nonadaptive };
        const gap = nothingToGain(question, row)
          ? noGap(nonadaptive)
          : 'reason' in chosen
            ? chosen
            : gapBetween(nonadaptive, optimum(brAdaptive, chosen.curve, query));
        rows.push({ ...row, gap });
      }
    }
  }
  return { question, rows, largest: largestOf(rows), warnings: warningsOf(rows, tolerance, effort.exhausted()) };
}
