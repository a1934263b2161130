// node scripts/side-by-side.js FOLDER: the same questions to the built dpcompose and to other accountants, in one run.
// FOLDER is a virtual environment of Python, or a folder with the packages; none is part of this repository.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

const ROOT = join(import.meta.dirname, '..');
const DELTA = 1e-6;

/** Each as dpcompose reads it, and as kind, parameter and sampling rate for peers.py. */
const MECHANISMS = [
  ['dp:epsilon=0.1', 'pure', 0.1, 1],
  ['laplace:scale=10', 'laplace', 10, 1],
  ['gaussian:sigma=10', 'gaussian', 10, 1],
  ['gaussian:sigma=1,sampling=poisson,rate=0.01', 'sampled', 1, 0.01],
];
const QUESTIONS = MECHANISMS.flatMap(([flag, ...peer]) => [100, 1000].map((count) => ({ flag, peer, count })));

function stop(message) {
  console.error(message);
  process.exit(2);
}

const [folder] = process.argv.slice(2);
if (folder === undefined)
  stop('Usage: node scripts/side-by-side.js FOLDER (a virtual environment, or packages of Python)');
if (!existsSync(folder)) stop(`${folder}: there is no such folder`);
const program = join(ROOT, 'bin/dpcompose.js');
if (!existsSync(join(ROOT, 'dist/cli/main.cjs'))) stop('There is nothing to compare yet: npm run build.');

/** The whole process, with its start. */
function ask({ flag, count }) {
  const begin = performance.now();
  const words = [program, 'compose', '-m', `${flag},count=${count}`, '--delta', String(DELTA), '--json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  if (status !== 0) stop(stderr);
  const seconds = (performance.now() - begin) / 1000;
  return { peer: 'dpcompose', seconds, ...JSON.parse(stdout).answer.epsilon };
}

function askPeers() {
  const own = ['bin/python3', 'Scripts/python.exe'].map((name) => join(folder, name)).find(existsSync);
  const env = own === undefined ? { ...process.env, PYTHONPATH: folder } : process.env;
  const input = JSON.stringify(QUESTIONS.map(({ peer, count }) => [...peer, count, DELTA]));
  const options = { encoding: 'utf8', env, input };
  const { status, stdout, stderr, error } = spawnSync(
    own ?? 'python3',
    [join(import.meta.dirname, 'peers.py')],
    options,
  );
  if (error) stop(`Python cannot be run: ${error.message}`);
  if (status !== 0) stop(stderr);
  return JSON.parse(stdout);
}

const answers = askPeers();
if (answers.length === 0) stop(`${folder}: neither prv_accountant nor dp_accounting can be imported from it`);
console.log(
  `Epsilon at delta ${DELTA}. dpcompose: the whole process; others: the call alone, without start and imports.\n`,
);
const rows = QUESTIONS.flatMap((question, number) =>
  [ask(question), ...answers.filter((answer) => answer.number === number)].map((answer, at) => {
    const { peer, seconds, lower, upper, refused } = answer;
    const name = at === 0 ? `${question.count} x ${question.flag}` : '';
    if (refused !== undefined) return [name, peer, 'no answer', refused.slice(0, 40), '', ''];
    const width = lower === null ? 'none' : ((upper - lower) / upper).toExponential(0);
    return [name, peer, `${seconds.toFixed(2)} s`, lower?.toPrecision(8) ?? '', upper.toPrecision(8), width];
  }),
);
const table = [['question', 'accountant', 'time', 'lower', 'upper', 'width'], ...rows];
const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
for (const row of table)
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
