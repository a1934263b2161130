import { failed, type BadAddress, type Failed } from '../records/fault.ts';

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
export interface TlsOptions {
  readonly sslmode?: SslMode;
  readonly sslrootcert?: string;
  readonly sslcert?: string;
  readonly sslkey?: string;
}

export const SSL_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

export type SslMode = (typeof SSL_MODES)[number];

export const DEFAULT_SCHEMA = 'dpcompose';

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

/** An address of these parts, in the one way in which addresses are printed. */
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
