// npm run corpus: what the built program prints for many command lines, saved before a change and compared after it.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { commandLines } from './commands.js';

const USAGE = `Usage: npm run corpus -- (--save FILE | --compare FILE) [--only WORDS]

  --save FILE     writes what every command line prints
  --compare FILE  tells which of them print something else now, and ends with 1 where any does
  --only WORDS    only those whose names contain it`;

const ROOT = join(import.meta.dirname, '../..');
const PROGRAM = join(ROOT, 'bin/dpcompose.js');

const { values } = (() => {
  try {
    const text = { type: 'string' };
    return parseArgs({ options: { save: text, compare: text, only: text } });
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`);
    process.exit(2);
  }
})();
const { save, compare, only = '' } = values;
if ((save === undefined) === (compare === undefined)) {
  console.error(USAGE);
  process.exit(2);
}

/** The status and both streams of one command line. */
function printed({ words, input = '' }) {
  const env = { ...process.env, LC_ALL: 'C.UTF-8', COLUMNS: '100' };
  for (const name of ['FORCE_COLOR', 'NO_COLOR', 'DPCOMPOSE_DEBUG']) delete env[name];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...words], { cwd: ROOT, env });
    const streams = { stdout: '', stderr: '' };
    for (const name of Object.keys(streams)) {
      child[name].setEncoding('utf8').on('data', (text) => (streams[name] += text));
    }
    child.stdin.on('error', () => undefined).end(input);
    child.on('error', reject).on('close', (status) => resolve({ status, ...streams }));
  });
}

/** What was saved; read before anything runs. */
function saved(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    console.error(`${path} cannot be read: ${error.message}`);
    process.exit(2);
  }
}

const before = compare === undefined ? {} : saved(compare);
const lines = commandLines().filter(({ name }) => name.includes(only));
const outputs = {};
let next = 0;
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    while (next < lines.length) {
      const line = lines[next++];
      outputs[line.name] = await printed(line);
    }
  }),
);

if (save !== undefined) {
  mkdirSync(join(save, '..'), { recursive: true });
  const sorted = Object.fromEntries(Object.entries(outputs).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(save, `${JSON.stringify(sorted, null, 1)}\n`);
  console.log(`${lines.length} saved.`);
} else {
  const differing = lines.flatMap(({ name }) =>
    ['status', 'stdout', 'stderr']
      .filter((part) => before[name]?.[part] !== outputs[name][part])
      .map((part) => ({ name, part, before: before[name]?.[part], after: outputs[name][part] })),
  );
  for (const { name, part, before: was, after } of differing) {
    console.log(`--- ${name} (${part})`);
    const [old, now] = [was, after].map((text) => String(text).split('\n'));
    const at = old.findIndex((line, index) => line !== now[index]);
    console.log(`- ${old[at] ?? ''}\n+ ${now[at === -1 ? old.length : at] ?? ''}`);
  }
  const gone = Object.keys(before).filter((name) => name.includes(only) && !(name in outputs));
  for (const name of gone) console.log(`--- ${name} is not asked any more`);
  console.log(`${lines.length} compared, ${differing.length} differ, ${gone.length} are gone.`);
  process.exitCode = differing.length + gone.length === 0 ? 0 : 1;
}
