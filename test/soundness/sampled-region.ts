import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Entry } from '../../src/privacy/mechanism.ts';
import { answer, atDelta, gaussian, sampled } from '../mechanisms.ts';
import { Distribution } from './statistics.ts';

/** Gaussian noise on Poisson samples, and a delta. */
interface Question {
  readonly sigma: number;
  readonly rate: number;
  readonly count: number;
  readonly delta: number;
}

type Direction = 'remove' | 'add';

/** An epsilon of another program, and how far off that says it may be, relatively. */
interface Known {
  readonly epsilon: number;
  readonly off: number;
}

interface Row {
  readonly question: Question;
  readonly known: Readonly<Record<Direction, Known | null>>;
}

const DIRECTIONS: readonly Direction[] = ['remove', 'add'];

/**
 * 5,000 questions, drawn log-uniformly from sigma 0.1 to 4,000, rates of 1e-9 to 0.999, 1 to 10^7 steps and deltas of 1e-60 to
 * 1e-3, each with the epsilons that a program in another language found with sums of its own in doubles: 11 digits, and a width
 * that it estimates; nothing where it found none. Two of its values were off by more than it says, and are those of arithmetic of
 * 40 digits (rate 0.632) and of a convolution of what is less than the largest loss (rate 0.000729).
 */
const TABLE = 'test/soundness/sampled-region.csv';

function rows(): Row[] {
  const known = (epsilon: string, off: string): Known | null =>
    epsilon === '' ? null : { epsilon: Number(epsilon), off: Number(off) };
  return readFileSync(join(process.cwd(), TABLE), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [sigma, rate, count, delta, remove = '', removeOff = '', add = '', addOff = ''] = line.split(',');
      return {
        question: { sigma: Number(sigma), rate: Number(rate), count: Number(count), delta: Number(delta) },
        known: { remove: known(remove, removeOff), add: known(add, addOff) },
      };
    });
}

const entryOf = ({ sigma, rate, count }: Question): Entry => sampled(gaussian(sigma, { count }), String(rate));

/** The enclosures of both directions, and how many milliseconds they took. */
function enclosures(question: Question) {
  const begin = performance.now();
  const { directions } = answer([entryOf(question)], atDelta(question.delta), {
    bounds: ['loss-distribution'],
    directions: true,
  });
  return { directions: directions!, work: performance.now() - begin };
}

/** Each a little costlier. */
const COSTLIER: readonly (readonly [string, (question: Question) => Question])[] = [
  ['less noise', (question) => ({ ...question, sigma: question.sigma * 0.97 })],
  ['more steps', (question) => ({ ...question, count: question.count + Math.ceil(question.count * 0.02) })],
  ['a larger rate', (question) => ({ ...question, rate: question.rate + (1 - question.rate) * question.rate * 0.03 })],
  ['a smaller delta', (question) => ({ ...question, delta: question.delta * 0.7 })],
];

/** What the other program rounds off, beside its own width. */
const ROUNDED = 2e-10;
/** Of what is costlier so many of the questions are asked. */
const EVERY = 10;

/** An enclosure that was seen. */
interface Seen {
  readonly width: number;
  readonly work: number;
  readonly text: string;
}

const WORST = 10;

/** Keeps the largest. */
function keep(all: Seen[], one: Seen, by: 'width' | 'work'): void {
  all.push(one);
  all.sort((a, b) => b[by] - a[by]);
  all.length = Math.min(all.length, WORST);
}

/** What was seen in a cell of the region. */
class Cell {
  count = 0;
  unanswered = 0;
  readonly widths = new Distribution();
  readonly works = new Distribution();
}

const SIGMAS = [0.1, 0.5, 2, 50, 4000] as const;
const RATES = [1e-9, 1e-6, 1e-3, 1] as const;

const cellOf = (limits: readonly number[], x: number): string => {
  const at = Math.max(
    1,
    limits.findIndex((limit) => x < limit),
  );
  return `${String(limits[at - 1])} to ${String(limits[at])}`;
};

const brief = (x: number): string => (x === 0 ? '0' : x.toExponential(1));

/** The campaign; prints a map of the region, and returns how many claims were wrong. */
export function sampledRegion(cases: number, print: (text: string) => void, progress: (done: number) => void): number {
  const cells = new Map<string, Cell>();
  const widest: Seen[] = [];
  const slowest: Seen[] = [];
  let [misses, violations, compared, chained] = [0, 0, 0, 0];
  rows()
    .slice(0, cases)
    .forEach(({ question, known }, at) => {
      const { directions, work } = enclosures(question);
      const name = `sigma ${cellOf(SIGMAS, question.sigma)}, rate ${cellOf(RATES, question.rate)}`;
      const cell = cells.get(name) ?? new Cell();
      cells.set(name, cell);
      cell.count++;
      cell.works.add(work);
      for (const direction of DIRECTIONS) {
        const { lower, upper } = directions[direction];
        const text = `${direction} ${JSON.stringify(question)}: ${String(lower)} to ${String(upper)}`;
        if (!(upper < Infinity)) cell.unanswered++;
        const width = upper === 0 ? 0 : upper < Infinity ? (upper - lower!) / upper : 1;
        cell.widths.add(width);
        keep(widest, { width, work, text }, 'width');
        if (direction === 'remove') keep(slowest, { width, work, text }, 'work');
        const other = known[direction];
        if (other === null) continue;
        compared++;
        const off = other.epsilon * (other.off + ROUNDED) + 1e-14;
        if (lower! > other.epsilon + off || upper < other.epsilon - off) {
          misses++;
          print(`MISS ${text}, elsewhere ${String(other.epsilon)}`);
        }
      }
      if (at % EVERY === 0) {
        for (const [what, more] of COSTLIER) {
          const costlier = enclosures(more(question)).directions;
          for (const direction of DIRECTIONS) {
            chained++;
            if (costlier[direction].upper >= directions[direction].lower!) continue;
            violations++;
            print(`MISS ${direction} ${JSON.stringify(question)}: ${what} costs less`);
          }
        }
      }
      progress(at + 1);
    });
  print('Relative widths of epsilon, and milliseconds a question, of Gaussian noise on Poisson samples:');
  for (const [name, { count, unanswered, widths, works }] of [...cells].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const numbers = [widths.quantile(0.5), widths.quantile(0.99), widths.largest].map(brief).join(', ');
    const times = [works.quantile(0.5), works.quantile(0.99), works.largest].map((x) => x.toFixed(0)).join(', ');
    print(
      `  ${name.padEnd(40)} ${String(count).padStart(5)}  width ${numbers}  ms ${times}  unanswered ${String(unanswered)}`,
    );
  }
  for (const [what, seen] of [
    ['widest', widest],
    ['slowest', slowest],
  ] as const) {
    print(`The ${what}:`);
    for (const { width, work, text } of seen) print(`  ${brief(width)}  ${work.toFixed(0)} ms  ${text}`);
  }
  print(
    `${String(compared)} epsilons compared, ${String(misses)} misses; ${String(chained)} costlier ones, of which ${String(violations)} cost less`,
  );
  return misses + violations;
}
