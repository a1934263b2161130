import { describe, expect, it } from 'vitest';
import {
  type Participation,
  treeSquaredSensitivity,
  type TreeNodes,
} from '../../../src/privacy/tree-and-band-sensitivity.ts';
import { fc } from '../../reference/properties.ts';
import { shareOf, someOf } from '../../reference/share.ts';

/** The nodes of one tree over the steps from `start`, each as its steps of the run. */
function nodesOf(start: number, leaves: number, nodes: TreeNodes): number[][] {
  const found: number[][] = [];
  for (let width = 1, last = false; !last; width *= 2) {
    last = width >= leaves;
    for (let from = 0; from < leaves; from += width) {
      if (nodes === 'completed' && from + width > leaves) continue;
      found.push(Array.from({ length: Math.min(width, leaves - from) }, (_, i) => start + from + i));
    }
  }
  return found;
}

/** The largest sum of squares by the number of participations and their least distance, over all sets of steps. */
function largestSums(steps: number, nodes: TreeNodes, restartEvery: number): (count: number, gap: number) => number {
  const trees = Array.from({ length: Math.ceil(steps / restartEvery) }, (_, i) =>
    nodesOf(i * restartEvery, Math.min(restartEvery, steps - i * restartEvery), nodes),
  ).flat();
  const best = new Map<string, number>();
  for (let set = 1; set < 2 ** steps; set++) {
    const chosen = Array.from({ length: steps }, (_, i) => i).filter((i) => ((set >> i) & 1) === 1);
    const gap = chosen.reduce((least, step, i) => (i === 0 ? least : Math.min(least, step - chosen[i - 1]!)), steps);
    const sum = trees.reduce((all, node) => all + node.filter((step) => ((set >> step) & 1) === 1).length ** 2, 0);
    const key = `${chosen.length} ${gap}`;
    best.set(key, Math.max(best.get(key) ?? 0, sum));
  }
  return (count, gap) => best.get(`${count} ${gap}`) ?? 0;
}

const TREES = Array.from({ length: 12 }, (_, i) => i + 1).flatMap((steps) =>
  (['all', 'completed'] as const).flatMap((nodes) =>
    [...new Set([steps, 1, 3, 5, 8].filter((every) => every <= steps))].map((every) => ({ steps, nodes, every })),
  ),
);

/** The squared sensitivity, which is to be exact. */
function exact(participation: Participation, nodes: TreeNodes, restartEvery?: number): number {
  const found = treeSquaredSensitivity(participation, nodes, restartEvery);
  if (found?.isExact !== true) throw new Error('It is not exact.');
  return found.square;
}

describe('the sensitivity of tree aggregation', () => {
  it.each(someOf(TREES, 20))('is that of the worst set of steps: %o', ({ steps, nodes, every }) => {
    const largest = largestSums(steps, nodes, every);
    for (let separation = 1; separation <= steps + 1; separation++) {
      let worst = 0;
      for (let participations = 1; participations <= steps; participations++) {
        for (let gap = separation; gap <= steps; gap++) worst = Math.max(worst, largest(participations, gap));
        // One participation has a gap of all steps.
        worst = Math.max(worst, largest(1, steps));
        expect(exact({ steps, participations, separation }, nodes, every)).toBe(worst);
      }
    }
  });

  it('is not always reached by steps that are equally far apart', () => {
    // 0, 3, 6, 12, 15 in one tree of 16; the best of 0, 3, 6, 9, 12 and its shifts has 55.
    expect(exact({ steps: 16, participations: 5, separation: 3 }, 'all')).toBe(57);
  });

  it('is the height of the tree where a person takes part once, of those nodes that are completed', () => {
    for (const steps of [1, 2, 3, 4, 7, 8, 1000, 1024, 1_000_000, 1e15]) {
      const once = { steps, participations: 1, separation: 1 };
      expect(exact(once, 'completed')).toBe(Math.floor(Math.log2(steps)) + 1);
      expect(exact(once, 'all')).toBe(Math.ceil(Math.log2(steps)) + 1);
    }
  });

  it('adds up over trees that are begun anew, one participation in each', () => {
    const epochs = { steps: 1000, participations: 10, separation: 100 };
    expect(exact(epochs, 'completed', 100)).toBe(10 * 7);
  });

  it('does not shrink with more steps, more participations or less separation, nor with more nodes', () => {
    const number = fc.integer({ min: 1, max: 60 });
    fc.assert(
      fc.property(
        number,
        number,
        number,
        fc.constantFrom('all', 'completed'),
        (steps, participations, separation, nodes) => {
          const of = (n: number, k: number, b: number, which: TreeNodes = nodes): number =>
            exact({ steps: n, participations: k, separation: b }, which);
          const here = of(steps, participations, separation);
          expect(of(steps + 1, participations, separation)).toBeGreaterThanOrEqual(here);
          expect(of(steps, participations + 1, separation)).toBeGreaterThanOrEqual(here);
          expect(of(steps, participations, separation + 1)).toBeLessThanOrEqual(here);
          expect(here).toBeGreaterThanOrEqual(of(steps, 1, 1));
          expect(of(steps, participations, separation, 'all')).toBeGreaterThanOrEqual(
            of(steps, participations, separation, 'completed'),
          );
        },
      ),
      { numRuns: shareOf(1000) },
    );
  });

  it('is found for long runs', () => {
    expect(exact({ steps: 1e6, participations: 100, separation: 10_000 }, 'completed')).toBe(8670);
    expect(exact({ steps: 1e9, participations: 100, separation: 37 }, 'completed')).toBe(190_886);
    expect(exact({ steps: 1e6, participations: 1000, separation: 1 }, 'all')).toBe(12_002_008);
  });

  it('is bounded from above, closely, where there are too many ways', () => {
    // The best of participations that are equally far apart, from any step on.
    const apart = ({ steps, participations, separation }: Participation): number => {
      let most = 0;
      for (let start = 0; start + (participations - 1) * separation < steps && start < 2048; start++) {
        let sum = 0;
        for (let width = 1; width < 2 * steps; width *= 2) {
          const counts = new Map<number, number>();
          for (let i = 0; i < participations; i++) {
            const node = Math.floor((start + i * separation) / width);
            counts.set(node, (counts.get(node) ?? 0) + 1);
          }
          for (const count of counts.values()) sum += count * count;
        }
        most = Math.max(most, sum);
      }
      return most;
    };
    for (const [steps, participations, separation] of [
      [102_300, 100, 1023],
      [1e6, 200, 1000],
    ] as const) {
      const pattern = { steps, participations, separation };
      const found = treeSquaredSensitivity(pattern, 'all');
      const reached = apart(pattern);
      expect(found?.isExact).toBe(false);
      expect(found?.square).toBeGreaterThanOrEqual(reached);
      expect(found?.square).toBeLessThan(reached * 1.01);
    }
  });

  it('is not told of more participations than can be looked at', () => {
    expect(treeSquaredSensitivity({ steps: 1e6, participations: 1e6, separation: 1 }, 'all')).toBeNull();
  });
});
