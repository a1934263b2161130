import { geometricRest, logBinomialProbability, NEGLIGIBLE, TURN } from './binomial.ts';
import { enclosure, type Enclosure } from './enclosure.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U, nextDown, nextUp } from './rounding.ts';

/**
 * An upper bound on P[X >= s] for X binomial (n, p), 1 <= s <= n, 0 < p < s/n.
 *
 * The terms fall from s on, and so do the ratios of neighbours: a geometric series bounds what is left out.
 */
function upperTail(s: number, n: number, p: number): number {
  const odds = p / (1 - p);
  const log = logBinomialProbability(n, s, { value: p, complement: 1 - p, error: U });
  let term = 1;
  let sum = 1;
  let turns = 1;
  for (let i = s; i < n; i++, turns++) {
    const ratio = ((n - i) / (i + 1)) * odds;
    const rest = geometricRest(term, ratio);
    if (rest < NEGLIGIBLE * sum) {
      sum += 2 * rest;
      break;
    }
    term *= ratio;
    sum += term;
  }
  const first = Math.exp(nextUp(log.value + log.error)) * (1 + ELEMENTARY_ERROR);
  return nextUp(first * sum * (1 + turns * TURN));
}

/** The largest double p, as far as it is certain, at which s or more successes of n have a chance of at most `risk`. */
function lowerLimit(s: number, n: number, risk: number): number {
  if (s === 0) return 0;
  let [certain, beyond] = [0, s / n];
  for (;;) {
    const middle = certain + (beyond - certain) / 2;
    if (middle <= certain || middle >= beyond) return certain;
    if (upperTail(s, n, middle) <= risk) certain = middle;
    else beyond = middle;
  }
}

/**
 * The Clopper-Pearson interval for the success probability of `trials` independent trials of which `successes`
 * succeeded: it contains the true probability with a chance of at least `confidence`, whatever that probability is. Both
 * ends are rounded outward.
 *
 * Units and domain: whole 0 <= successes <= trials, 1 <= trials <= 2^40, 0 < confidence < 1.
 *
 * Source: Clopper, Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
 * Biometrika 26 (1934): the lower end is the p at which P[X >= successes] is (1 - confidence) / 2, the upper end the one at
 * which P[X <= successes] is.
 */
export function clopperPearson(successes: number, trials: number, confidence: number): Enclosure {
  const risk = nextDown((1 - confidence) / 2);
  return enclosure(
    lowerLimit(successes, trials, risk),
    Math.min(1, nextUp(1 - lowerLimit(trials - successes, trials, risk))),
  );
}
