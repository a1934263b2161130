// npm run release -- X.Y.Z: the version and its date into package.json and CHANGELOG.md, a commit and a tag. It publishes nothing.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const [version, ...rest] = process.argv.slice(2);

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** What a command prints; ends where it fails. */
function run(command, words, options = {}) {
  const { status, stdout, error } = spawnSync(command, words, { encoding: 'utf8', ...options });
  if (error !== undefined || status !== 0) fail(`${[command, ...words].join(' ')} failed: nothing was released.`);
  return stdout;
}

if (version === undefined || rest.length > 0 || !/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('Usage: npm run release -- X.Y.Z');
  process.exit(2);
}
if (run('git', ['status', '--porcelain']) !== '') fail('There are changes that are not committed.');
if (run('git', ['tag', '--list', `v${version}`]) !== '') fail(`There is a v${version} already.`);

const changelog = readFileSync('CHANGELOG.md', 'utf8');
const unreleased = /^## (\S+) \(unreleased\)$/m;
if (!unreleased.test(changelog)) fail('CHANGELOG.md has no section "## X.Y.Z (unreleased)".');

run('.ci/run', [], { stdio: 'inherit' });
// Of what was tested; the checks write nothing that git knows.
if (run('git', ['status', '--porcelain']) !== '') fail('The checks changed files.');

const today = new Date().toISOString().slice(0, 10);
writeFileSync('CHANGELOG.md', changelog.replace(unreleased, `## ${version} (${today})`));
run('npm', ['version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts']);
run('git', ['add', 'CHANGELOG.md', 'package.json', 'package-lock.json']);
run('git', ['commit', '--quiet', '--message', `Release ${version}`]);
run('git', ['tag', '--annotate', `v${version}`, '--message', `dpcompose ${version}`]);
console.log(
  `v${version} is committed and tagged. To publish: git push --follow-tags, then approve the workflow of the tag.`,
);
