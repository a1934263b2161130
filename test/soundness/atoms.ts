import type { Decimal } from '../../src/numeric/decimal.ts';
import {
  expFixed,
  multiplied,
  ofDecimal,
  ofDouble,
  ofQuotient,
  oneAt,
  type Interval,
  type Real,
} from './fixed-point.ts';
import type { EntrySpec } from './specification.ts';
import { decimal } from '../mechanisms.ts';
import type { Truth } from './truth.ts';

/** One outcome: its probabilities under either neighbour, times 2^bits. */
export interface Atom {
  readonly p: bigint;
  readonly q: bigint;
}

/** The outcomes of a mechanism; together they lack at most `leak` of P's weight, times 2^bits. */
export interface Atoms {
  readonly list: readonly Atom[];
  readonly leak: bigint;
}

export type Way = 'forward' | 'backward';

/** Randomized response with a probability of revealing everything. */
export function responseAtoms(epsilon: Real, failure: Real, bits: number): Atom[] {
  const one = oneAt(bits);
  const small = (one << BigInt(bits)) / (one + expFixed(epsilon(bits), bits));
  const fail = failure(bits);
  const low = multiplied(small, one - fail, bits);
  const high = one - fail - low;
  const atoms = [
    { p: high, q: low },
    { p: low, q: high },
  ];
  return fail > 0n ? [{ p: fail, q: 0n }, ...atoms] : atoms;
}

/** P(z) = (1-r)/(1+r) r^|z|: the losses (s - 2j) / scale, j = 0..s, by summing what lies beyond on either side. */
function discreteLaplaceAtoms(scale: Decimal, sensitivity: number, bits: number): Atom[] {
  const one = oneAt(bits);
  const r = expFixed(-ofQuotient(decimal(1), scale)(bits), bits);
  const divide = (a: bigint, b: bigint): bigint => (a << BigInt(bits)) / b;
  const powers = [one];
  for (let j = 1; j <= sensitivity; j++) powers.push(multiplied(powers[j - 1]!, r, bits));
  const outer = divide(one, one + r);
  const inner = divide(one - r, one + r);
  const mass = (j: number): bigint => multiplied(powers[j]!, j === 0 || j === sensitivity ? outer : inner, bits);
  return powers.map((_, j) => ({ p: mass(j), q: mass(sensitivity - j) }));
}

/** e^-230 is about 1e-100. */
const REACH = Math.sqrt(2 * 230);

/** The values of z in reach, under P centred at 0 and Q centred at s. */
function discreteGaussianAtoms(sigma: Decimal, sensitivity: number, bits: number): Atom[] {
  const reach = Math.ceil(REACH * sigma.toNumber()) + sensitivity;
  const rate = ofQuotient(decimal(1), sigma.pow(2).times(2))(bits);
  const step = expFixed(-rate, bits);
  const square = multiplied(step, step, bits);
  // e^-(rate (z+1)^2) = e^-(rate z^2) e^-(rate (2z+1))
  const weights = [oneAt(bits)];
  let ratio = step;
  for (let z = 1; z <= reach + sensitivity; z++) {
    weights.push(multiplied(weights[z - 1]!, ratio, bits));
    ratio = multiplied(ratio, square, bits);
  }
  const whole = weights.reduce((sum, w, z) => sum + (z === 0 ? w : 2n * w), 0n);
  const mass = (z: number): bigint => (weights[Math.abs(z)]! << BigInt(bits)) / whole;
  const atoms: Atom[] = [];
  for (let z = -reach; z <= reach; z++) atoms.push({ p: mass(z), q: mass(z - sensitivity) });
  return atoms;
}

/** The outcomes of one mechanism of the entry. */
export function atomsOf(entry: EntrySpec, way: Way, bits: number): Atoms {
  const exact = (list: readonly Atom[]): Atoms => ({ list, leak: 0n });
  switch (entry.type) {
    case 'dp':
      return exact(responseAtoms(ofDecimal(decimal(entry.epsilon)), ofDecimal(decimal(entry.delta ?? 0)), bits));
    case 'discrete-laplace':
      return exact(discreteLaplaceAtoms(decimal(entry.scale), Number(entry.sensitivity), bits));
    case 'discrete-gaussian':
      return {
        list: discreteGaussianAtoms(decimal(entry.sigma), Number(entry.sensitivity), bits),
        leak: ofDouble(1e-95)(bits),
      };
    case 'finite-pair': {
      const [p, q] = way === 'forward' ? [entry.p, entry.q] : [entry.q, entry.p];
      return exact(p.map((mass, i) => ({ p: ofDecimal(decimal(mass))(bits), q: ofDecimal(decimal(q[i]!))(bits) })));
    }
    case 'bounded-range':
    case 'laplace':
    case 'gaussian':
    case 'gdp':
    case 'shuffled-reports':
      throw new Error(`${entry.type} has no list of outcomes`);
  }
}

/** `count` copies: outcomes that occur equally often in any order are one. */
function power(list: readonly Atom[], count: number, bits: number): Atom[] {
  const result: Atom[] = [];
  const visit = (index: number, left: number, { p, q }: Atom): void => {
    const atom = list[index]!;
    const last = index === list.length - 1;
    let [weightP, weightQ] = [p, q];
    for (let n = 0; n <= left; n++) {
      if (last && n === left) result.push({ p: weightP, q: weightQ });
      else if (!last) visit(index + 1, left - n, { p: weightP, q: weightQ });
      if (n === left) break;
      const choose = (x: bigint, y: bigint): bigint => (multiplied(x, y, bits) * BigInt(left - n)) / BigInt(n + 1);
      [weightP, weightQ] = [choose(weightP, atom.p), choose(weightQ, atom.q)];
    }
  };
  visit(0, count, { p: oneAt(bits), q: oneAt(bits) });
  return result;
}

const combined = (a: readonly Atom[], b: readonly Atom[], bits: number): Atom[] =>
  a.flatMap((x) => b.map((y) => ({ p: multiplied(x.p, y.p, bits), q: multiplied(x.q, y.q, bits) })));

/** Two equal mechanisms on the whole numbers, whose likelihood ratio depends on the sum alone. */
function convolved(list: readonly Atom[], bits: number): Atom[] {
  const sums = Array.from({ length: 2 * list.length - 1 }, () => ({ p: 0n, q: 0n }));
  list.forEach((x, i) => {
    list.forEach((y, j) => {
      const sum = sums[i + j]!;
      sum.p += x.p * y.p;
      sum.q += x.q * y.q;
    });
  });
  return sums.map(({ p, q }) => ({ p: p >> BigInt(bits), q: q >> BigInt(bits) }));
}

/** Every combination of lists of outcomes, each so many times. */
export function combinedAtoms(
  lists: readonly Atoms[],
  counts: readonly number[],
  bits: number,
  repeat: (list: readonly Atom[], count: number, index: number) => Atom[] = (list, count) => power(list, count, bits),
): Atoms {
  let list: Atom[] = [{ p: oneAt(bits), q: oneAt(bits) }];
  let leak = 0n;
  lists.forEach((one, i) => {
    list = combined(list, repeat(one.list, counts[i]!, i), bits);
    leak += one.leak * BigInt(counts[i]!);
  });
  return { list, leak };
}

/** Every combination of the entries' outcomes. */
export const allAtoms = (entries: readonly EntrySpec[], way: Way, bits: number): Atoms =>
  combinedAtoms(
    entries.map((entry) => atomsOf(entry, way, bits)),
    entries.map(({ count }) => count),
    bits,
    (list, count, i) =>
      entries[i]!.type === 'discrete-gaussian' && count === 2 ? convolved(list, bits) : power(list, count, bits),
  );

/** The largest finite loss, about. */
export function largestLoss(entry: EntrySpec): number {
  switch (entry.type) {
    case 'dp':
    case 'bounded-range':
      return Number(entry.epsilon);
    case 'shuffled-reports':
      return Number(entry.localEpsilon);
    case 'laplace':
    case 'discrete-laplace':
      return Number(entry.sensitivity) / Number(entry.scale);
    case 'finite-pair':
      return entry.p.reduce((max, p, i) => {
        const [a, b] = [Number(p), Number(entry.q[i])];
        return a > 0 && b > 0 ? Math.max(max, Math.abs(Math.log(a / b))) : max;
      }, 0);
    case 'gaussian':
    case 'gdp':
    case 'discrete-gaussian':
      return Infinity;
  }
}

export const largestTotal = (entries: readonly EntrySpec[]): number =>
  entries.reduce((sum, entry) => sum + entry.count * largestLoss(entry), 0);

/** Bits for which errors stay below 1e-120 although e^epsilon multiplies them. */
export function bitsFor(entries: readonly EntrySpec[]): number {
  const total = largestTotal(entries);
  return 448 + Math.ceil(3 * Math.min(Number.isFinite(total) ? total : 150, 1000));
}

/** Errors of products and sums of this many atoms, in units of 2^-bits. */
const units = (atoms: number): bigint => BigInt(atoms) * 4096n;

const revealedMass = ({ list }: Atoms): bigint => list.reduce((sum, { p, q }) => (q === 0n ? sum + p : sum), 0n);

/** P(L = infinity). */
export function revealed(atoms: Atoms, bits: number): Interval {
  const [value, error] = [revealedMass(atoms), units(atoms.list.length)];
  return { low: value - error, high: value + error, bits };
}

/** sum of max(0, p - e^eps q) over the atoms. */
export function enumerate(atoms: Atoms, bits: number, epsilon: Real, maximum: number): Interval {
  const exponent = epsilon(bits);
  const beyond = Number.isFinite(maximum) && exponent > ofDouble(maximum * (1 + 1e-9) + 1e-9)(bits);
  const y = beyond ? 0n : expFixed(exponent, bits);
  let sum = 0n;
  if (beyond) sum = revealedMass(atoms) << BigInt(bits);
  else {
    for (const { p, q } of atoms.list) {
      const gain = (p << BigInt(bits)) - y * q;
      if (gain > 0n) sum += gain;
    }
  }
  const value = sum >> BigInt(bits);
  const error = units(atoms.list.length) * (1n + (y >> BigInt(bits)));
  return { low: value - error, high: value + error + atoms.leak, bits };
}

/** The larger of several intervals of the same number of bits. */
export const largest = (all: readonly Interval[]): Interval =>
  all.reduce((a, b) => ({
    low: a.low > b.low ? a.low : b.low,
    high: a.high > b.high ? a.high : b.high,
    bits: a.bits,
  }));

/** Full enumeration; pairs in one fixed order take the larger of the two orders. */
export function enumeratedTruth(entries: readonly EntrySpec[]): Truth {
  const bits = bitsFor(entries);
  const lopsided = entries.some(({ type }) => type === 'finite-pair');
  const ways: Way[] = lopsided ? ['forward', 'backward'] : ['forward'];
  const atoms = ways.map((way) => allAtoms(entries, way, bits));
  const maximum = largestTotal(entries);
  return {
    means: 'optimum',
    deltaAt: (epsilon) => largest(atoms.map((list) => enumerate(list, bits, epsilon, maximum))),
    failure: largest(atoms.map((list) => revealed(list, bits))),
    maximum,
  };
}
