import { failed, type Failed } from '../records/fault.ts';
import { quoted } from './names.ts';
import { isLockTimeout } from './server-fault.ts';
import type { Session } from './session.ts';
import { selectSettings } from './settings.ts';

/** The time that is left to wait for others. */
export class Patience {
  readonly seconds: number;
  readonly #end: number;

  constructor(seconds: number) {
    this.seconds = seconds;
    this.#end = performance.now() + 1000 * seconds;
  }

  /** Seconds that are left; never below 0. */
  get left(): number {
    return Math.max(0, this.#end - performance.now()) / 1000;
  }
}

/** A million seconds: what timers can still count. */
export const LONGEST_PATIENCE = 1e6;

/** Milliseconds for which a lock is waited for; 0 would be for ever. */
const lockTimeout = ({ left }: Patience): number => Math.max(1, Math.ceil(1000 * Math.min(left, LONGEST_PATIENCE)));

/** No wait for a lock is longer than was left when it was begun, but for so many milliseconds. */
const NEGLIGIBLE = 20;

/**
 * Begins a transaction. It waits for the disk whatever the settings are (never less than they say), and tells where somebody ends
 * that waiting; one whose client is gone is ended by the server after a minute, so that it keeps nobody from the ledger for longer.
 */
export const begin = async (session: Session, patience: Patience): Promise<void> => {
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
export async function lockHeads(
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
      if (rows.length === 0) return { ...failed({ code: 'no-such-ledger' }), ledger: name };
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      return { ...failed({ code: 'busy', seconds: patience.seconds }), ledger: name };
    }
  }
  return null;
}
