import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareMemory, peakMemory, wholeProcess } from './process-time.js';
import { fittedExponent } from './statistics.js';

const WORK = join(import.meta.dirname, 'work.js');

/** Time of the work (ms): the first call of a fresh process, and the median of warm ones. */
function work(question) {
  const input = JSON.stringify(question);
  const child = spawnSync(process.execPath, [WORK], { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'inherit'] });
  if (child.status !== 0) throw new Error(`the work could not be measured: ${input.slice(0, 200)}`);
  return JSON.parse(child.stdout);
}

/** The words of the command line that asks the question; a document is written into `folder`. */
function commandLine({ document, mechanisms = [], delta, epsilon, nonadaptive, bounds, tolerance }, folder) {
  const words = ['compose'];
  if (document !== undefined) {
    const file = join(folder, 'privacy.json');
    writeFileSync(file, JSON.stringify(document));
    words.push(file);
  }
  for (const mechanism of mechanisms) words.push('-m', mechanism);
  if (delta !== undefined) words.push('--delta', delta);
  if (epsilon !== undefined) words.push('--epsilon', epsilon);
  if (nonadaptive === true) words.push('--nonadaptive');
  if (bounds !== undefined) words.push('--bounds', bounds.join(','));
  if (tolerance !== undefined) words.push('--tolerance', String(tolerance));
  return words;
}

/** All numbers of one case. */
export function measure({ name, group, what, question, targets = {} }) {
  const folder = mkdtempSync(join(tmpdir(), 'dpcompose-bench-'));
  try {
    const words = commandLine(question, folder);
    const timed = work(question);
    const whole = wholeProcess(words);
    const width = timed.lower === null ? null : (timed.upper - timed.lower) / timed.upper;
    return { name, group, what, targets, whole, work: { ...timed, width }, memory: peakMemory(words) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Warm work at each size, the exponent between neighbours, and the one fitted to all. */
export function measureGrowth({ name, what, sizes, at }) {
  const points = [];
  for (const size of sizes) {
    const { warm, first } = work(at(size));
    const previous = points.at(-1);
    const exponent = previous === undefined ? null : Math.log(warm / previous.warm) / Math.log(size / previous.size);
    points.push({ size, first, warm, exponent });
  }
  return { name, what, points, fitted: fittedExponent(points.map(({ size, warm }) => [size, warm])) };
}

/** The machine, and what node costs on it without any program. */
export function surroundings(machine) {
  return { ...machine, bareMemory: bareMemory() };
}
