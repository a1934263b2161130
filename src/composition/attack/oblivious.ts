import type { Decimal } from '../../numeric/decimal.ts';
import { below, bit, Xoshiro, type RandomSource } from '../../numeric/random.ts';
import { Rational } from '../../numeric/rational.ts';
import {
  converse,
  HALT,
  Identifier,
  rateOf,
  Verifier,
  type Adversary,
  type Halt,
  type Interactive,
  type Rate,
  type Repetition,
  type Verification,
} from './conversation.ts';

/** A message: the first element reaches the mechanism if the secret bit is 0, the second if it is 1. */
type Pair = readonly [string, string];

/** The message that says a number. */
export const say = (number: number): string => `say ${number}`;

/**
 * Holds one bit of data, announces a number from 1 to `many`, all equally likely, and publishes the bit if that number is
 * the next message.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), footnote 1, with many = ceil(1 / delta).
 */
export class Announcement implements Interactive<string, string> {
  readonly #many: number;
  readonly #source: RandomSource;
  #announcement: { readonly bit: string; readonly announced: number } | null = null;
  #ended = false;

  constructor(many: number, source: RandomSource) {
    this.#many = many;
    this.#source = source;
  }

  answer(message: string): string | Halt {
    if (this.#ended) return HALT;
    if (this.#announcement !== null) {
      this.#ended = true;
      return message === say(this.#announcement.announced) ? this.#announcement.bit : 'nothing';
    }
    if (message !== '0' && message !== '1') return HALT;
    this.#announcement = { bit: message, announced: 1 + below(this.#many, this.#source) };
    return String(this.#announcement.announced);
  }
}

/** The condition on messages to it. */
const DATA_THEN_MESSAGES = 'first two data sets, then the same message twice';

/** One pair of data sets, and then messages that say the same under both: it is first-pair consistent. */
export function dataThenMessages(): Verification<Pair> {
  let first = true;
  return (pair) => {
    if (!first) return pair[0] === pair[1] ? null : DATA_THEN_MESSAGES;
    first = false;
    return pair.every((bit) => bit === '0' || bit === '1') ? null : DATA_THEN_MESSAGES;
  };
}

/** Gives the data sets 0 and 1, and then says a number: the one announced, or one that was fixed in advance. */
export class NumberAdversary implements Adversary<Pair, string> {
  readonly #fixed: number | null;
  #answers = 0;
  /** The answer that it got in the end. */
  received: string | null = null;

  /** `fixed` null: it adapts to what is announced. */
  constructor(fixed: number | null) {
    this.#fixed = fixed;
  }

  next(answer: string | null): Pair | null {
    this.#answers++;
    if (answer === null) return ['0', '1'];
    if (this.#answers > 2) {
      this.received = answer;
      return null;
    }
    const message = say(this.#fixed ?? Number(answer));
    return [message, message];
  }
}

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
    converse(adversary, new Verifier(dataThenMessages(), mechanism));
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
 * against the former: it announces one of ceil(1 / delta) numbers, and publishes its data when that number is sent. The
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
