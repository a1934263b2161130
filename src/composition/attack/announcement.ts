import { below, type RandomSource } from '../../numeric/random.ts';
import { HALT, type Adversary, type Halt, type Interactive } from './interaction/interactive.ts';
import type { Pair } from './interaction/pair-verification.ts';
import type { Verification, VerificationFunction, Violation } from './interaction/verifier.ts';

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

const broken = (code: string): Violation => ({ code, condition: 'first two data sets, then the same message twice' });

/** One pair of data sets, and then messages that say the same under both: it is first-pair consistent. */
export const dataThenMessages: VerificationFunction<Pair> = {
  begin(): Verification<Pair> {
    let first = true;
    return {
      accept(pair) {
        if (!first) return pair[0] === pair[1] ? null : broken('different-messages');
        first = false;
        return pair.every((bit) => bit === '0' || bit === '1') ? null : broken('not-data');
      },
    };
  },
};

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
