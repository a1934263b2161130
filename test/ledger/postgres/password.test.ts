import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { passwordIn, passwordOf } from '../../../src/ledger/postgres/password.ts';

const LOGIN = { host: 'db', port: 5432, database: 'team', user: 'ann' };

describe('a password', () => {
  it.each([
    ['db:5432:team:ann:one', 'one'],
    ['*:*:*:*:any', 'any'],
    ['# db:5432:team:ann:no\ndb:5432:team:ann:one', 'one'],
    ['db:5432:other:ann:no\ndb:*:team:ann:first\n*:*:*:*:second', 'first'],
    ['db:5432:team:ann:a\\:b\\\\c', 'a:b\\c'],
    ['db:5432:team:ann:a:b', 'a:b'],
    ['db:5432:team:ann:\r\n', null],
    ['db:5433:team:ann:no', null],
    ['db:5432:team:an:no', null],
    ['db:5432:team', null],
    ['', null],
  ])('is in the line of the password file that matches first (%j)', (content, password) => {
    expect(passwordIn(content, LOGIN)).toBe(password);
  });

  it('may be of a name with colons, which have backslashes before them', () => {
    expect(passwordIn('\\:\\:1:5432:*:a\\\\n:one', { ...LOGIN, host: '::1', user: 'a\\n' })).toBe('one');
  });

  let folder = '';
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'dpcompose-pass-'))));
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('comes from the environment, or from a file that only its owner reads', () => {
    const file = join(folder, '.pgpass');
    writeFileSync(file, '*:*:*:*:filed\n', { mode: 0o600 });
    expect(passwordOf(LOGIN, { PGPASSWORD: 'set', PGPASSFILE: file })).toBe('set');
    expect(passwordOf(LOGIN, { PGPASSFILE: file })).toBe('filed');
    expect(passwordOf(LOGIN, { PGPASSFILE: join(folder, 'none') })).toBeNull();
    expect(passwordOf(LOGIN, { PGPASSFILE: folder })).toBeNull();
    expect(passwordOf(LOGIN, {})).toBeNull();
    chmodSync(file, 0o640);
    expect(passwordOf(LOGIN, { PGPASSFILE: file })).toBeNull();
  });
});
