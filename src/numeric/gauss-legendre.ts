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
