/** Nodes and weights of the four-point Gauss-Legendre rule on [-1, 1]. */
const OUTER = 0.8611363115940526;
const INNER = 0.33998104358485626;
const OUTER_WEIGHT = 0.34785484513745385;
const INNER_WEIGHT = 0.6521451548625461;

/** The four points of the rule on [from, to], with weights that sum to the length. */
export function gaussLegendre4(from: number, to: number): readonly { readonly x: number; readonly weight: number }[] {
  const centre = from + (to - from) / 2;
  const half = (to - from) / 2;
  return [
    { x: centre - half * OUTER, weight: half * OUTER_WEIGHT },
    { x: centre - half * INNER, weight: half * INNER_WEIGHT },
    { x: centre + half * INNER, weight: half * INNER_WEIGHT },
    { x: centre + half * OUTER, weight: half * OUTER_WEIGHT },
  ];
}

/** The nodes of the sixteen-point rule on [0, 1], and their weights: those on [-1, 0] mirror them. */
const SIXTEEN = [
  [0.09501250983763744, 0.1894506104550685],
  [0.2816035507792589, 0.18260341504492358],
  [0.45801677765722737, 0.16915651939500254],
  [0.6178762444026438, 0.14959598881657674],
  [0.755404408355003, 0.12462897125553388],
  [0.8656312023878318, 0.09515851168249279],
  [0.9445750230732326, 0.062253523938647894],
  [0.9894009349916499, 0.027152459411754096],
] as const;

/** The sixteen-point Gauss-Legendre rule on [-1, 1], each number with a relative error of one rounding. */
export const GAUSS_LEGENDRE_16: readonly { readonly x: number; readonly weight: number }[] = SIXTEEN.flatMap(
  ([x, weight]) => [
    { x: -x, weight },
    { x, weight },
  ],
);

/** A Bernstein ellipse rho > 1, {(s + 1/s) / 2: |s| < rho}, around [-1, 1]. */
export interface Ellipse {
  /** Its half-axes. */
  readonly along: number;
  readonly across: number;
  /** ln of a bound on the error of {@link GAUSS_LEGENDRE_16} for a function that is analytic in it, where its modulus is at most 1. */
  readonly logError: number;
}

/**
 * The Chebyshev coefficients of such a function are at most 2 rho^-k (Trefethen, Approximation Theory and Approximation Practice, Theorem
 * 8.1). The rule is exact up to degree 31, and beyond off by at most 2 + 2 / (k^2 - 1) for even k and by nothing for odd ones.
 */
export const ellipse = (rho: number): Ellipse => ({
  along: (rho + 1 / rho) / 2,
  across: (rho - 1 / rho) / 2,
  logError: Math.log(64 / 15) - 32 * Math.log(rho) - Math.log1p(-(rho ** -2)),
});
