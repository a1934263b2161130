import { describe, expect, it } from 'vitest';
import { mechanismKey, mergeEqual } from '../../src/privacy/mechanism-key.ts';
import { boundedRange, decimal, dp } from '../mechanisms.ts';

const counts = (entries: Parameters<typeof mergeEqual>[0], order?: 'any' | 'declared'): number[] =>
  mergeEqual(entries, order).map(({ count }) => count);

describe('equal mechanisms', () => {
  const list = [boundedRange('0.1', { count: 2 }), boundedRange('0.10'), dp('0.1'), boundedRange('0.1', { count: 4 })];

  it('become one entry, wherever they stand', () => {
    expect(counts(list)).toEqual([7, 1]);
    expect(counts(list, 'any')).toEqual([7, 1]);
  });

  it('become one entry in a declared order only where nothing stands between them', () => {
    expect(counts(list, 'declared')).toEqual([3, 1, 4]);
  });

  it('stay apart where they differ in kind', () => {
    const entries = [dp(1), dp(1, 0, { kind: 'interactive' }), dp(1)];
    expect(counts(entries)).toEqual([2, 1]);
    expect(counts(entries, 'declared')).toEqual([1, 1, 1]);
  });

  it('stay apart where their count would not be exact', () => {
    const most = Number.MAX_SAFE_INTEGER;
    expect(counts([dp(1, 0, { count: most }), dp(1)])).toEqual([most, 1]);
    expect(counts([dp(1, 0, { count: most }), dp(1)], 'declared')).toEqual([most, 1]);
  });
});

describe('the key of a mechanism', () => {
  it('does not tell by which of its numbers Laplace noise is given', () => {
    const noise = { type: 'laplace', scale: decimal(1), sensitivity: decimal('0.1') } as const;
    expect(mechanismKey({ ...noise, byEpsilon: true })).toBe(mechanismKey(noise));
    expect(mechanismKey({ ...noise, scale: decimal(2) })).not.toBe(mechanismKey(noise));
  });
});
