import { encloseDecimal, ONE, toLower, type Decimal } from '../../numeric/decimal.ts';
import { asLower, exactly, type LowerBound } from '../../numeric/enclosure.ts';
import { divide, logarithm, subtract } from '../../numeric/enclosure-arithmetic.ts';
import { largestChance, type UpperTail } from '../../numeric/binomial.ts';
import { nextUp } from '../../numeric/rounding.ts';

/** What was guessed of the canaries of one run: each was in with probability 1/2, on its own. */
export interface Guesses {
  readonly canaries: number;
  /** How many canaries were guessed to be in or out, whichever way; fixed before the scores were seen. */
  readonly guesses: number;
  readonly correct: number;
}

/** An upper bound on the chance of so many correct guesses or more, from the tail of the binomial distribution beyond them. */
function chanceOf({ probability, overFirst }: UpperTail, { canaries, correct }: Guesses, delta: number): number {
  const share = nextUp(nextUp(nextUp(canaries * delta) / correct) * overFirst);
  return share >= 1 ? 1 : nextUp(share + nextUp(probability * nextUp(1 - share)));
}

/**
 * The largest epsilon, rounded down, that so many correct guesses reject: an (epsilon, delta)-DP mechanism has as many or more with a
 * chance below 1 - confidence. At least 0.
 *
 * Let W be binomial with as many trials as guesses r and the chance p = e^eps / (1 + e^eps), and v >= 1. Then the number V of correct
 * guesses has
 *
 *   P[V >= v] <= B + (m delta / v) S (1 - B),   B = P[W >= v],  S = B / P[W = v].
 *
 * Proof. Let p_w = P[V = w], a_w = w p_w, and b_w the mean number of wrong guesses on V = w, at most (r - w) p_w. Given all coins but
 * that of canary i, "i is guessed to be in, and so many of the others rightly" is an event of the output. Privacy bounds it under one side of the coin by
 * the other; there the guess is wrong and one less is right. Summed over sides, canaries and any set of w: the sum of a_w - e^eps b_(w-1)
 * over that set is at most m delta. So the positive parts d_w of these sum up to at most m delta. Let D_w = B P[W < w] / (w P[W = w])
 * for w <= v, and (1 - B) P[W >= w] / (w P[W = w]) beyond: the increments of the g that solves
 * e^eps (r - w) D_(w+1) - w D_w = B - 1[w >= v]. Its mean over p is the sum of D_w (e^eps (r - w + 1) p_(w-1) - a_w), at least -max D
 * times the sum of d_w. As the binomial distribution is log-concave, D_w rises to w = v and falls beyond. QED. It is attained
 * wherever it is below 1, by guesses with p_w / P[W = w] constant for w < v and for w >= v.
 *
 * Source: the setting and delta = 0 are Steinke, Nasr, Jagielski (2023), Thm 5.2 and Cor 5.4, whose term in delta is at least twice
 * as large in tests where B <= 1/2; this one is derived.
 *
 * Units and domain: whole 0 <= correct <= guesses <= canaries, guesses up to 2^40; 0 <= delta <= 1; 1/2 <= confidence < 1.
 */
export function epsilonByGuesses(guesses: Guesses, delta: Decimal, confidence: Decimal): LowerBound {
  const risk = toLower(ONE.minus(confidence));
  const { upper } = encloseDecimal(delta);
  const chance = exactly(
    largestChance(guesses.correct, guesses.guesses, (tail) => chanceOf(tail, guesses, upper) < risk),
  );
  if (chance.lower <= 1 / 2) return asLower(0);
  return asLower(Math.max(0, logarithm(divide(chance, subtract(exactly(1), chance))).lower));
}
