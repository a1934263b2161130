import type { Halt, Interactive } from './interactive.ts';

/**
 * I(b) with the mechanism behind it: of every pair of messages it forwards the one of its secret bit, and every answer
 * as it is.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 3.2.
 */
export class Identifier<Query, Answer> implements Interactive<readonly [Query, Query], Answer> {
  readonly #bit: 0 | 1;
  readonly #right: Interactive<Query, Answer>;

  constructor(bit: 0 | 1, right: Interactive<Query, Answer>) {
    this.#bit = bit;
    this.#right = right;
  }

  answer(pair: readonly [Query, Query]): Answer | Halt {
    return this.#right.answer(pair[this.#bit]);
  }
}
