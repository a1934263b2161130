import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { median } from './statistics.js';

const BINARY = join(import.meta.dirname, '../../bin/dpcompose.js');
const PEAK = join(import.meta.dirname, 'peak.cjs');
const BARE = ['-e', '0'];

/** Pairs of runs stop at this many, or after the budget (ms) once there are the fewest. */
const MOST_PAIRS = 21;
const FEWEST_PAIRS = 3;
const BUDGET = 4000;

function run(words, stdio = ['ignore', 'ignore', 'pipe']) {
  const begin = performance.now();
  const result = spawnSync(process.execPath, words, { stdio });
  const time = performance.now() - begin;
  if (result.status !== 0) throw new Error(`node ${words.join(' ')} ended with ${result.status}: ${result.stderr}`);
  return { time, output: result.output };
}

/** Whole-process times (ms) of the program and of a bare node, one after the other in turn, and their ratio. */
export function wholeProcess(words) {
  const program = [BINARY, ...words];
  run(BARE);
  run(program);
  const pairs = [];
  const begin = performance.now();
  while (pairs.length < FEWEST_PAIRS || (pairs.length < MOST_PAIRS && performance.now() - begin < BUDGET)) {
    // Either may go first: what one leaves behind in caches must not always favour the other.
    const bareFirst = pairs.length % 2 === 0;
    const first = run(bareFirst ? BARE : program).time;
    const second = run(bareFirst ? program : BARE).time;
    const [bare, own] = bareFirst ? [first, second] : [second, first];
    pairs.push({ bare, own, ratio: own / bare });
  }
  const middle = (key) => median(pairs.map((pair) => pair[key]));
  return { pairs: pairs.length, ratio: middle('ratio'), time: middle('own'), bare: middle('bare') };
}

/** Peak memory (MB) of a node process. */
function peak(words) {
  const { output } = run(['--require', PEAK, ...words], ['ignore', 'ignore', 'pipe', 'pipe']);
  return Number(output[3].toString()) / 1024;
}

export const peakMemory = (words) => peak([BINARY, ...words]);
export const bareMemory = () => peak(BARE);
