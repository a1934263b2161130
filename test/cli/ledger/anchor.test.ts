import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fileStore } from '../../../src/ledger/stores/file/store.ts';
import { spendIn } from '../../../src/ledger/spend-in.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { Desk } from './desk.ts';

const desk = new Desk();
let store = '';
let round = 0;

beforeEach(async () => {
  store = `store-${++round}`;
  await desk.done(`store init ${store}`);
  for (const name of ['a', 'b']) await desk.done(`init ${name} --store ${store} --epsilon 1 --id ${name}-${round} -q`);
  await desk.done(`spend a --store ${store} -m dp:epsilon=0.4 -q`);
  await desk.done(`anchor --store ${store} --append anchors-${round} --at none -q`);
});

const anchors = () => `--anchors anchors-${round}`;

describe('anchors', () => {
  it('have the store, the id and the last record of each ledger', () => {
    const heads = desk.lines(`anchors-${round}`);
    const [, last] = desk.lines(`${store}/a.jsonl`);
    expect(heads).toHaveLength(2);
    expect(heads[0]).toMatchObject({ name: 'a', ledger: `a-${round}`, seq: 1, hash: last!.hash, at: null });
  });

  it('hold of a ledger that has grown', async () => {
    await desk.done(`spend a --store ${store} -m dp:epsilon=0.1 -q`);
    const verified = await desk.json<object>('ledger-verify', `verify a --store ${store} ${anchors()}`);
    expect(verified).toMatchObject({ sound: true, anchors: { compared: 1, missing: null } });
    const all = await desk.json<object>('ledger-verify-all', `verify --store ${store} ${anchors()}`);
    expect(all).toMatchObject({ sound: true, ledgers: 2, findings: [], anchors: { compared: 2 } });
  });

  it('show that a ledger was put back, though it is sound by itself', async () => {
    const text = desk.read(`${store}/a.jsonl`);
    desk.write(`${store}/a.jsonl`, text.slice(0, text.indexOf('\n') + 1));
    expect(await desk.codes(`verify a --store ${store}`)).toEqual([4]);
    // With what stands beside it gone, nothing is left here that tells.
    rmSync(join(desk.folder, store, '.a.jsonl.stamp'));
    expect((await desk.json('ledger-verify', `verify a --store ${store}`)).sound).toBe(true);
    const { code, stderr } = await desk.type(`verify a --store ${store} ${anchors()}`);
    expect([code, stderr]).toEqual([4, expect.stringContaining('and is missing now')]);
    await desk.done(`spend a --store ${store} -m dp:epsilon=0.9 -q`);
    const all = await desk.json<object>('ledger-verify-all', `verify --store ${store} ${anchors()}`, 4);
    expect(all).toMatchObject({ sound: false, findings: [{ file: 'a', code: 'anchor-not-found', record: 1 }] });
  });

  it('show that a ledger is gone, or another one has its name', async () => {
    rmSync(join(desk.folder, store, 'b.jsonl'));
    const gone = await desk.json<object>('ledger-verify-all', `verify --store ${store} ${anchors()}`, 4);
    expect(gone).toMatchObject({ findings: [{ file: 'b', code: 'ledger-gone' }] });
    expect(await desk.codes(`init b --store ${store} --epsilon 1`)).toEqual([4]);
    rmSync(join(desk.folder, store, '.b.jsonl.stamp'));
    await desk.done(`init b --store ${store} --epsilon 1 -q`);
    expect(await desk.codes(`verify b --store ${store}`, `verify b --store ${store} ${anchors()}`)).toEqual([0, 4]);
  });

  it('hold of a ledger that was moved away, whatever came later', async () => {
    await desk.done(`store init ${store}-new`);
    await desk.done(`move a --from ${store} --to ${store}-new -q`);
    await desk.done(`anchor a --store ${store}-new --append anchors-${round} -q`);
    expect(
      await desk.codes(`verify a --store ${store} ${anchors()}`, `verify a --store ${store}-new ${anchors()}`),
    ).toEqual([0, 0]);
  });

  it('are of the id of a ledger, wherever it was when they were made', async () => {
    await desk.done(`store init ${store}-new`);
    await desk.done(`move a --from ${store} --to ${store}-new -q`);
    const all = await desk.json<object>('ledger-verify-all', `verify --store ${store}-new ${anchors()}`);
    expect(all).toMatchObject({ sound: true, anchors: { compared: 1 } });
    await desk.done(`store init ${store}-other`);
    await desk.done(`init c --store ${store}-other --epsilon 1 -q`);
    const { code, stderr } = await desk.type(`verify --store ${store}-other ${anchors()}`);
    expect([code, stderr]).toEqual([4, expect.stringContaining('has no anchor of it')]);
  });

  it('begin a line of their own after one that was torn', async () => {
    desk.write('torn', '{"schema":"dpcompose.ledger-anchor/1","sto');
    await desk.done(`anchor --store ${store} --append torn -q`);
    expect(desk.read('torn').split('\n').slice(1, 2)).toEqual([expect.stringMatching(/^\{"schema":.*\}$/)]);
    const { code, stderr } = await desk.type(`verify --store ${store} --anchors torn`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('line 1 of "torn" is not an anchor')]);
  });

  it('are not written over a ledger', async () => {
    const before = desk.read(`${store}/a.jsonl`);
    const over = `${store}/a.jsonl`;
    expect(await desk.codes(`anchor --store ${store} --append ${over}`, `anchor --store ${store} -o ${over}`)).toEqual([
      2, 2,
    ]);
    expect(desk.read(over)).toBe(before);
  });
});

describe('a transaction over several ledgers', () => {
  it('is found to be incomplete where one of them was put back', async () => {
    const mechanism = { type: 'dp', epsilon: new Decimal('0.1'), delta: new Decimal(0) } as const;
    const entries = [{ mechanism, kind: 'noninteractive', count: 1, label: null }] as const;
    const files = fileStore(join(desk.folder, store), { suffix: '.jsonl' });
    expect(await spendIn(files, ['a', 'b'], { entries }, { patience: 60 })).toHaveProperty('kind', 'transacted');
    expect(await desk.codes(`verify a b --store ${store}`)).toEqual([0]);
    const text = desk.read(`${store}/b.jsonl`);
    desk.write(`${store}/b.jsonl`, text.slice(0, text.indexOf('\n') + 1));
    rmSync(join(desk.folder, store, '.b.jsonl.stamp'));
    const verified = await desk.json<object>('ledger-verify-all', `verify a b --store ${store}`, 4);
    expect(verified).toMatchObject({ findings: [{ file: 'b', code: 'missing-part' }] });
  });

  it('tells that one of them is gone, where all of a store is looked at', async () => {
    await desk.done(`spend a b --store ${store} -m dp:epsilon=0.1 -q`);
    expect(await desk.codes(`verify --store ${store}`)).toEqual([0]);
    rmSync(join(desk.folder, store, 'b.jsonl'));
    const verified = await desk.json<object>('ledger-verify-all', `verify --store ${store}`, 4);
    expect(verified).toMatchObject({ elsewhere: 0, findings: [{ file: 'b', code: 'ledger-gone' }] });
  });

  it('is sound in a copy of one of them, whose others are elsewhere', async () => {
    await desk.done(`spend a b --store ${store} -m dp:epsilon=0.1 -q`);
    await desk.done(`store init ${store}-copy`);
    await desk.done(`move --keep a --from ${store} --to ${store}-copy -q`);
    const verified = await desk.json<object>('ledger-verify-all', `verify --store ${store}-copy --copy`);
    expect(verified).toMatchObject({ sound: true, copies: 1, elsewhere: 1 });
  });
});
