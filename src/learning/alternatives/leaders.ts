import { gaussianNoise, LARGEST_EPSILON, LEAST_DELTA } from '../../bounds/closed-form/gaussian-noise.ts';
import { decimalFromDouble, encloseDecimal, type Decimal, logDecimal, roundedUp } from '../../numeric/decimal.ts';
import { asUpper, enclosure, exactly, type Enclosure, type UpperBound } from '../../numeric/enclosure.ts';
import {
  add,
  divide,
  expm1,
  exponential,
  log1p,
  logarithm,
  maximum,
  minimum,
  multiply,
  negate,
  squareRoot,
  subtract,
  times,
} from '../../numeric/enclosure-arithmetic.ts';
import { approximateQuantile, INVERSE_SQRT_TWO_PI, normalTail } from '../../numeric/normal.ts';
import {
  squaredBatches,
  transitions,
  type ConvexProblem,
  type ExpertsProblem,
  type PerturbedLeader,
} from '../core/setting.ts';
import {
  guessingRegretOfConvex,
  largestRegret,
  lessShare,
  smallestRadius,
  type ProvedAlternative,
} from './alternative.ts';

/** Sizes of batches are tried that make 1, 2^(1/4), 2^(1/2), ... batches of T rounds. */
const PER_DOUBLING = 4;

/** Batch sizes for T rounds: the least one for each of a few numbers of batches, among them all powers of two. */
export function batchSizes(rounds: number): readonly number[] {
  const sizes = new Set<number>();
  for (let j = 0; ; j++) {
    const batch = Math.ceil(rounds / 2 ** (j / PER_DOUBLING));
    sizes.add(batch);
    if (batch === 1) return [...sizes];
  }
}

/**
 * The standard deviation of Gaussian noise that certainly makes a statistic of sensitivity 1 (epsilon, delta)-DP: the smallest of 12
 * digits ({@link gaussianNoise}); for a delta below 1e-150, where that is not computed, 1 / mu of mu = sqrt(t^2 + 2 epsilon) - t,
 * t = sqrt(2 ln(1/delta)), for which delta(epsilon) <= Phi(mu/2 - epsilon/mu) = Phi(-t) <= e^(-t^2 / 2).
 */
export function gaussianScale(epsilon: Decimal, delta: Decimal): Enclosure {
  if (delta.gte(LEAST_DELTA) && epsilon.lte(LARGEST_EPSILON)) return encloseDecimal(gaussianNoise(epsilon, delta));
  const squared = times(2, negate(logDecimal(delta)));
  const [t, twice] = [squareRoot(squared), times(2, encloseDecimal(epsilon))];
  const sum = add(squareRoot(add(squared, twice)), t);
  return enclosure(0, divide(sum, twice).upper);
}

/*
 * Noisy prefix sums: of n vectors that come one by one, the sum of the first t, for every t from 1 to n, with Gaussian noise
 * that is correlated between sums. All ways to do so are one Gaussian mechanism: what is released is C x + z, z of variance
 * sigma^2 in each coordinate of each row, and each sum is a linear function of rows that are there by then. Replacing one
 * vector by another at distance at most S moves C x by at most S times the largest column norm of C. That vectors may depend
 * on earlier sums changes nothing: shifts chosen adaptively whose squared norms sum to at most m^2 on every path are
 * dominated by one shift of norm m (Denisov, McMahan, Rush, Smith, Thakurta 2022; Smith, Thakurta 2022).
 *
 * So with noise of standard deviation S sigma_1 times the column norm, sigma_1 what one statistic of sensitivity 1 needs, all sums
 * together are (epsilon, delta)-DP, and the noise of every sum has at most the standard deviation S sigma_1 gamma_n in each
 * coordinate, with gamma_n the product of the largest column norm and the largest norm of a sum's combination of rows.
 */

/** How noise is shared between sums. */
type PrefixNoise = 'tree' | 'square-root';

const INVERSE_PI = enclosure(0.3183098861837906, 0.31830988618379075);

/**
 * The sum of f_k^2 for k < n, f_k = binomial(2 k, k) / 4^k, here bounded by 1 + ln((4 n - 1) / 3) / pi: the largest squared norm of a
 * column, and of a row, of C of n rows, C[i][j] = f_(i - j), the square root of the lower triangular matrix of ones.
 *
 * f_k^2 (k + 1/4) increases to 1/pi, since (2k + 1)^2 (4k + 5) = (2k + 2)^2 (4k + 1) + 1; so f_k^2 <= 1 / (pi (k + 1/4)), which is
 * convex, and its sum from 1 to n - 1 at most its integral from 1/2 to n - 1/2.
 *
 * Source: Fichtenberger, Henzinger, Upadhyay (2023) for the matrix; the constant is derived.
 */
function squaredNorm(n: number): Enclosure {
  if (n <= 1) return exactly(n);
  const quotient = divide(add(times(4, exactly(n)), exactly(-1)), exactly(3));
  const { upper } = add(exactly(1), multiply(logarithm(quotient), INVERSE_PI));
  return enclosure(1, upper);
}

/** The digits of a whole number to a base, the first one first; none of 0. */
export function digitsOf(n: number, radix: number): number[] {
  const digits: number[] = [];
  for (let rest = n; rest > 0; rest = (rest - (rest % radix)) / radix) digits.unshift(rest % radix);
  return digits;
}

/**
 * The squared column norm of C, and the largest squared norm of a sum's combination of rows, from above, where sums of n vectors
 * are written to the base `radix`.
 *
 * A block is a vector, or `radix` blocks. Of the first, second, ... block in a larger one, but the last, the prefix sums within that are
 * released by the square root of the matrix of ones, C above. Sum t is the whole blocks that its digits count, a for each size: a
 * combination of a rows. A vector is in one such matrix for each size, of `radix` - 1 rows, for the largest size of as many as the first
 * digit of n says. The most digits that t <= n can have are those of n, or n's first ones, one less, and then all `radix` - 1.
 *
 * To the base 2 this is the binary tree, and to the base n + 1 the square root of the matrix of ones.
 *
 * Source: Dwork, Naor, Pitassi, Rothblum (2010) and Chan, Shi, Song (2011) for the tree; with larger blocks derived.
 */
export function sharedNorms(n: number, radix: number): { readonly column: Enclosure; readonly row: Enclosure } {
  const [full, digits] = [squaredNorm(radix - 1), digitsOf(n, radix)];
  let [sum, row] = [exactly(0), exactly(0)];
  for (const [i, digit] of digits.entries()) {
    const rest = times(digits.length - 1 - i, full);
    if (digit > 0) row = maximum(row, add(sum, add(squaredNorm(digit - 1), rest)));
    sum = add(sum, squaredNorm(digit));
  }
  const column = add(squaredNorm(digits[0]!), times(digits.length - 1, full));
  return { column, row: maximum(row, sum) };
}

/** The base to which sums of n vectors are written. */
const radixOf = (kind: PrefixNoise, n: number): number => (kind === 'tree' ? 2 : n + 1);

/** gamma_n from above, n >= 1. */
export function prefixNoise(kind: PrefixNoise, n: number): Enclosure {
  const { column, row } = sharedNorms(n, radixOf(kind, n));
  return squareRoot(multiply(column, row));
}

/** Steps per unit of the sums; the bound is at most one step above the mean. */
const STEPS = 128;

/** Sums go so far beyond where one of d normals is expected. */
const BEYOND = 4;

/** E (N - a)^+ = phi(a) - a Phi(-a), a >= 0. */
function excessMean(a: number): Enclosure {
  const square = multiply(exactly(a), exactly(a));
  const density = multiply(INVERSE_SQRT_TWO_PI, exponential(times(-0.5, square)));
  return subtract(density, multiply(exactly(a), normalTail(a)));
}

/**
 * An upper bound on the expected largest of d >= 2 independent standard normals, at most 1/128 above it:
 *
 *   the integral over x > 0 of 1 - Phi(x)^d, less that over x < 0 of Phi(x)^d.
 *
 * Both integrands fall with |x|: the first is bounded from above by its values at the left ends of steps, and from some point on by d
 * times Phi(-x); the second from below by its values at the outer ends.
 */
export function largestNormal(d: number): UpperBound {
  const last = Math.ceil(STEPS * (BEYOND - approximateQuantile(1 / d)));
  let sum = exactly(0);
  for (let i = 0; i < last; i++) {
    const tail = normalTail(i / STEPS);
    sum = add(sum, negate(expm1(times(d, log1p(negate(tail))))));
    if (i > 0) sum = subtract(sum, exponential(times(d, logarithm(tail))));
  }
  return add(times(1 / STEPS, sum), times(d, excessMean(last / STEPS))).upper;
}

/** A bound on the expected regret, and the standard deviation of the noise for which it holds. */
interface Led {
  readonly batch: number;
  readonly deviation: Decimal | null;
  readonly regret: UpperBound;
}

/** The leader of the batch size with the least bound, of those tried. */
function leastRegret(
  id: ProvedAlternative['id'],
  { rounds }: { readonly rounds: number },
  led: (batch: number) => Led,
): ProvedAlternative {
  const { batch, deviation, regret } = batchSizes(rounds)
    .map(led)
    .reduce((best, leader) => (leader.regret < best.regret ? leader : best));
  return { kind: 'proved', id, privacy: 'target', regret, noise: { batch, deviation } };
}

/**
 * m (s + sum b^2 / (4 s)): an upper bound on the expected regret of follow the perturbed leader, m the mean of the largest of d
 * standard normals, s the standard deviation of the noise of a sum, b the sizes of batches.
 */
export function leaderRegret(largest: UpperBound, deviation: Decimal, squares: Enclosure): UpperBound {
  const s = encloseDecimal(deviation);
  return multiply(exactly(largest), add(s, divide(squares, times(4, s)))).upper;
}

/** What bounds on leaders of one problem share. */
const sharedBy = ({ experts, epsilon, delta }: ExpertsProblem) => ({
  scale: gaussianScale(epsilon, delta),
  largest: largestNormal(experts),
});

function perturbed(
  { rounds, experts }: Pick<ExpertsProblem, 'rounds' | 'experts'>,
  { batch, radix }: Pick<PerturbedLeader, 'batch' | 'radix'>,
  { scale, largest }: ReturnType<typeof sharedBy>,
): Led & { readonly node: Decimal | null } {
  const sums = transitions({ rounds, batch });
  const guess = lessShare(rounds, batch, experts);
  if (sums === 0) return { batch, node: null, deviation: null, regret: guess };
  const squares = squaredBatches({ rounds, batch });
  const { column, row } = sharedNorms(sums, radix);
  const node = decimalFromDouble(multiply(scale, squareRoot(times(experts, column))).upper);
  const needed = multiply(encloseDecimal(node), squareRoot(row)).upper;
  const deviation = roundedUp(Math.max(needed, Math.sqrt(squares.upper) / 2));
  const regret = asUpper(Math.min(guess, leaderRegret(largest, deviation, squares)));
  return { batch, node, deviation, regret };
}

/**
 * Follow the perturbed leader on noisy sums of losses of d experts in [0, 1]: in each batch of B rounds it plays the expert of
 * which the sum of all losses before, with Gaussian noise, is least. Of the batch sizes tried the one with the least bound on the
 * expected regret against losses that are fixed in advance.
 *
 * Privacy. Replacing one round's losses moves one batch's vector by at most sqrt(d), since no coordinate moves by more than 1. The sums
 * with noise of {@link prefixNoise} are together (epsilon, delta)-DP, and what is played is made of them.
 *
 * Regret. Independent noise is added to each sum until all have the variance s^2 in each coordinate, s at least what privacy needs; it
 * reads nothing. Losses are fixed in advance, so the expected regret depends on the law of each choice alone, and is the same if
 * one vector Z of law N(0, s^2 I) perturbs all sums. Let F(S) = E min_i (S_i + Z_i), which is concave and smooth, with gradient p,
 * the probability of each choice. F of all losses is at most the loss of the best expert, and F(0) = -m s, so
 *
 *   regret <= m s + sum over batches of r,   r = F(S) + p(S) . l - F(S + l) = -(1/2) l' H l,
 *
 * H the Hessian at some point between. Its rows sum to 0 and its other entries than those of the diagonal are at least 0: a larger sum
 * of one makes every other more likely. So -l' H l is the sum over pairs of H_ij (l_i - l_j)^2, at most b^2 times half of -tr H.
 * Integration by parts gives s^2 times the derivative of p_i by S_i as E[Z_i; i is played], so -tr H = -E[Z of what is played] / s^2,
 * at most m / s, and r <= b^2 m / (4 s). The first batch is played uniformly and costs at most B (1 - 1/d).
 *
 * Source: Agarwal, Singh (2017) and Smith, Thakurta (2013) for the learner on a tree; Abernethy, Lee, Sinha, Tewari (2014) for the
 * potential; the constants are derived.
 */
export function perturbedLeader(problem: ExpertsProblem, kind: PrefixNoise): ProvedAlternative {
  const { rounds } = problem;
  const constants = sharedBy(problem);
  return leastRegret(`perturbed-leader-${kind}`, problem, (batch) =>
    perturbed(problem, { batch, radix: radixOf(kind, transitions({ rounds, batch })) }, constants),
  );
}

/** Bases to which sums of n vectors are written, from 2 on: for each number of digits the least one. */
function basesFor(n: number): readonly number[] {
  const bases = new Set<number>();
  for (let digits = digitsOf(n, 2).length; digits > 0; digits--) {
    let base = Math.max(2, Math.floor(n ** (1 / digits)));
    while (digitsOf(n, base).length > digits) base++;
    bases.add(base);
  }
  return [...bases];
}

/** So many numbers of noise are kept by a run. */
export const MOST_KEPT = 2 ** 17;

/** The rows of noise that sums of n vectors need at a time. */
const keptRows = (n: number, radix: number): number => {
  const digits = digitsOf(n, radix);
  return digits[0]! + (digits.length - 1) * (radix - 1);
};

/**
 * The perturbed leader with the least bound on its regret among those that keep no more than {@link MOST_KEPT} numbers of noise, of
 * equal ones that which keeps the fewest; its sums are written to any base. Null where there is none.
 */
export function perturbedLeaderToRun(problem: ExpertsProblem): PerturbedLeader | null {
  const { rounds, experts } = problem;
  const constants = sharedBy(problem);
  let best: { readonly setting: PerturbedLeader; readonly regret: UpperBound } | null = null;
  for (const batch of batchSizes(rounds)) {
    const sums = transitions({ rounds, batch });
    for (const radix of basesFor(sums).filter((base) => keptRows(sums, base) * experts <= MOST_KEPT)) {
      const { node, deviation, regret } = perturbed(problem, { batch, radix }, constants);
      if (node === null || deviation === null || regret >= (best?.regret ?? Infinity)) continue;
      best = { setting: { rounds, batch, radix, node, deviation }, regret };
    }
  }
  return best?.setting ?? null;
}

/** An upper bound on the expected regret of a perturbed leader, on losses that are fixed in advance. */
export function regretOfLeader(setting: PerturbedLeader, experts: number): UpperBound {
  const regret = leaderRegret(largestNormal(experts), setting.deviation, squaredBatches(setting));
  return asUpper(Math.min(lessShare(setting.rounds, setting.batch, experts), regret));
}

function regularised(problem: ConvexProblem, kind: PrefixNoise, batch: number, scale: Enclosure): Led {
  const { rounds, dimension } = problem;
  const sums = transitions({ rounds, batch });
  if (sums === 0) return { batch, deviation: null, regret: guessingRegretOfConvex(problem) };
  const l = encloseDecimal(problem.lipschitz);
  const deviation = roundedUp(multiply(times(2, l), multiply(scale, prefixNoise(kind, sums))).upper);
  const drift = multiply(multiply(l, l), squaredBatches({ rounds, batch }));
  const noise = multiply(
    times(2, multiply(exactly(rounds), l)),
    multiply(encloseDecimal(deviation), squareRoot(exactly(dimension))),
  );
  const regret = multiply(smallestRadius(problem), squareRoot(add(drift, noise)));
  return { batch, deviation, regret: minimum(regret, largestRegret(problem)).upper };
}

/**
 * Follow the regularised leader on noisy sums of gradients (DP-FTRL), for convex L-Lipschitz losses on a set of diameter D in
 * dimension d: in each batch it plays the x that minimises <G + Z, x> + lambda |x - x_0|^2 / 2, G the sum of the gradients of all
 * batches before, Z the noise, x_0 the centre of the smallest ball around the set. Of the batch sizes tried the one with the least
 * bound on the expected regret,
 *
 *   R sqrt(L^2 sum b^2 + 2 T L s sqrt(d)),   R = D sqrt(d / (2 (d + 1))),
 *
 * s the standard deviation of the noise, b the sizes of batches; it holds for losses that are chosen adaptively as well.
 *
 * Privacy. Replacing one round's loss moves its gradient by at most 2 L; later gradients are the same functions of what is played.
 * The sums with noise of {@link prefixNoise} are together (epsilon, delta)-DP, and what is played is made of them.
 *
 * Regret. Convexity leaves the sum of <g_j, x_j - u> over batches, g_j the gradient of the batch at x_j, |g_j| <= b L. Without Z the
 * leader y_j of the same gradients has sum <g_j, y_j - u> <= lambda R^2 / 2 + sum |g_j|^2 / (2 lambda), and |x_j - y_j| <= |Z| / lambda,
 * with E |Z| <= s sqrt(d). The lambda with the least sum of all gives the bound.
 *
 * Source: Kairouz, McMahan, Song, Thakkar, Thakurta, Xu (2021) for the learner and its analysis; the constants are derived.
 */
export function regularisedLeader(problem: ConvexProblem, kind: PrefixNoise): ProvedAlternative {
  const scale = gaussianScale(problem.epsilon, problem.delta);
  return leastRegret(`regularised-leader-${kind}`, problem, (batch) => regularised(problem, kind, batch, scale));
}
