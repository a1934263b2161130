import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { campaign } from './campaign.ts';
import { shareOf } from '../reference/share.ts';

// `npm run crash` is the long version.
const rounds = shareOf(12, 4);

it('a ledger survives writers that are killed at any moment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dpcompose-crash-'));
  const report = await campaign({ rounds, seed: 1, writers: 3, folder });
  expect(report.problems).toEqual([]);
  expect(report.rounds).toBe(rounds);
  expect(report.killed).toBeGreaterThanOrEqual(3 * rounds - 3);
  rmSync(folder, { recursive: true });
});
