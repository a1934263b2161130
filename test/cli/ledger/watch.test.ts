import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Desk } from './desk.ts';

const desk = new Desk();

beforeAll(async () => {
  await desk.done('store init team');
  await desk.done('init budget --store team --epsilon 1 --id b --at 2026-03-01 -q');
  await desk.done('spend budget --store team -m dp:epsilon=0.2 --at 2026-03-02 -q');
  await desk.done('nest budget child --store team --epsilon 0.3 --id c --at 2026-03-03 -q');
  await desk.done('spend child --store team -m dp:epsilon=0.15,count=2 --at 2026-03-04 -q');
  await desk.done(`init 'a"b\\c' --store team --rho 0.1 --terms on-excess=halt --at none -q`);
  await desk.type(`spend 'a"b\\c' --store team -m zcdp:rho=1 --at none -q`);
});

interface Row {
  readonly file: string;
  readonly state: string;
  readonly parent: string | null;
  readonly below: object | null;
  readonly shares?: object;
}

describe('the status of a store', () => {
  it('shows what a ledger paid for under it, and what was used of that', async () => {
    const { ledgers } = await desk.json<{ ledgers: Row[] }>('ledger-list', 'status --store team');
    expect(ledgers.map(({ file, parent, state }) => [file, parent, state])).toEqual([
      ['a"b\\c', null, 'halted'],
      ['budget', null, 'open'],
      ['child', 'budget', 'open'],
    ]);
    expect(ledgers[1]).toMatchObject({
      shares: { epsilon: 0.5 },
      below: { ledgers: 1, launched: 2, lastAt: '2026-03-04' },
    });
    expect(ledgers[2]).toMatchObject({ shares: { epsilon: 1 }, below: null, origin: 'nested' });
    const table = await desk.done('status --store team');
    expect(table).toMatch(
      /^budget +\(1, 0\)-DP +50\.0% +2 +2 mechanisms in 1 ledger +2026-03-04 +open +epsilon 0\.5$/m,
    );
    expect(table).toMatch(/^ {2}child +\(0\.3, 0\)-DP +100\.0% +2 +2026-03-04 +open +epsilon 0\.3$/m);
  });

  it('shows a ledger that cannot be read as such, and not what is no ledger', async () => {
    mkdirSync(join(desk.folder, 'mixed'));
    desk.write('mixed/note.jsonl', '{"hello":1}\n');
    desk.write('mixed/good.jsonl', desk.read('team/budget.jsonl'));
    desk.write(
      'mixed/bad.jsonl',
      desk.read('team/budget.jsonl').replace('"at":"2026-03-03","event"', '"at":"2026-03-09","event"'),
    );
    const { ledgers } = await desk.json<{ ledgers: Row[] }>('ledger-list', 'status --store mixed');
    expect(ledgers.map(({ file }) => file)).toEqual(['bad', 'good']);
    expect(ledgers[0]!.state).toBe('damaged-record');
    expect(await desk.done('store list mixed')).toBe('bad\ngood\n');
  });
});
