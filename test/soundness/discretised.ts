import { approximately, ofDouble, type Interval, type Real } from './fixed-point.ts';
import { convolution } from './fourier.ts';
import type { Way } from './atoms.ts';
import { CHANGES, outcomes, type Change } from './sampled-atoms.ts';
import { distanceOf, isNoise, type Noise } from './sampled-noise.ts';
import type { EntrySpec, Sampling } from './specification.ts';
import { NO_FAILURE, type Truth } from './truth.ts';

/** Probabilities of one event under both neighbours' data. */
interface Mass {
  readonly p: number;
  readonly q: number;
}

/** The law of a loss: outcomes of their own, and a density of which the masses between two losses are known. */
interface Law {
  readonly atoms: readonly (Mass & { readonly loss: number })[];
  readonly between: ((low: number, high: number) => Mass) | null;
  /** The density's losses lie between these, but for what is below 1e-21. */
  readonly from: number;
  readonly to: number;
}

const LIST_BITS = 448;
const TAIL_DEPTH = 120;
const ROOT = Math.sqrt(2 * Math.PI);
const density = (x: number): number => Math.exp((-x * x) / 2) / ROOT;

/** Phi(-x). */
function normalTail(x: number): number {
  if (x < 0) return 1 - normalTail(-x);
  if (x > 3) {
    let value = x;
    for (let n = TAIL_DEPTH; n >= 1; n--) value = x + n / value;
    return density(x) / value;
  }
  let [term, sum] = [x, 0];
  for (let n = 1; term > 1e-18; n++) {
    sum += term;
    term *= (x * x) / (2 * n + 1);
  }
  return 0.5 - density(x) * sum;
}

const NODES = [
  0.1252334085114689, 0.3678314989981802, 0.5873179542866175, 0.7699026741943047, 0.9041172563704749,
  0.9815606342467194,
];
const WEIGHTS = [
  0.2491470458134028, 0.2334925365383548, 0.2031674267230659, 0.1600783285433462, 0.1069393259953184,
  0.04717533638651183,
];

/** Phi(b) - Phi(a). */
function normalBetween(a: number, b: number): number {
  if (b - a > 0.5) return a >= 0 ? normalTail(a) - normalTail(b) : normalTail(-b) - normalTail(-a);
  const [middle, half] = [(a + b) / 2, (b - a) / 2];
  // Of a short stretch four nodes are as good.
  if (b - a < 0.05) {
    const [near, far] = [0.3399810435848563 * half, 0.8611363115940526 * half];
    return (
      half *
      (0.6521451548625461 * (density(middle - near) + density(middle + near)) +
        0.3478548451374538 * (density(middle - far) + density(middle + far)))
    );
  }
  return (
    half * NODES.reduce((sum, x, i) => sum + WEIGHTS[i]! * (density(middle - half * x) + density(middle + half * x)), 0)
  );
}

/** So many deviations of normal noise. */
const FAR = 9.6;

/** The losses of noise on all records. */
function baseLaw(entry: Noise): Law {
  const mu = distanceOf(entry).toNumber();
  if (entry.type === 'laplace') {
    // e^-x - e^-y, x < y.
    const fallen = (x: number, y: number): number => -Math.exp(-x) * Math.expm1(x - y);
    const inside = (l: number): number => Math.max(-mu, Math.min(mu, l));
    return {
      atoms: [
        { loss: mu, p: 0.5, q: Math.exp(-mu) / 2 },
        { loss: -mu, p: Math.exp(-mu) / 2, q: 0.5 },
      ],
      between: (low, high) => {
        const [a, b] = [inside(low), inside(high)];
        return { p: fallen((mu - b) / 2, (mu - a) / 2) / 2, q: fallen((a + mu) / 2, (b + mu) / 2) / 2 };
      },
      from: -mu,
      to: mu,
    };
  }
  const place = (l: number): number => l / mu + mu / 2;
  return {
    atoms: [],
    between: (low, high) => {
      const [a, b] = [place(low), place(high)];
      return { p: normalBetween(a - mu, b - mu), q: normalBetween(a, b) };
    },
    from: -mu * FAR - (mu * mu) / 2,
    to: mu * FAR + (mu * mu) / 2,
  };
}

/** Whether several records differ, or one is replaced, under a Poisson sample. */
export const isSeveral = ({ records = 1, isReplaced = false }: Sampling): boolean => records > 1 || isReplaced;

const STEPS = 100;

/** sum_m Bin(m; k, q) N(m mu, 1) against N(0, 1), or against the same at -m mu; the loss rises along u, and is turned back step by step. */
function severalLaw(entry: Noise, { rate, records = 1, isReplaced = false }: Sampling, change: Change): Law {
  const mu = distanceOf(entry).toNumber();
  const q = Number(rate[0]) / Number(rate[1]);
  const logs: number[] = [records * Math.log1p(-q)];
  for (let m = 1; m <= records; m++) logs.push(logs[m - 1]! + Math.log((records - m + 1) / m) + Math.log(q / (1 - q)));
  const weights = logs.map(Math.exp);
  const all = Array.from({ length: records }, (_, m) => m + 1);
  const damping = [0, ...all].map((m) => Math.exp((-m * m * mu * mu) / 2));
  /** ln of the ratio and its slope: of small ones that of what it is more than 1. */
  const ratio = (u: number): readonly [value: number, slope: number] => {
    if (Math.abs(records * mu * u) + (records * mu) ** 2 / 2 < 300) {
      const y = Math.exp(mu * u);
      let [excess, slope, power] = [0, 0, 1];
      for (let m = 1; m <= records; m++) {
        power *= y;
        const grown = weights[m]! * power * damping[m]!;
        excess += grown - weights[m]!;
        slope += m * mu * grown;
      }
      if (excess > -0.5) return [Math.log1p(excess), slope / (1 + excess)];
    }
    let [sum, slope] = [0, 0];
    const top = all.reduce((max, m) => Math.max(max, logs[m]! + m * mu * (u - (m * mu) / 2)), logs[0]!);
    for (const m of [0, ...all]) {
      const term = Math.exp(logs[m]! + m * mu * (u - (m * mu) / 2) - top);
      sum += term;
      slope += term * m * mu;
    }
    return [top + Math.log(sum), slope / sum];
  };
  const lossAt = (u: number): readonly [value: number, slope: number] => {
    const [own, slope] = ratio(u);
    if (!isReplaced) return [own, slope];
    const [other, otherSlope] = ratio(-u);
    return [own - other, slope + otherSlope];
  };
  const loss = (u: number): number => lossAt(u)[0];
  const far = FAR + records * mu;
  const [lowest, highest] = [loss(-far - 1), loss(far + 1)];
  // Newton's method, within ends between which the loss lies, from the place before on.
  const placeOf = (l: number, start: number): number => {
    let [low, high] = [-far - 1, far + 1];
    if (lowest >= l) return low;
    if (highest <= l) return high;
    let u = start;
    for (let i = 0; i < STEPS && high - low > 1e-14 * (1 + Math.abs(low)); i++) {
      const [value, slope] = lossAt(u);
      const off = value - l;
      if (off === 0) return u;
      if (off < 0) low = u;
      else high = u;
      const next = u - off / slope;
      const isWithin = next > low && next < high;
      // What is left is of the order of the square of such a step.
      if (Math.abs(next - u) <= 1e-9) return isWithin ? next : u;
      u = isWithin ? next : (low + high) / 2;
    }
    return u;
  };
  // Cells follow each other.
  let [lastLoss, lastPlace] = [NaN, NaN];
  const between = (low: number, high: number): Mass => {
    const a = low === lastLoss ? lastPlace : placeOf(low, -far - 1);
    const b = placeOf(high, a);
    [lastLoss, lastPlace] = [high, b];
    const mixture = (sign: number): number =>
      weights.reduce((sum, weight, m) => sum + weight * normalBetween(a - sign * m * mu, b - sign * m * mu), 0);
    return { p: mixture(1), q: isReplaced ? mixture(-1) : normalBetween(a, b) };
  };
  const [from, to] = [loss(isReplaced ? -far : -FAR), loss(far)];
  if (isReplaced || change === 'remove') return { atoms: [], between, from, to };
  return {
    atoms: [],
    between(low, high) {
      const { p, q: other } = between(-high, -low);
      return { p: other, q: p };
    },
    from: -to,
    to: -from,
  };
}

/** Outcomes one by one. */
function listedLaw(entry: EntrySpec, change: Change, way: Way): Law {
  const masses = outcomes(entry, way, change, LIST_BITS).map(({ p, q }) => ({
    p: approximately(p, LIST_BITS),
    q: approximately(q, LIST_BITS),
  }));
  return {
    atoms: masses
      .filter(({ p }) => p > 0)
      .map((mass) => ({ ...mass, loss: mass.q === 0 ? Infinity : Math.log(mass.p / mass.q) })),
    between: null,
    from: 0,
    to: 0,
  };
}

/** The losses of a mechanism, on a sample where it is run on one. */
function lawOf(entry: EntrySpec, change: Change, way: Way): Law {
  if (!isNoise(entry)) return listedLaw(entry, change, way);
  if (entry.sampling?.rate[0] === '0') return { atoms: [{ loss: 0, p: 1, q: 1 }], between: null, from: 0, to: 0 };
  const base = baseLaw(entry);
  if (!entry.sampling) return base;
  const { rate: drawn, records = 1, isReplaced = false } = entry.sampling;
  if (isSeveral(entry.sampling) && drawn[0] === drawn[1]) {
    return baseLaw({
      type: 'gdp',
      mu: distanceOf(entry)
        .times(records * (isReplaced ? 2 : 1))
        .toString(),
      count: 1,
    });
  }
  if (isSeveral(entry.sampling)) return severalLaw(entry, entry.sampling, change);
  const rate = Number(entry.sampling.rate[0]) / Number(entry.sampling.rate[1]);
  const mixed = (x: number, y: number): number => rate * x + (1 - rate) * y;
  const risen = (l: number): number => (l > 500 ? Math.log(rate) + l : Math.log1p(rate * Math.expm1(l)));
  /** The loss l that sampling makes this. */
  const origin = (x: number): number => {
    const share = Math.expm1(x) / rate;
    return share > -1 ? Math.log1p(share) : -Infinity;
  };
  const { between } = base;
  const above = (low: number, high: number, clip = -Infinity): Mass => {
    const [a, b] = [Math.max(clip, origin(low)), Math.max(clip, origin(high))];
    const { p, q } = between!(Math.max(a, base.from - 1), Math.max(b, base.from - 1));
    return { p: mixed(p, q), q };
  };
  const swap = ({ p, q }: Mass): Mass => ({ p: q, q: p });
  const known = base.atoms.map(({ p, q, loss }) => ({ p: mixed(p, q), q, loss: risen(loss) }));
  if (entry.sampling.scheme === 'poisson') {
    if (change === 'remove') {
      return {
        ...base,
        atoms: known,
        between: between && ((a, b) => above(a, b)),
        from: risen(base.from),
        to: risen(base.to),
      };
    }
    return {
      atoms: known.map(({ loss, ...mass }) => ({ ...swap(mass), loss: -loss })).filter(({ p }) => p > 0),
      between: between && ((a, b) => swap(above(-b, -a))),
      from: -risen(base.to),
      to: -risen(base.from),
    };
  }
  const likelier = known.filter(({ loss }) => loss > 0);
  const top = risen(base.to);
  const seen = between ? above(0, top * 1.001, 0) : { p: 0, q: 0 };
  const rest = 1 - seen.p - seen.q - likelier.reduce((sum, { p, q }) => sum + p + q, 0);
  return {
    atoms: [
      ...likelier,
      { loss: 0, p: rest, q: rest },
      ...likelier.filter(({ q }) => q > 0).map(({ p, q, loss }) => ({ p: q, q: p, loss: -loss })),
    ],
    between:
      between &&
      ((a, b) => {
        const [up, down] = [above(a, b, 0), swap(above(-b, -a, 0))];
        return { p: up.p + down.p, q: up.q + down.q };
      }),
    from: -top,
    to: top,
  };
}

/** Cells of one length: the masses in (k step, (k + 1) step], k = first, ... */
interface Cells {
  readonly first: number;
  readonly masses: readonly Mass[];
  readonly failure: number;
}

function cellsOf(law: Law, step: number): Cells {
  const finite = law.atoms.filter(({ loss }) => Number.isFinite(loss));
  if (finite.length === 0 && !law.between) return { first: 0, masses: [{ p: 0, q: 0 }], failure: 1 };
  const lowest = Math.min(...finite.map(({ loss }) => loss), ...(law.between ? [law.from] : []));
  const highest = Math.max(...finite.map(({ loss }) => loss), ...(law.between ? [law.to] : []));
  const first = Math.floor(lowest / step) - 1;
  const count = Math.ceil(highest / step) + 1 - first;
  const masses = Array.from({ length: count }, (_, i): { p: number; q: number } => {
    if (!law.between) return { p: 0, q: 0 };
    const low = (first + i) * step;
    return { ...law.between(i === 0 ? -1e9 : low, i === count - 1 ? 1e9 : low + step) };
  });
  for (const { loss, p, q } of finite) {
    const cell = masses[Math.max(0, Math.min(count - 1, Math.floor(loss / step) - first))]!;
    cell.p += p;
    cell.q += q;
  }
  const failure = law.atoms.reduce((sum, { loss, p }) => (loss === Infinity ? sum + p : sum), 0);
  return { first, masses, failure };
}

/** The neighbour's masses of larger losses are no doubles: losses are rounded up, and nothing is said from below. */
const LARGEST_LOSS = 690;

/**
 * Outcomes at the ends of cells that have the same masses: their divergence is at least that of the law ("connecting the
 * dots", Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022).
 */
function connected(
  { first, masses, failure }: Cells,
  step: number,
): { readonly weights: Float64Array; readonly failure: number } {
  const weights = new Float64Array(masses.length + 1);
  let revealed = failure;
  masses.forEach(({ p, q }, i) => {
    if ((first + i + 1) * step > LARGEST_LOSS) {
      weights[i + 1]! += p;
      return;
    }
    const scaled = q * Math.exp((first + i) * step);
    const last = i === masses.length - 1;
    const upper = Math.max(0, (p - scaled) / -Math.expm1(-step));
    if (last && upper > p) {
      // Beyond the last loss: as much there as the neighbour's mass is worth, the rest is revealed.
      const there = Math.min(p, scaled * Math.exp(step));
      weights[i + 1]! += there;
      revealed += p - there;
      return;
    }
    weights[i + 1]! += Math.min(p, upper);
    weights[i]! += p - Math.min(p, upper);
  });
  return { weights, failure: revealed };
}

interface Part {
  readonly law: Law;
  readonly count: number;
}

const LOG_TINY = 36;
const COARSE = 800;

/** ln of the moments of a law, about. */
function logMoment(law: Law): (s: number) => number {
  const points = law.atoms.filter(({ loss, p }) => Number.isFinite(loss) && p > 0).map(({ loss, p }) => ({ loss, p }));
  if (law.between) {
    // Cells of a like share of the density's losses on both sides of 0.
    const length = (law.to - law.from) / COARSE;
    const places = [...Array(COARSE + 1).keys()].map((i) => law.from + i * length);
    const fine = [...Array(240).keys()].map((i) => 10 ** (-i / 30));
    const ends = [...places, ...fine.map((x) => x * law.to), ...fine.map((x) => x * law.from)].sort((a, b) => a - b);
    ends.forEach((low, i) => {
      const high = ends[i + 1];
      if (high === undefined || high <= low) return;
      const { p } = law.between!(low, high);
      if (p > 0) points.push({ loss: (low + high) / 2, p });
    });
  }
  return (s) => {
    const logs = points.map(({ loss, p }) => Math.log(p) + s * loss);
    const most = logs.reduce((a, b) => Math.max(a, b), -Infinity);
    return most + Math.log(logs.reduce((sum, x) => sum + Math.exp(x - most), 0));
  };
}

/** Where the sum of the losses is looked at, and the tilt under which it lies there. */
interface Window {
  readonly tilt: number;
  readonly from: number;
  readonly to: number;
  readonly deviation: number;
  readonly mean: number;
}

function windowOf(parts: readonly Part[], epsilon: number): Window {
  const moments = parts.map(({ law, count }) => ({ at: logMoment(law), count }));
  const K = (s: number): number => moments.reduce((sum, { at, count }) => sum + count * at(s), 0);
  const saddle = (logTilt: number): number => {
    const s = Math.exp(logTilt);
    return K(s) - s * epsilon - Math.log(s * (1 + s));
  };
  let [low, high] = [-7, 7];
  for (let i = 0; i < 40; i++) {
    const [a, b] = [low + 0.382 * (high - low), low + 0.618 * (high - low)];
    if (saddle(a) < saddle(b)) high = b;
    else low = a;
  }
  const tilt = Math.exp((low + high) / 2);
  const base = K(tilt);
  const d = Math.min(1e-3, tilt / 8);
  const mean = (K(tilt + d) - K(tilt - d)) / (2 * d);
  const deviation = Math.sqrt(Math.max(0, K(tilt + d) - 2 * base + K(tilt - d))) / d;
  const scale = 1 / (deviation + 1e-12);
  const steps = [...Array(60).keys()].map((i) => scale * 10 ** (-3 + i / 12));
  const end = (sign: 1 | -1): number =>
    steps.reduce((best, s) => Math.min(best, (K(tilt + sign * s) - base + LOG_TINY) / s), Infinity);
  return { tilt, from: -end(-1), to: end(1), deviation, mean };
}

/** What a transform leaves of every weight, and what is left of two that cancel, relatively. */
const ROUNDING = 1e-16;
const CANCELLED = 1e-11;

/** The relative error of quadrature, transforms and what lies outside the window. */
const SLACK = 1e-7;

const sizeFor = (count: number): number =>
  count <= 3 ? 2 ** 13 : count <= 100 ? 2 ** 14 : count <= 3000 ? 2 ** 15 : 2 ** 16;

/** About how much a tilted law's cells lie to the left of the losses that they stand for. */
function leftward({ first, masses }: Cells, step: number, tilt: number): number {
  let [weights, shift] = [0, 0];
  const top = (first + masses.length) * step;
  masses.forEach(({ p, q }, i) => {
    if (p === 0 || q === 0) return;
    const loss = (first + i) * step;
    const weight = p * Math.exp(tilt * (loss - top));
    weights += weight;
    shift += weight * (Math.log(p / q) - loss);
  });
  return weights > 0 ? shift / weights : 0;
}

class Enclosed {
  readonly window: Window;
  readonly #hasDoubles: boolean;
  readonly #step: number;
  readonly #size: number;
  readonly #upper: {
    readonly sums: Float64Array;
    readonly start: number;
    readonly logScale: number;
    readonly failure: number;
  };
  readonly #lower: {
    readonly p: Float64Array;
    readonly q: Float64Array;
    readonly start: number;
    readonly logP: number;
    readonly logQ: number;
    readonly failure: number;
    readonly shift: number;
  };

  constructor(parts: readonly Part[], epsilon: number) {
    const window = windowOf(parts, epsilon);
    this.window = window;
    this.#hasDoubles = parts.every(({ law }) => law.to <= LARGEST_LOSS);
    const count = parts.reduce((sum, part) => sum + part.count, 0);
    const size = sizeFor(count);
    this.#size = size;
    // No single law may be longer than the cycle either.
    const longest = parts.reduce(
      (most, { law }) =>
        Math.max(
          most,
          law.to - law.from,
          ...law.atoms.flatMap(({ loss }) => (Number.isFinite(loss) ? [2 * Math.abs(loss)] : [])),
        ),
      0,
    );
    const step =
      Math.max(window.to - window.from, longest * 1.01, epsilon + 1e-9 - window.from) / (size - 8 * parts.length - 64);
    this.#step = step;
    const cells = parts.map(({ law, count: times }) => ({ cells: cellsOf(law, step), count: times }));
    const place = Math.floor(window.from / step) - 4;
    const shift = cells.reduce((sum, each) => sum + each.count * leftward(each.cells, step, window.tilt), 0);
    const left = place - Math.round(shift / step);

    /** The sum of so many indices, from `start` on. */
    const summed = (
      lists: readonly { first: number; weights: Float64Array; count: number }[],
      tilt: number,
      start: number,
    ) => {
      let logScale = 0;
      let origin = 0;
      const tilted = lists.map(({ first, weights, count: times }) => {
        const logs = weights.map((w, i) => (w > 0 ? Math.log(w) + tilt * (first + i) * step : -Infinity));
        const most = logs.reduce((a, b) => Math.max(a, b), -Infinity);
        const sum = logs.reduce((total, x) => total + Math.exp(x - most), 0);
        logScale += times * (most + Math.log(sum));
        origin += times * first;
        const wrapped = new Float64Array(size);
        logs.forEach((x, i) => (wrapped[i % size]! += Math.exp(x - most) / sum));
        return { weights: wrapped, count: times };
      });
      const all = convolution(tilted);
      const from = (((start - origin) % size) + size) % size;
      const sums = new Float64Array(size).map((_, i) => all[(from + i) % size]!);
      return { sums, logScale };
    };
    const dots = cells.map(({ cells: each, count: times }) => ({
      ...connected(each, step),
      first: each.first,
      count: times,
    }));
    const survive = dots.reduce((sum, { failure, count: times }) => sum + times * Math.log1p(-failure), 0);
    this.#upper = { ...summed(dots, window.tilt, place), start: place, failure: -Math.expm1(survive) };
    const lists = (of: 'p' | 'q') =>
      cells.map(({ cells: { first, masses }, count: times }) => ({
        first,
        weights: Float64Array.from(masses, (mass) => mass[of]),
        count: times,
      }));
    const [p, q] = [summed(lists('p'), window.tilt, left), summed(lists('q'), window.tilt + 1, left)];
    const kept = cells.reduce((sum, { cells: { failure }, count: times }) => sum + times * Math.log1p(-failure), 0);
    this.#lower = {
      p: p.sums,
      q: q.sums,
      start: left,
      logP: p.logScale,
      logQ: q.logScale,
      failure: -Math.expm1(kept),
      shift,
    };
  }

  /** delta from below and from above. */
  at(epsilon: number): readonly [number, number] {
    const { tilt } = this.window;
    const [step, size] = [this.#step, this.#size];
    const upper = this.#upper;
    let above = 0;
    for (let i = 0; i < size; i++) {
      const loss = (upper.start + i) * step;
      if (loss <= epsilon) continue;
      const weight = Math.max(0, upper.sums[i]!) + ROUNDING;
      above += weight * -Math.expm1(epsilon - loss) * Math.exp(-tilt * loss + upper.logScale);
    }
    // Of a test that some of the sum's values pass: those from one on, which is chosen where few are lost.
    const lower = this.#lower;
    let [sum, error, best] = [0, 0, 0];
    for (let i = size - 1; i >= 0 && this.#hasDoubles; i--) {
      const loss = (lower.start + i) * step;
      if (loss + lower.shift < epsilon - 4 * this.window.deviation) break;
      const [ours, theirs] = [Math.exp(-tilt * loss + lower.logP), Math.exp(epsilon - (tilt + 1) * loss + lower.logQ)];
      const [p, q] = [lower.p[i]! * ours, lower.q[i]! * theirs];
      sum += p - q;
      error += ROUNDING * (ours + theirs) + CANCELLED * (Math.abs(p) + Math.abs(q));
      // Weights that overflow tell nothing.
      if (!(sum - error <= 1)) break;
      best = Math.max(best, sum - error);
    }
    const most = (above + upper.failure) * (1 + SLACK) + 1e-300;
    return [(best + lower.failure) * (1 - SLACK), most <= 1 ? most : 1];
  }
}

const asInterval = ([low, high]: readonly [number, number]): Interval => ({
  low: ofDouble(Math.max(0, low))(1100),
  high: ofDouble(high)(1100) + 1n,
  bits: 1100,
});

const nearest = (epsilon: Real): number => approximately(epsilon(200), 200);

/** Whether every outcome tells which of the neighbours it is of. */
const revealsAll = ({ atoms, between }: Law): boolean =>
  between === null && atoms.every(({ p, q }) => p === 0 || q === 0);

/** Noise on samples by discretised losses, rounded either way. */
export function discretisedTruth(entries: readonly EntrySpec[]): Truth {
  // The neighbours of a pair that sees all records stand in either order, whichever way a record changes.
  const ways: Way[] = entries.some(({ type, sampling }) => type === 'finite-pair' && !sampling)
    ? ['forward', 'backward']
    : ['forward'];
  // All replaced records, and mechanisms that change either way alike, lose the same in both directions.
  const isMirrored = entries.every(({ type, sampling }) => (sampling ? sampling.isReplaced === true : type === 'dp'));
  const cases = (isMirrored ? CHANGES.slice(0, 1) : CHANGES).flatMap((change) => ways.map((way) => ({ change, way })));
  const made = cases.map(({ change, way }) => {
    const parts = entries.map((entry): Part => ({ law: lawOf(entry, change, way), count: entry.count }));
    if (parts.some(({ law }) => revealsAll(law))) return (): readonly [number, number] => [1, 1];
    let last: Enclosed | null = null;
    let place = NaN;
    return (epsilon: number): readonly [number, number] => {
      if (last === null || Math.abs(epsilon - place) > 0.3 * last.window.deviation) {
        last = new Enclosed(parts, epsilon);
        place = epsilon;
      }
      return last.at(epsilon);
    };
  });
  return {
    means: 'optimum',
    deltaAt(epsilon) {
      const at = nearest(epsilon);
      const all = made.map((each) => each(at));
      return asInterval([Math.max(...all.map(([low]) => low)), Math.max(...all.map(([, high]) => high))]);
    },
    failure: { ...NO_FAILURE, high: 1n << 64n },
    maximum: Infinity,
  };
}
