import { add, divide, logarithm, multiply, squareRoot, times } from '../../numeric/enclosure-arithmetic.ts';
import { enclosure, exactly, type Enclosure } from '../../numeric/enclosure.ts';

/*
 * Noisy prefix sums: of n vectors that come one by one, the sum of the first t, for every t from 1 to n, with Gaussian noise
 * that is correlated between sums. Both ways to do so are one Gaussian mechanism: what is released is C x + z, z of variance
 * sigma^2 in each coordinate of each row, and each sum is a linear function of rows that are there by then. Replacing one
 * vector by another at distance at most S moves C x by at most S times the largest column norm of C. That vectors may depend
 * on earlier sums changes nothing: shifts chosen along the way whose squared norms sum to at most m^2 on every path are
 * dominated by one shift of norm m (Denisov, McMahan, Rush, Smith, Thakurta 2022; Smith, Thakurta 2022).
 *
 * So with noise of standard deviation S sigma_1 times the column norm, sigma_1 what one statistic of sensitivity 1 needs, all sums
 * together are (epsilon, delta)-DP, and the noise of every sum has at most the standard deviation S sigma_1 gamma_n in each
 * coordinate, with gamma_n the product of the largest column norm and the largest norm of a sum's combination of rows.
 */

/** How noise is shared between sums, with gamma_n. */
export type PrefixNoise = 'tree' | 'square-root';

/** The number of binary digits of n >= 1. */
const digitsOf = (n: number): number => {
  const guess = Math.floor(Math.log2(n)) + 1;
  return 2 ** guess <= n ? guess + 1 : 2 ** (guess - 1) > n ? guess - 1 : guess;
};

/**
 * gamma_n of a binary tree: sqrt(k m), k the binary digits of n and m the most ones that a number up to n has in binary, k where
 * n = 2^k - 1, else k - 1.
 *
 * Sum t adds one node for each one of t; the first vector is in a node of each of the k sizes, and no vector in more.
 *
 * Source: Dwork, Naor, Pitassi, Rothblum (2010); Chan, Shi, Song (2011).
 */
function ofTree(n: number): Enclosure {
  const digits = digitsOf(n);
  const most = n + 1 === 2 ** digits ? digits : digits - 1;
  return squareRoot(exactly(digits * most));
}

const INVERSE_PI = enclosure(0.3183098861837906, 0.31830988618379075);

/**
 * gamma_n of the square root of the matrix of ones: the sum of f_k^2 for k < n, f_k = binomial(2 k, k) / 4^k, here bounded by
 * 1 + ln((4 n - 1) / 3) / pi.
 *
 * The lower triangular matrix of ones is C C with C[i][j] = f_(i - j); rows and columns of C have at most that squared norm.
 * f_k^2 (k + 1/4) increases to 1/pi, since (2k + 1)^2 (4k + 5) = (2k + 2)^2 (4k + 1) + 1; so f_k^2 <= 1 / (pi (k + 1/4)), which is
 * convex, and its sum from 1 to n - 1 at most its integral from 1/2 to n - 1/2.
 *
 * Source: Fichtenberger, Henzinger, Upadhyay (2023) for the matrix; the constant is derived.
 */
function ofSquareRoot(n: number): Enclosure {
  const quotient = divide(add(times(4, exactly(n)), exactly(-1)), exactly(3));
  const { upper } = add(exactly(1), multiply(logarithm(quotient), INVERSE_PI));
  return enclosure(1, upper);
}

/** gamma_n from above, n >= 1. */
export const prefixNoise = (kind: PrefixNoise, n: number): Enclosure => (kind === 'tree' ? ofTree(n) : ofSquareRoot(n));
