import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BOUND_IDS } from '../../src/bounds/core/bound.ts';
import { violations } from '../output/schema.ts';
import { mistakes, run, type } from './run.ts';

const DELTA = '--delta 1e-6';

describe('a wrong command line', () => {
  it.each([
    ['compose --delta 1e-6', 'SPEC: no-input'],
    ['compose -m dp:epsilon=0.1', '--delta: no-target'],
    ['compose -m dp:epsilon=0.1 --delta 1e-6 --epsilon 1', '--epsilon: two-targets'],
    ['compose -m dp:epsilon=0.1 --delta 2', '--delta: out-of-range'],
    ['compose -m dp:epsilon=0.1 --delta abc', '--delta: not-a-number'],
    ['compose -m dp:epsilon=-0.1 --delta 1e-6', '-m #1 epsilon: out-of-range'],
    ['compose -m dp:epsilon=NaN --delta 1e-6', '-m #1 epsilon: not-finite'],
    ['compose -m dp:epsilon=0.1,count=0 --delta 1e-6', '-m #1 count: out-of-range'],
    ['compose -m dp:epsilon=0.1,count=1.5 --delta 1e-6', '-m #1 count: not-whole'],
    ['compose -m dp:epsilom=0.1 --delta 1e-6', '-m #1 epsilom: unknown-key'],
    ['compose -m dpp:epsilon=0.1 --delta 1e-6', '-m #1 type: unknown-type'],
    ['compose -m dp:epsilon=0.1 --delta 1e-6 --bounds bassic', '--bounds: unknown-bound'],
    ['compose -m dp:epsilon=0.1 --delta 1e-6 --bounds ,', '--bounds: unknown-bound'],
    ['compose -m dp:epsilon=0.1 --delta 1e-6 --tolerance 0', '--tolerance: out-of-range'],
    ['compose -m dp:epsilon=0.1 --delta 1e-6 --tolerance -1', '--tolerance: out-of-range'],
    ['compose -m dp:epsilon=0.1 --delta 1e-6 --max-seconds soon', '--max-seconds: not-a-number'],
    ['compose -m dp:epsilon=0.1 --delta 1e-6 --format xml', '--format: unknown-value'],
    ['compose -m dp:epsilon=0.1 --delta 1e-6 --format table', '--format: conflicting-options'],
    ['compose a.json b.json', 'compose: excess-arguments'],
    ['compose --dleta 1e-6', '--dleta: unknown-option'],
    ['compos -m dp:epsilon=0.1', 'compos: unknown-command'],
    ['compose missing.json --delta 1e-6', 'missing.json: no-such-file'],
    ['compose src --delta 1e-6', 'src: is-a-directory'],
    ['validate missing.json', 'missing.json: no-such-file'],
    ['validate', 'SPEC: no-input'],
    ['gap', '--each: missing-option'],
    ['gap --each 0.1 --delta 1e-6', '--count: missing-option'],
    ['gap --each 0.1 --count 10', '--delta: no-target'],
    ['gap --each 0.1 --count 10 --delta 1e-6 --epsilon 1', '--epsilon: two-targets'],
    ['gap --each 0.1,0.2 --count 10 --delta 1e-2:1e-6', '--delta: two-series'],
    ['gap --each 0 --count 10 --delta 1e-6', '--each: out-of-range'],
    ['gap --each 0.1 --count 0:5 --delta 1e-6', '--count: out-of-range'],
    ['gap --each 0.1 --count 1:5:0.5 --delta 1e-6', '--count: out-of-range'],
    ['gap --each 0.1 --count 1:5000 --delta 1e-6', '--count: too-many-values'],
    ['gap --each 0.1 --count 10 --delta 2', '--delta: out-of-range'],
    ['gap --each 0.1 --count 10 --delta 1e-2:0', '--delta: out-of-range'],
    ['gap --each 0.1 --count 10 --epsilon 0:1:0.1:2', '--epsilon: malformed-range'],
    ['gap --each 0.1 --count ten --epsilon 1', '--count: not-a-number'],
    ['gap --each 0.1 --count 10 --epsilon 1 --tolerance 2', '--tolerance: out-of-range'],
    ['gap --each 0.1 --count 10 --epsilon 1 --format cvs', '--format: unknown-value'],
    ['gap privacy.json', 'gap: excess-arguments'],
  ])('%s', async (line, expected) => {
    const json = await type(`${line} --json`);
    expect(json.code).toBe(2);
    expect(violations('error', json.stdout)).toEqual([]);
    expect(mistakes(json)).toContain(expected);
    expect(json.stderr).toMatch(/^error: /);
    if (line.includes('--format')) return;
    const plain = await type(line);
    expect(plain).toMatchObject({ code: 2, stdout: '' });
    expect(plain.stderr).toMatch(/^error: .*: .*\. /);
    expect(plain.stderr).not.toMatch(/\n {4}at /);
  });

  it('has all its mistakes reported at once', async () => {
    const line = 'compose -m dp:epsilon=-1 -m gaussian:sigma=0 --delta 2 --tolerance 5 --bounds x --json';
    expect(mistakes(await type(line)).sort()).toEqual([
      '--bounds: unknown-bound',
      '--delta: out-of-range',
      '--tolerance: out-of-range',
      '-m #1 epsilon: out-of-range',
      '-m #2 sigma: out-of-range',
    ]);
  });

  it('has all mistakes of gap reported at once', async () => {
    const line = 'gap --each x --count 1,2,0 --delta 0.1,0.2,5 --epsilon 1 --tolerance 5 --max-seconds soon --json';
    expect(mistakes(await type(line)).sort()).toEqual([
      '--count: out-of-range',
      '--delta: out-of-range',
      '--delta: two-series',
      '--each: not-a-number',
      '--epsilon: two-targets',
      '--max-seconds: not-a-number',
      '--tolerance: out-of-range',
    ]);
  });

  it('is told of an option without its value', async () => {
    const { code, stderr } = await type('compose -m dp:epsilon=0.1 --json --delta');
    expect(code).toBe(2);
    expect(stderr).toBe("error: --delta: option '--delta <D>' argument missing. To list the options, add --help.\n");
  });

  it('is told what was probably meant', async () => {
    expect((await type('compos')).stderr).toContain('Did you mean compose?');
    expect((await type('compose --dleta 1')).stderr).toContain('Did you mean "--delta"?');
    expect((await type(`compose -m dp:epsilon=1 ${DELTA} --bounds bassic`)).stderr).toContain('Did you mean "basic"?');
    expect((await type('privacy.json')).stderr).toContain('dpcompose compose privacy.json');
    expect((await type('schema compse')).stderr).toContain('Did you mean "compose"?');
  });

  it('gets the list of bounds for a bound that does not exist', async () => {
    const { stderr } = await type(`compose -m dp:epsilon=1 ${DELTA} --bounds x`);
    expect(stderr).toContain(`The bounds are ${BOUND_IDS.join(', ')}.`);
  });

  it('gets a short help when nothing is given to read', async () => {
    expect((await type('compose')).stderr).toMatch(/^error: SPEC: no input to read.*\n\nUsage: dpcompose compose SPEC/);
    const terminal = await type(`compose - ${DELTA}`, { terminal: true, env: { NO_COLOR: '1' } });
    expect(terminal).toMatchObject({ code: 2, stdout: '' });
    expect(terminal.stderr).toMatch(/^error: -: standard input is a terminal.*\n\nUsage:/);
  });
});

describe('a wrong document', () => {
  const compose = (stdin: string | Uint8Array): ReturnType<typeof run> => run(['compose', '-', '--json'], { stdin });

  it.each([
    ['nothing', '', 'empty-document'],
    ['a truncated document', '{"dpcompose":1,"mechanisms":[{"type":"dp"', 'truncated-json'],
    ['a duplicate key', '{"dpcompose":1,"dpcompose":1,"mechanisms":[{"type":"dp","epsilon":1}]}', 'duplicate-key'],
    ['an empty list', '{"dpcompose":1,"mechanisms":[]}', 'empty-list'],
    ['a list of another kind', '[1,2]', 'wrong-type'],
    ['binary junk', Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 0x02, 0xff, 0x00]), 'not-text'],
    ['NaN', '{"dpcompose":1,"target":{"delta":NaN},"mechanisms":[{"type":"dp","epsilon":1}]}', 'invalid-json'],
    ['no target', '{"dpcompose":1,"mechanisms":[{"type":"dp","epsilon":1}]}', 'no-target'],
    [
      'two targets',
      '{"dpcompose":1,"target":{"delta":0,"epsilon":1},"mechanisms":[{"type":"dp","epsilon":1}]}',
      'two-targets',
    ],
    ['a version from the future', '{"dpcompose":2,"mechanisms":[{"type":"dp","epsilon":1}]}', 'unsupported-version'],
  ])('is recognised: %s', async (_, stdin, code) => {
    const failed = await compose(stdin);
    expect(failed.code).toBe(2);
    expect(violations('error', failed.stdout)).toEqual([]);
    expect(mistakes(failed).map((mistake) => mistake.split(': ').at(-1))).toContain(code);
    expect(failed.stderr).not.toMatch(/\n {4}at /);
  });

  it('is located by file, line and column', async () => {
    const stdin = '{\n  "dpcompose": 1,\n  "mechanisms": [\n    { "type": "dp", "epsilon": -1 }\n  ]\n}';
    const { stderr } = await type(`compose - ${DELTA}`, { stdin });
    expect(stderr).toMatch(/^error: standard input:4:\d+: mechanisms\[0\]\.epsilon: epsilon must be .* got -1\. /);
  });
});

describe('a large document', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dpcompose-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is reported with its first mistakes and the number of the others', async () => {
    const entry = '{"type":"dp","epsilon":-1}';
    const file = join(folder, 'wrong.json');
    await writeFile(file, `{"dpcompose":1,"target":{"delta":0},"mechanisms":[${Array(1000).fill(entry).join(',')}]}`);
    const failed = await run(['validate', file, '--json']);
    expect(failed.code).toBe(2);
    expect(mistakes(failed)).toHaveLength(20);
    expect(JSON.parse(failed.stdout)).toMatchObject({ more: 980 });
    expect(failed.stderr).toMatch(/and 980 more\n$/);
  });
});
