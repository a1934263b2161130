import { failed, type Failed } from '../records/fault.ts';
import { CONSTRAINTS } from './constraints.ts';
import { functionsOf, SEARCH_PATH } from './functions.ts';
import { quoted, TABLES } from './names.ts';
import { keyIndexOf } from './schema.ts';
import { triggersOf } from './triggers.ts';

/** Something that keeps records as they are: its kind and name, and what the server says of it. */
interface Guard {
  readonly kind: 'table' | 'trigger' | 'constraint' | 'index' | 'function';
  readonly name: string;
  readonly said: string;
}

/** Fires for everybody, whatever `session_replication_role` is. */
const ALWAYS = 'A';
/** A table of its own, which outlives a crash: neither temporary nor unlogged. */
const PERMANENT = 'r p';

const tablesIn = (schema: string): string =>
  `ARRAY[${TABLES.map((table) => `'${quoted(schema)}.${table}'::regclass`).join(', ')}]`;

/** The condition on a function that it is of the store. */
function isOurs(schema: string): string {
  const names = functionsOf(schema).map(({ name }) => `'${name}'`);
  return `proname IN (${names.join(', ')}) AND pronargs = 0 AND pronamespace = '${quoted(schema)}'::regnamespace`;
}

/**
 * Selects a text that is another one as soon as any of the guards was changed, taken away or made again: of each the number of the
 * transaction that has done so last. It costs a third of {@link selectGuards}.
 */
export const selectMark = (schema: string): string => `concat_ws(
    ' ',
    ARRAY(SELECT relpersistence FROM pg_class WHERE oid = ANY (${tablesIn(schema)})),
    ARRAY(SELECT xmin FROM pg_trigger WHERE tgrelid = ANY (${tablesIn(schema)})),
    ARRAY(SELECT xmin FROM pg_constraint WHERE conrelid = ANY (${tablesIn(schema)})),
    ARRAY(SELECT concat(xmin, indisvalid, indisready) FROM pg_index WHERE indrelid = ANY (${tablesIn(schema)})),
    ARRAY(SELECT xmin FROM pg_proc WHERE ${isOurs(schema)})
  )`;

/** Selects all guards that are there, each as the texts of a {@link Guard} with a blank between them. */
export function selectGuards(schema: string): string {
  const tables = tablesIn(schema);
  return `ARRAY(
    SELECT concat_ws(' ', 'table', relname, relkind, relpersistence) FROM pg_class WHERE oid = ANY (${tables})
  ) || ARRAY(
    SELECT concat_ws(' ', 'trigger', tgname, tgenabled, pg_get_triggerdef(oid))
    FROM pg_trigger WHERE tgrelid = ANY (${tables}) AND NOT tgisinternal
  ) || ARRAY(
    SELECT concat_ws(' ', 'constraint', conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE conrelid = ANY (${tables}) AND contype IN ('c', 'p', 'u')
  ) || ARRAY(
    SELECT concat_ws(' ', 'index', c.relname, pg_get_indexdef(c.oid)) FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
    WHERE i.indrelid = ANY (${tables}) AND i.indisvalid AND i.indisready
  ) || ARRAY(
    SELECT concat_ws(
      ' ', 'function', proname, format_type(prorettype, NULL), lanname, provolatile, prosecdef,
      array_to_string(proconfig, ', '), prosrc
    )
    FROM pg_proc JOIN pg_language AS l ON l.oid = prolang WHERE ${isOurs(schema)}
  )`;
}

function guardsOf(schema: string): readonly Guard[] {
  const index = keyIndexOf(schema);
  return [
    ...TABLES.map((name): Guard => ({ kind: 'table', name, said: PERMANENT })),
    ...triggersOf(schema).map(({ name, definition }): Guard => ({
      kind: 'trigger',
      name,
      said: `${ALWAYS} ${definition}`,
    })),
    ...CONSTRAINTS.map(({ name, definition }): Guard => ({ kind: 'constraint', name, said: definition })),
    { kind: 'index', name: index.name, said: index.definition },
    ...functionsOf(schema).map(({ name, returns, isOwners, body }): Guard => {
      const manner = isOwners ? 's t' : 'v f';
      return { kind: 'function', name, said: `${returns} plpgsql ${manner} search_path=${SEARCH_PATH} ${body}` };
    }),
  ];
}

/** A text of a guard without what may differ: the bodies of functions are kept to the letter, all else is printed by the server. */
function plain(text: string, schema: string): string {
  if (text.startsWith('function ')) return text;
  return text
    .replaceAll(`${quoted(schema)}.`, '')
    .replaceAll(`${schema}.`, '')
    .replace(/\s/g, '');
}

/** Why nothing is to be recorded where {@link selectGuards} says this; null where all guards are there, as this program made them. */
export function guardsFault(found: readonly string[], schema: string): Failed | null {
  const there = new Set(found.map((text) => plain(text, schema)));
  for (const { kind, name, said } of guardsOf(schema)) {
    if (there.has(plain(`${kind} ${name} ${said}`, schema))) continue;
    const isNamed = found.some((text) => text.startsWith(`${kind} ${name} `));
    const disabled = kind === 'trigger' ? 'was changed, or is not ENABLE ALWAYS' : 'was changed or disabled';
    const state = isNamed ? disabled : 'is not there';
    return failed({ code: 'damaged-store', reason: `the ${kind} ${name} ${state}` });
  }
  return null;
}
