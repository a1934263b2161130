import type { Sealed } from './line.ts';

/**
 * The mark of records of one transaction over several ledgers. One of them, the head, decides: the others count where the head
 * counts, and name it.
 */
export interface Together {
  /** The ids of all the ledgers, in the order in which they were named; the head is the first. */
  readonly ids: readonly string[];
  /** How they are called from here, in the same order. */
  readonly names: readonly string[];
  /** The record of the head; null in the head itself. */
  readonly head: {
    /** How its ledger is called from here. */
    readonly ledger: string;
    /** The hash of its header. */
    readonly header: string;
    readonly seq: number;
    readonly hash: string;
  } | null;
}

/** The head that a record names, if it is one of several whose head is another. */
export const headNamedBy = (record: Sealed): Together['head'] => togetherIn(record)?.head ?? null;

/** The mark in the text of a record: only records that have it belong to others. */
export const TOGETHER = Buffer.from(',"together":{');

/** The mark of a record; null for a record of one ledger alone. */
export const togetherIn = ({ fields }: Pick<Sealed, 'fields'>): Together | null =>
  (fields as { readonly together?: Together }).together ?? null;

/** The ids of all ledgers of the transaction that a record belongs to; null for a record of one ledger alone. */
export const participantsIn = (record: Pick<Sealed, 'fields'>): readonly string[] | null =>
  togetherIn(record)?.ids ?? null;
