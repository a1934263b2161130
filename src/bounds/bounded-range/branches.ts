import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { expansions, type Box, type Expansion } from './expansion.ts';
import { boxVertices, type ConstrainedBox, type Range } from './box-vertices.ts';
import type { ThresholdSets } from './threshold-sets.ts';

/** A choice of all t's, and the set of outcomes for which it is made. */
export interface Adversary {
  readonly set: Uint8Array;
  readonly free: readonly boolean[];
  readonly choices: readonly number[];
}

/** Both ends of delta, as far as the work went, and who reaches the lower one; null where nobody was asked. */
export interface Branched {
  readonly lower: number;
  readonly upper: number;
  readonly adversary: Adversary | null;
  /** How many boxes were looked at. */
  readonly boxes: number;
}

/** A box of t's in which one set is best, with what is known of it. */
interface Branch extends ConstrainedBox {
  readonly found: Expansion;
}

/** Steps of a climb from the middle of a first box. */
const STEPS = 12;
/** As many of the first boxes are climbed from. */
const CLIMBED = 8;
/** How far a step of a climb may go, in e^t. */
const REACH = 0.3;

/** Of two ends of a range, where the second may be undefined: infinities subtracted. */
const larger = (one: number, other: number): number => (other > one ? other : one);
const smaller = (one: number, other: number): number => (other < one ? other : one);

/** Puts a branch where the one with the largest bound comes first. */
function insert(heap: Branch[], branch: Branch): void {
  let i = heap.push(branch) - 1;
  for (let above = (i - 1) >> 1; i > 0 && heap[above]!.found.upper < branch.found.upper; above = (i - 1) >> 1) {
    heap[i] = heap[above]!;
    i = above;
  }
  heap[i] = branch;
}

/** Takes the first branch out. */
function takeFirst(heap: Branch[]): Branch {
  const [first, last] = [heap[0]!, heap.pop()!];
  let i = 0;
  for (let below = 1; below < heap.length; below = 2 * i + 1) {
    if (below + 1 < heap.length && heap[below + 1]!.found.upper > heap[below]!.found.upper) below++;
    if (heap[below]!.found.upper <= last.found.upper) break;
    heap[i] = heap[below]!;
    i = below;
  }
  if (heap.length > 0) heap[i] = last;
  return first;
}

type Trial = (of: Omit<Adversary, 'choices'>, box: Pick<Box, 'lower' | 'upper'>) => Expansion;

/** Climbs from some choices to a local best of their set, by steps of what `tried` says of the neighbourhood. */
function climb(epsilons: readonly number[], { set, free, choices }: Adversary, tried: Trial): void {
  const clipped = (ts: readonly number[]): number[] => ts.map((t, p) => Math.min(epsilons[p]!, Math.max(0, t)));
  const around = (ts: readonly number[], reach: number): Expansion => {
    const end = (sign: number): number[] => clipped(ts.map((t, p) => (free[p] === true ? t : t + sign * reach)));
    return tried({ set, free }, { lower: end(-1), upper: end(1) });
  };
  let { middle, step, value } = around(choices, REACH);
  for (let reach = REACH, n = 0; n < STEPS && reach > 1e-6; n++) {
    const next = middle.map((t, p) => t + Math.log1p(Math.max(-reach, Math.min(reach, step[p]!))));
    const inside = next.map((t, p) => Math.min(epsilons[p]! * (1 - 1e-6), Math.max(epsilons[p]! * 1e-6, t)));
    const there = tried({ set, free }, { lower: inside, upper: inside });
    if (there.value > value) ({ middle, step, value } = around(inside, reach));
    else reach /= 4;
  }
}

/** What an adversary of another epsilon reaches at this one, with the nearest local best of his choices. */
export function followed(sets: ThresholdSets, epsilon: number, adversary: Adversary): number {
  const expand = expansions(sets, epsilon);
  let best = 0;
  const tried: Trial = ({ set }, box) => {
    const found = expand({ set, ...box });
    best = Math.max(best, found.value);
    return found;
  };
  tried(adversary, { lower: adversary.choices, upper: adversary.choices });
  climb(sets.epsilons, adversary, tried);
  return best;
}

/** So many sets on either side of the one that belongs to the choices are looked at, and so many climbed in. */
const BESIDE = 16;
const CLIMBED_NEAR = 3;

/** The best of the local bests near some choices: in their set and in those beside it, all t's moved together until it is theirs. */
export function climbedNear(sets: ThresholdSets, epsilon: number, choices: readonly number[]): readonly number[] {
  const expand = expansions(sets, epsilon);
  const { epsilons, counts } = sets;
  const [loss, total] = [choices, epsilons].map((of) => counts.reduce((sum, k, p) => sum + k * of[p]!, 0)) as [
    number,
    number,
  ];
  let [first, last] = [0, sets.size - 1];
  while (first < last) {
    const half = (first + last) >> 1;
    if (sets.threshold(half).above < loss - epsilon) first = half + 1;
    else last = half;
  }
  let best = { value: 0, choices };
  const tried: Trial = ({ set }, box) => {
    const found = expand({ set, ...box });
    if (found.value > best.value) best = { value: found.value, choices: found.middle };
    return found;
  };
  const near = Array.from({ length: Math.min(sets.size, first + BESIDE + 1) }, (_, index) => index).slice(
    -2 * BESIDE - 1,
  );
  const starts = near.map((index) => {
    const { set, free, below, above } = sets.threshold(index);
    const share = (epsilon + (below + above) / 2 - loss) / total;
    const moved = choices.map((t, p) => Math.min(epsilons[p]!, Math.max(0, t + share * epsilons[p]!)));
    return { set, free, choices: moved, value: tried({ set, free }, { lower: moved, upper: moved }).value };
  });
  starts.sort((one, other) => other.value - one.value);
  for (const start of starts.slice(0, CLIMBED_NEAR)) climb(epsilons, start, tried);
  return best.choices;
}

/**
 * The largest delta of bounded-range mechanisms that are fixed in advance, by branch and bound over the t of each distinct
 * parameter e.
 *
 * For fixed t the best test decides for the first hypothesis if the sum of the losses exceeds eps: on the set A of those outcomes of which the smaller
 * losses' parameters add up to less than s - eps, s the sum of all t. So delta is the largest F_A(t) = Q_t(A) - e^eps P_t(A)
 * over these sets, and F_A is at most delta everywhere. Let W be the outcomes of all other mechanisms that are in A with the
 * larger loss of one of this parameter, and out of it with the smaller. Along the t of one mechanism F_A is
 * c - a e^t - b e^-t with a, b >= 0, so where delta is largest
 *     t + s = eps + e + w,  w = -ln E_P[e^-x | W],
 * x the sum of the parameters of smaller losses: w lies between the least and the largest x of W. (The largest delta over
 * t in [h, e - h] is at such a t but for an error of the order of h: next to an end all terms of the derivative of F_A point
 * inwards, since s - eps lies between the x of A and those outside. With h to 0 a limit satisfies it, in the closed box.)
 * With n mechanisms, (n + 1) s = sum of (eps + e + w): a box of t's for each set. They are halved, the one with the largest
 * bound first, until none exceeds `goal`, given the best value so far, or the work is done. The vertices of a box bound F_A
 * and the w in it (see {@link boxVertices}), which narrows it by the same equations; where it is small, its {@link expansions}
 * are sharper.
 *
 * Source: Dong, Durfee, Rogers (2020), Lemma 3.1; one t for equal parameters by their Lemma 5.4, given the losses of the
 * others. The equation generalises their Lemma 5.7; it and the search are derived.
 *
 * @param work - how many boxes may be looked at
 * @param isGivenUp - whether no more are to be; both ends hold then too
 */
export function branch(
  sets: ThresholdSets,
  epsilon: number,
  work: number,
  goal: (best: number) => number,
  isGivenUp = (): boolean => false,
): Branched {
  const { epsilons, counts, threshold } = sets;
  const expand = expansions(sets, epsilon);
  const vertices = boxVertices(sets, epsilon);
  const margin = 64 * U * (1 + Math.abs(epsilon) + epsilons.reduce((sum, e, p) => sum + e * counts[p]!, 0));
  /** What the set of all outcomes gains. */
  const whole = -Math.expm1(epsilon);
  let [best, done] = [Math.max(0, whole - 16 * U), 0];
  let adversary: Adversary | null = null;
  const tried = (
    { set, free }: Omit<Adversary, 'choices'>,
    { lower, upper }: Pick<Box, 'lower' | 'upper'>,
  ): Expansion => {
    const found = expand({ set, lower, upper });
    if (found.value > best || adversary === null)
      [best, adversary] = [Math.max(best, found.value), { set, free, choices: found.middle }];
    return found;
  };

  /** The t's of a box that satisfy the equations with w's in these windows. */
  const solved = (
    { free, lower, upper, from, to }: Omit<ConstrainedBox, 'set'>,
    windows: readonly Range[],
  ): Pick<Branch, 'from' | 'to' | 'lower' | 'upper'> => {
    const taken = counts.map((k, p) => (free[p] === true ? 0 : k));
    const parts = taken.reduce((sum, k) => sum + k, 1);
    const ends = windows.map(([least, most], p) => [epsilon + epsilons[p]! + least, epsilon + epsilons[p]! + most]);
    const [least, most] = [0, 1].map((end) => taken.reduce((sum, k, p) => sum + (k > 0 ? k * ends[p]![end]! : 0), 0));
    /** What the equations allow this end of a t at most, where the w of its own parameter is at that end, of others at the other. */
    const reached = (p: number, own: number, total: number): number =>
      ends[p]![own]! - (total + taken[p]! * (ends[p]![own]! - ends[p]![1 - own]!)) / parts;
    return {
      lower: lower.map((t, p) => (free[p] === true ? t : larger(t, reached(p, 0, most!) - margin))),
      upper: upper.map((t, p) => (free[p] === true ? t : smaller(t, reached(p, 1, least!) + margin))),
      from: larger(from, least! / parts - margin),
      to: smaller(to, most! / parts + margin),
    };
  };

  /** The box in which a set is best, empty where it is nowhere. */
  const boxOf = (index: number): Omit<Branch, 'found'> => {
    const { set, windows, free, below, above } = threshold(index);
    const unused = epsilons.reduce((sum, e, p) => sum + (free[p] === true ? counts[p]! * e : 0), 0);
    const lower = epsilons.map((e, p) => (free[p] === true ? e / 2 : 0));
    const upper = epsilons.map((e, p) => (free[p] === true ? e / 2 : e));
    const from = epsilon + below - unused - margin;
    const to = epsilon + above + margin;
    const box = { free, ...solved({ free, lower, upper, from, to }, windows) };
    return { set, ...box, ...narrowed(box) };
  };

  /** The t's of a box whose sum is in range; some lower end above the upper one where there are none. */
  const narrowed = (box: Omit<Branch, 'found' | 'set'>): Pick<Box, 'lower' | 'upper'> => {
    const [lower, upper] = [[...box.lower], [...box.upper]];
    const weights = counts.map((k, p) => (box.free[p] === true ? 0 : k));
    const total = (of: readonly number[]): number => weights.reduce((sum, k, p) => sum + k * of[p]!, 0);
    const [least, most] = [total(lower), total(upper)];
    weights.forEach((k, p) => {
      if (k === 0) return;
      const [low, high] = [lower[p]!, upper[p]!];
      lower[p] = Math.max(low, (box.from - (most - k * high)) / k - margin);
      upper[p] = Math.min(high, (box.to - (least - k * low)) / k + margin);
    });
    return { lower, upper };
  };
  const isEmpty = ({ lower, upper }: Pick<Box, 'lower' | 'upper'>): boolean => lower.some((low, p) => low > upper[p]!);

  const heap: Branch[] = [];
  const explored = (given: Omit<Branch, 'found'>): Branch[] => {
    if (given.from > given.to || isEmpty(given)) return [];
    done++;
    if (vertices.bound(given) <= goal(best)) return [];
    const satisfying = { ...given, ...solved(given, vertices.windows(given)) };
    const box = { ...satisfying, ...narrowed(satisfying) };
    if (isEmpty(box)) return [];
    const bound = vertices.bound(box);
    if (bound <= goal(best)) return [];
    const expanded = tried(box, box);
    const found = { ...expanded, upper: Math.min(bound, expanded.upper) };
    if (found.estimate > best) {
      const there = found.middle.map((t, p) =>
        Math.min(box.upper[p]!, Math.max(box.lower[p]!, t + Math.log1p(Math.max(-0.99, found.step[p]!)))),
      );
      tried(box, { lower: there, upper: there });
    }
    return [{ ...box, found }];
  };
  const first = Array.from({ length: sets.size }, (_, index) => explored(boxOf(index))).flat();
  first.sort((one, other) => other.found.value - one.found.value);
  for (const { set, free, found } of first.slice(0, CLIMBED))
    climb(epsilons, { set, free, choices: found.middle }, tried);
  for (const each of first) if (each.found.upper > goal(best)) insert(heap, each);
  while (heap.length > 0 && heap[0]!.found.upper > goal(best) && goal(best) >= best && done < work && !isGivenUp()) {
    const { found, ...box } = takeFirst(heap);
    const p = found.widest;
    const [low, high] = [box.lower[p]!, box.upper[p]!];
    const half = low + (high - low) / 2;
    // Too narrow to be halved: what is left is rounding.
    if (!(half > low && half < high))
      return { lower: best, upper: Math.max(best, found.upper, whole + 16 * U), adversary, boxes: done };
    const halves = [
      { ...box, upper: box.upper.map((t, r) => (r === p ? half : t)) },
      { ...box, lower: box.lower.map((t, r) => (r === p ? half : t)) },
    ];
    for (const each of halves.flatMap((part) => explored({ ...part, ...narrowed(part) }))) {
      if (each.found.upper > goal(best)) insert(heap, each);
    }
  }
  const upper = Math.max(best, heap[0]?.found.upper ?? 0, goal(best), whole + 16 * U);
  return { lower: best, upper, adversary, boxes: done };
}
