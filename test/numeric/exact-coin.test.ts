import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clopperPearson } from '../../src/numeric/binomial.ts';
import { exponentialCoin, RationalCoin, type ExactExponent } from '../../src/numeric/exact-coin.ts';
import { Xoshiro, type RandomSource } from '../../src/numeric/random.ts';
import { Rational } from '../../src/numeric/rational.ts';

const Precise = Decimal.clone({ precision: 400, maxE: 9e15, minE: -9e15 });

const exponent = (numerator: number, denominator: number): ExactExponent => ({
  approximate: numerator / denominator,
  exact: () => Rational.of(numerator, denominator),
});

const exponential = (numerator: number, denominator: number): Decimal =>
  new Precise(numerator).div(denominator).negated().exp();

/** The words of which a uniform number in [0, 1) consists: 53 bits, then 64 bits each time. */
function wordsOf(uniform: Decimal, count: number): number[] {
  let rest = uniform;
  const take = (bits: number): number => {
    const scaled = rest.times(new Precise(2).pow(bits));
    const whole = scaled.floor();
    rest = scaled.minus(whole);
    return whole.toNumber();
  };
  const first = [(take(21) * 2 ** 11) >>> 0, take(32)];
  return [...first, ...Array.from({ length: count }, () => take(32))];
}

/** A source of these words, which fails when there are no more. */
function given(words: readonly number[]): RandomSource & { readonly used: () => number } {
  let at = 0;
  return {
    word: () => {
      if (at === words.length) throw new Error('more words are drawn than there are');
      return words[at++]!;
    },
    used: () => at,
  };
}

const gammas = fc.tuple(fc.integer({ min: 1, max: 1e9 }), fc.integer({ min: 1, max: 1e9 }));

describe('a coin of chance e^-gamma', () => {
  it('is decided by the first bits of a uniform number almost always', () => {
    const source = new Xoshiro(3);
    let words = 0;
    const counted: RandomSource = { word: () => (words++, source.word()) };
    for (let i = 0; i < 20_000; i++) exponentialCoin(exponent(i + 1, 5_000), counted);
    expect(words).toBe(40_000);
  });

  it('says whether the uniform number lies below, however near it is', () => {
    fc.assert(
      fc.property(gammas, fc.integer({ min: 40, max: 240 }), fc.boolean(), ([n, d], bits, isAbove) => {
        fc.pre(n / d < 60);
        const chance = exponential(n, d);
        const away = new Precise(2).pow(-bits);
        const uniform = isAbove ? chance.plus(away) : chance.minus(away);
        fc.pre(uniform.gte(0) && uniform.lt(1));
        expect(exponentialCoin(exponent(n, d), given(wordsOf(uniform, 20)))).toBe(!isAbove);
      }),
    );
  });

  it('draws on where the uniform number begins as e^-gamma does', () => {
    const source = given(wordsOf(exponential(1, 3).minus(new Precise(2).pow(-200)), 20));
    expect(exponentialCoin(exponent(1, 3), source)).toBe(true);
    expect(source.used()).toBeGreaterThan(6);
  });

  it('is certain for gamma 0, and ends for the smallest chances', () => {
    expect(exponentialCoin(exponent(0, 1), given([]))).toBe(true);
    const zeros = Array<number>(100).fill(0);
    expect(exponentialCoin(exponent(3000, 1), given([...zeros, 1, 0]))).toBe(false);
    expect(exponentialCoin(exponent(720, 1), given([0, 0, 0, 1, 0, 0, 0, 0, 0, 0]))).toBe(false);
    expect(exponentialCoin(exponent(40, 1), given([0, 0, 0, 0]))).toBe(true);
  });

  it('falls as often as it should', () => {
    const source = new Xoshiro(11);
    for (const gamma of [0.01, 0.7, 3]) {
      const count = 40_000;
      let heads = 0;
      for (let i = 0; i < count; i++) if (exponentialCoin(exponent(gamma * 100, 100), source)) heads++;
      const { lower, upper } = clopperPearson(heads, count, 1 - 1e-9);
      expect(lower).toBeLessThan(Math.exp(-gamma));
      expect(upper).toBeGreaterThan(Math.exp(-gamma));
    }
  });
});

describe('a coin of a rational chance', () => {
  /** Words one after the other; how many were taken. */
  const words = (...list: number[]) => {
    const source = { taken: 0, word: () => list[source.taken++]! };
    return source;
  };
  const THIRD = 0x55555555;

  it('compares a uniform number with the chance', () => {
    const quarter = new RationalCoin(Rational.of(1, 4));
    expect([0, 2 ** 30 - 1, 2 ** 30 + 1, 2 ** 32 - 1].map((word) => quarter.toss(words(word)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(quarter.toss(words(2 ** 30, 0, 1))).toBe(false);
  });

  it('draws more digits only where those drawn do not decide', () => {
    const third = new RationalCoin(Rational.of(1, 3));
    const source = words(THIRD, THIRD, THIRD - 1);
    expect(third.toss(source)).toBe(true);
    expect(source.taken).toBe(3);
    expect(third.toss(words(THIRD, THIRD + 1))).toBe(false);
    const decided = words(5);
    third.toss(decided);
    expect(decided.taken).toBe(1);
  });

  it('never shows what cannot come, and needs no word where only heads can', () => {
    const source = words();
    expect(new RationalCoin(Rational.ONE).toss(source)).toBe(true);
    expect(source.taken).toBe(0);
    expect(new RationalCoin(Rational.ZERO).toss(words(0, 0, 1))).toBe(false);
  });

  it('shows heads as often as its chance says, also where that is small', () => {
    for (const chance of [Rational.of(1, 1000), Rational.of(1, 7)]) {
      const [coin, source, count] = [new RationalCoin(chance), new Xoshiro(11), 200_000];
      const heads = Array.from({ length: count }, () => coin.toss(source)).filter(Boolean).length;
      const { lower, upper } = clopperPearson(heads, count, 1 - 1e-6);
      const p = Number(chance.numerator) / Number(chance.denominator);
      expect(lower).toBeLessThan(p);
      expect(upper).toBeGreaterThan(p);
    }
  });

  it('has a chance from 0 to 1', () => {
    expect(() => new RationalCoin(Rational.of(-1, 2))).toThrow(RangeError);
    expect(() => new RationalCoin(Rational.of(3, 2))).toThrow(RangeError);
  });
});
