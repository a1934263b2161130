import { describe, expect, it } from 'vitest';
import { gateVerification } from '../../../src/composition/attack/m-delta.ts';
import { PairVerification, type Pair } from '../../../src/composition/attack/interaction/pair-verification.ts';
import { endless } from '../../composition/attack/interaction/mechanisms.ts';
import { asymmetricExample } from './examples/asymmetric.ts';
import { isClosedUnderSwapping, swapClosure } from './swap-closure.ts';

const asymmetric = new PairVerification(asymmetricExample.verification);

const accepts = (verification: PairVerification, pairs: readonly Pair[]): boolean => {
  let stage: string | null = verification.start;
  for (const pair of pairs) stage = stage === null ? null : verification.after(stage, pair);
  return stage !== null;
};

describe('a verification function', () => {
  it('is closed under swapping if every sequence may be swapped as a whole', () => {
    expect(isClosedUnderSwapping(gateVerification)).toBe(true);
    expect(isClosedUnderSwapping(endless)).toBe(true);
    expect(isClosedUnderSwapping(asymmetric)).toBe(false);
    const either = new PairVerification({
      start: 'a',
      allows: [
        { from: 'a', pairs: [['0', '1']], to: 'b' },
        { from: 'a', pairs: [['1', '0']], to: 'c' },
        { from: 'b', pairs: [['0', '1']], to: 'd' },
        { from: 'c', pairs: [['1', '0']], to: 'd' },
      ],
    });
    expect(isClosedUnderSwapping(either)).toBe(true);
    const half = new PairVerification({
      start: 'a',
      allows: [
        {
          from: 'a',
          pairs: [
            ['0', '1'],
            ['1', '0'],
          ],
          to: 'b',
        },
        { from: 'b', pairs: [['0', '1']], to: 'c' },
      ],
    });
    expect(isClosedUnderSwapping(half)).toBe(false);
  });

  it('has a closure under swapping that accepts its sequences and the swapped ones, and no others', () => {
    const closure = swapClosure(asymmetric);
    expect(isClosedUnderSwapping(closure)).toBe(true);
    expect(closure.longest()).toBe(2);
    expect(
      accepts(closure, [
        ['0', '0'],
        ['0', '1'],
      ]),
    ).toBe(true);
    expect(
      accepts(closure, [
        ['0', '0'],
        ['1', '0'],
      ]),
    ).toBe(true);
    expect(accepts(closure, [['0', '1']])).toBe(false);
    const two = swapClosure(
      new PairVerification({
        start: 'a',
        allows: [
          { from: 'a', pairs: [['0', '1']], to: 'b' },
          { from: 'b', pairs: [['0', '1']], to: 'c' },
        ],
      }),
    );
    expect(
      accepts(two, [
        ['1', '0'],
        ['1', '0'],
      ]),
    ).toBe(true);
    expect(
      accepts(two, [
        ['1', '0'],
        ['0', '1'],
      ]),
    ).toBe(false);
  });
});
