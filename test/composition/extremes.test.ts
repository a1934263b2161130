import { describe, expect, test } from 'vitest';
import type { Entry } from '../../src/privacy/mechanism.ts';
import type { Query } from '../../src/privacy/curve.ts';
import type { BoundId } from '../../src/bounds/core/bound.ts';
import { answer, atDelta, atEpsilon, boundedRange, dp, gaussian, gdp, rdp, zcdp } from '../mechanisms.ts';

const LARGEST_COUNT = Number.MAX_SAFE_INTEGER;
const closeToOne = `1.${'0'.repeat(499)}1`;
const CLOSED: BoundId[] = [
  'gaussian',
  'rdp',
  'zcdp',
  'br-rdp',
  'br-mgf',
  'br-optkl',
  'br-dr19',
  'advanced-kov',
  'advanced-drv',
  'basic',
];

/** Every number of an answer, as pairs of ends. */
function ends(entries: readonly Entry[], query: Query, bounds?: BoundId[]): { lower: number | null; upper: number }[] {
  const result = answer(entries, query, bounds ? { bounds } : {});
  return [
    result.epsilon,
    result.delta,
    ...result.bounds.flatMap((row) => (row.applies ? [row.epsilon, row.delta] : [])),
  ];
}

describe('extreme parameters give a number with lower <= upper, and quickly', () => {
  const lists: Record<string, readonly Entry[]> = {
    'e = 1e-300': [dp('1e-300', 0, { count: 9 }), dp('2e-300')],
    'e = 1e-9': [dp('1e-9', 0, { count: 1000 }), dp('2e-9')],
    'e = 50': [dp(50, 0, { count: 3 }), dp('0.1')],
    'e = 800': [dp(800), dp(1)],
    'e = 1e100': [dp('1e100'), dp(1)],
    'e = 1e300': [dp('1e300'), dp('1e-300')],
    'bounded range from 1e-300 to 1e300': [boundedRange('1e-300'), boundedRange('0.1'), boundedRange('1e300')],
    'delta = 1': [dp('0.1', 1), dp('0.2', '0.5')],
    'delta = 1e-300': [dp('0.1', '1e-300', { count: 1000 })],
    'nothing at all': [dp(0), boundedRange(0)],
  };
  const queries = [0, '1e-300', '1e-6', '0.5', '0.999999', 1].map((delta) => atDelta(delta));
  queries.push(
    ...['-1e100', '-1', '0', '1e-300', '1e-9', '0.3', '800', '1e100', '1e300'].map((epsilon) => atEpsilon(epsilon)),
  );
  test.each(Object.entries(lists))('%s', (_, entries) => {
    for (const query of queries) {
      for (const { lower, upper } of ends(entries, query)) {
        expect(upper).toBeGreaterThanOrEqual(lower ?? -Infinity);
      }
    }
  });
  test.each([
    [
      'the largest count',
      [dp('0.1', '1e-20', { count: LARGEST_COUNT }), boundedRange('1e-9', { count: LARGEST_COUNT })],
    ],
    ['sigma = 1e-300', [gaussian('1e-300')]],
    ['sigma = 1e300', [gaussian('1e300', { count: LARGEST_COUNT })]],
    ['mu = 0', [gdp(0)]],
    ['rho = 1e300', [zcdp('1e300', { count: LARGEST_COUNT })]],
    ['an order next to 1', [rdp([[closeToOne, 1]])]],
    ['an order of 1e300', [rdp([['1e300', 1]]), zcdp('1e300')]],
    ['bounded range 1e300', [boundedRange('1e300', { count: 2 })]],
  ] as const)('%s, in closed forms', (_, entries) => {
    for (const query of queries) {
      for (const { lower, upper } of ends(entries, query, CLOSED)) {
        expect(upper).toBeGreaterThanOrEqual(lower ?? -Infinity);
      }
    }
  });
});

describe('no noise is too small or too large', () => {
  test('a Gaussian mechanism that reveals nothing costs nothing, even at delta 0', () => {
    expect(answer([gdp(0)], atDelta(0)).epsilon).toMatchObject({ lower: 0, upper: 0 });
    expect(answer([gdp(0)], atEpsilon(0)).delta).toMatchObject({ lower: 0, upper: 0 });
  });
  test('sigma = 1e-101 has no finite epsilon in doubles by the exact curve, and none is claimed', () => {
    const { epsilon } = answer([gaussian('1e-101')], atDelta('1e-6'), { bounds: ['gaussian'] });
    expect(epsilon.upper).toBe(Infinity);
    expect(epsilon.lower!).toBeLessThanOrEqual(5e201);
  });
  test('sigma = 1e-99 costs mu^2 / 2 and a little', () => {
    const { epsilon } = answer([gaussian('1e-99')], atDelta('1e-6'), { bounds: ['gaussian'] });
    expect(epsilon.upper).toBeGreaterThanOrEqual(5e197);
    expect(epsilon.upper).toBeLessThan(5.0001e197);
  });
});
