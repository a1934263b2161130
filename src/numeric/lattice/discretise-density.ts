import { fromDouble } from '../double-double.ts';
import type { ObservedCells } from './discretise.ts';
import type { Enclosure } from '../enclosure.ts';
import { gaussLegendre4 } from '../gauss-legendre.ts';
import type { LatticeMeasure } from './measure.ts';
import { tailsOfWeights } from './tails.ts';
import { UNIT_ROUNDOFF } from '../rounding.ts';

/** A loss with a smooth density between two ends and, possibly, atoms; exponentially tilted. */
export interface SmoothLoss {
  /** Density of the tilted weight at a loss: mass density times e^(tilt L - logScale). */
  readonly density: (loss: number) => number;
  /** The density lives on [from, to]. */
  readonly from: number;
  readonly to: number;
  /** How many pieces a cell is cut into before the four-point rule is applied; see {@link discretiseSmooth}. */
  readonly pieces: number;
  /** Weights at single losses. */
  readonly atoms: readonly { readonly loss: number; readonly weight: number }[];
  readonly tilt: number;
  readonly logScale: Enclosure;
  /** Bound on the relative error of densities, atoms and quadrature together. */
  readonly relativeError: number;
  /** Bound on the weight outside [from, to]. */
  readonly leak: number;
}

/** Both ways of looking at a loss through a lattice. */
export interface DiscretisedLoss extends ObservedCells {
  /** A measure whose hockey-stick curve lies at or above. */
  readonly above: LatticeMeasure;
}

/**
 * A smooth loss on the multiples of `step`: split upward ("connect the dots") and seen through its cells.
 *
 * Within a cell [x, x + step), every loss L sends the share (1 - e^(x - L)) / (1 - e^-step) of its mass up and the rest
 * down, which keeps both distributions' masses; the cell's own mass is integral of the density, the other
 * distribution's (times e^x) the integral of density e^(x - L). All integrands are positive, so the four-point
 * Gauss-Legendre rule on each piece keeps a relative error: for an integrand whose logarithm has derivatives bounded so
 * that piece length times (|slope| + 3 sqrt(|curvature|)) is at most 0.4, its error (w^9 4!^4 / (9 8!^3) times the eighth
 * derivative) is below 1e-12. The caller chooses `pieces` accordingly and states `relativeError`.
 *
 * The errors are taken to the safe side at once: weights above are raised, own cells lowered, the other's raised. For
 * the measure above, losses are raised by more than their rounding.
 */
export function discretiseSmooth(loss: SmoothLoss, step: number): DiscretisedLoss {
  const { density, from, to, pieces, tilt, relativeError } = loss;
  const losses = [from, to, ...loss.atoms.map((atom) => atom.loss)];
  const first = Math.floor(Math.min(...losses) / step) - 1;
  const last = Math.floor(Math.max(...losses) / step) + 2;
  const [up, own, other] = [0, 0, 0].map(() => new Float64Array(last - first + 1)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const whole = -Math.expm1(-step);
  const lift = Math.exp(tilt * step);
  const margin = 4 * UNIT_ROUNDOFF * Math.max(...losses.map(Math.abs));
  const place = (at: number, weight: number): void => {
    const raised = at + margin;
    const index = Math.floor(raised / step);
    const above = Math.max(0, Math.min(step, raised - index * step));
    const offset = at - index * step;
    const share = Math.min(1, -Math.expm1(-above) / whole);
    const sunk = weight * Math.exp(-tilt * above);
    up[index - first]! += sunk * (1 - share);
    up[index + 1 - first]! += sunk * share * lift;
    const seen = weight * Math.exp(-tilt * offset);
    own[index - first]! += seen;
    other[index - first]! += seen * Math.exp(-offset);
  };
  for (let index = Math.floor(from / step); index * step < to; index++) {
    const [a, b] = [Math.max(from, index * step), Math.min(to, (index + 1) * step)];
    for (let piece = 0; piece < pieces && b > a; piece++) {
      const [left, right] = [a + ((b - a) * piece) / pieces, a + ((b - a) * (piece + 1)) / pieces];
      for (const { x, weight } of gaussLegendre4(left, right)) place(x, weight * density(x));
    }
  }
  for (const { loss: at, weight } of loss.atoms) place(at, weight);

  const measure = (unscaled: Float64Array, factor: number, leak: number): LatticeMeasure => {
    const weights = unscaled.map((weight) => weight * factor);
    return {
      origin: fromDouble(0),
      step: fromDouble(step),
      first,
      weights,
      tilt,
      logScale: loss.logScale,
      relativeError: 0,
      normError: 0,
      leak,
      tails: tailsOfWeights(first, weights, step),
    };
  };
  return {
    above: measure(up, 1 + 2 * relativeError, loss.leak),
    own: measure(own, 1 - 2 * relativeError, 0),
    other: measure(other, 1 + 2 * relativeError, loss.leak),
  };
}
