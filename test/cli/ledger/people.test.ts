import { describe, expect, it } from 'vitest';
import { Desk } from './desk.ts';

const desk = new Desk();

interface Held {
  readonly hold: string;
  readonly done: boolean;
  readonly code: string | null;
  readonly holds: readonly unknown[];
}

describe('ledger reserve, commit and release', () => {
  it('hold a part of the budget, launch it, and give it back', async () => {
    await desk.done('init r.jsonl --epsilon 1');
    const held = await desk.json<Held>(
      'ledger-hold',
      'reserve r.jsonl -m dp:epsilon=0.7 --label visits --expires-in 2h',
    );
    expect(held).toMatchObject({ done: true, holds: [{ hold: held.hold, launched: 1, adds: { epsilon: 0.7 } }] });
    const refused = await desk.json('ledger-decision', 'spend r.jsonl -m dp:epsilon=0.4', 1);
    expect(refused).toMatchObject({ granted: false, code: 'insufficient-budget', holds: 1 });
    expect((await desk.type('check r.jsonl -m dp:epsilon=0.4')).stdout).toContain('(reservations included)');
    expect(await desk.done('status r.jsonl')).toContain('Remaining: one mechanism of epsilon up to 0.3');
    expect(await desk.done('status r.jsonl')).toMatch(
      /reservation +until +mechanisms +adds +for\n[0-9a-f]{12} .* epsilon 0\.7 +visits/,
    );
    expect(await desk.json('ledger-status', 'status r.jsonl')).toMatchObject({ holds: [{ hold: held.hold }] });
    const committed = await desk.json('ledger-decision', `commit r.jsonl ${held.hold}`);
    expect(committed).toMatchObject({ command: 'commit', granted: true, mechanisms: { first: 1, last: 1 } });
    expect(await desk.json('ledger-decision', `commit r.jsonl ${held.hold}`, 1)).toMatchObject({
      code: 'no-such-hold',
    });
    const other = await desk.json<Held>('ledger-hold', 'reserve r.jsonl -m dp:epsilon=0.1');
    expect(await desk.json('ledger-hold', `release r.jsonl ${other.hold} --label cancelled`)).toMatchObject({
      done: true,
    });
    expect(await desk.json('ledger-hold', `release r.jsonl ${other.hold}`, 1)).toMatchObject({ code: 'no-such-hold' });
    expect(await desk.done('verify r.jsonl')).toContain('is intact');
  });

  it('refuse times that have passed, and lengths that are none', async () => {
    await desk.done('init t.jsonl --epsilon 1');
    expect((await desk.type('reserve t.jsonl -m dp:epsilon=0.1 --until 2001-01-01')).stderr).toContain('in the future');
    expect((await desk.type('reserve t.jsonl -m dp:epsilon=0.1 --expires-in 15')).stderr).toContain('--expires-in 15m');
    expect(desk.lines('t.jsonl')).toHaveLength(1);
  });
});

describe('ledger record --incurred', () => {
  it('counts beyond the budget, which is then no guarantee', async () => {
    await desk.done('init o.jsonl --epsilon 1');
    const within = await desk.done("record o.jsonl --incurred -m dp:epsilon=0.4 --label 'ran on Monday'");
    expect(within).toContain('recorded without a grant: mechanism 1, in record 1. Used: epsilon 0.4 of 1.');
    expect(within).toContain('ran without a grant');
    const beyond = await desk.json('ledger-incurred', 'record o.jsonl --incurred -m dp:epsilon=0.7');
    expect(beyond).toMatchObject({
      exceeded: [{ coordinate: 'epsilon', total: 1.1, limit: 1 }],
      after: { guarantee: null, spent: { epsilon: 1.1 }, left: { epsilon: 0 } },
      caveats: expect.arrayContaining([expect.objectContaining({ code: 'budget-exceeded' })]) as unknown,
    });
    const status = await desk.done('status o.jsonl');
    expect(status).toContain('The budget is exceeded: epsilon is 1.1; the limit was 1.');
    expect(status).toContain('counts only against a threshold fixed before the first launch');
    expect(status).not.toContain('The guarantee is the full budget');
    expect(await desk.done('status o.jsonl --distance 1')).not.toContain('Guarantee:');
    expect(await desk.done('status o.jsonl --distance 2')).toContain('epsilon 2.2');
    expect(await desk.codes('spend o.jsonl -m dp:epsilon=0', 'verify o.jsonl', 'verify --replay o.jsonl')).toEqual([
      1, 0, 0,
    ]);
  });

  it('has no reading where a compositor runs more than was declared', async () => {
    await desk.done('init c.jsonl --mode compositor --rule basic --epsilon 1 --delta 0 -m dp:epsilon=1');
    await desk.done('spend c.jsonl -m dp:epsilon=1');
    const beyond = await desk.json('ledger-incurred', 'record c.jsonl --incurred -m dp:epsilon=1');
    expect(beyond).toMatchObject({ after: { guarantee: null, spent: { exact: { epsilon: 'Infinity' } } } });
    expect(
      await desk.codes('spend c.jsonl -m dp:epsilon=0.1', 'status c.jsonl', 'status c.jsonl --at-delta 1e-6'),
    ).toEqual([1, 0, 0]);
  });

  it('needs the word, and counts nothing that its rule does not count', async () => {
    await desk.done('init w.jsonl --epsilon 1');
    expect((await desk.type('record w.jsonl -m dp:epsilon=0.4')).stderr).toContain('--incurred');
    expect((await desk.type('record w.jsonl --incurred -m zcdp:rho=0.1')).code).toBe(2);
    expect(desk.lines('w.jsonl')).toHaveLength(1);
  });
});

describe('ledger void and note', () => {
  it('say what people should know, and give nothing back', async () => {
    await desk.done('init v.jsonl --epsilon 1');
    await desk.done('spend v.jsonl -m dp:epsilon=0.4 --actor ann --key first');
    expect(await desk.done("annotate v.jsonl --void 1 --label 'the job crashed'")).toContain('The charge stays');
    expect(await desk.done("annotate v.jsonl --label 'seen by the board' --actor bob")).toContain('noted in record 3');
    expect((await desk.type('annotate v.jsonl --void 2 --label x')).code).toBe(2);
    expect((await desk.type('annotate v.jsonl --void 1')).stderr).toContain('--label');
    expect(await desk.done('export v.jsonl --format csv')).toMatch(
      /^record,at,event,code,actor,key,label,.*\r?\n1,[^,]*,spend,,ann,first,/,
    );
    expect(await desk.done('export v.jsonl')).toContain('record 1 never ran: the job crashed');
    const { steps } = await desk.json<{ steps: Record<string, unknown>[] }>('ledger-replay', 'verify --replay v.jsonl');
    expect(steps[0]).toMatchObject({ actor: 'ann', key: 'first', spent: { epsilon: 0.4 } });
    const status = await desk.done('status v.jsonl');
    expect(status).toContain('Remaining: one mechanism of epsilon up to 0.6');
    expect(status).toContain('1 launch voided, still charged: record 1.');
  });
});

describe('ledger init', () => {
  it('fixes a budget for good', async () => {
    expect(await desk.done('init f.jsonl --epsilon 1')).not.toContain('may become an odometer');
    expect((await desk.type('convert f.jsonl g.jsonl')).stderr).toContain('fixed for good');
    expect((await desk.type('init g.jsonl --mode odometer --rule pure --terms conversions=forbidden')).code).toBe(2);
    const free = 'init free.jsonl --epsilon 1 --terms conversions=allowed';
    expect(await desk.done(free)).toContain('may become an odometer');
  });

  it('records refusals where it is asked to', async () => {
    await desk.done('init n.jsonl --epsilon 1 --terms refusals=recorded');
    expect((await desk.type('spend n.jsonl -m dp:epsilon=2')).stdout).toContain('The denial is in record 1.');
    expect(await desk.done('export n.jsonl --format csv')).toMatch(/^1,[^,]*,refuse,insufficient-budget,/m);
    expect(await desk.done('verify n.jsonl')).toContain('is intact');
  });
});

describe('a ledger in which more was counted than its budget allows', () => {
  it('is called exceeded, by all that say how it stands', async () => {
    await desk.done('init over.jsonl --epsilon 1');
    await desk.done('init within.jsonl --epsilon 1');
    await desk.type('record over.jsonl --incurred -m dp:epsilon=1.5 --label ran');
    expect(await desk.done('verify over.jsonl')).toContain('1 mechanism ran without a grant');
    const { ledgers } = await desk.json<{ ledgers: unknown[] }>('ledger-list', 'status over.jsonl within.jsonl');
    expect(ledgers).toMatchObject([{ state: 'exceeded' }, { state: 'open' }]);
  });
});

describe('a request about a hold that is asked again under its key', () => {
  it('names the record of the commit', async () => {
    await desk.done('init again.jsonl --epsilon 1');
    const { hold } = await desk.json<Held>('ledger-hold', 'reserve again.jsonl -m dp:epsilon=0.2');
    await desk.done(`commit again.jsonl ${hold} --key c`);
    expect(await desk.done(`commit again.jsonl ${hold} --key c`)).toMatch(
      /^already granted under this key, in record 2 /,
    );
    expect(await desk.json('ledger-decision', `commit again.jsonl ${hold} --key c`)).toMatchObject({
      again: true,
      record: { number: 2 },
    });
    expect(desk.lines('again.jsonl')).toHaveLength(3);
  });

  it('says that a hold is over', async () => {
    await desk.done('init ended.jsonl --epsilon 1');
    const line = 'reserve ended.jsonl -m dp:epsilon=0.2 --key r';
    const { hold } = await desk.json<Held>('ledger-hold', line);
    expect(await desk.json('ledger-hold', line)).toMatchObject({ done: true, hold });
    await desk.done(`release ended.jsonl ${hold}`);
    expect(await desk.json('ledger-hold', line, 1)).toMatchObject({ done: false, code: 'no-such-hold', until: null });
    expect((await desk.type(line)).stdout).toContain('is no longer reserved');
  });
});

describe('a ledger that grants nothing', () => {
  it('is told to be a copy, alone and among others', async () => {
    await desk.done('init original.jsonl --epsilon 1');
    desk.write('doubled.jsonl', desk.read('original.jsonl'));
    for (const command of ['status', 'status --next dp']) {
      expect(await desk.done(`${command} doubled.jsonl`)).toContain('This is a copy');
      expect(await desk.done(`${command} original.jsonl`)).not.toContain('copy');
    }
    const { ledgers } = await desk.json<{ ledgers: unknown[] }>('ledger-list', 'status doubled.jsonl original.jsonl');
    expect(ledgers).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ file: 'doubled.jsonl', state: 'copy' }),
        expect.objectContaining({ file: 'original.jsonl', state: 'open' }),
      ]) as object,
    );
  });
});
