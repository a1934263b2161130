import { HALT, type Halt, type Interactive } from './interactive.ts';

/** Why a sequence of messages is not valid: a stable code, and the condition that it breaks. */
export interface Violation {
  readonly code: string;
  readonly condition: string;
}

/** A verification function that has seen some messages, all of them together valid. */
export interface Verification<Message> {
  /** Takes in one more message; what is broken where the sequence is no longer valid. */
  accept(message: Message): Violation | null;
}

/**
 * A verification function: a decision about every sequence of messages, made message by message.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 3.3; a verifier halts at the first sequence that is not valid, so only sequences
 * matter whose beginnings are all valid.
 */
export interface VerificationFunction<Message> {
  begin(): Verification<Message>;
}

/**
 * V[f] with the mechanism behind it: it forwards messages as long as their sequence is f-valid, and then halts.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 3.5.
 */
export class Verifier<Message, Answer> implements Interactive<Message, Answer> {
  readonly #verification: Verification<Message>;
  readonly #right: Interactive<Message, Answer>;
  /** Why it has halted; null as long as it has not. */
  violation: Violation | null = null;

  constructor(f: VerificationFunction<Message>, right: Interactive<Message, Answer>) {
    this.#verification = f.begin();
    this.#right = right;
  }

  answer(message: Message): Answer | Halt {
    this.violation ??= this.#verification.accept(message);
    return this.violation === null ? this.#right.answer(message) : HALT;
  }
}
