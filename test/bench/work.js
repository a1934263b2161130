// Measures the work of one question in this process, which is fresh: the first call is a cold one, as users have it.
// Reads the question as JSON from standard input and prints the result as JSON.
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { compose } from '../../dist/lib/composition/compose.js';
import { readSpecification, specificationFromFlags } from '../../dist/lib/spec/read-specification.js';
import { median } from './statistics.js';

const WARM_UP = 300;
const BUDGET = 600;
const FEWEST_CALLS = 3;
const MOST_CALLS = 101;
/** A first call beyond this (ms) is not repeated often. */
const LONG = 5000;

const { document, mechanisms, delta, epsilon, nonadaptive, bounds, tolerance } = JSON.parse(readFileSync(0, 'utf8'));
const flags = { mechanisms, delta, epsilon, nonadaptive };
const read =
  document === undefined ? specificationFromFlags(flags) : readSpecification(JSON.stringify(document), flags);
if (read.kind !== 'specification') throw new Error(JSON.stringify(read));
const { specification } = read;

function call() {
  const begin = performance.now();
  const outcome = compose(specification, specification.target, {
    ...(bounds && { bounds }),
    ...(tolerance && { tolerance }),
  });
  return { time: performance.now() - begin, outcome };
}

const { time: first, outcome } = call();
if (outcome.kind !== 'answer') throw new Error(JSON.stringify(outcome));
const warm = first > LONG ? 0 : WARM_UP;
for (let begin = performance.now(); performance.now() - begin < warm;) call();
const times = [];
for (
  let begin = performance.now();
  times.length < (first > LONG ? 1 : FEWEST_CALLS) || (times.length < MOST_CALLS && performance.now() - begin < BUDGET);
) {
  times.push(call().time);
}

const { answer } = outcome;
const { lower, upper } = answer[answer.query.solveFor];
process.stdout.write(JSON.stringify({ first, warm: median(times), calls: times.length, lower, upper }));
