import { unlessInterrupted } from '../../numeric/watch.ts';
import { Decimal, decimalFromDouble, exactUpper, ONE, ZERO } from '../../numeric/decimal.ts';
import { asLower, asUpper, type Bracket } from '../../numeric/enclosure.ts';
import type { Budget, ComposeOptions, Problem } from '../compose/compose.ts';
import type { Refusal } from '../core/outcome.ts';
import { gaussianLineOf } from './claimed.ts';
import { profilesOf, type Profiles } from './profile.ts';
import { truePositiveRate } from './inference.ts';

/** A limit on how well two neighbouring data sets may be told apart. */
export type RiskLimit =
  /** The largest true-positive rate minus false-positive rate, from 0 to 1. */
  | { readonly measure: 'advantage'; readonly most: Decimal }
  /** The largest true-positive rate, from 0 to 1, where the false-positive rate is at most `at`, in (0, 1). */
  | { readonly measure: 'true-positive-rate'; readonly at: Decimal; readonly most: Decimal };

/** Everything that specifications must keep: at least one limit. */
export interface Limits {
  readonly budget: Budget | null;
  readonly risks: readonly RiskLimit[];
}

/** A risk compared with its limit: within by its upper end, exceeds by its lower end, else undecided. */
export interface RiskVerdict {
  readonly limit: RiskLimit;
  readonly kind: 'within' | 'exceeds' | 'undecided';
  readonly value: Bracket;
}

/** The relative width of a rate. */
const TOLERANCE = 1e-9;

const NOTHING: Bracket = { lower: asLower(0), upper: asUpper(1) };

function compared(limit: RiskLimit, value: Bracket): RiskVerdict {
  const { most } = limit;
  if (exactUpper(value).lte(most)) return { limit, kind: 'within', value };
  const isAbove = value.lower !== null && decimalFromDouble(value.lower).gt(most);
  return { limit, kind: isAbove ? 'exceeds' : 'undecided', value };
}

const valueOf = (limit: RiskLimit, profiles: Profiles): Bracket =>
  limit.measure === 'advantage' ? profiles.atZero.delta : truePositiveRate(profiles, limit.at, TOLERANCE);

/** Compares the risks of a problem with limits; what is given up before it has a number is at most 1. */
export function riskVerdicts(
  problem: Problem,
  limits: readonly RiskLimit[],
  options: ComposeOptions,
):
  | { readonly kind: 'verdicts'; readonly verdicts: readonly RiskVerdict[] }
  | { readonly kind: 'refusal'; readonly refusal: Refusal } {
  if (limits.length === 0) return { kind: 'verdicts', verdicts: [] };
  const outcome = unlessInterrupted(() => profilesOf(problem, options));
  if (outcome?.kind === 'refusal') return outcome;
  const verdicts = limits.map((limit) => {
    const value = outcome && unlessInterrupted(() => valueOf(limit, outcome.profiles));
    return compared(limit, value ?? NOTHING);
  });
  return { kind: 'verdicts', verdicts };
}

/** A limit on a true-positive rate. */
export type RateLimit = Extract<RiskLimit, { measure: 'true-positive-rate' }>;

const Up = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_CEIL });

/** The limit of a rate where slopes are at least 1: at (a, t), or at (1 - t, 1 - a) where a + t > 1. */
function steep({ at, most }: RateLimit): Pick<RateLimit, 'at' | 'most'> {
  return at.plus(most).gt(1) ? { at: ONE.minus(most), most: ONE.minus(at) } : { at, most };
}

/** The budget of a limited rate that has this epsilon >= 0; null where delta would be negative. */
export function budgetAt(limit: RateLimit, epsilon: Decimal): Budget | null {
  const { at, most } = steep(limit);
  const delta = new Decimal(most.minus(new Up(new Up(epsilon).exp()).times(at)));
  return delta.isNegative() ? null : { epsilon, delta };
}

/**
 * A budget within which a limit is kept; null where none is known. An advantage is delta at epsilon 0. A true-positive
 * rate at false-positive rate a is at most e^epsilon a + delta for every epsilon, of which that is taken that would be best
 * for the Gaussian profile at its limit: enough for it, and perhaps more than is needed.
 *
 * That it is at most t at a is to be at most 1 - a at 1 - t with the neighbours, and so the errors, exchanged: for every
 * epsilon (epsilon, delta)-DP has P(S) <= e^epsilon Q(S) + delta of the complement of a test too.
 *
 * Source: the definition of the advantage; `truePositiveRate`.
 */
export function budgetOf(limit: RiskLimit): Budget | null {
  const { measure, most } = limit;
  if (measure === 'advantage') return { epsilon: ZERO, delta: most };
  if (most.lte(limit.at) || most.gte(1)) return null;
  const { at, most: rate } = steep(limit);
  return budgetAt(limit, Decimal.max(0, gaussianLineOf(at, rate)));
}
