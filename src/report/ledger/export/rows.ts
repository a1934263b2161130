import type { Kept } from '../../../ledger/journal/history.ts';
import type { Asked, Recorded } from '../../../ledger/records/record.ts';
import type { LedgerState } from '../../../ledger/core/state.ts';
import type { Totals } from '../../../ledger/core/totals.ts';
import { parametersText, typeText } from '../entry-text.ts';
import { nameOf } from '../items.ts';

/** One thing that was launched, asked or refused, with the record that says so. */
export interface ExportRow {
  readonly record: number;
  readonly at: string;
  readonly event: string;
  /** The code of what was refused. */
  readonly code: string;
  /** Who asked for it, and under which name. */
  readonly actor: string;
  readonly key: string;
  readonly label: string;
  readonly type: string;
  readonly parameters: string;
  readonly kind: string;
  readonly count: string;
  /** The numbers of its mechanisms, where some were launched or asked. */
  readonly first: string;
  readonly last: string;
  readonly evidence: string;
  readonly totals: Totals;
  readonly hash: string;
}

/** The names of the totals that are exported after each record. */
export const totalNames = ({ terms, rule }: LedgerState): readonly string[] =>
  terms.mode === 'compositor' ? [] : rule.names;

type Own = Pick<ExportRow, 'label' | 'type' | 'parameters' | 'kind' | 'count' | 'first' | 'last' | 'evidence'>;

const EMPTY: Own = { label: '', type: '', parameters: '', kind: '', count: '', first: '', last: '', evidence: '' };

/** The rows of a request; `launched`: how many mechanisms there were before, or null where it was refused. */
function askedRows(asked: Asked, launched: number | null): Own[] {
  const numbers = (from: number, count: number): Pick<Own, 'first' | 'last'> =>
    launched === null
      ? { first: '', last: '' }
      : { first: String(launched + from), last: String(launched + from + count - 1) };
  if ('nested' in asked) {
    const { ids } = asked.nested;
    return [
      {
        ...EMPTY,
        label: asked.label ?? '',
        type: 'ledger',
        parameters: ids.join(';'),
        kind: 'interactive',
        count: '1',
        ...numbers(1, 1),
      },
    ];
  }
  let from = 1;
  return asked.entries.map((entry) => {
    const { kind, count, label } = entry;
    const own = {
      type: typeText(entry),
      parameters: parametersText(entry),
      kind,
      count: String(count),
      label: label ?? '',
      evidence: asked.evidence ?? '',
    };
    const row = { ...own, ...numbers(from, count) };
    from += count;
    return row;
  });
}

function ownRows(recorded: Recorded, launched: number): Own[] {
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

const codeOf = (recorded: Recorded): string => {
  if (recorded.event === 'refuse') return recorded.code;
  return recorded.event === 'halt' ? (recorded.totals.halted ?? '') : '';
};

/** Makes rows of records, which it is given from the first to the last; `start`: the totals before the first. */
export function rowsAfter(start: Totals): (kept: Kept) => readonly ExportRow[] {
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
