import { describe, expect, it } from 'vitest';
import { parseAddress, tlsOf, type Environment } from '../../../../src/ledger/stores/postgres/address.ts';
import { postgresStore } from '../../../../src/ledger/stores/postgres/store.ts';

describe('an address', () => {
  it.each([
    ['postgres://', { text: 'postgres:///', schema: 'dpcompose', tls: {} }],
    ['postgresql:///team', { text: 'postgres:///team', database: 'team' }],
    [
      'postgres://ann@db.example:6432/team',
      { text: 'postgres://ann@db.example:6432/team', user: 'ann', host: 'db.example', port: 6432, database: 'team' },
    ],
    ['postgres://db', { text: 'postgres://db/', host: 'db', port: undefined, database: undefined }],
    ['postgres://[::1]:5432/team', { text: 'postgres://[::1]:5432/team', host: '::1', port: 5432 }],
    [
      'postgres://ann@/team?host=/run/postgresql&schema=budgets',
      {
        text: 'postgres://ann@/team?host=/run/postgresql&schema=budgets',
        user: 'ann',
        host: '/run/postgresql',
        schema: 'budgets',
      },
    ],
    ['postgres://%2Frun/team', { text: 'postgres:///team?host=/run', host: '/run' }],
    ['postgres://a%20b%40c@db/x%2Fy', { text: 'postgres://a%20b%40c@db/x%2Fy', user: 'a b@c', database: 'x/y' }],
    ['postgres:///?user=ann&dbname=team&port=1', { text: 'postgres://ann@:1/team', user: 'ann', database: 'team' }],
    [
      'postgres://db/?sslmode=verify-full&sslrootcert=/ca.pem',
      {
        text: 'postgres://db/?sslmode=verify-full&sslrootcert=/ca.pem',
        tls: { sslmode: 'verify-full', sslrootcert: '/ca.pem' },
      },
    ],
  ])('%s is taken apart, and printed in one way', (text, parts) => {
    const address = parseAddress(text);
    expect(address).toMatchObject(parts);
    expect(parseAddress(parts.text)).toEqual(address);
  });

  const SECRET = 'hunter2';

  it.each([
    [`postgres://ann:${SECRET}@db/team`, 'password', null],
    [`postgres://ann:@db/team`, 'password', null],
    [`postgres://db/team?password=${SECRET}`, 'password', null],
    [`postgres://db/team?sslpassword=${SECRET}`, 'password', null],
    [`postgres://ann:${SECRET}/@db/team`, 'malformed', null],
    [`postgres://ann:5/${SECRET}@db/team`, 'malformed', null],
    [`postgres://ann:${SECRET}@x@db/team`, 'malformed', null],
    [`postgres://ann:%zz@db/team`, 'password', null],
    ['postgres://%zz@db/team', 'malformed', null],
    ['postgres://a,b/team', 'malformed', null],
    ['mysql://db/team', 'malformed', null],
    ['postgres:db', 'malformed', null],
    ['postgres://db:0/', 'wrong-option', 'port'],
    ['postgres://db:65536/', 'wrong-option', 'port'],
    ['postgres://db/?port=x', 'wrong-option', 'port'],
    ['postgres://db/?schema=a"b', 'wrong-option', 'schema'],
    ['postgres://db/?schema=', 'wrong-option', 'schema'],
    ['postgres://db/?sslmode=perhaps', 'wrong-option', 'sslmode'],
    ['postgres://db/?shcema=x', 'unknown-option', 'shcema'],
    ['postgres://db/?schema=x&schema=y', 'repeated-option', 'schema'],
  ])('%s is none', (text, problem, option) => {
    const refused = postgresStore(text);
    expect(refused).toEqual({ kind: 'failed', fault: { code: 'bad-address', problem, option } });
    expect(JSON.stringify(refused)).not.toContain(SECRET);
  });
});

/** What is said of an address in an environment; null where a store is made of it. */
function refused(text: string, env: Environment = {}): unknown {
  const store = postgresStore(text, { env });
  return 'fault' in store ? store.fault : null;
}

describe('the address of another machine', () => {
  const UNENCRYPTED = { code: 'bad-address', problem: 'unencrypted', option: null };

  it.each([
    'postgres://db.example/team',
    'postgres://10.0.0.7/team',
    'postgres://128.0.0.1/team',
    'postgres://127.0.0.1.example/team',
    'postgres://[fe80::1]/team',
    'postgres:///team?host=db.example',
  ])('says whether the connection is encrypted: %s', (text) => {
    expect(refused(text)).toEqual(UNENCRYPTED);
    expect(refused(text, { PGSSLMODE: '' })).toEqual(UNENCRYPTED);
    // Of which the driver knows nothing.
    expect(refused(text, { PGSSLMODE: 'allow' })).toEqual(UNENCRYPTED);
    expect(refused(text, { PGSSLMODE: 'disable' })).toBeNull();
    const more = text.includes('?') ? '&' : '?';
    for (const option of ['sslmode=disable', 'sslmode=verify-full', 'sslrootcert=/ca.pem'])
      expect(refused(`${text}${more}${option}`)).toBeNull();
  });

  it.each([
    'postgres:///team',
    'postgres://localhost/team',
    'postgres://127.0.0.1/team',
    'postgres://127.8.9.10/team',
    'postgres://[::1]/team',
    'postgres:///team?host=/run/postgresql',
  ])('is not this: %s', (text) => {
    expect(refused(text)).toBeNull();
  });

  it('may be in the environment', () => {
    expect(refused('postgres:///team', { PGHOST: 'db.example' })).toEqual(UNENCRYPTED);
    expect(refused('postgres:///team', { PGHOST: '/run' })).toBeNull();
    expect(refused('postgres://localhost/team', { PGHOST: 'db.example' })).toBeNull();
  });
});

describe('how a connection is encrypted', () => {
  const tls = (text: string, env: Environment = {}): unknown => {
    const address = parseAddress(text);
    if (address.kind === 'failed') throw new Error(address.fault.problem);
    return tlsOf(address, env);
  };

  it('is said by the address, else by the environment, which sockets do not ask', () => {
    expect(tls('postgres://db/?sslmode=disable', { PGSSLMODE: 'require' })).toBe(false);
    expect(tls('postgres://db/?sslmode=no-verify')).toEqual({ rejectUnauthorized: false });
    expect(tls('postgres://db/?sslmode=require')).toEqual({});
    expect(tls('postgres://db/', { PGSSLMODE: 'require' })).toEqual({});
    expect(tls('postgres://db/', { PGSSLMODE: 'no-verify' })).toEqual({ rejectUnauthorized: false });
    expect(tls('postgres:///?host=/run', { PGSSLMODE: 'require' })).toBe(false);
    expect(tls('postgres:///', { PGHOST: '/run', PGSSLMODE: 'require' })).toBe(false);
    expect(tls('postgres:///?host=/run&sslmode=require')).toEqual({});
    expect(tls('postgres://localhost/')).toBe(false);
  });
});
