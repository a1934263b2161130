import { Arithmetic, type Interval } from '../../bounds/precise/interval.ts';
import { Decimal, ONE } from '../../numeric/decimal.ts';
import type { LowerBound } from '../../numeric/enclosure.ts';
import { Rational } from '../../numeric/rational.ts';
import { failureProbability } from '../../privacy/failure.ts';
import type { Repetition } from './conversation.ts';
import { renyiOfOne } from './counterexamples/counterexamples.ts';
import { Gate, simulateGates, type Simulated } from './gates.ts';

/** The statement that the Renyi counterexample is to show: (alpha, epsilon)-RDP mechanisms whose composition is not (alpha, target)-RDP. */
export interface RenyiClaim {
  /** Above 1. */
  readonly alpha: Decimal;
  /** Above 0. */
  readonly epsilon: Decimal;
  /** Above 0. */
  readonly target: Decimal;
}

/** A gate that opens with probability `opens` and, open, tells the truth with probability 1 - `lie`. */
export interface GateConstants {
  readonly opens: Decimal;
  readonly lie: Decimal;
}

/** Digits of the probabilities of the gate: they are decimals, so that the mechanism is exactly what is computed. */
const GATE_DIGITS = 30;

const FLOOR = 3;

/**
 * ln E_q, E_q = q^alpha (1 - q)^(1 - alpha) + (1 - q)^alpha q^(1 - alpha): (alpha - 1) times the Renyi divergence of order
 * alpha between an answer that is true with probability q = 1 - `lie` under one secret bit and under the other.
 *
 * Domain: 0 < lie <= 1/2. Source: derived, for the displayed equality in the proof of Thm 13.5 takes the expectation
 * under the wrong view.
 */
export function logAnswerMoment(lie: Decimal, alpha: Decimal, arithmetic: Arithmetic): Interval {
  const logLie = arithmetic.logarithm(arithmetic.of(lie));
  const logTruth = arithmetic.logarithm(arithmetic.of(ONE.minus(lie)));
  const [order, other] = [arithmetic.of(alpha), arithmetic.of(ONE.minus(alpha))];
  const high = arithmetic.add(arithmetic.multiply(order, logTruth), arithmetic.multiply(other, logLie));
  const low = arithmetic.add(arithmetic.multiply(order, logLie), arithmetic.multiply(other, logTruth));
  return arithmetic.add(high, arithmetic.log1p(arithmetic.exponential(arithmetic.subtract(low, high))));
}

/**
 * ln(1 + share (E - 1)) / (alpha - 1) for ln E = `logMoment`: the divergence where the answer is given only with probability
 * `share`, and nothing else depends on the secret bit.
 */
function gatedDivergence(share: Interval, logMoment: Interval, alpha: Decimal, arithmetic: Arithmetic): Interval {
  const gain = arithmetic.multiply(share, arithmetic.expm1(logMoment));
  return arithmetic.divide(arithmetic.log1p(gain), arithmetic.of(alpha.minus(ONE)));
}

/**
 * Constants that prove Thm 13.5 for every epsilon above 0:
 *
 *     1 - q = 1/4 (3/4)^(alpha / (alpha - 1)) e^-target,   p = min{1, (e^((alpha - 1) epsilon) - 1) / (E_q - 1)}.
 *
 * The mechanism is then (alpha, epsilon)-RDP, with equality but for the rounding of p where p is below 1, and the view has a
 * divergence of at least target + ln 4. Both probabilities are rounded down to 30 digits, which keeps both statements.
 *
 * Source: derived; q^alpha (1 - q)^(1 - alpha) >= (3/4)^alpha (1 - q)^(1 - alpha).
 */
export function provingConstants({ alpha, epsilon, target }: RenyiClaim, arithmetic: Arithmetic): GateConstants {
  const share = alpha.div(alpha.minus(ONE));
  const logLie = arithmetic.subtract(
    arithmetic.multiply(arithmetic.of(share), arithmetic.logarithm(arithmetic.of('0.75'))),
    arithmetic.add(arithmetic.logarithm(arithmetic.of(4)), arithmetic.of(target)),
  );
  const lie = arithmetic.exponential(logLie).lower.toSignificantDigits(GATE_DIGITS, FLOOR);
  const allowed = arithmetic.expm1(arithmetic.of(alpha.minus(ONE).times(epsilon)));
  const gained = arithmetic.expm1(logAnswerMoment(lie, alpha, arithmetic));
  const opens = arithmetic.divide(allowed, gained).lower;
  return {
    opens: new Decimal(opens.gt(ONE) ? ONE : opens.toSignificantDigits(GATE_DIGITS, FLOOR)),
    lie: new Decimal(lie),
  };
}

/**
 * The constants of the paper:
 *
 *     1 - q = 3/4 2^(-2 - target (alpha - 1) / alpha),   p = min{1/2, epsilon (alpha - 1) 6^-alpha 2^(-target (alpha - 1))}.
 *
 * With them the view does not reach a large target. Rounded to 30 digits.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), proof of Thm 13.5, as printed.
 */
export function printedConstants({ alpha, epsilon, target }: RenyiClaim, arithmetic: Arithmetic): GateConstants {
  const above = alpha.minus(ONE);
  const power = (base: number, exponent: Decimal): Interval =>
    arithmetic.exponential(arithmetic.multiply(arithmetic.of(exponent), arithmetic.logarithm(arithmetic.of(base))));
  const lie = arithmetic.multiply(arithmetic.of('0.1875'), power(2, target.times(above).div(alpha).negated()));
  const gained = arithmetic.multiply(power(6, alpha.negated()), power(2, target.times(above).negated()));
  const opens = arithmetic.multiply(arithmetic.of(epsilon.times(above)), gained);
  const rounded = (value: Interval): Decimal => new Decimal(arithmetic.middle(value)).toSignificantDigits(GATE_DIGITS);
  return { opens: Decimal.min('0.5', rounded(opens)), lie: rounded(lie) };
}

export interface RenyiQuestion extends RenyiClaim {
  /** How many instances the adversary may create; null for no limit. */
  readonly instances: number | null;
}

/** A gate, and the Renyi divergences of order alpha that it leads to. */
export interface RenyiGate extends GateConstants {
  /** Of the mechanism alone, against every adaptive adversary. */
  readonly alone: Interval;
  /** Of the view of the adversary who creates as many instances as it may. */
  readonly view: Interval;
  /** Of the view of the adversary who creates instances until one opens. */
  readonly endless: Interval;
}

export interface RenyiAttack {
  readonly question: RenyiQuestion;
  /** The constants that prove the theorem; certain: the mechanism is (alpha, epsilon)-RDP, as `alone` shows. */
  readonly proving: RenyiGate;
  readonly printed: RenyiGate;
  /**
   * For so many instances: no (alpha, epsilon') below `lower` holds for all such compositions (the adversary approaches it as
   * gates open more and more rarely), and (alpha, `upper`) does, by Cor 13.4. Null without a limit.
   */
  readonly bound: { readonly lower: LowerBound; readonly upper: Decimal } | null;
  /** The probability that a gate of the proving constants opens. */
  readonly opened: Interval;
  /** The mean number of messages with the proving constants. */
  readonly messages: Interval;
  readonly simulated: Simulated | null;
}

/** Digits of intervals; as many again may be lost where epsilon is small. */
const DIGITS = 120;

/** 1 - (1 - p)^l. */
const openedOf = ({ opens }: GateConstants, instances: number | null, arithmetic: Arithmetic): Interval =>
  instances === null ? arithmetic.one : failureProbability([{ delta: opens, count: instances }]);

function gateOf(constants: GateConstants, { alpha, instances }: RenyiQuestion, arithmetic: Arithmetic): RenyiGate {
  const moment = logAnswerMoment(constants.lie, alpha, arithmetic);
  const divergence = (share: Interval): Interval => gatedDivergence(share, moment, alpha, arithmetic);
  return {
    ...constants,
    alone: divergence(arithmetic.of(constants.opens)),
    view: divergence(openedOf(constants, instances, arithmetic)),
    endless: divergence(arithmetic.one),
  };
}

/** The attack as far as it is known before it is run. */
export type RenyiExpectations = Omit<RenyiAttack, 'simulated'>;

/**
 * The success of the adversary of Thm 13.5 against 1-sparse parallel composition of continual mechanisms that are
 * (alpha, epsilon)-RDP: its view has a Renyi divergence above the target. Beside it stand the constants of the paper, with
 * which it need not.
 *
 * Domain: alpha from 1.001 to 100, epsilon from 1e-9 to 100, target up to 100, where the digits suffice.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Thm 13.5, with other constants (derived).
 */
export function renyiExpectations(question: RenyiQuestion): RenyiExpectations {
  const arithmetic = new Arithmetic(DIGITS);
  const constants = provingConstants(question, arithmetic);
  const { alpha, epsilon, instances } = question;
  const opened = openedOf(constants, instances, arithmetic);
  const perInstance = arithmetic.divide(arithmetic.of(2), arithmetic.of(constants.opens));
  return {
    question,
    proving: gateOf(constants, question, arithmetic),
    printed: gateOf(printedConstants(question, arithmetic), question, arithmetic),
    bound:
      instances === null ? null : { lower: renyiOfOne(alpha, epsilon, instances), upper: epsilon.times(instances) },
    opened,
    messages: arithmetic.multiply(arithmetic.add(perInstance, arithmetic.one), opened),
  };
}

/**
 * Runs the adversary of Thm 13.5, where the mechanism is certainly (alpha, epsilon)-RDP; `repetition` null leaves the simulation
 * out.
 */
export function renyiAttack(expected: RenyiExpectations, repetition: Repetition | null): RenyiAttack {
  const { question, proving } = expected;
  if (proving.alone.upper.gt(question.epsilon)) {
    throw new Error('The gate of the Renyi counterexample does not keep its guarantee.');
  }
  const gate = new Gate(Rational.ofDecimal(proving.opens), Rational.ONE.minus(Rational.ofDecimal(proving.lie)));
  const limit = question.instances ?? Infinity;
  return {
    ...expected,
    simulated:
      repetition &&
      simulateGates(
        (candidate) => candidate === gate,
        (index) => (index > limit ? null : gate),
        repetition,
      ),
  };
}
