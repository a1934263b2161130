import { composeEntries } from '../../src/composition/entries/compose-entries.ts';
import { groupFromCurve } from '../../src/composition/group-privacy/group-privacy.ts';
import type { Entry, Fraction, Mechanism } from '../../src/privacy/mechanism.ts';
import { decimal } from '../mechanisms.ts';
import { convolution } from './fourier.ts';
import { Random } from './random.ts';

/** Steps of Gaussian noise on samples, asked for the epsilon at a delta. */
export interface Question {
  readonly sigma: number;
  /** Of each record of one person, in parts of 100,000, the largest first; of each draw with replacement, all equal. */
  readonly rates: readonly number[];
  readonly unit: 'records' | 'replaced records' | 'draws';
  readonly count: number;
  readonly delta: number;
}

const PARTS = 1e5;
const DIRECTIONS = ['remove', 'add'] as const;
type Direction = (typeof DIRECTIONS)[number];

const fraction = (part: number): Fraction => ({ numerator: decimal(part), denominator: decimal(PARTS) });

export function entryOf({ sigma, rates, unit, count }: Question): Entry {
  const [first] = rates;
  const isEqual = rates.every((rate) => rate === first);
  const number = decimal(rates.length);
  const mechanism: Mechanism = {
    type: 'sampled',
    of: { type: 'gaussian', sigma: decimal(sigma), sensitivity: decimal(1) },
    scheme: unit === 'draws' ? 'with-replacement' : 'poisson',
    rate: fraction(first!),
    ...(unit === 'draws'
      ? { draws: number }
      : rates.length > 1 && { records: number, ...(!isEqual && { rates: rates.map(fraction) }) }),
    neighbours: unit === 'replaced records' ? 'replace-one' : 'add-remove',
  };
  return { mechanism, count, kind: 'noninteractive', label: null };
}

/** A stretch of the noise: its probabilities under both data sets, and the losses at its ends. */
interface Cell {
  readonly p: number;
  readonly q: number;
  readonly low: number;
  readonly high: number;
}

const NODES = [-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526];
const NODE_WEIGHTS = [0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538];
/** The noise is looked at so far beyond the most records drawn, but for what is rarer. */
const [FAR, RARE] = [11, 1e-17];

/** The losses of one step where a person is removed, the least first, in cells no wider than `step`. */
function removalCells({ sigma, rates, unit }: Question, step: number): Cell[] {
  const mu = 1 / sigma;
  let weights = [1];
  for (const part of rates) {
    const q = part / PARTS;
    weights = [...weights, 0].map((w, m) => w * (1 - q) + (m > 0 ? weights[m - 1]! * q : 0));
  }
  const most = weights.reduce((last, w, m) => (w > RARE ? m : last), 0);
  const damped = weights.map((w, m) => w * Math.exp((-m * m * mu * mu) / 2));
  /** ln of the ratio to noise around 0, and its slope. */
  const ratio = (x: number): readonly [number, number] => {
    const y = Math.exp(mu * x);
    let [sum, excess, slope, power] = [damped[0]!, 0, 0, 1];
    for (let m = 1; m <= most; m++) {
      power *= y;
      const term = damped[m]! * power;
      sum += term;
      excess += term - weights[m]!;
      slope += term * m * mu;
    }
    return [Math.abs(excess) < 0.5 ? Math.log1p(excess) : Math.log(sum), slope / sum];
  };
  const isReplaced = unit === 'replaced records';
  const at = (x: number) => {
    const [[own, slope], [other, otherSlope]] = [ratio(x), isReplaced ? ratio(-x) : [0, 0]];
    return { own, other, loss: own - other, slope: slope + otherSlope };
  };
  const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  const reach = FAR + most * mu;
  const cells: Cell[] = [];
  for (let x = isReplaced ? -reach : -FAR, here = at(x); x < reach;) {
    const next = Math.min(reach, x + Math.min(0.04, step / here.slope));
    const there = at(next);
    let [p, q] = [0, 0];
    NODES.forEach((node, i) => {
      const place = (x + next) / 2 + (node * (next - x)) / 2;
      const { own, other } = at(place);
      const mass = (NODE_WEIGHTS[i]! * density(place) * (next - x)) / 2;
      p += mass * Math.exp(own);
      q += mass * Math.exp(other);
    });
    cells.push({ p, q, low: here.loss, high: there.loss });
    [x, here] = [next, there];
  }
  return cells;
}

const cellsOf = (question: Question, direction: Direction, step: number): Cell[] => {
  const cells = removalCells(question, step);
  if (direction === 'remove') return cells;
  return cells.map(({ p, q, low, high }) => ({ p: q, q: p, low: -high, high: -low }));
};

const SIZE = 2 ** 15;
/** What transforms, the ends of the noise and of the window leave, added to a delta; and the relative error of quadrature. */
const [SLACK, RELATIVE] = [1e-11, 1e-9];

/** Where the sum of the losses is, but for 1e-15: by Chernoff's bound. */
function windowOf(cells: readonly Cell[], count: number): readonly [number, number] {
  const scales = Array.from({ length: 60 }, (_, i) => 10 ** (-3 + i / 12));
  const end = (sign: number): number =>
    scales.reduce((best, s) => {
      const moment = cells.reduce(
        (sum, { p, low, high }) => sum + p * Math.exp(s * Math.max(sign * low, sign * high)),
        0,
      );
      return Math.min(best, (count * Math.log(moment) + 36) / s);
    }, Infinity);
  return [-end(-1), end(1)];
}

/** The delta of all steps at an epsilon, from below and from above. */
export type Enclosed = (epsilon: number) => readonly [number, number];

/**
 * A convolution on a lattice. From above: a cell has its probabilities at the two places around it ("connecting the dots"). From below: who
 * only sees the sum of the cells' numbers.
 */
export function convolved(question: Question, direction: Direction): Enclosed {
  const { count } = question;
  const [from, to] = windowOf(cellsOf(question, direction, 0.05), count);
  const step = ((to - from) * 1.02) / (SIZE - 8);
  const [dots, p, q] = [0, 1, 2].map(() => new Float64Array(SIZE)) as [Float64Array, Float64Array, Float64Array];
  const put = (into: Float64Array, place: number, mass: number): void => {
    into[((place % SIZE) + SIZE) % SIZE]! += mass;
  };
  for (const cell of cellsOf(question, direction, step)) {
    const [first, last] = [Math.floor(cell.low / step), Math.ceil(cell.high / step)];
    const upper = (cell.p - cell.q * Math.exp(first * step)) / -Math.expm1((first - last) * step);
    const share = Math.max(0, Math.min(cell.p, Number.isFinite(upper) ? upper : cell.p));
    put(dots, last, share);
    put(dots, first, cell.p - share);
    const place = Math.round((cell.low + cell.high) / 2 / step);
    put(p, place, cell.p);
    put(q, place, cell.q * Math.exp(place * step));
  }
  const [above, ours, theirs] = [dots, p, q].map((weights) => convolution([{ weights, count }])) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const start = Math.floor(from / step) - 2;
  return (epsilon) => {
    let [upper, sum, lower] = [0, 0, 0];
    for (let i = SIZE - 1; i >= 0; i--) {
      const loss = (start + i) * step;
      const at = (((start + i) % SIZE) + SIZE) % SIZE;
      if (loss > epsilon) upper += above[at]! * -Math.expm1(epsilon - loss);
      sum += ours[at]! - theirs[at]! * Math.exp(epsilon - loss);
      if (epsilon - loss > 30) break;
      lower = Math.max(lower, sum);
    }
    return [lower * (1 - RELATIVE) - SLACK, upper * (1 + RELATIVE) + SLACK];
  };
}

const SHARE = 0.002;

/** A random question, the k-th of a seed. */
export function questionOf(seed: number, index: number): Question {
  const random = new Random(seed, index);
  const unit = random.pick(['records', 'records', 'replaced records', 'draws'] as const);
  const number = unit === 'draws' ? random.logWhole(2, 60) : random.whole(1, 6);
  const typical = random.logBetween(SHARE, unit === 'draws' ? 0.02 : 0.3);
  const isOwn = unit !== 'draws' && random.chance(0.5);
  const part = (): number => Math.max(1, Math.round(PARTS * typical * (isOwn ? random.between(0.1, 1) : 1)));
  const one = part();
  const rates = random.times(number, () => (isOwn ? part() : one)).sort((a, b) => b - a);
  const sigma = Number(random.logBetween(0.6, 8).toPrecision(3));
  return {
    sigma,
    rates,
    unit,
    count: random.logWhole(1, 300),
    delta: Number(random.logBetween(1e-7, 0.05).toPrecision(3)),
  };
}

function epsilonsOf(question: Question) {
  const problem = { entries: [entryOf(question)], adaptivity: 'adaptive', order: 'any' } as const;
  const query = { solveFor: 'epsilon', delta: decimal(question.delta) } as const;
  const outcome = composeEntries(problem, query, { bounds: ['loss-distribution'], directions: true });
  if (outcome.kind !== 'answer') throw new Error(`refused: ${outcome.refusal.code}`);
  return outcome.answer;
}

/** The same question of more: what costs no less. */
const MORE: readonly ((question: Question) => Question)[] = [
  (question) => ({ ...question, rates: [...question.rates, question.rates.at(-1)!] }),
  (question) => ({ ...question, count: question.count + 3 }),
  (question) => ({ ...question, rates: question.rates.map((part) => Math.ceil(part * 1.2)) }),
  (question) => ({ ...question, delta: question.delta / 2 }),
  (question) => (question.unit === 'records' ? { ...question, unit: 'replaced records' } : question),
];

/** What is wrong with the answer to a question; empty where all holds. */
export function missesOf(question: Question, index: number): string[] {
  const { delta, unit, rates, count } = question;
  const answer = epsilonsOf(question);
  const { lower, upper } = answer.epsilon;
  const misses: string[] = [];
  for (const direction of unit === 'replaced records' ? DIRECTIONS.slice(0, 1) : DIRECTIONS) {
    const claim = answer.directions?.[direction] ?? answer.epsilon;
    const at = convolved(question, direction);
    if (at(claim.upper)[0] > delta)
      misses.push(`${direction}: epsilon ${claim.upper} is claimed, where delta is ${at(claim.upper).join()}`);
    if (claim.lower !== null && claim.lower > 0 && at(claim.lower)[1] < delta) {
      misses.push(`${direction}: the lower bound ${claim.lower}, where delta is ${at(claim.lower).join()}`);
    }
  }
  const more = MORE[index % MORE.length]!(question);
  const least = epsilonsOf(more).epsilon.upper;
  if (lower !== null && least < lower)
    misses.push(`${JSON.stringify(more)} costs ${least}, which is less than ${lower}`);
  // One record, of the largest rate or of each: the lemma on groups from above, and a record alone from below.
  if (unit === 'draws' || rates.length === 1) return misses;
  const single: Question = { ...question, rates: rates.slice(0, 1) };
  const alone = epsilonsOf(single).epsilon.lower;
  if (alone !== null && upper < alone) misses.push(`one record loses ${alone}, all of them ${upper}`);
  if (index % 10 === 0 && count <= 50) {
    const problem = { entries: [entryOf(single)], adaptivity: 'adaptive', order: 'any' } as const;
    const options = { bounds: ['loss-distribution'] } as const;
    const group = groupFromCurve(problem, { solveFor: 'epsilon', delta: decimal(delta) }, rates.length, options);
    if (group?.lt(lower ?? 0) === true)
      misses.push(`the lemma on groups claims ${group.toString()}, less than ${lower}`);
  }
  return misses;
}

/** Several records of one person, with rates of their own too, and draws with replacement; gives the number of misses. */
export function recordsRegion(
  cases: number,
  seed: number,
  print: (text: string) => void,
  onProgress: (done: number) => void,
): number {
  let missed = 0;
  for (let index = 0; index < cases; index++) {
    const question = questionOf(seed, index);
    const misses = missesOf(question, index);
    if (misses.length > 0) {
      missed++;
      print(`${JSON.stringify(question)}\n  MISS ${misses.join('\n  MISS ')}`);
    }
    onProgress(index + 1);
  }
  print(`${cases} questions of seed ${seed} about several records, ${missed} misses`);
  return missed;
}
