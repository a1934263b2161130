import { readFileSync, statSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { failed, type BadAddress, type Failed } from '../../fault.ts';
import { platform } from 'node:os';
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a PostgreSQL store is, and as whom; what is undefined is taken from the environment (`PGHOST`, `PGUSER` ...). */
export interface Address {
  readonly kind: 'address';
  /** As it is printed: nothing in it is secret. */
  readonly text: string;
  readonly user: string | undefined;
  /** A name, a number, or the folder of a socket. */
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly database: string | undefined;
  /** The PostgreSQL schema that the tables are in. */
  readonly schema: string;
  readonly tls: TlsOptions;
}

/** How the connection is encrypted, by the names that libpq has for it; paths of files in PEM. */
interface TlsOptions {
  readonly sslmode?: SslMode;
  readonly sslrootcert?: string;
  readonly sslcert?: string;
  readonly sslkey?: string;
}

const SSL_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

type SslMode = (typeof SSL_MODES)[number];

const DEFAULT_SCHEMA = 'dpcompose';

const FORM = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^@/?#]*))?(?:\?([^#]*))?$/i;
const HOST_AND_PORT = /^(\[[0-9a-f:.%]+\]|[^:,[\]]*)(?::(\d{1,5}))?$/i;
const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/i;
const SECRETS = ['password', 'sslpassword'];
const OPTIONS = ['host', 'port', 'user', 'dbname', 'schema', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'];

const bad = (problem: BadAddress['problem'], option: string | null = null): Failed<BadAddress> =>
  failed({ code: 'bad-address', problem, option });

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const orNone = (text: string | null | undefined): string | undefined =>
  text == null || text === '' ? undefined : text;

function optionsIn(query: string): ReadonlyMap<string, string> | Failed<BadAddress> {
  const options = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (SECRETS.includes(name)) return bad('password');
    if (!OPTIONS.includes(name)) return bad('unknown-option', name);
    if (options.has(name)) return bad('repeated-option', name);
    options.set(name, value);
  }
  return options;
}

function tlsIn(options: ReadonlyMap<string, string>): TlsOptions | Failed<BadAddress> {
  const sslmode = SSL_MODES.find((mode) => mode === options.get('sslmode'));
  if (options.has('sslmode') && sslmode === undefined) return bad('wrong-option', 'sslmode');
  const files = ['sslrootcert', 'sslcert', 'sslkey'].flatMap((name) => {
    const value = orNone(options.get(name));
    return value === undefined ? [] : [[name, value]];
  });
  return { ...(sslmode && { sslmode }), ...(Object.fromEntries(files) as TlsOptions) };
}

type Parts = Omit<Address, 'kind' | 'text'>;

function printed({ user, host, port, database, schema, tls }: Parts): string {
  const isSocket = host?.startsWith('/') === true;
  const at = user === undefined ? '' : `${encodeURIComponent(user)}@`;
  const name = isSocket || host === undefined ? '' : host.includes(':') ? `[${host}]` : encodeURIComponent(host);
  const query = [
    ...(isSocket ? [['host', host]] : []),
    ...(schema === DEFAULT_SCHEMA ? [] : [['schema', schema]]),
    ...Object.entries(tls),
  ].map(([key, value]) => `${key}=${encodeURIComponent(String(value)).replaceAll('%2F', '/')}`);
  return [
    `postgres://${at}${name}${port === undefined ? '' : `:${port}`}/`,
    encodeURIComponent(database ?? ''),
    query.length === 0 ? '' : `?${query.join('&')}`,
  ].join('');
}

/**
 * The parts of `postgres://USER@HOST:PORT/DATABASE?host=/folder/of/socket&schema=NAME&sslmode=...`, all of which may be left
 * out. One with a password is refused, as an address is seen by others: in lists of processes, in files, in messages. Nothing
 * of the text is in a fault, but for the name of an option.
 */
export function parseAddress(text: string): Address | Failed<BadAddress> {
  const [, userinfo, place = '', path, query = ''] = FORM.exec(text) ?? [];
  if (userinfo?.includes(':') === true) return bad('password');
  const [, name, digits] = HOST_AND_PORT.exec(place) ?? [];
  const options = optionsIn(query);
  if ('kind' in options) return options;
  const tls = tlsIn(options);
  if ('kind' in tls) return tls;
  const [user, host, database] = [userinfo ?? '', name ?? '', path ?? ''].map(decoded);
  if (!FORM.test(text) || name === undefined || user == null || host == null || database == null)
    return bad('malformed');
  const port = orNone(options.get('port')) ?? digits;
  if (port !== undefined && !(Number(port) >= 1 && Number(port) <= 65535)) return bad('wrong-option', 'port');
  const schema = options.get('schema') ?? DEFAULT_SCHEMA;
  if (!SCHEMA.test(schema)) return bad('wrong-option', 'schema');
  const parts: Parts = {
    user: orNone(options.get('user')) ?? orNone(user),
    host: orNone(options.get('host')) ?? orNone(host.replace(/^\[(.*)\]$/, '$1')),
    port: port === undefined ? undefined : Number(port),
    database: orNone(options.get('dbname')) ?? orNone(database),
    schema,
    tls,
  };
  return { kind: 'address', text: printed(parts), ...parts };
}

/** The host of a server: what the address names, else `PGHOST`, else this machine. */
export const hostOf = ({ host }: Address, { PGHOST = '' }: Environment): string =>
  host ?? (PGHOST === '' ? 'localhost' : PGHOST);

const isSocket = (host: string): boolean => host.startsWith('/');

/** Nothing that is sent to this host leaves the machine. */
const isLocal = (host: string): boolean =>
  isSocket(host) || host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

/** The mode that somebody has chosen: in the address, else in the environment, which sockets do not ask. */
function modeOf(address: Address, env: Environment): SslMode | undefined {
  const { sslmode } = address.tls;
  if (sslmode !== undefined || isSocket(hostOf(address, env))) return sslmode;
  return SSL_MODES.find((mode) => mode === env.PGSSLMODE);
}

const hasFiles = ({ tls: { sslrootcert, sslcert, sslkey } }: Address): boolean =>
  [sslrootcert, sslcert, sslkey].some((path) => path !== undefined);

/** Why a server is not connected to where nobody has said whether what is sent through the network is encrypted; null otherwise. */
function encryptionFault(address: Address, env: Environment): Failed<BadAddress> | null {
  if (isLocal(hostOf(address, env)) || hasFiles(address) || modeOf(address, env) !== undefined) return null;
  return failed({ code: 'bad-address', problem: 'unencrypted', option: null });
}

const content = (path: string | undefined): string | undefined =>
  path === undefined ? undefined : readFileSync(path, 'utf8');

/**
 * How `pg` is told to encrypt. As in `pg` itself, every mode but `disable` and `no-verify` asks for a certificate that a known
 * authority has signed, in the name of the host.
 */
export function tlsOf(address: Address, env: Environment): boolean | object {
  const mode = modeOf(address, env);
  if (mode === 'disable' || (mode === undefined && !hasFiles(address))) return false;
  const { sslrootcert, sslcert, sslkey } = address.tls;
  const files = { ca: content(sslrootcert), cert: content(sslcert), key: content(sslkey) };
  const paths = Object.fromEntries(Object.entries(files).filter(([, value]) => value !== undefined));
  return { ...paths, ...(mode === 'no-verify' ? { rejectUnauthorized: false } : {}) };
}

/** The parts of an address that may be connected to; see {@link parseAddress} and {@link encryptionFault}. */
export function addressIn(text: string, env: Environment = process.env): Address | Failed<BadAddress> {
  const address = parseAddress(text);
  return address.kind === 'failed' ? address : (encryptionFault(address, env) ?? address);
}

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
  const connection = [host, String(port), database, user];
  for (const line of content.split(/\r?\n/)) {
    if (line.startsWith('#')) continue;
    const [, ...fields] = (LINE.exec(line) ?? []).map((field) => field.replace(/\\(.)/g, '$1'));
    const password = fields.pop();
    if (password !== undefined && fields.every((field, i) => field === '*' || field === connection[i])) return password;
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
    super(`a password is required: PGPASSWORD is not set, and ${why}`);
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
  if (file === null) throw new PasswordMissing('no password file is named');
  let password;
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats?.isFile() !== true) throw new PasswordMissing(`the file ${file} does not exist`);
    if (platform() !== 'win32' && (stats.mode & ANYBODY) !== 0)
      throw new PasswordMissing(`the file ${file} was ignored, because others may read it`);
    password = passwordIn(readFileSync(file, 'utf8'), login);
  } catch (error) {
    throw error instanceof PasswordMissing ? error : new PasswordMissing(`the file ${file} cannot be read`);
  }
  if (password === null) throw new PasswordMissing(`the file ${file} has no line for this login`);
  return password;
}
