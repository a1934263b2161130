import { Decimal, decimalFromDouble, toUpper } from '../../numeric/decimal.ts';
import { budgetAt, type RateLimit } from '../risk/limits.ts';
import { compose, type ComposeOptions, type Problem } from '../compose/compose.ts';
import type { Budget } from '../compose/budget.ts';

/** How far apart epsilons are whose lines are compared, relatively; near 0 as far as this. */
const APART = 0.05;
const SMALLEST = 1e-3;

const ZERO = new Decimal(0);

/** Gains of less than this, relatively to the limit, are none. */
const GAIN = 1e-8;

/** A budget, and how much more delta it has than a problem needs. */
interface Room {
  readonly budget: Budget;
  readonly room: number;
}

/**
 * A budget within which a true-positive rate stays below its limit, and which leaves more room for a problem than that of
 * an epsilon at hand; null where none near it does. Each epsilon has such a budget, and one of them is just as large as the
 * rate allows: where e^epsilon a + delta(epsilon) is smallest: to that a parabola through three of its points leads, or it is the
 * largest loss, where delta has a corner. Any of them is sound.
 */
export function betterBudget(
  problem: Problem,
  limit: RateLimit,
  { epsilon: at }: Budget,
  options: ComposeOptions,
): Budget | null {
  const middle = at.toNumber();
  const step = Math.max(SMALLEST, APART * middle);
  const roomAt = (x: number): Room | null => {
    const epsilon = decimalFromDouble(Math.max(0, x));
    const budget = budgetAt(limit, epsilon);
    if (budget === null) return null;
    const outcome = compose(problem, { solveFor: 'delta', epsilon }, options);
    return outcome.kind === 'refusal' ? null : { budget, room: toUpper(budget.delta) - outcome.answer.delta.upper };
  };
  const [left, here, right] = [roomAt(middle - step), roomAt(middle), roomAt(middle + step)];
  if (here === null) return null;
  const [before, after] = [left?.room ?? NaN, right?.room ?? NaN];
  const vertex = middle + (step * (before - after)) / (2 * (before + after - 2 * here.room));
  const largest = compose(problem, { solveFor: 'epsilon', delta: ZERO }, options);
  const ends = [vertex, largest.kind === 'answer' ? largest.answer.epsilon.upper : Infinity].filter(Number.isFinite);
  const all = [left, right, ...ends.map(roomAt)].filter((each) => each !== null);
  const best = all.reduce((most, each) => (each.room > most.room ? each : most), here);
  return best.room - here.room > GAIN * limit.most.toNumber() ? best.budget : null;
}
