import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

// A PostgreSQL server of our own, in a temporary folder, that nobody but its user can reach.

const DEBIAN = '/usr/lib/postgresql';

function isThere(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The folder with the programs of a server; null where none is installed. */
export function binaries(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  const programs = ['postgres', 'initdb', 'pg_dump', 'psql'];
  return folders.find((folder) => programs.every((program) => isThere(join(folder, program)))) ?? null;
}

const BINARIES = binaries();

/** The server does not run for root. */
function unprivileged(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const found = ['postgres', 'nobody'].map((name) => users.find((line) => line.startsWith(`${name}:`))).find(Boolean);
  const [, , uid, gid] = (found ?? '').split(':').map(Number);
  return { uid: uid ?? 65534, gid: gid ?? 65534 };
}

const MEMORY = '/dev/shm';
const ROOM = 1 << 30;

/** Where the server keeps its files: in memory where there is room for it, as a disk may take its time for every record. */
function roomiest(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOM ? MEMORY : tmpdir();
}

/** Runs the server until its standard input ends, as it does when whoever started it is gone, and then leaves nothing behind. */
const GUARD = `
trap '' INT TERM HUP
"$1"/postgres -D "$2"/data -k "$2" -c listen_addresses= >> "$2"/log 2>&1 < /dev/null &
server=$!
read -r line
kill -QUIT $server 2> /dev/null
wait $server
[ "$line" = restart ] || rm -rf "$2"`;

const SETTINGS = `
fsync = on
max_connections = 120
shared_buffers = 16MB
autovacuum_naptime = 1h
password_encryption = 'scram-sha-256'
`;

/** Who may come in: everybody, but the role `secret` only with a password. */
const ADMITTED = `
local all secret scram-sha-256
local all all trust
`;

export const SUPERUSER = 'dpc_super';

/** A server. */
export class TestServer {
  readonly folder: string;
  #guard: ChildProcess | null = null;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** Makes a server and starts it. */
  static async start(where: 'anywhere' | 'disk' = 'anywhere'): Promise<TestServer> {
    const folder = mkdtempSync(join(where === 'disk' ? tmpdir() : roomiest(), 'dpcompose-pg-'));
    const { uid, gid } = unprivileged();
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    const server = new TestServer(folder);
    server.run('initdb', [
      '-D',
      join(folder, 'data'),
      '-U',
      SUPERUSER,
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '-N',
    ]);
    writeFileSync(join(folder, 'data/postgresql.auto.conf'), SETTINGS);
    writeFileSync(join(folder, 'data/pg_hba.conf'), ADMITTED);
    await server.begin();
    return server;
  }

  /** Runs a program of the server to its end; returns what it prints. */
  run(program: string, words: readonly string[], input?: string): string {
    const { status, stdout, stderr } = spawnSync(join(BINARIES!, program), words, {
      ...unprivileged(),
      cwd: this.folder,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      ...(input === undefined ? {} : { input }),
    });
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
    return stdout;
  }

  /** Starts it, and returns when it takes connections. */
  async begin(): Promise<void> {
    const words = ['-c', GUARD, 'sh', BINARIES!, this.folder];
    const guard = spawn('sh', words, { ...unprivileged(), cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] });
    guard.stdin.on('error', () => undefined);
    // It ends with this process, and is not waited for.
    guard.unref();
    (guard.stdin as unknown as { unref(): void }).unref();
    this.#guard = guard;
    for (;;) {
      if (guard.exitCode !== null)
        throw new Error(`The server did not start: ${readFileSync(join(this.folder, 'log'), 'utf8')}`);
      try {
        await this.sql('SELECT 1');
        return;
      } catch {
        await sleep(30);
      }
    }
  }

  /** The process of the server itself. */
  get #pid(): number {
    return Number(readFileSync(join(this.folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
  }

  /** Ends all of its processes at once, as a loss of power does; it is started again with \`begin\`. */
  async crash(): Promise<void> {
    const guard = this.#guard!;
    const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(this.#pid)], { encoding: 'utf8' }).stdout;
    process.kill(this.#pid, 'SIGKILL');
    for (const child of children.split('\n').map(Number)) {
      try {
        if (child > 0) process.kill(child, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
    const ended = once(guard, 'exit');
    guard.ref();
    guard.stdin!.end('restart\n');
    await ended;
  }

  /** Ends it, and removes all that there is of it. */
  async stop(): Promise<void> {
    const ended = once(this.#guard!, 'exit');
    this.#guard!.ref();
    this.#guard!.stdin!.end();
    await ended;
  }

  /** An address of a store on this server. */
  address({ user = SUPERUSER, database = 'postgres', schema = 'dpcompose' } = {}): string {
    return `postgres://${user}@/${database}?host=${this.folder}&schema=${schema}`;
  }

  /** A connection that is for tests to use. */
  async connect({ user = SUPERUSER, database = 'postgres' } = {}): Promise<pg.Client> {
    const client = new pg.Client({ user, database, host: this.folder });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** Makes transactions wait for another server, which there is none of, and returns when they do. */
  async awaitAnother(): Promise<void> {
    await this.sql(`ALTER SYSTEM SET synchronous_standby_names = 'another'`);
    await this.sql('SELECT pg_reload_conf()');
    // Its processes read their settings again one after the other.
    const probe = await this.connect();
    for (let cancelled = 0; cancelled === 0;) {
      const progress = { isDone: false };
      const ended = probe
        .query(`SELECT pg_logical_emit_message(true, 'test', '')`)
        .finally(() => (progress.isDone = true));
      while (!progress.isDone) {
        const rows = await this.sql(
          `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = ''`,
        );
        cancelled += rows.length;
      }
      await ended;
    }
    await probe.end();
  }

  /** Runs a statement as the superuser, or somebody else. */
  async sql(
    text: string,
    as: { readonly user?: string; readonly database?: string } = {},
  ): Promise<Record<string, unknown>[]> {
    const client = await this.connect(as);
    try {
      const { rows } = await client.query<Record<string, unknown>>(text);
      return rows;
    } finally {
      await client.end();
    }
  }
}
