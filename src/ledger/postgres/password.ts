import { readFileSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import { join } from 'node:path';

/** Variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** As whom a connection is made, and where to. */
export interface Login {
  readonly host: string;
  readonly port: number;
  readonly database: string | undefined;
  readonly user: string | undefined;
}

const FIELD = /((?:\\.|[^:\\])*)(?::|$)/y;

/** The fields of a line of a password file, in which a backslash makes the next character an ordinary one. */
function fieldsOf(line: string): string[] {
  const fields: string[] = [];
  FIELD.lastIndex = 0;
  while (fields.length < 4) {
    const field = FIELD.exec(line)?.[1];
    if (field === undefined || FIELD.lastIndex >= line.length) return [];
    fields.push(field.replace(/\\(.)/g, '$1'));
  }
  return [...fields, line.slice(FIELD.lastIndex).replace(/\\(.)/g, '$1')];
}

/** The password of the first line that matches: `HOST:PORT:DATABASE:USER:PASSWORD`, each of the first four perhaps `*`. */
export function passwordIn(content: string, { host, port, database, user }: Login): string | null {
  const wanted = [host, String(port), database, user];
  for (const line of content.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const [password, ...place] = fieldsOf(line).toReversed();
    if (password === undefined) continue;
    if (place.toReversed().every((field, i) => field === '*' || field === wanted[i])) return password;
  }
  return null;
}

function passwordFile(env: Environment): string | null {
  if (env.PGPASSFILE !== undefined) return env.PGPASSFILE;
  if (platform() === 'win32') return env.APPDATA === undefined ? null : join(env.APPDATA, 'postgresql', 'pgpass.conf');
  return env.HOME === undefined ? null : join(env.HOME, '.pgpass');
}

/** Group and others. */
const ANYBODY = 0o077;

/**
 * The password of a login: `PGPASSWORD`, or that of a line in the password file (`PGPASSFILE`, else `~/.pgpass`), which is
 * not looked into where others than its owner may read it. Null where there is none.
 *
 * Source: PostgreSQL documentation, "The Password File".
 */
export function passwordOf(login: Login, env: Environment): string | null {
  if (env.PGPASSWORD !== undefined) return env.PGPASSWORD;
  const file = passwordFile(env);
  const found = file === null ? undefined : statSync(file, { throwIfNoEntry: false });
  if (file === null || found?.isFile() !== true) return null;
  if (platform() !== 'win32' && (found.mode & ANYBODY) !== 0) return null;
  return passwordIn(readFileSync(file, 'utf8'), login);
}
