import { midpoint, type Enclosure } from '../../numeric/enclosure.ts';
import { exponential, logarithm, subtract } from '../../numeric/enclosure-arithmetic.ts';
import { lowerLosses, repeated, type Cell, type LowerLosses } from './lower-losses.ts';
import { logMaximumBelow, maximumAbove, maximumLoss, type Spike } from './shuffled-maximum.ts';

/** A division of the line of the largest sum into cells, by the points between them, which ascend. */
type Division = readonly number[];

/** A cell's probability; where most lies below it, from what lies above either end, else from what lies below. */
function cellMass(spike: Spike, from: number, to: number): Enclosure {
  const below = (c: number): Enclosure => exponential(logMaximumBelow(spike, c));
  if (from === -Infinity) return below(to);
  if (to === Infinity) return maximumAbove(spike, from);
  return logMaximumBelow(spike, to).upper < -Math.LN2
    ? subtract(below(to), below(from))
    : subtract(maximumAbove(spike, from), maximumAbove(spike, to));
}

interface Masses {
  readonly p: Enclosure;
  readonly q: Enclosure;
}

/** The probabilities of the cells, the outermost of which reach to infinity. */
const massesOf = (p: Spike, q: Spike, division: Division): Masses[] =>
  [-Infinity, ...division].map((from, i) => {
    const to = division[i] ?? Infinity;
    return { p: cellMass(p, from, to), q: cellMass(q, from, to) };
  });

/** The cells in one direction: those of which nothing certain is known are left out. */
function cellsOf(masses: readonly Masses[], direction: 'remove' | 'add'): Cell[] {
  return masses.flatMap(({ p, q }) => {
    const [own, other] = direction === 'remove' ? [p, q] : [q, p];
    if (own.lower <= 0 || other.upper <= 0) return [];
    const loss = logarithm(own).lower - logarithm(other).upper;
    return [{ mass: own.lower, loss: loss - Math.abs(loss) * 2 ** -52 }];
  });
}

const POINTS = 2048;

/** Between these lies all of the weight of the largest sum that matters. */
const OUTSIDE = { below: 1e-18, above: 1e-60 };

/** The first c on a line of which `holds` is true, to one in 2^40 of a length of `width`. */
function firstWhere(holds: (c: number) => boolean, from: number, width: number): number {
  let [low, high] = [from, from + width];
  for (let i = 0; i < 40; i++) {
    const middle = low + (high - low) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** About the losses at places at equal distances on the part of the line that matters; both ascend. */
interface LossTable {
  readonly places: readonly number[];
  readonly losses: readonly number[];
}

function lossTable(p: Spike, q: Spike): LossTable {
  const from = firstWhere((c) => logMaximumBelow(q, c).upper > Math.log(OUTSIDE.below), -40, 80 + q.mean);
  const to = firstWhere((c) => maximumAbove(p, c).lower < OUTSIDE.above, -40, 80 + p.mean);
  const places = Array.from({ length: POINTS + 1 }, (_, i) => from + ((to - from) * i) / POINTS);
  return { places, losses: places.map((c) => maximumLoss(p, q, c)) };
}

/** The largest power of two up to x. */
const powerOfTwoBelow = (x: number): number => 2 ** Math.floor(Math.log2(x));

/** How many steps the deviation of one loss, and that of the sum, is divided into. */
const [PER_DEVIATION, PER_TOTAL] = [8, 256];

function stepFor(p: Spike, { places, losses }: LossTable, epochs: number): number {
  let [mass, mean, square] = [0, 0, 0];
  for (let i = 0; i < POINTS; i++) {
    const weight = Math.max(0, cellMass(p, places[i]!, places[i + 1]!).lower);
    const loss = (losses[i]! + losses[i + 1]!) / 2;
    mass += weight;
    mean += weight * loss;
    square += weight * loss * loss;
  }
  const deviation = Math.sqrt(Math.max(0, square / mass - (mean / mass) ** 2));
  const finest = (losses[POINTS]! - losses[0]!) / POINTS;
  return powerOfTwoBelow(2 * Math.max(finest, deviation / PER_DEVIATION, (deviation * Math.sqrt(epochs)) / PER_TOTAL));
}

/** The points at which the loss is (i + 1/2) step - shifts_i, i from `first`. */
function divisionAt(table: LossTable, step: number, first: number, shifts: readonly number[]): Division {
  const { places, losses } = table;
  const division: number[] = [];
  for (let [i, at] = [0, 0]; ; i++) {
    const level = (first + i + 0.5) * step - (shifts[i] ?? 0);
    while (at < POINTS && losses[at + 1]! < level) at++;
    if (at === POINTS) return division;
    const [low, high] = [losses[at]!, losses[at + 1]!];
    const c = places[at]! + (places[at + 1]! - places[at]!) * Math.min(1, Math.max(0, (level - low) / (high - low)));
    if (c > (division.at(-1) ?? -Infinity)) division.push(c);
    else return division;
  }
}

/**
 * Cells whose losses are nearly whole multiples of the step: first those between the points half a step away, then the
 * points moved by how far the losses of the cells on either side are off.
 */
function cellMasses(p: Spike, q: Spike, table: LossTable, step: number): Masses[] {
  const first = Math.ceil(table.losses[0]! / step);
  const masses = massesOf(p, q, divisionAt(table, step, first, []));
  const errors = masses.map(({ p: own, q: other }, i) => {
    const error = Math.log(midpoint(own) / midpoint(other)) - (first + i) * step;
    return Math.abs(error) < step / 4 ? error : 0;
  });
  const shifts = errors.map((error, i) => (error + (errors[i + 1] ?? 0)) / 2);
  return massesOf(p, q, divisionAt(table, step, first, shifts));
}

/**
 * Lower bounds on the losses of `epochs` independent epochs in either direction, p over q (remove) and q over p (add), from
 * the largest sum of each epoch, divided into cells.
 */
export function shuffledEpochs(p: Spike, q: Spike, epochs: number): Readonly<Record<'remove' | 'add', LowerLosses>> {
  const table = lossTable(p, q);
  const step = stepFor(p, table, epochs);
  const masses = cellMasses(p, q, table, step);
  const losses = (direction: 'remove' | 'add'): LowerLosses =>
    repeated(lowerLosses(cellsOf(masses, direction), step), epochs);
  return { remove: losses('remove'), add: losses('add') };
}
