import { Decimal, exactUpper } from '../../numeric/decimal.ts';
import type { Query } from '../../privacy/query.ts';
import { compose, type ComposeOptions, type Problem } from '../compose/compose.ts';
import { decimalSteps } from '../solve/decimal-steps.ts';
import { lastPassing } from './last-passing.ts';
import { deltaOfSteps } from './geometric.ts';

/** Digits of an epsilon that was searched for. */
const DIGITS = 10;
/** Beyond this an epsilon promises nothing anyone would want. */
const LARGEST = 1e6;
/** Below this no epsilon is distinguished from 0. */
const SMALLEST = new Decimal('1e-30');
/** How often the search may go up before it ends without a claim. */
const ROUNDS = 60;

/** The privacy curve of a composition, carried over to data several neighbouring steps apart. */
class SteppedCurve {
  readonly #problem: Problem;
  readonly #steps: number;
  readonly #options: ComposeOptions;

  constructor(problem: Problem, steps: number, options: ComposeOptions) {
    this.#problem = problem;
    this.#steps = steps;
    this.#options = options;
  }

  /** An upper end of delta at `steps` times this epsilon; null where no theorem covers it. */
  delta(epsilon: Decimal): Decimal | null {
    const outcome = compose(this.#problem, { solveFor: 'delta', epsilon }, this.#options);
    if (outcome.kind === 'refusal') return null;
    return deltaOfSteps(epsilon, Decimal.min(1, exactUpper(outcome.answer.delta)), this.#steps);
  }

  /** An epsilon of one step at which a delta for one step is reached; null where there is none. */
  one(delta: Decimal): Decimal | null {
    const outcome = compose(this.#problem, { solveFor: 'epsilon', delta }, this.#options);
    if (outcome.kind === 'refusal' || outcome.answer.epsilon.upper === Infinity) return null;
    return exactUpper(outcome.answer.epsilon);
  }

  /** The smallest epsilon of one step, about, at which all steps stay within delta; null where none is found. */
  epsilon(delta: Decimal): Decimal | null {
    if (delta.isZero()) return this.one(delta);
    // No epsilon below this will do: the sum over the steps is at least their number.
    const first = this.one(delta.div(this.#steps).toSignificantDigits(30, Decimal.ROUND_DOWN));
    if (first === null) return null;
    if (this.#isWithin(first, delta)) return first;
    let failing = first;
    for (let round = 0, factor = 1.001; round < ROUNDS && failing.lt(LARGEST); round++, factor **= 1.5) {
      const wider = Decimal.max(failing.times(factor), failing.plus('1e-9')).toSignificantDigits(
        DIGITS,
        Decimal.ROUND_UP,
      );
      if (this.#isWithin(wider, delta)) return this.#between(failing, wider, delta);
      failing = wider;
    }
    return null;
  }

  #isWithin(epsilon: Decimal, delta: Decimal): boolean {
    return this.delta(epsilon)?.lte(delta) === true;
  }

  /** The smallest decimal between one that fails and one that passes. */
  #between(failing: Decimal, passing: Decimal, delta: Decimal): Decimal {
    const steps = decimalSteps(DIGITS);
    const first = -steps.atMost(passing);
    const found = lastPassing({
      first,
      last: Math.max(first, -steps.atMost(Decimal.max(failing, SMALLEST))),
      start: first,
      attempt: (step) => {
        const reached = this.delta(steps.valueOf(-step));
        const passes = reached?.lte(delta) === true;
        return { passes, excess: reached === null ? NaN : Math.log(reached.toNumber() / delta.toNumber()) };
      },
    });
    return found === null ? passing : steps.valueOf(-found);
  }
}

/**
 * A claim for data `distance` neighbouring steps apart from the privacy curve between neighbours: where that is
 * (e, delta(e)), the outputs k steps apart are (k e, delta(e) sum_{i<k} e^(i e))-indistinguishable, for every e. The
 * epsilon at a delta, or the delta at an epsilon, rounded up; null where no such claim is found.
 *
 * P_0(S) <= e^e P_1(S) + d <= e^(2e) P_2(S) + e^e d + d <= ...; each step is one of neighbouring data.
 *
 * Source: Vadhan, "The Complexity of Differential Privacy" (2017), Lemma 2.2, by its proof.
 */
export function groupFromCurve(
  problem: Problem,
  query: Query,
  distance: number,
  options: ComposeOptions = {},
): Decimal | null {
  const curve = new SteppedCurve(problem, distance, options);
  if (query.solveFor === 'epsilon') return curve.epsilon(query.delta)?.times(distance) ?? null;
  if (query.epsilon.isNegative()) return null;
  // Rounded down, so that all steps together stay within what was asked.
  const each = query.epsilon.div(distance).toSignificantDigits(30, Decimal.ROUND_DOWN);
  return curve.delta(each);
}
