import { fc } from '../properties.ts';
import { describe, expect, it } from 'vitest';
import { FiniteMechanism } from './finite-mechanism.ts';
import { PairVerification, type Pair } from './pair-verification.ts';
import { ControlFunction, TOO_LARGE, type Game } from './control-function.ts';
import { reductionExample } from './reduction-example.ts';
import { hockeyStick } from './hockey-stick.ts';
import { responseDelta } from './response-delta.ts';
import { renyiMoment } from './renyi-moment.ts';
import { Gate } from '../../../src/composition/attack/gates.ts';
import { renyiExpectations } from '../../../src/composition/attack/renyi.ts';
import { Arithmetic } from '../../../src/bounds/precise/interval.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { Rational } from '../../../src/numeric/rational.ts';
import { endless, fraction, gate, gateVerification, mDelta, once, threeQuarters } from './mechanisms.ts';
import { mechanisms, verifications } from './arbitraries.ts';
import { bruteForce } from './brute-force.ts';

const deltaOf = (game: Game, factor: string, bit: 0 | 1 = 0): string =>
  String(new ControlFunction(game, hockeyStick(fraction(factor)), bit).start());

const reduction: Game = {
  mechanism: new FiniteMechanism(reductionExample.mechanism),
  verification: new PairVerification(reductionExample.verification),
  copies: 1,
  sparsity: 1,
  rounds: null,
};

const gates = (copies: number, sparsity = 1): Game => ({
  mechanism: mDelta(fraction('1/10')),
  verification: gateVerification,
  copies,
  sparsity,
  rounds: null,
});

describe('the smallest delta over all adaptive adversaries', () => {
  it('of M_delta is delta at every epsilon, in both directions (TC-39)', () => {
    for (const factor of ['1', '2', '10']) {
      expect([deltaOf(gates(1), factor, 0), deltaOf(gates(1), factor, 1)]).toEqual(['1/10', '1/10']);
    }
  });

  it('of a gate is the chance that it opens times twice what its answers exceed a coin by', () => {
    const [opens, truth] = [fraction('1/7'), fraction('9/10')];
    const game = { ...gates(1), mechanism: new FiniteMechanism(gate(opens, truth)) };
    expect(deltaOf(game, '1')).toBe(String(new Gate(opens, truth).delta));
    expect(String(new Gate(fraction('1/10')).delta)).toBe(deltaOf(gates(1), '1'));
  });

  it('of copies of M_delta, one of which may differ, is 1 - (1 - delta)^l (TC-39)', () => {
    for (const factor of ['1', '2', '10']) {
      expect([1, 2, 3].map((copies) => deltaOf(gates(copies), factor))).toEqual(['1/10', '19/100', '271/1000']);
    }
    expect(deltaOf(gates(3, 0), '1')).toBe('0');
  });

  it('of randomized response is that of its formula', () => {
    const game: Game = { mechanism: threeQuarters, verification: once, copies: 1, sparsity: 1, rounds: null };
    expect(['1', '2', '3', '4'].map((factor) => deltaOf(game, factor))).toEqual(['1/2', '1/4', '0', '0']);
  });

  it('grows with the messages that may be sent', () => {
    const most = [1, 2, 3, 4].map((rounds) =>
      deltaOf({ mechanism: threeQuarters, verification: endless, copies: 1, sparsity: 1, rounds }, '2'),
    );
    // That of so many randomized responses together, with e^epsilon 3 each.
    expect(most).toEqual([1, 2, 3, 4].map((count) => String(responseDelta(fraction('3'), count, fraction('2')))));
    expect(most.slice(0, 2)).toEqual(['1/4', '7/16']);
  });

  it('needs an end of the conversation', () => {
    const game: Game = { mechanism: threeQuarters, verification: endless, copies: 1, sparsity: 1, rounds: null };
    expect(() => deltaOf(game, '1')).toThrow(RangeError);
  });

  it('is given up where there is too much to look at', () => {
    const control = new ControlFunction(gates(8), hockeyStick(Rational.ONE), 0, 20);
    expect(control.start()).toBe(TOO_LARGE);
  });

  it('of mechanisms with pairs in one direction differs by direction', () => {
    expect([deltaOf(reduction, '3/2', 0), deltaOf(reduction, '3/2', 1)]).toEqual(['3/20', '1/10']);
  });
});

describe('the control function', () => {
  const control = new ControlFunction(gates(2), hockeyStick(Rational.ONE), 0);
  const opened = { copy: 0, pair: ['0', '0'] as Pair, answer: 'BOT' };
  const different = { copy: 0, pair: ['0', '1'] as Pair, answer: '0' };

  it('of a history is what can still be gained, times its probability', () => {
    expect(String(control.after([opened]))).toBe('1/10');
    expect(String(control.after([{ ...opened, answer: 'T' }]))).toBe(String(fraction('9/10').times(fraction('1/10'))));
    expect(String(control.after([opened, different]))).toBe('1/10');
    expect(String(control.after([opened, { ...different, answer: '1' }]))).toBe('0');
  });

  it('is 0 after what cannot be, or is not allowed', () => {
    expect(String(control.after([{ ...opened, answer: '1' }]))).toBe('0');
    expect(String(control.after([{ ...opened, pair: ['0', '2'] }]))).toBe('0');
    const second = [
      { ...opened, copy: 1 },
      { ...different, copy: 1 },
    ];
    expect(String(control.after([opened, different, ...second]))).toBe('0');
  });

  it('is the sum over the answers to the best message', () => {
    const sum = ['T', 'BOT'].map((answer) => control.after([{ ...opened, answer }]) as Rational);
    expect(String(sum[0]!.plus(sum[1]!))).toBe(String(control.start()));
  });
});

describe('Renyi moments over all adaptive adversaries', () => {
  const arithmetic = new Arithmetic(40);

  it('of a gate are those of the adversary who sends different bits to an open one (TC-25)', () => {
    const [opens, truth] = [fraction('1/100'), fraction('9/10')];
    const game = { ...gates(1), mechanism: new FiniteMechanism(gate(opens, truth)) };
    const moment = new ControlFunction(game, renyiMoment(new Decimal(2), arithmetic), 0).start();
    // E_q = q^2 / (1 - q) + (1 - q)^2 / q = 81/10 + 1/90; the moment is 1 - p + p E_q.
    const expected = fraction('99/100').plus(opens.times(fraction('81/10').plus(fraction('1/90'))));
    if (moment === TOO_LARGE) throw new Error('too large');
    const text = new Decimal(String(expected.numerator)).div(String(expected.denominator));
    expect(moment.lower.lte(text) && moment.upper.gte(text)).toBe(true);
    expect(moment.upper.minus(moment.lower).lt('1e-35')).toBe(true);
  });

  it('of the gate of the Renyi attack are at most what is claimed of it', () => {
    const question = { alpha: new Decimal(3), epsilon: new Decimal('0.4'), target: new Decimal(5), instances: null };
    const { proving } = renyiExpectations(question);
    const truth = Rational.ONE.minus(Rational.ofDecimal(proving.lie));
    const game = { ...gates(1), mechanism: new FiniteMechanism(gate(Rational.ofDecimal(proving.opens), truth)) };
    const exact = new Arithmetic(80);
    const most = exact.exponential(exact.of(new Decimal(2).times(question.epsilon)));
    const alone = exact.exponential(exact.multiply(exact.of(2), exact.of(proving.alone.upper)));
    for (const bit of [0, 1] as const) {
      const moment = new ControlFunction(game, renyiMoment(question.alpha, exact), bit).start();
      if (moment === TOO_LARGE) throw new Error('too large');
      expect(moment.upper.lte(most.lower)).toBe(true);
      expect(moment.upper.div(alone.upper).minus(1).abs().lt('1e-40')).toBe(true);
    }
  });

  it('are infinite where an answer reveals the secret bit', () => {
    const moment = new ControlFunction(gates(1), renyiMoment(new Decimal(2), arithmetic), 0).start();
    expect(moment === TOO_LARGE ? 0 : moment.upper.toNumber()).toBe(Infinity);
  });
});

describe('merging histories', () => {
  it('changes nothing: the control function is what every history one by one gives', () => {
    fc.assert(
      fc.property(
        mechanisms,
        verifications,
        fc.constantFrom('1/2', '1', '4/3', '3'),
        fc.constantFrom([1, 1], [2, 1], [2, 2]),
        fc.integer({ min: 1, max: 3 }),
        (described, allowed, text, [copies, sparsity], rounds) => {
          const factor = fraction(text);
          const mechanism = new FiniteMechanism(described);
          const verification = new PairVerification(allowed);
          const game: Game = { mechanism, verification, copies: copies, sparsity: sparsity, rounds };
          const value = new ControlFunction(game, hockeyStick(factor), 0).start();
          const all = bruteForce({ mechanism, verification, factor }, copies, sparsity, rounds);
          expect(String(value)).toBe(String(all));
        },
      ),
      { numRuns: 60 },
    );
  });
});
