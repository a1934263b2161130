import { failed, Interrupted, type Failed, type Fault, type Place } from './fault.ts';
import { type TrailingBytes, walk, type ParsedLine, type WalkOptions, soundIn, isMisplaced } from './chain.ts';
import { readHeader, readRecord, type Header, type LedgerRecord } from './record.ts';
import type { Store, Fold, Folded } from './store.ts';
import type { LedgerState } from './state.ts';
import type { Sealed, RawLine } from './line.ts';
import { presentOf, stateAtStart } from './present.ts';

/** A record with what identifies it. */
export interface StoredRecord {
  readonly place: Place;
  readonly hash: string;
  readonly recorded: LedgerRecord;
}

/** A ledger that was read from its beginning to its end, and has no flaw. */
export interface Scanned {
  readonly kind: 'scanned';
  readonly header: Header;
  /** The hash of the header. */
  readonly ledger: string;
  /** How many records there are beside the header. */
  readonly count: number;
  /** The hash of the last record. */
  readonly hash: string;
  readonly rest: TrailingBytes;
}

/** Takes what is read, and stops the reading where it says what is wrong. */
export interface Reader {
  readonly header?: (header: Header, hash: string) => Failed | null;
  readonly record: (record: StoredRecord) => Failed | null;
}

/** The first flaw of a ledger, with the name that all records before it give it. */
async function firstFlaw(store: Store, name: string): Promise<Failed | null> {
  const lines = await store.records(name);
  if ('kind' in lines) return lines;
  for await (const all of walk(lines)) {
    const flaw = all.find((parsedLine) => parsedLine.kind === 'flaw');
    if (flaw !== undefined) return failed(flaw.flaw);
  }
  return null;
}

/** Reads the lines of a ledger from the first to the last, up to the first thing that is wrong with it. */
export async function scan(store: Store, name: string, reader: Reader): Promise<Scanned | Failed> {
  const batches = await store.records(name);
  if ('kind' in batches) return batches;
  const headerSlot: { header?: Header } = {};
  let rest: TrailingBytes = { kind: 'none' };
  let [ledger, hash, count] = ['', '', 0];
  const take = (parsedLine: ParsedLine): Failed | null => {
    const sound = soundIn(parsedLine);
    if (sound.kind === 'failed') return sound;
    if (sound.kind === 'rest') {
      rest = sound.rest;
      return null;
    }
    const { record, place } = sound;
    hash = record.hash;
    if (place.record === 0) {
      const content = readHeader(record);
      if ('kind' in content) return content;
      headerSlot.header = content;
      ledger = hash;
      return reader.header?.(content, hash) ?? null;
    }
    const recorded = readRecord(record, place);
    if ('kind' in recorded) return recorded;
    count++;
    return reader.record({ place, hash, recorded });
  };
  for await (const all of walk(batches, { remembers: false })) {
    for (const parsedLine of all) {
      const wrong = take(parsedLine);
      if (wrong === null) continue;
      if (!isMisplaced(wrong.fault)) return wrong;
      return (await firstFlaw(store, name)) ?? wrong;
    }
  }
  const { header } = headerSlot;
  if (header === undefined) throw new Error('A ledger without flaws has a header.');
  return { kind: 'scanned', header, ledger, count, hash, rest };
}

/** All that a ledger holds. */
export interface History extends Omit<Scanned, 'kind' | 'count'> {
  readonly kind: 'history';
  readonly records: readonly StoredRecord[];
}

/** Reads all of a ledger, up to the first thing that is wrong with it. */
export async function readHistory(store: Store, name: string): Promise<History | Failed> {
  const records: StoredRecord[] = [];
  const scanned = await scan(store, name, {
    record: (record) => {
      records.push(record);
      return null;
    },
  });
  if (scanned.kind === 'failed') return scanned;
  const { header, ledger, hash, rest } = scanned;
  return { kind: 'history', header, ledger, records, hash, rest };
}

/**
 * The records of a ledger up to the last one of when it was read before without a flaw, in batches. Where it is not the same any
 * more, `onFault` is told why, and this throws.
 */
export async function* recordsOf(
  store: Store,
  name: string,
  { records: count, hash }: { readonly records: number; readonly hash: string },
  onFault: (fault: Fault) => void,
): AsyncGenerator<readonly StoredRecord[], void, undefined> {
  const stop = (fault: Fault): never => {
    onFault(fault);
    throw new Interrupted(failed(fault));
  };
  const lines = await store.records(name);
  if ('kind' in lines) return stop(lines.fault);
  let last = '';
  let recordCount = 0;
  for await (const all of walk(lines, { remembers: false })) {
    const batch: StoredRecord[] = [];
    for (const parsedLine of all) {
      const sound = soundIn(parsedLine);
      if (sound.kind === 'failed') return stop(sound.fault);
      if (sound.kind !== 'record') continue;
      const { place, record } = sound;
      if (place.record > 0 && recordCount === count) continue;
      last = record.hash;
      if (place.record === 0) continue;
      const recorded = readRecord(record, place);
      if ('kind' in recorded) return stop(recorded.fault);
      recordCount++;
      batch.push({ place, hash: record.hash, recorded });
    }
    yield batch;
    if (recordCount === count) break;
  }
  if (last !== hash) stop({ code: 'changed', expected: hash, found: last });
}

/** A sum in the making. */
export class Folding<T> {
  readonly #fold: Fold<T>;
  #header: Sealed | null = null;
  #start: LedgerState | null = null;
  #sum: T | null = null;
  #last: Sealed | null = null;
  #rest: TrailingBytes = { kind: 'none' };

  constructor(fold: Fold<T>) {
    this.#fold = fold;
  }

  /** Goes on after a record, with the sum as it was written then; false where it cannot have been that. */
  resume(header: Sealed, last: Sealed, sum: unknown): boolean {
    if (this.#begin(header) !== null || this.#start === null) return false;
    const recorded = readRecord(last);
    if ('kind' in recorded) return false;
    this.#sum = this.#fold.read(sum, recorded, this.#start);
    this.#last = last;
    return this.#sum !== null;
  }

  /** Takes what is found in the next line; fails at the first thing that is wrong. */
  take(parsedLine: ParsedLine): Failed | null {
    const sound = soundIn(parsedLine);
    if (sound.kind === 'failed') return sound;
    if (sound.kind === 'record') return sound.place.record === 0 ? this.#begin(sound.record) : this.#add(sound.record);
    this.#rest = sound.rest;
    return null;
  }

  /** The last record, and the sum of all up to it as it is written. */
  checkpoint(): { readonly last: Sealed; readonly sum: unknown } | null {
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
    const recorded = readRecord(record);
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
    for (const parsedLine of all) {
      const fault = folding.take(parsedLine);
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
