import { describe, expect, it } from 'vitest';
import { meetingsOf, sampled } from '../../../src/numeric/convex/samples.ts';
import { enclosure } from '../../../src/numeric/enclosure.ts';
import { fc } from '../../reference/properties.ts';

/** max over lines of height - slope x, and 0: convex, decreasing, with values known to 1e-14. */
const functionOf =
  (lines: readonly (readonly [number, number])[]) =>
  (x: number): number =>
    Math.max(0, ...lines.map(([height, slope]) => height - slope * x));

const lines = fc.array(
  fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 0.9, noNaN: true })),
  { minLength: 1, maxLength: 5 },
);

const around = (y: number) => enclosure(Math.max(0, y - 1e-14), y + 1e-14);

describe('samples of a convex function', () => {
  it('bound it from below by the chords beside them, prolonged, and find its corners', () => {
    fc.assert(
      fc.property(lines, (all) => {
        const f = functionOf(all);
        const samples = sampled({
          evaluate: (at) => around(f(Math.exp(at))),
          first: [0, 1, 3],
          steepest: -1,
          gains: (known, meetings) =>
            meetings.map(({ x, value }, i) => {
              const [left, right] = [known[i]!, known[i + 1]!];
              const share = (x - left.x.lower) / (right.x.lower - left.x.lower);
              const gain = left.value.upper * (1 - share) + right.value.upper * share - value;
              return gain > 1e-9 ? gain : 0;
            }),
          limit: 200,
        });
        const meetings = meetingsOf(samples, -1);
        meetings.forEach(({ x, value }, i) => {
          expect(value).toBeLessThanOrEqual(f(x) + 1e-15);
          expect(x).toBeGreaterThanOrEqual(samples[i]!.x.lower);
          expect(x).toBeLessThanOrEqual(samples[i + 1]!.x.upper);
          // Between two samples next to each other little is left open.
          expect(f(x) - value).toBeLessThan(1e-6);
        });
      }),
      { numRuns: 300 },
    );
  });

  it('are no more than are asked for', () => {
    const samples = sampled({
      evaluate: (at) => around(Math.exp(-Math.exp(at))),
      first: [0, 1, 2],
      steepest: -1,
      gains: (_, meetings) => meetings.map(() => 1),
      limit: 20,
    });
    expect(samples).toHaveLength(20);
    expect(samples.map(({ at }) => at)).toEqual(samples.map(({ at }) => at).sort((a, b) => a - b));
  });
});
