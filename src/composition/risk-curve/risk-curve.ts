import type { BoundId, Inapplicability } from '../../bounds/core/bound.ts';
import { createSession } from '../../bounds/core/session.ts';
import { ascending } from '../../numeric/ascending.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { ComposeOptions, Problem } from '../compose/compose.ts';
import { differentNeighbours } from '../core/different-neighbours.ts';
import type { Refusal, Warning } from '../core/outcome.ts';
import { profilesOf, smallestDelta, type Profiles } from '../risk/profile.ts';
import { RISK_TOLERANCE } from '../risk/risk.ts';
import { tradeOff } from '../risk/trade-off.ts';
import { falling, farEpsilon, refined, usualEpsilons, usualRates, type Ends, type Scales } from './points.ts';

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
  const found = profilesOf(problem, { ...work, bounds: [bound] });
  // What is attained is about the mechanisms, not about a bound.
  if (found.kind === 'profiles') return { name, bound, profiles: { ...found.profiles, attained: [] } };
  const { refusal } = found;
  const row = refusal.code === 'no-bound' ? refusal.bounds.find(({ id }) => id === bound) : undefined;
  return row?.applies === false ? { name, bound, reason: row.reason } : refusal;
}

function prepared({ name, problem }: NamedProblem, several: boolean, work: ComposeOptions): Prepared[] | Refusal {
  if (work.bounds === undefined) {
    const found = profilesOf(problem, work);
    return found.kind === 'refusal' ? found.refusal : [{ name, bound: null, profiles: found.profiles }];
  }
  const lines: Prepared[] = [];
  for (const bound of work.bounds) {
    const line = ofBound(several ? `${name}, ${bound}` : bound, problem, bound, work);
    if ('code' in line) return line;
    lines.push(line);
  }
  if (lines.some((line) => 'profiles' in line)) return lines;
  const found = profilesOf(problem, work);
  return found.kind === 'refusal' ? found.refusal : lines;
}

/** The warnings of all lines, each once. */
const warningsOf = (lines: readonly Prepared[]): Warning[] => {
  const all = lines.flatMap((line) => ('profiles' in line ? line.profiles.atZero.warnings : []));
  return [...new Map(all.map((warning) => [JSON.stringify(warning), warning])).values()];
};

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
  for (const each of problems) {
    const found = prepared(each, problems.length > 1, work);
    if ('code' in found) return { kind: 'refusal', refusal: found, name: each.name };
    lines.push(...found);
  }
  const known = lines.flatMap((line) => ('profiles' in line ? [line.profiles] : []));
  const values =
    question.values ?? (of === 'tradeoff' ? usualRates(scales) : usualEpsilons(farEpsilon(known), scales.x));
  const computed = lines.map((line, done) => {
    progress?.(done, lines.length);
    if (!('profiles' in line)) return null;
    const found = new Map<string, Ends>();
    const at = (value: Decimal): Ends => {
      const key = value.toString();
      const ends = found.get(key) ?? endsAt(of, line.profiles, value, tolerance);
      found.set(key, ends);
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
