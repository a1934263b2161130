import { close, query } from '../interactive.ts';
import { totalsOf } from '../core/state.ts';
import type { Rest } from '../records/ends.ts';
import { numberOf, type Sealed } from '../records/line.ts';
import { presentOf } from './present.ts';
import type { RawLine } from '../records/raw-line.ts';
import { readHeader, readRecord, type Recorded } from '../records/record.ts';
import { conversationsOf, difference, Replay, type Conversations } from './replay.ts';
import type { Verified } from './verify.ts';
import { Walker, type Found } from '../records/walk.ts';

/** A mechanism that was launched before a section, and is asked or closed in it. */
interface Conversed {
  readonly event: 'query' | 'close';
  readonly mechanism: number;
}

/** What is said in a section of a ledger in which nothing is wrong, given the record before it; plain JSON. */
export interface SoundSection {
  /** The hash of the record before it. */
  readonly after: string;
  /** How many records are in it. */
  readonly records: number;
  /** The hash of its last record, and where that was written. */
  readonly hash: string;
  readonly home: string | null;
  readonly rest: Rest;
  readonly holds: boolean;
  /** In it the ledger ended. */
  readonly converted: boolean;
  readonly launched: readonly Conversations[];
  readonly closed: readonly number[];
  readonly conversed: readonly Conversed[];
}

const KNOWN = new Set([
  ...['seq', 'nonce', 'at', 'actor', 'key', 'event', 'totals', 'together', 'home', 'ledger', 'prev'],
  ...['mechanisms', 'evidence', 'label', 'nested', 'mechanism', 'to', 'aside'],
]);
const KNOWN_TERMS = new Set([
  ...['mode', 'rule', 'budget', 'onExcess', 'concurrency', 'maxMechanisms', 'distance', 'neighbours', 'evidence'],
  ...['bound', 'declared'],
]);

/** Whether all of it is known to be decided from the totals of the record before, and from what is told of sections. */
const isKnown = (value: object, keys: ReadonlySet<string>): boolean => Object.keys(value).every((key) => keys.has(key));

/** Decides the records of a section again. */
class Section {
  readonly #replay: Replay;
  readonly #before: number;
  readonly #contains: string | null;
  readonly #conversed: Conversed[] = [];
  #last: Sealed;
  #records = 0;
  #holds = false;
  #converted = false;
  #rest: Rest = { kind: 'none' };

  constructor(replay: Replay, before: Sealed, contains: string | null) {
    this.#replay = replay;
    this.#before = replay.state.launched;
    this.#last = before;
    this.#contains = contains;
  }

  /** Takes what is found in the next line; false where something is, or may be, wrong. */
  take(found: Found): boolean {
    if (found.kind === 'rest') this.#rest = found.rest;
    return found.kind === 'rest' || (found.kind === 'record' && this.#takeRecord(found.record));
  }

  sound(after: string): SoundSection {
    const { home } = this.#last.fields;
    return {
      after,
      records: this.#records,
      hash: this.#last.hash,
      home: typeof home === 'string' ? home : null,
      rest: this.#rest,
      holds: this.#holds,
      converted: this.#converted,
      launched: this.#replay.conversations,
      closed: [...this.#replay.closed],
      conversed: this.#conversed,
    };
  }

  #takeRecord(record: Sealed): boolean {
    const seq = numberOf(record);
    const recorded = readRecord(record, { line: seq + 1, record: seq });
    if ('kind' in recorded || !isKnown(record.fields, KNOWN) || !this.#isAllowed(recorded)) return false;
    this.#last = record;
    this.#records++;
    this.#converted ||= recorded.event === 'convert';
    this.#holds ||= this.#contains !== null && record.hash.startsWith(this.#contains);
    return true;
  }

  #isAllowed(recorded: Recorded): boolean {
    const isOlder =
      (recorded.event === 'query' || recorded.event === 'close') &&
      recorded.mechanism >= 1 &&
      recorded.mechanism <= this.#before &&
      !this.#converted;
    if (!isOlder) return this.#replay.take(recorded) === null;
    const { event, mechanism } = recorded;
    const { state } = this.#replay;
    // Whether it can be asked and was closed is known once all sections before are.
    const decision = { query, close }[event](state, { ordinal: mechanism, kind: 'interactive', closed: false });
    if (decision.kind === 'refused' || difference(recorded.totals, totalsOf(state)) !== null) return false;
    this.#conversed.push({ event, mechanism });
    return true;
  }
}

/**
 * Verifies a part of a ledger by itself, from the record before it, whose totals are taken for right; null where anything is
 * wrong, or cannot be decided so.
 */
export function verifySection(
  lines: Iterable<readonly RawLine[]>,
  { header, before }: { readonly header: Sealed; readonly before: Sealed },
  contains: string | null,
): SoundSection | null {
  const present = presentOf({ kind: 'ends', header, last: before, rest: { kind: 'none' } });
  if (present.kind === 'failed' || present.successor !== null || present.movedTo !== undefined) return null;
  if (!isKnown(present.header.terms, KNOWN_TERMS)) return null;
  const section = new Section(new Replay(present.state, present.ledger), before, contains);
  const line = numberOf(before) + 1;
  const walker = new Walker({ strict: true, remembers: false, after: { header, last: before, line } });
  for (const batch of lines) {
    for (const each of batch) if (!walker.take(each).every((found) => section.take(found))) return null;
  }
  return walker.end().every((found) => section.take(found)) ? section.sound(before.hash) : null;
}

/** Whether the mechanisms that sections asked had been launched before, as ones that can be asked, and were not closed. */
class Conversing {
  readonly #launched: Conversations[] = [];
  readonly #closed = new Set<number>();

  take({ conversed, launched, closed }: SoundSection): boolean {
    for (const { event, mechanism } of conversed) {
      if (conversationsOf(this.#launched, mechanism) === undefined || this.#closed.has(mechanism)) return false;
      if (event === 'close') this.#closed.add(mechanism);
    }
    for (const each of launched) this.#launched.push(each);
    for (const each of closed) this.#closed.add(each);
    return true;
  }
}

/**
 * The result of verifying a ledger whose sections, all of them and in order, were verified by themselves: the same as that of
 * `verify`; null where it has to be asked, which tells what is wrong.
 */
export function verifiedOf(
  header: Sealed,
  sections: readonly (SoundSection | null)[],
  contains: string | null,
): Verified | null {
  const read = readHeader(header);
  if ('kind' in read) return null;
  const conversing = new Conversing();
  let { hash } = header;
  let records = 0;
  let holds = contains !== null && hash.startsWith(contains);
  let home = typeof header.fields.home === 'string' ? header.fields.home : null;
  let rest: Rest = { kind: 'none' };
  for (const [i, section] of sections.entries()) {
    const isLast = i === sections.length - 1;
    if (section?.after !== hash || !conversing.take(section)) return null;
    if (!isLast && (section.converted || section.rest.kind !== 'none')) return null;
    ({ hash, home, rest } = section);
    records += section.records;
    holds ||= section.holds;
  }
  return {
    kind: 'verified',
    header: read,
    records,
    hash,
    home,
    flaws: [],
    more: 0,
    rest,
    holds: contains === null ? null : holds,
  };
}
