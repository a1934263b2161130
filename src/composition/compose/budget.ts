import { decimalFromDouble, exactUpper, type Decimal } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import { compose, type ComposeOptions, type Problem } from './compose.ts';
import type { Answer, Refusal } from '../core/outcome.ts';

/** An amount that may be spent: epsilon at least 0, delta from 0 to 1, both exact. */
export interface Budget {
  readonly epsilon: Decimal;
  readonly delta: Decimal;
}

/**
 * Whether a composition is (epsilon, delta)-differentially private by what is certified of it.
 *
 * within: it is; exceeds: for its declared classes no correct claim is that small; undecided: neither is certain, so it
 * cannot be shown to be within; refused: no theorem covers it.
 */
export type Verdict =
  | {
      readonly kind: 'within' | 'exceeds' | 'undecided';
      /** Its cost at the delta of the budget. */
      readonly answer: Answer;
      /** Its delta at the epsilon of the budget, where that decided or might have decided. */
      readonly delta: Bracket | null;
      /** The answer that decided, one of both. */
      readonly deciding: Answer;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Further than this above a budget, relatively, asking for delta instead of epsilon decides nothing. */
const NEAR = 1.01;

/** Whether a certified upper end is at most a limit; parameters such as 0.1 + 0.2 are compared exactly. */
const isAtMost = (bracket: Bracket, limit: Decimal): boolean =>
  bracket.upper !== Infinity && exactUpper(bracket).lte(limit);

/** Whether a certified lower end is above a limit. */
const isAbove = ({ lower }: Bracket, limit: Decimal): boolean =>
  lower !== null && (lower === Infinity || decimalFromDouble(lower).gt(limit));

const isNear = (upper: number, limit: Decimal): boolean => limit.isZero() || upper <= NEAR * limit.toNumber();

/**
 * Compares what a problem costs with a budget: the smallest epsilon at its delta and, where that leaves it open, the
 * smallest delta at its epsilon, which is exact where parameters add up to the budget exactly.
 *
 * Errs on the safe side: `within` rests on upper ends only, `exceeds` on lower ends only.
 *
 * @param second - how delta is asked for, where that is not as epsilon is
 */
export function verdictOn(
  problem: Problem,
  budget: Budget,
  options: ComposeOptions = {},
  second: Pick<ComposeOptions, 'quick'> = {},
): Verdict {
  const { epsilon, delta } = budget;
  const byEpsilon = compose(problem, { solveFor: 'epsilon', delta }, options);
  if (byEpsilon.kind === 'refusal') return { kind: 'refused', refusal: byEpsilon.refusal };
  const { answer } = byEpsilon;
  const first = { answer, delta: null, deciding: answer };
  if (isAtMost(answer.epsilon, epsilon)) return { kind: 'within', ...first };
  if (isAbove(answer.epsilon, epsilon)) return { kind: 'exceeds', ...first };
  if (!isNear(answer.epsilon.upper, epsilon)) return { kind: 'undecided', ...first };
  const byDelta = compose(problem, { solveFor: 'delta', epsilon }, { ...options, ...second });
  if (byDelta.kind === 'refusal') return { kind: 'undecided', ...first };
  const { delta: reached } = byDelta.answer;
  const both = { answer, delta: reached, deciding: byDelta.answer };
  if (isAtMost(reached, delta)) return { kind: 'within', ...both };
  return isAbove(reached, delta) ? { kind: 'exceeds', ...both } : { kind: 'undecided', ...first, delta: reached };
}
