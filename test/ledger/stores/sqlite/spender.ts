// Spends from two ledgers of a budget each, both or neither, one unit or more at a time, and says every answer before it goes on.
import { writeSync } from 'node:fs';
import { openSqlite } from '../../../../src/ledger/stores/sqlite/store.ts';

const { path, name, amounts, budget } = JSON.parse(process.argv[2]!) as {
  readonly path: string;
  readonly name: string;
  readonly amounts: readonly number[];
  readonly budget: number;
};

/** What was spent by the end of a record. */
const spentIn = (fields: Readonly<Record<string, unknown>>): number =>
  (fields.totals as { readonly spent: number } | undefined)?.spent ?? 0;

const store = await openSqlite(path);
if ('fault' in store) throw new Error(store.fault.code);
for (const [i, amount] of amounts.entries()) {
  const label = `${name}.${i}`;
  const answer = await store.transact(
    ['a', 'b'],
    (seen) => {
      const spent = seen.map(({ ends }) => spentIn(ends.last.fields) + amount);
      const isGranted = spent.every((each) => each <= budget);
      const record = (each: number) => ({
        event: 'spend',
        key: label,
        label,
        amount,
        totals: { launched: 0, spent: each },
      });
      return { kind: 'proposal', additions: spent.map((each) => (isGranted ? record(each) : null)), value: isGranted };
    },
    { patience: 600 },
  );
  const fault = answer.kind === 'failed' ? answer.fault.code : null;
  writeSync(1, `${JSON.stringify({ label, amount, granted: answer.kind === 'transacted' && answer.value, fault })}\n`);
}
