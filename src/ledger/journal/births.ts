import type { Failed } from '../records/fault.ts';
import { numberOf, type Sealed } from '../records/line.ts';
import { readRecord, type Header } from '../records/record.ts';
import type { Store } from './store.ts';

/** A ledger that comes into being with a record of another one. */
export interface Birth {
  /** Its name in the store. */
  readonly name: string;
  readonly header: Header;
}

/**
 * The ledgers that come into being with a record: those that it pays for, or the one that goes on from where it ends its own.
 * They follow from the record alone, so that who finds it can make those that are missing.
 */
export function birthsOf(
  parent: { readonly name: string; readonly header: Header },
  record: Sealed,
  store: Pick<Store, 'resolve'>,
): readonly Birth[] | Failed {
  if (record.fields.event !== 'nest' && record.fields.event !== 'convert') return [];
  const seq = numberOf(record);
  const recorded = readRecord(record, { line: seq + 1, record: seq });
  if ('kind' in recorded) return recorded;
  const common = { version: parent.header.version, at: recorded.at };
  const source = { id: parent.header.id, hash: record.hash };
  if (recorded.event === 'nest') {
    const { ids, names, terms } = recorded.nested;
    return ids.map((id, i) => ({
      name: store.resolve(parent.name, names[i]!),
      header: { ...common, id, terms, origin: { kind: 'nested', ...source } },
    }));
  }
  if (recorded.event !== 'convert') return [];
  const { id, name, terms, totals } = recorded.to;
  const origin = { kind: 'converted', ...source, totals } as const;
  return [{ name: store.resolve(parent.name, name), header: { ...common, id, terms, origin } }];
}
