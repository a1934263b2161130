import type { LowerBound, UpperBound } from '../../numeric/enclosure.ts';
import { ascending, Decimal, ONE } from '../../numeric/decimal.ts';
import { smallestDelta, profilesOf, type Profiles } from '../risk/profile.ts';
import type { BoundId, Inapplicability } from '../../bounds/core/bound.ts';
import { createSession } from '../../bounds/core/session.ts';
import type { ComposeOptions, Problem } from '../compose/compose.ts';
import { differentNeighbours } from '../core/setting.ts';
import { eachOnce, type Refusal, type Warning } from '../core/outcome.ts';
import { RISK_TOLERANCE } from '../risk/risk.ts';
import { tradeOff } from '../risk/trade-off.ts';

/** Both ends of a value. Of a trade-off function the lower one is the claim, of a profile the upper one; null: not known. */
export interface Ends {
  readonly lower: LowerBound | null;
  readonly upper: UpperBound | null;
}

const smallest = (a: UpperBound | null, b: UpperBound | null): UpperBound | null =>
  a === null || (b !== null && b < a) ? b : a;

const largest = (a: LowerBound | null, b: LowerBound | null): LowerBound | null =>
  a === null || (b !== null && b > a) ? b : a;

/**
 * Ends of a quantity that falls along its points, or stays: what bounds it from above at a point does so at all later
 * ones, and what bounds it from below at all earlier ones.
 */
export function falling(points: readonly Ends[]): readonly Ends[] {
  let [upper, lower]: [UpperBound | null, LowerBound | null] = [null, null];
  const uppers = points.map((point) => (upper = smallest(upper, point.upper)));
  const lowers = points.toReversed().map((point) => (lower = largest(lower, point.lower)));
  return points.map((point, at) => ({
    // Where an end is not known, no other point makes it known: it would be far from the truth.
    lower: point.lower === null ? null : lowers[points.length - 1 - at]!,
    upper: point.upper === null ? null : uppers[at]!,
  }));
}

type Scale = 'linear' | 'log';

/** How axes are divided. */
export interface Scales {
  readonly x: Scale;
  readonly y: Scale;
}

const decimals = (...values: readonly (number | string)[]): readonly Decimal[] =>
  values.map((value) => new Decimal(value));

/** Where tests are judged: small rates apart, as trade-off functions bend most near both ends. */
const RATES = decimals(...[0, 0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1]);

/** For logarithmic axes, from a millionth on. */
const SMALL = decimals('1e-6', '1e-5', '1e-4', '0.001', '0.01', '0.02', '0.05', '0.1', '0.2', '0.5');

/** Usual false-positive rates: near 0 on a logarithmic axis of them, near 1 where that of false-negative rates is. */
export function usualRates({ x, y }: Scales): readonly Decimal[] {
  const lower = x === 'log' ? SMALL : RATES.filter((rate) => rate.lte('0.5'));
  const upper = y === 'log' ? SMALL.map((rate) => ONE.minus(rate)) : RATES.filter((rate) => rate.gt('0.5'));
  return ascending([...lower, ...upper]);
}

/** Deltas below this are seldom asked for. */
const LEAST_DELTA = 1e-10;

/** Epsilons at which a profile may end: 0.01, 0.02, 0.05, 0.1, ... 1,000. */
const ENDS = [-2, -1, 0, 1, 2].flatMap((power) => decimals(`1e${power}`, `2e${power}`, `5e${power}`));
const LAST = new Decimal(1000);

/** Hardly larger than another delta. */
const HARDLY = 1.01;

/** The first of round epsilons at which all deltas are small, or hardly larger than far from there. */
export function farEpsilon(all: readonly Profiles[]): Decimal {
  const ends = all.map((profiles) => {
    const isAtMost = (limit: number) => (epsilon: Decimal) => smallestDelta(profiles, epsilon).upper <= limit;
    const small = ENDS.find(isAtMost(LEAST_DELTA));
    // Deltas fall: where one is small, those far from there, which are costly, are no larger.
    if (small !== undefined && isAtMost(LEAST_DELTA / HARDLY)(small)) return small;
    return ENDS.find(isAtMost(Math.max(LEAST_DELTA, HARDLY * smallestDelta(profiles, LAST).upper))) ?? LAST;
  });
  return Decimal.max(...ends);
}

/** So many epsilons from 0 to the last. */
const STEPS = 20;

/** Usual epsilons up to `to`; on a logarithmic axis from a thousandth of it on. */
export const usualEpsilons = (to: Decimal, scale: Scale): readonly Decimal[] =>
  Array.from({ length: STEPS + 1 }, (_, index) =>
    scale === 'linear'
      ? to.times(index).div(STEPS)
      : new Decimal(to.times(new Decimal(10).pow((3 * (index - STEPS)) / STEPS)).toSignificantDigits(3)),
  );

/** How far a line may be from its chord, as a part of the axis, before a point is added between. */
const VISIBLE = 1 / 1500;
/** How often a stretch between two values is halved at most, and how many points there may be in all. */
const DEEPEST = 7;
const MOST = 160;
/** Digits of a value between two others. */
const DIGITS = 6;

function between(a: Decimal, b: Decimal, scale: Scale): Decimal {
  const middle = scale === 'linear' || a.lte(0) ? a.plus(b).div(2) : a.times(b).sqrt();
  return new Decimal(middle.toSignificantDigits(DIGITS));
}

/** Values with others between them where a line would visibly leave the chords between its points. */
export function refined(
  line: (value: Decimal) => number,
  values: readonly Decimal[],
  { x, y }: Scales,
): readonly Decimal[] {
  const height = (value: Decimal): number => (y === 'linear' ? line(value) : Math.log10(line(value)));
  const heights = values.map(height).filter((value) => Number.isFinite(value));
  const visible = VISIBLE * (Math.max(...heights) - Math.min(...heights));
  const across = (value: Decimal): number => (x === 'linear' ? value.toNumber() : Math.log10(value.toNumber()));
  let room = MOST - values.length;
  const inside = (a: Decimal, b: Decimal, depth: number): Decimal[] => {
    if (depth === 0 || room <= 0) return [];
    const middle = between(a, b, x);
    if (middle.lte(a) || middle.gte(b)) return [];
    const share = (across(middle) - across(a)) / (across(b) - across(a));
    const bend = height(a) + share * (height(b) - height(a)) - height(middle);
    if (!(Math.abs(bend) > visible)) return [];
    room--;
    return [...inside(a, middle, depth - 1), middle, ...inside(middle, b, depth - 1)];
  };
  return values.flatMap((value, index) =>
    index === 0 ? [value] : [...inside(values[index - 1]!, value, DEEPEST), value],
  );
}

/** The trade-off function: false-negative over false-positive rates; or the privacy profile: delta over epsilon. */
export type RiskMeasure = 'tradeoff' | 'profile';

/** A composition, and the name of its line. */
export interface NamedProblem {
  readonly name: string;
  readonly problem: Problem;
  /** Which data are neighbouring, in the user's words. */
  readonly neighbours?: string | null;
}

/** A warning where compositions that are set beside each other are for different neighbouring data. */
export function relationWarnings(problems: readonly NamedProblem[]): Warning[] {
  const relations = differentNeighbours(problems);
  return relations === null ? [] : [{ code: 'different-neighbours', relations }];
}

export interface RiskCurveQuestion {
  readonly of: RiskMeasure;
  readonly problems: readonly NamedProblem[];
  /** False-positive rates from 0 to 1, or epsilons of at least 0, ascending and different; null: as suits the lines. */
  readonly values: readonly Decimal[] | null;
  readonly scales: Scales;
  /** Whether points are added, of values that are not given, where a line bends visibly. */
  readonly isDrawn: boolean;
}

export interface RiskCurveOptions extends Omit<ComposeOptions, 'progress'> {
  /** Receives how many of how many lines are done. */
  readonly progress?: (done: number, all: number) => void;
}

/** A line; of one bound among several `bound` says which. Without points it says why there are none. */
export type RiskLine = {
  readonly name: string;
  readonly bound: BoundId | null;
} & ({ readonly points: readonly Ends[] } | { readonly reason: Inapplicability });

export interface RiskCurve {
  readonly of: RiskMeasure;
  readonly scales: Scales;
  readonly values: readonly Decimal[];
  readonly lines: readonly RiskLine[];
  readonly warnings: readonly Warning[];
}

/** A curve; or why a composition has none, and which. */
export type RiskCurveOutcome =
  | { readonly kind: 'curve'; readonly curve: RiskCurve }
  | { readonly kind: 'refusal'; readonly refusal: Refusal; readonly name: string };

/** The value of a measure at a false-positive rate or at an epsilon. */
function endsAt(of: RiskMeasure, profiles: Profiles, value: Decimal, tolerance: number): Ends {
  return of === 'tradeoff' ? tradeOff(profiles, value, tolerance) : smallestDelta(profiles, value);
}

/** The end of a value that is claimed. */
export const claimedEnd = (of: RiskMeasure, { lower, upper }: Ends): number | null =>
  of === 'tradeoff' ? lower : upper;

/** A line that is to be computed; or why there is none. */
type Prepared = {
  readonly name: string;
  readonly bound: BoundId | null;
} & ({ readonly profiles: Profiles } | { readonly reason: Inapplicability });

/** What one bound proves; a refusal where it is no reason of its own. */
function ofBound(name: string, problem: Problem, bound: BoundId, work: ComposeOptions): Prepared | Refusal {
  const outcome = profilesOf(problem, { ...work, bounds: [bound] });
  // What is attained is about the mechanisms, not about a bound.
  if (outcome.kind === 'profiles') return { name, bound, profiles: { ...outcome.profiles, attained: [] } };
  const { refusal } = outcome;
  const row = refusal.code === 'no-bound' ? refusal.bounds.find(({ id }) => id === bound) : undefined;
  return row?.applies === false ? { name, bound, reason: row.reason } : refusal;
}

function prepared({ name, problem }: NamedProblem, several: boolean, work: ComposeOptions): Prepared[] | Refusal {
  if (work.bounds === undefined) {
    const outcome = profilesOf(problem, work);
    return outcome.kind === 'refusal' ? outcome.refusal : [{ name, bound: null, profiles: outcome.profiles }];
  }
  const lines: Prepared[] = [];
  for (const bound of work.bounds) {
    const line = ofBound(several ? `${name}, ${bound}` : bound, problem, bound, work);
    if ('code' in line) return line;
    lines.push(line);
  }
  if (lines.some((line) => 'profiles' in line)) return lines;
  const outcome = profilesOf(problem, work);
  return outcome.kind === 'refusal' ? outcome.refusal : lines;
}

/** The warnings of all lines, each once. */
const warningsOf = (lines: readonly Prepared[]): Warning[] =>
  eachOnce(lines.flatMap((line) => ('profiles' in line ? line.profiles.atZero.warnings : [])));

/**
 * The trade-off functions or the privacy profiles of compositions: of what is claimed, or of each bound in
 * `options.bounds`. Refused where a composition has none.
 */
export function riskCurve(question: RiskCurveQuestion, options: RiskCurveOptions = {}): RiskCurveOutcome {
  const { of, problems, scales } = question;
  const { progress, ...rest } = options;
  const { tolerance = RISK_TOLERANCE } = options;
  const work: ComposeOptions = { session: createSession(), ...rest };
  const lines: Prepared[] = [];
  for (const namedProblem of problems) {
    const preparedLines = prepared(namedProblem, problems.length > 1, work);
    if ('code' in preparedLines) return { kind: 'refusal', refusal: preparedLines, name: namedProblem.name };
    lines.push(...preparedLines);
  }
  const profiles = lines.flatMap((line) => ('profiles' in line ? [line.profiles] : []));
  const values =
    question.values ?? (of === 'tradeoff' ? usualRates(scales) : usualEpsilons(farEpsilon(profiles), scales.x));
  const computed = lines.map((line, done) => {
    progress?.(done, lines.length);
    if (!('profiles' in line)) return null;
    const endsByValue = new Map<string, Ends>();
    const at = (value: Decimal): Ends => {
      const key = value.toString();
      const ends = endsByValue.get(key) ?? endsAt(of, line.profiles, value, tolerance);
      endsByValue.set(key, ends);
      return ends;
    };
    const claim = (value: Decimal): number => claimedEnd(of, at(value)) ?? NaN;
    return { at, values: question.values === null && question.isDrawn ? refined(claim, values, scales) : values };
  });
  const all = ascending([values, ...computed.flatMap((line) => (line === null ? [] : [line.values]))].flat());
  return {
    kind: 'curve',
    curve: {
      of,
      scales,
      values: all,
      lines: lines.map(({ name, bound, ...line }, index) => {
        const { at } = computed[index] ?? {};
        return at === undefined || 'reason' in line
          ? { name, bound, reason: (line as { readonly reason: Inapplicability }).reason }
          : { name, bound, points: falling(all.map(at)) };
      }),
      warnings: [...relationWarnings(problems), ...warningsOf(lines)],
    },
  };
}
