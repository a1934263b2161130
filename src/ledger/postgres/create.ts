import type { Failed } from '../records/fault.ts';
import type { Sealed } from '../records/line.ts';
import type { Header } from '../records/record.ts';
import { claim, headerLine } from './births.ts';
import type { Connections } from './connections.ts';
import { inTransaction } from './in-transaction.ts';
import { columnsOf, insertRecords, rowOf } from './rows.ts';

/** Makes a ledger that has only a header, durably; fails where there is one of this name. */
export const create = (connections: Connections, name: string, header: Header): Promise<Sealed | Failed> =>
  inTransaction<Sealed>(connections, connections.connectSeconds, async (session) => {
    const { schema } = connections.address;
    const made = headerLine(header, session.home);
    if ('kind' in made) return made;
    const fault = await claim(session, schema, [{ name, id: header.id }]);
    if (fault !== null) return fault;
    const row = rowOf(name, made.record, made.line);
    await session.ask(insertRecords(schema), columnsOf([row]));
    return { kind: 'written', value: made.record, witness: row };
  });
