import type { Refusal } from '../core/refusal.ts';
import type { Damage } from './line.ts';

/** Why the file cannot be reached or is no ledger of this kind: a mistake of who named it. */
export type NotALedger =
  | { readonly code: 'no-such-file' | 'no-such-directory' | 'file-exists' | 'is-a-directory' | 'not-a-file' }
  | { readonly code: 'unreadable'; readonly reason: string }
  | { readonly code: 'not-a-ledger' }
  | { readonly code: 'unsupported-version'; readonly found: string };

/** Why nothing was recorded although it was allowed. */
export type NotWritten =
  | { readonly code: 'no-space' | 'read-only' | 'not-permitted' }
  | { readonly code: 'write-failed'; readonly reason: string }
  /** The record would be longer than a line may be. */
  | { readonly code: 'too-long'; readonly bytes: number }
  /** The record that was written could not be made durable, nor taken back: the record may count, and was not acknowledged. */
  | { readonly code: 'outcome-unknown'; readonly reason: string }
  /** The system or the library has no locks for this file. */
  | { readonly code: 'no-locks'; readonly reason: string };

/** It was recorded, but the new ledger that goes with it could not be made. */
export interface NotMade {
  readonly code: 'not-made';
  readonly path: string;
  readonly because: NotALedger | NotWritten;
}

/** Others were at the file. */
export type Conflict =
  /** Somebody else kept the lock all the time that was to be waited. */
  | { readonly code: 'busy'; readonly seconds: number }
  /** The last record is not the one that was expected. */
  | { readonly code: 'changed'; readonly expected: string; readonly found: string }
  /** While it was written to, the file was put in another one's place, or somebody wrote without the lock. */
  | { readonly code: 'replaced' };

/** A flaw that keeps a sound record from its place. */
export type Misplaced =
  /** The same line stands in the file before, at `first`. */
  | { readonly code: 'duplicate-record'; readonly first: number }
  /** It follows the record at line `after`, and so does an earlier one. */
  | { readonly code: 'fork'; readonly after: number }
  /** So many records before it are not there. */
  | { readonly code: 'missing-records'; readonly count: number }
  /** It follows a record that is not in this file, or not there. */
  | { readonly code: 'broken-chain' }
  /** It belongs to another ledger. */
  | { readonly code: 'foreign-record' };

/** A claim of a header about where its ledger comes from that is not so there. */
export type WrongOrigin =
  /** It says that the ledger began by itself. */
  | 'no-origin'
  /** It names another ledger than the one that was looked into. */
  | 'other-ledger'
  /** No record of that hash pays for a ledger, or ends one. */
  | 'no-such-record'
  /** The record is for a ledger of another id, of other terms, or with other totals. */
  | 'other-id'
  | 'other-terms'
  | 'other-totals';

/** A flaw in the content of a record that is in its place. */
export type Inconsistent =
  /** Its fields are not those of a record. */
  | { readonly code: 'malformed-record'; readonly path: string }
  /** Its totals are not what the records up to it add up to. */
  | { readonly code: 'wrong-totals'; readonly path: string; readonly stated: string; readonly actual: string }
  /** The rule does not allow it. */
  | { readonly code: 'not-allowed'; readonly refusal: Refusal }
  /** The rule allows what it says ended the ledger. */
  | { readonly code: 'needless-halt' }
  /** The ledger had ended: it goes on in another one. */
  | { readonly code: 'after-conversion'; readonly to: string }
  | { readonly code: 'wrong-origin'; readonly what: WrongOrigin };

/** Where in the file something is. */
export interface Place {
  /** Counted from 1. */
  readonly line: number;
  /** The number of the record that is, or should be, there; the first line, the header, is record 0. */
  readonly record: number;
}

/** A flaw in the content of a file. */
export type Flaw = Place &
  (
    | { readonly code: 'empty-ledger' | 'unfinished-header' | 'line-too-long' }
    | ({ readonly code: 'damaged-record' } & Damage)
    /** Bytes after the last newline that no unfinished write leaves behind. */
    | { readonly code: 'damaged-end' }
    | Misplaced
    | Inconsistent
  );

/** Why something could not be done with a ledger file; it was left as it was, unless the code says otherwise. */
export type Fault = NotALedger | NotWritten | NotMade | Conflict | Flaw;

export type FaultCode = Fault['code'];

/** Something that failed, as a value. */
export interface Failed<F extends Fault = Fault> {
  readonly kind: 'failed';
  readonly fault: F;
}

export const failed = <F extends Fault>(fault: F): Failed<F> => ({ kind: 'failed', fault });
