import { readFileSync } from 'node:fs';
import type { TlsOptions } from './address.ts';

const content = (path: string | undefined): string | undefined =>
  path === undefined ? undefined : readFileSync(path, 'utf8');

/**
 * How `pg` is told to encrypt; undefined leaves it to the environment (`PGSSLMODE`). As in `pg` itself, every mode but
 * `disable` and `no-verify` asks for a certificate that a known authority has signed, in the name of the host.
 */
export function tlsOf({ sslmode, sslrootcert, sslcert, sslkey }: TlsOptions): boolean | object | undefined {
  if (sslmode === 'disable') return false;
  const files = { ca: content(sslrootcert), cert: content(sslcert), key: content(sslkey) };
  const given = Object.fromEntries(Object.entries(files).filter(([, value]) => value !== undefined));
  if (sslmode === undefined && Object.keys(given).length === 0) return undefined;
  return { ...given, ...(sslmode === 'no-verify' ? { rejectUnauthorized: false } : {}) };
}
