import { Decimal, exactUpper } from '../../numeric/decimal.ts';
import type { Query } from '../../privacy/query.ts';
import { compose, type ComposeOptions, type Problem } from '../compose/compose.ts';
import { decimalSteps } from '../solve/largest-parameter.ts';

/** Digits of sums that are rounded up. */
const PRECISION = 60;
const Up = Decimal.clone({ precision: PRECISION, rounding: Decimal.ROUND_UP });

/** More steps than this are not added up one by one. */
const MOST_TERMS = 1000;

/**
 * An upper end of `delta (1 + e^epsilon + ... + e^((steps - 1) epsilon))`: the delta of `steps` neighbouring steps, each of
 * which is (epsilon, delta)-indistinguishable; `epsilon` at least 0, `delta` from 0 to 1. Infinity is capped at 1, as
 * every delta is.
 *
 * Each factor and sum is rounded up; of many steps, each term is replaced by the last and largest.
 */
export function deltaOfSteps(epsilon: Decimal, delta: Decimal, steps: number): Decimal {
  if (delta.isZero()) return delta;
  const one = new Decimal(1);
  const largest = new Up(epsilon).times(steps - 1);
  if (largest.plus(new Up(delta).ln()).gt(0)) return one;
  let sum = new Up(0);
  if (steps > MOST_TERMS) {
    sum = largest.exp().times(steps);
  } else {
    const factor = new Up(epsilon).exp();
    let term = new Up(1);
    for (let i = 0; i < steps; i++) {
      sum = sum.plus(term);
      term = term.times(factor);
    }
  }
  return Decimal.min(one, new Decimal(sum.times(delta)));
}

/** The result of trying one step. */
interface Tried {
  readonly passes: boolean;
  /** How far it is from passing, increasing with the step: at most 0 about where it passes; NaN where that is not known. */
  readonly excess: number;
}

/** Steps first, first + 1, ..., last, of which those up to some step pass. */
export interface Steps {
  readonly first: number;
  readonly last: number;
  /** Where to begin. */
  readonly start: number;
  /** Tries a step; each is tried at most once. */
  readonly attempt: (step: number) => Tried;
  /** The scale on which `excess` is about linear in a step, and its inverse; default: the steps themselves. */
  readonly scale?: { readonly of: (step: number) => number; readonly back: (x: number) => number };
  /** True once no further step should be tried. */
  readonly exhausted?: () => boolean;
}

/** A step that was tried. */
interface Known extends Tried {
  readonly step: number;
}

const LINEAR = { of: (step: number): number => step, back: (x: number): number => x };

class Search {
  readonly #steps: Steps;
  readonly #scale: NonNullable<Steps['scale']>;
  #passing: Known | null = null;
  #failing: Known | null = null;
  /** How far the next guess is pushed past the estimate, as several in a row fell on one side of it. */
  #push = 1;
  #side: 'passing' | 'failing' | null = null;

  constructor(steps: Steps) {
    this.#steps = steps;
    this.#scale = steps.scale ?? LINEAR;
  }

  run(): number | null {
    const { first, last, start, exhausted } = this.#steps;
    this.#attempt(Math.min(last, Math.max(first, start)));
    for (let reach = 1; !this.#isBracketed(); reach *= 2) {
      if (exhausted?.() === true) return this.#found();
      this.#attempt(this.#beyond(reach));
    }
    let width = this.#width();
    for (let round = 1; this.#width() > 1; round++) {
      if (exhausted?.() === true) return this.#found();
      // Guesses that do not halve the rest in three rounds are no better than halving.
      const guess = round % 3 === 0 && this.#width() > width / 2 ? this.#middle() : this.#guess();
      if (round % 3 === 0) width = this.#width();
      this.#attempt(this.#inside(guess));
    }
    return this.#found();
  }

  #found(): number | null {
    return this.#passing?.step ?? null;
  }

  #attempt(step: number): void {
    const known = { step, ...this.#steps.attempt(step) };
    const side = known.passes ? 'passing' : 'failing';
    this.#push = side === this.#side ? this.#push * 4 : 1;
    this.#side = side;
    if (known.passes) this.#passing = known;
    else this.#failing = known;
  }

  /** Whether nothing is left outside of what was tried. */
  #isBracketed(): boolean {
    const { first, last } = this.#steps;
    const low = this.#passing !== null || this.#failing?.step === first;
    const high = this.#failing !== null || this.#passing?.step === last;
    return low && high;
  }

  #width(): number {
    if (this.#passing === null || this.#failing === null) return 1;
    return this.#failing.step - this.#passing.step;
  }

  /** A step on the side of which nothing is known yet: `reach` units of the scale away, at least twice as many steps. */
  #beyond(reach: number): number {
    const { first, last } = this.#steps;
    const { of, back } = this.#scale;
    const up = this.#passing !== null;
    const { step, excess } = (this.#passing ?? this.#failing)!;
    const away = Number.isFinite(excess) ? Math.max(Math.abs(excess), reach / 8) * Math.sqrt(reach) : reach;
    const there = Math.round(back(of(step) + (up ? away : -away)));
    const least = step + (up ? reach : -reach);
    const wanted = Number.isNaN(there) ? least : up ? Math.max(there, least) : Math.min(there, least);
    return Math.min(last, Math.max(first, wanted));
  }

  /** The crossing of the line through both ends, pushed to the side that was missed last. */
  #guess(): number {
    const { step: low, excess: below } = this.#passing!;
    const { step: high, excess: above } = this.#failing!;
    const { of, back } = this.#scale;
    const share = Math.min(1, Math.max(0, -below / (above - below)));
    if (Number.isNaN(share)) return this.#middle();
    const crossing = Math.floor(back(of(low) + share * (of(high) - of(low))));
    return this.#side === 'passing'
      ? Math.max(low + 1, crossing + this.#push - 1)
      : Math.min(high - 1, crossing - this.#push + 1);
  }

  #middle(): number {
    const { of, back } = this.#scale;
    return Math.floor(back((of(this.#passing!.step) + of(this.#failing!.step)) / 2));
  }

  /** A step strictly between both ends. */
  #inside(step: number): number {
    return Math.min(this.#failing!.step - 1, Math.max(this.#passing!.step + 1, step));
  }
}

/**
 * A step that passes while the next one does not; `last` where that passes; null where not even `first` does. Where all
 * steps up to some one pass it is that one; where they do not, one of those at which passing ends. Where the search is
 * cut short, the last step known to pass.
 *
 * Secant steps, kept between a step that passes and one that fails, with halving where they gain less than it.
 */
export const lastPassing = (steps: Steps): number | null => new Search(steps).run();

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
