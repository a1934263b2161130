import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SCRIPT = join(import.meta.dirname, '../scripts/release.js');

let folder = '';

function run(command: string, ...words: string[]) {
  const identity = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.org' };
  const committer = { GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.org' };
  const env = { ...process.env, ...identity, ...committer, GIT_CONFIG_GLOBAL: '/dev/null' };
  const { status, stdout, stderr } = spawnSync(command, words, { cwd: folder, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const release = (...words: string[]) => run(process.execPath, SCRIPT, ...words);
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** Makes a repository whose checks do what `checks` says. */
function prepare(checks: string): void {
  mkdirSync(join(folder, '.ci'));
  writeFileSync(join(folder, '.ci/run'), `#!/bin/sh\n${checks}\n`);
  chmodSync(join(folder, '.ci/run'), 0o755);
  writeFileSync(join(folder, 'package.json'), '{ "name": "a", "version": "0.1.0" }');
  writeFileSync(
    join(folder, 'package-lock.json'),
    '{ "name": "a", "version": "0.1.0", "lockfileVersion": 3, "packages": {} }',
  );
  writeFileSync(
    join(folder, 'CHANGELOG.md'),
    '# Changelog\n\n## 0.2.0 (unreleased)\n\n- more\n\n## 0.1.0 (2026-01-01)\n',
  );
  run('git', 'init', '--quiet');
  run('git', 'add', '.');
  run('git', 'commit', '--quiet', '--message', 'begun');
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dpcompose-release-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('a release', () => {
  it('is a version, a date, a commit and a tag', () => {
    prepare('exit 0');
    expect(release('0.2.0')).toMatchObject({ status: 0 });
    expect(textOf('CHANGELOG.md')).toMatch(/^## 0\.2\.0 \(\d{4}-\d\d-\d\d\)$/m);
    expect(JSON.parse(textOf('package.json'))).toMatchObject({ version: '0.2.0' });
    expect(run('git', 'tag', '--list').stdout).toBe('v0.2.0\n');
    expect(run('git', 'status', '--porcelain').stdout).toBe('');
    expect(release('0.2.0')).toMatchObject({ status: 1, stderr: 'There is a v0.2.0 already.\n' });
  });

  it('is not made where the checks fail, or anything is not committed', () => {
    prepare('exit 1');
    expect(release('0.2.0')).toMatchObject({ status: 1, stderr: '.ci/run failed: nothing was released.\n' });
    expect(run('git', 'tag', '--list').stdout).toBe('');
    writeFileSync(join(folder, 'CHANGELOG.md'), 'other');
    expect(release('0.2.0')).toMatchObject({ status: 1, stderr: 'There are changes that are not committed.\n' });
    expect(release('two')).toMatchObject({ status: 2 });
  });
});
