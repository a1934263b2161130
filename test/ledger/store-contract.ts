import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Terms } from '../../src/ledger/rules/terms.ts';
import type { HeaderAndHead } from '../../src/ledger/chain.ts';
import type { Failed, FaultCode } from '../../src/ledger/fault.ts';
import { unseal, type Fields, type Sealed, LONGEST_RECORD } from '../../src/ledger/line.ts';
import { readHeader, recordFields, type Header, type Successor } from '../../src/ledger/record.ts';
import type { LedgerView, Lookup, Store, Transacted, TransactOptions } from '../../src/ledger/store.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { Random } from '../soundness/random.ts';

/** A place where ledgers can be kept, empty at first. */
export interface StorePlace {
  readonly store: Store;
  /** The place as somebody else reaches it, such as another process. */
  readonly again: () => Promise<Store>;
  /** A copy of the place with all that is in it, as somebody makes who copies its files. */
  readonly copied: () => Promise<Store>;
}

/** How a kind of store is made and what it says. */
export interface StoreKind {
  readonly make: () => Promise<StorePlace>;
  readonly codes: {
    /** There is no ledger of this name. */
    readonly missing: FaultCode;
    /** There is one. */
    readonly taken: FaultCode;
  };
}

export const TERMS = {
  mode: 'filter',
  rule: { id: 'pure' },
  budget: { epsilon: new Decimal(1) },
  onExcess: 'refuse',
  concurrency: 'concurrent',
  maxMechanisms: null,
  distance: new Decimal(1),
  neighbours: null,
} as const satisfies Terms;

/** The header of a ledger of this id. */
export const headerOf = (id: string): Header => ({ version: '0.1.0', at: null, id, terms: TERMS, origin: null });

/** A store's answer where it is not to be a fault. */
export function sound<T extends object>(answer: T | Failed): T {
  if ('fault' in answer) throw new Error(JSON.stringify(answer));
  return answer;
}

/** Adds a record with these fields to each ledger; null: none. */
export const add = (
  store: Store,
  additions: Readonly<Record<string, Fields | null>>,
  options: Partial<TransactOptions> = {},
): Promise<Transacted<null> | Failed> =>
  store.transact(
    Object.keys(additions),
    () => ({ kind: 'proposal', additions: Object.values(additions), value: null }),
    { patience: 60, ...options },
  );

/** What a transaction over these ledgers is shown; nothing is added. */
export async function look(
  store: Store,
  names: readonly string[],
  sought: readonly Lookup[] = [],
): Promise<readonly LedgerView[]> {
  const looked = await store.transact(
    names,
    (seen) => ({ kind: 'proposal', additions: seen.map(() => null), value: [...seen] }),
    { patience: 60, lookups: sought },
  );
  return sound(looked).value;
}

/** Everything in a ledger, each line as its text. */
export async function linesOf(store: Store, name: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const batch of sound(await store.records(name))) {
    for (const { number, bytes, ended, tooLong } of batch) {
      expect({ number, ended, tooLong }).toEqual({ number: lines.length + 1, ended: true, tooLong: false });
      lines.push(bytes.toString('utf8'));
    }
  }
  return lines;
}

/** The names of all ledgers, with their last records, or the codes of what is wrong with them. */
export async function listOf(store: Store): Promise<(readonly [name: string, last: string])[]> {
  const all: (readonly [string, string])[] = [];
  for await (const batch of sound(await store.list()))
    for (const { name, ends } of batch) all.push([name, ends.kind === 'failed' ? ends.fault.code : ends.last.hash]);
  return all;
}

const recordOf = (line: string): Sealed => {
  const record = unseal(Buffer.from(line));
  if (record.kind !== 'record') throw new Error(`Not a record: ${line}`);
  return record;
};

/** Everything in a ledger; each record has to follow the one before it. */
export async function recordsOf(store: Store, name: string): Promise<Sealed[]> {
  const records = (await linesOf(store, name)).map(recordOf);
  const [header] = records;
  for (const [i, { fields }] of records.entries()) {
    expect(fields.seq).toBe(i);
    if (i > 0) expect(fields).toMatchObject({ prev: records[i - 1]!.hash, ledger: header!.hash });
  }
  return records;
}

/** The two ends of a ledger. */
export const endsOf = async (store: Store, name: string): Promise<HeaderAndHead> => sound(await store.ends(name));

const codeOf = (answer: object | null): unknown =>
  answer !== null && 'fault' in answer ? (answer as Failed).fault.code : 'no fault';

const COMMON = { at: null, actor: null, key: null };
const totals = (launched: number) => ({ launched, spent: { epsilon: `0.${launched}` }, halted: null });

/** A record that launches one mechanism more. */
const launch = (launched: number, more: Fields = {}): Fields => ({ event: 'spend', ...more, totals: totals(launched) });

/** The record that pays for ledgers of these names. */
const nestFields = (names: readonly string[]): Fields => {
  const nested = { ids: names.map((name, i) => `${name}, part ${i}`), names, terms: TERMS };
  return recordFields({ event: 'nest', nested, label: null, ...COMMON, totals: totals(1) });
};

/** The record that ends a ledger, which goes on as another one. */
const convertFields = (name: string): Fields => {
  const to: Successor = { id: `id of ${name}`, name, terms: TERMS, totals: totals(3) };
  return recordFields({ event: 'convert', to, ...COMMON, totals: totals(3) });
};

/** Everything that every kind of store must do. */
export function describeStore(kind: string, { make, codes }: StoreKind): void {
  /** A place with ledgers of these names. */
  const placeWith = async (...names: readonly string[]): Promise<StorePlace> => {
    const place = await make();
    for (const name of names) sound(await place.store.create(name, headerOf(`id of ${name}`)));
    return place;
  };

  describe(`a ledger in ${kind}`, () => {
    it('is there once it was made, with the header as its last record', async () => {
      const { store, again } = await make();
      expect(codeOf(await store.ends('a'))).toBe(codes.missing);
      expect(await store.obstacle('a')).toBeNull();
      const made = sound(await store.create('a', headerOf('one')));
      for (const each of [store, await again()]) {
        const { header, last, rest } = await endsOf(each, 'a');
        expect(header).toEqual(made);
        expect(last).toEqual(made);
        expect(rest).toEqual({ kind: 'none' });
        expect(readHeader(header)).toEqual(headerOf('one'));
        expect(header.fields.home).toBe(await each.placeId('a'));
        expect(codeOf(await each.obstacle('a'))).toBe(codes.taken);
      }
    });

    it('is never made over another one', async () => {
      const { store } = await placeWith('a');
      sound(await add(store, { a: launch(1) }));
      const before = await linesOf(store, 'a');
      expect(codeOf(await store.create('a', headerOf('other')))).toBe(codes.taken);
      expect(await linesOf(store, 'a')).toEqual(before);
    });

    it('is made by one of all who make it at once', async () => {
      const { store, again } = await make();
      const stores = [store, ...(await Promise.all([again(), again(), again()]))];
      const made = await Promise.all(
        stores.flatMap((each, i) => [each.create('a', headerOf(`x${i}`)), each.create('a', headerOf(`y${i}`))]),
      );
      const there = made.filter(({ kind }) => kind === 'record');
      expect(there).toHaveLength(1);
      expect(new Set(made.map(codeOf))).toEqual(new Set(['no fault', codes.taken]));
      expect((await endsOf(store, 'a')).header).toEqual(there[0]);
    });

    it('has every record after the one before it, in order', async () => {
      const { store, again } = await placeWith('a', 'b');
      const hashes: string[] = [];
      for (let n = 1; n <= 5; n++) {
        const { records, settled } = sound(
          await add(store, { a: launch(n, { label: `release ${n} \u00e9\ud83d\ude00\u2028"\\` }) }),
        );
        expect(settled).toBe('none');
        expect(records).toHaveLength(1);
        hashes.push(records[0]!.hash);
        expect((await endsOf(store, 'a')).last).toEqual(records[0]);
      }
      const there = await recordsOf(await again(), 'a');
      expect(there.slice(1).map(({ hash }) => hash)).toEqual(hashes);
      expect(there[3]!.fields).toMatchObject({ ...launch(3), home: await store.placeId('a') });
      expect(await recordsOf(store, 'b')).toHaveLength(1);
    });

    it('that is not there has no records and takes none', async () => {
      const { store } = await placeWith('a');
      expect(codeOf(await store.records('b'))).toBe(codes.missing);
      expect(codeOf(await store.ends('b'))).toBe(codes.missing);
      const failed = await add(store, { a: launch(1), b: launch(1) });
      expect(failed).toMatchObject({ kind: 'failed', fault: { code: codes.missing }, ledger: 'b' });
      expect(await linesOf(store, 'a')).toHaveLength(1);
      expect((await listOf(store)).map(([name]) => name)).toEqual(['a']);
    });

    it('is listed with its last record, all in the order of their names', async () => {
      const { store, again } = await placeWith('b', 'a', 'c');
      const { records } = sound(await add(store, { c: launch(1) }));
      const listed = await listOf(await again());
      expect(listed.map(([name]) => name)).toEqual(['a', 'b', 'c']);
      expect(listed[2]).toEqual(['c', records[0]!.hash]);
    });

    it('can be called from another one, and found again by that', async () => {
      const { store } = await placeWith('a', 'b');
      expect(store.resolve('a', store.reference('a', 'b'))).toBe('b');
      expect(store.resolve('b', store.reference('b', 'a'))).toBe('a');
    });
  });

  describe(`a transaction in ${kind}`, () => {
    it('shows the ends of the ledgers in the order in which they are named, and the time', async () => {
      const { store } = await placeWith('a', 'b');
      sound(await add(store, { a: launch(1) }));
      const { value } = sound(
        await store.transact(
          ['b', 'a'],
          (seen, now) => ({ kind: 'proposal', additions: [null, null], value: { seen, now } }),
          { patience: 60 },
        ),
      );
      expect(value.now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(value.seen.map(({ name }) => name)).toEqual(['b', 'a']);
      for (const { name, ends, found } of value.seen) {
        const { header, last, rest } = await endsOf(store, name);
        expect(ends).toMatchObject({ header, last, rest });
        expect(found).toEqual([]);
      }
    });

    it('adds to several ledgers at once, and each record says so', async () => {
      const { store } = await placeWith('a', 'b', 'c');
      const { records } = sound(await add(store, { c: launch(1), b: null, a: launch(1) }));
      const [head, none, other] = records;
      expect(none).toBeNull();
      const ids = ['id of c', 'id of a'];
      const namesFor = (own: string): readonly string[] => ['c', 'a'].map((name) => store.reference(own, name));
      expect(head!.fields.together).toEqual({ ids, names: namesFor('c'), head: null });
      const header = head!.fields.ledger;
      const named = { ledger: store.reference('a', 'c'), header, seq: 1, hash: head!.hash };
      expect(other!.fields.together).toEqual({ ids, names: namesFor('a'), head: named });
      expect((await recordsOf(store, 'c')).at(-1)).toEqual(head);
      expect((await recordsOf(store, 'a')).at(-1)).toEqual(other);
      expect(await recordsOf(store, 'b')).toHaveLength(1);
    });

    it('says of a record that is alone nothing about others', async () => {
      const { store } = await placeWith('a', 'b');
      const { records } = sound(await add(store, { a: launch(1), b: null }));
      expect(records[0]!.fields).not.toHaveProperty('together');
    });

    it('adds to all of its ledgers or to none', async () => {
      const { store } = await placeWith('a', 'b');
      const all = async () => [await linesOf(store, 'a'), await linesOf(store, 'b')];
      const before = await all();
      const long = launch(1, { label: 'x'.repeat(LONGEST_RECORD) });
      expect(await add(store, { a: launch(1), b: long })).toMatchObject({ fault: { code: 'too-long' }, ledger: 'b' });
      expect(await all()).toEqual(before);
    });

    it('adds nothing where the proposal is a fault, which is returned as it is', async () => {
      const { store } = await placeWith('a');
      const fault: Failed = { kind: 'failed', fault: { code: 'not-a-ledger' }, ledger: 'x' };
      expect(await store.transact(['a'], () => fault, { patience: 60 })).toEqual(fault);
      expect(await linesOf(store, 'a')).toHaveLength(1);
    });

    it('adds nothing where the proposal throws, and is over then', async () => {
      const { store } = await placeWith('a');
      const broken = store.transact(
        ['a'],
        () => {
          throw new TypeError('a defect');
        },
        { patience: 60 },
      );
      await expect(broken).rejects.toThrow(new TypeError('a defect'));
      expect(await linesOf(store, 'a')).toHaveLength(1);
      sound(await add(store, { a: launch(1) }));
      expect(await linesOf(store, 'a')).toHaveLength(2);
    });

    it('takes no ledger twice', async () => {
      const { store } = await placeWith('a');
      const failed = await store.transact(
        ['a', 'a'],
        () => ({ kind: 'proposal', additions: [launch(1), launch(1)], value: null }),
        { patience: 60 },
      );
      expect(codeOf(failed)).toBe('same-ledger');
      expect(await linesOf(store, 'a')).toHaveLength(1);
    });

    it('adds only after the record that is expected, if one is', async () => {
      const { store } = await placeWith('a', 'b');
      const { hash } = (await endsOf(store, 'a')).last;
      const first = sound(await add(store, { a: launch(1) }, { expect: hash.slice(0, 9) })).records[0]!;
      const failed = await add(store, { a: launch(2), b: launch(1) }, { expect: hash });
      expect(failed).toMatchObject({ fault: { code: 'changed', expected: hash, found: first.hash }, ledger: 'a' });
      expect([await linesOf(store, 'a'), await linesOf(store, 'b')].map(({ length }) => length)).toEqual([2, 1]);
    });

    it('records nothing more than a day before a time that a ledger has seen, unless its clock is said once to be right', async () => {
      const { store } = await placeWith('a', 'b');
      const far = '2999-03-02';
      const ahead = await add(store, { b: launch(1), a: launch(1, { at: far }) });
      expect(ahead).toMatchObject({ fault: { code: 'clock-behind', time: far, record: null }, ledger: 'a' });
      expect([await linesOf(store, 'a'), await linesOf(store, 'b')].map(({ length }) => length)).toEqual([1, 1]);
      sound(await add(store, { a: launch(1, { at: far }) }, { acceptClock: true }));
      const behind = await add(store, { a: launch(2) });
      expect(behind).toMatchObject({ fault: { code: 'clock-behind', time: far, record: 1 }, ledger: 'a' });
      sound(await add(store, { a: launch(2) }, { acceptClock: true }));
      sound(await add(store, { a: launch(3, { at: '2001-01-01' }) }));
      const totals = { ...launch(4).totals!, clock: `${far}T00:00:00.000Z` };
      sound(await add(store, { a: { ...launch(4), totals } }, { acceptClock: true }));
      sound(await add(store, { a: launch(5) }));
    });

    it('finds the record of a key', async () => {
      const { store } = await placeWith('a', 'b');
      const keys = ['k', 'K', ' k', 'a"\\\n\u0000b', 'a"\\\n', '\ud800', '\ufffd', '\u00e9', 'e\u0301'];
      keys.push('%', '%3', '\\u0000', '\\', '\\"', '\u{1f600}', 'null', '","key":"k');
      for (const [i, key] of keys.entries()) sound(await add(store, { a: launch(i + 1, { key }), b: null }));
      sound(await add(store, { b: launch(1, { key: 'only in b' }) }));
      const sought = [...keys, 'none', 'only in b'].map((key): Lookup => ({ kind: 'key', key }));
      const [inA, inB] = await look(store, ['a', 'b'], sought);
      expect(inA!.found.map((each) => each?.fields.key ?? null)).toEqual([...keys, null, null]);
      expect(inB!.found.map((each) => each?.fields.key ?? null)).toEqual([...keys.map(() => null), null, 'only in b']);
      expect(inA!.found[2]).toEqual((await recordsOf(store, 'a'))[3]);
    });

    it('takes the random bits that it is given', async () => {
      const { store } = await placeWith('a');
      const given = 'ab'.repeat(16);
      const { records } = sound(await add(store, { a: launch(1) }, { nonce: () => given }));
      expect(records[0]!.fields.nonce).toBe(given);
      const others = [sound(await add(store, { a: launch(2) })), sound(await add(store, { a: launch(3) }))];
      const nonces = others.map(({ records: [record] }) => String(record!.fields.nonce));
      for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{32}$/);
      expect(nonces[0]).not.toBe(nonces[1]);
    });
  });

  describe(`ledgers in ${kind} that others pay for or become`, () => {
    it('come into being with the record, and can be added to', async () => {
      const { store, again } = await placeWith('parent');
      const names = ['c2', 'c1'].map((name) => store.reference('parent', name));
      const { records } = sound(await add(store, { parent: nestFields(names) }));
      const other = await again();
      for (const [i, name] of ['c2', 'c1'].entries()) {
        const { header, last } = await endsOf(other, name);
        expect(last).toEqual(header);
        const origin = { kind: 'nested', id: 'id of parent', hash: records[0]!.hash };
        expect(readHeader(header)).toEqual({ ...headerOf(`${names[i]}, part ${i}`), origin });
        sound(await add(other, { [name]: launch(1) }));
      }
      expect((await listOf(other)).map(([name]) => name)).toEqual(['c1', 'c2', 'parent']);
    });

    it('go on from the totals of the one that they were', async () => {
      const { store } = await placeWith('old');
      const name = store.reference('old', 'new');
      const { records } = sound(await add(store, { old: convertFields(name) }));
      const header = readHeader((await endsOf(store, 'new')).header);
      const origin = { kind: 'converted', id: 'id of old', hash: records[0]!.hash, totals: totals(3) };
      expect(header).toEqual({ ...headerOf(`id of ${name}`), origin });
      sound(await add(store, { new: launch(4) }));
    });

    it('are not made, and not paid for, where one of them has a name that is taken', async () => {
      const { store } = await placeWith('parent', 'other', 'taken');
      const names = ['free', 'taken'].map((name) => store.reference('parent', name));
      const before = [await linesOf(store, 'parent'), await linesOf(store, 'other'), await linesOf(store, 'taken')];
      const failed = await add(store, { other: launch(1), parent: nestFields(names) });
      expect(failed).toMatchObject({ kind: 'failed', fault: { code: 'not-made', because: { code: codes.taken } } });
      expect([await linesOf(store, 'parent'), await linesOf(store, 'other'), await linesOf(store, 'taken')]).toEqual(
        before,
      );
      expect(codeOf(await store.ends('free'))).toBe(codes.missing);
    });

    it('are not made, and not paid for, where two would have one name', async () => {
      const { store } = await placeWith('parent');
      const name = store.reference('parent', 'child');
      expect(codeOf(await add(store, { parent: nestFields([name, name]) }))).toBe('not-made');
      expect(await linesOf(store, 'parent')).toHaveLength(1);
      expect(codeOf(await store.ends('child'))).toBe(codes.missing);
    });
  });

  describe(`a copy of ${kind}`, () => {
    it('can be read, and is added to only by who says that it goes on there', async () => {
      const { store, copied } = await placeWith('a', 'b');
      sound(await add(store, { a: launch(1) }));
      const copy = await copied();
      expect(await linesOf(copy, 'a')).toEqual(await linesOf(store, 'a'));
      expect(await copy.placeId('a')).not.toBe(await store.placeId('a'));
      expect(await add(copy, { a: launch(2) })).toMatchObject({ fault: { code: 'moved' }, ledger: 'a' });
      expect(await add(copy, { b: launch(1), a: launch(2) })).toMatchObject({ fault: { code: 'moved' }, ledger: 'b' });
      expect([await linesOf(copy, 'a'), await linesOf(copy, 'b')].map(({ length }) => length)).toEqual([2, 1]);
      sound(await add(copy, { a: launch(2) }, { adopt: true }));
      sound(await add(copy, { a: launch(3) }));
      expect((await recordsOf(copy, 'a')).map(({ fields }) => fields.home)).toEqual([
        ...[await store.placeId('a'), await store.placeId('a')],
        ...[await copy.placeId('a'), await copy.placeId('a')],
      ]);
      sound(await add(store, { a: launch(2) }));
    });
  });

  describe(`many who write to ${kind} at once`, () => {
    it('each see what all before them have added', async () => {
      const { store, again } = await placeWith('a', 'b');
      const stores = [store, await again(), await again()];
      const add1 = (each: Store, names: readonly string[]) =>
        each.transact(
          names,
          (seen) => {
            const counts = seen.map(
              ({ ends: { last } }) => (last.fields.totals as { launched?: number } | undefined)?.launched ?? 0,
            );
            return { kind: 'proposal', additions: counts.map((count) => launch(count + 1)), value: counts };
          },
          { patience: 600 },
        );
      const all = stores.flatMap((each) =>
        Array.from({ length: 4 }, () => [add1(each, ['a', 'b']), add1(each, ['b', 'a']), add1(each, ['b'])]).flat(),
      );
      for (const done of await Promise.all(all)) sound(done);
      const launched = async (name: string) =>
        (await recordsOf(store, name)).slice(1).map(({ fields }) => (fields.totals as { launched: number }).launched);
      expect(await launched('a')).toEqual(Array.from({ length: 24 }, (_, i) => i + 1));
      expect(await launched('b')).toEqual(Array.from({ length: 36 }, (_, i) => i + 1));
    });

    it('do not keep others from reading, who see all of a transaction or nothing', async () => {
      const { store, again } = await placeWith('a', 'b');
      const reader = await again();
      const progress = { done: false };
      const writing = (async () => {
        for (let n = 1; n <= 20; n++) sound(await add(store, { a: launch(n), b: launch(n) }, { patience: 600 }));
      })().finally(() => {
        progress.done = true;
      });
      let most = 0;
      while (!progress.done) {
        await setImmediate();
        const [first, second] = [await recordsOf(reader, 'a'), await recordsOf(reader, 'b')];
        // The other ledger was read later.
        expect(second.length).toBeGreaterThanOrEqual(first.length);
        expect(first.length).toBeGreaterThanOrEqual(most);
        most = first.length;
      }
      await writing;
      expect([(await recordsOf(reader, 'a')).length, (await recordsOf(reader, 'b')).length]).toEqual([21, 21]);
    });
  });

  describe(`anything done in ${kind}`, () => {
    it.each([1, 2, 3])('does what it does in a list of lists, whatever came before (seed %i)', async (seed) => {
      const { store, again } = await make();
      const stores = [store, await again()];
      const random = new Random(seed);
      const below = (count: number): number => random.whole(0, count - 1);
      const model = new Map<string, Sealed[]>();
      const names = ['a', 'b', 'c', 'd', 'e', 'f'];
      const last = (name: string): Sealed => model.get(name)!.at(-1)!;
      const seen = new Set<string>();
      const wanted = (count: number): string[] => {
        const left = [...names];
        return Array.from({ length: count }, () => left.splice(below(left.length), 1)[0]!);
      };

      const create = async (at: Store): Promise<void> => {
        const [name] = wanted(1);
        const made = await at.create(name!, headerOf(`id ${name}`));
        if (model.has(name!)) expect(codeOf(made)).toBe(codes.taken);
        else model.set(name!, [sound(made)]);
        seen.add(`create ${made.kind}`);
      };

      const transact = async (at: Store): Promise<void> => {
        const chosen = wanted(1 + below(3));
        const births = below(4) === 0 ? wanted(1 + below(2)) : [];
        const fields = chosen.map((name, i) => {
          if (i === 0 && births.length > 0) return nestFields(births.map((birth) => at.reference(name, birth)));
          return below(5) === 0 ? null : launch(1 + below(9), { label: `${below(1000)}` });
        });
        const stale = below(6) === 0;
        const first = model.has(chosen[0]!) ? last(chosen[0]!).hash : '';
        const expected = stale ? 'f'.repeat(64) : first;
        const done = await at.transact(chosen, () => ({ kind: 'proposal', additions: fields, value: chosen.length }), {
          patience: 60,
          ...(below(2) === 0 || stale ? { expect: expected } : {}),
        });
        let code: FaultCode | null = null;
        if (chosen.some((name) => !model.has(name))) code = codes.missing;
        else if (stale) code = 'changed';
        else if (births.some((name) => model.has(name))) code = 'not-made';
        seen.add(`transact ${code}`);
        if (code !== null) {
          expect(codeOf(done)).toBe(code);
          return;
        }
        const { records, value } = sound(done);
        expect(value).toBe(chosen.length);
        const parts = chosen.filter((_, i) => fields[i] !== null);
        const namesFor = (own: string): readonly string[] => parts.map((part) => at.reference(own, part));
        const ids = parts.map((name) => model.get(name)![0]!.fields.id);
        let head: { readonly name: string; readonly record: Sealed } | null = null;
        for (const [i, name] of chosen.entries()) {
          const record = records[i]!;
          const own = fields[i] ?? null;
          if (own === null) {
            expect(record).toBeNull();
            continue;
          }
          const named = head && {
            ledger: at.reference(name, head.name),
            header: model.get(head.name)![0]!.hash,
            seq: head.record.fields.seq,
            hash: head.record.hash,
          };
          expect(record.fields).toEqual({
            ...own,
            ...(parts.length > 1 && { together: { ids, names: namesFor(name), head: named } }),
            ...{ seq: model.get(name)!.length, nonce: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown },
            ...{ home: await at.placeId(name), ledger: model.get(name)![0]!.hash, prev: last(name).hash },
          });
          head ??= { name, record };
          model.get(name)!.push(record);
        }
        for (const [i, birth] of births.entries()) {
          const { header } = await endsOf(at, birth);
          const origin = { kind: 'nested', id: model.get(chosen[0]!)![0]!.fields.id, hash: records[0]!.hash };
          expect(header.fields).toMatchObject({ id: `${at.reference(chosen[0]!, birth)}, part ${i}`, origin });
          model.set(birth, [header]);
        }
      };

      const verify = async (at: Store): Promise<void> => {
        for (const name of names) {
          const records = model.get(name);
          if (records === undefined) expect(codeOf(await at.ends(name))).toBe(codes.missing);
          else expect(await recordsOf(at, name)).toEqual(records);
        }
        expect(await listOf(at)).toEqual([...model.keys()].sort().map((name) => [name, last(name).hash]));
      };

      for (let step = 0; step < 60; step++) {
        const at = stores[below(2)]!;
        await (below(8) === 0 ? create(at) : transact(at));
        if (step % 20 === 19) await verify(stores[step % 2]!);
      }
      const everything = [
        'create record',
        'create failed',
        ...[null, codes.missing, 'changed', 'not-made'].map((code) => `transact ${code}`),
      ];
      expect(seen).toEqual(new Set(everything));
    });
  });
}
