import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// What the README says must be so for whoever has only the package.

const ROOT = join(import.meta.dirname, '../..');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;

/** The files of the package, as npm would pack them. */
const packed = (): string[] => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const [about] = JSON.parse(stdout) as { files: { path: string }[] }[];
  return about?.files.map(({ path }) => path) ?? [];
};

test('every file that the README shows or links to is in the package', () => {
  const targets = [...readme.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target]) => target ?? '');
  const relative = targets.filter((target) => !/^[a-z]+:/.test(target));
  expect(relative.length).toBeGreaterThan(0);
  const files = packed();
  expect(files).toEqual(expect.arrayContaining(relative));
  expect(files.filter((path) => path.endsWith('.map'))).toEqual([]);
});

test('no command of the README asks a registry for the package, and no address is given before there is one', () => {
  expect(readme).not.toMatch(/\bnpx\b.*\bdpcompose\b|\bnpm (?:install|i|exec)\b[^\n`]* dpcompose\b/);
  expect(['repository', 'bugs', 'homepage'].filter((key) => key in manifest)).toEqual([]);
});
