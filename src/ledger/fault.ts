import type { Refusal } from './rules/refusal.ts';
import type { Damage } from './line.ts';

/** Why the file cannot be reached or is no ledger of this kind: a mistake of who named it. */
export type NotALedger =
  | { readonly code: 'no-such-file' | 'file-exists' | 'is-a-directory' | 'not-a-file' }
  /** `unwritable`: the folder, where it is there and takes no files. */
  | { readonly code: 'no-such-directory'; readonly unwritable?: string }
  | { readonly code: 'unreadable'; readonly reason: string; readonly of?: 'database' }
  /** `isDocument`: it begins as a specification or a policy does. */
  | { readonly code: 'not-a-ledger'; readonly isDocument?: boolean }
  | { readonly code: 'unsupported-version'; readonly found: string };

/** Why a store has, or has not, a ledger of a name. */
export type Unnamed =
  | { readonly code: 'no-such-ledger' | 'ledger-exists' }
  /** No ledger can have this name there. */
  | { readonly code: 'bad-name'; readonly reason: string };

/** What a database is made of was changed or is damaged. */
export interface DamagedStore {
  readonly code: 'damaged-store';
  readonly reason: string;
}

/** Why a place where ledgers are kept cannot be used. */
export type NoStore =
  /** The package that reaches such places is not there, or cannot be loaded. */
  | { readonly code: 'no-driver'; readonly package: string; readonly reason: string }
  /** Nothing is there yet: `ledger store init` makes it. */
  | { readonly code: 'no-store' }
  | { readonly code: 'not-a-store'; readonly reason: string }
  | { readonly code: 'other-schema'; readonly found: string; readonly needed: string }
  | DamagedStore
  | { readonly code: 'unfit-place'; readonly reason: string };

/** Why nothing was recorded although it was allowed. */
export type NotWritten =
  | { readonly code: 'no-space' }
  | { readonly code: 'read-only'; readonly of?: 'database' }
  /** In a database, with what the server says is missing. */
  | { readonly code: 'not-permitted'; readonly reason?: string }
  | { readonly code: 'write-failed'; readonly reason: string }
  /** The record would be longer than a line may be, which is `most`. */
  | { readonly code: 'too-long'; readonly bytes: number; readonly most: number }
  /** The record that was written could not be made durable, nor taken back: the record may count, and was not acknowledged. */
  | { readonly code: 'outcome-unknown'; readonly reason: string }
  | { readonly code: 'no-locks'; readonly reason: string }
  /** The file system does not know when a file was made, so that a copy could not be told. */
  | { readonly code: 'no-birth-times' }
  /** The locks of this file system do not keep the writers of other machines away. */
  | { readonly code: 'unshared-locks'; readonly fileSystem: string };

/** A ledger that should have been made together with a record could not be, and nothing was recorded. */
export interface NotMade {
  readonly code: 'not-made';
  readonly path: string;
  readonly because: NotALedger | Unnamed | NotWritten;
  /** Whether it goes with a record that is there and counts, of a writer that was stopped. */
  readonly isPaidFor?: true;
}

/** Why what stands at the end of a ledger does not say what counts. */
export type Unsettled =
  | { readonly code: 'nothing-to-recover' }
  /** The record that never ran has launched nothing, or is not there. */
  | { readonly code: 'nothing-to-void'; readonly voids: number }
  /** The beginning of a record: `ledger recover` sets it aside. */
  | ({ readonly code: 'unfinished-record'; readonly bytes: number } & Place)
  /** The file, or the database, has less than it was left with, or `isOther` than it was: records are gone from its end. */
  | {
      readonly code: 'cut-off';
      readonly size: number;
      readonly before: number;
      readonly unit: 'bytes' | 'records';
      readonly isOther?: boolean;
      /** Whether it ends with a whole record, so that there is nothing to recover. */
      readonly isComplete?: boolean;
    }
  /** A record of a transaction over several ledgers, whose head is in a ledger that cannot be looked into. */
  | { readonly code: 'unsettled'; readonly head: string; readonly because: string };

/** The place where a ledger is cannot be relied on. */
export type NotHere =
  /** The last record was written elsewhere: this is a copy, or was put back. */
  | { readonly code: 'moved' }
  /** The last record says where it goes on: it was moved there. */
  | { readonly code: 'moved-away'; readonly to: string; readonly name: string; readonly store: string }
  /** It has ended, and goes on in another ledger. */
  | { readonly code: 'converted'; readonly successor: { readonly id: string; readonly name: string } }
  /** The ledger was last written in the place that it is to be copied into. */
  | { readonly code: 'same-place' }
  /** It is not there, and was, as a record of another ledger says that was written together with one of its own. */
  | { readonly code: 'lost-ledger'; readonly record: number; readonly with: string }
  /** The same, as what is left of it says. */
  | { readonly code: 'lost-ledger'; readonly left: string }
  | { readonly code: 'same-ledger'; readonly other: string };

/** The address of a store is not one. Nothing of it is in the fault, as there may be a password in it. */
export interface BadAddress {
  readonly code: 'bad-address';
  readonly problem:
    | 'malformed'
    | 'password'
    | 'unknown-option'
    | 'repeated-option'
    | 'wrong-option'
    /** It is of another machine, and nothing says whether the connection is to be encrypted. */
    | 'unencrypted'
    /** It begins or ends with white space, which the driver would leave out. */
    | 'outer-space';
  /** The option, where it is one of these. */
  readonly option: string | null;
}

/** The server of a store did not do what it was asked; nothing was recorded. */
export type Unserved =
  | { readonly code: 'no-such-database' }
  /** It does not let in who asks, with this password. */
  | { readonly code: 'not-admitted'; readonly reason: string }
  | { readonly code: 'unreachable' | 'connection-lost'; readonly reason: string }
  | { readonly code: 'too-many-connections' }
  /** Somebody, or a limit of the server, stopped it. */
  | { readonly code: 'cancelled'; readonly reason: string };

/** Others were at the file. */
export type Conflict =
  /** Somebody else kept the lock all the time that was to be waited. */
  | { readonly code: 'busy'; readonly seconds: number }
  | { readonly code: 'key-used'; readonly key: string; readonly record: number }
  | { readonly code: 'other-budget'; readonly path: string; readonly expected: string; readonly found: string }
  | { readonly code: 'changed'; readonly expected: string; readonly found: string }
  /** A time, of this record or of the one that was to be added (null), is more than a day after the clock of the store. */
  | { readonly code: 'clock-behind'; readonly time: string; readonly now: string; readonly record: number | null }
  /** While it was written to, the file was put in another one's place, or somebody wrote without the lock. */
  | { readonly code: 'replaced' };

/** A flaw that keeps a sound record from its place. */
export type Misplaced =
  | { readonly code: 'duplicate-record'; readonly first: number }
  /** It follows the record at line `after`, and so does an earlier one. */
  | { readonly code: 'fork'; readonly after: number }
  | { readonly code: 'missing-records'; readonly count: number }
  /** It follows a record that is not in this file, or not there. */
  | { readonly code: 'broken-chain' }
  | { readonly code: 'foreign-record' };

/** A claim of a header about where its ledger comes from that is not so there. */
export type WrongOrigin =
  | 'no-origin'
  | 'other-ledger'
  /** No record of that hash pays for a ledger, or ends one. */
  | 'no-such-record'
  /** The record is for a ledger of another id, of other terms, or with other totals. */
  | 'other-id'
  | 'other-terms'
  | 'other-totals';

/** A flaw in the content of a record that is in its place. */
export type Inconsistent =
  | { readonly code: 'malformed-record'; readonly path: string }
  | { readonly code: 'wrong-totals'; readonly path: string; readonly stated: string; readonly actual: string }
  | { readonly code: 'not-allowed'; readonly refusal: Refusal }
  | { readonly code: 'needless-halt' }
  /** What it says was refused is allowed, or was refused for another reason. */
  | { readonly code: 'needless-refusal' }
  | { readonly code: 'other-hold' }
  | { readonly code: 'wrong-void'; readonly voids: number }
  | { readonly code: 'after-conversion'; readonly to: string }
  | { readonly code: 'after-move' }
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
    /** The store notes this hash as that of the last record, and the last record that is there has another one. */
    | { readonly code: 'wrong-head'; readonly stated: string }
    | Misplaced
    | Inconsistent
  );

/** Why something could not be done with a ledger file; it was left as it was, unless the code says otherwise. */
export type Fault =
  NotALedger | Unnamed | NoStore | BadAddress | Unserved | NotWritten | NotMade | Unsettled | NotHere | Conflict | Flaw;

export type FaultCode = Fault['code'];

/** Something that failed, as a value. */
export interface Failed<F extends Fault = Fault> {
  readonly kind: 'failed';
  readonly fault: F;
  /** The ledger, by the name by which it was asked for, where several were. */
  readonly ledger?: string;
}

export const failed = <F extends Fault>(fault: F, ledger?: string): Failed<F> => ({
  kind: 'failed',
  fault,
  ...(ledger !== undefined && { ledger }),
});

/** Thrown by a store in the middle of a list that it hands out, where it cannot go on; whoever reads the list makes it a value again. */
export class Interrupted extends Error {
  readonly failed: Failed;

  constructor(why: Failed) {
    super(why.fault.code);
    this.failed = why;
  }
}
