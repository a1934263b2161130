import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { failed, type BadAddress, type Failed } from '../records/fault.ts';
import { SSL_MODES, type Address, type SslMode } from './address.ts';
import type { Environment } from './password.ts';

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
export function encryptionFault(address: Address, env: Environment): Failed<BadAddress> | null {
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
  const given = Object.fromEntries(Object.entries(files).filter(([, value]) => value !== undefined));
  return { ...given, ...(mode === 'no-verify' ? { rejectUnauthorized: false } : {}) };
}
