import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What happens to the connection on which a statement is sent: it is cut before the server hears of it, with it on its way, or
 * once the server has answered, which nobody hears. */
export type Cut = 'before' | 'under-way' | 'before-answer';

const SOCKET = '.s.PGSQL.5432';

/** Something between clients and a server that cuts connections at a statement that is waited for. */
export class CuttingProxy {
  readonly folder: string;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #next: { readonly statement: string; readonly how: Cut } | null = null;
  #isClosed = false;
  /** Cuts that were made. */
  cuts = 0;

  private constructor(target: string, folder: string) {
    this.folder = folder;
    this.#server = createServer((client) => {
      const server = connect(join(target, SOCKET));
      for (const socket of [client, server]) {
        this.#open.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          this.#open.delete(socket);
          client.destroy();
          server.destroy();
        });
      }
      if (this.#isClosed) client.destroy();
      let isDeaf = false;
      server.on('data', (data) => {
        if (isDeaf) client.destroy();
        else client.write(data);
      });
      client.on('data', (data) => {
        const next = this.#next;
        if (next === null || !data.includes(next.statement)) {
          server.write(data);
          return;
        }
        this.#next = null;
        this.cuts++;
        switch (next.how) {
          case 'before':
            client.destroy();
            break;
          case 'under-way':
            server.write(data, () => server.end());
            client.destroy();
            break;
          case 'before-answer':
            isDeaf = true;
            server.write(data);
        }
      });
    });
  }

  /** A proxy for the server whose socket is in a folder. */
  static async before(target: string): Promise<CuttingProxy> {
    const folder = mkdtempSync(join(tmpdir(), 'dpcompose-cut-'));
    const proxy = new CuttingProxy(target, folder);
    await new Promise<void>((resolve) => proxy.#server.listen(join(folder, SOCKET), resolve));
    return proxy;
  }

  /** Cuts the next connection on which this is sent; nobody is let in afterwards if it is `closed` then. */
  cutAt(statement: string, how: Cut): void {
    this.#next = { statement, how };
  }

  /** Lets nobody in from now on, or lets them in again. */
  set closed(isClosed: boolean) {
    this.#isClosed = isClosed;
  }

  async stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
