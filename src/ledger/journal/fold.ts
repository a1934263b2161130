import type { LedgerState } from '../core/state.ts';
import { isMisplaced } from '../records/chain.ts';
import type { Rest } from '../records/ends.ts';
import { failed, type Failed } from '../records/fault.ts';
import { firstFlaw } from './history.ts';
import { numberOf, type Sealed, type RawLine } from '../records/line.ts';
import type { Fold, Folded, Store } from './store.ts';
import { presentOf, stateAtStart } from './present.ts';
import { readHeader, readRecord } from '../records/record.ts';
import { walk, type Found, type WalkOptions } from '../records/walk.ts';

const placeOf = (record: Sealed): { readonly line: number; readonly record: number } => {
  const seq = numberOf(record);
  return { line: seq + 1, record: seq };
};

/** A sum in the making. */
export class Folding<T> {
  readonly #fold: Fold<T>;
  #header: Sealed | null = null;
  #start: LedgerState | null = null;
  #sum: T | null = null;
  #last: Sealed | null = null;
  #rest: Rest = { kind: 'none' };

  constructor(fold: Fold<T>) {
    this.#fold = fold;
  }

  /** Goes on after a record, with the sum as it was written then; false where it cannot have been that. */
  resume(header: Sealed, last: Sealed, written: unknown): boolean {
    if (this.#begin(header) !== null || this.#start === null) return false;
    const recorded = readRecord(last, placeOf(last));
    if ('kind' in recorded) return false;
    this.#sum = this.#fold.read(written, recorded, this.#start);
    this.#last = last;
    return this.#sum !== null;
  }

  /** Takes what is found in the next line; fails at the first thing that is wrong. */
  take(found: Found): Failed | null {
    switch (found.kind) {
      case 'other':
        return failed(found.fault);
      case 'flaw':
        return failed(found.flaw);
      case 'rest':
        this.#rest = found.rest;
        return null;
      case 'record':
        return found.place.record === 0 ? this.#begin(found.record) : this.#add(found.record);
    }
  }

  /** The last record, and the sum of all up to it as it is written. */
  written(): { readonly last: Sealed; readonly sum: unknown } | null {
    return this.#sum === null || this.#last === null ? null : { last: this.#last, sum: this.#fold.write(this.#sum) };
  }

  folded(): Folded<T> | Failed {
    if (this.#header === null || this.#start === null || this.#sum === null || this.#last === null) {
      throw new Error('A ledger without flaws has a header.');
    }
    const present = presentOf({ kind: 'ends', header: this.#header, last: this.#last, rest: this.#rest });
    return present.kind === 'failed' ? present : { kind: 'folded', present, start: this.#start, sum: this.#sum };
  }

  #begin(sealed: Sealed): Failed | null {
    const header = readHeader(sealed);
    if ('kind' in header) return header;
    this.#start = stateAtStart(header);
    if (this.#start === null) return failed({ code: 'malformed-record', line: 1, record: 0, path: 'terms' });
    this.#sum = this.#fold.begin(this.#start);
    this.#header = sealed;
    this.#last = sealed;
    return null;
  }

  #add(record: Sealed): Failed | null {
    const recorded = readRecord(record, placeOf(record));
    if ('kind' in recorded) return recorded;
    this.#sum = this.#fold.add(this.#sum!, recorded);
    this.#last = record;
    return null;
  }
}

/** Sums up the records in lines: all of a ledger's, or those after a record that `folding` goes on from. */
export async function foldLines<T>(
  lines: AsyncIterable<readonly RawLine[]> | Failed,
  folding: Folding<T>,
  after?: WalkOptions['after'],
): Promise<Folded<T> | Failed> {
  if ('kind' in lines) return lines;
  for await (const all of walk(lines, { remembers: false, ...(after && { after }) })) {
    for (const found of all) {
      const fault = folding.take(found);
      if (fault !== null) return fault;
    }
  }
  return folding.folded();
}

/** Sums up the records of a ledger, up to the first thing that is wrong with it. */
export async function foldOf<T>(store: Store, name: string, fold: Fold<T>): Promise<Folded<T> | Failed> {
  const folded = await (store.fold?.(name, fold) ?? foldLines(await store.records(name), new Folding(fold)));
  if (folded.kind === 'folded' || !isMisplaced(folded.fault)) return folded;
  return (await firstFlaw(store, name)) ?? folded;
}
