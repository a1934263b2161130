import { Arithmetic, type Interval } from '../../bounds/precise/interval.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { LowerBound } from '../../numeric/enclosure.ts';
import { Rational } from '../../numeric/rational.ts';
import { failureProbability } from '../../privacy/failure.ts';
import { renyiOfOne } from './counterexamples/renyi-continual.ts';
import type { Creation } from './interaction/ext-con-comp.ts';
import { FiniteMechanism } from './interaction/finite-mechanism.ts';
import type { Guarantee } from './interaction/guarantee.ts';
import { sparseParallel } from './concurrent/sparse-parallel.ts';
import { isPrivate } from './verify/is-private.ts';
import { gate, gateVerification } from './m-delta.ts';
import {
  gatedDivergence,
  logAnswerMoment,
  printedConstants,
  provingConstants,
  type GateConstants,
  type RenyiClaim,
} from './renyi-constants.ts';
import { simulateGates, type Repetition, type Simulated } from './simulate-gates.ts';

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
  /** The constants that prove the theorem; certain: the mechanism is (alpha, epsilon)-RDP by the control function. */
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

/** The mechanism with the constants, and what is asserted of it. */
function creationOf({ opens, lie }: GateConstants, { alpha, epsilon }: RenyiClaim): Creation {
  const guarantee: Guarantee = { kind: 'rdp', alpha, epsilon };
  const truth = Rational.ONE.minus(Rational.ofDecimal(lie));
  const mechanism = new FiniteMechanism(gate(Rational.ofDecimal(opens), truth));
  return { kind: 'creation', mechanism, guarantee, verification: gateVerification };
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
 * Runs the adversary of Thm 13.5, after the control function has shown that the mechanism is (alpha, epsilon)-RDP;
 * `repetition` null leaves the simulation out.
 */
export function renyiAttack(expected: RenyiExpectations, repetition: Repetition | null): RenyiAttack {
  const { question, proving } = expected;
  const creation = creationOf(proving, question);
  if (!isPrivate(creation)) throw new Error('The gate of the Renyi counterexample does not keep its guarantee.');
  const most = question.instances ?? Infinity;
  return {
    ...expected,
    simulated:
      repetition &&
      simulateGates(sparseParallel([creation.guarantee]), (index) => (index > most ? null : creation), repetition),
  };
}
