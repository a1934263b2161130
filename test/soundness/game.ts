import { atomsOf, bitsFor, largest, largestTotal, type Atom, type Way } from './atoms.ts';
import { expFixed, multiplied, oneAt, type Interval } from './fixed-point.ts';
import type { EntrySpec } from './specification.ts';
import type { Truth } from './truth.ts';

/** What the adversary may choose from at one step, each choice a pair of distributions. */
type Alternatives = readonly (readonly Atom[])[];

/** The best of an adversary that plays the steps in order and chooses by what came out before. */
export function bestGain(
  steps: readonly Alternatives[],
  y: bigint,
  bits: number,
  step: number,
  p: bigint,
  q: bigint,
): bigint {
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
export function mostRevealed(steps: readonly Alternatives[], bits: number): bigint {
  const one = oneAt(bits);
  return steps.reduce((kept, choice) => {
    const hidden = choice.map((atoms) => atoms.reduce((sum, { p, q }) => (q === 0n ? sum : sum + p), 0n));
    const least = hidden.reduce((a, b) => (a < b ? a : b));
    // Revealed at once, or later with what is left; the choices do not interact.
    return kept + multiplied(one - kept, one - least, bits);
  }, 0n);
}

const WAYS: readonly Way[] = ['forward', 'backward'];

function alternatives(entry: EntrySpec, fixedWay: Way, bits: number): Alternatives {
  const ways = entry.type === 'finite-pair' && entry.direction === 'either' ? WAYS : [fixedWay];
  return ways.map((way) => atomsOf(entry, way, bits).list);
}

/** The best of adversaries that choose the neighbours' order (`either`) along the way. */
export function gameTruth(entries: readonly EntrySpec[]): Truth {
  const bits = bitsFor(entries);
  const one = oneAt(bits);
  const games = WAYS.map((way) =>
    entries.flatMap((entry) => {
      const choice = alternatives(entry, way, bits);
      return Array.from({ length: entry.count }, () => choice);
    }),
  );
  const leaves = games[0]!.reduce((n, choice) => n * choice.reduce((sum, { length }) => sum + length, 0), 1);
  const maximum = largestTotal(entries);
  return {
    means: 'assignments',
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
