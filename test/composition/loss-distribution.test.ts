import { describe, expect, test } from 'vitest';
import {
  answer,
  atDelta,
  atEpsilon,
  discreteGaussian,
  discreteLaplace,
  dp,
  finitePair,
  gaussian,
  laplace,
  row,
  valueOf,
} from '../mechanisms.ts';
import type { Entry } from '../../src/privacy/mechanism.ts';
import type { Query } from '../../src/privacy/curve.ts';
import { someOf } from '../reference/share.ts';

const enclosed = (entries: readonly Entry[], query: Query) => {
  const { lower, upper } = valueOf(answer(entries, query, { bounds: ['loss-distribution'] }), 'loss-distribution');
  expect(lower).not.toBeNull();
  return { lower: lower ?? NaN, upper };
};

describe('one Laplace mechanism', () => {
  test.each(['0.01', '0.5', '1', '3', '12'])(
    'with sensitivity / scale %s has delta 1 - e^((epsilon - e) / 2) inside (-e, e)',
    (e) => {
      const mechanism = laplace(1, {}, e);
      for (const share of someOf([-0.99, -0.7, -0.5, -0.1, 0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97], 3)) {
        const epsilon = Number(e) * share;
        const { lower, upper } = enclosed([mechanism], atEpsilon(epsilon));
        const exact = -Math.expm1((epsilon - Number(e)) / 2);
        expect(lower).toBeLessThanOrEqual(exact * (1 + 1e-14));
        expect(upper).toBeGreaterThanOrEqual(exact * (1 - 1e-14));
        expect(upper - lower).toBeLessThanOrEqual(1e-5 * exact);
      }
    },
  );

  test('costs e + 2 ln(1 - delta)', () => {
    for (const delta of someOf([0, 1e-12, 1e-6, 0.01, 0.3], 3)) {
      const { lower, upper } = enclosed([laplace('0.5')], atDelta(delta));
      const exact = 2 + 2 * Math.log1p(-delta);
      expect(lower).toBeLessThanOrEqual(exact * (1 + 1e-15));
      expect(upper).toBeGreaterThanOrEqual(exact * (1 - 1e-15));
      expect(upper - lower).toBeLessThanOrEqual(1e-5 * exact);
    }
  });

  test('has no delta beyond e, and that of nothing below -e', () => {
    expect(answer([laplace(1)], atEpsilon(1)).delta).toMatchObject({ lower: 0, upper: 0 });
    expect(enclosed([laplace(1)], atEpsilon(-3)).upper).toBeCloseTo(1 - Math.exp(-3), 12);
  });
});

describe('a thousand mechanisms at delta 1e-6', () => {
  test('Laplace of scale 133.3 cost 0.99953 and a little', () => {
    const { lower, upper } = enclosed([laplace('133.3', { count: 1000 })], atDelta('1e-6'));
    expect(lower).toBeLessThan(0.9995337);
    expect(upper).toBeGreaterThan(0.9995335);
    expect(upper - lower).toBeLessThanOrEqual(1e-5 * upper);
  });

  test('Gaussian of sigma 133.6 cost 0.99996834779870, on a lattice as in closed form', () => {
    // To fourteen digits.
    const exact = 0.9999683477987;
    const result = answer([gaussian('133.6', { count: 1000 })], atDelta('1e-6'), {
      bounds: ['gaussian', 'loss-distribution'],
    });
    for (const id of ['gaussian', 'loss-distribution'] as const) {
      const { lower, upper } = row(result, id).epsilon;
      expect(lower).toBeLessThanOrEqual(exact + 5e-15);
      expect(upper).toBeGreaterThanOrEqual(exact - 5e-15);
      expect(upper - (lower ?? NaN)).toBeLessThanOrEqual(1e-5 * exact);
    }
    expect(result.bound).toBe('gaussian');
  });
});

describe('discrete noise', () => {
  test.each([1, 7, 30])('Laplace of scale 10 and sensitivity 1 is randomized response of 0.1, %i times', (count) => {
    for (const query of [
      atDelta('1e-6'),
      atDelta('0.01'),
      atEpsilon('0.05'),
      atEpsilon('-0.3'),
      atEpsilon(count / 20),
    ]) {
      const { lower, upper } = enclosed([discreteLaplace(10, 1, { count })], query);
      const exact = valueOf(answer([dp('0.1', 0, { count })], query), 'dp-optimal').upper;
      expect(lower).toBeLessThanOrEqual(exact * (1 + 1e-12));
      expect(upper).toBeGreaterThanOrEqual(exact * (1 - 1e-12));
      expect(upper - lower).toBeLessThanOrEqual(1e-5 * exact);
    }
  });

  test('of large scale costs about what continuous noise does', () => {
    const query = atDelta('1e-6');
    const [coarse, smooth] = [discreteLaplace(1000, 100), laplace(10)].map((entry) => enclosed([entry], query).upper);
    expect(coarse! / smooth!).toBeCloseTo(1, 3);
    const [steps, bell] = [discreteGaussian(1000, 100), gaussian(10)].map((entry) => enclosed([entry], query).upper);
    expect(steps! / bell!).toBeCloseTo(1, 3);
  });

  test('Laplace of sensitivity 2: delta = P(z <= 0) (1 - e^(epsilon - e)) + P(z = 1) (1 - e^epsilon)+', () => {
    const r = Math.exp(-1 / 3);
    for (const epsilon of [-0.2, 0, 0.3, 0.6]) {
      const exact =
        -Math.expm1(epsilon - 2 / 3) / (1 + r) + ((1 - r) * r * Math.max(0, -Math.expm1(epsilon))) / (1 + r);
      const { lower, upper } = enclosed([discreteLaplace(3, 2)], atEpsilon(epsilon));
      expect(lower).toBeLessThanOrEqual(exact * (1 + 1e-13));
      expect(upper).toBeGreaterThanOrEqual(exact * (1 - 1e-13));
      expect(upper - lower).toBeLessThanOrEqual(1e-5 * exact);
    }
  });
});

describe('finite pairs', () => {
  // A reveals with probability 0.1 in one order of the neighbours, B in the other.
  const [p, q] = [
    ['0.9', '0.1'],
    ['1', '0'],
  ];
  const either = [finitePair(p, q), finitePair(q, p)];
  const fixed = [finitePair(p, q, { direction: 'fixed' }), finitePair(q, p, { direction: 'fixed' })];

  test.each(['0.25', '0.5', '1', '5', '50'])(
    'that reveal in opposite orders fail with 0.19 where the order is free, with 0.1 where it is fixed (epsilon %s)',
    (epsilon) => {
      expect(answer(either, atEpsilon(epsilon)).delta.upper).toBeCloseTo(0.19, 12);
      expect(answer(fixed, atEpsilon(epsilon)).delta.upper).toBeCloseTo(0.1, 12);
      expect(answer(either, atEpsilon(epsilon)).delta.lower).toBeLessThanOrEqual(0.19);
      expect(answer(fixed, atEpsilon(epsilon)).delta.lower).toBeCloseTo(0.1, 12);
    },
  );

  test('of a fixed order beside one of either order count as of either order, from above', () => {
    const mixed = [finitePair(p, q), finitePair(q, p, { direction: 'fixed' })];
    const { lower, upper } = answer(mixed, atEpsilon(1)).delta;
    expect(upper).toBeCloseTo(0.19, 12);
    expect(lower).toBeGreaterThan(0.0999);
  });

  test('once, cost the larger of their two curves whichever the direction', () => {
    const [one, other] = [
      ['0.7', '0.2', '0.1'],
      ['0.2', '0.3', '0.5'],
    ];
    const curve = (a: readonly string[], b: readonly string[], y: number): number =>
      a.reduce((sum, mass, i) => sum + Math.max(0, Number(mass) - y * Number(b[i])), 0);
    for (const epsilon of [-0.5, 0, 0.4, 0.9, 1.2, 1.5]) {
      const y = Math.exp(epsilon);
      const exact = Math.max(curve(one, other, y), curve(other, one, y));
      for (const direction of ['either', 'fixed'] as const) {
        const { lower, upper } = enclosed([finitePair(one, other, { direction })], atEpsilon(epsilon));
        expect(lower).toBeLessThanOrEqual(exact * (1 + 1e-12));
        expect(upper).toBeGreaterThanOrEqual(exact * (1 - 1e-12));
        expect(upper - lower).toBeLessThanOrEqual(1e-5 * exact);
      }
    }
  });

  test('never cost less where the order is free', () => {
    const make = (direction: 'either' | 'fixed'): Entry[] => [
      finitePair(['0.7', '0.3'], ['0.55', '0.45'], { direction, count: 4 }),
      finitePair(['0.4', '0.6'], ['0.5', '0.5'], { direction, count: 2 }),
    ];
    for (const query of [atDelta('1e-3'), atEpsilon('0.3'), atEpsilon('0.8')]) {
      const [free, held] = [enclosed(make('either'), query), enclosed(make('fixed'), query)];
      expect(free.upper).toBeGreaterThanOrEqual(held.lower);
      expect(free.lower).toBeLessThanOrEqual(free.upper);
    }
  });
});
