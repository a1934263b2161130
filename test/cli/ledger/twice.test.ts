import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { Desk } from './desk.ts';

// One budget is granted once, whatever is moved, renamed, put back or removed in between.

const desk = new Desk();
let round = 0;
let [one, two, three] = ['', '', ''];

beforeEach(async () => {
  round++;
  [one, two, three] = [`one-${round}`, `two-${round}`, `three-${round}`];
  for (const store of [one, two, three]) mkdirSync(join(desk.folder, store));
  await desk.done(`init a --store ${one} --epsilon 1 --id a-${round} -q`);
});

const at = (store: string, name: string): string => join(desk.folder, store, name);
const spend = (name: string, store: string): string => `spend ${name} --store ${store} -m dp:epsilon=0.7 -q`;

describe('a ledger that was moved', () => {
  it('is not made again in its place where it has another name by then', async () => {
    const move = `move a --from ${one} --to ${two} --as b -q`;
    await desk.done(move);
    renameSync(at(two, 'b.jsonl'), at(two, 'c.jsonl'));
    expect(await desk.codes(spend('c', two), move)).toEqual([0, 4]);
    expect(desk.files(two)).toEqual(['c.jsonl']);
  });

  it('is not made again where it was moved on', async () => {
    const move = `move a --from ${one} --to ${two} --as b -q`;
    await desk.done(move);
    await desk.done(`move b --from ${two} --to ${three} --as c -q`);
    rmSync(at(two, 'b.jsonl'));
    expect(await desk.codes(spend('c', three), move)).toEqual([0, 4]);
    expect(desk.files(two)).toEqual([]);
  });

  it('can be asked to be moved again while it is there', async () => {
    const move = `move a --from ${one} --to ${two} --as b -q`;
    await desk.done(move);
    expect(await desk.codes(spend('b', two), move, spend('b', two))).toEqual([0, 0, 1]);
  });
});

describe('anchors', () => {
  const anchors = (): string => `--anchors anchors-${round}`;
  /** A ledger of 0.9, of which only the first 0.3 is left, with a copy of all of it beside it. */
  const rolledBack = async (): Promise<void> => {
    for (let n = 0; n < 3; n++) await desk.done(`spend a --store ${one} -m dp:epsilon=0.3 -q`);
    await desk.done(`anchor --store ${one} --append anchors-${round} -q`);
    copyFileSync(at(one, 'a.jsonl'), at(one, 'backup.jsonl'));
    desk.write(`${one}/a.jsonl`, `${desk.read(`${one}/a.jsonl`).split('\n').slice(0, 2).join('\n')}\n`);
    rmSync(at(one, '.a.jsonl.stamp'));
  };

  it('are not held by a copy for the ledger that goes on', async () => {
    await rolledBack();
    for (let n = 0; n < 2; n++) await desk.done(`spend a --store ${one} -m dp:epsilon=0.3 -q`);
    const all = await desk.json<object>('ledger-verify-all', `verify --store ${one} ${anchors()} --copy`, 4);
    expect(all).toMatchObject({ findings: [{ file: 'a', code: 'anchor-not-found', record: 3 }] });
  });

  it('hold of the place in which a ledger was when it has been moved away', async () => {
    await rolledBack();
    rmSync(at(one, 'backup.jsonl'));
    await desk.done(`move a --from ${one} --to ${two} -q`);
    expect(await desk.codes(`verify a --store ${one} ${anchors()}`, `verify --store ${one} ${anchors()}`)).toEqual([
      4, 4,
    ]);
    expect(await desk.codes(`verify a --store ${two} ${anchors()}`)).toEqual([4]);
  });

  it('of ledgers that are elsewhere are counted apart', async () => {
    await desk.done(`init x --store ${two} --epsilon 1 -q`);
    for (const store of [one, two]) await desk.done(`anchor --store ${store} --append anchors-${round} -q`);
    expect(await desk.done(`verify --store ${one} ${anchors()}`)).toContain('found, 1 of ledgers that are not here.');
    const all = await desk.json<object>('ledger-verify-all', `verify --store ${one} ${anchors()}`);
    expect(all).toMatchObject({ anchors: { compared: 1, unknown: 1 } });
  });
});

describe('a store', () => {
  it('that is a folder has no ledgers outside of it', async () => {
    const outside = ['../esc', `../${two}/esc`, '/tmp/esc', '..'];
    for (const name of outside) {
      const { code, stderr } = await desk.type(`init '${name}' --store ${one} --epsilon 1`);
      expect([code, stderr]).toEqual([2, expect.stringContaining('leads out of the folder')]);
      expect(await desk.codes(`status '${name}' --store ${one}`)).toEqual([2]);
    }
    expect(desk.files(two)).toEqual([]);
    await desk.done(`init deep/er --store ${one} --epsilon 1 -q`);
    expect(await desk.codes(`status deep/../deep/er --store ${one}`)).toEqual([0]);
  });
});

describe('a request under a key', () => {
  it('is another one where its evidence is another', async () => {
    const evidence = (digit: string): string => `--evidence sha256:${digit.repeat(64)}`;
    for (const command of ['spend', 'record --incurred', 'reserve']) {
      const ask = `${command} a --store ${one} -m dp:epsilon=0.1 --key ${command.slice(0, 3)} -q`.replace(
        'record --incurred a',
        'record a --incurred',
      );
      expect(await desk.codes(`${ask} ${evidence('0')}`, `${ask} ${evidence('0')}`, `${ask} ${evidence('1')}`)).toEqual(
        [0, 0, 2],
      );
    }
  });
});

describe('a result', () => {
  it('is written over no ledger, by no command', async () => {
    const before = desk.read(`${one}/a.jsonl`);
    const over = `-o ${one}/a.jsonl`;
    expect(await desk.codes(`status a --store ${one} ${over}`, `export a --store ${one} ${over}`)).toEqual([2, 2]);
    const { code } = await desk.type(`request a --store ${one} -m dp:epsilon=0.1 --key k ${over}`);
    expect(code).not.toBe(0);
    expect(desk.read(`${one}/a.jsonl`)).toBe(before);
  });
});
