import { Decimal } from '../../numeric/decimal.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import type { Rational } from '../../numeric/rational.ts';
import type { RateInDoubles } from './rate.ts';

/** The likelihood ratio of k records on a sample, as a product: prod (rest_j + rate_j e^l), l = mu u + shift. */
export interface RecordFactors {
  readonly factors: readonly RateInDoubles[];
  readonly shift: number;
  /** ln of the probabilities of m = 0, ..., k records in the sample. */
  readonly logWeights: readonly number[];
}

/** Coefficients a_0, a_1, ... of sum a_m (-x)^m. */
type Polynomial = readonly Decimal[];
type Arithmetic = typeof Decimal;
const Short = Decimal.clone({ precision: 40 });

/** The least digits, and how near the coefficients of the product are to those of the sum, relatively. */
const DIGITS = 60;
const AGREE = new Decimal('1e-20');
const [MOST_TRIES, MOST_STEPS] = [3, 200];

/** The smallest root of a polynomial all of whose roots are real and larger than `start`, by Laguerre's method, which rises to it. */
function smallestRoot(Wide: Arithmetic, polynomial: Polynomial, start: Decimal, fine: Decimal): Decimal {
  const degree = polynomial.length - 1;
  let x = start;
  for (let step = 0; step < MOST_STEPS; step++) {
    let [value, slope, bend]: [Decimal, Decimal, Decimal] = [new Wide(0), new Wide(0), new Wide(0)];
    for (let m = degree; m >= 0; m--) {
      bend = bend.times(x).plus(slope);
      slope = slope.times(x).plus(value);
      const a = polynomial[m]!;
      value = value.times(x).plus(m % 2 === 0 ? a : a.neg());
    }
    if (!value.gt(0)) return x;
    const g = slope.div(value).neg();
    const h = g.times(g).minus(bend.times(2).div(value));
    const spread = h
      .times(degree)
      .minus(g.times(g))
      .times(degree - 1);
    const rise = new Wide(degree).div(g.plus(spread.gt(0) ? spread.sqrt() : 0));
    x = x.plus(rise);
    if (!rise.gt(x.times(fine))) return x;
  }
  return x;
}

/** All roots, the smallest first, each divided out from the highest power down, where little cancels. */
function rootsOf(Wide: Arithmetic, polynomial: Polynomial, fine: Decimal): readonly Decimal[] {
  const roots: Decimal[] = [];
  for (let rest = polynomial; rest.length > 1;) {
    const root = smallestRoot(Wide, rest, roots.at(-1) ?? new Wide(0), fine);
    let above: Decimal = new Wide(0);
    rest = rest
      .slice(1)
      .toReversed()
      .map((a) => (above = a.minus(above).times(root)))
      .toReversed();
    roots.push(root);
  }
  return roots;
}

/** The y > 0 of which sum a_m y^m = 1, by Newton's method from near it. */
function whereOne(Wide: Arithmetic, polynomial: Polynomial, near: Decimal, fine: Decimal): Decimal {
  let y = near;
  for (let step = 0; step < MOST_STEPS; step++) {
    let [value, slope]: [Decimal, Decimal] = [new Wide(-1), new Wide(0)];
    let power: Decimal = new Wide(1);
    polynomial.forEach((a, m) => {
      value = value.plus(a.times(power));
      const next = power.times(y);
      slope = slope.plus(a.times(m).times(power));
      power = next;
    });
    const change = value.times(y).div(slope);
    y = y.minus(change);
    if (change.abs().lte(y.times(fine))) return y;
  }
  return y;
}

/** ln of a decimal above 0, to a few roundings. */
const logOf = (x: Decimal): number => {
  const exponent = x.e;
  return Math.log(x.times(new Decimal(10).pow(-exponent)).toNumber()) + exponent * Math.LN10;
};

/** About ln of the y of which sum e^(a_m) y^m = 1: ln of the sum is convex in ln y, and Newton's method falls to it. */
function aboutWhereOne(logs: readonly number[], most: number): number {
  let x = most;
  for (let step = 0; step < MOST_STEPS; step++) {
    const terms = logs.map((a, m) => a + m * x);
    const top = Math.max(...terms);
    const [sum, first] = terms.reduce(
      ([s, f], term, m) => [s + Math.exp(term - top), f + m * Math.exp(term - top)],
      [0, 0],
    );
    const fall = ((top + Math.log(sum)) * sum) / first;
    x -= fall;
    if (!(fall > 1e-14 * x)) return x;
  }
  return x;
}

/** Whether prod (rest_j + rate_j y) has these coefficients, nearly. */
function agrees(Wide: Arithmetic, roots: readonly Decimal[], polynomial: Polynomial): boolean {
  let product: Decimal[] = [polynomial[0]!];
  for (const root of roots) {
    product = [...product, new Wide(0)].map((a, m) => (m === 0 ? a : a.plus(product[m - 1]!.div(root))));
  }
  return product.every((a, m) => a.minus(polynomial[m]!).abs().lte(polynomial[m]!.times(AGREE)));
}

function factorsWith(digits: number, rate: Rational, mu: number, records: number): RecordFactors | null {
  const Wide = Decimal.clone({ precision: digits });
  const fine = new Wide(10).pow(-Math.floor(digits / 2));
  const q = new Wide(rate.numerator.toString()).div(rate.denominator.toString());
  const rest = new Wide(1).minus(q);
  const square = new Wide(mu).times(mu);
  const weights: Decimal[] = [rest.pow(records)];
  for (let m = 1; m <= records; m++) {
    weights.push(
      weights
        .at(-1)!
        .times(q.div(rest))
        .times(records - m + 1)
        .div(m),
    );
  }
  const unit = square.div(-2).exp();
  const polynomial = weights.map((weight, m) => weight.times(unit.pow(m * m)));
  const roots = rootsOf(Wide, polynomial, fine);
  if (!roots.every((root) => root.gt(0)) || !agrees(Wide, roots, polynomial)) return null;
  const near = aboutWhereOne(polynomial.map(logOf), (records * mu * mu) / 2);
  const y = whereOne(Wide, polynomial, new Wide(near).exp(), fine);
  return {
    factors: roots.map((root) => {
      const whole = root.plus(y);
      return { rate: y.div(whole).toNumber(), rest: root.div(whole).toNumber() };
    }),
    shift: -new Short(y).ln().toNumber(),
    logWeights: weights.map(logOf),
  };
}

const CACHE = new LruCache<RecordFactors | { readonly factors: null }>(64);

/**
 * The likelihood ratio of k records of one person, each in the sample with probability q, with Gaussian noise: under Q, u is standard
 * normal, and dP/dQ = sum_m Bin(m; k, q) e^(m mu u - m^2 mu^2 / 2). With y = e^(mu u) it is a polynomial in y, all of whose roots are
 * real and negative, so it is a product of k likelihood ratios of single records of other rates, along the same u. All factors are 1 at
 * l = 0, so that nothing cancels in their logarithms. For one record it is its own product.
 *
 * The roots are taken in decimals of many digits; the coefficients of their product, all positive, agree with those of the sum to
 * 1e-20, and so do product and sum, at every u. null where they do not.
 *
 * Source: derived; e^(-a m^2) is a multiplier sequence (Laguerre; Polya, Schur 1914): it keeps real roots real.
 *
 * @param rate - above 0, below 1
 */
export function recordFactors(rate: Rational, mu: number, records: number): RecordFactors | null {
  const found = CACHE.get([rate.toString(), mu, records].join(' '), () => {
    // Roots lie within about mu of each other, relatively, and evaluating them costs that many digits each.
    const usual = DIGITS + Math.ceil(records * (1 + Math.max(0, -Math.log10(mu))));
    for (let digits = usual, step = 0; step < MOST_TRIES; digits *= 2, step++) {
      const factors = factorsWith(digits, rate, mu, records);
      if (factors !== null) return factors;
    }
    return { factors: null };
  });
  return found.factors === null ? null : found;
}
