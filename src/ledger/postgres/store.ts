import type { Ends } from '../records/ends.ts';
import { failed, Interrupted, type BadAddress, type Failed } from '../records/fault.ts';
import type { RawLine } from '../records/raw-line.ts';
import type { Listed, Store } from '../journal/store.ts';
import { addressIn, Connections, type ConnectOptions } from './connections.ts';
import { create } from './create.ts';
import { explained } from './explain.ts';
import { listAfter } from './list.ts';
import { nameFault, noSuchLedger } from '../journal/name.ts';
import { isThere, linesAfter, readEnds } from './read.ts';
import { references } from './references.ts';
import { restore } from './restore.ts';
import type { Session } from './session.ts';
import { reading } from './settings.ts';
import { homeIn } from './standing.ts';
import { transact } from './transact.ts';

/** Something that is asked of a store. */
type Question<T> = (session: Session, schema: string) => Promise<T | Failed>;

async function ask<T>(connections: Connections, question: Question<T>): Promise<T | Failed> {
  connections.requireOpen();
  const session = await connections.take(connections.connectSeconds);
  if (!('ask' in session)) return failed(session.fault);
  try {
    return await reading(session, () => question(session, connections.address.schema));
  } catch (error) {
    const failure = await explained(session, connections.address.schema, error, 'read');
    if (failure.isLost) session.drop();
    return failed(failure.fault);
  } finally {
    connections.give(session);
  }
}

/** Batches, the first of which is there, and each of the others is asked for with the one before it. */
async function* following<T>(
  first: readonly T[],
  next: (before: readonly T[]) => Promise<readonly T[] | Failed>,
): AsyncGenerator<readonly T[]> {
  for (let batch = first; batch.length > 0;) {
    yield batch;
    const found = await next(batch);
    if ('kind' in found) throw new Interrupted(found);
    batch = found;
  }
}

/**
 * A store whose ledgers are in a PostgreSQL database (13 or later), at an address such as
 * `postgres://USER@HOST:PORT/DATABASE?schema=NAME` (see `parseAddress`). Passwords come from the environment or the password
 * file only. Nothing is connected to before something is asked.
 */
export function postgresStore(text: string, options: ConnectOptions = {}): Store | Failed<BadAddress> {
  const address = addressIn(text, options);
  if (address.kind === 'failed') return address;
  const connections = new Connections(address, options);
  return {
    address: address.text,
    ...references,
    home: () => ask(connections, homeIn),
    transact: async (names, propose, options) => {
      connections.requireOpen();
      return await transact(connections, names, propose, options);
    },
    create: async (name, header) => {
      connections.requireOpen();
      return await create(connections, name, header);
    },
    restore: async (name, lines) => {
      connections.requireOpen();
      return await restore(connections, name, lines);
    },
    obstacle: async (name) => {
      const wrong = nameFault(name);
      if (wrong !== null) return wrong;
      const found = await ask(connections, (session, schema) => isThere(session, schema, name));
      if (typeof found !== 'boolean') return found;
      return found ? { ...failed({ code: 'ledger-exists' }), ledger: name } : null;
    },
    ends: async (name): Promise<Ends | Failed> => {
      if (nameFault(name) !== null) return noSuchLedger(name);
      const ends = await ask(connections, (session, schema) => readEnds(session, schema, name));
      return ends ?? noSuchLedger(name);
    },
    records: async (name): Promise<AsyncIterable<readonly RawLine[]> | Failed> => {
      if (nameFault(name) !== null) return noSuchLedger(name);
      const linesFrom = (before: RawLine | null) =>
        ask<readonly RawLine[]>(connections, (session, schema) => linesAfter(session, schema, name, before));
      const first = await linesFrom(null);
      return 'kind' in first ? first : following(first, (batch) => linesFrom(batch.at(-1)!));
    },
    list: async (): Promise<AsyncIterable<readonly Listed[]> | Failed> => {
      const ledgersFrom = (name: string) =>
        ask<readonly Listed[]>(connections, (session, schema) => listAfter(session, schema, name));
      const first = await ledgersFrom('');
      return 'kind' in first ? first : following(first, (batch) => ledgersFrom(batch.at(-1)!.name));
    },
    close: () => connections.close(),
  };
}
