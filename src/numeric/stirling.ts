/** ln n! - (n ln n - n + ln(2 pi n) / 2) for n = 1..16, each the nearest double. */
const TABLE = [
  0.08106146679532726, 0.0413406959554093, 0.02767792568499834, 0.020790672103765093, 0.016644691189821193,
  0.013876128823070748, 0.01189670994589177, 0.010411265261972096, 0.009255462182712733, 0.00833056343336287,
  0.007573675487951841, 0.00694284010720953, 0.006408994188004207, 0.0059513701127588475, 0.005554733551962801,
  0.0052076559196096404,
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
