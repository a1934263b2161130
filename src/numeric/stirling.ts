/** ln n! - (n ln n - n + ln(2 pi n) / 2) for n = 1..16, to 20 digits. */
const TABLE = [
  0.08106146679532725822, 0.041340695955409294094, 0.027677925684998339149, 0.020790672103765093112,
  0.016644691189821192163, 0.013876128823070747999, 0.011896709945891770095, 0.010411265261972096497,
  0.0092554621827127329177, 0.0083305634333628712565, 0.007573675487951840795, 0.0069428401072095298657,
  0.0064089941880042070684, 0.0059513701127588477356, 0.005554733551962801371, 0.0052076559196096404407,
];

/**
 * The remainder of Stirling's formula, ln n! - (n ln n - n + ln(2 pi n) / 2), for whole n >= 1.
 *
 * Table to 16, then the asymptotic series of DLMF 5.11.1 to the term in n^-11; the first term left out bounds its
 * error (below 1e-18 at n = 17). Absolute error at most 2^-55 (one rounding of the leading terms).
 */
export function stirlingRemainder(n: number): number {
  if (n <= TABLE.length) return TABLE[n - 1]!;
  const s = 1 / (n * n);
  return (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - (s * 691) / 360360))))) / n;
}
