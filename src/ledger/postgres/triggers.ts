import { quoted } from './names.ts';

/** A trigger of a table. */
export interface Trigger {
  readonly table: 'ledgers' | 'records';
  readonly name: string;
  /** As the server prints it again. */
  readonly definition: string;
}

/** The triggers of a store in a schema, which keep records as they are, and the head of each ledger at its last record. */
export function triggersOf(schema: string): readonly Trigger[] {
  const s = quoted(schema);
  const trigger = (table: Trigger['table'], name: string, when: string, each: string, calls: string): Trigger => ({
    table,
    name,
    definition: `CREATE TRIGGER ${name} ${when} ON ${s}.${table} FOR EACH ${each} EXECUTE FUNCTION ${s}.${calls}()`,
  });
  return [
    trigger('records', 'records_head', 'AFTER INSERT', 'ROW', 'head_moves'),
    trigger('records', 'records_stay', 'BEFORE DELETE OR UPDATE', 'ROW', 'unchanged'),
    trigger('records', 'records_all_stay', 'BEFORE TRUNCATE', 'STATEMENT', 'unchanged'),
    trigger('ledgers', 'ledgers_head', 'BEFORE INSERT OR UPDATE', 'ROW', 'head_is_there'),
    trigger('ledgers', 'ledgers_stay', 'BEFORE DELETE', 'ROW', 'unchanged'),
    trigger('ledgers', 'ledgers_all_stay', 'BEFORE TRUNCATE', 'STATEMENT', 'unchanged'),
  ];
}
