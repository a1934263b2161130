import { leastSlopeAfter, mostSlopeBefore, type Node } from './minimum.ts';
import { exactly, type Enclosure } from '../enclosure.ts';
import { exponential } from '../enclosure-arithmetic.ts';
import { nextDown, nextUp } from '../rounding.ts';

/** A value of a convex function of x, at x = e^at. */
export interface Sample extends Node {
  readonly at: number;
}

/** A place x between two neighbouring samples, with a lower bound of the function there. */
export interface Meeting {
  readonly x: number;
  readonly value: number;
}

/**
 * Between every two neighbouring samples of a convex function that decreases, where the chords beside them meet that are
 * prolonged: the function is nowhere below the lines from there to the lower ends of the two samples.
 *
 * @param steepest - no slope is less
 */
export const meetingsOf = (samples: readonly Sample[], steepest: number): Meeting[] =>
  samples.slice(1).map((right, i) => {
    const left = samples[i]!;
    const [down, up] = [
      Math.min(0, leastSlopeAfter(samples, i, steepest)),
      Math.min(0, mostSlopeBefore(samples, i + 1, 0)),
    ];
    const [low, high]: [number, number] = [left.value.lower, right.value.lower];
    const [from, to]: [number, number] = [left.x.upper, right.x.lower];
    const meeting = up > down ? (low - high - down * from + up * to) / (up - down) : NaN;
    const x = Number.isNaN(meeting) ? from + (to - from) / 2 : Math.min(to, Math.max(from, meeting));
    const falls = nextDown(low + nextDown(down * nextUp(x - left.x.lower)));
    const rises = nextDown(high - nextUp(up * Math.max(0, nextDown(to - x))));
    return { x, value: Math.max(0, Math.min(falls, rises)) };
  });

/** What is looked at again, and how. */
export interface Sampling {
  /** Encloses the function at x = e^at. */
  readonly evaluate: (at: number) => Enclosure;
  /** Where it is looked at first, ascending. */
  readonly first: readonly number[];
  readonly steepest: number;
  /** How much is to be gained between every two neighbouring samples, whose chords meet there; 0: nothing. */
  readonly gains: (samples: readonly Sample[], meetings: readonly Meeting[]) => readonly number[];
  readonly limit: number;
}

/** Places nearer to each other than this tell nothing new. */
const NEAREST = 1e-9;

/** Samples of a convex function, denser where there is more to gain. Stopping early only makes what follows from them wider. */
export function sampled({ evaluate, first, steepest, gains: gainsOf, limit }: Sampling): readonly Sample[] {
  const sampleAt = (at: number): Sample => ({ at, x: exponential(exactly(at)), value: evaluate(at) });
  let samples = first.map(sampleAt);
  const isDone = new Set<Sample>();
  for (let turn = 0; samples.length < limit; turn++) {
    const meetings = meetingsOf(samples, steepest);
    const gains = gainsOf(samples, meetings);
    const total = gains.reduce((sum, gain) => sum + gain, 0);
    if (!(total > 0)) break;
    // What is worth half of an equal share, the best of them first.
    const threshold = total / (2 * gains.length);
    const chosen = [...gains.keys()]
      .filter((i) => gains[i]! >= threshold && !isDone.has(samples[i]!))
      .sort((a, b) => gains[b]! - gains[a]!)
      .slice(0, limit - samples.length);
    if (chosen.length === 0) break;
    const added = new Map<number, Sample>();
    for (const i of chosen) {
      const [left, right] = [samples[i]!, samples[i + 1]!];
      const meeting = Math.log(meetings[i]!.x);
      const near = NEAREST * (1 + Math.abs(left.at));
      const isInside = (at: number): boolean => at - left.at > near && right.at - at > near;
      // A corner is found where the chords meet; halving keeps the search from creeping.
      const middle = left.at + (right.at - left.at) / 2;
      const at = turn % 2 === 0 && isInside(meeting) ? meeting : middle;
      if (isInside(at)) added.set(i, sampleAt(at));
      else isDone.add(left);
    }
    samples = samples.flatMap((sample, i) => {
      const next = added.get(i);
      return next === undefined ? [sample] : [sample, next];
    });
  }
  return samples;
}
