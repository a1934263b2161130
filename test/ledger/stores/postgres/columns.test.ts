import { createHash } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import type { Fields } from '../../../../src/ledger/line.ts';
import { columnsOf, keyDigest } from '../../../../src/ledger/stores/postgres/schema.ts';
import { describeWithServer } from '../../../reference/postgres.ts';
import { add, endsOf, look, sound } from '../../store-contract.ts';
import { closeStores, storeWith, type Made } from './stores.ts';

afterEach(closeStores);

const KEYS = [
  'plain',
  '',
  ' ',
  '%',
  '%0',
  '%1%2%3',
  '\\',
  '\\\\',
  '"',
  '\\"',
  '"\\',
  '\\u0000',
  '\u0000',
  '\b\f\n\r\t\u001f\u007f',
  '\u2028\u2029',
  '\u00e9\u{1f600}',
  '\ud83d',
  '\ude00',
  '\ud800%\ud800',
  'null',
  '","key":"other',
  "it's",
];

type Columns = ReturnType<typeof columnsOf>;

/** The literal of a text, whatever is in it. */
const literal = (text: string | number | null): string =>
  text === null ? 'NULL' : `E'${String(text).replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/** Adds a row as somebody does who may insert. */
const insertOf = (schema: string, row: Columns): string =>
  `INSERT INTO ${schema}.records (${Object.keys(row).join(', ')}) VALUES (${Object.values(row)
    .map((value: string | number | null) => literal(value))
    .join(', ')})`;

describeWithServer('the columns by which a record is found in PostgreSQL', () => {
  /** The row of a record that follows the header of the ledger `a`, with these members as they stand in its line. */
  async function next({ store }: Made, members: string): Promise<Columns> {
    const { hash: prev } = (await endsOf(store, 'a')).last;
    const content = `{"seq":1,${members},"ledger":"${prev}","prev":"${prev}"`;
    const hash = createHash('sha256').update(content).digest('hex');
    const line = `${content},"hash":"${hash}"}`;
    const record = { kind: 'record', fields: JSON.parse(line) as Fields, hash } as const;
    return columnsOf({ ledger: 'a', seq: 1, record, line: Buffer.from(line) });
  }

  it('are those of the line, whatever a key is', async () => {
    const made = await storeWith('a');
    for (const [i, key] of KEYS.entries()) {
      sound(await add(made.store, { a: { event: 'spend', key, totals: { launched: i + 1 } } }));
    }
    const sought = KEYS.map((key) => ({ kind: 'key', key }) as const);
    const [{ found } = { found: [] }] = await look(made.store, ['a'], sought);
    expect(found.map((record) => record?.fields.key)).toEqual(KEYS);
  });

  it('cannot be others, whoever writes them', async () => {
    const made = await storeWith('a');
    const row = await next(made, '"event":"close","mechanism":3,"key":"k","totals":{"launched":5}');
    expect(row).toMatchObject({ key: keyDigest('k'), launched: 5, closed: 3 });
    const wrong = [
      { key: null },
      { key: keyDigest('other') },
      { key: 'k' },
      { launched: 4 },
      { launched: null },
      { closed: null },
      { closed: 4 },
    ];
    for (const each of wrong) {
      await expect(made.sql(insertOf(made.schema, { ...row, ...each }))).rejects.toMatchObject({ code: '23514' });
    }
    await made.sql(insertOf(made.schema, row));
    for (const [column, value] of [
      ['key', 'NULL'],
      ['key', `'${keyDigest('other')}'`],
      ['launched', '1'],
      ['closed', 'NULL'],
    ] as const) {
      const update = `ALTER TABLE ${made.schema}.records DISABLE TRIGGER USER;
        UPDATE ${made.schema}.records SET ${column} = ${value} WHERE seq = 1`;
      await expect(made.sql(update)).rejects.toMatchObject({ code: '23514' });
    }
    expect((await endsOf(made.store, 'a')).last.hash).toBe(row.hash);
  });

  it('of a note cannot take the key of another request', async () => {
    const made = await storeWith('a');
    const note = await next(made, '"event":"note","key":null,"totals":{"launched":0}');
    const insert = insertOf(made.schema, { ...note, key: keyDigest('theirs') });
    await expect(made.sql(insert)).rejects.toMatchObject({ code: '23514' });
    sound(await add(made.store, { a: { event: 'spend', key: 'theirs', totals: { launched: 1 } } }));
  });

  it.each([
    ['"key":"a","key":"b"', { key: keyDigest('b') }],
    ['"key":"a","key":null', { key: null }],
    ['"key":{"key":"a"},"more":{"key":"b"}', { key: keyDigest({ key: 'a' }) }],
    ['"key":7,"event":"spend","totals":"none"', { key: keyDigest(7), launched: null }],
    ['"event":"close","event":"note","mechanism":4', { closed: null }],
    ['"totals":{"launched":1},"totals":{"launched":2}', { launched: 2 }],
    ['"totals":{},"origin":{"totals":{"launched":2}}', { launched: 2 }],
  ] as const)('are what a program reads in a line that somebody has made up: %s', async (text, expected) => {
    const made = await storeWith('a');
    const row = await next(made, text);
    expect(row).toMatchObject(expected);
    await made.sql(insertOf(made.schema, row));
  });
});
