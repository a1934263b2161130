import { unit, type RandomSource } from '../../numeric/random.ts';
import { LogConcave } from './log-concave.ts';

/** Two independent standard normal numbers: Box and Muller (1958). */
function normals(random: RandomSource): readonly [number, number] {
  const radius = Math.sqrt(-2 * Math.log(1 - unit(random)));
  const angle = 2 * Math.PI * unit(random);
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}

/** A direction, all equally likely. */
function direction(dimension: number, random: RandomSource): Float64Array {
  for (;;) {
    const found = new Float64Array(dimension);
    for (let i = 0; i < dimension; i += 2) {
      const [one, other] = normals(random);
      found[i] = one;
      if (i + 1 < dimension) found[i + 1] = other;
    }
    const length = norm(found);
    if (length > 0) return found.map((each) => each / length);
  }
}

/** The Euclidean length. */
export const norm = (vector: Float64Array): number => Math.sqrt(dot(vector, vector));

export function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i]! * other[i]!;
  return sum;
}

/** ln Gamma(a + 1) for a whole or half a whole number. */
function logFactorial(a: number): number {
  let sum = a % 1 === 0 ? 0 : Math.log(Math.PI) / 2;
  for (let i = a % 1 === 0 ? 1 : 0.5; i <= a; i++) sum += Math.log(i);
  return sum;
}

const MOST_TERMS = 100_000;

/**
 * ln of the regularised incomplete gamma function P(a, z): the chance that the sum of 2a squared standard normals is at most
 * 2z. By its series where z < a + 1, elsewhere by the continued fraction of 1 - P; `log` is ln Gamma(a + 1).
 *
 * Source: NIST Digital Library of Mathematical Functions, 8.11.4 and 8.9.2.
 */
export function logGammaShare(a: number, z: number, log = logFactorial(a)): number {
  if (z <= 0) return -Infinity;
  const front = a * Math.log(z) - z - log;
  if (z < a + 1) {
    let [term, sum] = [1, 1];
    for (let n = 1; n < MOST_TERMS && term > sum * 1e-17; n++) sum += term *= z / (a + n);
    return front + Math.log(sum);
  }
  // Lentz's method.
  let b = z + 1 - a;
  let c = Infinity;
  let d = 1 / b;
  let fraction = d;
  for (let n = 1; n < MOST_TERMS; n++) {
    const step = -n * (n - a);
    b += 2;
    d = 1 / (step * d + b);
    c = b + step / c;
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return Math.log1p(-Math.min(1, Math.exp(front + Math.log(a)) * fraction));
}

/** The shape of the weights: e^(-beta (<g, x> + lambda |x|^2)) on the ball of this radius around the origin. */
export interface BallShape {
  readonly beta: number;
  readonly lambda: number;
  readonly radius: number;
  readonly dimension: number;
}

/**
 * Samples from the regularised weights of linear losses on a ball, whose sum has the gradient g: exactly, up to the rounding of
 * doubles, and in bounded expected time whatever the numbers are.
 *
 * Along -g the density is that of a normal variable, with mean |g| / (2 lambda) and variance 1 / (2 beta lambda), times the
 * chance that the other coordinates fit into the ball, which is an incomplete gamma function; as a marginal of a log-concave
 * density it is log-concave (Prekopa 1973). Given that coordinate, the distance from the axis has the density
 * r^(k - 2) e^(-beta lambda r^2) up to the sphere, and the direction from the axis is uniform.
 *
 * Source: derived; {@link LogConcave} for both.
 */
export class BallWeights {
  readonly #shape: BallShape;
  readonly #axis: Float64Array;
  readonly #along: LogConcave;

  constructor(shape: BallShape, gradient: Float64Array) {
    const { beta, lambda, radius, dimension } = shape;
    this.#shape = shape;
    const length = norm(gradient);
    this.#axis = gradient.map((each, i) => (length > 0 ? -each / length : i === 0 ? 1 : 0));
    const a = (dimension - 1) / 2;
    const log = logFactorial(a);
    const h = (u: number): number =>
      beta * (u * length - lambda * u * u) +
      (dimension === 1 ? 0 : logGammaShare(a, beta * lambda * (radius - u) * (radius + u), log));
    this.#along = new LogConcave(h, -radius, radius);
  }

  draw(random: RandomSource): Float64Array {
    const { beta, lambda, radius, dimension } = this.#shape;
    const u = this.#along.draw(random);
    if (dimension === 1) return Float64Array.of(u * this.#axis[0]!);
    const rest = Math.sqrt(Math.max(0, (radius - u) * (radius + u)));
    const h = (r: number): number => (dimension === 2 ? 0 : (dimension - 2) * Math.log(r)) - beta * lambda * r * r;
    const r = new LogConcave(h, 0, rest).draw(random);
    // A uniform direction of which what is along the axis is taken away has a uniform direction beside it.
    for (;;) {
      const beside = direction(dimension, random);
      const along = dot(beside, this.#axis);
      for (let i = 0; i < dimension; i++) beside[i]! -= along * this.#axis[i]!;
      const length = norm(beside);
      if (length > 1e-6) return beside.map((each, i) => (each / length) * r + u * this.#axis[i]!);
    }
  }
}
