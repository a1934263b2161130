import type { HeaderAndHead } from '../../src/ledger/chain.ts';
import { failed } from '../../src/ledger/fault.ts';
import { prepare, type Prepared, sealHeader } from '../../src/ledger/prepare.ts';
import type { Store } from '../../src/ledger/store.ts';

const HOME = 'memory';

/** A store that forgets: for many short transactions. It finds keys, and nothing else that is sought. */
export function memoryStore(): Store {
  const ledgers = new Map<string, Prepared[]>();
  const endsOf = (records: readonly Prepared[]): HeaderAndHead => ({
    kind: 'ends',
    header: records[0]!.record,
    last: records.at(-1)!.record,
    rest: { kind: 'none' },
  });
  const none = failed({ code: 'no-such-ledger' });
  const store: Store = {
    address: HOME,
    placeId: () => Promise.resolve(HOME),
    reference: (_, to) => to,
    resolve: (_, reference) => reference,
    create: (name, header) => {
      if (ledgers.has(name)) return Promise.resolve(failed({ code: 'ledger-exists' }));
      const sealed = sealHeader(header, { placeId: HOME });
      if ('fault' in sealed) return Promise.resolve(sealed);
      ledgers.set(name, [sealed]);
      return Promise.resolve(sealed.record);
    },
    restore: () => Promise.resolve(none),
    obstacle: () => Promise.resolve(null),
    transact: (names, propose, options) => {
      const all = names.map((name) => ledgers.get(name));
      if (all.includes(undefined)) return Promise.resolve(none);
      const seen = names.map((name, i) => ({
        name,
        ends: endsOf(all[i]!),
        found: (options.lookups ?? []).map(
          (sought) => all[i]!.find(({ record }) => record.fields.key === sought.key)?.record ?? null,
        ),
      }));
      const prepared = prepare(seen, propose, { placeIds: names.map(() => HOME), now: '', store, options });
      if (prepared.kind === 'failed') return Promise.resolve(prepared);
      prepared.records.forEach((each, i) => each && all[i]!.push(each));
      const records = prepared.records.map((each) => each?.record ?? null);
      return Promise.resolve({ kind: 'transacted', value: prepared.value, records, settled: 'none' });
    },
    ends: (name) => Promise.resolve(ledgers.has(name) ? endsOf(ledgers.get(name)!) : none),
    records: (name) => {
      const records = ledgers.get(name);
      if (records === undefined) return Promise.resolve(none);
      const lines = records.map(({ line }, i) => ({
        number: i + 1,
        offset: 0,
        bytes: line,
        ended: true,
        tooLong: false,
      }));
      return Promise.resolve(
        // eslint-disable-next-line @typescript-eslint/require-await -- the interface asks for batches that may be waited for
        (async function* () {
          yield lines;
        })(),
      );
    },
    list: () => Promise.resolve(none),
    close: () => Promise.resolve(),
  };
  return store;
}
