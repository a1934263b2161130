import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../output/schema.ts';
import { mistakes, run, type, type Run } from './run.ts';

const JSON_TEXT = '{"dpcompose":1,"target":{"delta":"1e-6"},"mechanisms":[{"type":"dp","epsilon":0.1,"count":40}]}';
const YAML_TEXT = 'dpcompose: 1\ntarget: {delta: "1e-6"}\nmechanisms:\n  - type: dp\n    epsilon: 0.1\n    count: 40\n';
const CSV_TEXT = 'type,epsilon,count\ndp,0.1,40\n';

/** Every command that reads a specification, with what it needs beside one. */
const COMMANDS = [
  'compose --delta 1e-6',
  'plan --delta 1e-6',
  'statement --delta 1e-6',
  'solve --find count --epsilon 5 --delta 1e-6',
  'curve --delta 1e-6,1e-5',
  'validate',
  'check --epsilon 5 --delta 1e-6',
  'convert',
];

const json = ({ stdout }: Run): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dpcompose-'));
  await writeFile(join(folder, 'a.json'), JSON_TEXT);
  await writeFile(join(folder, 'a'), YAML_TEXT);
});
afterAll(() => rm(folder, { recursive: true }));
const at = (line: string, stdin?: string): Promise<Run> => type(line, { cwd: folder, ...(stdin && { stdin }) });

describe('a command that reads a document', () => {
  it.each(COMMANDS)('%s reads what is piped in, in any syntax', async (command) => {
    const said = await at(
      `${command.replace(' ', ' a.json ')}${command === 'validate' || command === 'convert' ? ' a.json' : ''} --json`,
    );
    expect(said.code).toBe(0);
    const without = (found: Run) => ({ ...json(found), scopes: null });
    for (const [text, more] of [
      [JSON_TEXT, ''],
      [YAML_TEXT, ''],
      [YAML_TEXT, ' -'],
      [YAML_TEXT, ' --input-format yaml'],
    ] as const) {
      const piped = await at(`${command}${more} --json`, text);
      expect(piped).toMatchObject({ code: 0, stderr: said.stderr });
      expect(without(piped)).toEqual(without(said));
    }
    expect((await at(`${command} --json`, CSV_TEXT)).code).toBe(0);
  });

  it.each(COMMANDS)('%s says so where nothing is piped in, and on a terminal', async (command) => {
    const name = command.startsWith('convert') ? 'FILE' : 'SPEC';
    expect(mistakes(await at(`${command} --json`))).toEqual([`${name}: no-input`]);
    expect(mistakes(await at(`${command} --json`, ' \n'))).toEqual([`${name}: no-input`]);
    expect((await type(command, { stdin: JSON_TEXT, terminal: true, env: { NO_COLOR: '1' } })).stderr).toMatch(
      new RegExp(`^error: ${name}: no input to`),
    );
  });

  it.each(COMMANDS)('%s changes the document with --set', async (command) => {
    const said = await at(`${command} --set mechanisms[0].count=0 --json`, JSON_TEXT);
    const told = command.startsWith('check') ? said.stdout : mistakes(said).join();
    expect(said.code).toBe(2);
    expect(told).toContain('--set mechanisms[0].count');
    const other = await at(`${command} --set mechanisms[0].epsilon=0.2 --json`, JSON_TEXT);
    expect(other.stdout).not.toBe((await at(`${command} --json`, JSON_TEXT)).stdout);
  });

  it.each(COMMANDS.filter((command) => command !== 'convert'))('%s takes -m, alone and beside one', async (command) => {
    const alone = await at(`${command} -m dp:epsilon=0.1,count=40 --json`, 'this is not read');
    expect(alone.code).toBe(0);
    const beside = await at(`${command} - -m dp:epsilon=0.01,count=2 --json`, JSON_TEXT);
    expect(beside.code).toBe(0);
    expect(beside.stdout).not.toBe(alone.stdout);
    expect((await at(`${command} -m dp:epsilon=-1 --json`)).stdout).toContain('-m #1 epsilon');
  });

  it.each(COMMANDS.filter((command) => command !== 'convert'))(
    '%s takes --adaptive, --nonadaptive and --order',
    async (command) => {
      const nonadaptive = JSON_TEXT.replace('"target"', '"adaptivity":"nonadaptive","target"');
      expect((await at(`${command} --adaptive --json`, nonadaptive)).code).toBe(0);
      expect((await at(`${command} --order declared --json`, JSON_TEXT)).code).toBe(0);
      const both = await at(`${command} --adaptive --nonadaptive --json`, JSON_TEXT);
      expect(mistakes(both)).toEqual(['--adaptive: conflicting-options']);
      expect(mistakes(await at(`${command} --order reversed --json`, JSON_TEXT))).toEqual(['--order: unknown-value']);
    },
  );

  it('knows a file without an ending by what it holds', async () => {
    expect((await at('compose a --json')).stdout).toBe((await at('compose a.json --json')).stdout);
    expect(mistakes(await at('compose a --input-format json --json'))).toEqual(['document: invalid-json']);
    expect(mistakes(await at('compose a --input-format xml --json'))).toContain('--input-format: unknown-value');
  });

  it('names the file of a mistake', async () => {
    await writeFile(join(folder, 'bad.json'), '{"dpcompose":1,"mechanisms":[{"type":"dp"}]}');
    const said = await at('compose bad.json --delta 2 --json');
    expect(violations('error', said.stdout)).toEqual([]);
    expect(json(said)).toMatchObject({
      errors: [{ path: 'mechanisms[0].epsilon', file: 'bad.json', line: 1 }, { path: '--delta' }],
    });
    expect((json(said).errors as object[])[1]).not.toHaveProperty('file');
    expect(json(await at('validate --json', '{'))).toMatchObject({ errors: [{ file: '-', line: 1 }] });
    expect(json(await at('compose none.json --json'))).toMatchObject({
      errors: [{ code: 'no-such-file', path: 'none.json', file: 'none.json' }],
    });
  });
});

describe('a design and an answer', () => {
  it('are read from a pipe', async () => {
    const { stdout: design } = await type('design --example core-decomposition --spec');
    expect((await type('design --json', { stdin: design })).code).toBe(0);
    const { stdout: answer } = await type('compose -m dp:epsilon=0.1 --delta 1e-6 --json');
    expect((await type('explain --json', { stdin: answer })).code).toBe(0);
  });
});

describe('a design', () => {
  it('is changed by --set', async () => {
    const { stdout: design } = await type('design --example core-decomposition --spec');
    const said = await run(['design', '--set', 'mechanisms[0].of.epsilon=0.25', '--json'], { stdin: design });
    expect(said.code).toBe(0);
    expect(json(said)).toMatchObject({ answer: { delta: { upper: 0 } } });
    const wrong = await run(['design', '--set', 'mechanisms[0].of.epsilon=-1', '--json'], { stdin: design });
    expect(mistakes(wrong)).toEqual(['--set mechanisms[0].of.epsilon: out-of-range']);
  });
});

describe('an option that is given twice', () => {
  it.each([
    ['compose -m dp:epsilon=1 --delta 1e-6 --delta 1e-7', ['--delta: repeated-option']],
    ['compose -m dp:epsilon=1 --delta 1e-6 --delta 1e-6', ['--delta: repeated-option']],
    [
      'compose -m dp:epsilon=1 --delta=1e-6 --format json --bounds rdp --bounds zcdp --format json',
      ['--format: repeated-option', '--bounds: repeated-option'],
    ],
    ['check -m dp:epsilon=1 --epsilon 1 --epsilon 2', ['--epsilon: repeated-option']],
    ['attack renyi --alpha 2 --alpha 3', ['--alpha: repeated-option']],
    ['lazy plan ope --rounds 5 --rounds 6', ['--rounds: repeated-option']],
    ['ledger status x.jsonl --at-delta 0.1 --at-delta 0.2', ['--at-delta: repeated-option']],
    ['compose -m dp:epsilon=1 -o a.json --output b.json', ['--output: repeated-option']],
  ])('is a mistake: %s', async (line, expected) => {
    expect(mistakes(await type(`${line} --json`))).toEqual(expected);
  });

  it('is told with its values', async () => {
    const { stderr } = await type('compose -m dp:epsilon=1 --delta 1e-6 --delta 1e-7');
    expect(stderr).toBe('error: --delta: is given more than once, as "1e-6" and "1e-7". Keep one of them.\n');
  });

  it('is none where several are meant, or nothing would be lost', async () => {
    const line = 'compose -m dp:epsilon=1 -m dp:epsilon=2 --delta 1e-6 --json --json -q -q';
    expect(await type(line)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await type('solve -m dp:epsilon=1 --vary #1 --vary #1 --epsilon 2 --delta 0 --find count')).code).toBe(0);
  });
});
