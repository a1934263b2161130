import type { Ends } from '../records/ends.ts';
import { noSuchLedger } from '../journal/name.ts';
import { failed, type Failed } from '../records/fault.ts';
import { LONGEST_RECORD, type RawLine } from '../records/raw-line.ts';
import { endsOf, selectEnds, type EndsRow } from './rows.ts';
import { quoted } from './names.ts';
import type { Session } from './session.ts';

/** Whether there is a ledger of this name. */
export async function isThere(session: Session, schema: string, name: string): Promise<boolean> {
  const { rows } = await session.ask(`SELECT FROM ${quoted(schema)}.ledgers WHERE name = $1`, [name]);
  return rows.length > 0;
}

/** The two ends of a ledger as they are now; null where there is none of this name. */
export async function readEnds(session: Session, schema: string, name: string): Promise<Ends | Failed | null> {
  const { rows } = await session.ask<EndsRow>(`${selectEnds(schema)} WHERE l.name = $1`, [name]);
  const [row] = rows;
  if (row === undefined) return null;
  const ends = endsOf(row);
  return ends.kind === 'failed' ? { ...ends, ledger: name } : ends;
}

/** Lines, and bytes, after which a batch ends. */
const MOST_LINES = 1000;
const MOST_BYTES = LONGEST_RECORD;

/** A line, and its number and hash in the database. */
interface Numbered extends RawLine {
  readonly seq: number;
  readonly hash: string;
}

/** A ledger with one of its next lines; null where there is none. */
interface LineRow {
  readonly head_seq: string;
  readonly head_hash: string;
  readonly seq: string | null;
  readonly hash: string;
  readonly line: string;
}

/** Why what was read last is not the end of a ledger; null where it is. What is wrong with a ledger without lines is seen by that. */
function endFault({ head_seq, head_hash }: LineRow, last: Numbered | null): Failed | null {
  if (last === null || (Number(head_seq) === last.seq && head_hash === last.hash)) return null;
  return failed({ code: 'wrong-head', line: last.number, record: last.seq, stated: head_hash });
}

/**
 * The next lines of a ledger after one, or its first; none where that was the last, which is the one that the ledger has to end in.
 * All is seen at one moment: others may write.
 */
export async function linesAfter(
  session: Session,
  schema: string,
  name: string,
  before: RawLine | null,
): Promise<readonly RawLine[] | Failed> {
  const s = quoted(schema);
  const text = `
    SELECT l.head_seq, l.head_hash, n.seq, n.hash, n.line
    FROM ${s}.ledgers AS l LEFT JOIN (
      SELECT seq, hash, line FROM (
        SELECT seq, hash, line, sum(octet_length(line)) OVER (ORDER BY seq) - octet_length(line) AS before
        FROM (
          SELECT seq, hash, line FROM ${s}.records WHERE ledger = $1 AND seq > $2 ORDER BY seq LIMIT ${MOST_LINES}
        ) AS next
      ) AS counted
      WHERE before < ${MOST_BYTES}
    ) AS n ON true
    WHERE l.name = $1 ORDER BY n.seq`;
  const last = before as Numbered | null;
  const { rows } = await session.ask<LineRow>(text, [name, last?.seq ?? -1]);
  const [first] = rows;
  if (first === undefined) return noSuchLedger(name);
  if (first.seq === null) return endFault(first, last) ?? [];
  let number = last?.number ?? 0;
  let offset = last === null ? 0 : last.offset + last.bytes.length + 1;
  return rows.map(({ seq, hash, line }): Numbered => {
    const bytes = Buffer.from(line);
    number++;
    const raw = { number, offset, bytes, ended: true, tooLong: false, seq: Number(seq), hash };
    offset += bytes.length + 1;
    return raw;
  });
}
