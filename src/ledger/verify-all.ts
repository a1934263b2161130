import { Interrupted, type Failed, failed, type Fault, type FaultCode } from './fault.ts';
import { placed, unseal, type RawLine, LINK_MARK, type TransactionLink } from './line.ts';
import type { Store } from './store.ts';
import { compareAnchors, isAnchorOf, lastShared, type Anchor, type AnchorMismatch } from './anchor.ts';
import type { HeaderAndHead } from './chain.ts';
import { verify, notWrittenHere } from './verify.ts';
import { resumingMany } from './open.ts';
import { presentOf } from './present.ts';
import { isExceeded } from './state.ts';

/** The part of a ledger in a transaction over several. */
export interface Part {
  readonly seq: number;
  /** The hash of the record that decides about the whole. */
  readonly head: string;
  /** The ids of all ledgers that have a part, and how they were called from here. */
  readonly ids: readonly string[];
  readonly names: readonly string[];
  /** Where it was written, see `Store.placeId`. */
  readonly placeId: string;
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

const statedIn = (bytes: Buffer): string | undefined =>
  HASH_AT_END.exec(bytes.toString('latin1', Math.max(0, bytes.length - HASH_LENGTH)))?.[1];

/** The members of a record that say how it hangs together with others. */
interface Written {
  readonly seq: number;
  readonly home: string;
  readonly together?: TransactionLink;
}

function partIn(bytes: Buffer): Part | null {
  if (!bytes.includes(LINK_MARK)) return null;
  const record = unseal(bytes, false);
  if (record.kind !== 'record') return null;
  const { seq, home, together } = record.fields as Partial<Written>;
  if (seq === undefined || home === undefined || together === undefined) return null;
  const { ids, names, head } = together;
  return { seq, head: head?.hash ?? record.hash, ids, names, placeId: home };
}

/** Whether a line is one of several of a transaction of which it is not known yet whether it counts. */
const isOpen = ({ ended, bytes }: RawLine): boolean => !ended && bytes.includes(LINK_MARK);

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

/** What is wrong with one of several ledgers. */
export type Finding = { readonly name: string } &
  /** The first flaw, or why it cannot be read or is not written to here. */
  (
    | { readonly kind: 'fault'; readonly fault: Fault }
    /** Its part of a transaction over several ledgers is not there, of which `of` has one. */
    | { readonly kind: 'missing-part'; readonly of: string; readonly seq: number }
    /** An anchored record is not there. */
    | { readonly kind: 'anchor-mismatch'; readonly mismatch: AnchorMismatch }
    /** There is no ledger any more of the id that an anchor has. */
    | { readonly kind: 'gone'; readonly anchor: Anchor }
    /** There is no ledger any more in which a transaction had a part, of which `of` has one. */
    | { readonly kind: 'part-gone'; readonly of: string; readonly seq: number }
  );

/** Several ledgers, each read from its beginning to its end. */
export interface AllVerified {
  readonly ledgers: number;
  readonly records: number;
  readonly findings: readonly Finding[];
  /** The names of those that are beyond their budgets, by what ran without having been granted. */
  readonly exceeded: readonly string[];
  /** How many of them are copies of ledgers that are written to elsewhere, and how many were moved away. */
  readonly copies: number;
  readonly away: number;
  /** How many anchored records were found, and of how many anchors nothing is known here. */
  readonly anchors: number;
  readonly unknown: number;
  /** How many transactions over several ledgers have parts in ledgers that were not among these. */
  readonly elsewhere: number;
}

/** How several ledgers are verified. */
export interface VerifyAllOptions {
  readonly anchors: readonly Anchor[];
  /** Whether the ledger of an anchor has to be among these where no other is of its id. */
  readonly isExpected: (anchor: Anchor) => boolean;
  /** Whether copies of ledgers that are written to elsewhere are sound. */
  readonly copies: boolean;
}

/** A transaction over several ledgers, and the ledgers in which a part of it was found. */
interface Transaction extends Pick<Part, 'ids' | 'names' | 'placeId'> {
  readonly of: string;
  readonly seq: number;
  readonly foundIds: Set<string>;
}

const GONE: readonly FaultCode[] = ['no-such-file', 'no-such-ledger'];

class AllVerification {
  readonly #store: Store;
  readonly #options: VerifyAllOptions;
  readonly #anchors = new Map<string, Anchor[]>();
  readonly #names = new Map<string, string[]>();
  readonly #transactions = new Map<string, Transaction>();
  /** Anchors whose records were found, and what does not hold of ledgers that go on elsewhere. */
  readonly #held = new Set<Anchor>();
  readonly #mismatches = new Map<string, Finding[]>();
  /** Ledgers that are in their places: their names by the hashes of their headers, and their ids. */
  readonly #places = new Map<string, string>();
  readonly #live = new Set<string>();
  readonly #findings: Finding[] = [];
  readonly #exceeded: string[] = [];
  readonly #resuming = resumingMany();
  #ledgers = 0;
  #records = 0;
  #copies = 0;
  #away = 0;

  constructor(store: Store, options: VerifyAllOptions) {
    this.#store = store;
    this.#options = options;
    for (const anchor of options.anchors) {
      const anchors = this.#anchors.get(anchor.ledger);
      if (anchors === undefined) this.#anchors.set(anchor.ledger, [anchor]);
      else anchors.push(anchor);
    }
  }

  async take(name: string): Promise<void> {
    this.#ledgers++;
    const verified = await verify(this.#store, name);
    if (verified.kind === 'failed') {
      this.#add({ name, kind: 'fault', fault: verified.fault });
      return;
    }
    const [flaw] = verified.flaws;
    if (flaw !== undefined) this.#add({ name, kind: 'fault', fault: flaw });
    this.#records += verified.records;
    const id = verified.header?.id;
    if (id === undefined) return;
    this.#names.set(id, [...(this.#names.get(id) ?? []), name]);
    const ends = await this.#store.ends(name);
    if (ends.kind === 'failed') {
      if (flaw === undefined) this.#add({ name, kind: 'fault', fault: ends.fault });
      return;
    }
    const present = presentOf(ends, this.#resuming);
    if (present.kind === 'present' && isExceeded(present.state)) this.#exceeded.push(name);
    const isLive = await this.#whereabouts(name, ends);
    if (isLive) this.#live.add(id);
    await this.#look(name, id, { ends, isLive });
  }

  #add(finding: Finding): void {
    this.#findings.push(finding);
  }

  /** Whether a ledger goes on here: only one of a header may. */
  async #whereabouts(name: string, ends: HeaderAndHead): Promise<boolean> {
    const wrong = (await notWrittenHere(this.#store, name, ends)) ?? this.#twice(name, ends.header.hash);
    if (wrong === null) return true;
    if (wrong.fault.code === 'moved-away') {
      this.#away++;
      return false;
    }
    if (wrong.fault.code === 'moved') this.#copies++;
    if (wrong.fault.code !== 'moved' || !this.#options.copies) this.#add({ name, kind: 'fault', fault: wrong.fault });
    return wrong.fault.code !== 'moved';
  }

  #twice(name: string, header: string): Failed | null {
    const other = this.#places.get(header);
    this.#places.set(header, name);
    return other === undefined ? null : failed({ code: 'same-ledger', other });
  }

  /** Looks for what anchors say, and notes parts of transactions. */
  async #look(
    name: string,
    id: string,
    { ends, isLive }: { readonly ends: HeaderAndHead; readonly isLive: boolean },
  ): Promise<void> {
    const anchors = this.#anchors.get(id) ?? [];
    const probed = await probe(this.#store, name, new Set(anchors.map(({ seq }) => seq)));
    if (probed.kind === 'failed') return;
    this.#note(name, id, probed.parts);
    const { matches, mismatch } = compareAnchors(anchors, probed.hashes, {
      last: lastShared(ends),
      isEnded: !isLive,
      isOfThis: (anchor) => isAnchorOf(anchor, this.#store, name),
    });
    for (const anchor of matches) this.#held.add(anchor);
    if (mismatch === null) return;
    const finding: Finding = { name, kind: 'anchor-mismatch', mismatch };
    if (isLive) this.#add(finding);
    else this.#mismatches.set(id, [...(this.#mismatches.get(id) ?? []), finding]);
  }

  #note(name: string, id: string, parts: readonly Part[]): void {
    for (const { head, seq, ...part } of parts) {
      const transaction = this.#transactions.get(head);
      if (transaction === undefined) this.#transactions.set(head, { ...part, of: name, seq, foundIds: new Set([id]) });
      else transaction.foundIds.add(id);
    }
  }

  /** Whether a ledger has its part by now: others may have written while the ledgers were read one after the other. */
  async #hasPart(names: readonly string[], head: string): Promise<boolean> {
    for (const name of names) {
      const probed = await probe(this.#store, name, new Set());
      if (probed.kind === 'probed' && probed.parts.some((part) => part.head === head)) return true;
    }
    return false;
  }

  /** The name of a ledger that is not there any more, where a transaction was written in this place that has a part in it. */
  async #gone({ of, names, placeId }: Transaction, i: number): Promise<string | null> {
    if ((await this.#store.placeId(of)) !== placeId) return null;
    const name = this.#store.resolve(of, names[i]!);
    const ends = await this.#store.ends(name);
    return ends.kind === 'failed' && GONE.includes(ends.fault.code) ? name : null;
  }

  /** Looks for parts of transactions that are not there; how many transactions have parts in ledgers that were not looked at. */
  async #lookForParts(): Promise<number> {
    const gone = new Set<string>();
    let elsewhere = 0;
    for (const [head, transaction] of this.#transactions) {
      const { ids, of, seq, foundIds } = transaction;
      let isElsewhere = false;
      for (const [i, id] of ids.entries()) {
        if (foundIds.has(id) || gone.has(id)) continue;
        const names = this.#names.get(id);
        const missing = names === undefined ? await this.#gone(transaction, i) : null;
        if (missing !== null) {
          gone.add(id);
          this.#add({ name: missing, kind: 'part-gone', of, seq });
        } else if (names === undefined) isElsewhere = true;
        else if (!(await this.#hasPart(names, head))) this.#add({ name: names[0]!, kind: 'missing-part', of, seq });
      }
      if (isElsewhere) elsewhere++;
    }
    return elsewhere;
  }

  /** Says which anchors do not hold of ledgers that are gone, or go on elsewhere; of those that go on here it was said. */
  #lookForAnchors(): void {
    for (const [id, anchors] of this.#anchors) {
      const lost = this.#names.has(id) ? undefined : anchors.find(this.#options.isExpected);
      if (lost !== undefined) this.#add({ name: lost.name, kind: 'gone', anchor: lost });
      if (!this.#live.has(id)) this.#mismatches.get(id)?.forEach((finding) => this.#findings.push(finding));
    }
  }

  async all(): Promise<AllVerified> {
    const elsewhere = await this.#lookForParts();
    this.#lookForAnchors();
    return {
      ledgers: this.#ledgers,
      records: this.#records,
      findings: this.#findings,
      exceeded: this.#exceeded,
      copies: this.#copies,
      away: this.#away,
      anchors: this.#held.size,
      unknown: this.#options.anchors.length - this.#held.size,
      elsewhere,
    };
  }
}

/**
 * Verifies ledgers of a store, one after the other: each by itself, that no two of them are one ledger, that the parts of transactions
 * over several of them are all there, and that every anchor of one of their ids, or that is expected among them, holds: a ledger that
 * goes on here has that record. Where none does, copies and ledgers that were moved away say what they have.
 */
export async function verifyAll(
  store: Store,
  names: AsyncIterable<string> | Iterable<string>,
  options: VerifyAllOptions,
): Promise<AllVerified> {
  const verification = new AllVerification(store, options);
  for await (const name of names) await verification.take(name);
  return await verification.all();
}
