import type { StoreTime } from './rules/terms.ts';
import type { LedgerState } from './state.ts';
import type { LedgerRecord, Aside, Header, MovedTo } from './record.ts';
import type { Present } from './present.ts';
import type { HeaderAndHead } from './chain.ts';
import type { Failed } from './fault.ts';
import type { Fields, Sealed, RawLine } from './line.ts';

/** A sum of the records of a ledger, made from the first to the last; it can be kept on the way. */
export interface Fold<T> {
  /** Names what is summed up and how it is written. */
  readonly name: string;
  /** The sum before the first record. */
  begin(start: LedgerState): T;
  /** The sum after one more record; the one before may be changed for it. */
  add(sum: T, recorded: LedgerRecord): T;
  /** As plain JSON. */
  write(sum: T): unknown;
  /** The inverse; null for what cannot be the sum of the records up to this one of a ledger that began so. */
  read(json: unknown, last: LedgerRecord, start: LedgerState): T | null;
}

/** A ledger, and the sum of its records. */
export interface Folded<T> {
  readonly kind: 'folded';
  readonly present: Present;
  /** The ledger before its first record. */
  readonly start: LedgerState;
  readonly sum: T;
}

/**
 * Whether two addresses are of one store: they are the same but for the user of a database, who is of the one who connects and not of
 * the store.
 */
export const isSameStore = (a: string, b: string): boolean => withoutUser(a) === withoutUser(b);

const withoutUser = (address: string): string => address.replace(/^(postgres(?:ql)?:\/\/)[^@/]*@/, '$1');

/** A record that is looked for among all of a ledger's: the one that was written with this idempotency key. */
export interface Lookup {
  readonly kind: 'key';
  readonly key: string;
}

/** A ledger as a transaction finds it, while nobody else can add to it. */
export interface LedgerView {
  readonly name: string;
  readonly ends: HeaderAndHead;
  /** The records that were sought in it, one for each of {@link TransactOptions.lookups} in their order; null where there is none. */
  readonly found: readonly (Sealed | null)[];
}

/** Fields of the records to be added, one or none for each ledger, and the result. */
export interface Proposal<T> {
  readonly kind: 'proposal';
  /** For each ledger, the fields beside those that put a record in its place; null: nothing is added to it. */
  readonly additions: readonly (Fields | null)[];
  /** Whether it is only tried: what would be in the way fails as ever, and nothing is added. */
  readonly isTrial?: boolean;
  readonly value: T;
}

/** A decision about ledgers: of what it is shown alone, as it may be asked for more than once. */
export type Propose<T> = (views: readonly LedgerView[], now: StoreTime) => Proposal<T> | Failed;

/** How to wait, and for what. */
export interface TransactOptions {
  /** Seconds to wait for others who write. */
  readonly patience: number;
  /** The hash (or its first digits) that the last record of the first ledger must have. */
  readonly expect?: string;
  /** The records to look for in each of the ledgers. */
  readonly lookups?: readonly Lookup[];
  /** Whether a time of a ledger, or of what is added, may be more than a day after the clock of the store (else `clock-behind`). */
  readonly acceptClock?: boolean;
  /** Whether the ledgers may go on here although their last records were written elsewhere. */
  readonly adopt?: boolean;
  /** The store and name of a ledger that may go on here after it was moved: only if it was moved to these. */
  readonly goesOnAt?: MovedTo;
  /** The place in which a ledger has arrived that was moved away from here: that, and nothing else, may be recorded of it. */
  readonly arrivedAt?: MovedTo;
  /** The random bits of a record; those of the system by default. */
  readonly nonce?: () => string;
}

/** An end that an earlier writer had left: the newline that was missing was added, or what never counted was removed. */
export type Settled = 'none' | 'finished' | 'removed';

/** The result of a transaction that did not fail. */
export interface Transacted<T> {
  readonly kind: 'transacted';
  readonly value: T;
  /** For each ledger the record that was added, and is durable; null where nothing was. */
  readonly records: readonly (Sealed | null)[];
  readonly settled: Settled;
}

/** A ledger that was made of lines that were written elsewhere. */
export interface Restored {
  readonly kind: 'restored';
  readonly last: Sealed;
}

/** A ledger in a list; a fault in place of its ends where it cannot be read. */
export interface Listed {
  readonly name: string;
  readonly ends: HeaderAndHead | Failed;
}

/**
 * A place where ledgers are kept by their names. A ledger is a chain of lines (see `seal`), to which is only ever added; what a
 * store has to see to is that no two records follow the same one, and that what it has acknowledged stays.
 *
 * Faults are values (`Failed`); what is thrown is a defect of the program.
 */
export interface Store {
  /** As it is called in messages, without anything secret. */
  readonly address: string;
  /**
   * The place itself, in a few characters, which every record that is added here has. A ledger whose last record has another one is a copy,
   * and is added to only by who says that it goes on here (`adopt`).
   */
  placeId(name: string): Promise<string | Failed>;
  /** How a ledger is called in the records of another; `resolve` is the inverse. */
  reference(from: string, to: string): string;
  resolve(from: string, reference: string): string;
  /**
   * Shows `propose` all these ledgers while nobody else can add to any of them, and keeps what it proposes: all of it,
   * durably, before this returns, or nothing. Records that pay for ledgers or end one (`newLedgersOf`) make these with them.
   * Where it fails, nothing was kept, unless the code of the fault says otherwise (`outcome-unknown`, `replaced`).
   */
  transact<T>(names: readonly string[], propose: Propose<T>, options: TransactOptions): Promise<Transacted<T> | Failed>;
  /**
   * Sets aside what stands at the end of a ledger and is no record, and adds the record that keeps it, as `propose` says. A record
   * whose transaction cannot be looked into any more is counted. Only stores have it whose ends can be broken.
   */
  recover?<T>(
    name: string,
    propose: (aside: Aside) => Propose<T>,
    options: TransactOptions,
  ): Promise<Transacted<T> | Failed>;
  /** Makes a ledger that has only a header; fails where there is one of this name. */
  create(name: string, header: Header): Promise<Sealed | Failed>;
  /**
   * Makes a ledger of lines that were written elsewhere, each without its newline: all of them, byte for byte and durably, or
   * nothing. The lines come through `restorable`, so that they are one chain whose last record was written in another place; where
   * that throws `Interrupted`, its fault is the result. Fails where there is a ledger of this name.
   * A store without it takes no copies.
   */
  restore?(name: string, lines: AsyncIterable<readonly Buffer[]>): Promise<Restored | Failed>;
  /** Why no ledger of this name could be made here, as far as can be known without making one; null where nothing is in the way. */
  obstacle(name: string): Promise<Failed | null>;
  /** The header and the last record that counts, as they are now. */
  ends(name: string): Promise<HeaderAndHead | Failed>;
  /** All lines in order, the header first, in batches. */
  records(name: string): Promise<AsyncIterable<readonly RawLine[]> | Failed>;
  /**
   * What is left of a ledger of this name that is not there any more, as a place that people can look at; null where nothing is. Only
   * stores have it whose ledgers can be taken away.
   */
  leftOf?(name: string): string | null;
  /** Sums up the records; only stores have it that keep such sums, so that they need not begin at the first record again. */
  fold?<T>(name: string, fold: Fold<T>): Promise<Folded<T> | Failed>;
  /** All ledgers, by their names in order, in batches. */
  list(): Promise<AsyncIterable<readonly Listed[]> | Failed>;
  /**
   * Lets go of what the store holds, such as connections. What is under way is done to its end; to ask for more afterwards is a
   * defect, and may throw.
   */
  close(): Promise<void>;
}
