/** The answer that ends the communication. */
export const HALT = Symbol('halt');
export type Halt = typeof HALT;

/**
 * An interactive mechanism in a conversation: it has been given its initial state, and keeps its state to itself.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 2.6.
 */
export interface Interactive<Query, Answer> {
  answer(query: Query): Answer | Halt;
}

/** An interactive mechanism that begins the conversation, and may end it. */
export interface Adversary<Message, Answer> {
  /** The message that it sends first, or after an answer; null ends the communication. */
  next(answer: Answer | null): Message | null;
}

/** Lets an adversary and a mechanism converse until one of them halts; returns how many messages the adversary sent. */
export function converse<Message, Answer>(
  adversary: Adversary<Message, Answer>,
  mechanism: Interactive<Message, Answer>,
): number {
  let sent = 0;
  for (let message = adversary.next(null); message !== null;) {
    sent++;
    const answer = mechanism.answer(message);
    if (answer === HALT) break;
    message = adversary.next(answer);
  }
  return sent;
}
