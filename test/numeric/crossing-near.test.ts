import { describe, expect, it } from 'vitest';
import { crossingNear } from '../../src/numeric/bracket-root.ts';
import { enclosure, exactly, width } from '../../src/numeric/enclosure.ts';
import { fc } from '../reference/properties.ts';

const anywhere = enclosure(0, Infinity);

describe('where a function crosses a target', () => {
  it('is enclosed whatever slope and place are told', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 50, noNaN: true }),
        fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
        fc.double({ min: 0.2, max: 5, noNaN: true }),
        fc.double({ min: 1e-12, max: 0.3, noNaN: true }),
        (root, told, place, noise) => {
          const evaluate = (x: number) => enclosure(root ** 2 - x ** 2 - noise, root ** 2 - x ** 2 + noise);
          const found = crossingNear({
            evaluate,
            target: exactly(0),
            start: root * place,
            slope: told,
            within: anywhere,
          });
          expect(found.lower).toBeLessThanOrEqual(root);
          expect(found.upper).toBeGreaterThanOrEqual(root);
          expect(width(found)).toBeLessThanOrEqual(
            1.5 * (Math.sqrt(root ** 2 + noise) - Math.sqrt(Math.max(0, root ** 2 - noise))) + 1e-12,
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('stays within what is known where the function says nothing', () => {
    const within = enclosure(1, 4);
    const evaluate = () => enclosure(-Infinity, 0);
    expect(crossingNear({ evaluate, target: exactly(-1), start: 2, slope: 1, within })).toEqual(within);
  });

  it('is found beside a corner, where the slope misleads', () => {
    const evaluate = (x: number) => exactly(x < 2 ? -1e-6 * x : -1e-6 * 2 - 1e4 * (x - 2));
    const found = crossingNear({ evaluate, target: exactly(-1), start: 1.5, slope: 1e-6, within: anywhere });
    expect(found.lower).toBeLessThanOrEqual(2.0001);
    expect(found.upper).toBeGreaterThanOrEqual(2.0000999);
    expect(width(found)).toBeLessThan(1e-6);
  });
});
