import type { Decimal } from '../../numeric/decimal.ts';
import { bit, Xoshiro } from '../../numeric/random.ts';
import { Rational } from '../../numeric/rational.ts';
import { Identifier } from './interaction/identifier.ts';
import { converse } from './interaction/interactive.ts';
import { Verifier } from './interaction/verifier.ts';
import { Announcement, dataThenMessages, NumberAdversary } from './announcement.ts';
import { rateOf, type Rate } from './rate.ts';
import type { Repetition } from './simulate-gates.ts';

/** How often an adversary learns the secret bit. */
export interface Learned {
  readonly exact: Rational;
  /** Null without a simulation. */
  readonly simulated: Rate | null;
}

export interface ObliviousAttack {
  /** The guarantee of the mechanism against adversaries who fix their messages in advance. */
  readonly delta: Decimal;
  /** How many numbers may be announced. */
  readonly many: number;
  readonly repetition: Pick<Repetition, 'runs' | 'seed'> | null;
  /** Who fixes all messages in advance. */
  readonly oblivious: Learned;
  /** Who reads the announcement first. */
  readonly adaptive: Learned;
}

function learned(
  fixed: number | null,
  many: number,
  { runs, seed }: Repetition,
  progress: (share: number) => void,
): Rate {
  const source = new Xoshiro(seed);
  let times = 0;
  for (let run = 0; run < runs; run++) {
    progress(run / runs);
    const secret = bit(source);
    const adversary = new NumberAdversary(fixed);
    const mechanism = new Identifier(secret, new Announcement(many, source));
    converse(adversary, new Verifier(dataThenMessages, mechanism));
    if (adversary.received === String(secret)) times++;
  }
  return rateOf(times, runs);
}

/** The smallest whole number of at least 1 / delta. */
function numbersFor(delta: Decimal): number {
  const { numerator, denominator } = Rational.ONE.over(Rational.ofDecimal(delta));
  return Number((numerator + denominator - 1n) / denominator);
}

/**
 * Runs an adversary who fixes all messages in advance, and one who does not, against a mechanism that is (0, delta)-DP
 * against the former: it announces one of ceil(1 / delta) numbers, and publishes its data to whoever says that number. The
 * former learns the secret bit with probability 1 / ceil(1 / delta), the latter always.
 *
 * `delta` is above 0, at most 1 and at least 2^-53; `repetition` null computes what is expected without a simulation.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), footnote 1.
 */
export function obliviousAttack(delta: Decimal, repetition: Repetition | null): ObliviousAttack {
  const many = numbersFor(delta);
  const half = (from: number) => (share: number) => repetition?.progress?.(from + share / 2);
  return {
    delta,
    many,
    repetition,
    oblivious: {
      exact: Rational.of(1, many),
      simulated: repetition && learned(1, many, repetition, half(0)),
    },
    adaptive: {
      exact: Rational.ONE,
      simulated: repetition && learned(null, many, repetition, half(0.5)),
    },
  };
}
