// npm run quick [-- COMMIT]: types, and of the files that differ from main (or from this commit) their lint, their layout
// and the tests that are nearest.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { filesIn, importersOf, textOf } from './imports.js';

const ROOT = join(import.meta.dirname, '..');
const CACHE = 'node_modules/.cache/dpcompose';
const MOST_TESTS = 8;
/** These look at all sources, and take a second each. */
const ALWAYS = ['test/structure.test.ts', 'test/mirrors.test.ts'];

function git(...words) {
  const { status, stdout } = spawnSync('git', words, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter(Boolean) : [];
}

/** What differs from where this branch left main, committed or not. */
function changedFiles() {
  const main = ['origin/main', 'main'].flatMap((branch) => git('merge-base', 'HEAD', branch));
  const [base = 'HEAD'] = [...process.argv.slice(2), ...main];
  const names = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
  return [...new Set(names)].filter((name) => existsSync(join(ROOT, name)));
}

const importers = importersOf([...filesIn('src'), ...filesIn('test')]);
const isTest = (file) => file.endsWith('.test.ts');
const pathInTests = (file) => file.replace(/^src/, 'test').replace(/\.ts$/, '.test.ts');

/** How many folders two tests share. */
function nearness(a, b) {
  const [one, other] = [dirname(a).split('/'), dirname(b).split('/')];
  const parting = one.findIndex((name, index) => name !== other[index]);
  return parting < 0 ? one.length : parting;
}

/** The tests that are fewest imports away from a file: the one that mirrors it, then those nearest to that. */
function testsOf(file) {
  const mirror = pathInTests(file);
  let level = [file];
  const reached = new Set(level);
  while (level.length > 0 && !level.some(isTest)) {
    level = [...new Set(level.flatMap((name) => importers.get(name) ?? []))].filter((name) => !reached.has(name));
    for (const name of level) reached.add(name);
  }
  const tests = new Set([...(existsSync(join(ROOT, mirror)) ? [mirror] : []), ...level.filter(isTest)]);
  return [...tests].sort((a, b) => nearness(b, mirror) - nearness(a, mirror)).slice(0, MOST_TESTS);
}

function run(name, ...words) {
  const begin = performance.now();
  const child = spawn(join(ROOT, 'node_modules/.bin', name), words, { cwd: ROOT });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const seconds = ((performance.now() - begin) / 1000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)${code === 0 ? '' : `\n${output}`}`);
      resolve(code === 0);
    });
  });
}

const changed = changedFiles();
const scripts = changed.filter((name) => /\.[jt]s$/.test(name));
const tests = [...new Set([...scripts.flatMap(testsOf), ...ALWAYS])];
console.log(`${changed.length} files differ. Tests: ${tests.join(' ')}`);
if (tests.some((test) => /bin\/dpcompose|dist\//.test(textOf(test)))) {
  spawnSync(process.execPath, ['build.config.js', '--no-types'], { cwd: ROOT, stdio: 'inherit' });
}
const cache = ['--cache', '--cache-location', `${CACHE}/eslint`];
const results = await Promise.all([
  run('tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', `${CACHE}/typecheck`),
  run('vitest', 'run', '--project', 'quick', ...tests),
  scripts.length === 0 || run('eslint', '--max-warnings', '0', ...cache, ...scripts),
  changed.length === 0 || run('prettier', '--check', '--ignore-unknown', ...changed),
]);
if (!results.every(Boolean)) process.exitCode = 1;
