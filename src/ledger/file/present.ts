import { open, refusalOfTerms } from '../open.ts';
import { resume } from '../resume.ts';
import { goesOn, type LedgerState, type Provenance } from '../core/state.ts';
import type { Totals } from '../core/totals.ts';
import { readEnds, type Ends, type Rest } from './ends.ts';
import { failed, type Failed, type Flaw } from './fault.ts';
import type { History } from './history.ts';
import { numberOf, type Sealed } from './line.ts';
import { reading } from './open-file.ts';
import { readHeader, readRecord, type Header } from './record.ts';

/** A ledger as it is after its last record. */
export interface Present {
  readonly kind: 'present';
  readonly header: Header;
  readonly state: LedgerState;
  /** The id of the ledger in which it goes on, where it has ended by being converted. */
  readonly successor: string | null;
  /** How many records there are beside the header. */
  readonly records: number;
  /** The hash of the last record. */
  readonly hash: string;
  /** When the last record was made, as far as it says. */
  readonly at: string | null;
  readonly rest: Rest;
}

function provenanceOf({ origin }: Header): Provenance {
  if (origin === null) return 'opened';
  return origin.kind === 'nested' ? 'nested' : goesOn(origin.totals.launched);
}

/** The ledger of this header with totals, such as those of one of its records; null where they cannot be its totals. */
const stateWith = (header: Header, totals: Totals): LedgerState | null =>
  refusalOfTerms(header.terms) === null ? resume(header.terms, totals, provenanceOf(header)) : null;

/**
 * The ledger that a header opens, before its first record; null where its terms would not be opened, or what it goes on
 * from is beyond its budget.
 */
export function stateAtStart(header: Header): LedgerState | null {
  const { terms, origin } = header;
  if (origin?.kind === 'converted') {
    const state = stateWith(header, origin.totals);
    return state?.rule.excess(state.spent) === null ? state : null;
  }
  const opened = open(terms);
  return opened.kind === 'opened' ? { ...opened.state, provenance: provenanceOf(header) } : null;
}

const malformed = (line: number, record: number, path: string): Failed<Flaw> =>
  failed({ code: 'malformed-record', line, record, path });

function afterLast(header: Header, last: Sealed): Pick<Present, 'state' | 'successor' | 'at'> | Failed<Flaw> {
  const number = numberOf(last);
  if (number === 0) {
    const state = stateAtStart(header);
    return state === null ? malformed(1, 0, 'terms') : { state, successor: null, at: header.at };
  }
  const place = { line: number + 1, record: number };
  const recorded = readRecord(last, place);
  if ('kind' in recorded) return recorded;
  const state = stateWith(header, recorded.totals);
  if (state === null) return malformed(place.line, place.record, 'totals');
  return { state, successor: recorded.event === 'convert' ? recorded.to : null, at: recorded.at };
}

/** The ledger by the two ends of its file: its terms by the header, its totals by the last record. */
export function presentOf({ header: sealed, last, rest }: Ends): Present | Failed<Flaw> {
  const header = readHeader(sealed);
  if ('kind' in header) return header;
  const found = afterLast(header, last);
  if ('kind' in found) return found;
  return { kind: 'present', header, ...found, records: numberOf(last), hash: last.hash, rest };
}

/** The ledger after all of its records. */
export function presentAfter({ header, records, hash, rest }: History): Present | Failed<Flaw> {
  const last = records.at(-1);
  const totals = last?.recorded.totals;
  const state = totals === undefined ? stateAtStart(header) : stateWith(header, totals);
  if (state === null) {
    const { line, record } = last?.place ?? { line: 1, record: 0 };
    return malformed(line, record, totals === undefined ? 'terms' : 'totals');
  }
  const successor = last?.recorded.event === 'convert' ? last.recorded.to : null;
  const at = last === undefined ? header.at : last.recorded.at;
  return { kind: 'present', header, state, successor, records: records.length, hash, at, rest };
}

/** The ledger in a file, by its two ends; the records between are not looked at. */
export const readPresent = (path: string): Present | Failed =>
  reading(path, (fd) => {
    const ends = readEnds(fd);
    return ends.kind === 'failed' ? ends : presentOf(ends);
  });
