import { decimal } from '../mechanisms.ts';
import { bitsFor, enumerate, largest, type Atom, type Atoms } from './atoms.ts';
import { expFixed, type Interval, type Real } from './fixed-point.ts';
import type { BestOf, EntrySpec } from './specification.ts';
import { NO_FAILURE, type Truth } from './truth.ts';

type Pair = Extract<EntrySpec, { type: 'finite-pair' }>;

/** A fraction of whole numbers. */
interface Fraction {
  readonly above: bigint;
  readonly below: bigint;
}

/** A decimal of at most so many places as a fraction. */
const PLACES = 40;
const BELOW = 10n ** BigInt(PLACES);
const fraction = (text: string): Fraction => ({
  above: BigInt(decimal(text).times(`1e${PLACES}`).toFixed()),
  below: BELOW,
});

/** E[x^K] of a law: a fraction, but of a Poisson law, which is right to a few units of 2^-bits. */
function generating({ law, ...keys }: BestOf, { above: n, below: d }: Fraction, bits: number): Fraction {
  const { above: g, below: t } = fraction(keys.parameter);
  switch (law) {
    case 'fixed':
      return { above: n ** BigInt(keys.times), below: d ** BigInt(keys.times) };
    case 'geometric':
      return { above: g * n, below: t * d - (t - g) * n };
    case 'negative-binomial': {
      // ((d / (d - (1 - gamma) n))^shape - 1) / (gamma^-shape - 1), gamma = g / t.
      const shape = BigInt(keys.times);
      const base = d * t - (t - g) * n;
      return {
        above: ((d * t) ** shape - base ** shape) * g ** shape,
        below: base ** shape * (t ** shape - g ** shape),
      };
    }
    case 'poisson': {
      const exponent = (BigInt(keys.times) * g * (n - d) * 2n ** BigInt(bits)) / (d * t);
      return { above: expFixed(exponent, bits), below: 2n ** BigInt(bits) };
    }
    case 'binomial':
      return { above: (d * t - g * (d - n)) ** BigInt(keys.times), below: (d * t) ** BigInt(keys.times) };
  }
}

function permutations(items: readonly number[]): number[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((first) => permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]));
}

/** The masses of the best output in an order of outcomes, the worst first, and of no output at all, times 2^bits. */
function bestMasses(masses: readonly string[], order: readonly number[], law: BestOf, bits: number): bigint[] {
  const at = (sum: bigint): bigint => {
    const { above, below } = generating(law, { above: sum, below: BELOW }, bits);
    return (above << BigInt(bits)) / below;
  };
  let sum = 0n;
  const best = order.map((outcome) => {
    const before = sum;
    sum += fraction(masses[outcome]!).above;
    return at(sum) - at(before);
  });
  return [...best, at(0n)];
}

/** A share of the outcomes, the likeliest under P first. */
interface Share {
  readonly p: bigint;
  readonly q: bigint;
}

/** Outcomes are counted in parts of this. */
const WHOLE = 1n << 60n;
/** What is left between the most and what a search for it finds. */
const SEARCHED = 10n ** 9n;
const HALVINGS = 45;

/**
 * The most delta of orders in which a share of the outcomes, split at random where they must be, ranks just above what else is in a
 * larger share, and all others rank highest. Searched for, on a grid and then near its best.
 */
function mostOfBlocks(p: readonly string[], q: readonly string[], law: BestOf, bits: number) {
  const masses = p.map((mass, i) => ({ p: fraction(mass).above, q: fraction(q[i]!).above }));
  const ordered = masses
    .filter((mass) => mass.p + mass.q > 0n)
    .sort((a, b) => Number(b.p * a.q > a.p * b.q) - Number(b.p * a.q < a.p * b.q));
  const corners: Share[] = [{ p: 0n, q: 0n }];
  for (const mass of ordered) {
    const last = corners.at(-1)!;
    corners.push({ p: last.p + mass.p, q: last.q + mass.q });
  }
  const shareOf = (outcomes: bigint): Share => {
    const [a, b] = [corners[Number(outcomes / WHOLE)]!, corners[Number(outcomes / WHOLE) + 1] ?? corners.at(-1)!];
    const rest = outcomes % WHOLE;
    return { p: a.p + ((b.p - a.p) * rest) / WHOLE, q: a.q + ((b.q - a.q) * rest) / WHOLE };
  };
  const at = (sum: bigint): bigint => {
    const { above, below } = generating(law, { above: sum, below: BELOW }, bits);
    return (above << BigInt(bits)) / below;
  };
  const end = BigInt(ordered.length) * WHOLE;
  const grid = ordered.flatMap((_, i) =>
    Array.from({ length: 12 }, (__, k) => WHOLE >> BigInt(k < 4 ? k : 4 * k - 12)).flatMap((part) => [
      BigInt(i) * WHOLE + part,
      BigInt(i + 1) * WHOLE - part,
    ]),
  );
  return (factor: bigint): bigint => {
    let [most, inner, outer] = [0n, 0n, 0n];
    const attempt = (x: bigint, y: bigint): void => {
      if (x < 0n || x > y || y > end) return;
      const [s, u] = [shareOf(x), shareOf(y)];
      const own = at(u.p) - at(u.p - s.p);
      const found = own - ((factor * (at(u.q) - at(u.q - s.q))) >> BigInt(bits));
      if (found > most) [most, inner, outer] = [found, x, y];
    };
    for (const y of grid) for (const x of grid) attempt(x, y);
    for (let halving = 1; halving <= HALVINGS;) {
      const [x, y, step] = [inner, outer, WHOLE >> BigInt(halving)];
      for (const a of [-step, 0n, step]) for (const b of [-step, 0n, step]) attempt(x + a, y + b);
      if (x === inner && y === outer) halving++;
    }
    return most;
  };
}

/** The best of several runs of a pair of few outcomes, in every order of them: each is a mechanism of the class. */
export function selectionTruth(entry: Pair, law: BestOf): Truth {
  const bits = bitsFor([entry]) + 200;
  const all = permutations([...entry.p.keys()]).flatMap((order): Atoms[] => {
    const [own, other] = [entry.p, entry.q].map((masses) => bestMasses(masses, order, law, bits)) as [
      bigint[],
      bigint[],
    ];
    const list: Atom[] = own.map((p, i) => ({ p, q: other[i]! }));
    return [list, list.map(({ p, q }) => ({ p: q, q: p }))].map((atoms) => ({ list: atoms, leak: 0n }));
  });
  const deltaAt = (epsilon: Real): Interval => largest(all.map((atoms) => enumerate(atoms, bits, epsilon, Infinity)));
  const blocks = [mostOfBlocks(entry.p, entry.q, law, bits), mostOfBlocks(entry.q, entry.p, law, bits)];
  return {
    means: 'adversary',
    deltaAt,
    attainedAt(epsilon) {
      const factor = expFixed(epsilon(bits), bits);
      const { high } = deltaAt(epsilon);
      const most = blocks.map((block) => block(factor)).reduce((a, b) => (a > b ? a : b), high);
      return { low: 0n, high: most + most / SEARCHED, bits };
    },
    failure: { ...NO_FAILURE, bits },
    maximum: Infinity,
  };
}
