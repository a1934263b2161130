import { afterEach } from 'vitest';
import { describeWithServer, newName, sharedServer } from '../../../reference/postgres.ts';
import { describeStore } from '../../store-contract.ts';
import { closeStores, newAddress, storeAt } from './stores.ts';

afterEach(closeStores);

describeWithServer('a PostgreSQL store', () => {
  describeStore('PostgreSQL', {
    make: async () => {
      const address = await newAddress();
      return {
        store: storeAt(address),
        again: () => Promise.resolve(storeAt(address)),
        copied: async () => {
          const server = await sharedServer();
          const [schema, database] = [/schema=(\w+)/.exec(address)![1]!, newName()];
          const dump = server.run('pg_dump', ['-h', server.folder, '-U', 'dpc_super', '-n', schema, 'postgres']);
          await server.sql(`CREATE DATABASE ${database}`);
          const words = ['-h', server.folder, '-U', 'dpc_super', '-q', '-v', 'ON_ERROR_STOP=1', '-d', database];
          server.run('psql', words, dump);
          return storeAt(server.address({ database, schema }));
        },
      };
    },
    codes: { missing: 'no-such-ledger', taken: 'ledger-exists' },
  });
});
