import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { violations } from '../../output/schema.ts';
import { mistakes } from '../run.ts';
import { Desk, type DecisionDocument } from './desk.ts';

const desk = new Desk();

describe('dpcompose ledger nest', () => {
  it('A-21: pays for a child at once, and two halves fit exactly', async () => {
    await desk.done('init parent.jsonl --rho 0.02 --id parent');
    const line = (child: string) => `nest parent.jsonl ${child}.jsonl --rho 0.01 --label ${child}`;
    expect(await desk.done(line('one'))).toMatch(/^granted: mechanism 1, in record 1\. Used: rho 0\.01 of 0\.02/);
    await desk.done(line('two'));
    expect(await desk.codes(line('three'))).toEqual([1]);
    expect(existsSync(join(desk.folder, 'three.jsonl'))).toBe(false);
    const [, paid] = desk.lines('parent.jsonl');
    expect(paid).toMatchObject({ event: 'nest', label: 'one', nested: { terms: { budget: { rho: '0.01' } } } });
    expect(desk.lines('one.jsonl')[0]).toMatchObject({ origin: { kind: 'nested', id: 'parent', hash: paid?.hash } });
    const eight = Array<string>(8).fill('spend one.jsonl -m zcdp:rho=0.00125');
    expect(await desk.codes(...eight, 'spend one.jsonl -m zcdp:rho=1e-9')).toEqual([...Array<number>(8).fill(0), 1]);
    await desk.done('verify parent.jsonl');
    await desk.done('verify one.jsonl');
  });

  it('A-23: on disjoint parts of the data, costs what one of them does', async () => {
    await desk.done('init parts.jsonl --epsilon 1 --id parts');
    const document = await desk.json<DecisionDocument>(
      'ledger-decision',
      'nest parts.jsonl north.jsonl south.jsonl west.jsonl --epsilon 0.5 --id part',
    );
    expect(document).toMatchObject({ after: { totals: { epsilon: 0.5 } }, mechanisms: { first: 1, last: 1 } });
    expect(['north', 'south', 'west'].map((part) => desk.lines(`${part}.jsonl`)[0]?.id)).toEqual([
      'part-1',
      'part-2',
      'part-3',
    ]);
  });

  it('is for the neighbours and the distance of the ledger that pays', async () => {
    await desk.done('init house.jsonl --rho 1 --neighbours household --terms distance=2');
    await desk.done('nest house.jsonl room.jsonl --rho 0.1');
    expect(desk.lines('room.jsonl')[0]).toMatchObject({ terms: { neighbours: 'household', distance: '2' } });
    expect(mistakes(await desk.type('nest house.jsonl x.jsonl --rho 0.1 --neighbours person --json'))).toEqual([
      '--neighbours: other-neighbours',
    ]);
    expect(mistakes(await desk.type('nest house.jsonl x.jsonl --rho 0.1 --terms distance=1 --json'))).toEqual([
      '--terms distance: other-distance',
    ]);
  });

  it('charges nothing where there is no place for the child', async () => {
    await desk.done('init rich.jsonl --rho 1');
    const before = desk.read('rich.jsonl');
    desk.write('taken.txt', 'taken');
    expect(mistakes(await desk.type('nest rich.jsonl a.jsonl taken.txt --rho 0.1 --json'))).toEqual([
      'taken.txt: file-exists',
    ]);
    expect(mistakes(await desk.type('nest rich.jsonl nowhere/a.jsonl --rho 0.1 --json'))).toEqual([
      'nowhere/a.jsonl: no-such-directory',
    ]);
    expect(mistakes(await desk.type('nest rich.jsonl a.jsonl ./a.jsonl --rho 0.1 --json'))).toEqual([
      'CHILD: conflicting-options',
    ]);
    expect(desk.read('rich.jsonl')).toBe(before);
  });

  it('has no place for an odometer, which has no budget', async () => {
    await desk.done('init strict.jsonl --rho 1 --terms on-excess=halt');
    const { code, stdout } = await desk.type('nest strict.jsonl a.jsonl --mode odometer --rule zcdp --json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ code: 'unbounded-child' });
    expect(await desk.codes('nest strict.jsonl a.jsonl --rho 2')).toEqual([1]);
    expect(desk.lines('strict.jsonl').at(-1)).toMatchObject({
      event: 'halt',
      nested: { terms: { budget: { rho: '2' } } },
    });
    await desk.done('verify strict.jsonl');
  });

  it('keeps the budget that was paid for', async () => {
    await desk.done('init escape.jsonl --rule basic --epsilon 1 --delta 0');
    await desk.done('nest escape.jsonl kept.jsonl --rule basic --epsilon 0.3 --delta 0');
    const before = desk.read('kept.jsonl');
    expect(mistakes(await desk.type('convert kept.jsonl free.jsonl --json'))).toEqual(['kept.jsonl: nested']);
    expect(desk.read('kept.jsonl')).toBe(before);
    expect(existsSync(join(desk.folder, 'free.jsonl'))).toBe(false);
  });

  it('has no place in a sequential ledger, as nothing ends its turn', async () => {
    await desk.done('init turns.jsonl --rho 0.1 --delta 1e-6 --terms concurrency=sequential');
    const before = desk.read('turns.jsonl');
    const child = 'nest turns.jsonl x.jsonl --rho 0.02 --delta 1e-7 --terms concurrency=sequential';
    const { code, stdout } = await desk.type(`${child} --json`);
    expect(code).toBe(3);
    expect(violations('refusal', stdout)).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({ code: 'nested-in-sequential' });
    expect(desk.read('turns.jsonl')).toBe(before);
    expect(existsSync(join(desk.folder, 'x.jsonl'))).toBe(false);
  });
});

describe('dpcompose ledger to-filter and to-odometer', () => {
  it('A-14: a filter made of an odometer decides as one that was there from the start', async () => {
    const launches = ['0.1', '0.2,delta=1e-6', '0.3,delta=1e-6', '0.1,delta=3e-6'];
    const rule = '--rule approximate-dp --delta 1e-5 --terms delta-prime=5e-6';
    await desk.done(`init read.jsonl --mode odometer ${rule} --id read`);
    for (const epsilon of launches) await desk.done(`spend read.jsonl -m dp:epsilon=${epsilon}`);
    const made = await desk.done('convert read.jsonl filter.jsonl --epsilon 2 --id filter');
    expect(made).toContain('The loss is meaningful only against a threshold fixed before the first launch.');
    const codes = await desk.codes(
      'spend filter.jsonl -m dp:epsilon=0.05,delta=1e-6',
      'spend filter.jsonl -m dp:epsilon=0.04',
    );
    expect(codes).toEqual([1, 0]);
    expect(desk.lines('filter.jsonl')[0]).toMatchObject({
      origin: { kind: 'converted', id: 'read', totals: { launched: 4, spent: { delta: '0.00001' } } },
    });
    await desk.done('verify filter.jsonl');
    await desk.done('verify read.jsonl');
  });

  it('ends the ledger that it is made of', async () => {
    expect(desk.lines('read.jsonl').at(-1)).toMatchObject({
      event: 'convert',
      to: { id: 'filter', name: expect.stringMatching(/filter\.jsonl$/) as string },
    });
    expect(await desk.json<DecisionDocument>('ledger-decision', 'spend read.jsonl -m dp:epsilon=0.1', 1)).toMatchObject(
      { code: 'converted' },
    );
    expect(mistakes(await desk.type('convert read.jsonl again.jsonl --epsilon 3 --json'))).toEqual([
      'read.jsonl: converted',
    ]);
    expect(await desk.json('ledger-status', 'status read.jsonl')).toMatchObject({ ledger: { successor: 'filter' } });
    expect(mistakes(await desk.type('status filter.jsonl --distance 2 --json'))).toEqual([
      '--distance: earlier-ledger',
    ]);
  });

  it('says wherever it is shown that the budget had to be fixed before', async () => {
    const said = 'The loss is meaningful only against a threshold fixed before the first launch.';
    const caveats = expect.arrayContaining([expect.objectContaining({ code: 'threshold-fixed-before' })]) as unknown[];
    for (const command of ['status', 'status --at-delta 1e-4']) {
      expect(await desk.done(`${command} filter.jsonl`)).toContain(said);
    }
    expect(await desk.json('ledger-status', 'status filter.jsonl')).toMatchObject({ caveats });
    expect(await desk.json('ledger-export', 'export filter.jsonl')).toMatchObject({ caveats });
    await desk.done('init begun.jsonl --mode odometer --rule zcdp');
    await desk.done('spend begun.jsonl -m zcdp:rho=0.1');
    await desk.done('convert begun.jsonl later.jsonl --rho 1');
    expect(await desk.json('ledger-decision', 'nest later.jsonl a.jsonl --rho 0.1')).toMatchObject({ caveats });
    expect(await desk.done('nest later.jsonl b.jsonl --rho 0.1')).toContain(said);
    await desk.done('init unread.jsonl --mode odometer --rule zcdp');
    await desk.done('convert unread.jsonl early.jsonl --rho 1');
    expect(await desk.done('status early.jsonl')).not.toContain(said);
  });

  it('is verified beside what it was made of, and a nested ledger beside what paid for it', async () => {
    expect(await desk.done('verify filter.jsonl --from read.jsonl')).toMatch(/ read\.jsonl confirms its header\./);
    expect(await desk.json('ledger-verify', 'verify one.jsonl --from parent.jsonl')).toMatchObject({
      sound: true,
      from: { file: 'parent.jsonl', agrees: true },
    });
    expect(await desk.json('ledger-verify', 'verify one.jsonl --from read.jsonl', 4)).toMatchObject({
      sound: false,
      flaws: [{ code: 'wrong-origin', what: 'other-ledger', line: 1, record: 0 }],
      from: { file: 'read.jsonl', agrees: false },
    });
    const { code, stderr } = await desk.type('verify parent.jsonl --from read.jsonl');
    expect(code).toBe(4);
    expect(stderr).toMatch(/^error: parent\.jsonl:1:1: the header: it names no parent or predecessor/);
    expect(await desk.codes('verify one.jsonl --from nowhere.jsonl')).toEqual([2]);
  });

  it('is refused where more was spent than the budget', async () => {
    await desk.done('init much.jsonl --mode odometer --rule zcdp');
    await desk.done('spend much.jsonl -m zcdp:rho=1');
    const before = desk.read('much.jsonl');
    expect(await desk.codes('convert much.jsonl little.jsonl --rho 0.5')).toEqual([1]);
    expect(mistakes(await desk.type('convert much.jsonl little.jsonl --epsilon 1 --json'))).toEqual([
      '--epsilon: conflicting-options',
      '--rho: missing-option',
    ]);
    expect(desk.read('much.jsonl')).toBe(before);
  });

  it('takes the budget from a filter, which nothing enforces any more', async () => {
    await desk.done('init tight.jsonl --mu 0.5 --terms conversions=allowed');
    await desk.done('spend tight.jsonl -m gdp:mu=0.4');
    const made = await desk.json('ledger-made', 'convert tight.jsonl loose.jsonl');
    expect(made).toMatchObject({
      guarantee: null,
      launched: 1,
      caveats: expect.arrayContaining([expect.objectContaining({ code: 'budget-no-longer-enforced' })]) as unknown[],
    });
    expect(await desk.codes('spend loose.jsonl -m gdp:mu=3')).toEqual([0]);
    expect(mistakes(await desk.type('convert loose.jsonl x.jsonl --json'))).toEqual(['--mu: missing-option']);
    expect(mistakes(await desk.type('convert tight.jsonl x.jsonl --json'))).toEqual(['tight.jsonl: converted']);
  });
});

describe('nested ledgers', () => {
  it('are told apart by their names where one file holds all ledgers', async () => {
    await desk.done('store init sqlite:nested.db');
    const store = '--store sqlite:nested.db';
    await desk.done(`init all --epsilon 1 ${store}`);
    await desk.done(`nest all north south --epsilon 0.5 ${store}`);
    const { code, stderr } = await desk.type(`nest all west west --epsilon 0.1 ${store}`);
    expect(code).toBe(2);
    expect(stderr).toContain('named twice');
  });

  it('are paid for once under a key, also where they are there already', async () => {
    await desk.done('init keyed.jsonl --epsilon 1');
    const line = 'nest keyed.jsonl keyed-a.jsonl --epsilon 0.4 --key n1';
    const first = await desk.json<DecisionDocument & { asked: { ids: string[] } }>('ledger-decision', line);
    const again = await desk.json<DecisionDocument & { asked: { ids: string[] } }>('ledger-decision', line);
    expect(again).toMatchObject({ granted: true, again: true, record: first.record, asked: { ids: first.asked.ids } });
    expect(desk.lines('keyed.jsonl')).toHaveLength(2);
    expect(desk.lines('keyed-a.jsonl')[0]?.id).toBe(again.asked.ids[0]);
    for (const other of ['keyed-a.jsonl --epsilon 0.3', 'keyed-b.jsonl --epsilon 0.4']) {
      expect((await desk.type(`nest keyed.jsonl ${other} --key n1`)).stderr).toContain('key');
    }
    expect((await desk.type('nest keyed.jsonl keyed-a.jsonl --epsilon 0.4 --key n2')).code).toBe(2);
    expect(desk.lines('keyed.jsonl')).toHaveLength(2);
  });
});
