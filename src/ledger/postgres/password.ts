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
  const { PGPASSFILE = '' } = env;
  if (PGPASSFILE !== '') return PGPASSFILE;
  if (platform() === 'win32') return env.APPDATA === undefined ? null : join(env.APPDATA, 'postgresql', 'pgpass.conf');
  return env.HOME === undefined ? null : join(env.HOME, '.pgpass');
}

/** Group and others. */
const ANYBODY = 0o077;

/** The password of a login, or why there is none. */
export type FoundPassword =
  { readonly kind: 'password'; readonly password: string } | { readonly kind: 'missing'; readonly reason: string };

/** What a password file says of a login; the clause that says why it says nothing follows its name. */
function passwordFrom(file: string, login: Login): FoundPassword {
  const missing = (why: string): FoundPassword => ({ kind: 'missing', reason: `the file ${file} ${why}` });
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isFile() !== true) return missing('is not there');
    if (platform() !== 'win32' && (found.mode & ANYBODY) !== 0) {
      return missing('was passed over, as others than its owner may read it');
    }
    const password = passwordIn(readFileSync(file, 'utf8'), login);
    return password === null ? missing('has no line for this login') : { kind: 'password', password };
  } catch {
    return missing('cannot be read');
  }
}

/**
 * The password of a login: `PGPASSWORD`, or that of a line in the password file (`PGPASSFILE`, else `~/.pgpass`), which is
 * not looked into where others than its owner may read it.
 *
 * Source: PostgreSQL documentation, "The Password File".
 */
export function passwordOf(login: Login, env: Environment): FoundPassword {
  const { PGPASSWORD = '' } = env;
  if (PGPASSWORD !== '') return { kind: 'password', password: PGPASSWORD };
  const file = passwordFile(env);
  const found: FoundPassword =
    file === null ? { kind: 'missing', reason: 'nothing says where a password file is' } : passwordFrom(file, login);
  if (found.kind === 'password') return found;
  return { kind: 'missing', reason: `it wants a password: PGPASSWORD is not set, and ${found.reason}` };
}

/** Thrown where a server wants a password and none is there. */
export class PasswordMissing extends Error {}
