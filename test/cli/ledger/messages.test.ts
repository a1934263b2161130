import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type } from '../run.ts';
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
      expect(stderr).toMatch(/^error: [\w.]+: this is a document such as a specification, not a ledger\. [^\n]*\n$/);
    }
    expect(readFileSync(join(desk.folder, name), 'utf8')).toBe(text);
  }
});
