import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Environment,
  passwordIn,
  passwordOf,
  type Login,
} from '../../../../src/ledger/stores/postgres/address.ts';

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
    const passwordWith = (env: Environment, login: Login = LOGIN): string => {
      try {
        return passwordOf(login, env);
      } catch (error) {
        return (error as Error).message;
      }
    };
    const none = 'a password is required: PGPASSWORD is not set, and';
    expect(passwordWith({ PGPASSWORD: 'set', PGPASSFILE: file })).toBe('set');
    expect(passwordWith({ PGPASSFILE: file })).toBe('filed');
    expect(passwordWith({ PGPASSWORD: '', PGPASSFILE: file })).toBe('filed');
    const missing = join(folder, 'none');
    expect(passwordWith({ PGPASSFILE: missing })).toBe(`${none} the file ${missing} does not exist`);
    expect(passwordWith({ PGPASSFILE: folder })).toBe(`${none} the file ${folder} does not exist`);
    expect(passwordWith({ PGPASSFILE: join(file, 'x') })).toBe(`${none} the file ${join(file, 'x')} cannot be read`);
    expect(passwordWith({})).toBe(`${none} no password file is named`);
    writeFileSync(file, 'other:*:*:*:filed\n');
    expect(passwordWith({ PGPASSFILE: file })).toBe(`${none} the file ${file} has no line for this login`);
    chmodSync(file, 0o640);
    expect(passwordWith({ PGPASSFILE: file })).toBe(`${none} the file ${file} was ignored, because others may read it`);
  });
});
