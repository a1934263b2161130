import { decimal } from '../mechanisms.ts';
import { bitsFor, combinedAtoms, enumerate, largest, largestTotal, type Atom, type Atoms } from './atoms.ts';
import { expFixed, ofDecimal, oneAt } from './fixed-point.ts';
import type { EntrySpec } from './specification.ts';
import { NO_FAILURE, type Truth } from './truth.ts';

type Reports = Extract<EntrySpec, { type: 'shuffled-reports' }>;

/** All lists of `size` values of `k` that ascend. */
function ascendingLists(size: number, k: number, from = 0): number[][] {
  if (size === 0) return [[]];
  const firsts = Array.from({ length: k - from }, (_, i) => from + i);
  return firsts.flatMap((first) => ascendingLists(size - 1, k, first).map((rest) => [first, ...rest]));
}

/** The histogram of the responses of users with these values, times 2^bits. */
function histogram(
  values: readonly number[],
  k: number,
  own: bigint,
  other: bigint,
  bits: number,
): Map<string, bigint> {
  let law = new Map([[Array<number>(k).fill(0).join(), oneAt(bits)]]);
  for (const value of values) {
    const next = new Map<string, bigint>();
    for (const [key, mass] of law) {
      for (let y = 0; y < k; y++) {
        const to = key
          .split(',')
          .map((count, symbol) => Number(count) + (symbol === y ? 1 : 0))
          .join();
        next.set(to, (next.get(to) ?? 0n) + ((mass * (y === value ? own : other)) >> BigInt(bits)));
      }
    }
    law = next;
  }
  return law;
}

/** The pairs of all data sets whose first user has the first value, or the second, and the same exchanged. */
function pairsOf({ localEpsilon, users, categories }: Reports, bits: number): Atoms[] {
  const ratio = expFixed(ofDecimal(decimal(localEpsilon))(bits), bits);
  const whole = ratio + BigInt(categories - 1) * oneAt(bits);
  const [own, other] = [(ratio << BigInt(bits)) / whole, (oneAt(bits) << BigInt(bits)) / whole];
  return ascendingLists(users - 1, categories).flatMap((others) => {
    const [one, two] = [0, 1].map((value) => histogram([...others, value], categories, own, other, bits)) as [
      Map<string, bigint>,
      Map<string, bigint>,
    ];
    const list: Atom[] = [...one].map(([key, p]) => ({ p, q: two.get(key) ?? 0n }));
    return [list, list.map(({ p, q }) => ({ p: q, q: p }))].map((atoms) => ({ list: atoms, leak: 0n }));
  });
}

/** Rounds of k-ary response of few users, each round on any data set: all of them are listed. */
export function shuffledTruth(entry: Reports): Truth {
  const bits = bitsFor([entry]);
  const maximum = largestTotal([entry]);
  const pairs = pairsOf(entry, bits);
  const rounds =
    entry.count === 1
      ? pairs
      : pairs.flatMap((first, i) => pairs.slice(i).map((second) => combinedAtoms([first, second], [1, 1], bits)));
  return {
    // Of any randomizer, more may be lost.
    means: entry.isAny ? 'adversary' : 'optimum',
    deltaAt: (epsilon) => largest(rounds.map((atoms) => enumerate(atoms, bits, epsilon, maximum))),
    failure: { ...NO_FAILURE, bits },
    maximum,
  };
}
