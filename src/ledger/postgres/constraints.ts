/** A constraint of a table. */
export interface Constraint {
  readonly table: 'ledgers' | 'records';
  readonly name: string;
  /** As the server prints it again, but for blanks: what is there is compared with it. */
  readonly definition: string;
}

const literal = (text: string): string => `'${text}'::text`;

const BACKSLASH = 'chr(92)';

type Replacement = readonly [from: string, to: string];

/** What a backslash, with the character that it makes another one of, becomes in a text that JSON may have in it. */
const MARKS: readonly Replacement[] = [
  [literal('%'), literal('%0')],
  [`(${BACKSLASH} || ${BACKSLASH})`, literal('%1')],
  [`(${BACKSLASH} || ${literal('"')})`, literal('%2')],
  [BACKSLASH, literal('%3')],
];

const replaced = (value: string, replacements: readonly Replacement[]): string =>
  replacements.reduce((inner, [from, to]) => `replace(${inner}, ${from}, ${to})`, value);

const unmarked = (value: string): string =>
  replaced(
    value,
    MARKS.toReversed().map(([from, to]): Replacement => [to, from]),
  );

/**
 * The fields of a line. Its backslashes are marked: the server reads no text with `\\u0000` in it, nor one that ends in the midst of
 * a character, and so the JSON text of a field comes out as it stands in the line.
 */
const FIELDS = `(${replaced('line', MARKS)})::json`;

const hashOf = (text: string): string => `encode(sha256(convert_to(${text}, 'UTF8'::name)), ${literal('hex')})`;

const CONTENT = `"left"(line, '-75'::integer)`;

/** A line ends in the hash of what stands before it. */
const SEALED = `CHECK (((line = (((${CONTENT} || ${literal(',"hash":"')}) || hash) || ${literal('"}')})) AND (hash = ${hashOf(CONTENT)})))`;

/** A line begins with its number, and names the one before it. */
const PLACED = `CHECK (CASE
  WHEN (seq = 0) THEN (starts_with(line, ${literal('{"schema":')}) AND (prev = ${literal('')}))
  ELSE ((seq > 0) AND starts_with(line, ((${literal('{"seq":')} || seq) || ${literal(',')}))
    AND ("right"(line, 149) = ((((${literal(',"prev":"')} || prev) || ${literal('","hash":"')}) || hash) || ${literal('"}')})))
END)`;

/** A column is what the line says. */
const isTold = (column: string, told: string): string => `CHECK ((NOT (${column} IS DISTINCT FROM ${told})))`;

const KEY = hashOf(unmarked(`NULLIF(((${FIELDS} -> ${literal('key')}))::text, ${literal('null')})`));

const LAUNCHED = `COALESCE((${FIELDS} #>> '{totals,launched}'::text[]), (${FIELDS} #>> '{origin,totals,launched}'::text[]))`;

const CLOSED = `CASE
  WHEN ((${FIELDS} ->> ${literal('event')}) = ${literal('close')}) THEN (${FIELDS} ->> ${literal('mechanism')})
  ELSE NULL::text
END`;

/** Everything that the rows of a store have to obey; the columns by which records are found follow from their lines alone. */
export const CONSTRAINTS: readonly Constraint[] = [
  { table: 'ledgers', name: 'ledgers_pkey', definition: 'PRIMARY KEY (name)' },
  { table: 'records', name: 'records_pkey', definition: 'PRIMARY KEY (ledger, seq)' },
  { table: 'records', name: 'records_ledger_prev_key', definition: 'UNIQUE (ledger, prev)' },
  { table: 'records', name: 'records_sealed', definition: SEALED },
  { table: 'records', name: 'records_placed', definition: PLACED },
  { table: 'records', name: 'records_key_told', definition: isTold('key', KEY) },
  { table: 'records', name: 'records_launched_told', definition: isTold('(launched)::text', LAUNCHED) },
  { table: 'records', name: 'records_closed_told', definition: isTold('(closed)::text', CLOSED) },
];
