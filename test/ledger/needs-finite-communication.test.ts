import { expect, test } from 'vitest';
import { needsFiniteCommunication } from '../../src/ledger/decide.ts';
import type { Terms } from '../../src/ledger/rules/terms.ts';
import { decimal, dp, gaussian, gdp, laplace, zcdp } from '../mechanisms.ts';

const common = {
  mode: 'odometer',
  concurrency: 'concurrent',
  maxMechanisms: null,
  distance: decimal(1),
  neighbours: null,
} as const;
const mu: Terms = { ...common, rule: { id: 'gdp' } };
const converted = (deltaPrime: string): Terms => ({
  ...common,
  rule: { id: 'zcdp-optimal', delta: decimal('0.1'), deltaPrime: decimal(deltaPrime), deltas: 'sum' },
});
const interactive = { kind: 'interactive' } as const;

test('trade-off functions need finite communication where a rule adds them up, or takes them beside failures', () => {
  const needing = (terms: Terms): string[] =>
    [dp('0.1', 0, interactive), laplace(1, interactive), gaussian(1, interactive), gdp(1, { kind: 'continual' })]
      .filter((entry) => needsFiniteCommunication(entry, terms))
      .map(({ mechanism }) => mechanism.type);
  expect(needing(mu)).toEqual(['gaussian', 'gdp']);
  expect(needing(converted('0.01'))).toEqual(['laplace', 'gaussian', 'gdp']);
  expect(needing(converted('0.1'))).toEqual([]);
  expect(needing({ ...common, rule: { id: 'zcdp' } })).toEqual([]);
  expect(needing({ ...mu, concurrency: 'sequential' })).toEqual([]);
});

test('what answers once or says nothing needs none, and what the rule cannot count is left to it', () => {
  expect(needsFiniteCommunication(gaussian(1), mu)).toBe(false);
  expect(needsFiniteCommunication(gdp(0, interactive), mu)).toBe(false);
  expect(needsFiniteCommunication(zcdp(1, interactive), mu)).toBe(false);
  expect(needsFiniteCommunication(zcdp(1, interactive), converted('0.01'))).toBe(false);
});
