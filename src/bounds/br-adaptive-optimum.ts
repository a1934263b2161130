import { encloseDecimal, toUpper, type Decimal } from '../numeric/decimal.ts';
import { fromDouble, toDouble, type DoubleDouble } from '../numeric/double-double.ts';
import { exponential, logarithm } from '../numeric/enclosure-arithmetic.ts';
import { enclosure, width, type Enclosure } from '../numeric/enclosure.ts';
import { minimiseOnLogScale } from '../numeric/minimise.ts';
import type { FiniteLossCurve } from '../privacy/finite-loss-curve.ts';
import { boundedRangeMoment } from '../privacy/log-moment.ts';
import type { Effort } from './bound.ts';
import { crossingOnGrid } from './br-adaptive-crossing.ts';
import { adaptiveValues, type AdaptiveTable, type AdaptiveValues, type TailBound } from './br-adaptive-table.ts';
import { boundedRangeMoments } from './br-mgf.ts';
import { nonadaptiveOptimum } from './br-nonadaptive-optimum.ts';
import { logConversionFactor, momentCurve } from './moment-curve.ts';

/** The relative width of enclosures where none is asked. */
export const DEFAULT_ADAPTIVE_TOLERANCE = 1e-3;

/** Cells per e of the first, coarse table, and the most that are tried. */
const COARSE = 16;
const FINEST = 4096;

/** Chords times stages of the largest table: a second or two where no tolerance is asked, else up to half a minute. */
const USUAL_WORK = 2.5e8;
const MOST_WORK = 4e9;

/** Beyond these a table is too large (many mechanisms) or its weights underflow (large parameters). */
export const LARGEST_ADAPTIVE_COUNT = 5000;
export const LARGEST_ADAPTIVE_EPSILON = 100;

/** About how many chords a table of m cells per e takes. */
const work = (k: number, m: number, deviations: number): number => k * m * m * (1 + deviations * Math.sqrt(k) * 0.7);

/** Deviations to keep so that what lies outside the window does not matter for a delta of this size. */
const deviationsFor = (logDelta: number): number => Math.sqrt(2 * (Math.max(0, -logDelta) + 16));

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
 * too large. The nonadaptive optimum, a legal adversary, raises the lower end where it is higher. For an epsilon, one
 * table over the interval between the nonadaptive optimum and the moment bound shows where the crossing lies, and finer
 * ones are made there only.
 */
export function adaptiveOptimum(epsilonEach: Decimal, k: number, effort: Effort): FiniteLossCurve {
  const e = epsilonEach.toNumber();
  const tolerance = effort.tolerance ?? DEFAULT_ADAPTIVE_TOLERANCE;
  const mostWork = effort.tolerance === undefined ? USUAL_WORK : MOST_WORK;
  const tailBound = tailBounds(epsilonEach);
  const nonadaptive = nonadaptiveOptimum(epsilonEach, k, 'lower');
  const moments = momentCurve(boundedRangeMoments([{ epsilon: epsilonEach, count: k }], logConversionFactor));
  const maximum = epsilonEach.times(k);

  const tableAt = (epsilon: number, reach: number, cells: number, deviations: number): AdaptiveValues =>
    adaptiveValues({ epsilonEach: e, count: k, epsilon, reach, cells, deviations, tailBound });

  /**
   * Calls `attempt` with more and more cells until the width it returns is as asked. The next number of cells follows
   * from the width reached; where several refinements are ahead the first ones are kept small.
   */
  const refine = (deviations: number, asked: number, attempt: (cells: number) => number): void => {
    const affordable = Math.max(4, Math.min(FINEST, Math.floor(Math.sqrt(mostWork / work(k, 1, deviations)))));
    let cells = Math.min(COARSE, affordable);
    for (;;) {
      const reached = attempt(cells);
      if (reached <= asked || effort.exhausted()) return;
      const wanted = Math.min(affordable, Math.ceil(cells * Math.sqrt(reached / asked) * 1.08), 8 * cells);
      if (wanted <= cells) return;
      cells = wanted;
    }
  };

  return {
    maximum,

    logDelta(epsilon: DoubleDouble) {
      const x = toDouble(epsilon);
      const deviations = deviationsFor(moments.logDelta(fromDouble(x)).upper);
      let best = enclosure(nonadaptive.logDelta(epsilon).lower, 0);
      refine(deviations, tolerance, (cells) => {
        const { lower, upper } = tableAt(x, 0, cells, deviations);
        // epsilon is the double x plus a rest: |dV/dx| <= 1.
        const rest = Math.abs(epsilon.low);
        const finer = logarithm(enclosure(Math.max(0, lower[0]! - rest), upper[0]! + rest));
        best = enclosure(Math.max(best.lower, finer.lower), Math.min(best.upper, finer.upper));
        return width(best);
      });
      return best;
    },

    epsilon(target) {
      const goal = exponential(target);
      let best: Enclosure = enclosure(
        nonadaptive.epsilon!(target).lower,
        Math.min(moments.epsilon!(target).upper, toUpper(maximum)),
      );
      if (best.upper <= best.lower) return best;
      refine(deviationsFor(target.lower), tolerance, (cells) => {
        const step = e / cells;
        const reach = width(best) / 2 + 3 * step;
        const centre = (best.lower + best.upper) / 2;
        const values = tableAt(centre, reach, cells, deviationsFor(target.lower));
        best = crossingOnGrid(values, centre, goal, best.lower, best.upper);
        return width(best) / best.upper;
      });
      return best;
    },
  };
}
