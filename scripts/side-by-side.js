// node scripts/side-by-side.js FOLDER: the same questions to the built dpcompose and to other accountants, in one run.
// FOLDER is a virtual environment of Python, or a folder with the packages; none is part of this repository.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';

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

/** A process, and the seconds it took with its start. */
function timed(command, words, options) {
  const begin = performance.now();
  const { status, stdout, stderr, error } = spawnSync(command, words, { encoding: 'utf8', ...options });
  if (error) stop(`${command} cannot be run: ${error.message}`);
  if (status !== 0) stop(stderr);
  return { seconds: (performance.now() - begin) / 1000, stdout };
}

/** The first call of the library in a process of its own. */
const CALL = `
const { compose, readSpecification } = await import(process.argv[1]);
const { specification } = readSpecification(process.argv[2]);
const begin = performance.now();
compose(specification, specification.target);
console.log((performance.now() - begin) / 1000);`;

function ask({ flag, count }) {
  const words = [program, 'compose', '-m', `${flag},count=${count}`, '--delta', String(DELTA), '--json'];
  const { seconds, stdout } = timed(process.execPath, words);
  const { input, answer } = JSON.parse(stdout);
  const library = pathToFileURL(join(ROOT, 'dist/lib/index.js')).href;
  const call = timed(process.execPath, ['--input-type=module', '-e', CALL, library, JSON.stringify(input)]);
  return { peer: 'dpcompose', whole: seconds, work: Number(call.stdout), ...answer.epsilon };
}

function askPeers() {
  const own = ['bin/python3', 'Scripts/python.exe'].map((name) => join(folder, name)).find(existsSync) ?? 'python3';
  const env = own === 'python3' ? { ...process.env, PYTHONPATH: folder } : process.env;
  const input = JSON.stringify(QUESTIONS.map(({ peer, count }) => [...peer, count, DELTA]));
  const { stdout } = timed(own, [join(import.meta.dirname, 'peers.py')], { env, input });
  const starts = new Map();
  const startOf = (module) => starts.get(module) ?? timed(own, ['-c', `import ${module}`], { env }).seconds;
  return JSON.parse(stdout).map(({ module, seconds, ...answer }) => {
    starts.set(module, startOf(module));
    return { ...answer, work: seconds, whole: starts.get(module) + seconds };
  });
}

const answers = askPeers();
if (answers.length === 0) stop(`${folder}: neither prv_accountant nor dp_accounting can be imported from it`);
console.log(`Epsilon at delta ${DELTA}. Whole: with start and imports. Work: the first call in a process alone.\n`);
const rows = QUESTIONS.flatMap((question, number) =>
  [ask(question), ...answers.filter((answer) => answer.number === number)].map((answer, at) => {
    const { peer, whole, work, lower, upper, refused } = answer;
    const name = at === 0 ? `${question.count} x ${question.flag}` : '';
    if (refused !== undefined) return [name, peer, 'none', '', refused.slice(0, 24), '', ''];
    const width = lower === null ? 'none' : ((upper - lower) / upper).toExponential(0);
    return [
      name,
      peer,
      `${whole.toFixed(2)} s`,
      `${(work * 1000).toFixed(0)} ms`,
      lower?.toPrecision(8) ?? '',
      upper.toPrecision(8),
      width,
    ];
  }),
);
const table = [['question', 'accountant', 'whole', 'work', 'lower', 'upper', 'width'], ...rows];
const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
for (const row of table)
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
