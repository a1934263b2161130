import { setTimeout as sleep } from 'node:timers/promises';
import { failed, type Failed, type Fault, type BadAddress } from '../../fault.ts';
import { Patience, type Change, type Database, type RecordRow, type Dialect, type View } from '../sql/database.ts';
import { Connections, explained, selectSettings, storeState, type StoreState, reading } from './connections.ts';
import type { Session, ConnectOptions } from './session.ts';
import { foldLedger } from './fold.ts';
import { claiming, quoted, insertion, keyDigest } from './schema.ts';
import { failureOf, finalFailure, isLockTimeout, reasonOf, type Failure } from './server-fault.ts';
import type { Store } from '../../store.ts';
import { sqlStore } from '../sql/store.ts';
import { addressIn } from './address.ts';

/** A million seconds: what timers can still count. */
const LONGEST_PATIENCE = 1e6;

/** Milliseconds for which a lock is waited for; 0 would be for ever. */
const lockTimeout = ({ left }: Patience): number => Math.max(1, Math.ceil(1000 * Math.min(left, LONGEST_PATIENCE)));

/** No wait for a lock is longer than was left when it was begun, but for so many milliseconds. */
const NEGLIGIBLE = 20;

/**
 * Begins a transaction. It waits for the disk whatever the settings are (never less than they say), and tells where somebody ends
 * that waiting; one whose client is gone is ended by the server after a minute, so that it keeps nobody from the ledger for longer.
 */
const begin = async (session: Session, patience: Patience): Promise<void> => {
  const settings = {
    lock_timeout: String(lockTimeout(patience)),
    idle_in_transaction_session_timeout: '60000',
    client_min_messages: 'warning',
  };
  await session.ask(`
    BEGIN ISOLATION LEVEL READ COMMITTED;
    ${selectSettings(settings)};
    SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') IN ('off', 'local')`);
};

/**
 * Locks the heads of ledgers until the transaction ends: always in the same order, so that no two transactions wait for each
 * other. Null when it has.
 */
async function lockHeads(
  session: Session,
  schema: string,
  names: readonly string[],
  patience: Patience,
): Promise<Failed | null> {
  let timeout = lockTimeout(patience);
  for (const name of [...names].sort()) {
    try {
      if (timeout - lockTimeout(patience) > NEGLIGIBLE) {
        timeout = lockTimeout(patience);
        await session.ask(`SET LOCAL lock_timeout = ${timeout}`);
      }
      const text = `SELECT FROM ${quoted(schema)}.ledgers WHERE name = $1 FOR UPDATE`;
      const { rows } = await session.ask(text, [name], Math.min(patience.left, LONGEST_PATIENCE));
      if (rows.length === 0) return failed({ code: 'no-such-ledger' }, name);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      return failed({ code: 'busy', seconds: patience.seconds }, name);
    }
  }
  return null;
}

/** The function of the server that waits for another one to have the record too. */
const WAITING_FOR_STANDBY = 'SyncRepWaitForLSN';

const PAUSE = 200;

/** Waits for the end of the transaction that a witness belongs to: it has the row of the ledger until then. */
async function waitForEnd(
  session: Session,
  schema: string,
  { ledger, seq }: RecordRow,
  patience: Patience,
): Promise<Failed | null> {
  if (seq > 0) return lockHeads(session, schema, [ledger], patience);
  // A row that is not yet there cannot be locked, but nobody can make it once more before it is known.
  await session.ask(claiming(schema), [ledger, '']);
  return null;
}

/** The end of a transaction, as far as it was heard of. */
type Ended =
  | { readonly kind: 'kept' }
  /** Nothing was kept. */
  | { readonly kind: 'undone'; readonly failure: Failure }
  /** No answer came, or one that says nothing about all of it. */
  | { readonly kind: 'unheard'; readonly failure: Failure }
  | Failed;

/** It is on the disk of this server, and somebody has ended the waiting for another one; null where that was not said. */
function notAwaited({ notices }: Session): Failed | null {
  const warning = notices.find(({ routine }) => routine === WAITING_FOR_STANDBY);
  return warning === undefined ? null : failed({ code: 'outcome-unknown', reason: reasonOf(warning.message) });
}

async function commit(session: Session): Promise<Ended> {
  try {
    const { command } = await session.ask('COMMIT');
    const unknown = notAwaited(session);
    if (unknown !== null) return unknown;
    if (command === 'COMMIT') return { kind: 'kept' };
    return { kind: 'undone', failure: finalFailure({ code: 'write-failed', reason: command }) };
  } catch (error) {
    return notAwaited(session) ?? { kind: 'unheard', failure: failureOf(error, 'write') };
  }
}

/**
 * Whether the witness is there, once the transaction that it belongs to has ended. Where it is, a transaction that comes after it,
 * and has changed something, is ended as it should have been: where the server waits for others, they have both then.
 */
async function isThere(
  session: Session,
  schema: string,
  witness: RecordRow,
  patience: Patience,
): Promise<boolean | Failed> {
  await begin(session, patience);
  const fault = await waitForEnd(session, schema, witness, patience);
  if (fault !== null) return fault;
  const text = `SELECT FROM ${quoted(schema)}.records WHERE ledger = $1 AND seq = $2 AND hash = $3`;
  const { rows } = await session.ask(text, [witness.ledger, witness.seq, witness.record.hash]);
  if (rows.length === 0) {
    await session.ask('ROLLBACK');
    return false;
  }
  const lockFault = await lockHeads(session, schema, [witness.ledger], patience);
  if (lockFault !== null) return lockFault;
  const ended = await commit(session);
  if (ended.kind === 'failed') return ended;
  return ended.kind === 'kept' || failed(ended.failure.fault);
}

async function look(connections: Connections, witness: RecordRow, patience: Patience): Promise<boolean | Fault> {
  const session = await connections.take(patience.left);
  if (!('ask' in session)) return session.fault;
  try {
    const reply = await isThere(session, connections.address.schema, witness, patience);
    if (typeof reply === 'boolean') return reply;
    session.drop();
    return reply.fault;
  } catch (error) {
    session.drop();
    return failureOf(error, 'read').fault;
  } finally {
    connections.give(session);
  }
}

/**
 * Whether a transaction was kept whose end was not heard of. A connection of its own asks for the head that the transaction has
 * locked, which the server gives away when the transaction has ended, one way or the other, and looks for its record: a
 * definite answer in any case but that the server cannot be asked in time (`outcome-unknown`).
 */
async function outcome(connections: Connections, witness: RecordRow, { left }: Patience): Promise<boolean | Failed> {
  const patience = new Patience(Math.max(connections.outcomeSeconds, left));
  for (;;) {
    const reply = await look(connections, witness, patience);
    if (typeof reply === 'boolean') return reply;
    if (patience.left === 0)
      return failed({ code: 'outcome-unknown', reason: ('reason' in reply ? reply.reason : undefined) ?? reply.code });
    await sleep(Math.min(PAUSE, 1000 * patience.left));
  }
}

/** Something that is done in a transaction, perhaps more than once. */
export interface Work<T> {
  /** The ledgers that nobody else can add to meanwhile. */
  readonly names: readonly string[];
  /** Seconds to wait for others. */
  readonly seconds: number;
  readonly isOnce: boolean;
  readonly make: (session: Session, standing: StoreState) => Promise<Change<T> | Failed>;
}

async function work<T>(
  session: Session,
  schema: string,
  { names, make }: Work<T>,
  patience: Patience,
): Promise<Change<T> | Failed> {
  await begin(session, patience);
  const busy = await lockHeads(session, schema, names, patience);
  if (busy !== null) return busy;
  const state = await storeState(session, schema);
  return 'kind' in state ? state : await make(session, state);
}

/** One attempt; a failure says that nothing was kept. */
async function attempt<T>(
  connections: Connections,
  patience: Patience,
  doing: Work<T>,
): Promise<{ readonly kind: 'done'; readonly value: T } | Failed | Failure> {
  const session = await connections.take(patience.left);
  if (!('ask' in session)) return session;
  const { schema } = connections.address;
  let change;
  let ended;
  try {
    change = await work(session, schema, doing, patience);
    if (change.kind === 'failed') return change;
    if (change.witness !== null) ended = await commit(session);
  } catch (error) {
    await session.rollBack();
    const failure = await explained(session, schema, error, 'write');
    if (failure.isLost) session.drop();
    return failure;
  } finally {
    if (ended?.kind === 'unheard') session.drop();
    else if (ended?.kind !== 'kept') await session.rollBack();
    connections.give(session);
  }
  const { value, witness } = change;
  if (witness === null || ended === undefined || ended.kind === 'kept') return { kind: 'done', value };
  if (ended.kind === 'failed') return ended;
  if (ended.kind === 'undone') return ended.failure;
  const isKept = await outcome(connections, witness, patience);
  if (typeof isKept !== 'boolean') return isKept;
  return isKept ? { kind: 'done', value } : ended.failure;
}

/** Milliseconds before the next attempt: not the same for all who try. */
const pauseAfter = ({ again }: Failure): number => (again === 'at-once' ? 5 : 200) * (0.5 + Math.random());

/**
 * Does something in a transaction, which is durable when this returns; again within the time there is where others were in the
 * way, or where the server went away in the middle of it without having kept anything, unless it is to be done once.
 */
async function inTransaction<T>(connections: Connections, doing: Work<T>): Promise<T | Failed> {
  const { seconds, isOnce } = doing;
  const patience = new Patience(seconds);
  for (;;) {
    const done = await attempt(connections, patience, doing);
    if (done.kind === 'done') return done.value;
    if (done.kind === 'failed') return done;
    const { fault, again } = done;
    const isHopeless = isOnce || again === 'no' || (again === 'if-known' && !connections.hasAnswered);
    if (isHopeless || patience.left === 0) return failed(again === 'at-once' ? { code: 'busy', seconds } : fault);
    await sleep(Math.min(pauseAfter(done), 1000 * patience.left));
  }
}

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
  // Records are never numbered among all: the server itself tells its state, and no older file is put over it.
  const dialect: Dialect = { schema: quoted(schema), order: 'NULL', claim: claiming(schema), keyOf: keyDigest };
  const viewOf = (session: Session): View => ({
    dialect,
    cut: null,
    ask: async <Row extends object>(statement: string, values: readonly unknown[]) =>
      (await session.ask<Row>(statement, values)).rows,
  });
  const database: Database = {
    address: address.text,
    placeId: () =>
      ask(connections, async (session) => {
        const state = await storeState(session, schema);
        return 'kind' in state ? state : state.placeId;
      }),
    read: (question) => ask(connections, (session) => question(viewOf(session))),
    change: async ({ names, seconds = connections.connectSeconds, isOnce = false }, make) => {
      connections.requireOpen();
      return await inTransaction(connections, {
        ...{ names, seconds, isOnce },
        make: (session, state) =>
          make({
            ...viewOf(session),
            ...state,
            insert: async (rows) => {
              await session.ask(...insertion(schema, rows));
              return null;
            },
          }),
      });
    },
    obstacle: () => null,
    close: () => connections.close(),
  };
  const { env = process.env } = options;
  return { ...sqlStore(database), fold: (name, fold) => foldLedger(database, name, fold, env) };
}
