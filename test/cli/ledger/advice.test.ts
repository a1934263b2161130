import { mkdirSync, truncateSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pastReservation } from '../../../src/ledger/past-reservation.ts';
import { fileStore } from '../../../src/ledger/stores/file/store.ts';
import { refusalText } from '../../../src/output/ledger/refusals.ts';
import { run } from '../run.ts';
import { Desk } from './desk.ts';

const desk = new Desk();

const inFolder = (...words: readonly string[]) => run(words, { cwd: desk.folder });

describe('a ledger in the place of a specification', () => {
  it('is named as one, and what to type depends on the command', async () => {
    await desk.done('init b.jsonl --epsilon 1 -q');
    const status = 'Run dpcompose ledger status b.jsonl.\n';
    for (const records of [0, 1]) {
      if (records === 1) await desk.done('spend b.jsonl -m dp:epsilon=0.1 -q');
      for (const command of ['validate', 'statement']) {
        const { code, stderr } = await inFolder(command, 'b.jsonl');
        expect([code, stderr]).toEqual([2, `error: b.jsonl: is a ledger, not a specification. ${status}`]);
      }
      expect((await desk.type('spend d.json b.jsonl')).stderr).toBe(
        'error: b.jsonl: is a ledger, not a specification. Name ledgers first, the specification last. If all are ledgers, add the mechanisms with -m.\n',
      );
      const { stdout } = await inFolder('check', 'b.jsonl', '--epsilon', '1');
      expect(stdout).toContain('this is a ledger, not a specification');
    }
  });
});

describe('a denial', () => {
  it('says what remains, and a command that prints what fits', async () => {
    await desk.done('init zcdp.jsonl --epsilon 1 --delta 1e-6 --rule zcdp-optimal -q');
    const { code, stdout } = await desk.type('spend zcdp.jsonl -m gaussian:sigma=1');
    expect(code).toBe(1);
    expect(stdout).toContain('Remaining: one mechanism of epsilon up to 0.2211567817.');
    expect(stdout).toMatch(/The total would be epsilon [\d.]+; the budget is 1, at delta 1e-6\./);
    const [, line = ''] = /run "ledger ([^"]+)"\.$/m.exec(stdout) ?? [];
    expect(line).toBe('status zcdp.jsonl --next gaussian');
    expect(await desk.done(line)).toContain('Next gaussian: sigma at least');
  });

  it('of what no option of status asks about names the mechanism that the rule adds up', async () => {
    await desk.done('init pure.jsonl --epsilon 1 -q');
    const { stdout } = await desk.type('spend pure.jsonl -m report-noisy-max:noise=laplace,epsilon=2');
    const [, line = ''] = /run "ledger ([^"]+)"\.$/m.exec(stdout) ?? [];
    expect(await desk.done(line)).toContain('at most 1.');
  });
});

describe('what remains under a rule', () => {
  let created = 0;
  const SEQUENTIAL = '--terms concurrency=sequential';
  it.each([
    ['--epsilon 1', 'dp:epsilon=0.3', 'epsilon up to 0.7', 2],
    ['--epsilon 1 --delta 1e-6 --rule basic', 'dp:epsilon=0.3', 'epsilon up to 0.7', 2],
    ['--epsilon 1 --delta 1e-6 --rule approximate-dp', 'dp:epsilon=0.1', 'epsilon up to 0.157917097', 2],
    ['--epsilon 1 --delta 1e-6 --rule zcdp-optimal', 'gaussian:sigma=20', 'epsilon up to 0.2153844287', 18],
    ['--rho 0.1', 'gaussian:sigma=20', 'rho up to 0.09875', 79],
    [`--rho 0.1 --delta 1e-6 ${SEQUENTIAL}`, 'gaussian:sigma=20', 'rho up to 0.09875', 79],
    ['--epsilon 1 --rule rdp --terms alpha=8', 'gaussian:sigma=20', 'Renyi epsilon up to 0.99 at order 8', 99],
    [
      `--epsilon 1 --delta 1e-6 --rule approximate-rdp --terms alpha=8 ${SEQUENTIAL}`,
      'gaussian:sigma=20',
      'Renyi epsilon up to 0.99 at order 8',
      99,
    ],
    [
      '--rule rdp-curve --terms orders=2:0.5;8:1',
      'gaussian:sigma=20',
      'at most Renyi epsilon 0.4975 at order 2 and Renyi epsilon 0.99 at order 8',
      99,
    ],
    ['--mu 1', 'gaussian:sigma=20', 'mu up to 0.9987492177', 399],
  ])('%s: the largest next one, and how many more of the last', async (terms, mechanism, largest, more) => {
    const file = `left-${created++}.jsonl`;
    await desk.done(`init ${file} ${terms} -q`);
    const granted = await desk.done(`spend ${file} -m ${mechanism}`);
    // Sums of Renyi epsilons at an order grow in proportion.
    expect(granted).not.toMatch(/Renyi epsilon does not grow/);
    const said = `Remaining: one mechanism of ${largest}, or ${more} more like the last (${mechanism}`;
    expect(await desk.done(`status ${file}`)).toContain(said);
    const denied = await desk.type(`spend ${file} -m ${mechanism},count=${more + 1}`);
    expect([denied.code, denied.stdout]).toEqual([
      1,
      expect.stringContaining(`Remaining: one mechanism of ${largest}`),
    ]);
    expect((await desk.type(`spend ${file} -m ${mechanism},count=${more}`)).code).toBe(0);
  });
});

describe('a reservation that is not open', () => {
  it('was launched, returned or expired, as the ledger knows, or never was', async () => {
    await desk.done('init r.jsonl --epsilon 1 -q');
    const reserved = async (options = '') => {
      const { hold } = await desk.json<{ hold: string }>('ledger-hold', `reserve r.jsonl -m dp:epsilon=0.1 ${options}`);
      return hold;
    };
    const [launched, returned, over] = [await reserved(), await reserved(), await reserved('--expires-in 1m')];
    await desk.done(`commit r.jsonl ${launched} -q`);
    await desk.done(`release r.jsonl ${returned} -q`);
    const said = async (hold: string) => (await desk.type(`commit r.jsonl ${hold}`)).stdout;
    expect(await said(launched)).toContain(`denied: reservation ${launched} was committed in record 4.`);
    expect(await said(returned)).toContain(`denied: reservation ${returned} was released in record 5.`);
    const past = await pastReservation(fileStore(desk.folder), 'r.jsonl', over);
    expect(past).toEqual({ kind: 'expired', until: expect.stringMatching(/^\d{4}-.*Z$/) as string });
    expect(refusalText({ code: 'no-such-hold', hold: over, past: { kind: 'expired', until: '2026-03-02' } })).toEqual({
      message: `reservation ${over} expired at 2026-03-02`,
      hint: 'Its budget was returned. Reserve again.',
    });
    expect(await said('xyz')).toContain('denied: no reservation has the name "xyz".');
    await desk.done(`commit r.jsonl ${over} -q`);
    expect(await said(over)).toContain(`denied: reservation ${over} was committed in record 6.`);
  });
});

describe('terms that no ledger can have', () => {
  it('are named by the option that gives them, with a value that can be pasted', async () => {
    const line = 'init q.jsonl --epsilon 1 --delta 1e-6 --rule zcdp-optimal';
    expect((await desk.type(`${line} --terms delta-prime=5e-6`)).stderr).toBe(
      'error: --terms delta-prime: must be a number above 0 and at most delta 1e-6, got "5e-6". For example: --terms delta-prime=5e-7\n',
    );
    await desk.done(`${line} --terms delta-prime=5e-7 -q`);
  });

  it('have other names in a file of budgets, and each place says that of the other', async () => {
    const typed = async (term: string) => (await desk.type(`init t.jsonl --epsilon 1 --terms ${term}`)).stderr;
    expect(await typed('require-evidence=true')).toContain('In --terms this is evidence=required.');
    expect(await typed('record-refusals=true')).toContain('In --terms this is refusals=recorded.');
    expect(await typed('fixed-budget=true')).toContain('In --terms this is conversions=forbidden');
    expect((await desk.type('init t.jsonl --epsilon 1 --evidence required')).stderr).toContain(
      'Use --terms evidence=required.',
    );
    desk.write('terms.yaml', 'dpcompose: 1\nledgers:\n  - { name: all, epsilon: 1, evidence: required }\n');
    const { stderr } = await desk.type('spend --budgets terms.yaml -m dp:epsilon=0.1');
    expect(stderr).toContain('In a file of budgets this is "require-evidence": true.');
  });
});

describe('a ledger that is elsewhere', () => {
  it('is looked for in the store that was not named', async () => {
    desk.write(
      'all.yaml',
      "dpcompose: 1\nledgers:\n  - { name: all, epsilon: 1 }\n  - { name: 'day/{day}', of: data, epsilon: 1 }\n",
    );
    mkdirSync(join(desk.folder, 'st'));
    const line = 'spend --budgets all.yaml --for day=1 -m dp:epsilon=0.1';
    await desk.done(`${line} --store st -q`);
    const { code, stderr } = await desk.type(line);
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /^error: all: not in this store, but "st\/[^"]+" names it in record 1: a new ledger would grant its budget again\. If it is in another store, add --store; else put it back\.\n$/,
    );
  });

  it('goes on under a name and in a store that can be pasted', async () => {
    await desk.done('init h.jsonl --epsilon 1 -q');
    expect((await desk.type('move h.jsonl --to away')).stderr).toBe(
      'error: --to: no such folder "away". Create it first.\n',
    );
    mkdirSync(join(desk.folder, 'away'));
    const moved = await desk.done('move h.jsonl --to away');
    expect(moved).toContain('as ledger "h.jsonl" of the store');
    const [, spend = ''] = /Use "ledger ([^"]+)"/.exec(moved) ?? [];
    await desk.done(`${spend} -m dp:epsilon=0.1`);
    const { stderr } = await desk.type('spend h.jsonl -m dp:epsilon=0.1');
    const [, status = ''] = /Use it there: "ledger ([^"]+)"/.exec(stderr) ?? [];
    expect(await desk.done(status)).toContain('Used: epsilon 0.1 of 1.');
  });

  it('is no pipe, and no place where nothing can be written', async () => {
    expect((await desk.type('verify -')).stderr).toBe(
      'error: -: a ledger cannot be read from a pipe. Name its file.\n',
    );
    const { code, stderr } = await desk.type('init nowhere/b.jsonl --epsilon 1');
    expect([code, stderr]).toEqual([2, expect.stringContaining('directory not found')]);
  });

  it('that continues under another id is named by its file', async () => {
    await desk.done('init k.jsonl --epsilon 1 --terms conversions=allowed -q');
    await desk.done('init other.jsonl --epsilon 1 -q');
    await desk.done('convert k.jsonl k2.jsonl -q');
    const { stdout } = await desk.type('spend k.jsonl other.jsonl -m dp:epsilon=0.1');
    expect(stdout).toMatch(/^Use the ledger in "[^"]*k2\.jsonl"\.$/m);
    expect(stdout).toContain('Or request mechanisms that are not charged to the ledger "k.jsonl".');
  });
});

describe('a command that belongs to ledgers', () => {
  it('is found without its group', async () => {
    expect((await inFolder('spend', 'b.jsonl')).stderr).toBe(
      'error: spend: unknown command \'spend\'. Did you mean "ledger spend"?\n',
    );
  });
});

describe('a ledger that was cut', () => {
  it('is told to recover until it has been', async () => {
    await desk.done('init cut.jsonl --epsilon 1 -q');
    await desk.done('spend cut.jsonl -m dp:epsilon=0.1 -q');
    const path = join(desk.folder, 'cut.jsonl');
    truncateSync(path, statSync(path).size - 30);
    expect((await desk.type('spend cut.jsonl -m dp:epsilon=0.1')).stderr).toContain('run "ledger recover" first');
    await desk.done('recover cut.jsonl -q');
    const { code, stderr } = await desk.type('spend cut.jsonl -m dp:epsilon=0.1');
    expect(code).toBe(4);
    expect(stderr).not.toContain('ledger recover');
  });
});
