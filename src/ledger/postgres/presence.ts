import { failed, type Failed } from '../records/fault.ts';
import { quoted, TABLES } from './names.ts';
import type { Session } from './session.ts';

/** What is in a schema of the names of a store's tables. */
export interface Presence {
  /** Whether there is a schema of this name. */
  readonly hasSchema: boolean;
  readonly tables: readonly string[];
  /** Whether the table `meta` is that of a store. */
  readonly hasMeta: boolean;
}

/** The columns that tell the table `meta` of a store from another of this name. */
const META = ['one', 'version', 'id'];

/** Looks at what is there, without a right to any of it. */
export async function presence(session: Session, schema: string): Promise<Presence> {
  const { rows } = await session.ask<{ readonly name: string | null; readonly columns: readonly string[] }>(
    `SELECT c.relname AS name, ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0) AS columns
    FROM pg_namespace AS n LEFT JOIN pg_class AS c ON c.relnamespace = n.oid AND c.relname = ANY ($2::text[])
    WHERE n.nspname = $1`,
    [schema, TABLES],
  );
  const meta = rows.find(({ name }) => name === 'meta');
  return {
    hasSchema: rows.length > 0,
    tables: TABLES.filter((table) => rows.some(({ name }) => name === table)),
    hasMeta: META.every((column) => meta?.columns.includes(column) === true),
  };
}

/** Why this is no whole store; null where it has all tables. */
export function presenceFault({ tables, hasMeta }: Presence, schema: string): Failed | null {
  if (tables.length === 0) return failed({ code: 'no-store' });
  if (!hasMeta) {
    const there = `the schema ${quoted(schema)} has ${tables.length === 1 ? 'a table' : 'tables'} ${tables.join(', ')}`;
    return failed({ code: 'not-a-store', reason: `${there} of something else, or left over from a store` });
  }
  const missing = TABLES.find((table) => !tables.includes(table));
  return missing === undefined ? null : failed({ code: 'damaged-store', reason: `the table ${missing} is not there` });
}
