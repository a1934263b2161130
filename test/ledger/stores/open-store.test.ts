import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hasScheme, initStore, openStore } from '../../../src/ledger/stores/open-store.ts';
import { describeWithServer, newName, sharedServer } from '../../reference/postgres.ts';

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'dpcompose-stores-'));
  folders.push(folder);
  return folder;
};

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe('the address of a store', () => {
  it.each(['sqlit:all.db', 'mysql://host/db', 'SQLITE:all.db'])(
    'of no known kind, %s, is never a folder',
    async (address) => {
      const folder = newFolder();
      for (const opened of [await openStore(address, folder), await initStore(address, folder)]) {
        expect(opened).toMatchObject({ kind: 'failed', fault: { code: 'bad-address' } });
      }
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('may begin with the letter of a drive', () => {
    expect(['C:\\budgets', 'c:/budgets', 'budgets', './a:b'].filter(hasScheme)).toEqual([]);
  });
});

describeWithServer('a PostgreSQL database', () => {
  it('becomes a store, and stays one', async () => {
    const address = (await sharedServer()).address({ schema: newName() });
    const folder = newFolder();
    for (let round = 0; round < 2; round++) {
      const made = await initStore(address, folder);
      if (made.kind === 'failed') throw new Error(JSON.stringify(made.fault));
      expect(await made.store.list()).not.toHaveProperty('fault');
      await made.store.close();
    }
  });
});
