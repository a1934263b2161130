import { describe, expect, it } from 'vitest';
import { clopperPearson } from '../../src/numeric/clopper-pearson.ts';
import { Xoshiro, type RandomSource } from '../../src/numeric/random.ts';
import { Rational } from '../../src/numeric/rational.ts';
import { Sampler } from '../../src/numeric/sampler.ts';

const law = (...texts: [number, number][]): Sampler => new Sampler(texts.map(([n, d]) => Rational.of(n, d)));

/** Words one after the other; how many were taken. */
function given(...list: number[]): RandomSource & { taken: number } {
  const source = {
    taken: 0,
    word: () => list[source.taken++]!,
  };
  return source;
}

const THIRD = 0x55555555;

describe('drawing from a law', () => {
  it('compares a uniform number with the cumulated probabilities', () => {
    const quarters = law([1, 4], [1, 2], [1, 4]);
    const drawn = [0, 2 ** 30 - 1, 2 ** 30 + 1, 3 * 2 ** 30 - 1, 3 * 2 ** 30 + 1, 2 ** 32 - 1];
    expect(drawn.map((word) => quarters.draw(given(word)))).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it('draws more digits only where those drawn do not decide', () => {
    const source = given(THIRD, THIRD, THIRD - 1);
    expect(law([1, 3], [2, 3]).draw(source)).toBe(0);
    expect(source.taken).toBe(3);
    expect(law([1, 3], [2, 3]).draw(given(THIRD, THIRD + 1))).toBe(1);
    const decided = given(5);
    law([1, 3], [2, 3]).draw(decided);
    expect(decided.taken).toBe(1);
  });

  it('shares the digits among all comparisons', () => {
    const step = Rational.of(1n, 2n ** 64n);
    const end = Rational.of(2n ** 32n + 1n, 2n ** 64n);
    const close = new Sampler([end, step, Rational.ONE.minus(end).minus(step)]);
    expect([0, 1, 2, 3].map((word) => close.draw(given(1, word, 1)))).toEqual([0, 1, 2, 2]);
  });

  it('never draws what cannot happen, and needs no word where only one thing can', () => {
    const source = given();
    expect(law([0, 1], [1, 1], [0, 1]).draw(given(0, 0, 1))).toBe(1);
    expect(law([1, 1]).draw(source)).toBe(0);
    expect(source.taken).toBe(0);
    const random = new Xoshiro(5);
    const some = law([1, 2], [0, 1], [1, 2], [0, 1]);
    expect(new Set(Array.from({ length: 200 }, () => some.draw(random)))).toEqual(new Set([0, 2]));
  });

  it('draws as often as the law says, also what is rare', () => {
    const weights = [Rational.of(1, 1000), Rational.of(1, 7), Rational.of(5993, 7000)];
    const sampler = new Sampler(weights);
    const source = new Xoshiro(11);
    const times = [0, 0, 0];
    const count = 200_000;
    for (let i = 0; i < count; i++) times[sampler.draw(source)]!++;
    times.forEach((each, index) => {
      const { lower, upper } = clopperPearson(each, count, 1 - 1e-6);
      const weight = weights[index]!;
      const p = Number(weight.numerator) / Number(weight.denominator);
      expect(lower).toBeLessThan(p);
      expect(upper).toBeGreaterThan(p);
    });
  });

  it('is only possible from a law', () => {
    expect(() => law([1, 2], [1, 3])).toThrow(RangeError);
    expect(() => law([-1, 2], [3, 2])).toThrow(RangeError);
    expect(() => law()).toThrow(RangeError);
  });
});
