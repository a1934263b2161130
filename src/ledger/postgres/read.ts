import type { Ends } from '../records/ends.ts';
import type { Failed } from '../records/fault.ts';
import { LONGEST_RECORD, type RawLine } from '../records/raw-line.ts';
import { endsOf, selectEnds, type EndsRow } from './rows.ts';
import { quoted } from './schema.ts';
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

/** A line, and its number in the database. */
interface Numbered extends RawLine {
  readonly seq: string;
}

/** The next lines of a ledger after one, or its first. */
export async function linesAfter(
  session: Session,
  schema: string,
  name: string,
  before: RawLine | null,
): Promise<readonly RawLine[]> {
  const text = `
    SELECT seq, line FROM (
      SELECT seq, line, sum(octet_length(line)) OVER (ORDER BY seq) - octet_length(line) AS before
      FROM (
        SELECT seq, line FROM ${quoted(schema)}.records WHERE ledger = $1 AND seq > $2 ORDER BY seq LIMIT ${MOST_LINES}
      ) AS next
    ) AS counted
    WHERE before < ${MOST_BYTES} ORDER BY seq`;
  const after = (before as Numbered | null)?.seq ?? '-1';
  const { rows } = await session.ask<{ readonly seq: string; readonly line: string }>(text, [name, after]);
  let number = before?.number ?? 0;
  let offset = before === null ? 0 : before.offset + before.bytes.length + 1;
  return rows.map(({ seq, line }): Numbered => {
    const bytes = Buffer.from(line);
    number++;
    const raw = { number, offset, bytes, ended: true, tooLong: false, seq };
    offset += bytes.length + 1;
    return raw;
  });
}
