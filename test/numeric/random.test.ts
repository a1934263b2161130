import { describe, expect, it } from 'vitest';
import { clopperPearson } from '../../src/numeric/binomial.ts';
import { below, bit, Xoshiro, type RandomSource } from '../../src/numeric/random.ts';

const words = (source: RandomSource, count: number): number[] => Array.from({ length: count }, () => source.word());

/** Words one after the other. */
const given = (...list: number[]): RandomSource => {
  let at = 0;
  return { word: () => list[at++]! };
};

describe('the source of random words', () => {
  it('is xoshiro128**, by the words of the reference code from the state 1, 2, 3, 4', () => {
    expect(words(new Xoshiro([1, 2, 3, 4]), 10)).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]);
  });

  it('gives the same words for the same seed, and others for another', () => {
    expect(words(new Xoshiro(7), 100)).toEqual(words(new Xoshiro(7), 100));
    const firsts = [0, 1, 2, 3, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1].map((seed) => words(new Xoshiro(seed), 4).join());
    expect(new Set(firsts).size).toBe(firsts.length);
  });

  it('has bits that are 1 half of the time, each of them', () => {
    const source = new Xoshiro(1);
    const ones = Array<number>(32).fill(0);
    const count = 20_000;
    for (let i = 0; i < count; i++) {
      const word = source.word();
      for (let place = 0; place < 32; place++) ones[place]! += (word >>> place) & 1;
    }
    for (const times of ones) {
      const { lower, upper } = clopperPearson(times, count, 1 - 1e-6);
      expect(lower).toBeLessThan(0.5);
      expect(upper).toBeGreaterThan(0.5);
    }
  });
});

describe('a whole number below another', () => {
  it('is each of them equally often', () => {
    const source = new Xoshiro(3);
    const times = Array<number>(7).fill(0);
    const count = 70_000;
    for (let i = 0; i < count; i++) times[below(7, source)]!++;
    for (const each of times) {
      const { lower, upper } = clopperPearson(each, count, 1 - 1e-6);
      expect(lower).toBeLessThan(1 / 7);
      expect(upper).toBeGreaterThan(1 / 7);
    }
  });

  it('passes over words that would make some of them likelier', () => {
    expect(below(3, given(2 ** 32 - 1, 4))).toBe(1);
    expect(below(2 ** 32, given(2 ** 32 - 1))).toBe(2 ** 32 - 1);
  });

  it('may be larger than a word', () => {
    expect(below(2 ** 53, given(2 ** 21 + 1, 5))).toBe(2 ** 32 + 5);
    expect(below(3 * 2 ** 51, given(2 ** 21 - 1, 0, 1, 7))).toBe(2 ** 32 + 7);
    const source = new Xoshiro(4);
    for (let i = 0; i < 1000; i++) expect(below(2 ** 40 + 1, source)).toBeLessThan(2 ** 40 + 1);
  });

  it('is 0 where it must be', () => {
    expect(below(1, given(123))).toBe(0);
  });
});

describe('a bit', () => {
  it('is the highest of a word', () => {
    expect([bit(given(2 ** 31 - 1)), bit(given(2 ** 31))]).toEqual([0, 1]);
  });
});
