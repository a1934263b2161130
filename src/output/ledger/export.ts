import type { StoredRecord } from '../../ledger/history.ts';
import { type LaunchRequest, type LedgerRecord, exactRecord } from '../../ledger/record.ts';
import { type LedgerState, type Totals, totalsOf, caveatsOf } from '../../ledger/state.ts';
import { parametersText, typeText } from './amounts.ts';
import { nameOf } from './items.ts';
import type { Folded } from '../../ledger/store.ts';
import { csvLines, type CsvField, type Column } from '../kit/table.ts';
import { described, document, list, object, type Codec, type ReadOf } from '../kit/codec.ts';
import { COUNT, TEXT_OR_NULL } from '../kit/codecs.ts';
import { jsonMembers, jsonPieces, type Json } from '../kit/json-value.ts';
import { CAVEATS } from './caveats.ts';
import { EVENT, HASH, LEDGER, SPENT, standing, STANDING } from './facts-json.ts';

/** What a row says of what was launched, asked or refused; `first`, `last`: the numbers of its mechanisms, if it has any. */
const EMPTY = { label: '', type: '', parameters: '', kind: '', count: '', first: '', last: '', evidence: '' };

type Own = Readonly<typeof EMPTY>;

/** One thing that was launched, asked or refused, with the record that says so. */
interface ExportRow extends Own, Readonly<Record<'at' | 'event' | 'actor' | 'key' | 'hash', string>> {
  readonly record: number;
  /** The code of what was refused. */
  readonly code: string;
  readonly totals: Totals;
}

/** The rows of a request; `launched`: how many mechanisms there were before, or null where it was refused. */
function askedRows(request: LaunchRequest, launched: number | null): Own[] {
  const numbers = (from: number, count: number): Pick<Own, 'first' | 'last'> =>
    launched === null
      ? { first: '', last: '' }
      : { first: String(launched + from), last: String(launched + from + count - 1) };
  if ('nested' in request) {
    const { ids } = request.nested;
    const own = { label: request.label ?? '', type: 'ledger', parameters: ids.join(';'), kind: 'interactive' };
    return [{ ...EMPTY, ...own, count: '1', ...numbers(1, 1) }];
  }
  let from = 1;
  return request.entries.map((entry) => {
    const { kind, count, label } = entry;
    const own = { type: typeText(entry), parameters: parametersText(entry), kind, count: String(count) };
    const row = { ...own, label: label ?? '', evidence: request.evidence ?? '', ...numbers(from, count) };
    from += count;
    return row;
  });
}

function ownRows(recorded: LedgerRecord, launched: number): Own[] {
  switch (recorded.event) {
    case 'spend':
    case 'nest':
    case 'commit':
    case 'incurred':
      return askedRows(recorded, launched);
    case 'hold':
      return askedRows(recorded, null);
    case 'refuse':
    case 'halt':
      return askedRows(recorded.asked, null);
    case 'query':
    case 'close': {
      const number = String(recorded.mechanism);
      return [{ ...EMPTY, label: recorded.label ?? '', first: number, last: number }];
    }
    case 'release':
    case 'void':
    case 'convert':
    case 'move':
    case 'recover':
    case 'adopt':
    case 'note':
      return [{ ...EMPTY, label: nameOf(recorded) }];
  }
}

const codeOf = (recorded: LedgerRecord): string => {
  if (recorded.event === 'refuse') return recorded.code;
  return recorded.event === 'halt' ? (recorded.totals.halted ?? '') : '';
};

/** Makes rows of records, which it is given from the first to the last; `start`: the totals before the first. */
function rowsAfter(start: Totals): (record: StoredRecord) => readonly ExportRow[] {
  let { launched } = start;
  return ({ place, hash, recorded }) => {
    const { event, at, actor, key, totals } = recorded;
    const rows = ownRows(recorded, launched).map((own) => ({
      record: place.record,
      at: at ?? '',
      event,
      code: codeOf(recorded),
      actor: actor ?? '',
      key: key ?? '',
      ...own,
      totals,
      hash,
    }));
    ({ launched } = totals);
    return rows;
  };
}

/** Matches text that a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Text that a spreadsheet would run is given an apostrophe. */
const tame = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

const tamed = (name: 'actor' | 'key' | 'label' | 'parameters'): Column<ExportRow, CsvField> => [
  name,
  (row) => tame(row[name]),
];

const columnsOf = ({ terms, rule }: LedgerState): readonly Column<ExportRow, CsvField>[] => [
  'record',
  'at',
  'event',
  'code',
  tamed('actor'),
  tamed('key'),
  tamed('label'),
  'type',
  tamed('parameters'),
  'kind',
  'count',
  'first',
  'last',
  'evidence',
  ['totals.launched', ({ totals }) => totals.launched],
  ...(terms.mode === 'compositor' ? [] : rule.names).map((name): Column<ExportRow, CsvField> => [
    `totals.spent.${name}`,
    ({ totals }) => totals.spent[name] ?? null,
  ]),
  ['totals.halted', ({ totals }) => totals.halted],
  'hash',
];

/** All records of a ledger as comma-separated values (RFC 4180), with the totals after each, in pieces. */
export async function* exportCsv(
  { start }: Pick<Folded<unknown>, 'start'>,
  records: AsyncIterable<readonly StoredRecord[]>,
): AsyncGenerator<string, void, undefined> {
  const { head, record } = csvLines(columnsOf(start));
  const rowsOf = rowsAfter(totalsOf(start));
  yield head;
  for await (const some of records) yield some.flatMap(rowsOf).map(record).join('');
}

const TOTALS = object({ launched: COUNT, spent: SPENT, halted: TEXT_OR_NULL });
const DESCRIBED = object({ record: COUNT, event: EVENT, totals: TOTALS, hash: HASH });

const ROW: Codec<StoredRecord, ReadOf<typeof DESCRIBED> & Readonly<Record<string, unknown>>> = {
  schema: DESCRIBED.schema,
  encode: ({ place, hash, recorded }) => {
    const { event, totals } = recorded;
    return {
      record: place.record,
      ...jsonMembers(exactRecord(recorded)),
      event,
      totals: TOTALS.encode({ ...totals, spent: totals }),
      hash,
    };
  },
};

/** A ledger with all its records. */
export const LEDGER_EXPORT = document('ledger-export', 'All records of a ledger.', {
  ledger: LEDGER,
  ...STANDING,
  caveats: CAVEATS,
  rows: list(
    described(
      'A record of the file without its chain fields; the parameters of launched mechanisms have all their digits.',
      ROW,
    ),
  ),
});

async function* encoded(
  records: AsyncIterable<readonly StoredRecord[]>,
): AsyncGenerator<readonly Json[], void, undefined> {
  for await (const some of records) yield some.map(ROW.encode);
}

/** A ledger with all its records as `dpcompose.ledger-export/1`, in pieces. */
export function exportJson(
  { present }: Pick<Folded<unknown>, 'present'>,
  records: AsyncIterable<readonly StoredRecord[]>,
  file: string,
  version: string,
): AsyncIterable<string> {
  const withoutRows = LEDGER_EXPORT.encode({
    version,
    ledger: { present, file },
    ...standing(present.state),
    caveats: caveatsOf(present.state),
    rows: [],
  });
  return jsonPieces(withoutRows, encoded(records));
}
