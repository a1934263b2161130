import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PAGE_PORT } from '../output/link.ts';
import { declaredCommand } from './kit/command.ts';
import { EXIT, hasCode, writeStdout } from './kit/io.ts';
import { inGroup, wholeOption } from './kit/option.ts';
import { UsageError } from './kit/usage-error.ts';

const HOST = '127.0.0.1';

const OPTIONS = inGroup('Server:', {
  port: wholeOption('--port <N>', `port on ${HOST}; 0 for any free one (default: ${PAGE_PORT})`, '8080', 0, 65535),
});

const EXAMPLES = `
Prints the address of the page, and serves it to this machine until Ctrl-C. The
page computes in the browser, and sends nothing. It works from any static host
too: it is one file, dist/page/index.html of the package.

Examples:
  dpcompose page
  dpcompose compose privacy.json --link`;

/** What a browser may do with the page besides what it says of itself. */
const HEADERS = {
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
};

/** Answers with the page under its two names, and with nothing else: no name is looked up on the disk. */
const pageOnly =
  (page: Buffer): RequestListener =>
  ({ method, url = '' }, response) => {
    const plain = { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' };
    if (method !== 'GET' && method !== 'HEAD') {
      response.writeHead(405, { ...plain, Allow: 'GET, HEAD' }).end('Only GET and HEAD.\n');
    } else if (['/', '/index.html'].includes(url.replace(/\?.*/s, ''))) {
      const type = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': page.length };
      response.writeHead(200, { ...HEADERS, ...type }).end(method === 'HEAD' ? undefined : page);
    } else {
      response.writeHead(404, plain).end('There is one page: /\n');
    }
  };

/** Listens on a port of this machine alone. */
async function listen(server: Server, port: number): Promise<AddressInfo> {
  try {
    server.listen(port, HOST);
    await once(server, 'listening');
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE', 'EACCES')) throw error;
    const message = `port ${String(port)} is in use, or only an administrator may use it`;
    const hint = 'Add --port 0 for any free port.';
    throw new UsageError([{ code: 'no-port', path: '--port', message, hint }]);
  }
  return server.address() as AddressInfo;
}

/** `dpcompose page`: the page for browsers, served to this machine. */
export const pageCommand = declaredCommand<typeof OPTIONS, readonly []>(
  {
    name: 'page',
    about: 'Serves a page for browsers that composes mechanisms without installation, to this machine only.',
    options: OPTIONS,
    examples: EXAMPLES,
  },
  null,
  async ({ flags: { port = PAGE_PORT }, errors, io, installation }) => {
    if (errors.length > 0) throw new UsageError(errors);
    if (installation.page === undefined) throw new Error('nothing says where the page is');
    const server = createServer(pageOnly(readFileSync(installation.page)));
    const address = await listen(server, port);
    await writeStdout(io, `http://${HOST}:${String(address.port)}/\n`);
    await once(server, 'close');
    return EXIT.done;
  },
);
