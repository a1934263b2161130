import { fromDouble } from '../double-double.ts';
import type { ObservedCells } from './discretise.ts';
import type { Enclosure } from '../enclosure.ts';
import { gaussLegendre4 } from '../gauss-legendre.ts';
import type { LatticeMeasure } from './measure.ts';
import { tailsOfWeights } from './tails.ts';

/** A part of a loss that rises along a parameter u, over which it has a smooth density. */
export interface SmoothPart {
  /** Density in u of the tilted weight: mass density times e^(tilt L - logScale). */
  readonly density: (u: number) => number;
  /** The density lives on [from, to]. */
  readonly from: number;
  readonly to: number;
  /** The loss at u. */
  readonly loss: (u: number) => number;
  /** The u at which the loss is x, an infinite one where x is beyond all losses. */
  readonly place: (x: number) => number;
  /** At least |slope| + 3 sqrt(|curvature|) of the logarithm of the density, and of e^loss, over [a, b]; see {@link discretiseSmooth}. */
  readonly steepness: (a: number, b: number) => number;
}

/** A part whose parameter is the loss itself. */
export const alongItself = (part: Omit<SmoothPart, 'loss' | 'place'>): SmoothPart => ({
  ...part,
  loss: (u) => u,
  place: (x) => x,
});

/** A loss with smooth parts and, possibly, atoms; exponentially tilted. */
export interface SmoothLoss {
  readonly parts: readonly SmoothPart[];
  /** Weights at single losses. */
  readonly atoms: readonly { readonly loss: number; readonly weight: number }[];
  readonly tilt: number;
  readonly logScale: Enclosure;
  /** Bound on the relative error of densities, atoms and quadrature together. */
  readonly relativeError: number;
  /** Bounds the error of every loss. */
  readonly lossError: number;
  /** Bound on the weight outside the parts. */
  readonly leak: number;
}

/** Both ways of looking at a loss through a lattice. */
export interface DiscretisedLoss extends ObservedCells {
  /** A measure whose hockey-stick curve lies at or above. */
  readonly above: LatticeMeasure;
}

/** Of a piece: its length times its steepness. */
const STEEPEST = 0.4;

/**
 * A smooth loss on the multiples of `step`: split upward ("connect the dots") and seen through its cells.
 *
 * Within a cell [x, x + step), every loss L sends the share (1 - e^(x - L)) / (1 - e^-step) of its mass up and the rest
 * down, which keeps both distributions' masses; the cell's own mass is integral of the density, the other
 * distribution's (times e^x) the integral of density e^(x - L). All integrands are positive, so the four-point
 * Gauss-Legendre rule on each piece keeps a relative error: for an integrand whose logarithm has derivatives bounded so
 * that piece length times (|slope| + 3 sqrt(|curvature|)) is at most 0.4, its error (w^9 4!^4 / (9 8!^3) times the eighth
 * derivative) is below 1e-12. The caller states the steepness accordingly, and `relativeError`.
 * Where the loss rises along a parameter, cells are stretches of it; that their ends are rounded moves no weight, as every
 * point goes to the cell of its loss.
 *
 * The errors are taken to the safe side at once: weights above are raised, own cells lowered, the other's raised. For
 * the measure above, losses are raised by more than their rounding.
 */
export function discretiseSmooth(loss: SmoothLoss, step: number): DiscretisedLoss {
  const { parts, tilt, relativeError, lossError } = loss;
  const losses = [
    ...parts.flatMap((part) => [part.loss(part.from), part.loss(part.to)]),
    ...loss.atoms.map((atom) => atom.loss),
  ];
  const first = Math.floor((Math.min(...losses) - lossError) / step) - 1;
  const last = Math.floor((Math.max(...losses) + lossError) / step) + 2;
  const [up, own, other] = [0, 0, 0].map(() => new Float64Array(last - first + 1)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const whole = -Math.expm1(-step);
  const lift = Math.exp(tilt * step);
  const place = (at: number, weight: number): void => {
    const raised = at + lossError;
    const index = Math.floor(raised / step);
    const above = Math.max(0, Math.min(step, raised - index * step));
    const offset = at - index * step;
    const share = Math.min(1, -Math.expm1(-above) / whole);
    const sunk = weight * Math.exp(-tilt * above);
    up[index - first]! += sunk * (1 - share);
    up[index + 1 - first]! += sunk * share * lift;
    const ownWeight = weight * Math.exp(-tilt * offset);
    own[index - first]! += ownWeight;
    other[index - first]! += ownWeight * Math.exp(-offset);
  };
  for (const { density, from, to, loss: lossAt, place: placeOf, steepness } of parts) {
    let a = from;
    for (let index = Math.floor(lossAt(from) / step); a < to; index++) {
      const b = index >= last ? to : Math.max(a, Math.min(to, placeOf((index + 1) * step)));
      const pieces = b > a ? Math.ceil(((b - a) * steepness(a, b)) / STEEPEST) : 0;
      for (let piece = 0; piece < pieces; piece++) {
        const [left, right] = [a + ((b - a) * piece) / pieces, a + ((b - a) * (piece + 1)) / pieces];
        for (const { x, weight } of gaussLegendre4(left, right)) place(lossAt(x), weight * density(x));
      }
      a = b;
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
