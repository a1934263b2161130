import type { Decimal } from '../../numeric/decimal.ts';
import { Rational } from '../../numeric/rational.ts';
import { mostParticipations, type Participation } from './participation.ts';

/*
 * A matrix mechanism releases C x + z, row by row, and all that is made of it: C is lower triangular with one row for each
 * step, x the contributions, z Gaussian noise of the same sigma in every row (Denisov, McMahan, Rush, Smith, Thakurta 2022).
 * A person who takes part in the steps of a set P, each time by a vector u_t of norm at most 1, moves it by the sum over P of
 * c_t u_t, c_t the columns, whose squared norm is the sum over pairs of <c_s, c_t><u_s, u_t>. That contributions depend on
 * earlier rows changes nothing (the same paper; tree-sensitivity.ts says why).
 *
 * With `bands` bands column t is 0 but in the rows t to t + bands - 1. Columns that are at least `bands` apart share no row,
 * so the squared norm is the sum of |c_t|^2 |u_t|^2: at most the number of participations times the largest squared norm of
 * a column (Choquette-Choo, Ganesh, McKenna, McMahan, Rush, Thakurta, Xu 2023).
 */

/** `C[s + i][s]` for every step s: the first column of a Toeplitz matrix, of which all that follows is 0. */
export type Coefficients = readonly Decimal[];

/** The coefficients times a power of ten, as whole numbers, and that power. */
function wholeNumbers(coefficients: Coefficients): { readonly values: readonly bigint[]; readonly unit: bigint } {
  const places = coefficients.reduce((most, c) => Math.max(most, c.decimalPlaces()), 0);
  const values = coefficients.map((c) => BigInt(c.toFixed(places).replace('.', '')));
  return { values, unit: 10n ** BigInt(places) };
}

const sumOfSquares = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value * value, 0n);

/** The largest squared Euclidean norm of a column: that of the first. */
export function largestSquaredColumnNorm(coefficients: Coefficients, steps: number): Rational {
  const { values, unit } = wholeNumbers(coefficients);
  return Rational.of(sumOfSquares(values.slice(0, steps)), unit * unit);
}

const neverGrow = (values: readonly bigint[]): boolean =>
  values.every((value, index) => value >= 0n && (index === 0 || value <= values[index - 1]!));

/** The squared norm of the sum of the columns 0, b, 2 b, ..., where these share rows. */
function overlapping(values: readonly bigint[], steps: number, times: number, separation: number): bigint {
  const sumAt = (row: number): bigint => {
    let sum = 0n;
    const from = Math.max(0, Math.ceil((row - values.length + 1) / separation));
    for (let i = from; i <= Math.min(times - 1, Math.floor(row / separation)); i++)
      sum += values[row - i * separation]!;
    return sum;
  };
  const sumOver = (from: number, to: number): bigint => {
    let sum = 0n;
    for (let row = from; row < to; row++) sum += sumAt(row) ** 2n;
    return sum;
  };
  const end = Math.min(steps, (times - 1) * separation + values.length);
  // Rows repeat from where the first column ends to where the next one would begin.
  const start = Math.min(values.length - 1, end);
  const periods = Math.max(0, Math.floor((Math.min(end, times * separation) - start) / separation));
  const repeated = periods === 0 ? 0n : BigInt(periods) * sumOver(start, start + separation);
  return sumOver(0, start) + repeated + sumOver(start + periods * separation, end);
}

/**
 * The squared L2 sensitivity of a banded Toeplitz matrix mechanism in units of one contribution, exactly.
 *
 * Where participations are at least as far apart as there are bands, the norms of columns add up, and earlier columns are cut
 * off less: it is that of the steps 0, b, 2 b and so on. Where they are not, that is so for coefficients which are at least 0
 * and never grow: all u_t are then best equal, and <c_s, c_t> is the sum over i of c_i c_(i + t - s) as far as the rows go,
 * which does not decrease where t comes nearer to s or both come earlier; the steps 0, b, 2 b come from any others in this way.
 * For other coefficients null.
 */
export function bandedSquaredSensitivity(coefficients: Coefficients, participation: Participation): Rational | null {
  const { values, unit } = wholeNumbers(coefficients);
  const { steps, separation } = participation;
  const times = mostParticipations(participation);
  const square = (whole: bigint): Rational => Rational.of(whole, unit * unit);
  if (times > 1 && separation < values.length) {
    return neverGrow(values) ? square(overlapping(values, steps, times, separation)) : null;
  }
  const left = steps - (times - 1) * separation;
  return square(BigInt(times - 1) * sumOfSquares(values) + sumOfSquares(values.slice(0, left)));
}
