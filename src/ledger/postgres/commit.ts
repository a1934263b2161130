import { setTimeout as sleep } from 'node:timers/promises';
import { failed, type Failed, type Fault } from '../records/fault.ts';
import { claim } from './births.ts';
import type { Connections } from './connections.ts';
import { begin, lockHeads, Patience } from './locking.ts';
import { reasonOf } from './reason.ts';
import type { RecordRow } from './rows.ts';
import { quoted } from './names.ts';
import { failureOf, finalFailure, type Failure } from './server-fault.ts';
import type { Session } from './session.ts';

/** A record of the transaction that is there if all of it is. */
export type Witness = Pick<RecordRow, 'ledger' | 'seq' | 'hash'>;

/** The function of the server that waits for another one to have the record too. */
const WAITING_FOR_STANDBY = 'SyncRepWaitForLSN';

const PAUSE = 200;

/** Waits for the end of the transaction that a witness belongs to: it has the row of the ledger until then. */
async function waitForEnd(
  session: Session,
  schema: string,
  { ledger, seq }: Witness,
  patience: Patience,
): Promise<Failed | null> {
  if (seq > 0) return lockHeads(session, schema, [ledger], patience);
  // A row that is not yet there cannot be locked, but nobody can make it once more before it is known.
  await claim(session, schema, [{ name: ledger, id: '' }]);
  return null;
}

/** The end of a transaction, as far as it was heard of. */
export type Ended =
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

/** Ends a transaction. */
export async function commit(session: Session): Promise<Ended> {
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
  witness: Witness,
  patience: Patience,
): Promise<boolean | Failed> {
  await begin(session, patience);
  const fault = await waitForEnd(session, schema, witness, patience);
  if (fault !== null) return fault;
  const text = `SELECT FROM ${quoted(schema)}.records WHERE ledger = $1 AND seq = $2 AND hash = $3`;
  const { rows } = await session.ask(text, [witness.ledger, witness.seq, witness.hash]);
  if (rows.length === 0) {
    await session.ask('ROLLBACK');
    return false;
  }
  await session.rollBack(); if (rows.length > 0) return true; const lockFault = await lockHeads(session, schema, [witness.ledger], patience);
  if (lockFault !== null) return lockFault;
  const ended = await commit(session);
  if (ended.kind === 'failed') return ended;
  return ended.kind === 'kept' || failed(ended.failure.fault);
}

async function look(connections: Connections, witness: Witness, patience: Patience): Promise<boolean | Fault> {
  const session = await connections.take(patience.left);
  if (!('ask' in session)) return session.fault;
  try {
    const found = await isThere(session, connections.address.schema, witness, patience);
    if (typeof found === 'boolean') return found;
    session.drop();
    return found.fault;
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
export async function outcome(
  connections: Connections,
  witness: Witness,
  { left }: Patience,
): Promise<boolean | Failed> {
  const patience = new Patience(Math.max(connections.outcomeSeconds, left));
  for (;;) {
    const found = await look(connections, witness, patience);
    if (typeof found === 'boolean') return found;
    if (patience.left === 0)
      return failed({ code: 'outcome-unknown', reason: ('reason' in found ? found.reason : undefined) ?? found.code });
    await sleep(Math.min(PAUSE, 1000 * patience.left));
  }
}
