import { encloseDecimal, type Decimal } from '../../../numeric/decimal.ts';
import {
  add,
  divide,
  exponential,
  expm1,
  log1p,
  logarithm,
  multiply,
  negate,
  squareRoot,
  subtract,
} from '../../../numeric/enclosure-arithmetic.ts';
import { asLower, enclosure, exactly, type Enclosure, type LowerBound } from '../../../numeric/enclosure.ts';
import { normalTail } from '../../../numeric/normal.ts';
import type { Mechanism } from '../../../privacy/mechanism.ts';
import { muSquaredOfNoise } from '../../../privacy/sigma-form.ts';
import type { Query } from '../../../privacy/query.ts';

/**
 * A continual mechanism of zero loss but with probability p, and then answers by RR(e), e = ln `odds`; p is small
 * enough that a guarantee holds for it.
 */
export interface Gate {
  /** e^e. */
  readonly odds: Enclosure;
  /** A lower bound on the largest such p; 0 to 1. */
  readonly p: number;
}

const ONE = exactly(1);

/** rho-zCDP: p = (rho / e) exp(-(e - rho)^2 / (4 rho)), derived from (e^a - 1)/(e^b - 1) >= e^(a-b) a/b for a <= b. */
function zcdpGate(rho: Enclosure, e: number): Gate {
  const distance = subtract(exactly(e), rho);
  const exponent = divide(multiply(distance, distance), multiply(exactly(4), rho));
  const p = multiply(divide(rho, exactly(e)), exponential(negate(exponent)));
  return { odds: exponential(exactly(e)), p: distance.upper <= 0 ? 1 : Math.max(0, Math.min(1, p.lower)) };
}

/** (alpha, r)-RDP at every order: p = (e^((alpha-1) r) - 1) / (e^((alpha-1) e) - 1), as RR(e) has divergence at most e. */
function rdpGate(orders: readonly { readonly alpha: Decimal; readonly epsilon: Decimal }[], e: number): Gate {
  const p = orders.map(({ alpha, epsilon }) => {
    const order = subtract(encloseDecimal(alpha), ONE);
    const most = expm1(multiply(order, exactly(e)));
    return most.upper === Infinity ? 0 : divide(expm1(multiply(order, encloseDecimal(epsilon))), most).lower;
  });
  return { odds: exponential(exactly(e)), p: Math.max(0, Math.min(1, ...p)) };
}

/**
 * mu-GDP: the line that touches the curve of the Gaussian at an epsilon is the curve of such a mechanism with
 * e^e = Phi(a + mu) / Phi(a) and p = Phi(a) (1 + e^e), a = -epsilon / mu - mu / 2; below the convex curve everywhere.
 */
function gaussianGate(mu: Enclosure, epsilon: number): Gate {
  const tail = add(divide(exactly(epsilon), mu), multiply(exactly(0.5), mu));
  const far = enclosure(normalTail(tail.upper).lower, normalTail(tail.lower).upper);
  const near = normalTail(subtract(tail, mu).upper);
  if (far.upper <= 0 || far.lower <= 0) return { odds: ONE, p: 0 };
  const odds = near.lower / far.upper;
  return { odds: exactly(odds), p: Math.min(1, multiply(far, add(ONE, exactly(odds))).lower) };
}

/** Gates within the guarantee of a mechanism, by a parameter to choose among them; null where none is known. */
export function gatesOf(mechanism: Mechanism): ((parameter: number) => Gate) | null {
  if (mechanism.type === 'zcdp') return (e) => zcdpGate(encloseDecimal(mechanism.rho), e);
  if (mechanism.type === 'rdp') return (e) => rdpGate(mechanism.orders, e);
  if (mechanism.type === 'gdp') return (epsilon) => gaussianGate(encloseDecimal(mechanism.mu), epsilon);
  if (mechanism.type !== 'gaussian') return null;
  // Noise that is a little larger only makes the bound smaller.
  const mu = squareRoot(muSquaredOfNoise(mechanism));
  return (epsilon) => gaussianGate(mu, epsilon);
}

/** 1 - (1 - p)^l, rounded down. */
const openedByOne = (p: number, instances: number): number =>
  p >= 1 ? 1 : negate(expm1(multiply(exactly(instances), log1p(exactly(-p))))).lower;

/** The largest value of a function over parameters from 1e-3 to 300; any choice of them is sound. */
function best(f: (parameter: number) => number): number {
  let most = 0;
  for (let parameter = 1e-3; parameter < 300; parameter *= 1.02) {
    const value = f(parameter);
    if (value > most) most = value;
  }
  return most;
}

/**
 * The impossibility lower bound for so many continual instances of which one may differ, each with a Renyi, zCDP or Gaussian
 * guarantee: with probability 1 - (1 - p)^l one of them answers by RR(e), and gets the data that differ; so
 * delta(eps) >= (1 - (1 - p)^l) (e^e - e^eps) / (1 + e^e). The largest over e, rounded down; null where no such mechanism
 * is known for the guarantee.
 *
 * Derived, in the manner of Henzinger, Safavi, Vadhan (2025), Theorems 5.2 and 13.5.
 */
export function gatedBound(mechanism: Mechanism, instances: number, query: Query): LowerBound | null {
  const gate = gatesOf(mechanism);
  if (gate === null) return null;
  if (query.solveFor === 'delta') {
    const threshold = exponential(encloseDecimal(query.epsilon));
    const value = best((parameter) => {
      const { odds, p } = gate(parameter);
      const answered = divide(subtract(odds, threshold), add(ONE, odds));
      return multiply(exactly(Math.max(0, openedByOne(p, instances))), enclosure(Math.max(0, answered.lower), 1)).lower;
    });
    return asLower(Math.max(0, value));
  }
  const delta = encloseDecimal(query.delta);
  const value = best((parameter) => {
    const { odds, p } = gate(parameter);
    const opened = openedByOne(p, instances);
    if (!(opened > 0)) return 0;
    const left = subtract(odds, divide(multiply(delta, add(ONE, odds)), exactly(opened)));
    return left.lower > 1 ? logarithm(left).lower : 0;
  });
  return asLower(Math.max(0, value));
}
