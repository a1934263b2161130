import type { Bracket } from '../../numeric/enclosure.ts';
import {
  verdictByDelta,
  verdictOn,
  type Budget,
  type Verdict,
  type ComposeOptions,
  type Problem,
} from '../compose/compose.ts';
import type { Answer } from '../core/outcome.ts';
import { bracket, type Tried, type BracketQuestion } from './bracket.ts';

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
class Attempts {
  readonly #problemAt: (step: number) => Problem;
  readonly #budget: Budget;
  /** The efforts, the least first. */
  readonly #efforts: readonly ComposeOptions[];
  readonly #verdicts = new Map<number, Verdict>();
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
    const cachedVerdict = this.#verdicts.get(step);
    if (cachedVerdict !== undefined) return cachedVerdict;
    const verdict = this.#verdictOn(this.#problemAt(step), this.#efforts.at(-1) ?? {});
    this.#verdicts.set(step, verdict);
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

/**
 * The verdict on the value after the last one that is within. exceeds: for certain no correct claim is within the
 * budget; undecided: it is not shown to be within, nor to exceed; refused: no theorem covers it; none: there is no larger
 * one; unknown: the search was cut short.
 */
export type Next = Exclude<Verdict['kind'], 'within'> | 'none' | 'unknown';

/** A problem with a value that varies in steps: the later the step the costlier. */
export interface Variable<Value> extends Pick<BracketQuestion, 'first' | 'last' | 'start' | 'scale' | 'exact'> {
  readonly valueAt: (step: number) => Value;
  readonly problemAt: (value: Value) => Problem;
  /** A value before the first step, tried where that one is not within. */
  readonly zero?: Value;
  /** The rest, which does not vary: whatever the value, all together cost at least as much. */
  readonly fixedProblem?: Problem | null;
}

/** Where being within a budget ends. */
export interface End<Value> {
  /** The last value that is shown to be within; null where none is. */
  readonly within: Value | null;
  /** The first one beyond that which is certain to exceed; null where none is known. */
  readonly exceeding: Value | null;
  /** The verdict on the value after the last one within; where none is, on the first of all. */
  readonly next: Next;
  /** The verdict on the last value within, or where none is on the first of all, with all the effort there is. */
  readonly verdict: () => Verdict;
}

export interface SearchOptions extends ComposeOptions {
  /** Receives how many values were tried. */
  readonly attempted?: (values: number) => void;
}

/** How a search may begin. */
export interface Beginning {
  /**
   * Where it begins near its end: about how fast ln epsilon rises along the logarithm of what varies (of noise: as that falls).
   * Values are then tried with all the effort there is at once.
   */
  readonly slope?: number;
}

/** Finds where being within a budget ends, by certified ends alone; cut short where time is up (`exhausted`). */
export function endWithin<Value>(
  { zero, fixedProblem, problemAt, valueAt, ...steps }: Variable<Value>,
  budget: Budget,
  { attempted, slope, ...options }: SearchOptions & Beginning = {},
): End<Value> {
  let tried = 0;
  const attempts = new Attempts(
    (step) => {
      attempted?.(tried++);
      return problemAt(valueAt(step));
    },
    budget,
    options,
    slope === undefined ? 'all' : 'full',
  );
  const { exhausted } = options;
  const crossing = bracket({
    ...steps,
    levels: attempts.levels(),
    ...(fixedProblem && { isHopeless: (level) => attempts.exceeds(fixedProblem, level) }),
    ...(exhausted && { exhausted }),
    ...(slope === undefined ? {} : { slope }),
  });
  const valueOf = (step: number | null): Value | null => (step === null ? null : valueAt(step));
  const open: Next = crossing.cut ? 'unknown' : 'undecided';
  const next = crossing.next === 'open' ? open : crossing.next;
  const end: End<Value> = {
    within: valueOf(crossing.within),
    exceeding: valueOf(crossing.exceeding),
    next: crossing.within === steps.last ? 'none' : next,
    verdict: () => attempts.verdict(crossing.within ?? steps.first),
  };
  if (crossing.within !== null || crossing.cut || zero === undefined) return end;
  const atZero = verdictOn(problemAt(zero), budget, options);
  return atZero.kind === 'within' ? { ...end, within: zero, verdict: () => atZero } : end;
}
