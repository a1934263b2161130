import { spawnSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type, type Run } from './run.ts';

// No result takes the place of a file that the same command reads, or of one that people write by hand.

const BINARY = join(import.meta.dirname, '../../bin/dpcompose.js');
const SPECIFICATION =
  '{"dpcompose":1,"mechanisms":[{"type":"dp","epsilon":"0.1","count":100}],"target":{"delta":"1e-6"}}';
const POLICY = '{"dpcompose":1,"scopes":[{"name":"all","specs":["*/a.json"],"budget":{"epsilon":"9","delta":"1e-6"}}]}';
const YAML = 'mechanisms:\n  - type: dp\n    epsilon: 0.1\ndpcompose: 1\n';
const CSV = 'type,epsilon\ndp,0.1\n';
const EVENTS = '{"history": [[1.1, 0.01, 10]]}';

let cwd = '';
const put = (name: string, text: string): void => {
  writeFileSync(join(cwd, name), text);
};
const get = (name: string): string => readFileSync(join(cwd, name), 'utf8');

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'dpcompose-'));
  mkdirSync(join(cwd, 'specs'));
  put('specs/a.json', SPECIFICATION);
  put('a.json', SPECIFICATION);
  put('events.json', EVENTS);
  put('policy.json', POLICY);
  symlinkSync('a.json', join(cwd, 'link.json'));
  symlinkSync('specs', join(cwd, 'folder'));
  linkSync(join(cwd, 'a.json'), join(cwd, 'hard.json'));
});
afterEach(() => {
  rmSync(cwd, { recursive: true });
});

const at = (line: string, stdin = ''): Promise<Run> => type(line, { cwd, stdin });

describe('a file that a command reads', () => {
  it.each([
    ['a specification', 'compose a.json -o a.json', 'a.json'],
    ['one by another spelling', 'compose a.json -o ./specs/../a.json', 'a.json'],
    ['one by a link', 'compose a.json -o link.json', 'a.json'],
    ['one by a link to its folder', 'compose specs/a.json -o folder/a.json', 'specs/a.json'],
    ['one by another of its names', 'compose a.json -o hard.json', 'hard.json'],
    ['an event list', 'convert events.json -o events.json', 'events.json'],
    ['a specification in another form', 'convert a.json --format yaml -o a.json', 'a.json'],
    ['the second of two', 'diff specs/a.json a.json -o a.json', 'a.json'],
    ['one of several', 'curve --of profile specs/a.json a.json -o a.json', 'a.json'],
    ['one that a pattern finds', 'check specs/*.json --epsilon 9 -o specs/a.json', 'specs/a.json'],
    ['one that a policy finds', 'check --policy policy.json -o specs/a.json', 'specs/a.json'],
    ['the policy', 'check --policy policy.json -o policy.json', 'policy.json'],
  ])('is not overwritten: %s', async (_, line, file) => {
    const before = get(file);
    for (const words of [line, `${line} --force`]) {
      const run = await at(words);
      expect([run.code, run.stdout]).toEqual([2, '']);
      expect(run.stderr).toMatch(/^error: --output: .* reads/);
    }
    expect(get(file)).toBe(before);
  });

  it('is not overwritten by a report', async () => {
    const run = await at('check a.json --epsilon 9 --report junit=link.json');
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/^error: --report: .*link\.json/);
    expect(get('a.json')).toBe(SPECIFICATION);
  });

  it('is not overwritten where it is standard input', () => {
    for (const line of ['compose -o a.json < a.json', 'compose - >> a.json < a.json', 'batch < a.json >> a.json']) {
      const { status } = spawnSync('bash', ['-c', `"${process.execPath}" "${BINARY}" ${line}`], { cwd });
      expect({ line, status }).toEqual({ line, status: 2 });
      expect(get('a.json')).toBe(SPECIFICATION);
    }
  });

  it('is not overwritten where it is a ledger that is damaged', async () => {
    put('ledger.jsonl', 'damaged\n');
    expect((await at('ledger verify ledger.jsonl -o ledger.jsonl')).code).toBe(2);
    expect(get('ledger.jsonl')).toBe('damaged\n');
  });
});

describe('two results', () => {
  it.each([
    ['one name', '-o x.xml --report junit=x.xml'],
    ['two spellings', '-o x.xml --report junit=specs/../x.xml'],
    ['a folder and a link to it', '--report sarif=specs/x --report junit=folder/x'],
    ['capitals, which many file systems take for the same', '-o x.xml --report junit=X.XML'],
  ])('do not go into one file: %s', async (_, outputs) => {
    const run = await at(`check specs/a.json --epsilon 9 ${outputs}`);
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toMatch(/^error: --report: /);
    expect(readdirSync(join(cwd, 'specs'))).toEqual(['a.json']);
    expect(readdirSync(cwd)).not.toContain('x.xml');
  });

  it('may both go nowhere', async () => {
    expect((await at('check specs/a.json --epsilon 9 -o /dev/null --report junit=/dev/null')).code).toBe(0);
  });
});

describe('a file that holds a specification or a policy', () => {
  const OTHERS: readonly (readonly [string, string])[] = [
    ['specification.json', SPECIFICATION],
    ['late.json', '{\n  "mechanisms": [{"type": "dp", "epsilon": 1}],\n  "dpcompose": "1"\n}'],
    ['wrong.json', '{"dpcompose": 1, "mechanisms": ['],
    ['policy.yaml', 'dpcompose: 1\nscopes: []\n'],
    ['late.yaml', YAML],
    ['table', CSV],
    ['many.ndjson', `${SPECIFICATION}\n${SPECIFICATION}\n`],
    ['budgets.yaml', 'dpcompose: 1\nledgers:\n  - name: all\n    epsilon: 1\n'],
    ['events.json', EVENTS],
    ['history.json', '[[1.1, 0.01, 10]]'],
  ];

  it.each(OTHERS)('is overwritten only with --force: %s', async (name, text) => {
    put(name, text);
    const run = await at(`compose a.json -o ${name}`);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('--force');
    expect(get(name)).toBe(text);
    expect(await at(`compose a.json -o ${name} --force`)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(get(name)).toContain('dp-optimal');
  });

  it('is no result of an earlier run, which is replaced', async () => {
    for (const line of [
      'compose a.json --json',
      'schema spec',
      'curve a.json --count 1:3 --format csv',
      'statement a.json',
    ])
      for (const round of [1, 2])
        expect({ line, round, ...(await at(`${line} -o x`)) }).toMatchObject({ code: 0, stderr: '' });
  });

  it('is not a ledger, which is never overwritten', async () => {
    await at('ledger init ledger.jsonl --epsilon 1 -q');
    const before = get('ledger.jsonl');
    for (const force of ['', ' --force']) {
      expect((await at(`compose a.json -o ledger.jsonl${force}`)).code).toBe(2);
      expect((await at(`ledger status ledger.jsonl -o ledger.jsonl${force}`)).code).toBe(2);
    }
    expect(get('ledger.jsonl')).toBe(before);
  });
});

describe('a file that is kept', () => {
  it('is never overwritten, beside a ledger, of anchors, or of keys', async () => {
    await at('ledger init ledger.jsonl --epsilon 1 -q');
    await at('ledger anchor ledger.jsonl -o anchors.jsonl');
    put('ledger.jsonl.aside', '{"seq":1,');
    put('.ledger.jsonl.checkpoint', 'damaged');
    put('key.pem', '-----BEGIN PRIVATE KEY-----\n');
    put('other.db', 'SQLite format 3\0');
    const files = ['.ledger.jsonl.stamp', '.ledger.jsonl.checkpoint', 'ledger.jsonl.aside', 'anchors.jsonl'];
    for (const file of [...files, 'key.pem', 'other.db']) {
      const before = get(file);
      for (const line of [
        `compose a.json --force -o`,
        'ledger status ledger.jsonl -o',
        'ledger anchor ledger.jsonl -o',
      ])
        expect({ file, line, code: (await at(`${line} ${file}`)).code }).toEqual({ file, line, code: 2 });
      expect((await at(`check specs/a.json --epsilon 9 --force --report junit=${file}`)).code).toBe(2);
      expect(get(file)).toBe(before);
    }
    expect((await at('ledger anchor ledger.jsonl --append anchors.jsonl')).code).toBe(0);
    expect((await at('ledger anchor ledger.jsonl --append key.pem')).code).toBe(2);
  });

  it('may have any name where nothing is in it yet', async () => {
    put('new.aside', '');
    expect((await at('compose a.json -o new.aside')).code).toBe(0);
  });
});
