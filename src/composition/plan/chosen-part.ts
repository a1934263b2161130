import type { BoundId } from '../../bounds/core/bound.ts';
import { failureOf } from '../../bounds/core/entries.ts';
import { Kept } from '../../bounds/core/session.ts';
import { largestLoss } from '../../bounds/renyi/renyi.ts';
import { Decimal, toUpper } from '../../numeric/decimal.ts';
import { smallestWhole } from '../../numeric/bracket-root.ts';
import { isSymmetric } from '../../privacy/finite-pair.ts';
import type { Entry, FinitePairMechanism } from '../../privacy/mechanism.ts';
import { withKey } from '../../privacy/mechanism-key.ts';
import type { Query } from '../../privacy/curve.ts';
import { answererOf, type Answerer, type ComposeOptions } from '../entries/compose-entries.ts';
import { once } from '../core/collections.ts';
import { costKey } from './cost.ts';
import { pairAbove, pairBelow, type ProfilePoint } from './dominating-pair.ts';
import type { Chooser } from './resolved-node.ts';

type Choices = readonly (readonly Entry[])[];

/** How far, in epsilon, a polygon may be from the profile: relative to the largest loss that is looked at. */
const SHIFT = 2e-5;
/** Points to begin with, and at most. */
const FIRST_POINTS = 65;
const MOST_POINTS = 1500;
/** Values of profiles that are computed at most: those of equal pure mechanisms or Gaussian noise, and others. */
const MOST_VALUES = { quick: 5000, slow: 300 };
/** How wide, relatively, a value of a profile may be that takes a lattice. */
const ROUGH = 1e-3;
/** A delta that no longer matters, relative to what is asked. */
const NEGLIGIBLE = 1e-9;
/** Losses beyond this are not looked at one by one. */
const LARGEST = 600;
/** The same limit in tenths, to a power of 2. */
const MOST_TENTHS = 8192;
/** The same limit for the losses of many equal mechanisms. */
const MOST_KINKS = 200;
/** The most that rounding adds to a distance, relatively and in all. */
const ROUNDING = 1 + 1e-9;
const SMALLEST = 1e-12;

/** Whether the profile of a list is a sum of a few terms: that of equal pure mechanisms, or of Gaussian noise. */
const isQuick = (entries: readonly Entry[]): boolean =>
  new Set(entries.map(({ mechanism }) => (mechanism.type === 'dp' ? mechanism.epsilon.toString() : mechanism.type)))
    .size === 1 && entries.every(({ mechanism }) => ['dp', 'gaussian', 'gdp'].includes(mechanism.type));

/** The bound that is exact for a list of mechanisms; null where none is known to be. */
function exactBounds(entries: readonly Entry[]): readonly BoundId[] | null {
  const types = new Set(entries.map(({ mechanism }) => mechanism.type));
  const only = (...some: Entry['mechanism']['type'][]): boolean => [...types].every((type) => some.includes(type));
  if (only('dp')) return ['dp-optimal'];
  if (entries.some(({ kind }) => kind !== 'noninteractive') || types.has('zcdp') || types.has('rdp')) return null;
  if (only('gaussian', 'gdp')) return ['gaussian'];
  if (only('bounded-range')) return ['br-adaptive'];
  return types.has('bounded-range') ? ['mixed'] : ['loss-distribution'];
}

/** The largest of the profiles of several lists of mechanisms; null where a list is not covered. */
class LargestProfile {
  readonly #answerers: readonly Answerer[];

  constructor(choices: Choices, options: ComposeOptions) {
    this.#answerers = choices.map((entries) => {
      const bounds = exactBounds(entries);
      const work = isQuick(entries) ? options : { ...options, tolerance: options.tolerance ?? ROUGH };
      return answererOf({ entries, adaptivity: 'adaptive' }, bounds === null ? work : { ...work, bounds });
    });
  }

  at(epsilon: number): ProfilePoint | null {
    let [lower, upper] = [0, 0];
    for (const answer of this.#answerers) {
      const outcome = answer({ solveFor: 'delta', epsilon: new Decimal(epsilon) });
      if (outcome.kind === 'refusal') return null;
      const { delta } = outcome.answer;
      lower = Math.max(lower, delta.lower ?? 0);
      upper = Math.max(upper, delta.upper);
    }
    return { epsilon, lower: Math.max(lower, -Math.expm1(epsilon) * (1 - 1e-15)), upper: Math.min(1, upper) };
  }
}

/** Delta beyond which nothing is asked of a profile. */
function negligible(query: Query, profile: LargestProfile): number {
  if (query.solveFor === 'epsilon') return query.delta.toNumber() * NEGLIGIBLE;
  return (profile.at(Math.max(0, query.epsilon.toNumber()))?.lower ?? 0) * NEGLIGIBLE;
}

/** The smallest whole number of tenths at which delta is negligible; null where it is nowhere. */
function reach(profile: LargestProfile, enough: number): number | null {
  const suffices = (tenths: number): boolean => (profile.at(tenths / 10)?.upper ?? Infinity) <= enough;
  const tenths = smallestWhole(suffices, MOST_TENTHS);
  return tenths === Infinity ? null : tenths / 10;
}

/**
 * How far to the left, in epsilon, the chord of lower ends over a cell has to be moved to be below the profile: at most the
 * width of the cell, as delta falls; else the gap to where the extended chords of the cells beside it meet, below which a
 * convex curve does not go, over the fall of the next chord.
 */
function distanceOf(
  before: ProfilePoint,
  from: ProfilePoint,
  to: ProfilePoint,
  after: ProfilePoint | undefined,
): number {
  const width = to.epsilon - from.epsilon;
  if (after === undefined) return width;
  const z = Math.exp(width);
  const [x, w] = [Math.exp(before.epsilon - from.epsilon), Math.exp(after.epsilon - from.epsilon)];
  const left = (from.lower - before.upper) / (1 - x);
  const right = (after.upper - to.lower) / (w - z);
  const chord = (to.lower - from.lower) / (z - 1);
  const meet = (to.lower - right * z - from.lower + left) / (left - right);
  const gap = meet > 1 && meet < z ? (chord - left) * (meet - 1) : 0;
  const distance = (Math.max(0, gap) * ROUNDING) / -right + SMALLEST;
  return right < 0 && distance < Math.min(width, after.epsilon - to.epsilon) ? distance : width;
}

/** Of a curve before the first point. */
const ORIGIN: ProfilePoint = { epsilon: -Infinity, lower: 1, upper: 1 };

/** Points so close that their chords are near the profile, and how far it is from them at most, in epsilon. */
interface Sampled {
  readonly points: readonly ProfilePoint[];
  readonly shift: number;
}

/** Adds points where chords are farthest from the profile; null where it is not known there. */
function refined(
  first: readonly ProfilePoint[],
  profile: LargestProfile,
  limit: number,
  { exhausted }: ComposeOptions,
): Sampled | null {
  const points = [...first];
  const own = (index: number): number =>
    distanceOf(points[index - 1] ?? ORIGIN, points[index]!, points[index + 1]!, points[index + 2]);
  const distances = points.slice(1).map((_, index) => own(index));
  const enough = SHIFT * points.at(-1)!.epsilon;
  for (;;) {
    const farthest = distances.reduce((widest, distance, index) => (distance > distances[widest]! ? index : widest), 0);
    const shift = distances[farthest]!;
    if (shift <= enough || points.length >= limit || exhausted?.() === true) return { points, shift };
    const point = profile.at((points[farthest]!.epsilon + points[farthest + 1]!.epsilon) / 2);
    if (point === null) return null;
    points.splice(farthest + 1, 0, point);
    distances.splice(farthest, 0, 0);
    for (let index = Math.max(0, farthest - 2); index < Math.min(distances.length, farthest + 3); index++) {
      distances[index] = own(index);
    }
  }
}

/** Losses that equal pure mechanisms add up to, where the curve has its kinks. */
const kinksOf = (entries: readonly Entry[]): number[] => {
  const [entry, ...others] = entries;
  if (entry?.mechanism.type !== 'dp' || others.length > 0 || entry.count > MOST_KINKS) return [];
  const epsilon = entry.mechanism.epsilon.toNumber();
  return Array.from({ length: entry.count + 1 }, (_, i) => (entry.count - 2 * i) * epsilon);
};

/** One mechanism above all choices, or below one that they leave open, by the points of one sample. */
type Polygons = (side: 'above' | 'below') => Entry;

/** What a sample came to; absent while none was completed. */
interface Sampling {
  polygons?: Polygons;
}

/** Samples depend on the choices, on the last epsilon and on the effort; of the query only that epsilon does. */
const SAMPLINGS = new Kept<Sampling>(16);

const keyOf = (choices: Choices): string => choices.map((differing) => costKey({ differing, created: [] })).join(' | ');

function polygonsOf(choices: Choices, query: Query, options: ComposeOptions): Polygons | null {
  const profile = new LargestProfile(choices, options);
  const losses = choices.map((entries) => largestLoss(entries));
  const largest = losses.includes(null) ? null : Math.max(...losses.map((loss) => toUpper(loss!)));
  const bounded = largest !== null && largest <= LARGEST;
  const end = bounded ? largest : reach(profile, negligible(query, profile));
  if (end === null || !(end > 0)) return null;
  const { session, tolerance, quick, sparing, exhausted } = options;
  const key = `${String(tolerance)} ${String(quick)} ${String(sparing)} ${String(end)}: ${keyOf(choices)}`;
  const sampling: Sampling = session?.get(SAMPLINGS, key, () => ({})) ?? {};
  if (sampling.polygons !== undefined) return sampling.polygons;
  const samples = sample(choices, profile, end, bounded, options);
  if (samples === null) return null;
  const polygons = once((side: 'above' | 'below'): Entry =>
    asEntry(side === 'above' ? pairAbove(samples.points) : pairBelow(samples.points, samples.shift)),
  );
  // What time cut short is not what another question would find.
  if (exhausted?.() !== true) sampling.polygons = polygons;
  return polygons;
}

function sample(
  choices: Choices,
  profile: LargestProfile,
  end: number,
  bounded: boolean,
  options: ComposeOptions,
): Sampled | null {
  const even = Array.from({ length: FIRST_POINTS }, (_, i) => end * ((2 * i) / (FIRST_POINTS - 1) - 1));
  const inside = choices.flatMap((entries) => kinksOf(entries)).filter((x) => Math.abs(x) < end * (1 - 1e-9));
  const epsilons = [...new Set([...even, ...inside])].sort((a, b) => a - b);
  const points = epsilons.map((epsilon) => profile.at(epsilon));
  if (points.includes(null)) return null;
  const profilePoints = points as ProfilePoint[];
  // All that any larger epsilon leaves.
  const last = profilePoints.at(-1)!;
  const failure = bounded ? Math.max(...choices.map((entries) => Number(failureOf(entries).lower))) : 0;
  profilePoints[profilePoints.length - 1] = { ...last, lower: Math.min(last.lower, failure) };
  const values = choices.every(isQuick) ? MOST_VALUES.quick : MOST_VALUES.slow;
  return refined(profilePoints, profile, Math.min(MOST_POINTS, values / choices.length), options);
}

const asEntry = (mechanism: FinitePairMechanism): Entry => ({
  mechanism: withKey(mechanism),
  count: 1,
  kind: 'noninteractive',
  label: null,
});

/** Neighbours of one order only have a curve of their own for each: which of the two is larger cannot be chosen adaptively. */
const isOneWay = ({ mechanism }: Entry): boolean =>
  mechanism.type === 'finite-pair' && mechanism.direction === 'fixed' && !isSymmetric(mechanism);

/** One mechanism for a part of which it is decided adaptively what it runs. */
export interface ChosenPart {
  /** Dominates every choice, whenever it is made. */
  readonly above: Chooser;
  /** Is dominated by a choice by what was answered before. */
  readonly below: Chooser;
  /**
   * Whether what `below` gave in these mechanisms can be decided after everything else was answered: it is one mechanism,
   * given once, and nothing else waits for answers, as bounded range does for its t.
   */
  readonly isLast: (entries: readonly Entry[]) => boolean;
}

/**
 * Chosen parts for a query: each samples the largest of the profiles of the choices, and remembers what it sampled.
 *
 * [derived] An adversary who decides adaptively which of several compositions is run reaches at most E[max_i delta_i(eps - L)], L
 * the losses of all others: by induction on what is left to play, as any other mechanism may be played first (sup E <= E
 * sup); and just that where all others are single pairs, by choosing last. max_i delta_i is convex in e^eps as each is, so it
 * is the curve of one pair, and the choice composes as that pair does.
 */
export function chosenPart(query: Query, options: ComposeOptions): ChosenPart {
  const belowMechanisms: Entry['mechanism'][] = [];
  const { bounds: named, ...all } = options;
  const cache = new Map<string, Polygons | null>();
  const polygons = (choices: Choices): Polygons | null => {
    const key = keyOf(choices);
    const before = cache.get(key);
    if (before !== undefined) return before;
    const result = polygonsOf(choices, query, named === undefined ? options : all);
    cache.set(key, result);
    return result;
  };
  return {
    above: (choices) => polygons(choices)?.('above') ?? null,
    below(choices) {
      if (choices.some((entries) => entries.some(isOneWay))) return null;
      const entry = polygons(choices)?.('below') ?? null;
      if (entry !== null) belowMechanisms.push(entry.mechanism);
      return entry;
    },
    isLast(entries) {
      const own = entries.filter(({ mechanism }) => belowMechanisms.includes(mechanism));
      const waits = entries.some(({ mechanism }) => mechanism.type === 'bounded-range' && !mechanism.epsilon.isZero());
      return belowMechanisms.length === 1 && own.length === 1 && own[0]!.count === 1 && !waits;
    },
  };
}
