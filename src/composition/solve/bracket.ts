/** The certain state of a step. open: neither that it is within nor that it exceeds; refused: no theorem covers it. */
export type Standing = 'within' | 'exceeds' | 'open' | 'refused';

/** The result of trying one step. */
export interface Tried {
  readonly standing: Standing;
  /** ln of the certified upper end over the limit, about 0 or less where it is within; not finite where not known. */
  readonly above: number;
  /** ln of the certified lower end over the limit; NaN where there is none. */
  readonly below: number;
  /** How much smaller `above` might be with more effort: the width of the enclosure; 0 where it is no more than rounding. */
  readonly noise: number;
}

/** Steps first, first + 1, ..., last, of which those up to some step are within a limit. */
export interface BracketQuestion {
  readonly first: number;
  readonly last: number;
  /** Where to begin. */
  readonly start: number;
  /** Ways to try a step, the quickest first, the last with all the effort there is. */
  readonly levels: readonly ((step: number) => Tried)[];
  /** Whether the last step that can be shown to be within is wanted, rather than one as close to it as ends are wide. */
  readonly exact: boolean;
  /** The scale on which `above` is about linear in a step, and its inverse. */
  readonly scale: { readonly of: (step: number) => number; readonly back: (x: number) => number };
  /** About how fast `above` rises along the scale, where that is known before. */
  readonly slope?: number;
  /** Whether it is certain that all steps exceed, as far as one level shows; asked before it, where none is known to be within. */
  readonly isHopeless?: (level: number) => boolean;
  /** True once no further step should be tried. */
  readonly exhausted?: () => boolean;
}

/** Where being within ends. */
export interface Bracket {
  /** The last step that is certain to be within; null where none was found. */
  readonly within: number | null;
  /** The first step above that which is certain to exceed; null where none was found. */
  readonly exceeding: number | null;
  /** The state of the step after the last one within. */
  readonly next: Exclude<Standing, 'within'>;
  /** Whether the search ended early. */
  readonly cut: boolean;
}

interface Point extends Tried {
  readonly step: number;
}

/** How far below the limit, in parts of the width of enclosures, a step is aimed at, and what is close enough. */
const AIM = 0.15;
const CLOSE = 0.3;
/** As far from it, on either side, is enough for the next level to begin there. */
const NEAR = 1.5;
/** Guesses from one side alone go past the end by this part of their distance, so that the next ones enclose it. */
const OVERSHOOT = 1.05;
/** The part of the distance by which a step that exceeds may be farther from one within than it need be. */
const SLACK = 0.25;
/** How often what exceeds is looked for. */
const TRIES = 8;

const isFinite = (point: Point | null): point is Point => point !== null && Number.isFinite(point.above);

/**
 * The aim of a level. exact: the last step that it shows to be within; close: one as close to that as enclosures
 * are wide; near: where the next level had best begin.
 */
type Goal = 'exact' | 'close' | 'near';

/** The search at one level, for the last step within. */
class Approach {
  /** The last step that passed and the first that did not, at this level. */
  low: Point | null = null;
  high: Point | null = null;
  slope: number;
  readonly #question: BracketQuestion;
  readonly #goal: Goal;
  /** How far a guess is pushed past the estimate, as several in a row fell on one side of it. */
  #push = 1;
  #side: 'low' | 'high' | null = null;
  #reach = 1;

  constructor(question: BracketQuestion, slope: number, goal: Goal) {
    this.#question = question;
    this.slope = slope;
    this.#goal = goal;
  }

  learn(point: Point): void {
    const side = point.standing === 'within' ? 'low' : 'high';
    const { of } = this.#question.scale;
    for (const end of [this.low, this.high]) {
      if (!isFinite(end) || !isFinite(point)) continue;
      const rise = point.above - end.above;
      const slope = rise / (of(point.step) - of(end.step));
      // Where ends differ by no more than enclosures are wide, that tells nothing.
      if (Math.abs(rise) < 2 * Math.max(point.noise, end.noise) && !Number.isNaN(this.slope)) continue;
      if (slope > 0 && slope < Infinity) this.slope = slope;
    }
    this.#push = side === this.#side ? this.#push * 4 : 1;
    this.#side = side;
    this[side] = point;
  }

  /** Whether more of this level would tell little: the last step that passed is as close to the end as enclosures are wide. */
  isClose(): boolean {
    switch (this.#goal) {
      case 'exact':
        return false;
      case 'close':
        return isFinite(this.low) && -this.low.above <= CLOSE * this.low.noise;
      case 'near':
        return [this.low, this.high].some((point) => isFinite(point) && Math.abs(point.above) <= NEAR * point.noise);
    }
  }

  /** Where to look next; NaN where nothing tells. */
  guess(): number {
    const { of, back } = this.#question.scale;
    const { low, high } = this;
    if (isFinite(low) && isFinite(high)) {
      const aim = this.#aim(low);
      const share = Math.min(1, Math.max(0, (aim - low.above) / (high.above - low.above)));
      const crossing = Math.floor(back(of(low.step) + share * (of(high.step) - of(low.step))));
      return this.#side === 'low' ? crossing + this.#push - 1 : crossing - this.#push + 1;
    }
    const point = [low, high].find(isFinite);
    if (point === undefined || Number.isNaN(this.slope)) return NaN;
    const distance = ((this.#aim(point) - point.above) / this.slope) * OVERSHOOT;
    const there = Math.floor(back(of(point.step) + distance));
    return point === low ? Math.max(there, point.step + this.#push) : Math.min(there, point.step - this.#push);
  }

  /** A step farther and farther out on the side on which nothing is known yet. */
  beyond(): number {
    const { of, back } = this.#question.scale;
    const point = this.low ?? this.high;
    if (point === null) return this.#question.start;
    const up = point === this.low ? 1 : -1;
    const away = isFinite(point)
      ? Math.max(Math.abs(point.above), this.#reach / 8) * Math.sqrt(this.#reach)
      : this.#reach;
    const there = Math.round(back(of(point.step) + up * away));
    const nearest = point.step + up * this.#reach;
    this.#reach *= 2;
    return Number.isNaN(there) ? nearest : up > 0 ? Math.max(there, nearest) : Math.min(there, nearest);
  }

  /** About where the middle of enclosures crosses the limit; NaN where nothing tells. */
  centre(): number {
    const { of, back } = this.#question.scale;
    const nearestEnd = [this.low, this.high].filter(isFinite).sort((a, b) => Math.abs(a.above) - Math.abs(b.above))[0];
    if (nearestEnd === undefined || nearestEnd.noise === 0 || Number.isNaN(this.slope)) return NaN;
    return Math.floor(back(of(nearestEnd.step) - (nearestEnd.above - nearestEnd.noise / 2) / this.slope));
  }

  #aim(point: Point): number {
    return this.#goal === 'close' ? -AIM * point.noise : 0;
  }
}

class Search {
  readonly #question: BracketQuestion;
  #within: number | null = null;
  #exceeding: number | null = null;
  /** How fast `above` rises along the scale, about. */
  #slope: number;
  #cut = false;
  /** The steps that were tried at the present level. */
  #tried = new Map<number, Point>();

  constructor(question: BracketQuestion) {
    this.#question = question;
    this.#slope = question.slope ?? NaN;
  }

  run(): Bracket {
    const { levels, exact, first, start, isHopeless } = this.#question;
    let from = start;
    levels.forEach((attempt, level) => {
      if (this.#isSettled() || this.#isOver()) return;
      if (this.#within === null && isHopeless?.(level) === true) {
        this.#exceeding = first;
        return;
      }
      this.#tried = new Map();
      const isLast = level === levels.length - 1;
      from = this.#approach(attempt, from, isLast ? (exact ? 'exact' : 'close') : 'near');
      if (level === 0 || isLast) this.#limit(attempt);
    });
    return { within: this.#within, exceeding: this.#exceeding, next: this.#next(), cut: this.#cut };
  }

  /** The ends of what is open: a step within (or the one before all), and one that exceeds (or the one after all). */
  #bottom(): number {
    return this.#within ?? this.#question.first - 1;
  }
  #top(): number {
    return this.#exceeding ?? this.#question.last + 1;
  }

  #isSettled(): boolean {
    return this.#top() - this.#bottom() <= 1;
  }

  #isOver(): boolean {
    this.#cut ||= this.#question.exhausted?.() === true;
    return this.#cut;
  }

  #next(): Bracket['next'] {
    const after = this.#bottom() + 1;
    if (this.#exceeding === after) return 'exceeds';
    return this.#tried.get(after)?.standing === 'refused' ? 'refused' : 'open';
  }

  #attempt(attempt: (step: number) => Tried, step: number): Point {
    const point = { step, ...attempt(step) };
    this.#tried.set(step, point);
    if (point.standing === 'within') this.#within = Math.max(step, this.#bottom());
    if (point.standing === 'exceeds') this.#exceeding = Math.min(step, this.#top());
    return point;
  }

  /** Looks for the last step within, as far as this level shows; returns where the next level had best begin. */
  #approach(attempt: (step: number) => Tried, start: number, goal: Goal): number {
    const { last } = this.#question;
    const search = new Approach(this.#question, this.#slope, goal);
    let guess = start;
    let width = Infinity;
    for (let round = 1; ; round++) {
      const bottom = this.#bottom();
      const top = Math.min(search.high?.step ?? last + 1, this.#top());
      if (top - bottom <= 1 || search.isClose() || this.#isOver()) break;
      const isEnclosed = this.#within !== null && top <= last;
      if (isEnclosed && round % 3 === 0) {
        // Guesses that do not halve the rest in three rounds are no better than halving.
        if (top - bottom > width / 2) guess = NaN;
        width = top - bottom;
      }
      if (Number.isNaN(guess)) guess = isEnclosed ? this.#middle(bottom, top) : search.beyond();
      search.learn(this.#attempt(attempt, Math.min(top - 1, Math.max(bottom + 1, guess))));
      guess = search.guess();
    }
    this.#slope = search.slope;
    const centre = search.centre();
    return Number.isNaN(centre) ? (search.high?.step ?? this.#bottom() + 1) : centre;
  }

  #middle(bottom: number, top: number): number {
    const { of, back } = this.#question.scale;
    return Math.floor(back((of(bottom) + of(top)) / 2));
  }

  /** Looks for a step that exceeds, not much farther from what is within than it need be. */
  #limit(attempt: (step: number) => Tried): void {
    if (this.#isSettled() || this.#isOver()) return;
    let low = this.#lastOpen() ?? this.#attempt(attempt, this.#bottom() + 1);
    for (let tries = 0; tries < TRIES && low.standing !== 'exceeds' && !Number.isNaN(low.below); tries++) {
      const guess = this.#exceedingAfter(low, 1.5 ** tries);
      const [bottom, top] = [Math.max(low.step, this.#bottom()), this.#top()];
      if (top - bottom <= 1 || this.#isNearEnough(low) || this.#isOver()) return;
      const point = this.#attempt(attempt, Math.min(top - 1, Math.max(bottom + 1, guess)));
      if (point.standing !== 'exceeds') low = point;
    }
  }

  /** About where steps begin to exceed, by one that does not; `push`: how many times as far away. */
  #exceedingAfter({ step, below, noise }: Point, push: number): number {
    const { of, back } = this.#question.scale;
    const slope = this.#slope > 0 ? this.#slope : 1;
    const distance = Number.isFinite(below) ? (noise / 8 - below) / slope : 1 / 8;
    const there = Math.ceil(back(of(step) + distance * push));
    return Number.isNaN(there) ? step + push : there;
  }

  /** Whether what exceeds is hardly farther away than it seems it need be. */
  #isNearEnough(low: Point): boolean {
    const { of } = this.#question.scale;
    if (this.#exceeding === null) return false;
    const from = of(this.#within ?? low.step);
    return of(this.#exceeding) - from <= (1 + SLACK) * (of(this.#exceedingAfter(low, 1)) - from);
  }

  /** The last step tried at this level that is not known to exceed, from what is within on. */
  #lastOpen(): Point | null {
    const open = [...this.#tried.values()].filter(({ step }) => step >= this.#bottom() && step < this.#top());
    return open.reduce<Point | null>((last, point) => (last === null || point.step > last.step ? point : last), null);
  }
}

/**
 * Encloses the end of the steps that are within a limit, between one that is certain to be within and one that is
 * certain to exceed: with the quickest way of trying first, which narrows down where the next ones look.
 *
 * Where all steps up to some one are within, and all others are not, the end lies in between; else one of the ends does.
 *
 * Secant steps, kept between a step that passes and one that does not, with halving where they gain less than it.
 */
export const bracket = (question: BracketQuestion): Bracket => new Search(question).run();
