import type { Failed } from '../records/fault.ts';
import { quoted } from './names.ts';
import { presence, presenceFault } from './presence.ts';
import { failureOf, type Asking, type Failure } from './server-fault.ts';
import type { Session } from './session.ts';
import { reading } from './settings.ts';
import { versionFault } from './standing.ts';

async function otherVersion(session: Session, schema: string): Promise<Failed | null> {
  const { rows } = await session.ask<{ readonly version: number }>(`SELECT version FROM ${quoted(schema)}.meta`);
  return versionFault(rows[0]?.version ?? null);
}

/**
 * Why the server did not do what it was asked outside of a transaction; where something of the store was not found, with a look at
 * what there is of it.
 */
export async function explained(session: Session, schema: string, error: unknown, asking: Asking): Promise<Failure> {
  const failure = failureOf(error, asking);
  if (failure.fault.code !== 'no-store') return failure;
  try {
    const wrong = await reading(
      session,
      async () => presenceFault(await presence(session, schema), schema) ?? (await otherVersion(session, schema)),
    );
    const reason = error instanceof Error ? error.message : '';
    return { ...failure, fault: wrong?.fault ?? { code: 'damaged-store', reason } };
  } catch (again) {
    return failureOf(again, asking);
  }
}
