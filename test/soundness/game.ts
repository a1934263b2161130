import { decimal } from '../mechanisms.ts';
import {
  allAtoms,
  atomsOf,
  bitsFor,
  enumerate,
  largest,
  largestTotal,
  responseAtoms,
  type Atom,
  type Way,
} from './atoms.ts';
import { boundedRangeAt } from './bounded-range.ts';
import { expFixed, multiplied, ofDecimal, oneAt, times, type Interval, type Real } from './fixed-point.ts';
import type { EntrySpec } from './specification.ts';
import { NO_FAILURE, type Truth } from './truth.ts';

/** What the adversary may choose from at one step, each choice a pair of distributions. */
type Alternatives = readonly (readonly Atom[])[];

/** The best of an adversary that plays the steps in order and chooses by what came out before. */
function bestGain(steps: readonly Alternatives[], y: bigint, bits: number, step: number, p: bigint, q: bigint): bigint {
  if (step === steps.length) {
    const gain = p - multiplied(y, q, bits);
    return gain > 0n ? gain : 0n;
  }
  let best = 0n;
  for (const atoms of steps[step]!) {
    let sum = 0n;
    for (const atom of atoms) {
      const weight = multiplied(p, atom.p, bits);
      // Under Q alone nothing is gained.
      if (weight > 0n) sum += bestGain(steps, y, bits, step + 1, weight, multiplied(q, atom.q, bits));
    }
    if (sum > best) best = sum;
  }
  return best;
}

/** The largest probability of an outcome that only P gives. */
function mostRevealed(steps: readonly Alternatives[], bits: number): bigint {
  const one = oneAt(bits);
  return steps.reduce((kept, choice) => {
    const hidden = choice.map((atoms) => atoms.reduce((sum, { p, q }) => (q === 0n ? sum : sum + p), 0n));
    const least = hidden.reduce((a, b) => (a < b ? a : b));
    // Revealed at once, or later with what is left; the choices do not interact.
    return kept + multiplied(one - kept, one - least, bits);
  }, 0n);
}

/** RR(e, t), t = share e: loss t with probability (1 - e^(t-e)) / (1 - e^-e), else t - e. */
function boundedRangeAtoms(e: Real, share: number, bits: number): Atom[] {
  const one = oneAt(bits);
  const top = expFixed(times(e, -BigInt(8 - share), 8n)(bits), bits);
  const whole = one - expFixed(-e(bits), bits);
  const bottom = expFixed(times(e, -BigInt(share), 8n)(bits), bits);
  const high = ((one - top) << BigInt(bits)) / whole;
  const highOther = multiplied(high, bottom, bits);
  return [
    { p: high, q: highOther },
    { p: one - high, q: one - highOther },
  ];
}

const WAYS: readonly Way[] = ['forward', 'backward'];

/** Eighths of e at which the adversary may place t: more for fewer steps. */
const shares = (steps: number): readonly number[] =>
  steps <= 2 ? [1, 2, 3, 4, 5, 6, 7] : steps <= 3 ? [3, 4, 5] : [4, 5];

function alternatives(entry: EntrySpec, fixedWay: Way, steps: number, bits: number): Alternatives {
  if (entry.type === 'bounded-range') {
    const e = ofDecimal(decimal(entry.epsilon));
    if (entry.kind !== undefined && entry.kind !== 'noninteractive') return [responseAtoms(e, () => 0n, bits)];
    return shares(steps).map((share) => boundedRangeAtoms(e, share, bits));
  }
  const ways = entry.type === 'finite-pair' && entry.direction === 'either' ? WAYS : [fixedWay];
  return ways.map((way) => atomsOf(entry, way, bits).list);
}

/** The best of adversaries that choose the neighbours' order (`either`) or t (bounded range) along the way. */
export function gameTruth(entries: readonly EntrySpec[], means: 'adversary' | 'assignments'): Truth {
  const bits = bitsFor(entries);
  const one = oneAt(bits);
  const steps = entries.reduce((sum, { count }) => sum + count, 0);
  const games = WAYS.map((way) =>
    entries.flatMap((entry) => {
      const choice = alternatives(entry, way, steps, bits);
      return Array.from({ length: entry.count }, () => choice);
    }),
  );
  const leaves = games[0]!.reduce((n, choice) => n * choice.reduce((sum, { length }) => sum + length, 0), 1);
  const maximum = largestTotal(entries);
  return {
    means,
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
    maximum,
  };
}

/** Equal bounded-range mechanisms: the nonadaptive optimum, and where it is adaptive the better of it and a game. */
export function boundedRangeTruth(entries: readonly EntrySpec[], adaptive: boolean): Truth {
  const [first] = entries;
  const steps = entries.reduce((sum, { count }) => sum + count, 0);
  const equal =
    first?.type === 'bounded-range' &&
    entries.every(
      (entry) => entry.type === 'bounded-range' && entry.epsilon === first.epsilon && entry.kind === undefined,
    );
  if (!equal) return steps <= 5 ? gameTruth(entries, 'adversary') : fixedHalves(entries);
  const e = ofDecimal(decimal(first.epsilon));
  const optimum: Truth = {
    means: adaptive && steps > 1 ? 'adversary' : 'optimum',
    deltaAt: (epsilon) => boundedRangeAt(steps, e, epsilon),
    failure: NO_FAILURE,
    maximum: steps * Number(first.epsilon),
  };
  if (!adaptive || steps > 4 || steps === 1) return optimum;
  const game = gameTruth(entries, 'adversary');
  return {
    ...optimum,
    deltaAt(epsilon) {
      const [a, b] = [optimum.deltaAt(epsilon), game.deltaAt(epsilon)];
      const bits = Math.max(a.bits, b.bits);
      const at = (x: Interval): Interval => ({
        low: x.low << BigInt(bits - x.bits),
        high: x.high << BigInt(bits - x.bits),
        bits,
      });
      return largest([at(a), at(b)]);
    },
  };
}

/** RR(e, e/2) = RR(e/2) for bounded range, everything else as it is: a legal adversary fixed in advance. */
function fixedHalves(entries: readonly EntrySpec[]): Truth {
  const bits = bitsFor(entries);
  const legal = entries.map((entry): EntrySpec =>
    entry.type === 'bounded-range' && entry.kind === undefined
      ? { type: 'dp', epsilon: decimal(entry.epsilon).div(2).toString(), count: entry.count }
      : entry.type === 'bounded-range'
        ? { type: 'dp', epsilon: entry.epsilon, count: entry.count }
        : entry,
  );
  const atoms = allAtoms(legal, 'forward', bits);
  const maximum = largestTotal(legal);
  return {
    means: 'adversary',
    deltaAt: (epsilon) => enumerate(atoms, bits, epsilon, maximum),
    failure: NO_FAILURE,
    maximum,
  };
}
