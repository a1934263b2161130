import { writeLogRatio } from '../../../numeric/contour/log-ratio.ts';
import type { LogRatio } from '../../../numeric/contour/transform.ts';
import { UNIT_ROUNDOFF as U } from '../../../numeric/rounding.ts';
import { shareError } from './likelihood.ts';
import type { NodesOf } from './nodes.ts';
import { ALIAS, bestHeight, CUT, logAlias, logGrowth } from './strip.ts';
import type { Tilt } from './tilt.ts';

/** Writes E[g^(w + it)] / E[g^w], t >= 0. */
export type Shifted = (t: number, ratio: LogRatio) => void;

/** The integral is taken so many steps above the real axis: e^(-2 pi SHIFT) is below e^-ALIAS. */
const SHIFT = 6.5;
/** Higher lines have larger terms, which cancel. */
const HIGHEST = 4;
/** Terms are left out where they are below e^-FADED of what they were. */
const FADED = 45;

/**
 * E[g^(w + it)] / E[g^w] by a trapezoid rule on the line u + ia, where terms fall with t instead of turning ever faster: at
 * each node |g^(it)| = e^(-tA), A >= 0 the argument of g. The lines that limit the error of the rule are the real axis, where the
 * modulus of the integrand is that of g^w, and one above, where it is no more than growth times it (see Strip): so one
 * step serves all t.
 */
export function shiftedOn(nodesOf: NodesOf, { w, logMoment }: Tilt): Shifted {
  const { noise } = nodesOf;
  const { mu } = noise;
  const strip = { noise, w };
  const stepFor = (height: number): number =>
    (2 * Math.PI * height) / (ALIAS + 2 * Math.PI * SHIFT + logGrowth(strip, height));
  const height = bestHeight(strip, HIGHEST, stepFor);
  const { nodes, start, end } = nodesOf.for(w, stepFor(height), Infinity)!;
  const { h, low, loss, lossError, share } = nodes;
  const a = SHIFT * h;
  const alias = Math.exp(logAlias(0, a, h)) + Math.exp(logAlias(logGrowth(strip, height), height - a, h));
  const off = 2 * (alias + Math.exp(logGrowth(strip, a)) * CUT);

  const size = end - start;
  const [sine, half] = [Math.sin(a * mu), Math.sin((a * mu) / 2) ** 2];
  const scale = h / Math.sqrt(2 * Math.PI);
  const raised = 0.5 * a * a - logMoment.value;
  /** ln |g| and the argument of g. */
  const [moduli, angles] = [new Float64Array(size), new Float64Array(size)];
  const [re, im] = [new Float64Array(size), new Float64Array(size)];
  let [mass, extent, lossOff, weightOff, leveredOff] = [0, 0, 0, 0, 0];
  for (let i = 0; i < size; i++) {
    const at = start + i;
    const u = (low + at) * h;
    const s = share[at]!;
    const fall = 4 * s * (1 - s) * half;
    const modulus = loss[at]! + 0.5 * Math.log1p(-fall);
    const angle = Math.atan2(s * sine, 1 - 2 * s * half);
    moduli[i] = modulus;
    angles[i] = angle;
    const weight = scale * Math.exp(-0.5 * u * u + (raised + w * modulus));
    const turn = w * angle - u * a;
    re[i] = weight * Math.cos(turn);
    im[i] = weight * Math.sin(turn);
    const far = Math.abs(modulus) + angle;
    // Modulus and argument change by at most 3 / r^2 times the error of the share, and have up to 40 roundings of s / r^2.
    const error = lossError[at]! + (3 * s * (shareError(noise, u) + 48 * U)) / (1 - fall) + U * far;
    const relative =
      U * (2 * u * u + 2 * a * a + 6 * Math.abs(w) * far + 4 * Math.abs(logMoment.value) + 4 * Math.abs(u * a) + 48) +
      2 * Math.abs(w) * error +
      logMoment.error;
    mass += weight;
    extent += weight * far;
    lossOff += weight * error;
    weightOff += weight * relative;
    leveredOff += weight * relative * far;
  }
  /** Sums over a node and all beyond. */
  const [restRe, restIm] = [new Float64Array(size + 1), new Float64Array(size + 1)];
  for (let i = size - 1; i >= 0; i--) {
    restRe[i] = restRe[i + 1]! + re[i]!;
    restIm[i] = restIm[i + 1]! + im[i]!;
  }
  const roundings = (2 * size + 128) * U;
  return (t, ratio) => {
    let [x, y] = [0, 0];
    for (let i = 0; i < size; i++) {
      const fall = t * angles[i]!;
      if (fall > FADED) {
        x -= restRe[i]!;
        y -= restIm[i]!;
        break;
      }
      // g^(it) - 1
      const turn = 0.5 * t * moduli[i]!;
      const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
      const less = Math.expm1(-fall);
      const kept = 2 * (1 + less) * sin;
      const [real, imaginary] = [less - kept * sin, kept * cos];
      x += re[i]! * real - im[i]! * imaginary;
      y += re[i]! * imaginary + im[i]! * real;
    }
    const error =
      t * (lossOff + 6 * U * extent) +
      2 * Math.min(t * leveredOff, 3 * weightOff) +
      roundings * Math.min(t * extent, 3 * mass) +
      mass * Math.exp(-FADED) +
      off;
    writeLogRatio(x, y, error, ratio);
  };
}
