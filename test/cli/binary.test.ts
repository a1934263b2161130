import { spawn, spawnSync, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { open, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// The built program as its users run it; `npm test` builds it first.

const BINARY = join(import.meta.dirname, '../../bin/dpcompose.js');
const COMPOSE = 'compose -m dp:epsilon=0.1,count=100 --delta 1e-6';

/** util-linux has a program that runs another one on a terminal. */
const HAS_TERMINAL = spawnSync('script', ['--version']).status === 0;

interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(line: string, options: SpawnOptions = {}) {
  const environment = { ...process.env, ...options.env };
  delete environment.FORCE_COLOR;
  delete environment.NO_COLOR;
  return spawn(process.execPath, [BINARY, ...line.split(' ')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
    env: { ...environment, ...options.env },
  });
}

async function run(line: string, options?: SpawnOptions): Promise<Ending> {
  const child = start(line, options);
  const [stdout, stderr, [code, signal]] = await Promise.all([
    child.stdout === null ? '' : text(child.stdout),
    child.stderr === null ? '' : text(child.stderr),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { code, signal, stdout, stderr };
}

async function shell(script: string): Promise<Ending> {
  const child = spawn('bash', ['-c', script.replace(/\bdpcompose /g, `"${process.execPath}" "${BINARY}" `)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { code, signal, stdout, stderr };
}

describe('the program', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dpcompose-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('says in its help where it is documented', async () => {
    for (const line of ['--help', 'compose --help', 'ledger spend --help']) {
      const { stdout } = await run(line);
      const [, path] = /\nDocumentation: man dpcompose, and (.*)\n$/.exec(stdout) ?? [];
      expect(await readFile(path ?? '', 'utf8')).toMatch(/^# dpcompose\n/);
    }
  });

  it('does the main job on the example of the README', async () => {
    const { code, stdout, stderr } = await run('compose fixtures/dashboard.json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^quarterly dashboard\n/);
    expect(stdout).toContain('The composition of these 97 mechanisms');
  });

  it('has no colour in a pipe, and has it when forced', async () => {
    expect((await run(COMPOSE)).stdout).not.toContain('\u001b');
    expect((await run(COMPOSE, { env: { FORCE_COLOR: '1' } })).stdout).toContain('\u001b[');
    expect((await run(COMPOSE, { env: { NO_COLOR: '1' } })).stdout).not.toContain('\u001b');
  });

  it('reads standard input from a pipe and gives one document to the next program', async () => {
    const { code, stdout } = await shell('cat fixtures/dashboard.json | dpcompose compose - --json | cat');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'dpcompose.compose/1', input: { name: 'quarterly dashboard' } });
  });

  describe('with more output than a pipe holds', () => {
    const release = (): string => join(folder, 'release.json');
    beforeAll(async () => {
      const entries = Array.from({ length: 30_000 }, () => '{ "type": "dp", "epsilon": "0.001" }');
      await writeFile(release(), `{ "dpcompose": 1, "mechanisms": [${entries.join(',')}] }`);
    });

    it('writes all of it to a slow reader', async () => {
      const { stdout } = await shell(`dpcompose validate ${release()} --json | { sleep 0.5; cat; }`);
      expect(stdout.length).toBeGreaterThan(3_000_000);
      expect(JSON.parse(stdout)).toMatchObject({ valid: true });
    });

    it('does not mind a reader who has seen enough', async () => {
      const script = `set -o pipefail; dpcompose validate ${release()} --json | head -c 10 > /dev/null; echo $?`;
      expect(await shell(script)).toMatchObject({ stdout: '0\n', stderr: '' });
    });
  });

  it('compares what is fixed in advance with what is adaptively chosen', async () => {
    const { code, stdout, stderr } = await run('gap --each 0.1 --count 10 --delta 1e-6');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/need 0\.8\d* to 0\.8\d*% more epsilon here\.\n$/);
    const wrong = await run('gap --each 0.1 --count 1:9000 --delta 1e-6');
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toBe(
      'error: --count: must have at most 1,000 values, got 9000. Take a larger step, or ask in several parts.\n',
    );
  });

  it('does not mind a reader who only wants the header', async () => {
    for (const format of ['table', 'json', 'csv']) {
      const line = `gap --each 0.1 --count 1:1000 --epsilon 200 --format ${format}`;
      const seen = await shell(`set -o pipefail; dpcompose ${line} | head -n 1; echo $?`);
      expect(seen).toMatchObject({ stdout: expect.stringMatching(/^.+\r?\n0\n$/) as string, stderr: '' });
    }
  });

  describe('where work is slow', () => {
    const hasty = (): string => join(folder, 'hasty.cjs');
    const line = 'dpcompose gap --each 0.5 --count 10:40:10 --delta 1e-6 --no-color';
    const table = /^Smallest epsilon .*\n\ncount +nonadaptive/;
    beforeAll(async () => {
      // A thousand times as much time goes by.
      const script = 'const now = performance.now.bind(performance); performance.now = () => 1000 * now();';
      await writeFile(hasty(), script);
    });

    it.skipIf(!HAS_TERMINAL)('shows on a terminal how far it is, and leaves no trace of it', async () => {
      const { stdout } = await shell(`NODE_OPTIONS='--require ${hasty()}' script -qec '${line}' /dev/null`);
      const [progress = '', ...rest] = stdout.replaceAll('\r\n', '\n').split(/\r +\r/);
      expect(progress).toMatch(/^(\rrow \d of 4: \d+% {2}\d+ s *)+$/);
      expect(rest).toHaveLength(1);
      expect(rest[0]).toMatch(table);
    });

    it('shows nothing of it elsewhere', async () => {
      const { stdout, stderr } = await shell(`NODE_OPTIONS='--require ${hasty()}' ${line}`);
      expect(stdout).toMatch(table);
      expect(stderr).toBe('');
    });
  });

  it('does not mind a closed standard output', async () => {
    expect(await shell(`dpcompose ${COMPOSE} >&-`)).toMatchObject({ code: 0, stderr: '' });
  });

  it('says so when standard output is full', async () => {
    const { code, stderr } = await shell(`dpcompose ${COMPOSE} > /dev/full`);
    expect(code).toBe(74);
    expect(stderr).toBe('dpcompose: standard output cannot be written: no space left on device\n');
  });

  it('survives a full standard error', async () => {
    expect(await shell('dpcompose compose missing.json 2> /dev/full')).toMatchObject({ code: 2 });
  });

  it('says so when a directory is given for a file, and when standard input is empty', async () => {
    expect(await run('compose . --delta 0')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('directory') as string,
    });
    const empty = await run('compose - --delta 0');
    expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('the document is empty') as string });
  });

  it('reads binary junk without choking on it', async () => {
    const handle = await open(process.execPath);
    const { buffer } = await handle.read({ buffer: Buffer.alloc(100_000) });
    await handle.close();
    await writeFile(join(folder, 'junk'), buffer);
    const { code, stdout, stderr } = await run(`compose ${join(folder, 'junk')} --delta 0`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^error: .*\n$/);
  });

  it('stops on Ctrl-C while it waits for input, as 130 for a shell', async () => {
    const child = start('compose - --delta 0', { stdio: ['pipe', 'pipe', 'pipe'] });
    const ended = once(child, 'close');
    setTimeout(() => child.kill('SIGINT'), 500);
    expect(await ended).toEqual([null, 'SIGINT']);
    // What bash starts in the background ignores the signal until node has begun: it is sent until it is heard.
    const seen = await shell(
      `mkfifo ${folder}/never; exec 3<> ${folder}/never; dpcompose compose - --delta 0 <&3 & p=$!
       while kill -INT $p; do sleep 0.1; done 2> /dev/null; wait $p; echo $?`,
    );
    expect(seen.stdout).toBe('130\n');
  });

  it('shows where an internal error comes from in the source, when asked', async () => {
    const broken = join(folder, 'broken.cjs');
    const script = `process.env = new Proxy(process.env, { get(env, key) { if (key === 'NO_COLOR') throw new Error('boom'); return env[key]; } });`;
    await writeFile(broken, script);
    const line = ['--require', broken, BINARY, ...COMPOSE.split(' ')];
    const child = spawn(process.execPath, [...line, '--debug'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close') as Promise<[number]>]);
    expect(code).toBe(70);
    expect(stderr).toContain('src/cli/kit/destination.ts');
  });

  describe('given 50 MB', () => {
    const entry =
      '{ "type": "dp", "epsilon": "0.001", "delta": 0, "label": "one of very many counts of a large release" },\n';
    const copies = Math.ceil(50_000_000 / entry.length);
    const head = '{ "dpcompose": 1, "target": { "delta": "1e-6" }, "mechanisms": [\n';
    const last = '{ "type": "dp", "epsilon": "0.001" }';

    it('reads a valid document', async () => {
      const file = join(folder, 'large.json');
      await writeFile(file, `${head}${entry.repeat(copies)}${last}]}`);
      const { code, stdout, stderr } = await run(`validate ${file}`);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`mechanisms in ${(copies + 1).toLocaleString('en')} entries`);
    });

    it('finds the mistake in a broken one', async () => {
      const file = join(folder, 'broken.json');
      await writeFile(file, `${head}${entry.repeat(copies)}${last}`);
      const { code, stdout, stderr } = await run(`validate ${file}`);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('the document ends in the middle');
    });
  });

  it('is published with the schemas it is described by', async () => {
    const { stdout } = await run('schema compose');
    expect(JSON.parse(await readFile('dist/schema/compose.json', 'utf8'))).toEqual(JSON.parse(stdout));
  });
});
