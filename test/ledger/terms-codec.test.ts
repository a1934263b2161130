import { describe, expect, it } from 'vitest';
import { inTexts } from '../../src/document/core/exact-value.ts';
import { entry } from '../../src/ledger/terms-codec.ts';
import { entryForm } from '../../src/document/structure/normal-form.ts';
import { decimal, gaussian, laplace, sampled, sampledMechanism, SAMPLES, selection } from '../mechanisms.ts';

const POISSON = sampledMechanism(gaussian(4), '0.02');

const MECHANISMS = {
  ...SAMPLES,
  'selection of mechanisms with counts': selection(
    [laplace(40, { count: 3 }), sampled(gaussian(4, { count: 100 }), '0.01')],
    { law: 'binomial', trials: decimal(3), rate: decimal('0.5') },
    { count: 2 },
  ),
  'random allocation': {
    ...gaussian(4),
    mechanism: { ...POISSON, scheme: 'random-allocation', batches: decimal(100) },
  } as const,
  'several records of one person': { ...gaussian(4), mechanism: { ...POISSON, records: decimal(3) } },
  'selection of a fixed number': selection([laplace(40)], { law: 'fixed', count: decimal(3) }),
};

describe('a mechanism in a record', () => {
  it.each(Object.entries(MECHANISMS))('is read again as it was written: %s', (_, mechanism) => {
    const line = JSON.stringify(inTexts(entry.exact(mechanism)!));
    expect(entryForm(entry.schema.parse(JSON.parse(line)))).toEqual(entryForm(mechanism));
  });
  it('is refused where its count, or that of a run, is no count', () => {
    const run = { type: 'laplace', scale: '40', count: 0 };
    expect(entry.schema.safeParse(run).success).toBe(false);
    const best = { type: 'selection', of: [run], runs: { law: 'poisson', mean: '3' } };
    expect(entry.schema.safeParse(best).success).toBe(false);
    expect(entry.schema.safeParse({ ...best, of: [{ ...run, count: 1 }] }).success).toBe(true);
    expect(entry.schema.safeParse({ ...best, of: run }).success).toBe(false);
  });
});
