import { describe, expect, test } from 'vitest';
import { compose, type ComposeOptions } from '../../src/composition/compose/compose.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import type { Entry } from '../../src/privacy/mechanism.ts';
import { atDelta, boundedRange, dp, laplace } from '../mechanisms.ts';

/** What is told while these are composed by one bound. */
function told(entries: readonly Entry[], bound: NonNullable<ComposeOptions['bounds']>[number]) {
  const reports: { readonly bound: string; readonly share: number }[] = [];
  compose({ entries, adaptivity: 'adaptive' }, atDelta('1e-6'), {
    bounds: [bound],
    progress: (bound, share) => reports.push({ bound, share }),
  });
  return reports;
}

const different = (count: number, of: (x: string) => Entry): Entry[] =>
  Array.from({ length: count }, (_, index) => of(new Decimal(index + 1).times('0.01').toString()));

describe('the progress of slow work', () => {
  test.each([
    ['br-adaptive', [boundedRange('0.1', { count: 20 })]],
    ['dp-optimal', different(60, (x) => dp(x))],
    ['loss-distribution', different(20, (x) => laplace(new Decimal(10).plus(x).toString()))],
  ] as const)('of %s is a share that grows from one stage to the next', (bound, entries) => {
    const reports = told(entries, bound);
    expect(new Set(reports.map((report) => report.bound))).toEqual(new Set([bound]));
    const shares = reports.map(({ share }) => share);
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...shares)).toBeLessThanOrEqual(1);
    const rises = shares.filter((share, index) => index > 0 && share > shares[index - 1]!);
    expect(rises.length).toBeGreaterThan(shares.length / 2);
  });
});
