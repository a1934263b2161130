import {
  atomsOf,
  bitsFor,
  combinedAtoms,
  enumerate,
  largest,
  largestTotal,
  revealed,
  type Atom,
  type Way,
} from './atoms.ts';
import { decimal } from '../mechanisms.ts';
import { approximately, expFixed, ofDecimal, oneAt, type Interval } from './fixed-point.ts';
import { bestGain, mostRevealed } from './game.ts';
import type { EntrySpec, Sampling } from './specification.ts';
import type { Truth } from './truth.ts';

/** Of one record: it is removed, or added. */
export type Change = 'remove' | 'add';
export const CHANGES: readonly Change[] = ['remove', 'add'];

/** rate x + (1 - rate) y. */
const mixed = ({ rate }: Sampling, x: bigint, y: bigint): bigint => {
  const [drawn, of] = rate.map(BigInt) as [bigint, bigint];
  return (drawn * x + (of - drawn) * y) / of;
};

/**
 * What a mechanism of these outcomes has on a sample; P of the data with the record.
 *
 * Without replacement the divergence is at most that of (rate P + (1 - rate) Q, Q) at y >= 1 and that of (P, (1 - rate) P +
 * rate Q) below (Zhu, Dong, Wang 2022, Theorem 11 (2)): from the first the outcomes likelier on the left, from the second
 * those likelier on the right, and one as likely on both with what is left.
 */
export function sampledAtoms(base: readonly Atom[], sampling: Sampling, change: Change, bits: number): Atom[] {
  if (sampling.scheme === 'poisson') {
    return base.map(({ p, q }) => {
      const drawn = mixed(sampling, p, q);
      return change === 'remove' ? { p: drawn, q } : { p: q, q: drawn };
    });
  }
  const above = base.map(({ p, q }) => ({ p: mixed(sampling, p, q), q })).filter(({ p, q }) => p > q);
  const below = base.map(({ p, q }) => ({ p, q: mixed(sampling, q, p) })).filter(({ p, q }) => p < q);
  const rest = [...above, ...below].reduce((left, { p }) => left - p, oneAt(bits));
  return [...above, { p: rest, q: rest }, ...below];
}

/** Whether a pair may stand in either order, mechanism by mechanism: by its declaration. */
const isFree = (entry: EntrySpec): boolean => {
  if (entry.type !== 'finite-pair' || entry.direction === 'fixed') return false;
  const ratios = (p: readonly string[], q: readonly string[]): string =>
    p
      .map((mass, i) => `${mass}/${q[i]!}`)
      .sort()
      .join(' ');
  return ratios(entry.p, entry.q) !== ratios(entry.q, entry.p);
};

/** The outcomes of a mechanism; those that Q alone gives count on a sample, where P gives them too. */
export function outcomes(entry: EntrySpec, way: Way, change: Change, bits: number): readonly Atom[] {
  const { list } = atomsOf(entry, way, bits);
  if (!entry.sampling) return list;
  const fail = entry.type === 'dp' ? ofDecimal(decimal(entry.delta ?? 0))(bits) : 0n;
  const all = fail > 0n ? [...list, { p: 0n, q: fail }] : list;
  return sampledAtoms(all, entry.sampling, change, bits);
}

/** A change of the data, and in which order pairs that are not sampled stand where they stand in one. */
interface Setting {
  readonly change: Change;
  readonly way: Way;
}

const isInOneOrder = (entry: EntrySpec): boolean =>
  entry.type === 'finite-pair' && entry.direction === 'fixed' && !entry.sampling;

const settingsOf = (entries: readonly EntrySpec[]): Setting[] => {
  const ways: readonly Way[] = entries.some(isInOneOrder) ? ['forward', 'backward'] : ['forward'];
  return CHANGES.flatMap((change) => ways.map((way) => ({ change, way })));
};

/** The order in which a pair that is not free stands. */
const wayIn = (entry: EntrySpec, { way }: Setting): Way => (isInOneOrder(entry) ? way : 'forward');

/** About the largest finite loss of mechanisms of which none is free. */
function largestLoss(entries: readonly EntrySpec[], bits: number): number {
  const of = (setting: Setting): number =>
    entries.reduce((sum, entry) => {
      const losses = outcomes(entry, wayIn(entry, setting), setting.change, bits).flatMap(({ p, q }) =>
        p > 0n && q > 0n ? [Math.log1p(approximately(((p - q) << BigInt(bits)) / q, bits))] : [],
      );
      return sum + entry.count * Math.max(0, ...losses);
    }, 0);
  return Math.max(...settingsOf(entries).map(of));
}

/** Mechanisms with few outcomes, some of them on samples, by all their combinations. */
export function sampledListTruth(entries: readonly EntrySpec[]): Truth {
  const bits = bitsFor(entries);
  if (entries.some(isFree)) return freeTruth(entries, bits);
  const lists = settingsOf(entries).map((setting) =>
    combinedAtoms(
      entries.map((entry) => {
        const way = wayIn(entry, setting);
        return { ...atomsOf(entry, way, bits), list: outcomes(entry, way, setting.change, bits) };
      }),
      entries.map(({ count }) => count),
      bits,
    ),
  );
  const maximum = largestLoss(entries, bits);
  return {
    means: 'optimum',
    deltaAt: (epsilon) => largest(lists.map((list) => enumerate(list, bits, epsilon, maximum))),
    failure: largest(lists.map((list) => revealed(list, bits))),
    maximum,
  };
}

/** Adversaries who choose the order of free pairs along the way; the claim may be above what they reach. */
function freeTruth(entries: readonly EntrySpec[], bits: number): Truth {
  const one = oneAt(bits);
  const games = settingsOf(entries).map((setting) =>
    entries.flatMap((entry) => {
      const ways: readonly Way[] = isFree(entry) ? ['forward', 'backward'] : [wayIn(entry, setting)];
      const choice = ways.map((way) => outcomes(entry, way, setting.change, bits));
      return Array.from({ length: entry.count }, () => choice);
    }),
  );
  const leaves = games[0]!.reduce((n, choice) => n * choice.reduce((sum, { length }) => sum + length, 0), 1);
  return {
    means: 'adversary',
    deltaAt(epsilon) {
      const y = expFixed(epsilon(bits), bits);
      const error = BigInt(leaves) * 64n * (1n + (y >> BigInt(bits)));
      return largest(
        games.map((game): Interval => {
          const value = bestGain(game, y, bits, 0, one, one);
          return { low: value - error, high: value + error, bits };
        }),
      );
    },
    failure: largest(
      games.map((game): Interval => {
        const value = mostRevealed(game, bits);
        return { low: value - 65536n, high: value + 65536n, bits };
      }),
    ),
    maximum: largestTotal(entries),
  };
}
