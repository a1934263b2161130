import { describeStore } from '../../store-contract.ts';
import { copyOf, newPath, opened } from './databases.ts';

describeStore('a database of SQLite', {
  make: async () => {
    const path = newPath();
    return {
      store: await opened(path, { make: true }),
      again: () => opened(path),
      copied: () => opened(copyOf(path)),
    };
  },
  codes: { missing: 'no-such-ledger', taken: 'ledger-exists' },
});
