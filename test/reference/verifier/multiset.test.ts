import { fc } from '../properties.ts';
import { describe, expect, it } from 'vitest';
import { many, replaced, type Multiset } from './multiset.ts';

/** Every number as often as it is in there. */
const listed = (multiset: Multiset): number[] =>
  Array.from({ length: multiset.length / 2 }, (_, i) =>
    Array<number>(multiset[2 * i + 1]!).fill(multiset[2 * i]!),
  ).flat();

describe('a multiset', () => {
  it('is written in order, equal numbers together', () => {
    expect(replaced(many(3, 3), 3, 7)).toEqual([3, 2, 7, 1]);
    expect(replaced([3, 2, 7, 1], 7, 1)).toEqual([1, 1, 3, 2]);
    expect(replaced([3, 2, 7, 1], 3, 7)).toEqual([3, 1, 7, 2]);
    expect(replaced([3, 1], 3, 3)).toEqual([3, 1]);
  });

  it('has one number replaced by another', () => {
    const small = fc.integer({ min: 0, max: 4 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(), small), { maxLength: 20 }), (changes) => {
        let multiset = many(2, 5);
        let list = [2, 2, 2, 2, 2];
        for (const [which, to] of changes) {
          const from = list[which % list.length]!;
          multiset = replaced(multiset, from, to);
          list = list.with(list.indexOf(from), to).sort((a, b) => a - b);
          expect(listed(multiset)).toEqual(list);
          expect(multiset.filter((_, i) => i % 2 === 0)).toEqual([...new Set(list)]);
        }
      }),
    );
  });
});
