import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentIn } from '../../src/output/link.ts';
import { specificationOf } from '../document/helpers.ts';
import { mistakes, run, type } from './run.ts';

const ROOT = join(import.meta.dirname, '../..');
const BINARY = join(ROOT, 'bin/dpcompose.js');

const start = (...options: readonly string[]): ChildProcess =>
  spawn(process.execPath, [BINARY, 'page', ...options], { stdio: ['ignore', 'pipe', 'pipe'] });

describe('the server of the page', () => {
  let server: ChildProcess;
  let address = '';
  beforeAll(async () => {
    server = start('--port', '0');
    const [line] = (await once(server.stdout!, 'data')) as [Buffer];
    address = line.toString().trim();
  });
  afterAll(() => server.kill('SIGKILL'));

  /** An answer to a path that is sent as it stands, and its text. */
  async function asked(path: string, method = 'GET'): Promise<{ response: IncomingMessage; body: string }> {
    const sent = request({ host: '127.0.0.1', port: new URL(address).port, path, method });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { response, body: await text(response) };
  }

  it('prints an address of this machine, where the page is', async () => {
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const page = readFileSync(join(ROOT, 'dist/page/index.html'), 'utf8');
    for (const path of ['/', '/index.html', '/?from=mail']) expect((await asked(path)).body).toBe(page);
  });

  it('has nothing else, wherever a path leads', async () => {
    for (const path of ['/../package.json', '/..%2f..%2fpackage.json', '/package.json', '//etc/passwd', '/%00', '*']) {
      const { response, body } = await asked(path);
      expect([path, response.statusCode]).toEqual([path, 404]);
      expect(body).toBe('There is one page: /\n');
    }
  });

  it('answers GET and HEAD alone', async () => {
    const { response, body } = await asked('/', 'HEAD');
    expect([response.statusCode, body]).toEqual([200, '']);
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']) {
      const refused = await asked('/', method);
      expect([method, refused.response.statusCode, refused.response.headers.allow]).toEqual([method, 405, 'GET, HEAD']);
    }
  });

  it('lets no other page frame it or guess its type', async () => {
    const { headers } = (await asked('/')).response;
    expect(headers).toMatchObject({
      'content-security-policy': "frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-type': 'text/html; charset=utf-8',
    });
  });

  it('says what to do where the port is in use', async () => {
    const other = start('--port', new URL(address).port);
    const [code, stderr] = await Promise.all([
      once(other, 'exit').then(([exit]) => exit as number),
      text(other.stderr!),
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('Add --port 0 for any free port.');
  });

  it('ends with Ctrl-C', async () => {
    const own = start('--port', '0');
    await once(own.stdout!, 'data');
    own.kill('SIGINT');
    expect(await once(own, 'exit')).toEqual([null, 'SIGINT']);
  });

  it('takes ports that there are', async () => {
    expect(await type('page --port 65536')).toMatchObject({ code: 2, stdout: '' });
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const own = start('--port', String(port));
    expect(await once(own, 'exit')).toEqual([2, null]);
    taken.close();
  });
});

describe('the page', () => {
  const page = readFileSync(join(ROOT, 'dist/page/index.html'), 'utf8');

  it('names nothing outside itself', () => {
    const [head = ''] = page.split('<script type="application/json"');
    expect(head.replace(/<style>[^]*<\/style>/, '').match(/(?:src|href)="[^"]*"/g)).toEqual(['href="data:,"']);
    expect(page).toMatch(/http-equiv="Content-Security-Policy"\s+content="default-src 'none'; script-src 'sha256-/);
  });
});

describe('compose --link', () => {
  it.each(['dashboard', 'noise', 'live-dashboard', 'every-type', 'designs/histogram'])(
    'prints the address of %s: what it asks',
    async (name) => {
      const file = `fixtures/${name}.json`;
      const { code, stdout } = await run(['compose', '--link', file, '--delta', '1e-7']);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:8417\/#document=\S+\n$/);
      const { target, ...asked } = specificationOf(documentIn(stdout)!);
      const written = specificationOf(readFileSync(file, 'utf8'));
      expect({ ...asked, target: written.target }).toEqual(written);
      expect(String(target?.solveFor === 'epsilon' && target.delta)).toBe('1e-7');
    },
  );

  it('prints what compose answers, as it does a link of the page, by key and by line', async () => {
    const words = '-m gaussian:sigma=3,count=2 -m dp:epsilon=1/3 --delta 1e-6';
    const { stdout: link } = await type(`compose --link ${words}`);
    expect(await run(['compose', link.trim()])).toEqual(await type(`compose ${words}`));
    const wrong = `file:///page.html#document=${encodeURIComponent('{"dpcompose": 1,\n "mechanisms": 1}')}`;
    expect((await run(['compose', wrong, '--delta', '1e-6'])).stderr).toMatch(/^error: the link:2:\d+: mechanisms/);
  });

  it('takes the address of another page', async () => {
    const { stdout } = await type('compose --link=https://example.org/dp/#old -m dp:epsilon=1/3 --delta 1e-6');
    expect(stdout).toMatch(/^https:\/\/example\.org\/dp\/#document=/);
  });

  it('is no JSON', async () => {
    expect(mistakes(await type('compose --link -m gdp:mu=1 --delta 1e-6 --json'))).toEqual([
      '--link: conflicting-options',
    ]);
  });
});
