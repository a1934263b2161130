import { Decimal, encloseDecimal, toLower } from '../../../numeric/decimal.ts';
import { asLower, enclosure, exactly, type Enclosure, type LowerBound } from '../../../numeric/enclosure.ts';
import {
  add,
  divide,
  expm1,
  exponential,
  log1p,
  logarithm,
  multiply,
  negate,
  squareRoot,
  subtract,
} from '../../../numeric/enclosure-arithmetic.ts';
import { normalTail } from '../../../numeric/normal.ts';
import { smallestWhole } from '../../../numeric/bracket-root.ts';
import { failureProbability } from '../../../privacy/failure.ts';
import type { Entry, Mechanism } from '../../../privacy/mechanism.ts';
import type { Query } from '../../../privacy/curve.ts';
import { muSquaredOfNoise } from '../../../privacy/gaussian.ts';
import type { ImpossibilityBound, Uncovered } from '../../core/outcome.ts';
import { isEntry, childrenOf, type PlanNode } from '../../core/plan-node.ts';

/**
 * The impossibility lower bound of delta for so many continual (e, d)-DP instances of which one may differ:
 * 1 - (1 - d)^l, rounded down, for every epsilon.
 *
 * Each instance first answers, whatever its data, with a mark of probability d, and after the mark repeats what it is
 * sent. The adversary sends the data that differ to an instance with a mark: one of l instances has a mark with this
 * probability, and then everything is known. The instances are (0, d)-DP against adaptive adversaries.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Theorem 5.2 (which must be read for any number of instances, where it prints
 * one); that it holds for every epsilon, and the products for different d, are derived.
 */
export const revealedByOne = (delta: Decimal, instances: number): LowerBound =>
  toLower(failureProbability([{ delta, count: instances }]).lower);

/** No more instances than this are looked at. */
const MOST_COUNTED = 2 ** 52;

/**
 * The smallest number of such instances for which no epsilon is large enough at a target delta in [0, 1); Infinity where
 * doubles cannot count it or d is 0.
 */
export const fewestInstancesBeyond = (target: Decimal, delta: Decimal): number =>
  delta.isZero()
    ? Infinity
    : smallestWhole((count) => failureProbability([{ delta, count }]).lower.gt(target), MOST_COUNTED);

/** d of all that one instance may reveal in this way. */
export const deltaOf = (failures: readonly { readonly delta: Decimal; readonly count: number }[]): Decimal =>
  Decimal.min(1, failureProbability(failures).lower);

/**
 * The impossibility lower bound of epsilon at order alpha for so many continual (alpha, e)-RDP instances of which one may differ:
 * ln(1 + l (e^((alpha - 1) e) - 1)) / (alpha - 1), rounded down; 1 < alpha, without limit as l grows if e > 0.
 *
 * Each instance has zero loss, but with probability p it tells its data with a certainty that makes it exactly (alpha, e)-RDP;
 * an adversary who sees that one will, gives it the data that differ. The bound is the limit of p to 0.
 *
 * Source: the construction of Henzinger, Safavi, Vadhan (2025), Theorem 13.5; for l instances derived. The constants
 * printed there do not prove the theorem for large claims (their mechanism's divergence stays below the claim), and for
 * e = 0 it is not true.
 */
export function renyiOfOne(alpha: Decimal, epsilon: Decimal, instances: number): LowerBound {
  const order = subtract(encloseDecimal(alpha), exactly(1));
  const excess = expm1(multiply(order, encloseDecimal(epsilon)));
  if (excess.upper === Infinity) return asLower(encloseDecimal(epsilon).lower);
  const { lower } = divide(log1p(multiply(exactly(instances), excess)), order);
  return asLower(Math.max(0, lower));
}

/**
 * A continual mechanism of zero loss but with probability p, and then answers by RR(e), e = ln `odds`; p is small
 * enough that a guarantee holds for it.
 */
interface Gate {
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
    const bound = expm1(multiply(order, exactly(e)));
    return bound.upper === Infinity ? 0 : divide(expm1(multiply(order, encloseDecimal(epsilon))), bound).lower;
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
  let largest = 0;
  for (let parameter = 1e-3; parameter < 300; parameter *= 1.02) {
    const value = f(parameter);
    if (value > largest) largest = value;
  }
  return largest;
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

/** With how many instances counterexamples are carried out where their number is not bounded. */
const INSTANCES = 1_000_000;

/**
 * The (alpha, e)-RDP guarantee with the highest lower bound, each mechanism at its largest order: as p tends to 0, the mechanism
 * of that bound keeps any guarantee of a smaller order, but none of a larger one.
 */
function renyiBound(entries: readonly Entry[]): ImpossibilityBound | null {
  const bounds = entries.flatMap(({ mechanism }) => {
    const largest = mechanism.type === 'rdp' ? mechanism.orders.at(-1) : undefined;
    if (largest === undefined) return [];
    return [{ alpha: largest.alpha, epsilon: renyiOfOne(largest.alpha, largest.epsilon, INSTANCES) }];
  });
  const [first, ...rest] = bounds;
  if (first === undefined) return null;
  const highest = rest.reduce((max, bound) => (bound.epsilon > max.epsilon ? bound : max), first);
  return { solveFor: 'renyi', instances: INSTANCES, ...highest };
}

function gatedBoundOf(entries: readonly Entry[], query: Query): ImpossibilityBound | null {
  const values = entries.flatMap(({ mechanism }) => gatedBound(mechanism, INSTANCES, query) ?? []);
  const [first, ...rest] = values;
  if (first === undefined) return null;
  const highest = rest.reduce((max, value) => (value > max ? value : max), first);
  return query.solveFor === 'delta'
    ? { solveFor: 'delta', instances: INSTANCES, epsilon: query.epsilon, delta: highest }
    : { solveFor: 'epsilon', instances: INSTANCES, epsilon: highest, delta: query.delta };
}

/** The impossibility lower bound in a setting that no theorem covers; null where no counterexample gives a number. */
export function impossibilityBoundOf(uncovered: Uncovered, query: Query): ImpossibilityBound | null {
  switch (uncovered.code) {
    case 'unbounded-approximate': {
      const deltas = uncovered.each.flatMap(({ mechanism, count }) =>
        mechanism.type === 'dp' ? [{ delta: mechanism.delta, count }] : [],
      );
      const delta = revealedByOne(deltaOf(deltas), INSTANCES);
      return { solveFor: 'delta', instances: INSTANCES, epsilon: 'any', delta };
    }
    case 'unbounded-renyi':
      return renyiBound(uncovered.each) ?? gatedBoundOf(uncovered.each, query);
    case 'unbounded-f-dp':
      return gatedBoundOf(uncovered.each, query);
    case 'oblivious-guarantee':
    case 'answers-not-discrete':
    case 'too-many-mechanisms':
    case 'chosen-along-the-way':
      return null;
  }
}

/** Instances of one continual mechanism, some of which may differ and may do so late. */
interface Gated {
  readonly node: PlanNode;
  readonly instances: number;
}

function gatedIn(node: PlanNode): Gated[] {
  const inside = (): Gated[] => childrenOf(node).flatMap((child) => gatedIn(child.node));
  if (isEntry(node)) return [];
  switch (node.node) {
    case 'group':
      return inside();
    case 'parallel': {
      const { of, instances, sparsity, firstPairConsistent } = node;
      if (sparsity === 0 || firstPairConsistent) return [];
      return instances === 'unbounded' ? inside() : [{ node: of, instances }, ...inside()];
    }
    case 'partition':
      if (node.sparsity === 0) return [];
      return node.parts === undefined ? inside() : [{ node: node.of[0]!, instances: node.parts }, ...inside()];
    case 'local': {
      const { users, differing } = node;
      if (differing === 0) return [];
      if (users.kind === 'different' || users.count === 'unbounded') return inside();
      return [{ node: users.of, instances: users.count }];
    }
  }
}

/**
 * The impossibility lower bound of a plan that comes of its limited numbers of continual instances: the highest of what each of
 * them gives alone (see {@link gatedBound}), everything else having zero loss; null where there are none.
 */
export function limitedInstancesBound(nodes: readonly PlanNode[], query: Query): LowerBound | null {
  const bounds = nodes
    .flatMap(gatedIn)
    .flatMap(({ node, instances }) =>
      isEntry(node) && node.kind === 'continual' ? (gatedBound(node.mechanism, instances, query) ?? []) : [],
    );
  return bounds.length === 0 ? null : asLower(Math.max(...bounds));
}
