import { describe, expect, it } from 'vitest';
import { FiniteMechanism } from './finite-mechanism.ts';
import { PairVerification, type Pair } from './pair-verification.ts';
import { endless, fraction, gateVerification, mDelta, once, threeQuarters } from './mechanisms.ts';

const accepts = (verification: PairVerification, pairs: readonly Pair[]): boolean => {
  let stage: string | null = verification.start;
  for (const pair of pairs) stage = stage === null ? null : verification.after(stage, pair);
  return stage !== null;
};

describe('a verification function', () => {
  it('g of Thm 5.2 accepts at most two pairs of bits, of which at most one differs', () => {
    const [equal, other, different]: Pair[] = [
      ['0', '0'],
      ['1', '1'],
      ['0', '1'],
    ];
    for (const valid of [[], [equal], [different], [equal, different], [different, other], [other, equal]]) {
      expect(accepts(gateVerification, valid as Pair[])).toBe(true);
    }
    for (const wrong of [[different, different], [equal, equal, equal], [['0', '2']], [['T', 'T']]]) {
      expect(accepts(gateVerification, wrong as Pair[])).toBe(false);
    }
  });

  it('has a longest sequence, or none', () => {
    expect([gateVerification.longest(), once.longest(), endless.longest()]).toEqual([2, 1, null]);
    const detour = new PairVerification({
      start: 'a',
      allows: [
        { from: 'a', pairs: [['0', '0']], to: 'c' },
        { from: 'a', pairs: [['1', '1']], to: 'b' },
        { from: 'b', pairs: [['0', '0']], to: 'c' },
        { from: 'c', pairs: [['0', '0']], to: 'd' },
      ],
    });
    expect(detour.longest()).toBe(3);
  });

  it('finds messages that a mechanism does not answer, under the secret bit under which they arrive', () => {
    expect(gateVerification.unanswered(mDelta(fraction('1/10')))).toEqual([]);
    expect(endless.unanswered(threeQuarters)).toEqual([]);
    const remembering = new FiniteMechanism({
      start: 's',
      transitions: [
        { from: 's', messages: ['0'], answer: 'ok', to: 'saw 0', probability: fraction('1') },
        { from: 's', messages: ['1'], answer: 'ok', to: 'saw 1', probability: fraction('1') },
        { from: 'saw 0', messages: ['0'], answer: 'ok', to: 's', probability: fraction('1') },
        { from: 'saw 1', messages: ['1'], answer: 'ok', to: 's', probability: fraction('1') },
      ],
    });
    const directed: readonly Pair[] = [['0', '1']];
    const twice = {
      start: 'a',
      allows: [
        { from: 'a', pairs: directed, to: 'b' },
        { from: 'b', pairs: directed, to: 'c' },
      ],
    };
    expect(new PairVerification(twice).unanswered(remembering)).toEqual([]);
    const back: Pair[] = [['1', '0']];
    const turned = {
      start: 'a',
      allows: [
        { from: 'a', pairs: directed, to: 'b' },
        { from: 'b', pairs: back, to: 'c' },
      ],
    };
    expect(new PairVerification(turned).unanswered(remembering)).toEqual([
      { stage: 'b', state: 'saw 0', message: '1' },
      { stage: 'b', state: 'saw 1', message: '0' },
    ]);
  });
});
