import { decimal } from '../mechanisms.ts';
import { bitsFor, enumerate, largest, type Atom, type Atoms } from './atoms.ts';
import { expFixed } from './fixed-point.ts';
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
  return {
    means: 'adversary',
    deltaAt: (epsilon) => largest(all.map((atoms) => enumerate(atoms, bits, epsilon, Infinity))),
    failure: { ...NO_FAILURE, bits },
    maximum: Infinity,
  };
}
