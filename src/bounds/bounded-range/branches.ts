import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { expansions, type Box, type Expansion } from './expansion.ts';
import type { ThresholdSets } from './threshold-sets.ts';

/** Both ends of delta, as far as the work went. */
export interface Branched {
  readonly lower: number;
  readonly upper: number;
}

/** A box of t's in which one set is best, with what is known of it. */
interface Branch extends Box {
  readonly free: readonly boolean[];
  /** Between which the sum of all t that are not free lies where the set is best. */
  readonly from: number;
  readonly to: number;
  readonly found: Expansion;
}

/** Steps of a climb from the middle of a first box. */
const STEPS = 12;
/** As many of the first boxes are climbed from. */
const CLIMBED = 8;
/** How far a step of a climb may go, in e^t. */
const REACH = 0.3;

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
 * bound of {@link expansions} first, until none exceeds `goal`, given the best value so far, or the work is done.
 *
 * Source: Dong, Durfee, Rogers (2020), Lemma 3.1; one t for equal parameters by their Lemma 5.4, given the losses of the
 * others. The equation generalises their Lemma 5.7; it and the search are derived.
 *
 * @param work - how many expansions may be made
 */
export function branch(sets: ThresholdSets, epsilon: number, work: number, goal: (best: number) => number): Branched {
  const { epsilons, counts, threshold } = sets;
  const expand = expansions(sets, epsilon);
  const margin = 64 * U * (1 + Math.abs(epsilon) + epsilons.reduce((sum, e, p) => sum + e * counts[p]!, 0));
  let [best, done] = [Math.max(0, -Math.expm1(epsilon) - 16 * U), 0];
  const tried = (set: Uint8Array, lower: readonly number[], upper: readonly number[]): Expansion => {
    done++;
    const found = expand({ set, lower, upper });
    if (found.value > best) best = found.value;
    return found;
  };

  /** The box in which a set is best, empty where it is nowhere. */
  const boxOf = (index: number): Omit<Branch, 'found'> => {
    const { set, windows, free, below, above } = threshold(index);
    const taken = epsilons.map((_, p) => (free[p] === true ? 0 : counts[p]!));
    const parts = taken.reduce((sum, k) => sum + k, 1);
    const ends = windows.map(([least, most], p) => [epsilon + epsilons[p]! + least, epsilon + epsilons[p]! + most]);
    const [least, most] = [0, 1].map((end) => taken.reduce((sum, k, p) => sum + (k > 0 ? k * ends[p]![end]! : 0), 0));
    const unused = epsilons.reduce((sum, e, p) => sum + (counts[p]! - taken[p]!) * e, 0);
    const lower = epsilons.map((e, p) => {
      if (free[p] === true) return e / 2;
      const [own, other] = ends[p]!;
      return Math.max(0, own! - (most! + taken[p]! * (own! - other!)) / parts - margin);
    });
    const upper = epsilons.map((e, p) => {
      if (free[p] === true) return e / 2;
      const [other, own] = ends[p]!;
      return Math.min(e, own! - (least! + taken[p]! * (own! - other!)) / parts + margin);
    });
    const from = Math.max(epsilon + below - unused, least! / parts) - margin;
    const to = Math.min(epsilon + above, most! / parts) + margin;
    return { set, free, from, to, ...narrowed({ free, from, to, lower, upper }) };
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

  const climb = ({ set, free, found }: Branch): void => {
    let { middle, step, value } = found;
    for (let reach = REACH, n = 0; n < STEPS && reach > 1e-6; n++) {
      const next = middle.map((t, p) => t + Math.log1p(Math.max(-reach, Math.min(reach, step[p]!))));
      const inside = next.map((t, p) => Math.min(epsilons[p]! * (1 - 1e-6), Math.max(epsilons[p]! * 1e-6, t)));
      const end = (sign: number): number[] => inside.map((t, p) => (free[p] === true ? t : t + sign * reach));
      const clipped = (ts: number[]): number[] => ts.map((t, p) => Math.min(epsilons[p]!, Math.max(0, t)));
      const there = tried(set, inside, inside);
      if (there.value > value) {
        ({ middle, step, value } = tried(set, clipped(end(-1)), clipped(end(1))));
      } else reach /= 4;
    }
  };

  const heap: Branch[] = [];
  const explored = (box: Omit<Branch, 'found'>): Branch[] => {
    if (box.from > box.to || isEmpty(box)) return [];
    const found = tried(box.set, box.lower, box.upper);
    if (found.estimate > best) {
      const there = found.middle.map((t, p) =>
        Math.min(box.upper[p]!, Math.max(box.lower[p]!, t + Math.log1p(Math.max(-0.99, found.step[p]!)))),
      );
      tried(box.set, there, there);
    }
    return [{ ...box, found }];
  };
  const first = Array.from({ length: sets.size }, (_, index) => explored(boxOf(index))).flat();
  first.sort((one, other) => other.found.value - one.found.value);
  first.slice(0, CLIMBED).forEach(climb);
  for (const each of first) if (each.found.upper > goal(best)) insert(heap, each);
  while (heap.length > 0 && heap[0]!.found.upper > goal(best) && goal(best) >= best && done < work) {
    const { found, ...box } = takeFirst(heap);
    const p = found.widest;
    const [low, high] = [box.lower[p]!, box.upper[p]!];
    const half = low + (high - low) / 2;
    // Too narrow to be halved: what is left is rounding.
    if (!(half > low && half < high)) return { lower: best, upper: Math.max(best, found.upper) };
    const halves = [
      { ...box, upper: box.upper.map((t, r) => (r === p ? half : t)) },
      { ...box, lower: box.lower.map((t, r) => (r === p ? half : t)) },
    ];
    for (const each of halves.flatMap((part) => explored({ ...part, ...narrowed(part) }))) {
      if (each.found.upper > goal(best)) insert(heap, each);
    }
  }
  return { lower: best, upper: Math.max(best, heap[0]?.found.upper ?? 0, goal(best)) };
}
