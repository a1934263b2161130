import { readFileSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './address.ts';

// `pg` reads the same variable and the same file, says that it will not in its next major version, and not why it found nothing.

/** As whom a connection is made, and where to. */
export interface Login {
  readonly host: string;
  readonly port: number;
  readonly database: string | undefined;
  readonly user: string | undefined;
}

/** A line of a password file, in which a backslash makes the next character an ordinary one. */
const LINE = /^((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):((?:\\.|[^:\\])*):(.+)$/;

/** The password of the first line that matches: `HOST:PORT:DATABASE:USER:PASSWORD`, each of the first four perhaps `*`. */
export function passwordIn(content: string, { host, port, database, user }: Login): string | null {
  const wanted = [host, String(port), database, user];
  for (const line of content.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const [, ...fields] = (LINE.exec(line) ?? []).map((field) => field.replace(/\\(.)/g, '$1'));
    const password = fields.pop();
    if (password !== undefined && fields.every((field, i) => field === '*' || field === wanted[i])) return password;
  }
  return null;
}

function passwordFile({ PGPASSFILE = '', APPDATA, HOME }: Environment): string | null {
  if (PGPASSFILE !== '') return PGPASSFILE;
  if (platform() === 'win32') return APPDATA === undefined ? null : join(APPDATA, 'postgresql', 'pgpass.conf');
  return HOME === undefined ? null : join(HOME, '.pgpass');
}

/** Group and others. */
const ANYBODY = 0o077;

/** Thrown where a server wants a password and none is there. */
export class PasswordMissing extends Error {
  constructor(why: string) {
    super(`it wants a password: PGPASSWORD is not set, and ${why}`);
  }
}

/**
 * The password of a login: `PGPASSWORD`, or that of a line in the password file (`PGPASSFILE`, else `~/.pgpass`), which is
 * not looked into where others than its owner may read it.
 *
 * Source: PostgreSQL documentation, "The Password File".
 */
export function passwordOf(login: Login, env: Environment): string {
  const { PGPASSWORD = '' } = env;
  if (PGPASSWORD !== '') return PGPASSWORD;
  const file = passwordFile(env);
  if (file === null) throw new PasswordMissing('nothing says where a password file is');
  let password;
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isFile() !== true) throw new PasswordMissing(`the file ${file} is not there`);
    if (platform() !== 'win32' && (found.mode & ANYBODY) !== 0)
      throw new PasswordMissing(`the file ${file} was passed over, as others than its owner may read it`);
    password = passwordIn(readFileSync(file, 'utf8'), login);
  } catch (error) {
    throw error instanceof PasswordMissing ? error : new PasswordMissing(`the file ${file} cannot be read`);
  }
  if (password === null) throw new PasswordMissing(`the file ${file} has no line for this login`);
  return password;
}
