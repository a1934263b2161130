/** The result of trying one step. */
export interface Tried {
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
