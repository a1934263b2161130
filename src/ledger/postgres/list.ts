import type { Listed } from '../journal/store.ts';
import { endsOf, selectEnds, type EndsRow } from './rows.ts';
import type { Session } from './session.ts';

/** Ledgers in a batch of a list; each has two lines of up to some megabytes. */
const MOST_LEDGERS = 100;

/** The next ledgers after a name, in the order of their names; each with what is wrong with its ends, if they do not agree. */
export async function listAfter(session: Session, schema: string, name: string): Promise<readonly Listed[]> {
  const text = `${selectEnds(schema)} WHERE l.name > $1 ORDER BY l.name LIMIT ${MOST_LEDGERS}`;
  const { rows } = await session.ask<EndsRow>(text, [name]);
  return rows.map((row) => {
    const ends = endsOf(row);
    return { name: row.name, ends: ends.kind === 'failed' ? { ...ends, ledger: row.name } : ends };
  });
}
