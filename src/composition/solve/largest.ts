import { verdictOn, type Budget, type Verdict } from '../compose/budget.ts';
import type { ComposeOptions, Problem } from '../compose/compose.ts';
import { Attempts } from './attempts.ts';
import { bracket, type BracketQuestion } from './bracket.ts';

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
  readonly held?: Problem | null;
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
  { zero, held, problemAt, valueAt, ...steps }: Variable<Value>,
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
  const found = bracket({
    ...steps,
    levels: attempts.levels(),
    ...(held && { isHopeless: (level) => attempts.exceeds(held, level) }),
    ...(exhausted && { exhausted }),
    ...(slope === undefined ? {} : { slope }),
  });
  const valueOf = (step: number | null): Value | null => (step === null ? null : valueAt(step));
  const open: Next = found.cut ? 'unknown' : 'undecided';
  const next = found.next === 'open' ? open : found.next;
  const end: End<Value> = {
    within: valueOf(found.within),
    exceeding: valueOf(found.exceeding),
    next: found.within === steps.last ? 'none' : next,
    verdict: () => attempts.verdict(found.within ?? steps.first),
  };
  if (found.within !== null || found.cut || zero === undefined) return end;
  const atZero = verdictOn(problemAt(zero), budget, options);
  return atZero.kind === 'within' ? { ...end, within: zero, verdict: () => atZero } : end;
}
