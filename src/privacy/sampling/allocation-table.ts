import { leadingDigits, UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';

/** A record in one of so many batches, noise of variance 1 / mu^2 on each; `muSquared` is off by at most its error, relatively. */
export interface Allocation {
  readonly batches: number;
  readonly muSquared: number;
  readonly muError: number;
}

/** What a table is made for: the n-th derivative of the Laplace transform, on the ray of an angle, times e^(-w0 v). */
export interface TablePlan {
  readonly n: number;
  readonly w0: number;
  readonly theta: number;
  /** Nodes v = i h. */
  readonly h: number;
  readonly first: number;
  readonly last: number;
  /** How far below their sums terms are left out, in nats. */
  readonly depth: number;
}

/** The nodes of the integral along the ray, over e^base. */
export interface MomentTable {
  readonly v: Float64Array;
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly base: number;
  /** Sum of the moduli times the error of their exponents; of the moduli; and of those times |v|. */
  readonly rounded: number;
  readonly mass: number;
  readonly spread: number;
  /** What the sums over the noise are off by: times the amplification of this angle, and of the wider one. */
  readonly narrow: number;
  readonly wide: number;
  readonly wideAngle: number;
}

/** Where powers are taken one by one, as the density underflows. */
const FAR_OUT = 30;
/** Left of this normal densities, and below this squares, lose digits as they underflow: then nothing is known. */
const LOWEST = -36;
const SMALLEST = 1e-280;
/** Sums are added in blocks of so many. */
const BLOCK = 16;
const WIDER = [0.25, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

interface Strip {
  readonly shift: number;
  readonly step: number;
  readonly wide: number;
  /** The relative error of the trapezoid rule and of what is left out, over the sums at the wide angle. */
  readonly error: number;
}

/**
 * The step in z of the trapezoid rule for E[(rY)^k e^(-rY e^(-i theta))], the line of integration raised by b = min(sigma theta, 1).
 *
 * Moved by eta to either side the integrand has the modulus phi(z) e^((b +- eta)^2 / 2) (rY)^k e^(-rY cos(theta - (b +- eta) / sigma)),
 * whose integral is at most e^((b +- eta)^2 / 2) times the moment at the angle alpha, as long as the angle stays within +- alpha. The rule
 * is off by at most the sum over both sides of that times e^(-2 pi eta / h) / (1 - e^(-2 pi eta / h)), for all k and r alike.
 */
function stripOf(sigma: number, theta: number, a: number, depth: number): Strip {
  const b = Math.min(sigma * theta, 1);
  let best = { step: 0, wide: 0, error: Infinity };
  for (const part of WIDER) {
    const alpha = theta + (Math.PI / 2 - theta) * part;
    const needed = depth + a * Math.log(Math.cos(theta) / Math.cos(alpha));
    const most = Math.min(sigma * (alpha + theta) - b, sigma * (alpha - theta) + b);
    const eta = Math.min(most, Math.sqrt(2 * needed + b * b)) * (1 - 1e-9);
    // Of few digits, so that its multiples and their squares are exact.
    const step = leadingDigits(Math.min(0.75, (2 * Math.PI * eta) / (needed + (b + eta) ** 2 / 2 + 0.1)), 12);
    if (step <= best.step) continue;
    const turns = (2 * Math.PI * eta) / step;
    const error = (Math.exp((b + eta) ** 2 / 2 - turns) + Math.exp((b - eta) ** 2 / 2 - turns)) * 1.001;
    best = { step, wide: alpha, error: error + 2 * Math.exp((b * b) / 2 - needed) };
  }
  return { ...best, shift: b };
}

/** The place where -z^2 / 2 + k z / sigma - x0 e^(z / sigma) is largest. */
function peakOf(sigma: number, k: number, x0: number): number {
  // At `low` x0 e^(z / sigma) is below 1 / e and -z above 1 / sigma: the derivative is positive for every k.
  let [low, high] = [-sigma * Math.max(0, Math.log(x0)) - sigma - 1 / sigma, k / sigma];
  // The derivative falls: by halving, then by steps of Newton.
  for (let i = 0; i < 60 && high - low > 1e-6 * (1 + Math.abs(low)); i++) {
    const z = (low + high) / 2;
    if (k / sigma - z - (x0 / sigma) * Math.exp(z / sigma) > 0) low = z;
    else high = z;
  }
  return (low + high) / 2;
}

const logFactorials: number[] = [0];
/** ln k!, within k roundings of itself and of k. */
export function logFactorial(k: number): number {
  for (let i = logFactorials.length; i <= k; i++) logFactorials.push(logFactorials[i - 1]! + Math.log(i));
  return logFactorials[k]!;
}

/** Writes the coefficient of x^n of (sum c_k x^k)^t over c_0^t: re, im. */
class Power {
  readonly #n: number;
  readonly #t: number;
  readonly #p: Float64Array;
  readonly #d: Float64Array;
  re = 0;
  im = 0;

  constructor(n: number, t: number) {
    [this.#n, this.#t] = [n, t];
    this.#p = new Float64Array(2 * n + 2);
    this.#d = new Float64Array(2 * n + 2);
  }

  /** Relative to the same of the moduli: every sum has i terms, each within few roundings; see {@link momentTable}. */
  get error(): number {
    const [n, t] = [this.#n, this.#t];
    return t + 1 >= n ? (n * (n + 1) * 0.5 + 32 * n) * U : 2 * t * (n + 20) * U;
  }

  of(c: Float64Array): void {
    const [n, t, d] = [this.#n, this.#t, this.#d];
    const [a, b] = [c[0]!, c[1]!];
    const square = a * a + b * b;
    for (let k = 0; k <= n; k++) {
      const [x, y] = [c[2 * k]!, c[2 * k + 1]!];
      d[2 * k] = (x * a + y * b) / square;
      d[2 * k + 1] = (y * a - x * b) / square;
    }
    if (t + 1 >= n) this.#byRecurrence();
    else this.#bySquares();
  }

  /** p_i = (1 / i) sum of ((t + 1) k - i) d_k p_(i - k): the weights are at least 0. */
  #byRecurrence(): void {
    const [n, t, d, p] = [this.#n, this.#t, this.#d, this.#p];
    p[0] = 1;
    p[1] = 0;
    for (let i = 1; i <= n; i++) {
      let [re, im] = [0, 0];
      for (let k = 1; k <= i; k++) {
        const weight = (t + 1) * k - i;
        const [x, y, u, v] = [d[2 * k]!, d[2 * k + 1]!, p[2 * (i - k)]!, p[2 * (i - k) + 1]!];
        re += weight * (x * u - y * v);
        im += weight * (x * v + y * u);
      }
      p[2 * i] = re / i;
      p[2 * i + 1] = im / i;
    }
    this.re = p[2 * n]!;
    this.im = p[2 * n + 1]!;
  }

  #bySquares(): void {
    const n = this.#n;
    const times = (x: Float64Array, y: Float64Array): Float64Array => {
      const product = new Float64Array(2 * n + 2);
      for (let i = 0; i <= n; i++) {
        let [re, im] = [0, 0];
        for (let k = 0; k <= i; k++) {
          const [a, b, u, v] = [x[2 * k]!, x[2 * k + 1]!, y[2 * (i - k)]!, y[2 * (i - k) + 1]!];
          re += a * u - b * v;
          im += a * v + b * u;
        }
        product[2 * i] = re;
        product[2 * i + 1] = im;
      }
      return product;
    };
    let result: Float64Array | null = null;
    let doubled: Float64Array = Float64Array.from(this.#d);
    doubled[0] = 1;
    doubled[1] = 0;
    for (let rest = this.#t; ; rest = Math.floor(rest / 2)) {
      if (rest % 2 === 1) result = result ? times(result, doubled) : doubled;
      if (rest < 2) break;
      doubled = times(doubled, doubled);
    }
    this.re = result![2 * n]!;
    this.im = result![2 * n + 1]!;
  }
}

/** Sums over the noise at one node: c_k = E[(rY)^k e^(-rY e^(-i theta))] / k! times lambda^k. */
class NoiseSums {
  readonly c: Float64Array;
  readonly #block: Float64Array;
  readonly #sigma: number;
  readonly #n: number;
  readonly #theta: number;
  readonly #strip: Strip;
  readonly #depth: number;
  /** The largest number of terms, |exponent| of rY, place, and |place|; the lowest place. */
  terms = 0;
  exponent = 0;
  highest = 0;
  farthest = 0;
  lowest = 0;

  constructor(sigma: number, n: number, theta: number, strip: Strip, depth: number) {
    [this.#sigma, this.#n, this.#theta, this.#strip, this.#depth] = [sigma, n, theta, strip, depth];
    this.c = new Float64Array(2 * n + 2);
    this.#block = new Float64Array(2 * n + 2);
  }

  /**
   * Fills c at r = e^logR, scaled: `logScale` is at most ln lambda; returns ln lambda.
   *
   * The logarithm of a term is concave in z with a curvature of at least 1. Left of the peak of k = 0, and right of that of k = n,
   * each sum has e^-depth of itself: terms fall there at least as a normal density does, and of other k they are less.
   */
  fill(logR: number, logScale: number): number {
    const [sigma, n, c, { shift: b, step }] = [this.#sigma, this.#n, this.c, this.#strip];
    const delta = this.#theta - b / sigma;
    const [cos, sin] = [Math.cos(delta), Math.sin(delta)];
    const centre = logR - 1 / (2 * sigma * sigma);
    const x0 = Math.exp(centre) * cos;
    const [left, right] = [peakOf(sigma, 0, x0), peakOf(sigma, n, x0)];
    const sharper = (peak: number): number => 0.5 * Math.log1p((x0 * Math.exp(peak / sigma)) / (sigma * sigma));
    const away = (peak: number): number => Math.sqrt(2 * (this.#depth + sharper(peak) + 2)) + 2 * step;
    const [from, to] = [Math.floor((left - away(left)) / step), Math.ceil((right + away(right)) / step)];
    const highest =
      (n * right) / sigma - (right * right) / 2 - x0 * Math.exp(right / sigma) + n * centre - logFactorial(n);
    const lowest = -(left * left) / 2 - x0 * Math.exp(left / sigma);
    const logLambda = n === 0 ? 0 : Math.min(logScale, (lowest - highest) / n);
    const lambda = Math.exp(logLambda);
    c.fill(0);
    const block = this.#block.fill(0);
    const weight = (step / Math.sqrt(2 * Math.PI)) * Math.exp((b * b) / 2);
    for (let j = from, inBlock = 0; j <= to; j++) {
      const z = j * step;
      const logX = centre + z / sigma;
      const x = Math.exp(logX);
      const turn = x * sin - z * b;
      const [re, im] = [weight * Math.cos(turn), weight * Math.sin(turn)];
      if (z > FAR_OUT) {
        const log = -(z * z) / 2 - x * cos;
        for (let k = 0; k <= n; k++) {
          const size = Math.exp(log + k * (logX + logLambda) - logFactorial(k));
          block[2 * k]! += size * re;
          block[2 * k + 1]! += size * im;
        }
      } else {
        let size = Math.exp(-(z * z) / 2) * Math.exp(-x * cos);
        const y = x * lambda;
        block[0]! += size * re;
        block[1]! += size * im;
        for (let k = 1; k <= n && size !== 0; k++) {
          size *= y / k;
          block[2 * k]! += size * re;
          block[2 * k + 1]! += size * im;
        }
      }
      if (++inBlock === BLOCK || j === to) {
        for (let k = 0; k < block.length; k++) c[k]! += block[k]!;
        block.fill(0);
        inBlock = 0;
      }
    }
    // On the raised line Y^k has turned by k b / sigma.
    for (let k = 1; k <= n; k++) {
      const [u, v] = [Math.cos((k * b) / sigma), Math.sin((k * b) / sigma)];
      [c[2 * k], c[2 * k + 1]] = [c[2 * k]! * u - c[2 * k + 1]! * v, c[2 * k]! * v + c[2 * k + 1]! * u];
    }
    this.terms = Math.max(this.terms, to - from + 1);
    this.exponent = Math.max(this.exponent, Math.abs(centre) + Math.max(-from, to, 0) * (step / sigma));
    this.highest = Math.max(this.highest, to * step);
    this.farthest = Math.max(this.farthest, -from * step, to * step);
    this.lowest = Math.min(this.lowest, from * step);
    return logLambda;
  }
}

/**
 * The nodes e^(-w0 v) p_n(v), p_n(v) = [x^n] (sum of x^k c_k)^t, c_k = E[(rY)^k e^(-rY e^(-i theta))] / k!, r = e^v / t, Y lognormal of mean 1.
 *
 * Errors. p_n is a polynomial in the c_k with positive coefficients, so that if each is off by at most e times what it is at most (C_k at
 * the angle alpha: e^(-rY cos alpha) for the exponential), p_n is off by ((1 + e)^t - 1) p_n(C); and the integral of e^(-w0 v) p_n(C) is
 * E[M^w0] Gamma(a) cos(alpha)^-a / n!: `narrow` and `wide` are what stands before that over theta and the wide angle. What is off by e k in
 * c_k counts as e n p_n; what is off as if r were, by e, in the exponential as e a / cos(theta), as derivatives of p_n show. Terms far out, of
 * which the exponents are large, are off by `far`, which is at most far k for k >= 1; of c_0, which is at least e^-323, they are e^-110 at most.
 */
export function momentTable({ batches: t, muSquared }: Allocation, plan: TablePlan): MomentTable {
  const { n, w0, theta, h, first, last, depth } = plan;
  const sigma = 1 / Math.sqrt(muSquared);
  const a = n - w0;
  const inner = depth + Math.log(t);
  const strip = stripOf(sigma, theta, a, inner);
  const sums = new NoiseSums(sigma, n, theta, strip, inner + a * Math.log(Math.cos(theta) / Math.cos(strip.wide)));
  const power = new Power(n, t);
  const size = last - first + 1;
  const [v, log, angle, unsure] = [0, 0, 0, 0].map(() => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const logT = Math.log(t);
  let base = -Infinity;
  let isLost = false;
  for (let i = 0; i < size; i++) {
    const place = (first + i) * h;
    v[i] = place;
    const concentrated = n === 0 ? 0 : logFactorial(n) / n - place;
    const logLambda = sums.fill(place - logT, concentrated);
    const [x, y] = [sums.c[0]!, sums.c[1]!];
    const [modulus, turn] = [Math.log(x * x + y * y) / 2, Math.atan2(y, x)];
    if (n > 0) power.of(sums.c);
    const [p, q] = n > 0 ? [power.re, power.im] : [1, 0];
    isLost ||= !(x * x + y * y > SMALLEST && p * p + q * q > SMALLEST);
    const own = Math.log(p * p + q * q) / 2;
    log[i] = t * modulus + own - n * logLambda - w0 * place;
    angle[i] = t * turn + Math.atan2(q, p);
    unsure[i] =
      12 *
      U *
      (t * (Math.abs(modulus) + Math.abs(turn)) + Math.abs(own) + n * Math.abs(logLambda) + Math.abs(w0 * place) + 8);
    if (log[i]! > base) base = log[i]!;
  }
  const [re, im] = [new Float64Array(size), new Float64Array(size)];
  let [rounded, mass, spread] = [0, 0, 0];
  for (let i = 0; i < size; i++) {
    const modulus = Math.exp(log[i]! - base);
    re[i] = modulus * Math.cos(angle[i]!);
    im[i] = modulus * Math.sin(angle[i]!);
    rounded += modulus * (unsure[i]! + 4 * U * Math.abs(base));
    mass += modulus;
    spread += modulus * Math.abs(v[i]!);
  }
  const raised = Math.exp((strip.shift * strip.shift) / 2);
  const far = sums.highest > FAR_OUT ? 8 * U * sums.highest ** 2 : 0;
  // A term: its two exponentials, two turns with their angles (of z b and x sin), weights, sums.
  const term = (BLOCK + sums.terms / BLOCK + 56 + 2 * sums.farthest) * U;
  const ofX = (4 * sums.exponent + 16) * U;
  return {
    v,
    re,
    im,
    base,
    rounded,
    mass,
    spread,
    narrow:
      1.01 *
      (Math.expm1(t * term * raised) +
        raised * (ofX * (n + (2 * a) / Math.cos(theta)) + n * (4 * U + far)) +
        power.error),
    wide: isLost || sums.lowest < LOWEST ? Infinity : 1.01 * t * strip.error,
    wideAngle: strip.wide,
  };
}
