// Measures the work of one question in this process, which is fresh: the first call is a cold one, as users have it.
// Reads the question as JSON from standard input and prints the result as JSON.
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { callOf } from './calls.js';
import { median } from './statistics.js';

const WARM_UP = 300;
const BUDGET = 600;
const FEWEST_CALLS = 3;
const MOST_CALLS = 101;
/** A first call beyond this (ms) is not repeated often. */
const LONG = 5000;

const work = callOf(JSON.parse(readFileSync(0, 'utf8')));

async function call() {
  const begin = performance.now();
  const ends = await work();
  return { time: performance.now() - begin, ends };
}

const { time: first, ends } = await call();
const warm = first > LONG ? 0 : WARM_UP;
for (let begin = performance.now(); performance.now() - begin < warm;) await call();
const times = [];
for (
  let begin = performance.now();
  times.length < (first > LONG ? 1 : FEWEST_CALLS) || (times.length < MOST_CALLS && performance.now() - begin < BUDGET);
) {
  times.push((await call()).time);
}

const { lower, upper } = ends;
process.stdout.write(JSON.stringify({ first, warm: median(times), calls: times.length, lower, upper }));
