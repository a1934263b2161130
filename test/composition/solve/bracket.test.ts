import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { bracket, type BracketQuestion, type Standing, type Tried } from '../../../src/composition/solve/bracket.ts';

const LOGARITHMIC = { of: Math.log, back: Math.exp };

/** What is known of a step whose true excess is known only to a width on either side. */
const tried = (excess: number, width: number): Tried => {
  const [above, below] = [excess + width, excess - width];
  const standing: Standing = above <= 0 ? 'within' : below > 0 ? 'exceeds' : 'open';
  return { standing, above, below, noise: width === 0 ? 0 : 2 * width };
};

/** A search, with what was tried at each level. */
function search(question: Omit<BracketQuestion, 'levels'>, ...levels: readonly ((step: number) => Tried)[]) {
  const steps: number[][] = levels.map(() => []);
  const watched = levels.map((level, at) => (step: number) => {
    steps[at]!.push(step);
    return level(step);
  });
  return { found: bracket({ ...question, levels: watched }), steps };
}

const power = fc.double({ min: 0.5, max: 25, noNaN: true });
const place = fc.double({ min: 0, max: 30, noNaN: true }).map((x) => Math.exp(x));

describe('where being within ends', () => {
  it('is the same as by a scan, wherever the search begins and however the cost rises', () => {
    const costs = fc.array(fc.nat(20), { minLength: 1, maxLength: 60 }).map((rises) => {
      let sum = 0;
      return rises.map((rise) => (sum += rise));
    });
    fc.assert(
      fc.property(costs, fc.nat(400), fc.integer({ min: -5, max: 70 }), fc.boolean(), (all, limit, start, exact) => {
        const scanned = all.filter((each) => each <= limit).length;
        const { found, steps } = search({ first: 1, last: all.length, start, exact, scale: LOGARITHMIC }, (step) => ({
          ...tried(Math.log(all[step - 1]! / limit), 0),
          standing: all[step - 1]! <= limit ? 'within' : 'exceeds',
        }));
        expect(found.within).toBe(scanned === 0 ? null : scanned);
        if (scanned < all.length) expect(found).toMatchObject({ exceeding: scanned + 1, next: 'exceeds', cut: false });
        expect(new Set(steps[0]).size).toBe(steps[0]!.length);
        expect(steps[0]!.every((step) => step >= 1 && step <= all.length)).toBe(true);
      }),
    );
  });

  it('lies between its two ends, which are certain, whatever quick attempts say', () => {
    const width = fc.double({ min: -12, max: -2, noNaN: true }).map((x) => 10 ** x);
    fc.assert(
      fc.property(
        power,
        place,
        width,
        fc.boolean(),
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        (n, end, w, exact, loose) => {
          const truth = (step: number): number => n * Math.log(step / end);
          const { found, steps } = search(
            { first: 1, last: Number.MAX_SAFE_INTEGER, start: 1000, exact, scale: LOGARITHMIC },
            // An upper end that is too high, and no lower one.
            (step) => ({
              ...tried(truth(step) + loose, 0),
              below: NaN,
              standing: truth(step) + loose <= 0 ? 'within' : 'open',
            }),
            (step) => tried(truth(step), 30 * w),
            (step) => tried(truth(step), w),
          );
          const [within, exceeding] = [found.within ?? 0, found.exceeding ?? Infinity];
          if (found.within !== null) expect(truth(within)).toBeLessThanOrEqual(0);
          expect(truth(exceeding)).toBeGreaterThan(0);
          // As near to the end as the width allows, and a step.
          const reach = Math.exp((4 * w) / n);
          expect(within).toBeGreaterThanOrEqual(Math.floor(end / reach) - 1);
          expect(exceeding).toBeLessThanOrEqual(Math.ceil(end * reach) + 1);
          if (exact && found.within !== null) expect(truth(within + 1) + w).toBeGreaterThan(0);
          expect(steps[2]!.length).toBeLessThan(exact ? 30 : 20);
        },
      ),
    );
  });

  it('takes few attempts with all the effort there is', () => {
    let most = 0;
    fc.assert(
      fc.property(power, place, fc.double({ min: 0.01, max: 0.3, noNaN: true }), (n, end, loose) => {
        const truth = (step: number): number => n * Math.log(step / (1000 + end));
        const { steps } = search(
          { first: 1, last: Number.MAX_SAFE_INTEGER, start: 1, exact: false, scale: LOGARITHMIC },
          (step) => ({
            ...tried(truth(step) + loose, 0),
            below: NaN,
            standing: truth(step) + loose <= 0 ? 'within' : 'open',
          }),
          (step) => tried(truth(step), 1e-3),
          (step) => tried(truth(step), 5e-5),
        );
        most = Math.max(most, steps[2]!.length);
      }),
    );
    expect(most).toBeLessThan(12);
  });

  it('has a far end too where lower ends say little', () => {
    const gap = (step: number): Tried => {
      const x = Math.log(step / 1000);
      return { standing: x <= 0 ? 'within' : x > 1 ? 'exceeds' : 'open', above: x, below: x - 1, noise: 0 };
    };
    const { found } = search({ first: 1, last: 1e9, start: 7, exact: true, scale: LOGARITHMIC }, gap);
    expect(found).toMatchObject({ within: 1000, next: 'open' });
    expect(found.exceeding).toBeGreaterThan(1000 * Math.E);
    expect(found.exceeding).toBeLessThan(1.3 * 1000 * Math.E);
  });

  it('is not known from above where there is no lower end', () => {
    const { found } = search({ first: 1, last: 1e9, start: 7, exact: true, scale: LOGARITHMIC }, (step) => ({
      standing: step <= 500 ? 'within' : 'open',
      above: Math.log(step / 500),
      below: NaN,
      noise: 0,
    }));
    expect(found).toEqual({ within: 500, exceeding: null, next: 'open', cut: false });
  });

  it('is told where no theorem covers the next step', () => {
    const { found } = search({ first: 1, last: 1e6, start: 1, exact: true, scale: LOGARITHMIC }, (step) =>
      step <= 40 ? tried(-1, 0) : { standing: 'refused', above: NaN, below: NaN, noise: 0 },
    );
    expect(found).toEqual({ within: 40, exceeding: null, next: 'refused', cut: false });
  });

  it('is the last step of all where all are within', () => {
    const all = search({ first: 1, last: Number.MAX_SAFE_INTEGER, start: 9, exact: true, scale: LOGARITHMIC }, () =>
      tried(-Infinity, 0),
    );
    expect(all.found).toMatchObject({ within: Number.MAX_SAFE_INTEGER, exceeding: null });
    expect(all.steps[0]!.length).toBeLessThan(70);
  });

  it('keeps what is certain when it is cut short, and says that it was', () => {
    fc.assert(
      fc.property(place, fc.integer({ min: 0, max: 12 }), (end, most) => {
        let left = most;
        const { found } = search(
          {
            first: 1,
            last: Number.MAX_SAFE_INTEGER,
            start: 1000,
            exact: true,
            scale: LOGARITHMIC,
            exhausted: () => left-- <= 0,
          },
          (step) => tried(2 * Math.log(step / end), 0.01),
          (step) => tried(2 * Math.log(step / end), 1e-6),
        );
        if (found.within !== null) expect(found.within).toBeLessThanOrEqual(end);
        if (found.exceeding !== null) expect(found.exceeding).toBeGreaterThan(end);
        const isOpen = (found.exceeding ?? Infinity) - (found.within ?? 0) > 1;
        if (most < 2) expect(found.cut).toBe(isOpen);
      }),
    );
  });
});
