import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { certainOrder, type TwoFunctions } from '../../../src/numeric/convex/certain-order.ts';
import { enclosure, exactly } from '../../../src/numeric/enclosure.ts';

/** Two functions whose values are enclosed to one part in 1e12. */
const two = (first: (x: number) => number, second: (x: number) => number, more: Partial<TwoFunctions> = {}) =>
  certainOrder({
    evaluate: (x) => ({
      x: exactly(x),
      values: [first, second].map((f) => enclosure(f(x) * (1 - 1e-12), f(x) * (1 + 1e-12))) as never,
    }),
    nodes: [0, 1, 2, 3, 4],
    middle: (a, b) => (a + b) / 2,
    length: (a, b) => b - a,
    narrowest: 1e-6,
    isConvex: true,
    ...more,
  });

describe('the certain order of two falling functions', () => {
  it('is known everywhere where one is below the other', () => {
    expect(
      two(
        (x) => Math.exp(-x) * 0.99,
        (x) => Math.exp(-x),
      ),
    ).toEqual([{ from: 0, to: 4, smaller: 'first' }]);
    expect(
      two(
        (x) => Math.exp(-x),
        (x) => Math.exp(-x) * 0.99,
      ),
    ).toEqual([{ from: 0, to: 4, smaller: 'second' }]);
  });

  it('is settled by slopes alone where they are not convex', () => {
    const stretches = two(
      (x) => 1 - x / 10,
      (x) => 1.2 - x / 10,
      { isConvex: false },
    );
    expect(stretches).toEqual([{ from: 0, to: 4, smaller: 'first' }]);
  });

  it('is not looked for where it would take more points than there are', () => {
    let looks = 0;
    const stretches = two(
      (x) => {
        looks++;
        return Math.exp(-x) * 0.999;
      },
      (x) => Math.exp(-x),
      { isConvex: false },
    );
    expect(stretches).toEqual([{ from: 0, to: 4, smaller: null }]);
    expect(looks).toBeLessThan(12);
  });

  it('is looked for up to where enclosures of convex functions nearly meet, and no nearer', () => {
    let looks = 0;
    const stretches = certainOrder({
      evaluate: (x) => {
        looks++;
        const [low, high] = [0.995 * Math.exp(-x), 1.005 * Math.exp(-x)];
        return { x: exactly(x), values: [enclosure(low, high), exactly(0.5 * Math.exp(-x / 2))] };
      },
      nodes: [0, 1, 2, 3, 4],
      middle: (a, b) => (a + b) / 2,
      length: (a, b) => b - a,
      narrowest: 1e-9,
      isConvex: true,
    });
    // They cross at 2 ln 2.
    expect(stretches.map(({ smaller }) => smaller)).toEqual(['second', null, 'first']);
    expect(stretches[1]!.from).toBeGreaterThan(2 * Math.LN2 - 0.1);
    expect(stretches[1]!.to).toBeLessThan(2 * Math.LN2 + 0.1);
    expect(looks).toBeLessThan(70);
  });

  it('encloses a crossing', () => {
    const stretches = two(
      (x) => 2 * Math.exp(-2 * x),
      (x) => Math.exp(-x),
    );
    expect(stretches.map(({ smaller }) => smaller)).toEqual(['second', null, 'first']);
    const [, crossing] = stretches;
    expect(crossing!.from).toBeLessThan(Math.LN2);
    expect(crossing!.to).toBeGreaterThan(Math.LN2);
    expect(crossing!.to - crossing!.from).toBeLessThan(2e-6);
  });

  it('tells where both are 0, and counts nothing below 0', () => {
    const down = (to: number) => (x: number) => Math.max(0, to - x);
    expect(two(down(1), down(3))).toEqual([
      { from: 0, to: 3, smaller: 'first' },
      { from: 3, to: 4, smaller: 'both-0' },
    ]);
  });

  it('is not known where both are the same, and is not looked for in vain', () => {
    let asked = 0;
    const f = (x: number): number => {
      asked++;
      return Math.exp(-x);
    };
    expect(two(f, (x) => Math.exp(-x))).toEqual([{ from: 0, to: 4, smaller: null }]);
    expect(asked).toBe(10);
  });

  it('is never wrong', () => {
    const term = fc.record({
      size: fc.double({ min: 0.01, max: 3, noNaN: true }),
      rate: fc.double({ min: 0, max: 3, noNaN: true }),
    });
    const sum = (terms: readonly { size: number; rate: number }[]) => (x: number) =>
      terms.reduce((total, { size, rate }) => total + size * Math.exp(-rate * x), 0);
    const terms = fc.array(term, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(terms, terms, fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true }), (a, b, isConvex, share) => {
        const [first, second] = [sum(a), sum(b)];
        for (const { from, to, smaller } of two(first, second, { isConvex, narrowest: 1e-3 })) {
          const x = from + share * (to - from);
          if (smaller === 'first') expect(first(x)).toBeLessThan(second(x));
          if (smaller === 'second') expect(second(x)).toBeLessThan(first(x));
        }
      }),
    );
  });
});
