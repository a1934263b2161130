import type { Order } from '../../src/privacy/curve.ts';
import { decimal } from '../mechanisms.ts';
import { atomsOf, bitsFor, largest, largestTotal, type Atom, type Way } from './atoms.ts';
import { expFixed, multiplied, ofDecimal, oneAt, times, type Interval, type Real } from './fixed-point.ts';
import { mostRevealed } from './game.ts';
import type { EntrySpec } from './specification.ts';
import type { Truth } from './truth.ts';

/** A mechanism of bounded range: e^-e, and u = e^-t at the t that are tried first. */
interface RangeMove {
  readonly name: string;
  readonly down: bigint;
  readonly tried: readonly bigint[];
}

/** A mechanism that leaves no choice but that of a pair. */
interface PairMove {
  readonly name: string;
  readonly choices: readonly (readonly Atom[])[];
}

type Move = RangeMove | PairMove;

const isRange = (move: Move): move is RangeMove => 'down' in move;

/** Evaluations of a last move that one delta may take, about. */
const BUDGET = 4000;

/** t's tried at each step (evenly, and halving the distance to e), and thirds taken around the best: what the budget allows. */
interface Thoroughness {
  readonly points: number;
  readonly halvings: number;
  readonly thirds: number;
}

const LEVELS: readonly Thoroughness[] = [
  { points: 40, halvings: 60, thirds: 20 },
  { points: 16, halvings: 10, thirds: 8 },
  { points: 8, halvings: 0, thirds: 4 },
  { points: 6, halvings: 0, thirds: 0 },
  { points: 4, halvings: 0, thirds: 0 },
];

const SURE = LEVELS[0]!;

/** How far below the optimum the most thorough search may stay, as a part of it: 2^-20. */
const SEARCHED = 20n;

/** floor(sqrt(x)). */
function squareRoot(x: bigint): bigint {
  if (x <= 0n) return 0n;
  let root = 1n << BigInt((x.toString(16).length * 4 + 2) >> 1);
  for (;;) {
    const next = (root + x / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** RR(e, t) with e^-e = down and e^-t = u: loss t with probability (1 - down / u) / (1 - down), else t - e. */
function rangeAtoms(down: bigint, u: bigint, bits: number): [Atom, Atom] {
  const one = oneAt(bits);
  const high = ((u - down) << BigInt(2 * bits)) / (u * (one - down));
  const other = ((u - down) << BigInt(bits)) / (one - down);
  return [
    { p: high, q: other },
    { p: one - high, q: one - other },
  ];
}

/** p V_1(x), e^x = y q / p, for one mechanism of bounded range: (sqrt p - sqrt(y q e^-e))^2 / (1 - e^-e). */
function lastRange({ down }: RangeMove, p: bigint, cost: bigint, bits: number): bigint {
  const shrunk = multiplied(cost, down, bits);
  if (shrunk >= p) return 0n;
  if (cost <= multiplied(p, down, bits)) return p - cost;
  const root = (x: bigint): bigint => squareRoot(x << BigInt(bits));
  const difference = root(p) - root(shrunk);
  return (difference * difference) / (oneAt(bits) - down);
}

class Game {
  readonly #bits: number;
  readonly #y: bigint;
  readonly #order: Order;
  readonly #thirds: number;

  constructor(y: bigint, bits: number, order: Order, { thirds }: Thoroughness) {
    this.#y = y;
    this.#bits = bits;
    this.#order = order;
    this.#thirds = thirds;
  }

  /** What an adversary gains beyond y times what he pays, from outcomes of these probabilities on. */
  best(left: readonly Move[], p: bigint, q: bigint): bigint {
    if (p <= 0n) return 0n;
    const cost = multiplied(this.#y, q, this.#bits);
    if (left.length === 0) return p > cost ? p - cost : 0n;
    const [only] = left;
    if (left.length === 1 && isRange(only!)) return lastRange(only, p, cost, this.#bits);
    // The last of the bounded-range mechanisms is played last: legal, and in closed form.
    const isLastRange = left.filter(isRange).length === 1;
    let most = 0n;
    const seen = new Set<string>();
    for (const [index, move] of left.entries()) {
      const isLegal = this.#order === 'declared' ? index === 0 : !(isLastRange && isRange(move));
      if (!isLegal || seen.has(move.name)) continue;
      seen.add(move.name);
      const rest = left.filter((_, i) => i !== index);
      const gain = isRange(move) ? this.#bestTime(move, rest, p, q) : this.#bestPair(move, rest, p, q);
      if (gain > most) most = gain;
    }
    return most;
  }

  #after(atoms: readonly Atom[], rest: readonly Move[], p: bigint, q: bigint): bigint {
    return atoms.reduce(
      (sum, atom) => sum + this.best(rest, multiplied(p, atom.p, this.#bits), multiplied(q, atom.q, this.#bits)),
      0n,
    );
  }

  #bestPair({ choices }: PairMove, rest: readonly Move[], p: bigint, q: bigint): bigint {
    return choices.map((atoms) => this.#after(atoms, rest, p, q)).reduce((a, b) => (a > b ? a : b));
  }

  #bestTime({ down, tried }: RangeMove, rest: readonly Move[], p: bigint, q: bigint): bigint {
    const at = (u: bigint): bigint => this.#after(rangeAtoms(down, u, this.#bits), rest, p, q);
    const values = tried.map(at);
    let most = values.reduce((a, b) => (a > b ? a : b));
    values.forEach((value, i) => {
      const isTop = value > 0n && value >= (values[i - 1] ?? 0n) && value >= (values[i + 1] ?? 0n);
      if (!isTop || (this.#thirds < SURE.thirds && value < most)) return;
      let [from, to] = [tried[Math.max(0, i - 1)]!, tried[Math.min(tried.length - 1, i + 1)]!];
      for (let n = 0; n < this.#thirds; n++) {
        const third = (to - from) / 3n;
        const [a, b] = [at(from + third), at(to - third)];
        if (a > b) to -= third;
        else from += third;
        if (a > most) most = a;
        if (b > most) most = b;
      }
    });
    return most;
  }
}

/** About how many last moves a search evaluates. */
function evaluations(moves: readonly Move[], order: Order, { points, halvings, thirds }: Thoroughness): number {
  const ranges = moves.filter(isRange).length;
  const searched =
    order === 'declared' && moves.length > 0 && !isRange(moves.at(-1)!) ? ranges : Math.max(0, ranges - 1);
  const atoms = moves.reduce(
    (product, move) => (isRange(move) ? product : product * move.choices.reduce((sum, list) => sum + list.length, 0)),
    1,
  );
  const orders = order === 'declared' ? 1 : moves.reduce((product, _, i) => product * (i + 1), 1);
  return orders * atoms * (2 * (points + 1 + halvings + 2 * thirds)) ** searched;
}

const WAYS: readonly Way[] = ['forward', 'backward'];

/** e^-t at even t in [0, e], the last of them approached by halves. */
function timesTried(e: Real, points: number, halvings: number, bits: number): bigint[] {
  const at = (rest: bigint, parts: bigint): bigint => expFixed(times(e, rest - parts, parts)(bits), bits);
  const even = Array.from({ length: points }, (_, s) => at(BigInt(points - s), BigInt(points)));
  const close = Array.from({ length: halvings }, (_, n) => at(1n, BigInt(points) << BigInt(n + 1)));
  return [...even, ...close, at(0n, 1n)];
}

function movesOf(
  entries: readonly EntrySpec[],
  fixedWay: Way,
  { points, halvings }: Pick<Thoroughness, 'points' | 'halvings'>,
  bits: number,
): Move[] {
  return entries.flatMap((entry): Move[] => {
    const name = JSON.stringify({ ...entry, count: 1 });
    const move = ((): Move => {
      if (entry.type === 'bounded-range') {
        const e = ofDecimal(decimal(entry.epsilon));
        const tried = timesTried(e, points, halvings, bits);
        return { name, down: tried.at(-1)!, tried };
      }
      const ways = entry.type === 'finite-pair' && entry.direction === 'either' ? WAYS : [fixedWay];
      return { name, choices: ways.map((way) => atomsOf(entry, way, bits).list) };
    })();
    return Array.from({ length: entry.count }, () => move);
  });
}

/** The best of adversaries who fix, for each bounded-range parameter, one of the t that are tried: by turns. */
function bestFixed(moves: readonly Move[], y: bigint, bits: number): bigint {
  const one = oneAt(bits);
  const names = [...new Set(moves.filter(isRange).map(({ name }) => name))];
  const gain = (chosen: ReadonlyMap<string, number>, left: readonly Move[], p: bigint, q: bigint): bigint => {
    const [move, ...rest] = left;
    if (!move) {
      const value = p - multiplied(y, q, bits);
      return value > 0n ? value : 0n;
    }
    const choices = isRange(move) ? [rangeAtoms(move.down, move.tried[chosen.get(move.name)!]!, bits)] : move.choices;
    return choices
      .map((atoms) =>
        atoms.reduce(
          (sum, atom) => sum + gain(chosen, rest, multiplied(p, atom.p, bits), multiplied(q, atom.q, bits)),
          0n,
        ),
      )
      .reduce((a, b) => (a > b ? a : b));
  };
  const points = FIXED_POINTS;
  let [most, best] = [-1n, new Map(names.map((name) => [name, 0]))];
  const attempt = (chosen: Map<string, number>): boolean => {
    const value = gain(chosen, moves, one, one);
    if (value <= most) return false;
    [most, best] = [value, chosen];
    return true;
  };
  for (let s = 0; s <= points; s += points / 8) attempt(new Map(names.map((name) => [name, s])));
  for (let stride = points / 8; stride >= 1; stride /= 2) {
    for (const name of names) {
      for (const direction of [-stride, stride]) {
        const next = best.get(name)! + direction;
        if (next >= 0 && next <= points) attempt(new Map([...best, [name, next]]));
      }
    }
  }
  return most;
}

const FIXED_POINTS = 32;

const ENDS = { points: 1, halvings: 0 };

/** Outcomes of all mechanisms together that are listed. */
const MOST_OUTCOMES = 600;

/**
 * Bounded-range mechanisms of any parameters, with others among them, by adversaries whose choices are searched for and
 * whose gains are then exact: the last bounded-range mechanism in closed form. Where the search is thorough it finds the
 * optimum but for 2^-20 of it. Null where there are too many.
 */
export function playedTruth(entries: readonly EntrySpec[], setting: Order | 'nonadaptive'): Truth | null {
  const bits = bitsFor(entries);
  const one = oneAt(bits);
  const order = setting === 'nonadaptive' ? 'any' : setting;
  const coarse = movesOf(entries, 'forward', ENDS, bits);
  const fixed = setting === 'nonadaptive';
  const combined = coarse.reduce(
    (n, move) => n * (isRange(move) ? 2 : move.choices.reduce((sum, { length }) => sum + length, 0)),
    1,
  );
  if (fixed && combined > MOST_OUTCOMES) return null;
  const level = LEVELS.find((one) => evaluations(coarse, order, one) <= BUDGET);
  if (!level && !fixed) return null;
  const games = WAYS.map((way) => movesOf(entries, way, level ?? ENDS, bits));
  const fixedGames = fixed ? WAYS.map((way) => movesOf(entries, way, { points: FIXED_POINTS, halvings: 0 }, bits)) : [];
  const thorough = level === SURE;
  return {
    means: thorough ? 'optimum' : 'adversary',
    deltaAt(epsilon: Real) {
      const y = expFixed(epsilon(bits), bits);
      const error = (BigInt(combined) * (1n + (y >> BigInt(bits)))) << 64n;
      const optimum = (by: Thoroughness): Interval =>
        largest(
          games.map((moves): Interval => {
            const value = new Game(y, bits, order, by).best(moves, one, one);
            return { low: value - error, high: value + (value >> SEARCHED) + error, bits };
          }),
        );
      if (!fixed) return optimum(level!);
      const legal = largest(
        fixedGames.map((moves): Interval => {
          const value = bestFixed(moves, y, bits);
          return { low: value - error, high: value + error, bits };
        }),
      );
      return { low: legal.low, high: thorough ? optimum(level).high : legal.high, bits };
    },
    failure: largest(
      games.map((moves): Interval => {
        const value = mostRevealed(
          moves.flatMap((move) => (isRange(move) ? [] : [move.choices])),
          bits,
        );
        return { low: value - 65536n, high: value + 65536n, bits };
      }),
    ),
    maximum: largestTotal(entries),
  };
}
