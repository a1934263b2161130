import { decimal } from '../mechanisms.ts';
import { allocatedTruth } from './allocated.ts';
import { allAtoms, atomsOf, bitsFor, enumeratedTruth, largest, largestTotal, type Atoms, type Way } from './atoms.ts';
import { ofDecimal, ofQuotient, type Interval, type Real } from './fixed-point.ts';
import { gameTruth } from './game.ts';
import { failureOfCopies, homogeneousTruth, withFailure } from './homogeneous.ts';
import { latticeTruth } from './lattice.ts';
import { composedMu, gaussianDelta } from './normal.ts';
import { rangesTruth } from './ranges.ts';
import { discretisedTruth, isSeveral } from './discretised.ts';
import { sampledListTruth } from './sampled-atoms.ts';
import { isNoise, oneSampleTruth } from './sampled-noise.ts';
import { selectionTruth } from './selection.ts';
import { shuffledTruth } from './shuffled.ts';
import { joined, laplaceKnots, listedKnots, responseKnots, splineDelta } from './splines.ts';
import type { CaseSpec, EntrySpec } from './specification.ts';
import { NO_FAILURE, type Truth } from './truth.ts';

type Of<T extends EntrySpec['type']> = Extract<EntrySpec, { type: T }>;

const only = <T extends EntrySpec['type']>(entries: readonly EntrySpec[], type: T): Of<T>[] =>
  entries.filter((entry): entry is Of<T> => entry.type === type);

/** More combinations than this are not listed. */
const LISTED = 20_000;
/** Copies of a mechanism on samples whose outcomes are listed. */
const MOST_LISTED = 400;

const failuresOf = (entries: readonly Of<'dp'>[]): Interval =>
  entries
    .map(({ delta = '0', count }) => failureOfCopies(count, delta))
    .reduce<Interval>((a, b) => withFailure(a, b), NO_FAILURE);

function responsesTruth(entries: readonly Of<'dp'>[]): Truth {
  const counts = new Map<string, number>();
  for (const { epsilon, count } of entries) counts.set(epsilon, count + (counts.get(epsilon) ?? 0));
  const parts = [...counts].map(([epsilon, count]) => ({ epsilon, count }));
  const failure = failuresOf(entries);
  const combinations = parts.reduce((n, { count }) => n * (count + 1), 1);
  const pure =
    parts.length === 1
      ? homogeneousTruth(parts[0]!.count, parts[0]!.epsilon)
      : combinations > LISTED
        ? latticeTruth(parts)
        : enumeratedTruth(parts.map((part) => ({ type: 'dp', ...part })));
  return { ...pure, failure, deltaAt: (epsilon) => withFailure(failure, pure.deltaAt(epsilon)) };
}

/** Laplace noise beside randomized responses and discrete Laplace noise. */
function laplaceTruth(entries: readonly EntrySpec[]): Truth {
  const maximum = largestTotal(entries);
  const knots = entries.map((entry) => {
    switch (entry.type) {
      case 'laplace':
        return laplaceKnots(decimal(entry.scale), decimal(entry.sensitivity), entry.count);
      case 'dp':
        return responseKnots(decimal(entry.epsilon), entry.count);
      case 'discrete-laplace': {
        if (entry.count !== 1) throw new Error('one discrete Laplace mechanism beside Laplace noise');
        const sensitivity = Number(entry.sensitivity);
        return listedKnots(
          Array.from({ length: sensitivity + 1 }, (_, j) => ({
            loss: ofQuotient(decimal(sensitivity - 2 * j), decimal(entry.scale)),
            p: (bits) => atomsOf(entry, 'forward', bits).list[j]!.p,
          })),
        );
      }
      case 'bounded-range':
      case 'gaussian':
      case 'gdp':
      case 'discrete-gaussian':
      case 'finite-pair':
      case 'shuffled-reports':
        throw new Error(`${entry.type} beside Laplace noise has no exact evaluation here`);
    }
  });
  const finite = splineDelta(knots.reduce(joined), maximum);
  const failure = failuresOf(only(entries, 'dp'));
  return { means: 'optimum', deltaAt: (epsilon) => withFailure(failure, finite(epsilon)), failure, maximum };
}

/** Gaussian noise beside mechanisms with few outcomes. */
function gaussianTruth(entries: readonly EntrySpec[]): Truth {
  const mu = composedMu(only(entries, 'gaussian'));
  const others = entries.filter(({ type }) => type !== 'gaussian');
  const bits = bitsFor(others);
  const ways: Way[] = others.some(({ type }) => type === 'finite-pair') ? ['forward', 'backward'] : ['forward'];
  const both = ways.map((way): { atoms: Atoms; at: (epsilon: Real) => Interval } => {
    const atoms = allAtoms(others, way, bits);
    return { atoms, at: gaussianDelta(mu, atoms.list, bits) };
  });
  const revealed = both.map(({ atoms: { list } }): Interval => {
    const value = list.reduce((sum, { p, q }) => (q === 0n ? sum + p : sum), 0n);
    return { low: value - 65536n, high: value + 65536n, bits };
  });
  return {
    means: 'optimum',
    deltaAt: (epsilon) => largest(both.map(({ at }) => at(epsilon))),
    failure: largest(revealed),
    maximum: Infinity,
  };
}

const isLopsided = (entry: EntrySpec): boolean => {
  if (entry.type !== 'finite-pair' || entry.direction === 'fixed') return false;
  const ratio = (p: readonly string[], q: readonly string[]): string =>
    p
      .map((mass, i) => `${mass}/${q[i]!}`)
      .sort()
      .join(' ');
  return ratio(entry.p, entry.q) !== ratio(entry.q, entry.p);
};

/** Mechanisms some of which are run on samples. */
function sampledTruth(entries: readonly EntrySpec[]): Truth {
  const [first] = entries;
  if (
    entries.length === 1 &&
    first?.sampling &&
    first.count === 1 &&
    isNoise(first) &&
    !isSeveral(first.sampling) &&
    first.sampling.rate[0] !== '0'
  ) {
    return oneSampleTruth(first, first.sampling);
  }
  return entries.some(isNoise) || entries.some(({ count }) => count > MOST_LISTED)
    ? discretisedTruth(entries)
    : sampledListTruth(entries);
}

/** The evaluation that a case is compared with: independent of the code under test. */
export function truthOf({ entries, adaptivity, order }: CaseSpec): Truth {
  const types = new Set(entries.map(({ type }) => type));
  const [selected] = only(entries, 'finite-pair');
  if (selected?.bestOf !== undefined) return selectionTruth(selected, selected.bestOf);
  const [shuffled] = only(entries, 'shuffled-reports');
  if (shuffled !== undefined) return shuffledTruth(shuffled);
  if (entries.some(({ sampling }) => sampling?.scheme === 'random-allocation')) return allocatedTruth(entries);
  if (entries.some(({ sampling }) => sampling)) return sampledTruth(entries);
  if (types.has('bounded-range'))
    return rangesTruth(entries, adaptivity === 'nonadaptive' ? 'nonadaptive' : (order ?? 'any'));
  if (types.size === 1 && types.has('dp')) return responsesTruth(only(entries, 'dp'));
  if (types.has('laplace')) return laplaceTruth(entries);
  if (types.has('gaussian')) return gaussianTruth(entries);
  return entries.some(isLopsided) ? gameTruth(entries) : enumeratedTruth(entries);
}

export const exactDelta = (delta: string): Real => ofDecimal(decimal(delta));
