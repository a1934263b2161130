import type { Bracket } from '../../numeric/enclosure.ts';
import { verdictByDelta, verdictOn, type Budget, type Verdict } from '../compose/budget.ts';
import type { ComposeOptions, Problem } from '../compose/compose.ts';
import type { Answer } from '../core/outcome.ts';
import type { Tried } from './bracket.ts';

/** Enclosures no wider than this show where an answer lies; the finest ones are kept for what is near it. */
const COARSE = 2e-3;

/** Widths of enclosures up to this are rounding. */
const ROUNDING = 1e-9;

/** The enclosure by the bound that gives an answer alone. */
function ownBracket({ bound, bounds, query }: Answer): Bracket | null {
  const row = bounds.find(({ id }) => id === bound);
  return row?.applies === true ? row[query.solveFor] : null;
}

function noiseOf(answer: Answer): number {
  const { lower = null, upper = 0 } = ownBracket(answer) ?? {};
  const noise = lower === null ? 0 : Math.log(upper) - Math.log(lower);
  return Number.isFinite(noise) && noise > ROUNDING ? noise : 0;
}

/** A verdict on a step, as a search takes it. */
function triedBy(verdict: Verdict, budget: Budget): Tried {
  if (verdict.kind === 'refused') return { standing: 'refused', above: NaN, below: NaN, noise: 0 };
  const { kind, answer } = verdict;
  const { solveFor } = answer.query;
  const { lower, upper } = answer[solveFor];
  const limit = Math.log(budget[solveFor].toNumber());
  return {
    standing: kind === 'undecided' ? 'open' : kind,
    above: Math.log(upper) - limit,
    below: lower === null ? NaN : Math.log(lower) - limit,
    noise: noiseOf(answer),
  };
}

/** Problems that are compared with a budget, one after the other: quickly, roughly, and with all the effort there is. */
export class Attempts {
  readonly #problemAt: (step: number) => Problem;
  readonly #budget: Budget;
  /** The efforts, the least first. */
  readonly #efforts: readonly ComposeOptions[];
  readonly #known = new Map<number, Verdict>();
  /** Verdicts that showed a step to be within, at whatever level. */
  readonly #shown = new Map<number, Verdict>();

  /** @param efforts - all of them, or only the full one */
  constructor(
    problemAt: (step: number) => Problem,
    budget: Budget,
    options: ComposeOptions,
    efforts: 'all' | 'full' = 'all',
  ) {
    const { tolerance = 0 } = options;
    this.#problemAt = problemAt;
    this.#budget = budget;
    const less = [
      { ...options, quick: true },
      ...(tolerance < COARSE ? [{ ...options, tolerance: COARSE, sparing: true }] : []),
    ];
    this.#efforts = [...(efforts === 'all' ? less : []), options];
  }

  /** Ways to try a step, the quickest first. */
  levels(): ((step: number) => Tried)[] {
    return this.#efforts.map((effort, level) => (step) => {
      const isLast = level === this.#efforts.length - 1;
      const verdict = isLast ? this.#fullVerdict(step) : this.#verdictOn(this.#problemAt(step), effort);
      if (verdict.kind === 'within') this.#shown.set(step, verdict);
      const tried = triedBy(verdict, this.#budget);
      // Where only slow bounds cover it, others do not refuse it.
      return effort.quick === true && tried.standing === 'refused' ? { ...tried, standing: 'open' } : tried;
    });
  }

  /** Whether a problem exceeds the budget for certain, with the effort of a level. */
  exceeds(problem: Problem, level: number): boolean {
    const effort = this.#efforts[level];
    return effort !== undefined && this.#verdictOn(problem, effort).kind === 'exceeds';
  }

  /** The verdict on a step with all the effort there is; where time is up or less showed more, what showed that it is within. */
  verdict(step: number): Verdict {
    const verdict = this.#fullVerdict(step);
    return verdict.kind === 'within' ? verdict : (this.#shown.get(step) ?? verdict);
  }

  #fullVerdict(step: number): Verdict {
    const known = this.#known.get(step);
    if (known !== undefined) return known;
    const verdict = this.#verdictOn(this.#problemAt(step), this.#efforts.at(-1) ?? {});
    this.#known.set(step, verdict);
    return verdict;
  }

  #verdictOn(problem: Problem, effort: ComposeOptions): Verdict {
    const { epsilon, delta } = this.#budget;
    // Near epsilon 0 no ratio of epsilons tells how far a step is from the budget; deltas do.
    return epsilon.isZero() && delta.lt(1)
      ? verdictByDelta(problem, this.#budget, effort)
      : verdictOn(problem, this.#budget, effort, { quick: true });
  }
}
