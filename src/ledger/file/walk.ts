import { Chain } from './chain.ts';
import { headerOf, restAfter, type Rest } from './ends.ts';
import type { Flaw, NotALedger, Place } from './fault.ts';
import { unseal, type Sealed } from './line.ts';
import { linesOf, type RawLine } from './lines.ts';

/** A finding in a ledger file, from its beginning to its end. */
export type Found =
  | { readonly kind: 'record'; readonly place: Place; readonly record: Sealed }
  | { readonly kind: 'flaw'; readonly flaw: Flaw }
  /** It is no ledger at all; nothing else is found then. */
  | { readonly kind: 'other'; readonly fault: NotALedger }
  /** The bytes after the last newline; found last. */
  | { readonly kind: 'rest'; readonly rest: Rest };

type WrongHash = Extract<Flaw, { what: 'wrong-hash' }>;

/** The flaw of a record whose hash is not that of its content, as the next record resolves it. */
function resolved(flaw: WrongHash, next: Sealed): Flaw {
  const { prev } = next.fields;
  if (prev === flaw.stated) return { ...flaw, changed: 'content' };
  return prev === flaw.actual ? { ...flaw, changed: 'hash' } : flaw;
}

/** The first line: the header, or what is wrong with it. */
function first(line: RawLine, chain: Chain): Found {
  const header = headerOf(line.bytes, line.ended);
  if (header.kind === 'record') {
    chain.begin(header);
    return { kind: 'record', place: { line: 1, record: 0 }, record: header };
  }
  chain.skip();
  const { fault } = header;
  return 'line' in fault ? { kind: 'flaw', flaw: fault } : { kind: 'other', fault };
}

/** The bytes after the last newline. */
function* last(line: RawLine, chain: Chain): Generator<Found> {
  const place = chain.place(line.number);
  if (chain.last === null) {
    yield { kind: 'rest', rest: { kind: 'torn', bytes: line.bytes.length } };
    return;
  }
  const found = line.tooLong ? null : restAfter(chain.last, line.bytes);
  if (found === null) {
    yield { kind: 'flaw', flaw: { code: 'damaged-end', ...place } };
    return;
  }
  if (found.rest.kind === 'whole') yield { kind: 'record', place, record: found.last };
  yield { kind: 'rest', rest: found.rest };
}

/** A line between the first and what stands after the last newline. */
function between(line: RawLine, chain: Chain, strict: boolean): Found {
  const place = chain.place(line.number);
  const unsealed = line.tooLong ? null : unseal(line.bytes, strict);
  if (unsealed?.kind === 'record') {
    const flaw = chain.take(unsealed, line.number);
    if (flaw !== null) return { kind: 'flaw', flaw };
    return { kind: 'record', place, record: unsealed };
  }
  chain.skip();
  if (unsealed === null) return { kind: 'flaw', flaw: { code: 'line-too-long', ...place } };
  return { kind: 'flaw', flaw: { code: 'damaged-record', ...place, ...unsealed } };
}

function* foundIn(line: RawLine, chain: Chain, strict: boolean): Generator<Found> {
  if (line.number === 1) yield first(line, chain);
  else if (line.ended) yield between(line, chain, strict);
  else yield* last(line, chain);
}

const isWrongHash = (found: Found): found is { readonly kind: 'flaw'; readonly flaw: WrongHash } =>
  found.kind === 'flaw' && found.flaw.code === 'damaged-record' && found.flaw.what === 'wrong-hash';

/**
 * Reads an open ledger file from its beginning to its end, over all that is wrong with it; `strict`: also whether every
 * record is written in the one way in which this program writes it.
 */
export function* walk(fd: number, strict = false): Generator<Found> {
  const chain = new Chain();
  let pending: WrongHash | null = null;
  let end: Found = { kind: 'rest', rest: { kind: 'none' } };
  let empty = true;
  for (const line of linesOf(fd)) {
    empty = false;
    for (const found of foundIn(line, chain, strict)) {
      if (pending !== null) {
        yield { kind: 'flaw', flaw: found.kind === 'record' ? resolved(pending, found.record) : pending };
        pending = null;
      }
      if (found.kind === 'rest') end = found;
      else if (isWrongHash(found)) pending = found.flaw;
      else yield found;
      if (found.kind === 'other') return;
    }
  }
  if (pending !== null) yield { kind: 'flaw', flaw: pending };
  if (empty) yield { kind: 'flaw', flaw: { code: 'empty-ledger', line: 1, record: 0 } };
  yield end;
}
