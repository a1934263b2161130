import { describe, expect, it } from 'vitest';
import { FiniteMechanism } from './finite-mechanism.ts';
import { PairVerification, type Pair } from './pair-verification.ts';
import { ControlFunction, TOO_LARGE } from './control-function.ts';
import { reductionExample } from './reduction-example.ts';
import { hockeyStick } from './hockey-stick.ts';
import { larger, Rational, total } from '../../../src/numeric/rational.ts';
import { fraction } from './mechanisms.ts';

// Henzinger, Safavi, Vadhan (2025), section 10.2: a mechanism is a mixture of the laws phi, used where the secret bit is
// revealed, and psi, used where randomized response answers.

type Law = readonly Rational[];
type PerBit = readonly [Law, Law];

const law = (...texts: string[]): Law => texts.map(fraction);
const texts = (values: Law): string[] => values.map(String);

const { ONE } = Rational;

/** psi^b = (e^epsilon mu^b - delta e^epsilon phi^b - mu^(1-b) + delta phi^(1-b)) / ((1 - delta)(e^epsilon - 1)). */
function psiOf(mu: PerBit, phi: PerBit, delta: Rational, factor: Rational): PerBit {
  const scale = ONE.minus(delta).times(factor.minus(ONE));
  const of = (bit: 0 | 1): Law =>
    mu[bit].map((own, a) => {
      const other = bit === 0 ? 1 : 0;
      const revealed = own.minus(delta.times(phi[bit][a]!));
      return factor
        .times(revealed)
        .minus(mu[other][a]!.minus(delta.times(phi[other][a]!)))
        .over(scale);
    });
  return [of(0), of(1)];
}

/** delta phi^b + (1 - delta)(e^epsilon / (1 + e^epsilon) psi^b + 1 / (1 + e^epsilon) psi^(1-b)). */
function mixture(phi: PerBit, psi: PerBit, delta: Rational, factor: Rational): PerBit {
  const truth = factor.over(ONE.plus(factor));
  const of = (bit: 0 | 1): Law =>
    phi[bit].map((revealed, a) => {
      const other = bit === 0 ? 1 : 0;
      const response = truth.times(psi[bit][a]!).plus(ONE.minus(truth).times(psi[other][a]!));
      return delta.times(revealed).plus(ONE.minus(delta).times(response));
    });
  return [of(0), of(1)];
}

/** Condition (I): delta phi^b is at least the control function; (II) bounds it from above; (III) phi^b is a law. */
function conditions(mu: PerBit, phi: PerBit, control: PerBit, delta: Rational, factor: Rational): boolean[] {
  const bits = [0, 1] as const;
  const each = (holds: (bit: 0 | 1, a: number) => boolean): boolean =>
    bits.every((bit) => mu[bit].every((_, a) => holds(bit, a)));
  const lessShare = (values: PerBit, bit: 0 | 1, a: number): Rational =>
    values[bit][a]!.minus(values[bit === 0 ? 1 : 0][a]!.over(factor));
  const scaled = phi.map((values) => values.map((value) => delta.times(value))) as unknown as PerBit;
  return [
    each((bit, a) => scaled[bit][a]!.compare(control[bit][a]!) >= 0),
    each((bit, a) => lessShare(scaled, bit, a).compare(lessShare(mu, bit, a)) <= 0),
    bits.every((bit) => total(phi[bit]).equals(ONE)),
  ];
}

/** The control function of the example after each answer. */
function controlOf(factor: Rational): PerBit {
  const { mechanism, verification } = reductionExample;
  const game = {
    mechanism: new FiniteMechanism(mechanism),
    verification: new PairVerification(verification),
    copies: 1,
    sparsity: 1,
    rounds: null,
  };
  const pair: Pair = ['0', '1'];
  const of = (bit: 0 | 1): Law =>
    ['a', 'b'].map((answer) => {
      const value = new ControlFunction(game, hockeyStick(factor), bit).after([{ copy: 0, pair, answer }]);
      if (value === TOO_LARGE) throw new Error('too large');
      return value;
    });
  return [of(0), of(1)];
}

const MU: PerBit = [law('3/5', '2/5'), law('3/10', '7/10')];

describe('the finite reduction (TC-40)', () => {
  const factor = fraction('3/2');
  const control = controlOf(factor);
  const delta = larger(total(control[0]), total(control[1]));
  const phi: PerBit = [law('1', '0'), law('0', '1')];
  const psi = psiOf(MU, phi, delta, factor);

  it('begins with the control function, whose larger sum is delta', () => {
    expect(control.map(texts)).toEqual([
      ['3/20', '0'],
      ['0', '1/10'],
    ]);
    expect(String(delta)).toBe('3/20');
  });

  it('has laws phi with the three conditions', () => {
    expect(conditions(MU, phi, control, delta, factor)).toEqual([true, true, true]);
  });

  it('gives laws psi', () => {
    expect(psi.map(texts)).toEqual([
      ['15/17', '2/17'],
      ['0', '1'],
    ]);
    for (const each of psi) expect(String(total(each))).toBe('1');
  });

  it('is the mechanism again, exactly', () => {
    expect(mixture(phi, psi, delta, factor).map(texts)).toEqual(MU.map(texts));
  });

  it('is no mechanism where delta is smaller than the control function asks for', () => {
    const less = delta.minus(fraction('1/1000'));
    expect(conditions(MU, phi, control, less, factor)[0]).toBe(false);
    const negative = psiOf(MU, phi, less, factor)
      .flat()
      .some((value) => value.compare(Rational.ZERO) < 0);
    expect(negative).toBe(true);
  });

  it('is the mechanism again for every phi and delta: the identity asks for no condition', () => {
    const other: PerBit = [law('1/3', '2/3'), law('1/4', '3/4')];
    for (const [text, e] of [
      ['1/7', '3/2'],
      ['0', '2'],
      ['2/3', '10'],
    ] as const) {
      const mixed = mixture(other, psiOf(MU, other, fraction(text), fraction(e)), fraction(text), fraction(e));
      expect(mixed.map(texts)).toEqual(MU.map(texts));
    }
  });
});
