import type { Fault } from '../../fault.ts';
import { PasswordMissing } from './address.ts';

/** An address of a database, which may have a password in it. */
const ADDRESS = /\b[a-z][a-z0-9+.-]*:\/\/\S*/gi;

/** The reason of a failure in one line, without an address that may stand in it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Of several addresses that a name stands for, none of which answered.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : null;
  if (first instanceof Error) return reasonOf(first);
  const code = 'code' in error ? String(error.code) : error.name;
  const [line = ''] = (error.message === '' ? code : error.message).split('\n');
  return line.replace(ADDRESS, 'the address');
}

/** Why a statement or a connection failed. */
export interface Failure {
  readonly kind: 'failure';
  readonly fault: Fault;
  /**
   * Whether it can be otherwise when it is tried again: `at-once` where others were in the way, `later` where the server is
   * busy or was lost, `if-known` where nothing answers: at an address that has answered before, it may come back.
   */
  readonly again: 'no' | 'at-once' | 'later' | 'if-known';
  /** The connection is of no use any more. */
  readonly isLost: boolean;
}

/** A failure after which nothing is tried again. */
export const finalFailure = (fault: Fault): Failure => ({ kind: 'failure', fault, again: 'no', isLost: true });

/** Thrown where a server does not do what it is asked, or is not there; the cause is what `pg` threw. */
export class ServerError extends Error {
  constructor(cause: unknown) {
    super(reasonOf(cause), { cause });
  }
}

/** The five characters by which the server names an error; null for one that is not the server's. */
function stateOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in (error as Error) ? code : null;
}

/** Errors of the server after which it closes the connection. */
const CLOSING = ['57P01', '57P02', '57P03', '57P05', '25P03', '25P04'];

const isClosing = (state: string): boolean => CLOSING.includes(state) || state.startsWith('08');

/** What was asked of the server. */
export type Asking = 'connect' | 'read' | 'write';

/** A role may not do something, which the reason names. */
const denied = (reason: string, asking: Asking): Fault =>
  asking === 'write' ? { code: 'not-permitted', reason } : { code: 'unreadable', reason, of: 'database' };

/** The fault that an error of the server is, by its state; null where it has no code of its own. */
function byState(state: string, reason: string, asking: Asking): Fault | null {
  switch (state) {
    case '28P01':
    case '28000':
      return { code: 'not-admitted', reason };
    case '3D000':
      return { code: 'no-such-database' };
    case '53300':
      return { code: 'too-many-connections' };
    case '53100':
      return { code: 'no-space' };
    case '57014':
      return { code: 'cancelled', reason };
    case '25006':
      return { code: 'read-only', of: 'database' };
    case '42501':
      return denied(reason, asking);
    // A schema, a table, a function or a column that is not there.
    case '3F000':
    case '42P01':
    case '42883':
    case '42703':
      return { code: 'no-store' };
    default:
      return null;
  }
}

/** Serialization failure, deadlock, and a lock that was waited for in vain. */
const IN_THE_WAY = ['40001', '40P01', '55P03'];

const SASL = 'SASL:';

/** A failure that did not come from the server: of the network, of TLS, or of what both sides say of passwords. */
function ofNetwork(cause: unknown, reason: string, asking: Asking): Failure {
  if (asking !== 'connect') {
    return { kind: 'failure', fault: { code: 'connection-lost', reason }, again: 'later', isLost: true };
  }
  if (cause instanceof PasswordMissing) return finalFailure({ code: 'not-admitted', reason });
  if (reason.startsWith(SASL)) return finalFailure({ code: 'not-admitted', reason: reason.slice(SASL.length).trim() });
  return { kind: 'failure', fault: { code: 'unreachable', reason }, again: 'if-known', isLost: true };
}

const isBug = (error: unknown): boolean =>
  !(error instanceof Error) ||
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof ReferenceError;

/** Why the server did not do what it was asked; an error of the program itself is thrown. */
export function failureOf(error: unknown, asking: Asking): Failure {
  if (!(error instanceof ServerError) || isBug(error.cause)) throw error;
  const state = stateOf(error.cause);
  const reason = error.message;
  if (state === null) return ofNetwork(error.cause, reason, asking);
  if (isClosing(state)) {
    const code = asking === 'connect' ? 'unreachable' : 'connection-lost';
    return { kind: 'failure', fault: { code, reason }, again: 'later', isLost: true };
  }
  const fault = byState(state, reason, asking) ?? { code: asking === 'write' ? 'write-failed' : 'unreadable', reason };
  const isCrowded = fault.code === 'too-many-connections';
  const again = IN_THE_WAY.includes(state) ? 'at-once' : isCrowded ? 'later' : 'no';
  return { kind: 'failure', fault, again, isLost: asking === 'connect' };
}

/** Whether a lock was waited for as long as was said. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof ServerError && stateOf(error.cause) === '55P03';
