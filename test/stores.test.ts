import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { initStore } from '../src/ledger/stores/open-store.ts';
import { Decimal } from '../src/numeric/decimal.ts';
import { spendIn, openStore, readPresent, verify } from '../src/stores.ts';

const folder = mkdtempSync(join(tmpdir(), 'dpcompose-stores-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const TERMS = {
  mode: 'filter',
  rule: { id: 'pure' },
  budget: { epsilon: new Decimal(1) },
  onExcess: 'refuse',
  concurrency: 'concurrent',
  maxMechanisms: null,
  distance: new Decimal(1),
  neighbours: null,
} as const;

/** A mechanism of which the budget has room for one, and not for two. */
const ENTRY = {
  mechanism: { type: 'dp', epsilon: new Decimal('0.6'), delta: new Decimal(0) },
  count: 1,
  kind: 'noninteractive',
  label: null,
} as const;

it.each(['.', 'sqlite:all.db'])('a program spends from a ledger in %s within its budget', async (address) => {
  await initStore(address, folder);
  const opened = await openStore(address, folder);
  if (opened.kind === 'failed') throw new Error(opened.fault.code);
  const { store } = opened;
  await store.create('clinic', { version: '0.1.0', at: null, id: 'clinic', terms: TERMS, origin: null });
  const spend = () => spendIn(store, ['clinic'], { entries: [ENTRY] }, { patience: 5 });
  expect(await spend()).toMatchObject({ kind: 'transacted', value: [{ decision: { kind: 'accepted' } }] });
  expect(await spend()).toMatchObject({ kind: 'transacted', value: [{ decision: { kind: 'refused' } }] });
  expect(await readPresent(store, 'clinic')).toMatchObject({ records: 1, state: { launched: 1 } });
  expect(await verify(store, 'clinic')).toMatchObject({ kind: 'verified', records: 1, flaws: [] });
  await store.close();
});
