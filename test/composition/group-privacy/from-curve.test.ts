import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { lastPassing, type Steps } from '../../../src/composition/group-privacy/from-curve.ts';

const LOGARITHMIC = { of: Math.log, back: Math.exp };

/** A search for the last step at which `cost` is at most a limit, and how often it tried. */
function search(cost: (step: number) => number, limit: number, rest: Omit<Steps, 'attempt'>) {
  const tried: number[] = [];
  const found = lastPassing({
    ...rest,
    attempt: (step) => {
      tried.push(step);
      return { passes: cost(step) <= limit, excess: Math.log(cost(step) / limit) };
    },
  });
  return { found, tried };
}

describe('the last step that passes', () => {
  it('is that of a scan, wherever the search begins', () => {
    const cost = fc.array(fc.nat(20), { minLength: 1, maxLength: 60 }).map((rises) => {
      let sum = 0;
      return rises.map((rise) => (sum += rise));
    });
    fc.assert(
      fc.property(cost, fc.nat(400), fc.integer({ min: -5, max: 70 }), (costs, limit, start) => {
        const scanned = costs.filter((each) => each <= limit).length;
        const { found, tried } = search((step) => costs[step - 1]!, limit, { first: 1, last: costs.length, start });
        expect(found).toBe(scanned === 0 ? null : scanned);
        expect(new Set(tried).size).toBe(tried.length);
        expect(tried.every((step) => step >= 1 && step <= costs.length)).toBe(true);
      }),
    );
  });

  it('passes while the next does not, also where passing does not end once for all', () => {
    const flags = fc.array(fc.boolean(), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(flags, fc.integer({ min: 1, max: 60 }), (passes, start) => {
        const attempt = (step: number) => ({ passes: passes[step - 1]!, excess: NaN });
        const found = lastPassing({ first: 1, last: passes.length, start, attempt });
        if (found === null) expect(passes[0]).toBe(false);
        else expect([passes[found - 1], passes[found] ?? false]).toEqual([true, false]);
      }),
    );
  });

  it('is found in few tries among 2^53, where the cost is a power', () => {
    const exponent = fc.double({ min: 0.5, max: 2, noNaN: true });
    const place = fc.double({ min: 0, max: 36, noNaN: true }).map((x) => Math.floor(Math.exp(x)));
    fc.assert(
      fc.property(exponent, place, (power, crossing) => {
        const steps = { first: 1, last: Number.MAX_SAFE_INTEGER, start: 1, scale: LOGARITHMIC };
        const tried: number[] = [];
        const attempt = (step: number) => {
          tried.push(step);
          return { passes: step <= crossing, excess: power * Math.log(step / (crossing + 0.5)) };
        };
        expect(lastPassing({ ...steps, attempt })).toBe(crossing);
        expect(tried.length).toBeLessThan(20);
      }),
    );
  });

  it('is the last of all where all pass', () => {
    const { found, tried } = search(() => 0, 1, { first: 1, last: Number.MAX_SAFE_INTEGER, start: 7 });
    expect(found).toBe(Number.MAX_SAFE_INTEGER);
    expect(tried.length).toBeLessThan(70);
  });

  it('is the last one known where the search is cut short', () => {
    let left = 3;
    const { found, tried } = search((step) => step, 1000, {
      first: 1,
      last: 1e6,
      start: 10,
      exhausted: () => left-- <= 0,
    });
    expect(tried.filter((step) => step <= 1000)).toContain(found);
  });
});
