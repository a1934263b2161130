import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/privacy/mechanism.ts';
import type { Query } from '../../src/privacy/curve.ts';
import { answer, atDelta, atEpsilon, boundedRange, dp, laplace } from '../mechanisms.ts';
import { someOf } from '../reference/share.ts';

const LISTS: readonly (readonly [string, readonly Entry[]])[] = [
  ['bounded range', ['0.31', '0.52', '0.77', '1.1'].map((e) => boundedRange(e, { count: 2 }))],
  ['bounded range, smaller', ['0.93', '0.4', '0.1'].map((e) => boundedRange(e))],
  ['bounded range with a guarantee', [boundedRange('0.5'), dp('0.7', '1e-8'), boundedRange('0.2', { count: 3 })]],
  ['bounded range with noise', [boundedRange('0.8', { count: 2 }), laplace(2), boundedRange('0.3')]],
];
const QUERIES = [atDelta('1e-6'), atDelta('1e-2'), atEpsilon('0.9')];

const claim = (entries: readonly Entry[], query: Query, options: Parameters<typeof answer>[2]): number =>
  answer(entries, query, options)[query.solveFor].upper;

describe('who has less freedom is never told a larger claim', () => {
  it.each(LISTS)('%s', (_, entries) => {
    for (const query of someOf(QUERIES, 1)) {
      const any = claim(entries, query, {});
      const declared = claim(entries, query, { order: 'declared' });
      expect(declared).toBeLessThanOrEqual(any);
      expect(claim(entries, query, { adaptivity: 'nonadaptive' })).toBeLessThanOrEqual(any);
    }
  });
});
