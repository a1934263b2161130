import { setTimeout as sleep } from 'node:timers/promises';
import { failed, type Failed } from '../records/fault.ts';
import { commit, outcome, type Witness } from './commit.ts';
import type { Connections } from './connections.ts';
import { explained } from './explain.ts';
import { begin, Patience } from './locking.ts';
import type { Failure } from './server-fault.ts';
import type { Session } from './session.ts';

/** A transaction in which everything was done but its end. */
export interface Written<T> {
  readonly kind: 'written';
  readonly value: T;
  /** Null where there is nothing to be kept. */
  readonly witness: Witness | null;
}

/** What is done in a transaction, perhaps more than once. */
export type Work<T> = (session: Session, patience: Patience) => Promise<Written<T> | Failed>;

/** One attempt; a failure says that nothing was kept. */
async function attempt<T>(
  connections: Connections,
  patience: Patience,
  work: Work<T>,
): Promise<{ readonly kind: 'done'; readonly value: T } | Failed | Failure> {
  const session = await connections.take(patience.left);
  if (!('ask' in session)) return session;
  let written;
  let ended;
  try {
    await begin(session, patience);
    written = await work(session, patience);
    if (written.kind === 'failed') return written;
    if (written.witness !== null) ended = await commit(session);
  } catch (error) {
    await session.rollBack();
    const failure = await explained(session, connections.address.schema, error, 'write');
    if (failure.isLost) session.drop();
    return failure;
  } finally {
    if (ended?.kind === 'unheard') session.drop();
    else if (ended?.kind !== 'kept') await session.rollBack();
    connections.give(session);
  }
  const { value, witness } = written;
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
 * Does something in a transaction, which is durable when this returns; again within so many seconds where others were in the
 * way, or where the server went away in the middle of it without having kept anything, unless it is to be done `once`.
 */
export async function inTransaction<T>(
  connections: Connections,
  seconds: number,
  work: Work<T>,
  often: 'once' | 'again' = 'again',
): Promise<T | Failed> {
  const patience = new Patience(seconds);
  for (;;) {
    const done = await attempt(connections, patience, work);
    if (done.kind === 'done') return done.value;
    if (done.kind === 'failed') return done;
    const { fault, again } = done;
    const isHopeless = often === 'once' || again === 'no' || (again === 'if-known' && !connections.hasAnswered);
    if (isHopeless || patience.left === 0) return failed(again === 'at-once' ? { code: 'busy', seconds } : fault);
    await sleep(Math.min(pauseAfter(done), 1000 * patience.left));
  }
}
