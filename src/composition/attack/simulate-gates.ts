import { bit, Xoshiro } from '../../numeric/random.ts';
import { ExtConComp, type QueryPair } from './interaction/ext-con-comp.ts';
import { Identifier } from './interaction/identifier.ts';
import { converse } from './interaction/interactive.ts';
import { Verifier, type VerificationFunction } from './interaction/verifier.ts';
import { GateAdversary, type Creations } from './gate-adversary.ts';
import { rateOf, type Rate } from './rate.ts';

/** How often to run an attack, and where its random numbers begin. */
export interface Repetition {
  readonly runs: number;
  /** A whole number of at least 0. */
  readonly seed: number;
  /** Receives the share of the runs that are done. */
  readonly progress?: (share: number) => void;
}

/** The results of conversations with the adversary. */
export interface Simulated {
  readonly runs: number;
  readonly seed: number;
  /** How often a gate opened, so that the adversary guessed the secret bit. */
  readonly guessed: Rate;
  /** How many of these guesses were right. */
  readonly right: Rate;
  readonly messages: { readonly total: number; readonly most: number };
}

/**
 * Lets the adversary converse with V[f] o I(b) o ExtConComp, b a fair coin, again and again.
 *
 * Nothing is left out: gates are created by messages, every message passes the verification function, and the identifier
 * keeps the secret bit. The same seed gives the same conversations.
 */
export function simulateGates(
  f: VerificationFunction<QueryPair>,
  creations: Creations,
  { runs, seed, progress }: Repetition,
): Simulated {
  const source = new Xoshiro(seed);
  let [guessed, right, total, most] = [0, 0, 0, 0];
  for (let run = 0; run < runs; run++) {
    progress?.(run / runs);
    const secret = bit(source);
    const adversary = new GateAdversary(creations);
    const verifier = new Verifier(f, new Identifier(secret, new ExtConComp(source)));
    const sent = converse(adversary, verifier);
    if (verifier.violation !== null) throw new Error(`The adversary broke ${verifier.violation.condition}.`);
    if (adversary.guess !== null) guessed++;
    if (adversary.guess === String(secret)) right++;
    total += sent;
    most = Math.max(most, sent);
  }
  return { runs, seed, guessed: rateOf(guessed, runs), right: rateOf(right, guessed), messages: { total, most } };
}
