import { describe, expect, it } from 'vitest';
import { HALT } from '../../../src/composition/attack/conversation.ts';
import {
  Announcement,
  dataThenMessages,
  NumberAdversary,
  obliviousAttack,
  say,
} from '../../../src/composition/attack/oblivious.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { Xoshiro } from '../../../src/numeric/random.ts';

describe('a guarantee for messages that are fixed in advance (TC-42)', () => {
  it('of 0.1 is kept with 1/10, and broken with 1 by who reads the announcement', () => {
    const { many, oblivious, adaptive } = obliviousAttack(new Decimal('0.1'), { runs: 5000, seed: 8 });
    expect(many).toBe(10);
    expect([oblivious.exact, adaptive.exact].map(String)).toEqual(['1/10', '1']);
    expect(oblivious.simulated!.interval!.lower).toBeLessThan(0.1);
    expect(oblivious.simulated!.interval!.upper).toBeGreaterThan(0.1);
    expect(adaptive.simulated!.times).toBe(5000);
  });

  it('is never broken by less than the announcement allows: there are ceil(1 / delta) numbers', () => {
    const numbers = ['1', '0.6', '0.3', '1e-6', '1e-15'].map((delta) => obliviousAttack(new Decimal(delta), null).many);
    expect(numbers).toEqual([1, 2, 4, 1_000_000, 1e15]);
  });

  it('is the same for the same seed, and tells how far it is', () => {
    const shares: number[] = [];
    const run = (seed: number) =>
      obliviousAttack(new Decimal('0.1'), { runs: 200, seed, progress: (share) => shares.push(share) });
    expect(run(1).oblivious).toEqual(run(1).oblivious);
    expect(run(1).oblivious).not.toEqual(run(2).oblivious);
    expect(Math.min(...shares)).toBe(0);
    expect(Math.max(...shares)).toBeLessThan(1);
    expect(obliviousAttack(new Decimal('0.1'), null).adaptive.simulated).toBeNull();
  });
});

describe('the mechanism that announces a number', () => {
  it('publishes its data to whoever says that number next, and only then', () => {
    const mechanism = new Announcement(1, new Xoshiro(1));
    expect([mechanism.answer('1'), mechanism.answer(say(1)), mechanism.answer(say(1))]).toEqual(['1', '1', HALT]);
    const other = new Announcement(1, new Xoshiro(1));
    expect([other.answer('0'), other.answer(say(2)), other.answer(say(1))]).toEqual(['1', 'nothing', HALT]);
  });

  it('begins with data', () => {
    expect(new Announcement(5, new Xoshiro(1)).answer(say(1))).toBe(HALT);
  });

  it('is asked with one pair of data sets, and then with equal messages', () => {
    const broken = 'first two data sets, then the same message twice';
    const accepted = (...pairs: [string, string][]): (string | null)[] => {
      const verification = dataThenMessages();
      return pairs.map((pair) => verification(pair));
    };
    expect(accepted(['0', '1'], ['say 3', 'say 3'])).toEqual([null, null]);
    expect(accepted(['0', '1'], ['say 3', 'say 4'])).toEqual([null, broken]);
    expect(accepted(['say 3', 'say 3'])).toEqual([broken]);
  });

  it('meets adversaries of both kinds', () => {
    const fixed = new NumberAdversary(4);
    expect([fixed.next(null), fixed.next('7'), fixed.next('nothing')]).toEqual([['0', '1'], ['say 4', 'say 4'], null]);
    expect(fixed.received).toBe('nothing');
    const adaptive = new NumberAdversary(null);
    expect([adaptive.next(null), adaptive.next('7')]).toEqual([
      ['0', '1'],
      ['say 7', 'say 7'],
    ]);
  });
});
