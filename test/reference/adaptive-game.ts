/** Probabilities of the outcomes of a pair under the two hypotheses. */
export type Pair = readonly (readonly [p: number, q: number])[];

/** What is played: a mechanism of e-bounded range, or one of a few pairs, whichever the adversary prefers. */
export type Move = { readonly range: number } | { readonly pairs: readonly Pair[] };

export const range = (e: number): Move => ({ range: e });

/** Randomized response. */
export const response = (e: number, failure = 0): Move => {
  const low = (1 - failure) / (1 + Math.exp(e));
  const high = (1 - failure) / (1 + Math.exp(-e));
  return {
    pairs: [
      [
        [high, low],
        [low, high],
        [failure, 0],
        [0, failure],
      ],
    ],
  };
};

/** A pair of given outcomes, one way or, where asked, either way. */
export const outcomes = (p: readonly number[], q: readonly number[], either = false): Move => {
  const there = p.map((mass, i) => [mass, q[i]!] as const);
  const back = p.map((mass, i) => [q[i]!, mass] as const);
  return { pairs: either ? [there, back] : [there] };
};

/** P(loss = t) of RR(e, t): (1 - e^(t-e)) / (1 - e^-e). */
const chance = (e: number, t: number): number => Math.expm1(t - e) / Math.expm1(-e);

/** The optimum of one mechanism: with t = (x + e) / 2, (1 - e^((x-e)/2))^2 / (1 - e^-e). */
export function oneRange(e: number, x: number): number {
  if (x >= e) return 0;
  if (x <= -e) return -Math.expm1(x);
  return Math.expm1((x - e) / 2) ** 2 / -Math.expm1(-e);
}

/** How an adversary looks for the t in [0, e] where `gain` is largest. */
export type Search = (gain: (t: number) => number, e: number) => number;

/** The best of t = 0, e / steps, ..., e: a legal choice, so never above the optimum. */
export const onGrid =
  (steps: number): Search =>
  (gain, e) => {
    let best = 0;
    for (let s = 0; s <= steps; s++) best = Math.max(best, gain((e * s) / steps));
    return best;
  };

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** The grid, and golden sections around each of its local maxima. */
export const refined =
  (steps: number, sections = 22): Search =>
  (gain, e) => {
    const at = (s: number): number => (e * s) / steps;
    const values = Array.from({ length: steps + 1 }, (_, s) => gain(at(s)));
    let best = Math.max(...values);
    values.forEach((value, s) => {
      if (value < (values[s - 1] ?? 0) || value < (values[s + 1] ?? 0)) return;
      let [from, to] = [at(Math.max(0, s - 1)), at(Math.min(steps, s + 1))];
      let [a, b] = [to - GOLDEN * (to - from), from + GOLDEN * (to - from)];
      let [left, right] = [gain(a), gain(b)];
      for (let n = 0; n < sections; n++) {
        if (left > right) {
          [to, b, right] = [b, a, left];
          a = to - GOLDEN * (to - from);
          left = gain(a);
        } else {
          [from, a, left] = [a, b, right];
          b = from + GOLDEN * (to - from);
          right = gain(b);
        }
      }
      best = Math.max(best, left, right);
    });
    return best;
  };

/**
 * What an adversary gains at x who plays all moves, each after seeing the outcomes before: in the order given, or in an
 * order that he also chooses along the way. The last bounded-range move is played in closed form.
 */
export function adaptiveGain(moves: readonly Move[], x: number, order: 'any' | 'declared', search: Search): number {
  if (moves.length === 0 || x === -Infinity) return x < 0 ? -Math.expm1(x) : 0;
  const next = order === 'declared' ? moves.slice(0, 1) : [...new Set(moves)];
  return Math.max(
    ...next.map((move) => {
      const index = moves.indexOf(move);
      const rest = [...moves.slice(0, index), ...moves.slice(index + 1)];
      const after = (y: number): number => adaptiveGain(rest, y, order, search);
      if ('range' in move) {
        const e = move.range;
        if (rest.length === 0) return oneRange(e, x);
        return search((t) => {
          const q = chance(e, t);
          return q * after(x - t) + (1 - q) * after(x - t + e);
        }, e);
      }
      return Math.max(
        ...move.pairs.map((pair) =>
          pair.reduce((sum, [p, q]) => (p > 0 ? sum + p * after(x - Math.log(p / q)) : sum), 0),
        ),
      );
    }),
  );
}

/** The gain of an adversary who fixes a t for each bounded-range mechanism in advance: E[max(0, 1 - e^(x-L))]. */
export function fixedGain(choices: readonly { readonly e: number; readonly t: number }[], x: number): number {
  const [first, ...rest] = choices;
  if (!first) return x < 0 ? -Math.expm1(x) : 0;
  const q = chance(first.e, first.t);
  return q * fixedGain(rest, x - first.t) + (1 - q) * fixedGain(rest, x - first.t + first.e);
}
