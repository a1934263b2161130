import { failed, type Failed } from '../records/fault.ts';
import { guardsFault, selectGuards, selectMark } from './guards.ts';
import { quoted } from './names.ts';
import { SCHEMA_VERSION } from './schema.ts';
import type { Session } from './session.ts';

/** A store as it stands at a moment: its place, see `Store.home`, and the moment by the clock of the server. */
export interface Standing {
  readonly home: string;
  readonly now: string;
}

/** What is read of a store to know how it stands. */
export interface StandingRow extends Standing {
  readonly version: number | null;
  readonly mark: string;
}

const NOW = `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Why tables of this version are not used; null where they are. */
export function versionFault(version: number | null): Failed | null {
  if (version === null) return failed({ code: 'damaged-store', reason: 'the table meta is empty' });
  if (version === SCHEMA_VERSION) return null;
  return failed({ code: 'other-schema', found: String(version), needed: String(SCHEMA_VERSION) });
}

/** Why nothing may be recorded with the guards that there are; asked anew only where they are not those that were found sound. */
async function guarded(session: Session, schema: string, mark: string): Promise<Failed | null> {
  if (session.soundMark === mark) return null;
  const { rows } = await session.ask<{ readonly mark: string; readonly guards: readonly string[] }>(
    `SELECT ${selectMark(schema)} AS mark, ${selectGuards(schema)} AS guards`,
  );
  const [found] = rows;
  const fault = guardsFault(found!.guards, schema);
  if (fault === null) session.soundMark = found!.mark;
  return fault;
}

/** Selects the {@link StandingRow} of a store. */
export const selectStanding = (schema: string): string =>
  `SELECT (SELECT version FROM ${quoted(schema)}.meta) AS version, ${quoted(schema)}.home() AS home, ${NOW} AS now,
  ${selectMark(schema)} AS mark`;

/** How a store stands of which this was read; failed where nothing may be recorded in it. */
export const standingOf = async (
  session: Session,
  schema: string,
  { version, home, now, mark }: StandingRow,
): Promise<Standing | Failed> => versionFault(version) ?? (await guarded(session, schema, mark)) ?? { home, now };

/**
 * How the store stands, asked anew in each transaction: under an open connection its tables may be made again, brought from
 * elsewhere, or lose what guards them.
 */
export async function standing(session: Session, schema: string): Promise<Standing | Failed> {
  const { rows } = await session.ask<StandingRow>(selectStanding(schema));
  return await standingOf(session, schema, rows[0]!);
}

/** The place of the store alone. */
export async function homeIn(session: Session, schema: string): Promise<string> {
  const { rows } = await session.ask<Standing>(`SELECT ${quoted(schema)}.home() AS home`);
  return rows[0]!.home;
}
