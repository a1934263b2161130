import type { Order } from '../../src/privacy/curve.ts';
import { decimal } from '../mechanisms.ts';
import { playedTruth } from './adaptive.ts';
import { allAtoms, bitsFor, enumerate, largest, largestTotal } from './atoms.ts';
import { boundedRangeAt } from './bounded-range.ts';
import { ofDecimal, type Interval } from './fixed-point.ts';
import type { EntrySpec } from './specification.ts';
import { NO_FAILURE, type Truth } from './truth.ts';

/** More outcomes of all mechanisms together are not listed. */
const LISTED = 40_000;

/** RR(e, e/2) = RR(e/2) for bounded range of any kind, everything else as it is: a legal adversary fixed in advance. */
function fixedHalves(entries: readonly EntrySpec[]): Truth {
  const bits = bitsFor(entries);
  const legal = entries.map((entry): EntrySpec =>
    entry.type === 'bounded-range'
      ? { type: 'dp', epsilon: decimal(entry.epsilon).div(2).toString(), count: entry.count }
      : entry,
  );
  const combinations = legal.reduce((n, { count }) => n * (count + 1), 1);
  if (combinations > LISTED) throw new Error('too many outcomes to list');
  const atoms = allAtoms(legal, 'forward', bits);
  return {
    means: 'adversary',
    deltaAt: (epsilon) => enumerate(atoms, bits, epsilon, largestTotal(legal)),
    failure: NO_FAILURE,
    maximum: largestTotal(entries),
  };
}

/** The larger of two intervals of any precision. */
function larger(a: Interval, b: Interval): Interval {
  const bits = Math.max(a.bits, b.bits);
  const at = (x: Interval): Interval => ({
    low: x.low << BigInt(bits - x.bits),
    high: x.high << BigInt(bits - x.bits),
    bits,
  });
  return largest([at(a), at(b)]);
}

/** Compositions with bounded-range mechanisms: equal ones fixed in advance exactly, others by the best of adversaries. */
export function rangesTruth(entries: readonly EntrySpec[], setting: Order | 'nonadaptive'): Truth {
  const [first] = entries;
  const steps = entries.reduce((sum, { count }) => sum + count, 0);
  const equal =
    first?.type === 'bounded-range' &&
    entries.every(
      (entry) => entry.type === 'bounded-range' && entry.epsilon === first.epsilon && entry.kind === undefined,
    );
  if (!equal) return playedTruth(entries, setting) ?? fixedHalves(entries);
  const e = ofDecimal(decimal(first.epsilon));
  const fixed: Truth = {
    means: setting !== 'nonadaptive' && steps > 1 ? 'adversary' : 'optimum',
    deltaAt: (epsilon) => boundedRangeAt(steps, e, epsilon),
    failure: NO_FAILURE,
    maximum: steps * Number(first.epsilon),
  };
  const played = setting === 'nonadaptive' || steps === 1 ? null : playedTruth(entries, setting);
  return played ? { ...played, deltaAt: (epsilon) => larger(fixed.deltaAt(epsilon), played.deltaAt(epsilon)) } : fixed;
}
