import { Interrupted, type Failed } from '../records/fault.ts';
import { placed, unseal } from '../records/line.ts';
import type { RawLine } from '../records/raw-line.ts';
import type { Store } from './store.ts';
import { TOGETHER, type Together } from '../records/together.ts';

/** The part of a ledger in a transaction over several. */
export interface Part {
  readonly seq: number;
  /** The hash of the record that decides about the whole. */
  readonly head: string;
  /** The ids of all ledgers that have a part, and how they were called from here. */
  readonly ids: readonly string[];
  readonly names: readonly string[];
  /** Where it was written, see `Store.home`. */
  readonly home: string;
}

/** What was looked for in a ledger. */
export interface Probed {
  readonly kind: 'probed';
  /** The hashes of the records of the numbers that were asked for, as far as there are such. */
  readonly hashes: ReadonlyMap<number, string>;
  readonly parts: readonly Part[];
}

const HASH_AT_END = /"hash":"([0-9a-f]{64})"\}$/;
const HASH_LENGTH = '"hash":""}'.length + 64;

/** The hash that a line states. */
const statedIn = (bytes: Buffer): string | undefined =>
  HASH_AT_END.exec(bytes.toString('latin1', Math.max(0, bytes.length - HASH_LENGTH)))?.[1];

/** The members of a record that say how it hangs together with others. */
interface Written {
  readonly seq: number;
  readonly home: string;
  readonly together?: Together;
}

function partIn(bytes: Buffer): Part | null {
  if (!bytes.includes(TOGETHER)) return null;
  const record = unseal(bytes, false);
  if (record.kind !== 'record') return null;
  const { seq, home, together } = record.fields as Partial<Written>;
  if (seq === undefined || home === undefined || together === undefined) return null;
  const { ids, names, head } = together;
  return { seq, head: head?.hash ?? record.hash, ids, names, home };
}

/** Whether a line is one of several of a transaction of which it is not known yet whether it counts. */
const isOpen = ({ ended, bytes }: RawLine): boolean => !ended && bytes.includes(TOGETHER);

/**
 * Reads off a ledger, whose soundness is another question, the hashes of the records of some numbers, and its parts in transactions
 * over several ledgers.
 */
export async function probe(store: Store, name: string, numbers: ReadonlySet<number>): Promise<Probed | Failed> {
  const batches = await store.records(name);
  if ('kind' in batches) return batches;
  const hashes = new Map<number, string>();
  const parts: Part[] = [];
  try {
    for await (const batch of batches) {
      for (const line of batch) {
        const { bytes, number } = line;
        if (isOpen(line)) continue;
        const seq = Number(placed(bytes)?.fields.seq ?? number - 1);
        const hash = numbers.has(seq) ? statedIn(bytes) : undefined;
        if (hash !== undefined) hashes.set(seq, hash);
        const part = partIn(bytes);
        if (part !== null) parts.push(part);
      }
    }
  } catch (error) {
    if (error instanceof Interrupted) return error.failed;
    throw error;
  }
  return { kind: 'probed', hashes, parts };
}
