import { type HeaderAndHead, type TrailingBytes, walk, type ParsedLine } from './chain.ts';
import { failed, type Failed, type NotHere, type Flaw, type Place } from './fault.ts';
import { presentOf, stateAtStart } from './present.ts';
import type { Store } from './store.ts';
import type { Sealed, RawLine } from './line.ts';
import { readHeader, readRecord, type Header } from './record.ts';
import { Replay } from './replay.ts';

/**
 * Why nothing can be added to a ledger in this place, whatever is asked: it was moved away, or its last record was written in
 * another place, so that this is a copy. Null where neither is so.
 */
export async function notWrittenHere(
  store: Store,
  name: string,
  ends: HeaderAndHead,
): Promise<Failed<NotHere> | Failed | null> {
  const present = presentOf(ends);
  if (present.kind === 'failed') return present;
  const placeId = await store.placeId(name);
  if (typeof placeId !== 'string') return placeId;
  if (ends.last.fields.home !== placeId) return failed({ code: 'moved' });
  const { movedTo } = present;
  return movedTo === undefined
    ? null
    : failed({ code: 'moved-away', to: `${movedTo.name} in ${movedTo.store}`, ...movedTo });
}

/** The findings in a file that was read from its beginning to its end. */
export interface Verified {
  readonly kind: 'verified';
  readonly header: Header | null;
  /** How many records are in their place, the header not counted. */
  readonly records: number;
  /** The hash of the last record that is in its place. */
  readonly hash: string | null;
  /** Where that record was written, see `Store.placeId`. */
  readonly placeId: string | null;
  /** The first flaws. */
  readonly flaws: readonly Flaw[];
  /** How many more there are. */
  readonly more: number;
  readonly rest: TrailingBytes;
  /** Whether a record has the hash that was asked for; null where none was. */
  readonly holds: boolean | null;
}

const MAX_FLAWS = 20;

class Verification {
  readonly #contains: string | null;
  readonly #flaws: Flaw[] = [];
  #header: Header | null = null;
  /** Decides records again as long as nothing is wrong: after a flaw, the state is not known. */
  #replay: Replay | null = null;
  #last: Sealed | null = null;
  #records = 0;
  #more = 0;
  #holds = false;
  #rest: TrailingBytes = { kind: 'none' };

  constructor(contains: string | null) {
    this.#contains = contains;
  }

  take(parsedLine: ParsedLine): Failed | null {
    if (parsedLine.kind === 'other') return failed(parsedLine.fault);
    if (parsedLine.kind === 'flaw') this.#add(parsedLine.flaw);
    else if (parsedLine.kind === 'rest') this.#rest = parsedLine.rest;
    else this.#takeRecord(parsedLine);
    return null;
  }

  #add(flaw: Flaw): void {
    this.#replay = null;
    if (this.#flaws.length < MAX_FLAWS) this.#flaws.push(flaw);
    else this.#more++;
  }

  #takeRecord({ record, place }: Extract<ParsedLine, { kind: 'record' }>): void {
    const flaw = place.record === 0 ? this.#begin(record) : this.#flawIn(record, place);
    this.#last = record;
    if (flaw !== null) this.#add(flaw);
    if (place.record > 0) this.#records++;
    this.#holds ||= this.#contains !== null && record.hash.startsWith(this.#contains);
  }

  #begin(record: Sealed): Flaw | null {
    const header = readHeader(record);
    if ('kind' in header) return header.fault;
    this.#header = header;
    const state = stateAtStart(header);
    if (state === null) return { code: 'malformed-record', line: 1, record: 0, path: 'terms' };
    this.#replay = new Replay(state);
    return null;
  }

  #flawIn(record: Sealed, place: Place): Flaw | null {
    const before = this.#last;
    // What was moved away goes on in another place only.
    const isArrival = record.fields.event === 'move' && record.fields.arrived === true;
    if (before?.fields.event === 'move' && before.fields.home === record.fields.home && !isArrival)
      return { code: 'after-move', ...place };
    const recorded = readRecord(record, place);
    if ('kind' in recorded) return recorded.fault;
    const inconsistency = this.#replay?.take(recorded) ?? null;
    return inconsistency === null ? null : { ...inconsistency, ...place };
  }

  get hasFlaws(): boolean {
    return this.#flaws.length > 0;
  }

  verified(): Verified {
    const home = this.#last?.fields.home;
    return {
      kind: 'verified',
      header: this.#header,
      records: this.#records,
      hash: this.#last?.hash ?? null,
      placeId: typeof home === 'string' ? home : null,
      flaws: this.#flaws,
      more: this.#more,
      rest: this.#rest,
      holds: this.#contains === null ? null : this.#holds,
    };
  }
}

/** `remembers`: see `WalkOptions`; without it the reading stops at the first flaw. */
async function verifyLines(
  lines: AsyncIterable<readonly RawLine[]>,
  contains: string | null,
  remembers: boolean,
): Promise<Verified | Failed> {
  const verification = new Verification(contains);
  for await (const all of walk(lines, { strict: true, remembers })) {
    for (const parsedLine of all) {
      const fault = verification.take(parsedLine);
      // What is missing at the end says less than what is wrong before it.
      if (fault !== null) return verification.hasFlaws ? verification.verified() : fault;
    }
    if (!remembers && verification.hasFlaws) break;
  }
  return verification.verified();
}

/**
 * Reads all of a ledger: whether every record is as it was written, in its place, and allowed by the rule. `contains`: a hash, or
 * its first digits, that some record should have: one that was noted before shows that nothing was taken from the end since.
 */
export async function verify(store: Store, name: string, contains: string | null = null): Promise<Verified | Failed> {
  const lines = await store.records(name);
  if ('kind' in lines) return lines;
  const verified = await verifyLines(lines, contains, false);
  if (verified.kind === 'failed' || verified.flaws.length === 0) return verified;
  // All hashes are only kept where there are flaws to be told apart by them.
  const again = await store.records(name);
  return 'kind' in again ? again : await verifyLines(again, contains, true);
}
