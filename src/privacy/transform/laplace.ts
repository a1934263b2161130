import { writeLogRatio } from '../../numeric/contour/log-ratio.ts';
import type { Approximate } from '../../numeric/enclosure.ts';
import type { LossTransform } from '../../numeric/contour/transform.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';

/** Nearer to -1/2 the moment would be a difference of like numbers. */
const NEAR_MIDDLE = 0.02;

/** ln M(c), M(c) = ((1+c) e^(ec) + c e^(-e(1+c))) / (1 + 2c), the same at -1 - c. */
function logMoment(e: number, place: number): Approximate {
  const c = Math.max(place, -1 - place);
  const [one, two] = [(1 + c) / (1 + 2 * c), c / (1 + 2 * c)];
  const span = e * (1 + 2 * c);
  if (1 + 2 * c < NEAR_MIDDLE) {
    // M is convex, and least in the middle: between its value there and that at the edge of what is computed.
    const edge = logMoment(e, -0.5 + 0.6 * NEAR_MIDDLE);
    const least = -e / 2 + Math.log1p(e / 2);
    return { value: edge.value, error: edge.error + Math.abs(edge.value - least) + 1e-12 };
  }
  if (e * Math.abs(c) <= 1 && span <= 30) {
    const [a, b] = [one * Math.expm1(e * c), two * Math.expm1(-e * (1 + c))];
    const excess = a + b;
    const value = Math.log1p(excess);
    return { value, error: (24 * U * (Math.abs(a) + Math.abs(b))) / (1 + excess) + 8 * U * Math.abs(value) };
  }
  // e^(ec) (one + two e^-span)
  const inner = two * Math.exp(-span);
  const value = e * c + Math.log(one + inner);
  return {
    value,
    error: 16 * U * (e * Math.abs(c) + 1) + (16 * U * (Math.abs(one) + Math.abs(inner) * (1 + span))) / (one + inner),
  };
}

/** What is the same on both sides of the middle: s = |c + 1/2|, q = e^(-2es), and E[e^(cL)] over e^(e(s - 1/2)) / 2 = 1 + q + mean. */
function tilted(e: number, c: number): { s: number; q: number; less: number; mean: number; whole: number } {
  const s = Math.abs(c + 0.5);
  const q = Math.exp(-2 * e * s);
  const less = -Math.expm1(-2 * e * s);
  // (1 - q) / (2s), also where s is 0.
  const mean = s === 0 ? e : less / (2 * s);
  return { s, q, less, mean, whole: 1 + q + mean };
}

/**
 * Laplace noise, e = sensitivity / scale: loss e with probability 1/2, -e with probability e^-e / 2, between them the
 * density e^((L-e)/2) / 4. With s = z + 1/2, M(z) = e^(-e/2) (cosh(es) + sinh(es) / (2s)).
 *
 * @param e - positive, with a relative error of one rounding
 */
export function laplaceTransform(e: number): LossTransform {
  return {
    logMoment: (c) => logMoment(e, c),
    besideAtoms(c) {
      // The density's part of the moment is sinh(es) / (2s), and |2s| is at least 2t.
      const { q, whole } = tilted(e, c);
      return { atoms: ((1 + q) / whole) * (1 + 64 * U), fall: ((1 + q) / whole / 2) * (1 + 64 * U) };
    },
    on(c) {
      // M is even in s: on the other side of the middle angles turn the other way.
      const side = c < -0.5 ? -1 : 1;
      const { s, q, less, mean, whole } = tilted(e, c);
      const more = 1 + q;
      // The square of the distance from e: density e^(-sy) / 2 up to 2e, and q at 2e, over 1 + q + mean.
      const square = (Math.min(1 / s ** 3, (4 * e ** 3) / 3) + 4 * e * e * q) / whole;
      return {
        deviation: Math.min(e, Math.sqrt(square)) * (1 + 1e-9),
        at(t, ratio) {
          const turn = e * t;
          const [half, rest] = [Math.sin(turn / 2), Math.cos(turn / 2)];
          const [fall, sine] = [-2 * half * half, 2 * half * rest];
          // sinh(es) / (2s) less its value at t = 0, both over e^(es) / 2.
          const [a, b] = [less * fall, more * sine - 2 * mean * t];
          const twice = 2 * (s * s + t * t);
          const [x, y] = [more * fall + (a * s + b * t) / twice, less * sine + (b * s - a * t) / twice];
          const far = Math.sqrt(s * s + t * t);
          const error =
            24 * U * (3 * Math.min(turn, 4) + turn + (3 * Math.min(turn, 4) + turn + 2 * mean * t) / (2 * far));
          writeLogRatio(x / whole, (side * y) / whole, error / whole, ratio);
        },
      };
    },
  };
}

/** ln of the probability of the losses e and -e, which are those of randomized response then: ln((1 + e^-e) / 2). */
export const logAtomsOfLaplace = (e: number): Approximate => ({
  value: Math.log1p(Math.expm1(-e) / 2),
  error: 16 * U * Math.abs(Math.log1p(Math.expm1(-e) / 2)),
});
