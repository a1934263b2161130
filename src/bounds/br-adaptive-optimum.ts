import { encloseDecimal, type Decimal } from '../numeric/decimal.ts';
import { fromDouble, toDouble, type DoubleDouble } from '../numeric/double-double.ts';
import { logarithm } from '../numeric/enclosure-arithmetic.ts';
import { enclosure, midpoint, width, type Enclosure } from '../numeric/enclosure.ts';
import { minimiseOnLogScale } from '../numeric/minimise.ts';
import type { FiniteLossCurve } from '../privacy/finite-loss-curve.ts';
import { boundedRangeMoment } from '../privacy/log-moment.ts';
import type { Effort } from './bound.ts';
import { adaptiveValue, type AdaptiveTable, type TailBound } from './br-adaptive-table.ts';
import { boundedRangeMoments } from './br-mgf.ts';
import { nonadaptiveOptimum } from './br-nonadaptive-optimum.ts';
import { logConversionFactor, momentCurve } from './moment-curve.ts';

/** The relative width of enclosures where none is asked. */
export const DEFAULT_ADAPTIVE_TOLERANCE = 1e-3;

/** Cells per e of the first, coarse table, and the most that are tried. */
const COARSE = 16;
const FINEST = 4096;

/** Chords times stages of the largest table: a second or two where no tolerance is asked, else up to half a minute. */
const USUAL_WORK = 2e8;
const MOST_WORK = 4e9;

/** Beyond these a table is too large (many mechanisms) or its weights underflow (large parameters). */
export const LARGEST_ADAPTIVE_COUNT = 5000;
export const LARGEST_ADAPTIVE_EPSILON = 100;

/** About how many chords a table of m cells per e takes. */
const work = (k: number, m: number, deviations: number): number => k * m * m * (1 + deviations * Math.sqrt(k) * 0.7);

/** V_j(x) <= e^(j h(lambda) + ln factor - lambda x) for every x, with the lambda that is best near the x given. */
function tailBounds(epsilonEach: Decimal): AdaptiveTable['tailBound'] {
  const moment = boundedRangeMoment(encloseDecimal(epsilonEach));
  return (j, x): TailBound => {
    if (j === 0) return { lambda: 1, logFactor: 0 };
    const logFactor = (lambda: number): number => j * moment(lambda).upper + logConversionFactor(lambda).upper;
    const at = Math.max(x, 1e-9);
    const lambda = minimiseOnLogScale((l) => logFactor(l) - l * at, 1e-6, 1e9, 28);
    return { lambda, logFactor: logFactor(lambda) };
  };
}

/**
 * The optimal adaptive composition of k >= 2 mechanisms of e-bounded range: tables refined (their width falls as the
 * square of the number of cells) until the enclosure is as narrow as asked, the effort is spent, or the next table is
 * too large. The nonadaptive optimum, a legal adversary, raises the lower end where it is higher.
 */
export function adaptiveOptimum(epsilonEach: Decimal, k: number, effort: Effort): FiniteLossCurve {
  const e = epsilonEach.toNumber();
  const tolerance = effort.tolerance ?? DEFAULT_ADAPTIVE_TOLERANCE;
  const mostWork = effort.tolerance === undefined ? USUAL_WORK : MOST_WORK;
  const tailBound = tailBounds(epsilonEach);
  const nonadaptive = nonadaptiveOptimum(epsilonEach, k, 'lower');
  const moments = momentCurve(boundedRangeMoments([{ epsilon: epsilonEach, count: k }], logConversionFactor));
  const known = new Map<string, Enclosure>();

  const deviationsFor = (logDelta: number): number => Math.sqrt(2 * (Math.max(0, -logDelta) + 16));

  const tableAt = (epsilon: number, cells: number, deviations: number): Enclosure => {
    const key = `${epsilon} ${cells}`;
    const found = known.get(key);
    if (found) return found;
    const made = logarithm(adaptiveValue({ epsilonEach: e, count: k, epsilon, cells, deviations, tailBound }));
    known.set(key, made);
    return made;
  };

  /** The number of cells that should bring a table's width (in ln delta) from `reached` to `asked`; even. */
  const cellsFor = (cells: number, reached: number, asked: number, deviations: number): number => {
    const wanted = cells * Math.sqrt(reached / asked) * 1.08;
    const affordable = Math.sqrt(mostWork / work(k, 1, deviations));
    return Math.max(4, Math.min(FINEST, Math.ceil(wanted), Math.floor(affordable)));
  };

  const coarsest = (deviations: number): number =>
    Math.max(4, Math.min(COARSE, Math.floor(Math.sqrt(mostWork / work(k, 1, deviations)))));

  /** The cells per e at which the table at `epsilon` is as narrow as asked, as far as can be afforded. */
  const cellsNeeded = (epsilon: number, asked: number, deviations: number): number => {
    let cells = coarsest(deviations);
    for (;;) {
      const reached = width(tableAt(epsilon, cells, deviations));
      if (reached <= asked || effort.exhausted()) return cells;
      const next = cellsFor(cells, reached, asked, deviations);
      if (next <= cells) return cells;
      cells = next;
    }
  };

  return {
    maximum: epsilonEach.times(k),

    logDelta(epsilon: DoubleDouble) {
      // The value falls with epsilon: the neighbouring doubles stand for a decimal between them.
      const x = toDouble(epsilon);
      const fixed = nonadaptive.logDelta(epsilon);
      const deviations = deviationsFor(moments.logDelta(fromDouble(x)).upper);
      const table = tableAt(x, cellsNeeded(x, tolerance, deviations), deviations);
      // V(x + dx) differs from V(x) by at most dx relative to 1 - V's slope in y: |dV/dx| <= 1.
      const shift = Math.abs(epsilon.low) * Math.exp(-Math.max(-700, table.lower));
      return enclosure(Math.max(fixed.lower, table.lower - shift), table.upper + shift);
    },

    epsilon(target) {
      const lowest: number = nonadaptive.epsilon!(target).lower;
      const highest: number = Math.min(moments.epsilon!(target).upper, epsilonEach.times(k).toNumber());
      if (highest <= lowest) return enclosure(lowest, highest);
      const goal = midpoint(target);
      const deviations = deviationsFor(goal);
      const rough = coarsest(deviations);
      const gapAt = (x: number): number => midpoint(tableAt(x, rough, deviations)) - goal;
      // Secant steps from the two bounds that are known.
      let [a, b] = [lowest, highest];
      let [gapA, gapB] = [gapAt(a), gapAt(b)];
      for (let step = 0; step < 4 && Math.abs(gapB - gapA) > 1e-6 && Math.abs(gapB) > 1e-3; step++) {
        const next = Math.min(highest, Math.max(lowest, b - (gapB * (b - a)) / (gapB - gapA)));
        [a, gapA] = [b, gapB];
        b = next;
        gapB = gapAt(b);
      }
      const slope = Math.max(1e-3, Math.abs((gapB - gapA) / (b - a)) || 1);
      const asked = Math.max(1e-12, 0.4 * tolerance * b * slope);
      const cells = cellsNeeded(b, asked, deviations);
      const at = (x: number): Enclosure => tableAt(x, cells, deviations);
      const there = at(b);
      const stride = 0.1 * tolerance * b;
      const below = b - (1.02 * (goal - there.lower) + 1e-12) / slope;
      const above = b + (1.02 * (there.upper - goal) + 1e-12) / slope;
      return enclosure(
        claim(-1, below, lowest, (x) => at(x).lower > target.upper, stride),
        claim(1, above, highest, (x) => at(x).upper <= target.lower, stride),
      );
    },
  };
}

/** The first of a few points, from `start` toward `end`, where `holds`; else `end`, where the claim is known to hold. */
function claim(direction: 1 | -1, start: number, end: number, holds: (x: number) => boolean, stride: number): number {
  let x = start;
  for (let tries = 0; tries < 4 && direction * (end - x) > 0; tries++) {
    if (holds(x)) return x;
    x += direction * stride * 2 ** tries;
  }
  return end;
}
