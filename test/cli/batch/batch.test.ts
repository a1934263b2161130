import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';

// With the built program: the work is done in threads, which run a file of their own.

const BINARY = join(import.meta.dirname, '../../../bin/dpcompose.js');

function start(words: readonly string[]) {
  return spawn(process.execPath, [BINARY, 'batch', ...words], { stdio: ['pipe', 'pipe', 'pipe'] });
}

async function batch(input: string | Uint8Array, ...words: readonly string[]) {
  const child = start(words);
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  const lines = stdout.split('\n');
  expect(lines.pop()).toBe('');
  return { code, stdout, stderr, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

async function shell(script: string): Promise<string> {
  const child = spawn('bash', ['-c', script.replace(/\bdpcompose /g, `"${process.execPath}" "${BINARY}" `)]);
  const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return stdout;
}

const line = (epsilon: string, more: object = {}): string =>
  JSON.stringify({ dpcompose: 1, target: { delta: '1e-6' }, mechanisms: [{ type: 'dp', epsilon, count: 3 }], ...more });

const MANY = Array.from({ length: 500 }, (_, i) =>
  i % 50 === 7 ? 'not JSON' : line((0.01 + (i % 40) / 1000).toFixed(3), { id: i }),
).join('\n');

describe('dpcompose batch', () => {
  it('answers every line in its place, the same with any number of threads', async () => {
    const [one, two, five] = await Promise.all(['1', '2', '5'].map((jobs) => batch(MANY, '-', '--jobs', jobs)));
    expect(one!.code).toBe(2);
    expect(one!.stderr).toBe('490 lines answered and 10 lines wrong.\n');
    expect(one!.lines.map((each) => each.line)).toEqual(Array.from({ length: 500 }, (_, i) => i + 1));
    expect(two!.stdout).toBe(one!.stdout);
    expect(five!.stdout).toBe(one!.stdout);
  });

  it('says of a file with one specification on several lines what it is, once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dpcompose-batch-'));
    const file = join(folder, 'one.json');
    writeFileSync(file, JSON.stringify(JSON.parse(line('0.1')), null, 2));
    const { code, stdout, stderr } = await batch('', file);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      `error: ${file}: is one specification on 13 lines. Write each specification on one line; jq -c . ${file} does so.\n`,
    );
    rmSync(folder, { recursive: true });
  });

  it('takes a byte order mark, carriage returns, blank lines, and a last line without an end', async () => {
    const { code, lines } = await batch(`\ufeff${line('0.1')}\r\n\r\n\n${line('0.2')}`, '-');
    expect({ code, lines: lines.map((each) => each.line) }).toEqual({ code: 0, lines: [1, 4] });
    expect(await batch('', '-')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('takes binary junk and very long lines as wrong lines, and goes on', async () => {
    const long = `{"dpcompose": 1, "name": "${'x'.repeat(50 * 2 ** 20)}"}\n`;
    const junk = Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x80, 0x0a]);
    const input = Buffer.concat([junk, Buffer.from(long), Buffer.from(line('0.1'))]);
    const { code, lines } = await batch(input, '-');
    expect(code).toBe(2);
    expect(lines.map((each) => ('errors' in each ? (each.errors as { code: string }[])[0]!.code : 'answered'))).toEqual(
      ['not-text', 'not-text', 'missing-key', 'answered'],
    );
  });

  it('reads a pipe without being told to, and says so where nothing comes', async () => {
    expect(await batch(line('0.1'))).toMatchObject({ code: 0, lines: [{ line: 1 }] });
    expect(await batch('\n')).toMatchObject({ code: 2, stdout: '' });
  });

  it('prints nothing with --quiet, and ends with its code', async () => {
    expect(await batch(`${line('0.1')}\n{`, '--quiet')).toMatchObject({ code: 2, stdout: '', stderr: '' });
    expect(await batch(line('0.1'), '-q')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('adds to every line, and changes it', async () => {
    const { lines } = await batch(
      line('0.1'),
      '-m',
      'dp:epsilon=0.5',
      '--set',
      'mechanisms[0].count=1',
      '--bounds',
      'basic',
    );
    expect(lines[0]).toMatchObject({ answer: { epsilon: { upper: expect.closeTo(0.6, 12) as number } } });
    const wrong = await batch(line('0.1'), '--set', 'mechanisms[0].count=0');
    expect(wrong.lines[0]).toMatchObject({ errors: [{ path: '--set mechanisms[0].count', code: 'out-of-range' }] });
    const malformed = await batch(line('0.1'), '--set', 'count', '-m', 'dp', '--adaptive', '--nonadaptive');
    expect(malformed).toMatchObject({ code: 2, stdout: '' });
    for (const flag of ['--set', '-m #1 epsilon', '--adaptive']) expect(malformed.stderr).toContain(`error: ${flag}: `);
  });

  it('ends with 3 where a line is refused, and with 1 where one is warned of and --strict is given', async () => {
    const refused = line('0.1', { adaptivity: 'parameters' });
    expect((await batch(`${refused}\n${line('0.1')}`, '-')).code).toBe(3);
    expect((await batch(`${refused}\n{`, '-')).code).toBe(2);
    const warned = line('0.1', { mechanisms: [{ type: 'dp', epsilon: 1, delta: '1e-3' }] });
    expect((await batch(warned, '-', '--strict')).code).toBe(1);
    expect((await batch(warned, '-')).code).toBe(0);
  });

  it('asks every line for what the command line says', async () => {
    const { lines } = await batch(line('0.1'), '-', '--epsilon', '0', '--bounds', 'basic');
    expect(lines[0]).toMatchObject({ query: { solveFor: 'delta', epsilon: 0 }, answer: { bound: 'basic' } });
  });

  it('says what is wrong with the command line, and with the file', async () => {
    const { code, stderr } = await batch('', 'nowhere.ndjson', '--jobs', '0', '--delta', '2', '--bounds', 'best');
    expect(code).toBe(2);
    for (const flag of ['--jobs', '--delta', '--bounds']) expect(stderr).toContain(`error: ${flag}: `);
    expect(await batch('', 'nowhere.ndjson')).toMatchObject({
      code: 2,
      stderr: 'error: nowhere.ndjson: file not found. Check the path, or give - for standard input.\n',
    });
  });

  it('answers as lines come, without waiting for the end', async () => {
    const child = start(['-']);
    child.stdin.write(`${line('0.1')}\n`);
    const [first] = (await once(child.stdout, 'data')) as [Buffer];
    expect(JSON.parse(first.toString())).toMatchObject({ line: 1 });
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  it('ends without a word where nobody reads on, and with 74 where nothing can be written', async () => {
    const endless = `yes '${line('0.1')}'`;
    expect(
      await shell(
        `set -o pipefail; (${endless} | { dpcompose batch -; echo "code $?" >&2; } | head -n 1 > /dev/null) 2>&1`,
      ),
    ).toBe('code 0\n');
    expect(await shell(`echo '${line('0.1')}' | dpcompose batch - > /dev/full 2> /dev/null; echo $?`)).toBe('74\n');
  });

  it('stops at Ctrl-C, after whole lines', async () => {
    const child = start(['-', '--jobs', '1']);
    child.stdin.on('error', () => undefined);
    const lines = `${line('0.1')}\n`.repeat(1000);
    const more = (): void => {
      while (child.stdin.writable && child.stdin.write(lines));
    };
    child.stdin.on('drain', more);
    more();
    let output = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    await once(child.stdout, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([null, 'SIGINT']);
    expect(output.endsWith('}\n')).toBe(true);
  });
});
