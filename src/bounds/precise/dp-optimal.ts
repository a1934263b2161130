import { Decimal } from '../../numeric/decimal.ts';
import { lossless, type LossCurve } from './curve.ts';
import { totalOf, type Group } from './entries.ts';
import type { Arithmetic, Interval } from './interval.ts';
import { pureBound } from './pure.ts';

/** Beyond this many mechanisms the sum takes too long. */
const MOST = 200_000;

/** A stretch of the curve between two neighbouring losses: start + weight (1 - e^(eps - top)) for bottom <= eps <= top. */
interface Cell {
  readonly top: Decimal;
  readonly bottom: Decimal;
  readonly start: Interval;
  readonly weight: Interval;
}

/**
 * The optimal composition of k mechanisms that are (e, 0)-DP: losses L_i = (k - 2i) e with probability
 * C(k,i) e^(-ie) / (1 + e^-e)^k.
 *
 * With X_i = e^(L_i) sum_(j <= i) P(L_j) e^(-L_j) the curve is D(eps) = D(L_i) + X_i (1 - e^(eps - L_i)) between L_(i+1)
 * and L_i, D(L_(i+1)) = D(L_i) + X_i (1 - e^(-2e)) and X_(i+1) = e^(-2e) X_i + P(L_(i+1)): positive terms only, one pass
 * from the largest loss down, and within a cell the curve is solved in closed form.
 */
function homogeneousOptimum({ epsilon: e, count }: Group, a: Arithmetic): LossCurve | null {
  if (count.gt(MOST)) return null;
  const k = count.toNumber();
  const maximum = e.times(count);
  const decay = a.exponential(a.of(e.negated()));
  const square = a.exponential(a.of(e.times(-2)));
  const gap = a.subtract(a.one, square);

  function* cells(): Generator<Cell> {
    let probability = a.exponential(a.negate(a.multiply(a.of(count), a.log1p(decay))));
    let weight = probability;
    let earlier = a.zero;
    for (let i = 0; i <= k; i++) {
      const top = maximum.minus(e.times(2 * i));
      yield { top, bottom: top.minus(e.times(2)), start: a.multiply(gap, earlier), weight };
      earlier = a.add(earlier, weight);
      probability = a.multiply(a.multiply(probability, decay), a.divide(a.of(k - i), a.of(i + 1)));
      weight = a.add(a.multiply(square, weight), probability);
    }
  }

  return {
    maximum,
    delta(epsilon) {
      for (const { top, bottom, start, weight } of cells()) {
        if (bottom.gt(epsilon)) continue;
        const share = a.negate(a.expm1(a.subtract(a.of(epsilon), a.of(top))));
        return a.add(start, a.multiply(weight, share));
      }
      return a.one;
    },
    epsilon(target) {
      let hull: Interval | null = null;
      for (const { top, start, weight } of cells()) {
        // Past the target for certain, or the largest loss below 0.
        if (start.lower.gt(target.upper) || top.isNegative()) break;
        const end = a.add(start, a.multiply(gap, weight));
        if (end.upper.lt(target.lower)) continue;
        const share = a.divide(a.subtract(target, start), weight);
        const solution = a.min(a.of(top), a.add(a.of(top), a.log1p(a.negate(share))));
        hull = hull ? a.hull(hull, solution) : solution;
      }
      return hull ?? a.zero;
    },
  };
}

/** Beyond this many products of probabilities the listing takes too long. */
const MOST_PRODUCTS = 400_000;
/** Beyond this many different losses their list is too long. */
const MOST_LOSSES = 50_000;

/** The probabilities of one loss under both neighbours. */
interface Masses {
  readonly p: Interval;
  readonly q: Interval;
}

/** Losses in units of 10^-places, with their masses. */
type Losses = Map<bigint, Masses>;

const scaled = (value: Decimal, places: number): bigint => BigInt(value.times(new Decimal(10).pow(places)).toFixed(0));

/** How many products {@link losses} takes, and how many losses it gives: losses that coincide are collected, so lists cannot outgrow the lattice. */
function effort(groups: readonly Group[], places: number): { readonly products: number; readonly size: number } {
  const gcd = (x: bigint, y: bigint): bigint => (y === 0n ? x : gcd(y, x % y));
  const unit = groups.map(({ epsilon }) => scaled(epsilon, places)).reduce(gcd);
  let [size, span, products] = [1, 1, 0];
  for (const { epsilon, count } of groups) {
    products += size * (count.toNumber() + 1);
    span += Number(scaled(epsilon, places) / unit) * count.toNumber();
    size = Math.min(size * (count.toNumber() + 1), span);
  }
  return { products, size };
}

/** All losses of a group of randomized responses: (n - 2i) e with probability C(n,i) x^i / (1 + x)^n, x = e^-e. */
function ofGroup({ epsilon, count }: Group, places: number, a: Arithmetic): Losses {
  const decay = a.exponential(a.of(epsilon.negated()));
  const n = count.toNumber();
  const likely: Interval[] = [a.exponential(a.negate(a.multiply(a.of(count), a.log1p(decay))))];
  for (let i = 0; i < n; i++) {
    likely.push(a.divide(a.multiply(a.multiply(likely[i]!, decay), a.of(n - i)), a.of(i + 1)));
  }
  const unit = scaled(epsilon, places);
  // Under the other neighbour the responses are exchanged.
  return new Map(likely.map((p, i) => [BigInt(n - 2 * i) * unit, { p, q: likely[n - i]! }]));
}

/** All losses of the composition; equal ones together. */
function losses(groups: readonly Group[], places: number, a: Arithmetic): Losses {
  return groups
    .map((group) => ofGroup(group, places, a))
    .reduce((left, right) => {
      const all: Losses = new Map();
      for (const [x, u] of left) {
        for (const [y, v] of right) {
          const [p, q] = [a.multiply(u.p, v.p), a.multiply(u.q, v.q)];
          const masses = all.get(x + y);
          all.set(x + y, masses ? { p: a.add(masses.p, p), q: a.add(masses.q, q) } : { p, q });
        }
      }
      return all;
    });
}

/**
 * The optimal composition of (e_i, 0)-DP mechanisms with different e_i, all losses listed: with P and Q the masses of the
 * losses above eps, D(eps) = P - e^eps Q; between two losses that is solved in closed form. Null where the list is too
 * long.
 */
function heterogeneousOptimum(groups: readonly Group[], a: Arithmetic): LossCurve | null {
  const places = Math.max(...groups.map(({ epsilon }) => epsilon.decimalPlaces()));
  const { products, size } = effort(groups, places);
  if (products > MOST_PRODUCTS || size > MOST_LOSSES) return null;
  const all = losses(groups, places, a);
  const unit = new Decimal(10).pow(-places);
  const keys = [...all.keys()].sort((x, y) => (x > y ? -1 : 1));
  const loss = keys.map((key) => unit.times(key.toString()));
  /** Masses of the losses before an index. */
  const before: Masses[] = [{ p: a.zero, q: a.zero }];
  for (const key of keys) {
    const [{ p, q }, sum] = [all.get(key)!, before.at(-1)!];
    before.push({ p: a.add(sum.p, p), q: a.add(sum.q, q) });
  }
  const excess = (index: number, epsilon: Decimal): Interval => {
    const { p, q } = before[index]!;
    return a.subtract(p, a.multiply(a.exponential(a.of(epsilon)), q));
  };
  const first = (test: (index: number) => boolean): number => {
    let [from, to] = [0, loss.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (test(middle)) to = middle;
      else from = middle + 1;
    }
    return from;
  };

  return {
    maximum: totalOf(groups),
    delta: (epsilon) =>
      excess(
        first((i) => loss[i]!.lte(epsilon)),
        epsilon,
      ),
    epsilon(target) {
      let hull: Interval | null = null;
      for (
        let i = Math.max(
          1,
          first((i) => excess(i, loss[i]!).upper.gte(target.lower)),
        );
        i <= loss.length;
        i++
      ) {
        const { p, q } = before[i]!;
        const solution = a.logarithm(a.divide(a.subtract(p, target), q));
        hull = hull ? a.hull(hull, solution) : solution;
        if (i === loss.length || excess(i, loss[i]!).lower.gte(target.upper)) break;
      }
      return hull ?? a.zero;
    },
  };
}

/** Optimal composition of (e_i, d_i)-DP mechanisms, see src/bounds/dp-optimal/dp-optimal.ts. */
export const dpOptimal = pureBound((groups, a) => {
  const [first, ...rest] = groups;
  if (!first) return lossless(a);
  return rest.length === 0 ? homogeneousOptimum(first, a) : heterogeneousOptimum(groups, a);
});
