import { afterEach, expect, it } from 'vitest';
import { describeWithServer, newName, sharedServer } from '../../../reference/postgres.ts';
import { add, endsOf, linesOf, sound } from '../../store-contract.ts';
import { closeStores, storeAt, storeWith } from './stores.ts';

afterEach(closeStores);

/** Operators of somebody by which everything is as it is wanted to be. */
const operators = (schema: string): string =>
  [
    ['bigint', 'bigint'],
    ['bigint', 'integer'],
    ['text', 'text'],
  ]
    .map(
      ([left, right]) => `
      CREATE FUNCTION ${schema}.always(${left}, ${right}) RETURNS boolean LANGUAGE sql AS 'SELECT true';
      CREATE OPERATOR ${schema}.= (LEFTARG = ${left}, RIGHTARG = ${right}, FUNCTION = ${schema}.always)`,
    )
    .join(';');

const SPEND = { a: { event: 'spend', totals: { launched: 1 } } };

describeWithServer('somebody who may make operators in a schema', () => {
  it('moves no head with them, and changes nothing of what this program asks', async () => {
    const [server, role, evil] = [await sharedServer(), newName(), newName()];
    const { store, address, schema, sql } = await storeWith('a', 'b');
    sound(await add(store, SPEND));
    await sql(`
      CREATE ROLE ${role} LOGIN; CREATE SCHEMA ${evil}; ${operators(evil)};
      GRANT USAGE ON SCHEMA ${schema}, ${evil} TO ${role};
      GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${role};
      GRANT INSERT ON ${schema}.records TO ${role};
      GRANT UPDATE (head_seq, head_hash) ON ${schema}.ledgers TO ${role};
      ALTER ROLE ${role} SET search_path = ${evil}, pg_catalog`);
    const { last } = await endsOf(store, 'a');
    for (const change of [`head_seq = 7`, `head_hash = 'x'`, `head_seq = -1, head_hash = ''`]) {
      const update = `UPDATE ${schema}.ledgers SET ${change}`;
      await expect(server.sql(update, { user: role })).rejects.toMatchObject({ code: '42501' });
    }
    const spender = storeAt(address.replace('dpc_super', role));
    expect((await endsOf(spender, 'a')).last).toEqual(last);
    sound(await add(spender, SPEND));
    expect([await linesOf(spender, 'a'), await linesOf(spender, 'b')].map(({ length }) => length)).toEqual([3, 1]);
  });
});
