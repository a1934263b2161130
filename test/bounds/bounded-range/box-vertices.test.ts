import { describe, expect, test } from 'vitest';
import { boxVertices } from '../../../src/bounds/bounded-range/box-vertices.ts';
import { thresholdSets } from '../../../src/bounds/bounded-range/threshold-sets.ts';
import { decimal } from '../../mechanisms.ts';
import { fc } from '../../reference/properties.ts';

const part = fc.double({ min: 0, max: 1, noNaN: true });
const vector = fc.array(part, { minLength: 4, maxLength: 4 });

/** The chances of the larger and of the smaller loss under P, and the losses. */
function outcomesOf(e: number, t: number): { chance: number; loss: number; small: number }[] {
  const q = -Math.expm1(t - e) / -Math.expm1(-e);
  return [
    { chance: q * Math.exp(-t), loss: t, small: 0 },
    { chance: (1 - q) * Math.exp(e - t), loss: t - e, small: e },
  ];
}

describe('what the vertices of a box of choices say of all choices inside', () => {
  const cases = fc
    .record({
      counts: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
      sizes: vector,
      ends: vector,
      others: vector,
      at: vector,
      share: part,
      index: part,
    })
    .map(({ counts, sizes, ends, others, at, share, index }) => {
      const epsilons = counts.map((_, p) => Number((0.05 + 1.9 * sizes[p]! + 0.0013 * p).toPrecision(6)));
      const total = epsilons.reduce((sum, e, p) => sum + e * counts[p]!, 0);
      const sets = thresholdSets(epsilons.map((e, p) => ({ epsilon: decimal(String(e)), count: counts[p]! })));
      if (!sets || sets.size === 0) return null;
      const { set, free } = sets.threshold(Math.min(sets.size - 1, Math.floor(index * sets.size)));
      const lower = epsilons.map((e, p) => e * Math.min(ends[p]!, others[p]!));
      const upper = epsilons.map((e, p) => e * Math.max(ends[p]!, others[p]!));
      const inside = epsilons.map((_, p) => lower[p]! + (upper[p]! - lower[p]!) * at[p]!);
      const sum = inside.reduce((s, t, p) => s + (free[p] === true ? 0 : t * counts[p]!), 0);
      return {
        sets,
        inside,
        epsilon: (2 * share - 1) * total,
        box: { set, free, lower, upper, from: sum - 0.1, to: sum + 0.02 },
      };
    })
    .filter((made) => made !== null);

  /** Every outcome of one mechanism after the other: its index among the outcomes, chance, loss and sum of e's. */
  function enumerated(
    counts: readonly number[],
    epsilons: readonly number[],
    strides: readonly number[],
    ts: readonly number[],
  ) {
    let all = [{ index: 0, chance: 1, loss: 0, small: 0 }];
    counts.forEach((k, p) => {
      for (let n = 0; n < k; n++) {
        all = all.flatMap((one) =>
          outcomesOf(epsilons[p]!, ts[p]!).map(({ chance, loss, small }) => ({
            index: one.index + (small > 0 ? strides[p]! : 0),
            chance: one.chance * chance,
            loss: one.loss + loss,
            small: one.small + small,
          })),
        );
      }
    });
    return all;
  }

  test('none gains more by the set than the bound', () => {
    fc.assert(
      fc.property(cases, ({ sets, inside, epsilon, box }) => {
        const gain = enumerated(sets.counts, sets.epsilons, sets.strides, inside)
          .filter(({ index }) => box.set[index] === 1)
          .reduce((sum, { chance, loss }) => sum + chance * (Math.exp(loss) - Math.exp(epsilon)), 0);
        expect(boxVertices(sets, epsilon).bound(box)).toBeGreaterThanOrEqual(gain);
      }),
      { numRuns: 400 },
    );
  });

  test('at a single point the bound is what is gained there', () => {
    fc.assert(
      fc.property(cases, ({ sets, inside, epsilon, box }) => {
        const gain = enumerated(sets.counts, sets.epsilons, sets.strides, inside)
          .filter(({ index }) => box.set[index] === 1)
          .reduce((sum, { chance, loss }) => sum + chance * (Math.exp(loss) - Math.exp(epsilon)), 0);
        const bound = boxVertices(sets, epsilon).bound({ ...box, lower: inside, upper: inside });
        expect(Math.abs(bound - gain)).toBeLessThanOrEqual(1e-9 * (1 + Math.exp(epsilon) + Math.exp(box.to)));
      }),
      { numRuns: 200 },
    );
  });

  test('the mean of e^-x where one mechanism decides lies in its window', () => {
    fc.assert(
      fc.property(cases, ({ sets, inside, epsilon, box }) => {
        const windows = boxVertices(sets, epsilon).windows(box);
        sets.counts.forEach((k, p) => {
          if (box.free[p] === true) return;
          const others = sets.counts.map((count, r) => (box.free[r] === true ? 0 : count - (r === p ? 1 : 0)));
          const deciding = enumerated(others, sets.epsilons, sets.strides, inside).filter(
            ({ index }) => box.set[index] === 1 && box.set[index + sets.strides[p]!] === 0,
          );
          expect(k).toBeGreaterThan(0);
          const chance = deciding.reduce((sum, one) => sum + one.chance, 0);
          const mean = deciding.reduce((sum, one) => sum + one.chance * Math.exp(-one.small), 0) / chance;
          if (!(chance > 1e-9)) return;
          const [least, most] = windows[p]!;
          expect(-Math.log(mean)).toBeGreaterThanOrEqual(least - 1e-9);
          expect(-Math.log(mean)).toBeLessThanOrEqual(most + 1e-9);
        });
      }),
      { numRuns: 400 },
    );
  });
});
