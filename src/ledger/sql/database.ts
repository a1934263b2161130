import { failed, type DamagedStore, type Failed } from '../records/fault.ts';
import type { Sealed } from '../records/line.ts';

/** What statements cannot say in the same words to every database. */
export interface Dialect {
  /** The schema that the tables `ledgers` and `records` are in, as it stands before their names. */
  readonly schema: string;
  /** The number of a record `t` among all of the database, where it numbers them in the order in which they come. */
  readonly order: string;
  /** Gives a new ledger its name ($1) and id ($2), its head before any record; a row comes back unless the name is taken. */
  readonly claim: string;
  /** What stands in the column `key` for an idempotency key. */
  readonly keyOf: (key: unknown) => string;
}

/** A database that has not all records that it was left with: another copy was put over it. */
export interface Cut {
  /** The records that it had then: a ledger that ends in one of these may have lost others. */
  readonly records: number;
  /** The records that it was left with. */
  readonly before: number;
  /** Whether nobody has added to it since. */
  readonly isNew: boolean;
}

/** The fault of what rests on the records that are missing. */
export const cutFault = ({ records, before }: Cut): Failed =>
  failed({ code: 'cut-off', size: records, before, unit: 'records', ...(records >= before && { isOther: true }) });

/** A database has taken what was added to a ledger, and has it not. */
export const notKept = (ledger: string): Failed<DamagedStore> => ({
  ...failed({
    code: 'damaged-store',
    reason: 'what was recorded is not there: something in the database lets it fall, such as a trigger',
  }),
  ledger,
});

/** The time that is left to wait for others, counted from when it is made. */
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

/** A database as it is at one moment, or as a transaction leaves it so far. */
export interface View {
  readonly dialect: Dialect;
  readonly cut: Cut | null;
  /** The rows of a statement, whose values are numbered ($1). */
  ask<Row extends object>(text: string, values: readonly unknown[]): Promise<readonly Row[]>;
}

/** A record, and the ledger and number that it has there. */
export interface RecordRow {
  readonly ledger: string;
  readonly seq: number;
  readonly record: Sealed;
  /** Without its newline. */
  readonly line: Buffer;
}

/** A transaction in which nobody else can add to the ledgers that it was begun with. */
export interface Transaction extends View {
  /** The place of the database, see `Store.home`. */
  readonly home: string;
  /** The moment, by the clock of the database, after those who had the ledgers before. */
  readonly now: string;
  /** Adds records after the last ones of their ledgers, each of which becomes the head; a fault where one was not taken. */
  insert(rows: readonly RecordRow[]): Promise<Failed | null>;
}

/** What was done in a transaction that is to be kept. */
export interface Change<T> {
  readonly kind: 'change';
  readonly value: T;
  /** A record that is there if all of the transaction is; null where there is nothing to be kept. */
  readonly witness: RecordRow | null;
}

/** A database of ledgers, as its driver reaches it. */
export interface Database {
  readonly address: string;
  home(): Promise<string | Failed>;
  /** Reads all at one moment. */
  read<T>(question: (view: View) => Promise<T | Failed>): Promise<T | Failed>;
  /**
   * Does something in a transaction that is durable when this returns, or not done at all; perhaps more than once before, unless it
   * `isOnce`. `names`: the ledgers that nobody else can add to meanwhile. `seconds`: how long to wait for others; what the driver
   * thinks right by default.
   */
  change<T>(
    how: { readonly names: readonly string[]; readonly seconds?: number; readonly isOnce?: boolean },
    make: (transaction: Transaction) => Promise<Change<T> | Failed>,
  ): Promise<T | Failed>;
  /** Why nothing can be written, as far as that can be known without writing; null where nothing is in the way. */
  obstacle(): Failed | null;
  close(): Promise<void>;
}
