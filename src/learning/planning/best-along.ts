import { Decimal } from '../../numeric/decimal.ts';
import { asUpper, type UpperBound } from '../../numeric/enclosure.ts';
import { guessingRegretOfExperts } from '../alternatives/alternative.ts';
import type { ExpertsProblem } from '../core/setting.ts';
import { allowedAt, ExpertsLandscape } from './best-for-experts.ts';
import { safeRegretOfExperts } from './regret.ts';
import { gridIndexBelow, gridValue, lastAllowed } from './search.ts';

/** A batch, and c. */
interface Place {
  readonly batch: number;
  readonly rate: number;
}

/** Steps of the batch and of c, halved on the scale of logarithms as often as it is worthwhile. */
const STEPS = [2, 1.3] as const;

const FIRST: Place = { batch: 1, rate: 0.002 };

/** Going down from a place by steps of one coordinate after the other. */
class Descent {
  readonly #landscape: ExpertsLandscape;
  readonly #rounds: number;
  readonly #known = new Map<string, number>();
  #at: Place;

  constructor(landscape: ExpertsLandscape, rounds: number, from: Place) {
    this.#landscape = landscape;
    this.#rounds = rounds;
    this.#at = { ...from, batch: Math.min(from.batch, rounds) };
  }

  #regret({ batch, rate }: Place): number {
    const key = `${batch},${rate}`;
    const value = this.#known.get(key) ?? this.#landscape.regret(batch, rate);
    this.#known.set(key, value);
    return value;
  }

  /** Whether a step was worthwhile; if so, as many of them as are. */
  #move(step: (from: Place) => Place): boolean {
    let moved = false;
    for (;;) {
      const next = step(this.#at);
      if (this.#regret(next) >= this.#regret(this.#at)) return moved;
      [this.#at, moved] = [next, true];
    }
  }

  #scaled(factor: number): (from: Place) => Place {
    return ({ batch, rate }) => {
      const scaled = factor > 1 ? Math.ceil(batch * factor) : Math.floor(batch * factor);
      return { batch: Math.max(1, Math.min(this.#rounds, scaled)), rate };
    };
  }

  lowest(): Place {
    for (const factor of STEPS) {
      const moves = [
        this.#scaled(factor),
        this.#scaled(1 / factor),
        ...[factor, 1 / factor].map((by) => ({ batch, rate }: Place): Place => ({ batch, rate: rate * by })),
      ];
      while (moves.map((move) => this.#move(move)).includes(true));
    }
    return this.#at;
  }
}

/** The safe regret at a place with the largest eta of four digits found that is certainly private enough, at most that of guessing. */
function certified(problem: ExpertsProblem, place: Place, landscape: ExpertsLandscape): UpperBound {
  const { rounds, experts } = problem;
  const guessing = guessingRegretOfExperts(problem);
  const about = landscape.eta(place.batch, place.rate);
  if (about === null || place.batch === rounds) return guessing;
  const at = { batch: place.batch, switchRate: new Decimal(place.rate.toPrecision(4)) };
  const start = gridIndexBelow(about);
  const found = lastAllowed(allowedAt(problem, 'bounded-range', at), start, gridIndexBelow(about / 2), start);
  if (found === null) return guessing;
  return asUpper(Math.min(guessing, safeRegretOfExperts({ rounds, ...at, eta: gridValue(found) }, experts)));
}

/**
 * For problems that follow each other closely, the first with little to be lost by a batch of one round: safe regrets of parameters of
 * L2P without y that exact accounting with bounded-range steps certainly allows, or that of guessing where it is less. Batch and c
 * go down step by step from those of the problem before, which is faster than the search of a plan
 * and finds parameters that are nearly as good.
 */
export function bestAlong(problems: readonly ExpertsProblem[]): readonly UpperBound[] {
  let place = FIRST;
  return problems.map((problem) => {
    const landscape = new ExpertsLandscape(problem, 'bounded-range');
    place = new Descent(landscape, problem.rounds, place).lowest();
    return certified(problem, place, landscape);
  });
}
