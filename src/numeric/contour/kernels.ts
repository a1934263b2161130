import type { Complex, Kernel } from './nodes.ts';

/**
 * The kernel of the curve, 1 / (z (z + 1)), with smoothing by normal noise of variance `smoothing`, which bounds it on both
 * sides. First, from above: e^(v z (z+1) / 2) / (z (z + 1)), the curve composed with a Gaussian mechanism of mu^2 = v. Second,
 * from below: e^(v z^2 / 2) / z - e^(v (z+1)^2 / 2) / (z + 1), what a test of the loss plus noise gains.
 *
 * The second is e^(v z^2 / 2) (1 - z (e^w - 1)) / (z (z + 1)), w = v (z + 1/2).
 */
export function smoothKernel(c: number, smoothing: number): Kernel {
  const v = smoothing;
  const raised = Math.exp((v * (1 + Math.abs(c)) ** 2) / 2);
  const [raisedAbove, raisedBelow] = [Math.exp((v * c * (c + 1)) / 2), Math.exp((v * c * c) / 2)];
  // e^w - 1 at t = 0
  const grown = Math.expm1(v * (c + 0.5));
  return {
    isOne: v === 0,
    at(t, factors) {
      // 1 / (z (z + 1))
      const [re, im] = [c * (c + 1) - t * t, (2 * c + 1) * t];
      const square = re * re + im * im;
      const [inverseRe, inverseIm] = [re / square, -im / square];
      const plain = 1 / Math.sqrt(square);
      if (v === 0) {
        factors.first.re = inverseRe;
        factors.first.im = inverseIm;
        factors.bound = plain;
        return;
      }
      const decay = Math.exp((-v * t * t) / 2);
      const [cos, sin] = [Math.cos((v * t) / 2), Math.sin((v * t) / 2)];
      const [cosTilt, sinTilt] = [Math.cos(v * c * t), Math.sin(v * c * t)];
      const above = raisedAbove * decay;
      const [aboveRe, aboveIm] = [above * (cos * cosTilt - sin * sinTilt), above * (sin * cosTilt + cos * sinTilt)];
      factors.first.re = inverseRe * aboveRe - inverseIm * aboveIm;
      factors.first.im = inverseRe * aboveIm + inverseIm * aboveRe;
      const below = raisedBelow * decay;
      const [leastRe, leastIm] = [grown - 2 * (1 + grown) * sin * sin, 2 * (1 + grown) * sin * cos];
      const [gainRe, gainIm] = [1 - (c * leastRe - t * leastIm), -(c * leastIm + t * leastRe)];
      const [quotientRe, quotientIm] = [
        gainRe * inverseRe - gainIm * inverseIm,
        gainRe * inverseIm + gainIm * inverseRe,
      ];
      factors.second.re = below * (quotientRe * cosTilt - quotientIm * sinTilt);
      factors.second.im = below * (quotientRe * sinTilt + quotientIm * cosTilt);
      const size = 1 + (Math.abs(c) + t) * (Math.abs(leastRe) + Math.abs(leastIm));
      // Exponents and turns are off by few roundings of themselves.
      factors.bound = plain * Math.max(above, below * size) * (1 + v * (c * c + t * t + Math.abs(c) * (1 + t)));
    },
    bound: (t) => raised * Math.exp((-v * t * t) / 2) * (1 / (t * t) + v * (1 + 1 / t)) * (1 + 1e-9),
  };
}

/** 1 / (1 - e^-(a + ib)) u: real and imaginary part. */
function writeSeries(a: number, b: number, u: number, factor: Complex): number {
  const decay = Math.exp(-a);
  const half = Math.sin(b / 2);
  const [re, im] = [-Math.expm1(-a) + 2 * decay * half * half, decay * Math.sin(b)];
  const square = re * re + im * im;
  factor.re = (u * re) / square;
  factor.im = (-u * im) / square;
  return u / Math.sqrt(square);
}

/**
 * The kernels of a curve whose losses are u apart. Where the next loss is d > 0 beyond epsilon, the curve is
 * the sum over losses l = epsilon + d + mu, m >= 0, of their probability times 1 - e^(epsilon - l): first, of the 1,
 * u / (1 - e^(-zu)); second, of what is e^-d times u / (1 - e^(-(z+1)u)).
 */
export function latticeKernel(c: number, u: number): Kernel {
  /** |1 - e^(-(a + ib))|, which grows with b up to half a turn. */
  const distance = (a: number, b: number): number =>
    Math.hypot(Math.expm1(-a), 2 * Math.exp(-a / 2) * Math.sin(Math.min(Math.PI, b) / 2));
  return {
    isOne: false,
    at(t, factors) {
      const one = writeSeries(c * u, t * u, u, factors.first);
      const two = writeSeries((c + 1) * u, t * u, u, factors.second);
      // Turns are off by few roundings of themselves, and so are they relative to their distance from a whole one.
      factors.bound = 4 * (one + two);
    },
    bound: (t) => u * (1 / distance(c * u, t * u) + 1 / distance((c + 1) * u, t * u)) * (1 + 1e-9),
  };
}
