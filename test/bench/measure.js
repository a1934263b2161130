import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareMemory, peakMemory, wholeProcess } from './process-time.js';
import { prepared } from './questions.js';
import { fittedExponent } from './statistics.js';

const WORK = join(import.meta.dirname, 'work.js');

/** Time of the work (ms): the first call of a fresh process, and the median of warm ones. */
function work(question) {
  const input = JSON.stringify(question);
  const child = spawnSync(process.execPath, [WORK], { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'inherit'] });
  if (child.status !== 0) throw new Error(`the work could not be measured: ${input.slice(0, 200)}`);
  return JSON.parse(child.stdout);
}

/** All numbers of one case. */
export function measure({ name, group, what, question, targets = {} }) {
  const folder = mkdtempSync(join(tmpdir(), 'dpcompose-bench-'));
  try {
    const { words, question: asked } = prepared(question, folder);
    const timed = work(asked);
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
