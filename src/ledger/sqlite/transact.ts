import { failed, type Failed } from '../records/fault.ts';
import { prepare } from '../journal/prepare.ts';
import type { Propose, Seen, Sought, Store, TransactOptions, Transacted } from '../journal/store.ts';
import { writing, type Access, type Change } from './access.ts';
import type { Connection } from './driver.ts';
import { readEnds } from './ends.ts';
import type { Cut } from './left.ts';
import { confirm, hasRecord, keep, type Kept } from './keep.ts';
import { search } from './search.ts';

/** A ledger as it is, with what is sought in it. */
function see(
  connection: Connection,
  name: string,
  { sought, cut }: { readonly sought: readonly Sought[]; readonly cut: Cut | null },
): Seen | Failed {
  const ends = readEnds(connection, name, cut);
  if (ends.kind === 'failed') return { ...ends, ledger: name };
  const found = [];
  for (const each of sought) {
    const record = search(connection, name, each);
    if (record?.kind === 'failed') return { ...record, ledger: name };
    found.push(record);
  }
  return { name, ends, found };
}

function seeAll(
  connection: Connection,
  names: readonly string[],
  what: Parameters<typeof see>[2],
): readonly Seen[] | Failed {
  const all: Seen[] = [];
  for (const name of names) {
    if (all.some((each) => each.name === name))
      return { ...failed({ code: 'same-ledger', other: name }), ledger: name };
    const seen = see(connection, name, what);
    if ('kind' in seen) return seen;
    all.push(seen);
  }
  return all;
}

/** One transaction over ledgers of a database, in one transaction of the database. */
export const transact = <T>(
  access: Access,
  names: readonly string[],
  {
    propose,
    store,
    options,
  }: {
    readonly propose: Propose<T>;
    readonly store: Pick<Store, 'reference' | 'resolve'>;
    readonly options: TransactOptions;
  },
): Promise<Transacted<T> | Failed> =>
  writing(access, options.patience, (connection, { home, cut }): Change<Transacted<T>> | Failed => {
    const { sought = [], adopt = false } = options;
    const seen = seeAll(connection, names, { sought, cut: adopt ? null : cut });
    if ('kind' in seen) return seen;
    const now = new Date().toISOString();
    const prepared = prepare(seen, propose, { homes: names.map(() => home), now, store, options });
    if (prepared.kind === 'failed') return prepared;
    const { records, value } = prepared;
    const making = { store, home, nonce: options.nonce };
    const added: Kept[] = [];
    for (const [i, each] of seen.entries()) {
      const record = records[i];
      const kept = record == null ? [] : keep(connection, each, { ...making, prepared: record });
      if ('kind' in kept) return { ledger: each.name, ...kept };
      added.push(...kept);
    }
    const missing = confirm(connection, added);
    if (missing !== null) return missing;
    return {
      kind: 'change',
      value: { kind: 'transacted', value, records: records.map((each) => each?.record ?? null), settled: 'none' },
      isKept: added.length === 0 ? null : (again) => added.every((each) => hasRecord(again, each)),
    };
  });
