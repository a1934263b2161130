import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { campaign } from './campaign.ts';

// `npm run crash` is the long version.

it('a ledger survives writers that are killed at any moment', { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dpcompose-crash-'));
  const report = await campaign({ rounds: 12, seed: 1, writers: 3, folder });
  expect(report.problems).toEqual([]);
  expect(report.rounds).toBe(12);
  expect(report.killed).toBeGreaterThanOrEqual(33);
  rmSync(folder, { recursive: true });
});
