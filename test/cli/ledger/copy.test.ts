import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Desk } from './desk.ts';

const desk = new Desk();
let round = 0;
/** Two stores of this test alone, one of which has the ledger `a` with one record. */
let [from, to] = ['', ''];

beforeEach(async () => {
  round++;
  [from, to] = [`from-${round}`, `to-${round}`];
  for (const folder of [from, to]) mkdirSync(join(desk.folder, folder));
  await desk.done(`init a --store ${from} --epsilon 1 --id a-${round} -q`);
  await desk.done(`spend a --store ${from} -m dp:epsilon=0.4 -q`);
});

const spend = (store: string, epsilon: string) => `spend a --store ${store} -m dp:epsilon=${epsilon} -q`;

describe('a copy', () => {
  it('has the same bytes', async () => {
    const { records } = await desk.json<{ records: number }>('ledger-copy', `move --keep a --from ${from} --to ${to}`);
    expect(records).toBe(1);
    expect(desk.read(`${to}/a.jsonl`)).toBe(desk.read(`${from}/a.jsonl`));
    expect(desk.files(to)).toEqual(['a.jsonl']);
  });

  it('is not spent from, and the original is', async () => {
    await desk.done(`move --keep a --from ${from} --to ${to} -q`);
    expect(await desk.codes(spend(to, '0.1'), `check a --store ${to} -m dp:epsilon=0.1`)).toEqual([4, 4]);
    expect(await desk.codes(spend(from, '0.1'))).toEqual([0]);
  });

  it('goes on for who answers for that', async () => {
    await desk.done(`move --keep a --from ${from} --to ${to} -q`);
    await desk.done(`adopt a --store ${to} -q`);
    expect(await desk.codes(spend(to, '0.7'), spend(to, '0.6'))).toEqual([1, 0]);
  });

  it('needs a place that is there', async () => {
    for (const command of ['move --keep', 'move']) {
      const { code, stderr } = await desk.type(`${command} a --from ${from} --to nowhere-${round}/deep`);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`--to: no such folder "nowhere-${round}/deep"`)]);
    }
    expect(await desk.codes(spend(from, '0.1'))).toEqual([0]);
  });

  it('has the folders that its name asks for', async () => {
    await desk.done(`init day/one --store ${from} --epsilon 1 -q`);
    await desk.done(`move --keep day/one --from ${from} --to ${to} -q`);
    await desk.done(`move day/one --from ${from} --to ${to} --as night/one -q`);
    expect(await desk.codes(spend(to, '0.1').replace(' a ', ' night/one '))).toEqual([0]);
    expect([desk.files(to), desk.files(`${to}/day`)]).toEqual([['day', 'night'], ['one.jsonl']]);
  });

  it('never takes the place of something that is there', async () => {
    desk.write(`${to}/a.jsonl`, 'mine');
    const { code, stderr } = await desk.type(`move --keep a --from ${from} --to ${to}`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('never overwritten')]);
    expect(stderr).toContain(`error: a in ${join(desk.folder, to)}: `);
    expect(desk.read(`${to}/a.jsonl`)).toBe('mine');
    await desk.done(`move --keep a --from ${from} --to ${to} --as b -q`);
    expect(desk.read(`${to}/b.jsonl`)).toBe(desk.read(`${from}/a.jsonl`));
  });

  it.each([
    ['a record that was changed', (text: string) => text.replace('"0.4"', '"0.1"')],
    ['a record that is missing', (text: string) => text.replace(/\n.*\n/, '\n')],
    ['a record whose end was cut off', (text: string) => text.slice(0, -5)],
  ])('is not made of a ledger with %s', async (_, spoil) => {
    await desk.done(spend(from, '0.1'));
    desk.write(`${from}/a.jsonl`, spoil(desk.read(`${from}/a.jsonl`)));
    const { code, stderr } = await desk.type(`move --keep a --from ${from} --to ${to}`);
    expect([code, stderr]).toEqual([4, expect.stringMatching(/^error: a:/)]);
    expect(desk.files(to)).toEqual([]);
  });

  it('is said to be one by verify, which takes it for sound only with --copy', async () => {
    await desk.done(`move --keep a --from ${from} --to ${to} -q`);
    const { code, stderr } = await desk.type(`verify a --store ${to}`);
    expect([code, stderr]).toEqual([4, expect.stringContaining('this is a copy')]);
    const bad = await desk.json<object>('ledger-verify', `verify a --store ${to}`, 4);
    expect(bad).toMatchObject({ sound: false, place: 'copy', flaws: [] });
    const good = await desk.json<object>('ledger-verify', `verify a --store ${to} --copy`);
    expect(good).toMatchObject({ sound: true, place: 'copy' });
    expect(await desk.done(`verify a --store ${to} --copy`)).toContain('It is a copy.');
    expect(await desk.json<object>('ledger-verify', `verify a --store ${from}`)).toMatchObject({ place: 'here' });
  });
});

describe('a ledger that was moved', () => {
  it('goes on in the new place with the same id, and is closed in the old one', async () => {
    const before = desk.read(`${from}/a.jsonl`);
    await desk.done(`move a --from ${from} --to ${to} -q`);
    expect(await desk.codes(spend(from, '0.1'), `check a --store ${from} -m dp:epsilon=0.1`)).toEqual([4, 4]);
    expect(await desk.codes(spend(to, '0.7'), spend(to, '0.6'))).toEqual([1, 0]);
    expect(desk.read(`${to}/a.jsonl`).startsWith(before)).toBe(true);
    expect(desk.lines(`${to}/a.jsonl`).map(({ event }) => event)).toEqual([
      undefined,
      'spend',
      'move',
      'adopt',
      'spend',
    ]);
  });

  it('is not opened again where it was', async () => {
    await desk.done(`move a --from ${from} --to ${to} -q`);
    const { code, stderr } = await desk.type(`adopt a --store ${from}`);
    expect([code, stderr]).toEqual([4, expect.stringContaining('was moved to')]);
    for (const line of ['annotate a --label x', 'nest a b --epsilon 0.1', 'convert a c']) {
      expect([line, await desk.codes(`${line} --store ${from}`)]).toEqual([line, [4]]);
    }
    expect(desk.files(from)).toEqual(['a.jsonl']);
  });

  it('is sound in both places', async () => {
    await desk.done(`move a --from ${from} --to ${to} -q`);
    await desk.done(spend(to, '0.6'));
    for (const [store, place] of [
      [from, 'away'],
      [to, 'here'],
    ]) {
      const verified = await desk.json<object>('ledger-verify', `verify a --store ${store!}`);
      expect(verified).toMatchObject({ sound: true, place });
    }
  });

  it('is moved once however often that is asked', async () => {
    await desk.done(`move a --from ${from} --to ${to} -q`);
    await desk.done(spend(to, '0.1'));
    const there = desk.read(`${to}/a.jsonl`);
    expect(await desk.done(`move a --from ${from} --to ${to}`)).toMatch(/^already moved: /);
    expect(desk.read(`${to}/a.jsonl`)).toBe(there);
    const { code, stderr } = await desk.type(`move a --from ${from} --to ${to} --as b`);
    expect([code, stderr]).toEqual([4, expect.stringContaining('was moved to')]);
  });

  it('can go on from place to place', async () => {
    await desk.done(`move a --from ${from} --to ${to} -q`);
    await desk.done(`move a --from ${to} --to ${from} --as back -q`);
    expect(
      await desk.codes(`spend back --store ${from} -m dp:epsilon=0.6`, spend(from, '0.1'), spend(to, '0.1')),
    ).toEqual([0, 4, 4]);
    expect((await desk.json('ledger-verify', `verify back --store ${from}`)).sound).toBe(true);
  });

  it('does not leave where something is in the way, or its own past is not as it was written', async () => {
    desk.write(`${to}/a.jsonl`, 'mine');
    expect(await desk.codes(`move a --from ${from} --to ${to}`, spend(from, '0.1'))).toEqual([2, 0]);
    const line = desk.read(`${from}/a.jsonl`).replace('"0.4"', '"0.1"');
    desk.write(`${from}/a.jsonl`, line);
    expect(await desk.codes(`move a --from ${from} --to ${to} --as b`)).toEqual([4]);
    expect(desk.lines(`${from}/a.jsonl`).map(({ event }) => event)).not.toContain('move');
  });

  /** Leaves of the last record of a ledger what a writer leaves that was killed in the middle; `isKnown`: as its stamp knows. */
  const tear = (store: string, isKnown: boolean): void => {
    const lines = desk.read(`${store}/a.jsonl`).trimEnd().split('\n');
    lines.push(lines.pop()!.slice(0, 200));
    desk.write(`${store}/a.jsonl`, lines.join('\n'));
    if (!isKnown) rmSync(join(desk.folder, store, '.a.jsonl.stamp'), { force: true });
  };
  const move = (): string => `move a --from ${from} --to ${to} -q`;

  it.each([
    ['folder', false],
    ['folder', true],
    ['database', false],
  ])('from a %s goes on after a recovery where the record is torn by which it goes on (%s)', async (kind, isKnown) => {
    if (kind === 'database') {
      const database = `sqlite:from-${round}.db`;
      await desk.done(`store init ${database} -q`);
      await desk.done(`move a --from ${from} --to ${database} -q`);
      from = database;
    }
    await desk.done(move());
    tear(to, isKnown);
    const again = await desk.type(`spend a --store ${to} -m dp:epsilon=0.1`);
    expect([again.code, again.stderr]).toEqual([4, expect.stringContaining('ledger recover')]);
    const moved = await desk.type(move());
    if (isKnown)
      expect([moved.code, moved.stderr]).toEqual([
        4,
        expect.stringContaining(`error: a in ${join(desk.folder, to)}: `),
      ]);
    await desk.done(`recover a --store ${to} -q`);
    // What its stamp knows to be lost is lost for all that was recovered.
    if (isKnown) {
      expect(await desk.codes(spend(to, '0.1'))).toEqual([4]);
      await desk.done(`adopt a --store ${to} -q`);
    }
    await desk.done(move());
    expect(await desk.codes(spend(from, '0.1'), spend(to, '0.7'), spend(to, '0.6'))).toEqual([4, 1, 0]);
    expect((await desk.json('ledger-verify', `verify a --store ${to}`)).sound).toBe(true);
  });

  it.each([false, true])('is not asked about the record, torn, that it has arrived (%s)', async (isKnown) => {
    await desk.done(move());
    tear(from, isKnown);
    for (const line of [`recover a --store ${from}`, spend(from, '0.1'), `adopt a --store ${from}`]) {
      const { code, stderr } = await desk.type(line);
      expect([line, code, stderr]).toEqual([line, 4, expect.stringContaining('was moved to')]);
    }
    await desk.done(move());
    expect(desk.lines(`${from}/a.jsonl`).at(-1)).toMatchObject({ event: 'move', arrived: true });
    expect(await desk.codes(spend(from, '0.1'), spend(to, '0.6'))).toEqual([4, 0]);
    for (const store of [from, to]) {
      expect((await desk.json('ledger-verify', `verify a --store ${store}`)).sound).toBe(true);
    }
  });

  it('does not go on by itself where its stamp says that what came after its arrival is gone', async () => {
    await desk.done(move());
    const arrived = desk.read(`${to}/a.jsonl`).split('\n').slice(0, 3).join('\n');
    await desk.done(spend(to, '0.6'));
    const left = desk.read(`${from}/a.jsonl`).split('\n').slice(0, 3).join('\n');
    desk.write(`${from}/a.jsonl`, `${left}\n`);
    desk.write(`${to}/a.jsonl`, `${arrived}\n`);
    const { code, stderr } = await desk.type(move());
    expect([code, stderr]).toEqual([4, expect.stringContaining('records are missing')]);
    expect(await desk.codes(spend(to, '0.6'))).toEqual([4]);
  });

  it('is a copy like any other elsewhere', async () => {
    await desk.done(`move a --from ${from} --to ${to} -q`);
    copyFileSync(join(desk.folder, `${to}/a.jsonl`), join(desk.folder, `${to}/b.jsonl`));
    expect(await desk.codes(`spend b --store ${to} -m dp:epsilon=0.1`)).toEqual([4]);
  });
});
