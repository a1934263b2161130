import type { Failed } from '../records/fault.ts';
import type { Sealed } from '../records/line.ts';
import type { Header } from '../records/record.ts';
import { claim, headerLine } from './births.ts';
import type { Connections } from './connections.ts';
import { inTransaction } from './in-transaction.ts';
import { keep } from './keep.ts';
import { rowOf } from './rows.ts';
import { standing } from './standing.ts';

/** Makes a ledger that has only a header, durably; fails where there is one of this name. */
export const create = (connections: Connections, name: string, header: Header): Promise<Sealed | Failed> =>
  inTransaction<Sealed>(connections, connections.connectSeconds, async (session) => {
    const { schema } = connections.address;
    const stands = await standing(session, schema);
    if ('kind' in stands) return stands;
    const made = headerLine(header, stands.home);
    if ('kind' in made) return made;
    const row = rowOf(name, made.record, made.line);
    const fault = (await claim(session, schema, [{ name, id: header.id }])) ?? (await keep(session, schema, [row]));
    return fault ?? { kind: 'written', value: made.record, witness: row };
  });
