import { decimal } from '../mechanisms.ts';
import { Precise } from '../reference/precise.ts';
import { bitsFor, combinedAtoms, enumerate, largest, largestTotal, type Atoms } from './atoms.ts';
import { expFixed, ofDecimal, oneAt, type Interval, type Real } from './fixed-point.ts';
import type { Random } from './random.ts';
import type { EntrySpec } from './specification.ts';
import { NO_FAILURE, type Truth } from './truth.ts';

type Reports = Extract<EntrySpec, { type: 'shuffled-reports' }>;

/** The probabilities of the symbols for each input, times `whole`: whole numbers. */
interface Randomizer {
  readonly rows: readonly (readonly bigint[])[];
  readonly whole: bigint;
  /** Pairs of inputs, up to the symmetries of the randomizer. */
  readonly changes: readonly (readonly [number, number])[];
}

/** k-ary response of a ratio that is e^localEpsilon to 2^-bits. */
function response(localEpsilon: string, k: number, bits: number): Randomizer {
  const ratio = expFixed(ofDecimal(decimal(localEpsilon))(bits), bits);
  const symbols = Array.from({ length: k }, (_, i) => i);
  return {
    rows: symbols.map((input) => symbols.map((symbol) => (symbol === input ? ratio : oneAt(bits)))),
    whole: ratio + BigInt(k - 1) * oneAt(bits),
    changes: [[0, 1]],
  };
}

/** The randomizer of these weights, which is to be (localEpsilon, 0)-locally private. */
function randomizer(weights: NonNullable<Reports['weights']>, localEpsilon: string, bits: number): Randomizer {
  const ratio = expFixed(ofDecimal(decimal(localEpsilon))(bits), bits);
  const rows = weights.map((row) => row.map(BigInt));
  const [whole, ...others] = rows.map((row) => row.reduce((sum, weight) => sum + weight, 0n)) as [bigint, ...bigint[]];
  const isPrivate = rows.every((one) =>
    rows.every((other) => one.every((weight, y) => weight << BigInt(bits) <= ratio * other[y]!)),
  );
  if (!isPrivate || others.some((sum) => sum !== whole)) throw new Error('no local randomizer of that epsilon');
  const changes = rows.flatMap((_, one) => rows.slice(0, one).map((__, other) => [one, other] as const));
  return { rows, whole, changes };
}

/** The law of a histogram of fewer than 10 reports, times a power of `whole`: symbols are counted by decimal digits. */
type Law = ReadonlyMap<number, bigint>;

function withReport(law: Law, row: readonly bigint[]): Law {
  const next = new Map<number, bigint>();
  for (const [counts, mass] of law) {
    row.forEach((weight, symbol) => {
      const to = counts + 10 ** symbol;
      next.set(to, (next.get(to) ?? 0n) + mass * weight);
    });
  }
  return next;
}

/** The laws of the histograms of so many users, of all multisets of inputs. */
function histograms(rows: Randomizer['rows'], users: number, law: Law = new Map([[0, 1n]])): Law[] {
  if (users === 0) return [law];
  return rows.flatMap((row, i) => histograms(rows.slice(i), users - 1, withReport(law, row)));
}

/** The pairs of all data sets that differ in one user, in both orders: exact, then rounded down to 2^-bits. */
function pairsOf({ rows, whole, changes }: Randomizer, users: number, bits: number): Atoms[] {
  const unit = whole ** BigInt(users);
  return histograms(rows, users - 1).flatMap((others) => {
    const laws = rows.map((row) => [...withReport(others, row).values()].map((mass) => (mass << BigInt(bits)) / unit));
    return changes.flatMap(([one, other]) => [
      { list: laws[one]!.map((p, i) => ({ p, q: laws[other]![i]! })), leak: 0n },
      { list: laws[other]!.map((p, i) => ({ p, q: laws[one]![i]! })), leak: 0n },
    ]);
  });
}

/** Rounds of shuffled reports of few users, each round on any data set: all of them are listed. */
export function shuffledTruth(entry: Reports): Truth {
  const { localEpsilon, users, categories, weights, isAny, count } = entry;
  const bits = bitsFor([entry]);
  const maximum = largestTotal([entry]);
  const roundsOf = (one: Randomizer): Atoms[] => {
    const pairs = pairsOf(one, users, bits);
    return count === 1
      ? pairs
      : pairs.flatMap((first, i) => pairs.slice(i).map((second) => combinedAtoms([first, second], [1, 1], bits)));
  };
  const most =
    (rounds: readonly Atoms[]) =>
    (epsilon: Real): Interval =>
      largest(rounds.map((atoms) => enumerate(atoms, bits, epsilon, maximum)));
  const own = weights ? randomizer(weights, localEpsilon, bits) : response(localEpsilon, categories, bits);
  const deltaAt = most(roundsOf(own));
  const truth = { deltaAt, failure: { ...NO_FAILURE, bits }, maximum };
  if (!isAny) return { ...truth, means: 'optimum' };
  // Of any randomizer more may be lost; lower bounds are attained by binary or ternary response.
  const attainedAt = most([2, 3].flatMap((k) => roundsOf(response(localEpsilon, k, bits))));
  return { ...truth, means: 'adversary', attainedAt };
}

/** Ratios of probabilities, and digits of a local epsilon that is their logarithm, rounded up. */
const RATIOS = [
  [101, 100],
  [11, 10],
  [3, 2],
  [2, 1],
  [3, 1],
  [5, 1],
  [8, 1],
  [40, 1],
] as const;
const DIGITS = [2, 4, 17, 40, 40];

/**
 * A local randomizer other than k-ary response. Each symbol is likelier by the whole ratio for some of the inputs, which are as often
 * among those as others once symbols of one input are added; sometimes two symbols are not told apart.
 *
 * [derived] Every randomizer on so many inputs is a post-processing of one of this kind: probabilities of a symbol that lie within the
 * ratio of each other are a sum, with positive weights, of vectors of only 1 and the ratio.
 */
export function drawRandomizer(random: Random): Pick<Reports, 'localEpsilon' | 'categories' | 'isAny'> & {
  readonly weights: NonNullable<Reports['weights']>;
} {
  const [high, low] = random.pick(RATIOS);
  const inputs = random.times(random.pick([2, 3, 3, 4]), (input) => input);
  const favoured = random.times(random.whole(1, 3), () => ({
    inputs: random.whole(1, 2 ** inputs.length - 2),
    weight: random.whole(1, 9),
  }));
  const coverage = inputs.map((input) =>
    favoured.reduce((sum, one) => sum + (one.inputs & (1 << input) ? one.weight : 0), 0),
  );
  inputs.forEach((input) => favoured.push({ inputs: 1 << input, weight: Math.max(...coverage) - coverage[input]! }));
  if (random.chance(0.3)) favoured.push({ inputs: 0, weight: random.whole(1, 9) });
  const symbols = favoured.filter(({ weight }) => weight > 0);
  const isMerged = random.chance(0.3) && symbols.length > 2;
  const weights = inputs.map((input) => {
    const row = symbols.map((one) => one.weight * (one.inputs & (1 << input) ? high : low));
    return isMerged ? [row[0]! + row[1]!, ...row.slice(2)] : row;
  });
  const exact = new Precise(high).div(low).ln();
  const localEpsilon = exact.toSignificantDigits(random.pick(DIGITS), Precise.ROUND_UP).toString();
  return { localEpsilon, categories: weights[0]!.length, isAny: true, weights };
}
