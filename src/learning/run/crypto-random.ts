import { randomFillSync } from 'node:crypto';
import type { RandomSource } from '../../numeric/random.ts';

/** Words that are fetched at a time. */
const WORDS = 4096;

/** Random words of the system's cryptographic generator, each used once. */
export class SecureWords implements RandomSource {
  readonly #words = new Uint32Array(WORDS);
  #next = WORDS;

  word(): number {
    if (this.#next === WORDS) {
      randomFillSync(this.#words);
      this.#next = 0;
    }
    const word = this.#words[this.#next]!;
    this.#words[this.#next++] = 0;
    return word;
  }
}
