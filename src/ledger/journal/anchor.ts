import * as z from 'zod/mini';
import { readHeader } from '../records/record.ts';
import type { Ends } from '../records/ends.ts';
import type { Failed, Flaw } from '../records/fault.ts';
import { numberOf } from '../records/line.ts';
import { headNamedBy } from '../records/together.ts';

/** The name and version of the format. */
export const ANCHOR_SCHEMA = 'dpcompose.ledger-anchor/1';

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
function headOf({ last, rest }: Ends): Pick<Anchor, 'seq' | 'hash'> {
  const seq = numberOf(last);
  const isOpen = rest.kind === 'whole' && headNamedBy(last) !== null;
  return isOpen ? { seq: seq - 1, hash: String(last.fields.prev) } : { seq, hash: last.hash };
}

/** The head of a ledger. */
export function anchorOf(ends: Ends, where: Pick<Anchor, 'store' | 'name' | 'at'>): Anchor | Failed<Flaw> {
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
export interface Slipped {
  readonly anchor: Anchor;
  /** The hash of the record of that number, which is another one; null where there is no such record. */
  readonly found: string | null;
}

/**
 * The first anchor, in the order of records, whose record is not there; null where all are. `last`: the number of the last record.
 * Of a ledger that was moved away, `isAway`, later records are somewhere else.
 */
export function firstSlipped(
  anchors: readonly Anchor[],
  hashes: ReadonlyMap<number, string>,
  { last, isAway }: { readonly last: number; readonly isAway: boolean },
): Slipped | null {
  const inOrder = anchors.toSorted((a, b) => a.seq - b.seq);
  for (const anchor of inOrder) {
    const found = hashes.get(anchor.seq) ?? null;
    if (found === anchor.hash) continue;
    if (found === null && isAway && anchor.seq > last) continue;
    return { anchor, found };
  }
  return null;
}
