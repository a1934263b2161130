import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { codeFacts } from '../../../src/output/codes.ts';
import type { LedgerFault } from '../../../src/output/ledger/integrity-faults.ts';
import { faultMessage } from '../../../src/output/ledger/faults.ts';
import { mistakes, type } from '../run.ts';
import { Desk } from './desk.ts';

const desk = new Desk();

it('a message names the ledger, and no placeholder', async () => {
  await desk.done('init fixed.jsonl --epsilon 1 -q');
  const { code, stderr } = await desk.type('convert fixed.jsonl odometer.jsonl');
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: fixed\.jsonl: /)]);
  await desk.done('init halting.jsonl --epsilon 1 --terms on-excess=halt -q');
  const nested = await desk.type(
    'nest halting.jsonl child.jsonl --epsilon 0.1 --terms on-excess=refuse --terms concurrency=sequential',
  );
  expect(nested.stderr).not.toContain('FILE:');
});

it('a nested budget that the ledger cannot count is told by the option that gave it', async () => {
  await desk.done('init pays.jsonl --epsilon 1 -q');
  const { code, stderr } = await desk.type('nest pays.jsonl part.jsonl --rho 0.1');
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: --rho: /)]);
});

it('orders with commas between them are told the form, and not of separators of thousands', async () => {
  for (const mode of ['odometer', 'filter']) {
    const { code, stderr } = await desk.type(`init orders.jsonl --rule rdp-curve --mode ${mode} --terms orders=2,8`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('with semicolons between them')]);
  }
});

it('a label of nothing is none', async () => {
  await desk.done('init labels.jsonl --epsilon 1 -q');
  await desk.done(`spend labels.jsonl -m dp:epsilon=0.1 --label '' -q`);
  await desk.done(`nest labels.jsonl nested.jsonl --id n --epsilon 0.1 --label '' -q`);
  const { items } = await desk.json<{ items: { what: string }[] }>('ledger-status', 'status labels.jsonl');
  expect(items.map(({ what }) => what)).toEqual([expect.stringContaining('dp'), 'nested ledger n']);
});

it('what every command takes is taken by those that print schemas and scripts', async () => {
  for (const line of ['schema spec', 'schema', 'complete bash']) {
    expect([line, await type(`${line} -q --debug`)]).toEqual([line, { code: 0, stdout: '', stderr: '' }]);
    const { code, stdout } = await type(`${line} --json`);
    expect([line, code, typeof JSON.parse(stdout)]).not.toContain('undefined');
  }
});

it('a specification where a ledger is asked for is told once to be one, whoever reads it', async () => {
  const specification = {
    dpcompose: 1,
    mechanisms: Array.from({ length: 60 }, (_, index) => ({ type: 'dp', epsilon: '0.1', count: index + 1 })),
  };
  const yaml = 'dpcompose: 1\nmechanisms:\n  - type: dp\n    epsilon: 0.1\n';
  const forms = {
    'line.json': JSON.stringify(specification),
    'ended.json': `${JSON.stringify(specification)}\n`,
    'pretty.json': JSON.stringify(specification, null, 2),
    'windows.json': JSON.stringify(specification, null, 2).replaceAll('\n', '\r\n'),
    'lines.yaml': yaml,
  };
  for (const [name, text] of Object.entries(forms)) {
    writeFileSync(join(desk.folder, name), text);
    for (const line of [
      `verify ${name}`,
      `recover ${name}`,
      `status ${name}`,
      `check ${name} -m dp:epsilon=0.1`,
      `spend ${name} -m dp:epsilon=0.1`,
    ]) {
      const { code, stdout, stderr } = await desk.type(line);
      expect([line, code, stdout]).toEqual([line, 2, '']);
      expect(stderr).toMatch(/^error: [\w.]+: not a ledger, but a document such as a specification\. [^\n]*\n$/);
    }
    expect(readFileSync(join(desk.folder, name), 'utf8')).toBe(text);
  }
});

describe('a mistake is told at what was typed', () => {
  it.each([
    ['status typed.jsonl --next gaussian', '--next: wrong-measure'],
    ['status typed.jsonl -m gaussian:sigma=1', '-m: wrong-measure'],
    ['spend typed.jsonl -m gaussian:sigma=1', '-m: wrong-measure'],
    ['spend typed.jsonl gaussian.json', 'gaussian.json: wrong-measure'],
    ['check typed.jsonl other.jsonl gaussian.json', 'gaussian.json: wrong-measure'],
    ['reserve typed.jsonl gaussian.json', 'gaussian.json: wrong-measure'],
    ['record typed.jsonl gaussian.json --incurred', 'gaussian.json: wrong-measure'],
  ])('%s', async (line, mistake) => {
    if (!desk.files().includes('typed.jsonl')) {
      for (const name of ['typed', 'other']) await desk.done(`init ${name}.jsonl --epsilon 1 -q`);
      desk.write('gaussian.json', '{"dpcompose":1,"mechanisms":[{"type":"gaussian","sigma":1}]}');
    }
    expect(mistakes(await desk.type(`${line} --json`))).toEqual([mistake]);
  });
});

it('what to do about a ledger that cannot be used is told by options of commands that have them', async () => {
  // Told by commands that have them only: verify, and those that write.
  const own = ['--from', '--assume-locks'];
  const remedies = codeFacts().flatMap(({ kind, remedy }) => (kind === 'ledger-file' ? [remedy] : []));
  for (const remedy of remedies) {
    const bare = remedy.replaceAll(/"[^"]*"/g, '').match(/--[a-z][\w-]*/g) ?? [];
    expect(
      bare.filter((option) => !own.includes(option)),
      remedy,
    ).toEqual([]);
    for (const [, command = '', rest = ''] of remedy.matchAll(/"ledger ([a-z]+(?: [a-z]+)?)([^"]*)"/g)) {
      const help = (await desk.type(`${command} --help`)).stdout;
      for (const option of rest.match(/--[a-z][\w-]*/g) ?? []) expect(help, remedy).toContain(option);
    }
  }
});

it('a line that is damaged is set aside with recover in a file only', () => {
  const hint = (fault: LedgerFault): string => faultMessage(fault).hint;
  const place = { line: 3, record: 2 };
  expect(hint({ code: 'damaged-record', ...place, what: 'not-json' })).toContain('Otherwise, restore a copy');
  const cut = { code: 'cut-off', size: 2, before: 3 } as const;
  expect(hint({ ...cut, unit: 'bytes' })).toContain('"ledger recover"');
  expect(hint({ ...cut, unit: 'records' })).toMatch(/^(?!.*recover).*"ledger adopt"/);
});

it('a database that is gone is said to have been there, before what to do', async () => {
  const store = '--store sqlite:gone.db';
  await desk.done('store init sqlite:gone.db');
  await desk.done(`init a ${store} --epsilon 1 -q`);
  rmSync(join(desk.folder, 'gone.db'));
  for (const line of [`status a ${store}`, `spend a ${store} -m dp:epsilon=0.1`, 'store init sqlite:gone.db']) {
    const { code, stderr } = await desk.type(line);
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining('which had 1 record, is missing: a new one would grant its budgets'),
    ]);
    expect(stderr).not.toContain('store init');
  }
});

it('a ledger file that is gone is not made anew, unless somebody says that nothing was spent', async () => {
  await desk.done('init gone.jsonl --epsilon 1 -q');
  rmSync(join(desk.folder, 'gone.jsonl'));
  const again = await desk.type('init gone.jsonl --epsilon 1');
  expect([again.code, again.stderr]).toEqual([4, expect.stringContaining('would grant its budget again')]);
  expect(desk.files()).not.toContain('gone.jsonl');
  rmSync(join(desk.folder, '.gone.jsonl.stamp'));
  await desk.done('init gone.jsonl --epsilon 1 -q');
});

describe('a clock that is behind the ledger', () => {
  const at = (now: string): void => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
  };
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is told by check as by spend', async () => {
    at('2036-03-02T09:15:00Z');
    await desk.done('init ahead.jsonl --epsilon 1 -q', { now: '2036-03-02T09:15:00Z' });
    at('2026-03-02T09:15:00Z');
    for (const command of ['spend', 'check']) {
      const line = `${command} ahead.jsonl -m dp:epsilon`;
      expect(mistakes(await desk.type(`${line}=0.1 --json`)), command).toEqual(['ahead.jsonl: clock-behind']);
      // What does not fit is a no all the same: nothing would be recorded.
      expect(await desk.codes(`${line}=2`)).toEqual([1]);
    }
    const { stderr } = await desk.type('check ahead.jsonl -m dp:epsilon=0.1');
    const [, remedy = ''] = /"ledger (annotate [^"]*)"/.exec(stderr) ?? [];
    await desk.done(`${remedy.replace('LEDGER', 'ahead.jsonl')} -q`);
    expect(await desk.codes('check ahead.jsonl -m dp:epsilon=0.1', 'spend ahead.jsonl -m dp:epsilon=0.1')).toEqual([
      0, 0,
    ]);
  });

  it('makes no ledger of budgets, and nor does any other refusal', async () => {
    const budgets = (...lines: readonly string[]): void => {
      desk.write('b.json', `{"dpcompose":1,"ledgers":[${lines.join(',')}]}`);
    };
    const line = (name: string, epsilon: number): string => `{"name":"${name}","epsilon":${epsilon}}`;
    budgets(line('far', 1));
    at('2036-03-02T09:15:00Z');
    await desk.done('spend --budgets b.json -m dp:epsilon=0.1 -q', { now: '2036-03-02T09:15:00Z' });
    at('2026-03-02T09:15:00Z');
    budgets(line('far', 1), line('new', 0.5));
    const asked = (epsilon: number, more = '') => desk.type(`spend --budgets b.json -m dp:epsilon=${epsilon}${more}`);
    expect(mistakes(await asked(0.1, ' --json'))).toEqual(['far: clock-behind']);
    for (const epsilon of [0.7, 2]) expect((await asked(epsilon, ' --accept-clock')).code).toBe(1);
    expect(mistakes(await asked(0.1, ' --accept-clock --expect 0123456789ab --json'))).toEqual(['far: changed']);
    expect(desk.files()).not.toContain('new.jsonl');
    const { code, stdout } = await asked(0.1, ' --accept-clock');
    expect([code, stdout]).toEqual([0, expect.stringContaining('granted in all 2 ledgers')]);
    budgets(line('far', 1), line('new', 0.5), line('third', 0.1));
    expect((await asked(0.2)).stdout).toMatch(/third\S*: denied: /);
    expect(desk.files()).not.toContain('third.jsonl');
  });
});

describe('a ledger that has ended', () => {
  it('says in all commands that record where it goes on, which goes on', async () => {
    await desk.done('init ended.jsonl --mode odometer --rule zcdp -q');
    await desk.done('spend ended.jsonl -m dp:epsilon=0.1 -q');
    const made = await desk.json('ledger-made', 'convert ended.jsonl heir.jsonl --rho 1 --id heir');
    expect(made).toMatchObject({ command: 'convert' });
    for (const line of [
      'annotate ended.jsonl --label x',
      'annotate ended.jsonl --void 1 --label x',
      'record ended.jsonl --incurred -m dp:epsilon=0.1',
      'convert ended.jsonl second.jsonl --rho 1',
      'spend ended.jsonl -m dp:epsilon=0.1',
      'reserve ended.jsonl -m dp:epsilon=0.1',
    ]) {
      const { code, stdout, stderr } = await desk.type(line);
      expect([line, code]).toEqual([line, 1]);
      expect(stdout + stderr, line).toMatch(/it continues as "heir", in ".*\bheir\.jsonl"/);
    }
    await desk.done('annotate heir.jsonl --label x -q');
    await desk.done('verify heir.jsonl --from ended.jsonl');
  });
});
