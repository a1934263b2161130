import type { Approximate } from '../../numeric/enclosure.ts';
import { approximateLogSum } from '../../numeric/enclosure-arithmetic.ts';
import type { Ratios } from '../../numeric/contour/transform.ts';
import { logGamma } from '../../numeric/log-gamma.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { logFactorial, momentTable, type Allocation, type MomentTable } from './allocation-table.ts';

/** No derivative of a higher order is taken, and no table has more nodes. */
const MOST_ORDER = 300;
/** Powers further below 0 are of deltas that are no doubles, but where noise is very large. */
const MOST_DISTANCE = 3000;
const MOST_NODES = 12_000;
/** About how many multiplications a table takes at most. */
const MOST_WORK = 8e7;
/** How small what is left out is, in nats; and how much a ray may amplify errors before the next one is taken. */
const DEPTH = 41;
const AMPLIFIED = 2.5;
/** So many places are turned at once, and sums are added in blocks of so many. */
const TURNS = 32;
const BLOCK = 32;
/** How far from where it is thought to be a moment may be without nodes being laid anew, and how often they are. */
const FAR_OFF = 3;
const MOST_TRIES = 5;
const RIGHT = [0.5, 1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 130, 200];

/** ln of a bound on E[M^n], n whole: coefficient of x^n in (sum of e^(k (k - 1) mu^2 / 2) (x / t)^k / k!)^t, times n!. */
function logWholeMoment({ batches: t, muSquared }: Allocation, n: number): number {
  if (n < 2) return 0;
  const one = Array.from(
    { length: n + 1 },
    (_, k) => (k * (k - 1) * muSquared) / 2 - k * Math.log(t) - logFactorial(k),
  );
  const times = (x: readonly number[], y: readonly number[]): number[] =>
    x.map((_, i) => {
      let sum = -Infinity;
      for (let k = 0; k <= i; k++) sum = approximateLogSum(sum, x[k]! + y[i - k]!);
      return sum;
    });
  let result: number[] | null = null;
  for (let rest = t, doubled = one; ; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = result ? times(result, doubled) : doubled;
    if (rest < 2) break;
    doubled = times(doubled, doubled);
  }
  return (result![n]! + logFactorial(n)) * (1 + 1e-9) + 1e-6;
}

/** ln of a bound on E[M^w]: for w < 0 by the geometric mean, or one batch alone; from 0 to 1 it is at most 1; above by convexity in w. */
function logMomentMost({ batches: t, muSquared }: Allocation, w: number, n: number, logWhole: number): number {
  if (w <= 0) return Math.min((w * w) / t - w, w * (w - 1)) * (muSquared / 2) * (1 + 1e-12);
  return w <= 1 ? 0 : ((w - 1) / (n - 1)) * logWhole;
}

/** A ray that serves t from one place on. */
interface Ray {
  readonly theta: number;
  readonly from: number;
  readonly to: number;
  readonly h: number;
  readonly first: number;
  readonly last: number;
}

/** E[M^w] under Q along w0 + it, t >= 0, M the likelihood ratio of one epoch. */
export class AllocationMoment {
  readonly #law: Allocation;
  readonly #w0: number;
  readonly #n: number;
  readonly #a: number;
  readonly #logWhole: number;
  readonly #logGamma: number;
  readonly #gammaError: number;
  readonly #depth: number;
  readonly #tables = new Map<Ray, MomentTable>();
  readonly #rays: Ray[] = [];
  readonly #sums = new Float64Array(2 * TURNS);
  readonly #block = new Float64Array(2 * TURNS);
  readonly #out = { re: 0, im: 0 };
  /** ln E[M^w0]; its error is infinite where it is not known. */
  readonly moment: Approximate;
  readonly #most: number;
  #about: number;

  /**
   * @param logAbout - about ln E[M^w0]
   * @param last - t up to which it is asked for, about
   */
  constructor(law: Allocation, w0: number, logAbout: number, depth = DEPTH, last = 0) {
    this.#most = depth < DEPTH ? (depth > 20 ? MOST_WORK / 4 : MOST_WORK / 25) : MOST_WORK;
    [this.#law, this.#w0, this.#depth, this.#about] = [law, w0, depth, logAbout];
    // Far from the axis a ray is less steep where Gamma falls later; but moments far beyond w0 are those of one batch far out.
    const further = Math.min(last / 16, 4 + 2 / law.muSquared);
    const least = Math.max(0, Math.ceil(w0) + 3);
    this.#n = Math.max(least, Math.min(MOST_ORDER, Math.ceil(w0 + further)));
    this.#a = this.#n - w0;
    this.#logWhole = this.#n > MOST_ORDER ? NaN : logWholeMoment(law, this.#n);
    const { modulus, error } = logGamma(this.#a, 0);
    [this.#logGamma, this.#gammaError] = [modulus, error];
    this.moment = this.#real();
  }

  get terms(): number {
    return [...this.#tables.values()].reduce((most, { v }) => Math.max(most, v.length), 1);
  }

  /** ln of the amplification of errors at t by the ray of an angle: Gamma(a) cos(theta)^-a e^(-theta t) / |Gamma(a - it)|. */
  #amplification(theta: number, t: number, logGammaAtT: number): number {
    return this.#logGamma - this.#a * Math.log(Math.cos(theta)) - theta * t - logGammaAtT;
  }

  /** Bounds what the trapezoid rule along the ray is off by, over E[M^w0]: the aliases t + 2 pi j / h (see {@link fill}). */
  #aliases(theta: number, t: number, h: number, logGammaAtT: number): number {
    const { batches, muSquared } = this.#law;
    const a = this.#a;
    const decay = muSquared / (2 * batches);
    const logTerm = (j: number): number => {
      const x = t + (2 * Math.PI * j) / h;
      const phi = Math.atan(Math.abs(x) / a);
      const gamma = this.#logGamma - phi * Math.abs(x) - a * Math.log(Math.cos(phi));
      return gamma + theta * (x - t) - decay * x * x - logGammaAtT;
    };
    let sum = 0;
    for (const side of [1, -1]) {
      let before = Infinity;
      for (let j = side; ; j += side) {
        const term = Math.exp(Math.min(700, logTerm(j)));
        sum += term;
        // The logarithms of the terms are concave, so that from here on they fall at least as fast.
        if (term < 0.5 * before && (term < 1e-40 || Math.abs(j) > 60)) {
          sum += 2 * term;
          break;
        }
        if (Math.abs(j) > 400) return Infinity;
        before = term;
      }
    }
    return sum * (1 + 1e-9);
  }

  /** Of the nodes before `first` and after `last` of a ray, a bound on their sum over E[M^w0]; see {@link fill}. */
  #ends(
    { theta, h, first, last }: Pick<Ray, 'theta' | 'h' | 'first' | 'last'>,
    t: number,
    logGammaAtT: number,
  ): number {
    const shared = -logGammaAtT - theta * t - this.#about + 1e-9;
    const left = this.#logWhole + this.#a * (first - 1) * h + shared + Math.log(h / -Math.expm1(-this.#a * h));
    return Math.exp(left) + Math.exp(this.#right(theta, (last + 1) * h, h) + shared);
  }

  /** ln of a bound on the nodes from v on, but for what depends on t. */
  #right(theta: number, v: number, h: number): number {
    const [n, a] = [this.#n, this.#a];
    return RIGHT.reduce((least, more) => {
      const b = a + more * Math.max(1, Math.sqrt(a));
      const power = b * (Math.log(b / Math.cos(theta)) - 1);
      const moment = logMomentMost(this.#law, n - b, n, this.#logWhole);
      return Math.min(least, power + moment - (b - a) * v + Math.log(h / -Math.expm1(-(b - a) * h)));
    }, Infinity);
  }

  /** A ray for t in [from, to]; null where it takes too many nodes. */
  #rayFor(theta: number, from: number, to: number): Ray | null {
    const gammas = [from, to].map((t) => [t, logGamma(this.#a, -t).modulus] as const);
    const enough = Math.exp(-this.#depth);
    let h = 0.5;
    while (h > 1e-3 && gammas.some(([t, gamma]) => this.#aliases(theta, t, h, gamma) > enough)) h *= 0.93;
    const unit = 2 ** (Math.floor(Math.log2(h)) - 15);
    h = Math.floor(h / unit) * unit;
    const most = gammas.reduce((sum, [t, gamma]) => Math.max(sum, -gamma - theta * t), -Infinity) - this.#about;
    const target = -this.#depth - most;
    const left = (target - this.#logWhole) / this.#a - 1;
    let right = Math.max(left + 1, Math.log((this.#n + 1) / Math.cos(theta)));
    while (this.#right(theta, right, h) > target && right < 500) right += 0.5;
    const [first, last] = [Math.floor(left / h), Math.ceil(right / h)];
    const size = last - first + 1;
    // Sums over the noise, and powers.
    const work = size * (this.#n + 10) * (this.#n + 60);
    const isFeasible = size < MOST_NODES && work < this.#most && right < 500;
    return isFeasible ? { theta, from, to, h, first, last } : null;
  }

  #tableOf(ray: Ray): MomentTable {
    const known = this.#tables.get(ray);
    if (known) return known;
    const table = momentTable(this.#law, { n: this.#n, w0: this.#w0, depth: this.#depth, ...ray });
    this.#tables.set(ray, table);
    return table;
  }

  /** E[M^w0] by the real axis. */
  #real(): Approximate {
    const unknown = { value: this.#about, error: Infinity };
    if (this.#w0 === 0 || this.#w0 === 1) {
      this.#about = 0;
      return { value: 0, error: 0 };
    }
    if (!(this.#n <= MOST_ORDER && this.#a <= MOST_DISTANCE)) return unknown;
    let [ray, table, sum, value] = this.#sumOnAxis();
    // Nodes are laid where it was about; where that was wrong they are laid anew.
    for (let tries = 0; tries < MOST_TRIES && Math.abs(value - this.#about) > FAR_OFF; tries++) {
      this.#about = value;
      [ray, table, sum, value] = this.#sumOnAxis();
    }
    if (ray === null || table === null || !Number.isFinite(value)) return unknown;
    this.#about = value - 1e-6;
    const off =
      this.#aliases(0, 0, ray.h, this.#logGamma) +
      this.#ends(ray, 0, this.#logGamma) +
      this.#tableError(table, 0, this.#logGamma, 0) +
      (ray.h * (table.rounded + table.v.length * U * table.mass)) / sum;
    const rounding =
      16 * U * (logFactorial(this.#n) + Math.abs(this.#logGamma) + Math.abs(table.base) + 4) + this.#n * 4 * U * 6;
    if (!(off < 0.01)) return unknown;
    return { value, error: 1.02 * (off + this.#parameter(0)) + rounding + this.#gammaError };
  }

  /** The first ray, its sum at t = 0, and ln E[M^w0] by it; NaN where there is none. */
  #sumOnAxis(): readonly [Ray | null, MomentTable | null, number, number] {
    this.#rays.length = 0;
    this.#tables.clear();
    const ray = this.#firstRay();
    if (ray === null) return [null, null, NaN, NaN];
    const table = this.#tableOf(ray);
    const sum = table.re.reduce((all, x) => all + x, 0) * ray.h;
    return [ray, table, sum, logFactorial(this.#n) - this.#logGamma + table.base + Math.log(sum)];
  }

  #firstRay(): Ray | null {
    let to = 1;
    const excess = (t: number): number => this.#amplification(0, t, logGamma(this.#a, -t).modulus) - this.#least(t);
    while (excess(to) < AMPLIFIED && to < 1e6) to *= 1.1;
    const ray = this.#rayFor(0, 0, to);
    if (ray) this.#rays.push(ray);
    return ray;
  }

  /** The least amplification at t. */
  #least(t: number): number {
    return this.#amplification(Math.atan(t / this.#a), t, logGamma(this.#a, -t).modulus);
  }

  /** The ray that serves t; null where there is none. */
  #rayAt(t: number): Ray | null {
    for (let i = 0; ; i++) {
      const ray = this.#rays[i];
      if (ray === undefined) return null;
      if (t <= ray.to) return ray;
      if (i + 1 < this.#rays.length) continue;
      const from = ray.to;
      const excess = (theta: number, at: number): number =>
        this.#amplification(theta, at, logGamma(this.#a, -at).modulus) - this.#least(at);
      let [theta, most] = [Math.atan(from / this.#a), Math.PI / 2];
      for (let tries = 0; tries < 40; tries++) {
        const middle = (theta + most) / 2;
        if (excess(middle, from) < AMPLIFIED) theta = middle;
        else most = middle;
      }
      let to = from * 1.05 + 0.1;
      while (excess(theta, to) < AMPLIFIED && to < 1e6) to *= 1.05;
      const next = this.#rayFor(theta, from, to);
      if (next === null) return null;
      this.#rays.push(next);
    }
  }

  /** What the sums over the noise are off by, over E[M^w0]. */
  #tableError({ narrow, wide, wideAngle }: MomentTable, theta: number, logGammaAtT: number, t: number): number {
    return (
      narrow * Math.exp(this.#amplification(theta, t, logGammaAtT)) +
      wide * Math.exp(this.#amplification(wideAngle, t, logGammaAtT) + (wideAngle - theta) * t)
    );
  }

  /**
   * What a relative error of mu^2 does: the derivative of E[M^w] by mu^2 is w (w - 1) / 2 times E[M^(w-2) sum Y_i^2 / t^2], and sum Y_i^2 is at
   * most (t M)^2 (Y is a martingale in mu^2).
   */
  #parameter(t: number): number {
    const { muSquared, muError } = this.#law;
    const [w, next] = [Math.hypot(this.#w0, t), Math.hypot(this.#w0 - 1, t)];
    return 0.51 * muSquared * muError * w * next;
  }

  /**
   * E[M^(w0 + it)] / E[M^w0], where
   *
   *   E[M^w] = n! / Gamma(n - w) e^(-i theta (n - w)) int e^(-w v) p_n(v) dv,  n! p_n(v) = e^(n v) E[M^n e^(-s M)], s = e^(v - i theta),
   *
   * for n > w0 and theta in [0, pi / 2): s^(n - w - 1) is integrated along a ray. Errors, over E[M^w0], a = n - w0:
   *
   * Aliases: the trapezoid rule in v adds the integral at t + 2 pi j / h for all whole j, by Poisson summation, which is
   * E[M^(w0 + ix)] Gamma(a - ix) e^(i theta (a - ix)), x = t + 2 pi j / h. Raising all noise by i b shows
   * |E[M^(w0 + ix)]| <= E[M^w0] e^(-x^2 mu^2 / 2t), and turning the ray of Gamma |Gamma(a - ix)| <= Gamma(a) e^(-phi |x|) cos(phi)^-a.
   *
   * Ends: |n! p_n(v)| <= e^(n v) E[M^n e^(-M e^v cos theta)], at most e^(n v) E[M^n] to the left; to the right e^-y <= (b / e y)^b gives
   * E[M^(n - b)], b > a. The sums over the noise: see {@link momentTable}. Rounding: as many roundings as there are operations.
   *
   * Writes the values at t = first step, (first + 1) step, ..., with bounds on their errors; Infinity where nothing is known.
   */
  fill(step: number, first: number, count: number, { x, y, error }: Ratios): void {
    if (this.moment.error === Infinity) {
      error.fill(Infinity, 0, count);
      return;
    }
    for (let k = 0; k < count;) {
      const ray = this.#rayAt((first + k) * step);
      if (ray === null) {
        error.fill(Infinity, k, count);
        return;
      }
      let more = 1;
      while (k + more < count && more < TURNS && (first + k + more) * step <= ray.to) more++;
      const table = this.#tableOf(ray);
      this.#turn(table, (first + k) * step, step, more);
      for (let i = 0; i < more; i++) {
        const t = (first + k + i) * step;
        error[k + i] = this.#value(ray, table, t, i);
        x[k + i] = this.#out.re;
        y[k + i] = this.#out.im;
      }
      k += more;
    }
  }

  /** Sums of e^(-itv) times the nodes, at `count` places: each is turned from the one before, which takes 12 roundings. */
  #turn({ v, re, im }: MomentTable, start: number, step: number, count: number): void {
    const [sums, block] = [this.#sums.fill(0), this.#block];
    for (let from = 0; from < v.length; from += BLOCK) {
      const end = Math.min(v.length, from + BLOCK);
      block.fill(0, 0, 2 * count);
      for (let i = from; i < end; i++) {
        const [turn, more] = [start * v[i]!, step * v[i]!];
        const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
        const [p, q] = [Math.cos(more), Math.sin(more)];
        let a = re[i]! * cos + im[i]! * sin;
        let b = im[i]! * cos - re[i]! * sin;
        for (let k = 0; k < 2 * count; k += 2) {
          block[k]! += a;
          block[k + 1]! += b;
          const next = a * p + b * q;
          b = b * p - a * q;
          a = next;
        }
      }
      for (let k = 0; k < 2 * count; k++) sums[k]! += block[k]!;
    }
  }

  /** Writes the value at t from the i-th sum; returns a bound on its error. */
  #value(ray: Ray, table: MomentTable, t: number, i: number): number {
    const gamma = logGamma(this.#a, -t);
    const [x, y] = [this.#sums[2 * i]!, this.#sums[2 * i + 1]!];
    const { value, error } = this.moment;
    const { base, v } = table;
    const logN = logFactorial(this.#n);
    const factor = Math.exp(logN - gamma.modulus - ray.theta * t + base - value + Math.log(ray.h));
    const angle = -gamma.angle - ray.theta * this.#a;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    this.#out.re = factor * (x * cos - y * sin);
    this.#out.im = factor * (x * sin + y * cos);
    const turned = (12 * TURNS + BLOCK + v.length / BLOCK + 64) * U * table.mass + 16 * U * t * table.spread;
    const sizes = [logN, gamma.modulus, ray.theta * t, base, value, angle, gamma.angle, 8];
    const exponents = 16 * U * sizes.reduce((sum, size) => sum + Math.abs(size), 0);
    return (
      1.02 *
      (this.#aliases(ray.theta, t, ray.h, gamma.modulus) +
        this.#ends(ray, t, gamma.modulus) +
        this.#tableError(table, ray.theta, gamma.modulus, t) +
        this.#parameter(t) +
        factor * (table.rounded + turned) +
        Math.hypot(this.#out.re, this.#out.im) * (exponents + 2 * gamma.error + error))
    );
  }
}
