import { logErrorOfGaussLegendre16 } from '../../numeric/gauss-legendre.ts';
import { onEllipse } from './part-on-ellipse.ts';
import type { SampledLaw, SampledPart } from './sampled-law.ts';
import { power, reachOf, share } from './tilted-part.ts';

/** A part between two places, and ln of bounds on its weight beyond them: of g^w for the power w of a tilt, and of no tilt. */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly logBeyond: number;
  readonly logBeyondPlain: number;
}

/** Where a part is large, as it is and tilted. */
export function rangeOf(law: SampledLaw, part: SampledPart, tilt: number): Range {
  const [own, plain] = [reachOf(law, part, tilt), reachOf(law, part, 0)];
  return {
    from: Math.min(own.from, plain.from),
    to: Math.max(own.to, plain.to),
    logBeyond: own.logBeyond,
    logBeyondPlain: plain.logBeyond,
  };
}

/** A stretch of a part on which a quadrature rule is applied. */
export interface Panel {
  readonly middle: number;
  readonly half: number;
}

/** Panels with bounds on the errors of the sixteen-point rule on them, and of what is between them, over e^scale. */
export interface Panels {
  readonly panels: readonly Panel[];
  /** Of the integral of any f with |f| <= |density g^(w + it)|, w any of the powers; of ln |g| times it; of its square times it. */
  readonly error: number;
  readonly lossError: number;
  readonly squareError: number;
  /** Bounds density g^w over the slope of L, for all of the powers. */
  readonly overSlope: number;
}

/** Ellipses that are tried, from the nearest. */
const ELLIPSES = [3, 4.5, 7, 12].map((rho) => ({ rho, error: Math.exp(logErrorOfGaussLegendre16(rho)) }));

/** A panel, by its places as parts of a range. */
interface Piece {
  readonly start: number;
  readonly size: number;
}

/**
 * Panels on which the error of the integral of f ln g, |f| <= |density g^(w + it)|, is at most `most` each, for every power w
 * and all |t| up to the one given; halved until they are. A piece whose integral is no more than that is left out. null
 * where more than `limit` would be needed.
 */
export function panelsOf(
  law: SampledLaw,
  part: SampledPart,
  { from, to }: Range,
  { tilt, t, scale }: { readonly tilt: number; readonly t: number; readonly scale: number },
  most: number,
  limit: number,
): Panels | null {
  const powers = [power(part, tilt), power(part, 0)];
  const panels: Panel[] = [];
  let [error, lossError, squareError, overSlope] = [0, 0, 0, 0];
  const { slope, shift } = part.base;
  const span = to - from;
  const waiting: Piece[] = [{ start: 0, size: 1 }];
  const add = (off: number, loss: number): void => {
    error += off;
    lossError += off * loss;
    squareError += off * loss ** 2;
  };
  const boundsOn = (panel: Panel, rho: number): { readonly weight: number; readonly loss: number } | null => {
    const bounds = onEllipse(law, part, powers, t, panel, rho);
    return bounds && { weight: Math.exp(bounds.logWeight - scale), loss: bounds.loss };
  };
  const byRule = (panel: Panel): { readonly off: number; readonly loss: number } | null => {
    for (const { rho, error: relative } of ELLIPSES) {
      const bounds = boundsOn(panel, rho);
      const off = bounds === null ? Infinity : panel.half * bounds.weight * relative;
      if (bounds !== null && off * bounds.loss <= most) return { off, loss: bounds.loss };
    }
    return null;
  };
  for (let piece = waiting.pop(); piece !== undefined; piece = waiting.pop()) {
    const { start, size } = piece;
    const panel = { middle: from + span * (start + size / 2), half: (span * size) / 2 };
    const own = boundsOn(panel, 1)!;
    const whole = 2 * panel.half * own.weight;
    const isNothing = whole * own.loss <= most;
    const found = isNothing ? { off: whole, loss: own.loss } : byRule(panel);
    if (found === null) {
      if (panels.length + waiting.length >= limit) return null;
      waiting.push({ start: start + size / 2, size: size / 2 }, { start, size: size / 2 });
      continue;
    }
    add(found.off, found.loss);
    overSlope = Math.max(overSlope, own.weight / (slope * share(law, slope * (panel.middle - panel.half) + shift)));
    if (!isNothing) panels.push(panel);
  }
  return { panels, error, lossError, squareError, overSlope: overSlope * (1 + 1e-9) };
}
