import { describe } from 'vitest';
import { binaries, TestServer } from './postgres-server.ts';

export { TestServer } from './postgres-server.ts';

const WANTED = process.env.DPCOMPOSE_POSTGRES;
const isThere = WANTED !== 'no' && binaries() !== null;
if (!isThere && WANTED === 'required') throw new Error('There is no PostgreSQL server here, and it is required.');
if (!isThere) process.stderr.write('PostgreSQL was left out: no server here.\n');

/** Tests that need a server: left out, and said so, where none is installed. `DPCOMPOSE_POSTGRES=required` makes that an error. */
export const describeWithServer: typeof describe = (isThere ? describe : describe.skip) as typeof describe;

let shared: Promise<TestServer> | null = null;

/** The server that the tests of a process share. */
export const sharedServer = (): Promise<TestServer> => (shared ??= TestServer.start());

let made = 0;

/** A name that nobody else on a server of this process has. */
export const newName = (): string => `t${made++}`;
