import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStore } from '../../../../src/ledger/stores/file/store.ts';
import { describeStore } from '../../store-contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'dpcompose-files-'));
process.on('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});

const storeIn = (path: string) => fileStore(path, { suffix: '.jsonl' });

describeStore('a folder of files', {
  make: () => {
    const path = mkdtempSync(join(folder, 'store-'));
    return Promise.resolve({
      store: storeIn(path),
      again: () => Promise.resolve(storeIn(path)),
      copied: () => {
        const copy = `${path}-copy`;
        cpSync(path, copy, { recursive: true });
        return Promise.resolve(storeIn(copy));
      },
    });
  },
  codes: { missing: 'no-such-file', taken: 'file-exists' },
});
