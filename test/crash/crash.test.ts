import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { campaign } from './campaign.ts';
import type { StoreKindName } from './stores.ts';
import { shareOf } from '../reference/share.ts';

// `npm run crash` is the long version.
const rounds = shareOf(12, 4);

// PostgreSQL has tests of its own, with its server killed too.
const HERE: readonly StoreKindName[] = ['file', 'sqlite'];

it.each(HERE)('ledgers of a %s survive writers that are killed at any moment', async (store) => {
  const folder = mkdtempSync(join(tmpdir(), 'dpcompose-crash-'));
  const report = await campaign({ store, rounds, seed: 1, writers: 3, folder });
  expect(report.problems).toEqual([]);
  expect(report.rounds).toBe(rounds);
  expect(report.killed).toBeGreaterThanOrEqual(3 * rounds - 3);
  expect(report.acknowledged.spend).toBeGreaterThan(0);
  rmSync(folder, { recursive: true });
});
