import { Arithmetic, type Interval } from '../../bounds/precise/interval.ts';
import { Decimal, ONE } from '../../numeric/decimal.ts';
import { larger, Rational } from '../../numeric/rational.ts';
import { failureProbability } from '../../privacy/failure.ts';
import type { Repetition } from './conversation.ts';
import { fewestInstancesBeyond } from './counterexamples/counterexamples.ts';
import { Gate, simulateGates, type Creations, type Simulated } from './gates.ts';

/** The target of the attack: 1-sparse parallel composition of the (0, delta)-DP continual mechanism M_delta. */
export interface ParallelQuestion {
  /** One for each instance, each above 0 and at most 1; or one for all of them. */
  readonly deltas: readonly Decimal[];
  /** How many instances the adversary may create: as many as deltas where there are several; null for no limit. */
  readonly instances: number | null;
}

/** How many instances make a success likelier than this. */
export interface Needed {
  readonly success: number;
  readonly instances: number;
  /** The most messages that takes. */
  readonly messages: number;
}

export interface ParallelAttack {
  readonly question: ParallelQuestion;
  /** The probability 1 - prod (1 - delta_j) that the adversary learns the secret bit. */
  readonly success: Interval;
  readonly messages: {
    readonly mean: Interval;
    /** 2 l + 1; null where the number of instances has no limit. */
    readonly most: number | null;
  };
  /** Where all instances have the same delta. */
  readonly needed: readonly Needed[];
  readonly simulated: Simulated | null;
}

/** Digits of intervals: far more than a double has. */
const DIGITS = 50;

/** The probability that one of the instances fails, as an interval. */
function successOf({ deltas, instances }: ParallelQuestion, arithmetic: Arithmetic): Interval {
  if (instances === null) return arithmetic.one;
  const [only] = deltas;
  const parts =
    deltas.length === 1 && only ? [{ delta: only, count: instances }] : deltas.map((delta) => ({ delta, count: 1 }));
  return failureProbability(parts);
}

/**
 * The mean number of messages: two for every instance that is created, and one more for a success.
 *
 * Equal deltas: (2 / delta + 1)(1 - (1 - delta)^l). Derived: instance j is created if no earlier one has opened.
 */
function meanMessages({ deltas }: ParallelQuestion, success: Interval, arithmetic: Arithmetic): Interval {
  const [only] = deltas;
  if (deltas.length === 1 && only) {
    const factor = arithmetic.add(arithmetic.divide(arithmetic.of(2), arithmetic.of(only)), arithmetic.one);
    return arithmetic.multiply(factor, success);
  }
  let sum = success;
  let reached = arithmetic.one;
  for (const delta of deltas) {
    sum = arithmetic.add(sum, arithmetic.multiply(arithmetic.of(2), reached));
    reached = arithmetic.multiply(reached, arithmetic.of(ONE.minus(delta)));
  }
  return sum;
}

/** About how many messages one conversation takes on average. */
export function meanMessagesOf(question: ParallelQuestion): number {
  const arithmetic = new Arithmetic(DIGITS);
  return meanMessages(question, successOf(question, arithmetic), arithmetic).upper.toNumber();
}

const SUCCESSES = [0.5, 0.99];

function neededFor({ deltas }: ParallelQuestion): Needed[] {
  const [only] = deltas;
  if (deltas.length > 1 || only === undefined) return [];
  return SUCCESSES.flatMap((success) => {
    const instances = fewestInstancesBeyond(new Decimal(success), only);
    return instances === Infinity ? [] : [{ success, instances, messages: 2 * instances + 1 }];
  });
}

/** The gates that the adversary creates, one after the other. */
function creationsOf({ deltas, instances }: ParallelQuestion): Creations {
  const gates = deltas.map((delta) => new Gate(Rational.ofDecimal(delta)));
  const limit = instances ?? Infinity;
  return (index) => (index > limit ? null : (gates[gates.length === 1 ? 0 : index - 1] ?? null));
}

/**
 * Runs the adversary of Thm 5.2 against 1-sparse parallel composition of continual mechanisms that are (0, delta)-DP: with
 * probability 1 - prod (1 - delta_j) it learns the secret bit for certain. So no delta below that holds for the
 * composition, at any epsilon.
 *
 * `repetition` null computes what is expected without a simulation.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Thm 5.2; at epsilon above 0 and for different deltas derived: the secret bit 0 is
 * revealed with that probability under 0 and never under 1.
 */
export function parallelAttack(question: ParallelQuestion, repetition: Repetition | null): ParallelAttack {
  const arithmetic = new Arithmetic(DIGITS);
  const success = successOf(question, arithmetic);
  const largest = question.deltas.map((delta) => Rational.ofDecimal(delta)).reduce(larger);
  return {
    question,
    success,
    messages: {
      mean: meanMessages(question, success, arithmetic),
      most: question.instances === null ? null : 2 * question.instances + 1,
    },
    needed: neededFor(question),
    simulated:
      repetition && simulateGates(({ delta }) => delta.compare(largest) <= 0, creationsOf(question), repetition),
  };
}
