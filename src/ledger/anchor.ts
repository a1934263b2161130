import * as z from 'zod/mini';
import { readHeader } from './record.ts';
import type { HeaderAndHead } from './chain.ts';
import type { Failed, Flaw } from './fault.ts';
import { numberOf, headNamedBy } from './line.ts';
import { type Store, isSameStore } from './store.ts';

const ANCHOR_SCHEMA = 'dpcompose.ledger-anchor/1';

/** The head of a ledger at some moment, to be kept where who writes to the ledger does not. */
export interface Anchor {
  /** The address of the store. */
  readonly store: string;
  /** The name of the ledger in it. */
  readonly name: string;
  /** The id of the ledger. */
  readonly ledger: string;
  /** The number of its last record, and its hash. */
  readonly seq: number;
  readonly hash: string;
  /** The time, for people to read. */
  readonly at: string | null;
}

const anchorSchema = z.strictObject({
  schema: z.literal(ANCHOR_SCHEMA),
  store: z.string(),
  name: z.string(),
  ledger: z.string(),
  seq: z.int().check(z.nonnegative()),
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  at: z.nullable(z.string()),
});

/** The last record of a ledger of which it is known that it counts. */
function headOf({ last, rest }: HeaderAndHead): Pick<Anchor, 'seq' | 'hash'> {
  const seq = numberOf(last);
  const isOpen = rest.kind === 'whole' && headNamedBy(last) !== null;
  return isOpen ? { seq: seq - 1, hash: String(last.fields.prev) } : { seq, hash: last.hash };
}

export function anchorOf(ends: HeaderAndHead, where: Pick<Anchor, 'store' | 'name' | 'at'>): Anchor | Failed<Flaw> {
  const header = readHeader(ends.header);
  if ('kind' in header) return header;
  const { store, name, at } = where;
  return { store, name, ledger: header.id, ...headOf(ends), at };
}

/** An anchor as a line of JSON, with its newline. */
export const anchorLine = (anchor: Anchor): string => `${JSON.stringify({ schema: ANCHOR_SCHEMA, ...anchor })}\n`;

/** The anchors in the lines of a text; the number of the first line that is none, from 1. */
export function readAnchors(text: string): readonly Anchor[] | { readonly line: number } {
  const anchors: Anchor[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const anchor = anchorIn(line);
    if (anchor === null) return { line: i + 1 };
    anchors.push(anchor);
  }
  return anchors;
}

function anchorIn(line: string): Anchor | null {
  try {
    const parsed = z.safeParse(anchorSchema, JSON.parse(line));
    if (!parsed.success) return null;
    const { store, name, ledger, seq, hash, at } = parsed.data;
    return { store, name, ledger, seq, hash, at };
  } catch {
    return null;
  }
}

/** Why an anchor does not hold of a ledger. */
export interface AnchorMismatch {
  readonly anchor: Anchor;
  /** The hash of the record of that number, which is another one; null where there is no such record. */
  readonly hash: string | null;
}

/** What a ledger says to anchors of its id. */
export interface AnchorsHeld {
  readonly matches: readonly Anchor[];
  /** The first, in the order of records, whose record is not there, or is another one. */
  readonly mismatch: AnchorMismatch | null;
}

/**
 * Looks for the records of anchors among those of a ledger. `last`: the number of the last record that it has in common with where it
 * goes on. Of later ones a ledger that goes on elsewhere says nothing (`isEnded`), nor does a copy, unless the anchor `isOfThis` very
 * place, which had the record then.
 */
export function compareAnchors(
  anchors: readonly Anchor[],
  hashes: ReadonlyMap<number, string>,
  {
    last,
    isEnded,
    isOfThis,
  }: {
    readonly last: number;
    readonly isEnded: boolean;
    readonly isOfThis: (anchor: Anchor) => boolean;
  },
): AnchorsHeld {
  const matches: Anchor[] = [];
  let mismatch: AnchorMismatch | null = null;
  for (const anchor of anchors.toSorted((a, b) => a.seq - b.seq)) {
    if (isEnded && anchor.seq > last && !isOfThis(anchor)) continue;
    const hash = hashes.get(anchor.seq) ?? null;
    if (hash === anchor.hash) matches.push(anchor);
    else mismatch ??= { anchor, hash };
  }
  return { matches, mismatch };
}

/** The number of the last record of a ledger that is also where it goes on: what says that it has arrived there is only here. */
export const lastShared = ({ last }: Pick<HeaderAndHead, 'last'>): number =>
  numberOf(last) - (last.fields.event === 'move' && last.fields.arrived === true ? 1 : 0);

/** Whether an anchor was taken of the ledger of this name in this store. */
export const isAnchorOf = (anchor: Anchor, { address }: Pick<Store, 'address'>, name: string): boolean =>
  isSameStore(anchor.store, address) && anchor.name === name;
