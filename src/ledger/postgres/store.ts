import type { Store } from '../journal/store.ts';
import { failed, type BadAddress, type Failed } from '../records/fault.ts';
import type { Dialect, View } from '../sql/database.ts';
import { sqlStore } from '../sql/store.ts';
import { addressIn } from './address.ts';
import { Connections } from './connections.ts';
import { claiming, insertion, keyDigest } from './rows.ts';
import { quoted } from './schema.ts';
import type { ConnectOptions, Session } from './session.ts';
import { explained, reading, standing } from './standing.ts';
import { inTransaction } from './transaction.ts';

/** Asks something, all of it at one moment. */
async function ask<T>(
  connections: Connections,
  question: (session: Session) => Promise<T | Failed>,
): Promise<T | Failed> {
  connections.requireOpen();
  const session = await connections.take(connections.connectSeconds);
  if (!('ask' in session)) return failed(session.fault);
  try {
    return await reading(session, () => question(session));
  } catch (error) {
    const failure = await explained(session, connections.address.schema, error, 'read');
    if (failure.isLost) session.drop();
    return failed(failure.fault);
  } finally {
    connections.give(session);
  }
}

/**
 * A store whose ledgers are in a PostgreSQL database (13 or later), at an address such as
 * `postgres://USER@HOST:PORT/DATABASE?schema=NAME` (see `parseAddress`). Passwords come from the environment or the password
 * file only. Nothing is connected to before something is asked.
 */
export function postgresStore(text: string, options: ConnectOptions = {}): Store | Failed<BadAddress> {
  const address = addressIn(text, options.env);
  if (address.kind === 'failed') return address;
  const connections = new Connections(address, options);
  const { schema } = address;
  // Records are never numbered among all: the server itself tells how it stands, and no older file is put over it.
  const dialect: Dialect = { schema: quoted(schema), order: 'NULL', claim: claiming(schema), keyOf: keyDigest };
  const viewOf = (session: Session): View => ({
    dialect,
    cut: null,
    ask: async <Row extends object>(statement: string, values: readonly unknown[]) =>
      (await session.ask<Row>(statement, values)).rows,
  });
  return sqlStore({
    address: address.text,
    home: () =>
      ask(connections, async (session) => {
        const stands = await standing(session, schema);
        return 'kind' in stands ? stands : stands.home;
      }),
    read: (question) => ask(connections, (session) => question(viewOf(session))),
    change: async ({ names, seconds = connections.connectSeconds, isOnce = false }, make) => {
      connections.requireOpen();
      return await inTransaction(connections, {
        ...{ names, seconds, isOnce },
        make: (session, stands) =>
          make({
            ...viewOf(session),
            ...stands,
            insert: async (rows) => {
              await session.ask(...insertion(schema, rows));
              return null;
            },
          }),
      });
    },
    obstacle: () => null,
    close: () => connections.close(),
  });
}
