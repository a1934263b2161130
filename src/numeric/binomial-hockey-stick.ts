import { enclosure, type Enclosure } from './enclosure.ts';
import { add, logarithm } from './enclosure-arithmetic.ts';
import { geometricRest, logBinomialProbability, NEGLIGIBLE, TURN, type Probability } from './binomial.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U, nextDown, nextUp } from './rounding.ts';

/** A hockey-stick divergence at a threshold, of losses on a binomial lattice. */
export interface BinomialHockeyStick {
  /** Number of trials n. */
  readonly trials: number;
  /** Probability of the outcome that lowers the loss by `step`. */
  readonly probability: Probability;
  /** Largest index whose loss is at or above the threshold; 0 <= last <= n. */
  readonly last: number;
  /** Loss minus threshold at `last`, >= 0. */
  readonly excess: number;
  /** Bound on the absolute error of `excess`. */
  readonly excessError: number;
  /** How much each further index lowers the loss, > 0. */
  readonly step: number;
}

/** Relative error of a weight 1 - e^-x computed from x. */
const WEIGHT_ERROR = ELEMENTARY_ERROR + 4 * U;

interface Accumulator {
  sum: number;
  /** Bound on the absolute error of `sum`. */
  error: number;
  /** Sum of the probabilities of the indices added, relative to the anchor's. */
  mass: number;
}

/** Adds the indices from..0, the probability of `from` being 1; the ratios of neighbours fall with the index. */
function addDownward(e: BinomialHockeyStick, from: number, total: Accumulator): void {
  const { trials: n, probability: p } = e;
  const odds = p.complement / p.value;
  const shrink = -Math.expm1(-e.step);
  const decay = Math.exp(-e.step);
  const turn = TURN + 2 * p.error;
  const height = e.excess + (e.last - from) * e.step;
  let mass = 1;
  let weight = -Math.expm1(-height);
  let rest = Math.exp(-height);
  for (let i = from, turns = 0; ; i--, turns++) {
    const term = mass * weight;
    total.sum += term;
    total.error += term * (turns * turn + WEIGHT_ERROR);
    total.mass += mass;
    if (i === 0) return;
    const ratio = (i / (n - i + 1)) * odds;
    const tail = geometricRest(mass, ratio);
    if (tail < NEGLIGIBLE * total.sum) {
      total.error += 2 * tail;
      return;
    }
    mass *= ratio;
    weight += rest * shrink;
    rest *= decay;
  }
}

/** Adds the indices from..last, the probability of `from - 1` being 1. */
function addUpward(e: BinomialHockeyStick, from: number, total: Accumulator): void {
  const { trials: n, probability: p } = e;
  const odds = p.value / p.complement;
  const turn = TURN + 2 * p.error;
  let mass = 1;
  for (let i = from, turns = 1; i <= e.last; i++, turns++) {
    mass *= ((n - i + 1) / i) * odds;
    const term = mass * -Math.expm1(-(e.excess + (e.last - i) * e.step));
    total.sum += term;
    total.error += term * (turns * turn + WEIGHT_ERROR);
    total.mass += mass;
    const tail = geometricRest(mass, ((n - i) / (i + 1)) * odds);
    if (tail < NEGLIGIBLE * total.sum) {
      total.error += 2 * tail;
      return;
    }
  }
}

/**
 * ln of sum_{i=0..last} C(n,i) p^i (1-p)^(n-i) (1 - e^-(excess + (last-i) step)), enclosed.
 *
 * Every term is positive, so nothing cancels: the sum starts where the probabilities are largest (the mode, or `last`
 * where that comes first), runs outward by ratios of neighbours, and stops when a geometric series puts the rest below
 * 2^-60 of it; that rest joins the error. Work is O(sqrt n). The error bound adds, term by term, one TURN for every
 * step of the recurrences, the relative errors of p, the error of the anchor's logarithm, and the error of `excess`:
 * a weight 1 - e^-x moves by at most the error of x, also when that brings index last + 1 above the threshold. A
 * `step` of relative error 4u moves a weight by at most as much, which TURN contains.
 */
export function logBinomialHockeyStick(e: BinomialHockeyStick): Enclosure {
  const { trials: n, probability: p, last } = e;
  const anchor = Math.min(last, Math.floor((n + 1) * p.value));
  const log = logBinomialProbability(n, anchor, p);
  const total: Accumulator = { sum: 0, error: 0, mass: 0 };
  addDownward(e, anchor, total);
  if (anchor < last) addUpward(e, anchor + 1, total);
  const nextMass = anchor < last ? 1 : ((n - last) / (last + 1)) * (p.value / p.complement);
  const error = total.error + e.excessError * (2 * total.mass + nextMass);
  const sum = logarithm(enclosure(Math.max(0, nextDown(total.sum - error)), nextUp(total.sum + error)));
  return add(enclosure(nextDown(log.value - log.error), nextUp(log.value + log.error)), sum);
}
