import { Decimal } from '../../numeric/decimal.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import { approximateLogSum } from '../../numeric/enclosure-arithmetic.ts';
import type { Rational } from '../../numeric/rational.ts';
import type { Factor, RecordRates } from './rate.ts';

/** The likelihood ratio of k records on a sample, as a product: prod (rest_j + rate_j e^l)^power_j, l = mu u + shift. */
export interface RecordFactors {
  readonly factors: readonly Factor[];
  readonly shift: number;
  /** ln of the probabilities of m = 0, ..., k records in the sample. */
  readonly logWeights: readonly number[];
  /** Whether it is the product of fewer factors than records. */
  readonly isReduced: boolean;
}

/** Coefficients a_0, a_1, ... of sum a_m (-x)^m. */
type Polynomial = readonly Decimal[];
type Arithmetic = typeof Decimal;
const Short = Decimal.clone({ precision: 40 });

/** The least digits, and how near the coefficients of the product are to those of the sum, relatively. */
const DIGITS = 60;
const AGREE = new Decimal('1e-20');
const [MOST_TRIES, MOST_STEPS] = [3, 200];

/** Of more records the factors are fewer than they, and no more than MOST_FACTORS. */
const [MOST_EXACT, MOST_FACTORS, FEW_NUMBERS] = [32, 128, 32];
/** What of the records, and of the noise, is beyond where fewer factors are exact has a probability of 1e-101 each. */
const [RARE, REACH] = [Math.log(1e-101), 21.6];
/** Of ln of the ratio, and of what is left of its slope. */
const OFF = new Decimal('1e-24');
/** Terms are left out whose share is less. */
const FAINT = '1e-80';
const REDUCED_DIGITS = 90;

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

/** prod (1 + y / root)^power. */
interface Product {
  readonly roots: readonly Decimal[];
  readonly powers: readonly Decimal[];
}

function productOf(Wide: Arithmetic, polynomial: Polynomial, fine: Decimal): Product | null {
  const roots = rootsOf(Wide, polynomial, fine);
  if (!roots.every((root) => root.gt(0)) || !agrees(Wide, roots, polynomial)) return null;
  return { roots, powers: roots.map(() => new Wide(1)) };
}

/** The number of records which more than that exceed but for what is rare. */
function placeBeyond(logWeights: readonly number[]): number {
  let m = logWeights.length - 1;
  for (let sum = logWeights[m]!; m > 0 && sum < RARE; sum = approximateLogSum(sum, logWeights[m]!)) m--;
  return m;
}

/** The value of a polynomial of coefficients a_m > 0 at y > 0, and y times its slope, of all terms that count there. */
function valueAt(Wide: Arithmetic, polynomial: Polynomial, y: Decimal): readonly [value: Decimal, slope: Decimal] {
  let [value, slope, power]: [Decimal, Decimal, Decimal] = [new Wide(0), new Wide(0), new Wide(1)];
  for (let m = 0, last = new Wide(0); m < polynomial.length; m++, power = power.times(y)) {
    const term = polynomial[m]!.times(power);
    value = value.plus(term);
    slope = slope.plus(term.times(m));
    if (term.lt(last) && term.lt(value.times(FAINT))) break;
    last = term;
  }
  return [value, slope];
}

/** The first numbers of A'(y) / A(y) = c_1 / (1 + c_2 y / (1 + c_3 y / ...)), A a polynomial. */
function fractionOf(Wide: Arithmetic, polynomial: Polynomial, size: number): readonly Decimal[] {
  let before = Array.from({ length: size + 1 }, (_, m) => (polynomial[m] ?? new Wide(0)).div(polynomial[0]!));
  let series = before.slice(1).map((a, m) => a.times(m + 1));
  const numbers: Decimal[] = [];
  while (series[0]?.gt(0) === true) {
    const inverse = new Wide(1).div(series[0]);
    numbers.push(series[0]);
    const own = series.map((a) => a.times(inverse));
    series = own.slice(1).map((a, m) => before[m + 1]!.minus(a));
    before = own;
  }
  return numbers;
}

/** How many of the numbers give a convergent that is as near as `allowed` at y; null where all do not. */
function enoughOf(Wide: Arithmetic, numbers: readonly Decimal[], target: Decimal, allowed: Decimal, y: Decimal) {
  let [above, below, lower, before]: readonly Decimal[] = [0, numbers[0]!, 1, 1].map((x) => new Wide(x));
  for (let k = 1; k < numbers.length; k++) {
    const factor = numbers[k]!.times(y);
    [above, below] = [below!, below!.plus(factor.times(above!))];
    [before, lower] = [lower!, lower!.plus(factor.times(before!))];
    if (k % 2 === 1 && target.minus(below.times(y).div(lower)).lte(allowed)) return k + 1;
  }
  return null;
}

/** The sum of a and c y b. */
const shiftedSum = (a: Polynomial, c: Decimal, b: Polynomial): Polynomial =>
  Array.from({ length: Math.max(a.length, b.length + 1) }, (_, m) => {
    const moved = m === 0 ? undefined : b[m - 1]?.times(c);
    return moved === undefined ? a[m]! : (a[m]?.plus(moved) ?? moved);
  });

/** Its value at -x. */
const valueBelow = (polynomial: Polynomial, x: Decimal): Decimal =>
  polynomial.reduceRight((sum, a) => a.minus(sum.times(x)));

/**
 * Fewer factors for a polynomial with real roots -r_j < 0: A(y) = a_0 prod (1 + y / r_j). Its A' / A = sum 1 / (r_j + y) is a Stieltjes
 * function, of which the 2D-th convergent sum p_i / (s_i + y), p_i > 0, s_i > 0, is the Gauss rule, which is no more for any y >= 0. So
 * ln A(y) less ln(a_0 prod (1 + y / s_i)^(p_i)) rises along y, and is nowhere on [0, most] larger than at its end: at most OFF.
 */
function reducedOf(
  Wide: Arithmetic,
  polynomial: Polynomial,
  most: Decimal,
  fine: Decimal,
): Product | 'too-many' | null {
  const [whole, slope] = valueAt(Wide, polynomial, most);
  const allowed = Wide.min(1, new Short(polynomial[0]!).ln().neg()).times(OFF);
  let [numbers, size]: [readonly Decimal[], number | null] = [[], null];
  for (let tried = FEW_NUMBERS; size === null && tried <= 2 * MOST_FACTORS; tried *= 2) {
    numbers = fractionOf(Wide, polynomial, tried);
    if (numbers.length === 0) return null;
    size = enoughOf(Wide, numbers, slope.div(whole), allowed, most);
  }
  if (size === null) return 'too-many';
  let [above, below]: [Polynomial, Polynomial] = [[], [numbers[0]!]];
  let [before, lower]: [Polynomial, Polynomial] = [[new Wide(1)], [new Wide(1)]];
  for (const number of numbers.slice(1, size)) {
    [above, below] = [below, shiftedSum(below, number, above)];
    [before, lower] = [lower, shiftedSum(lower, number, before)];
  }
  const roots = rootsOf(Wide, lower, fine);
  const falling = lower.slice(1).map((a, m) => a.times(m + 1));
  const powers = roots.map((root) => valueBelow(below, root).div(valueBelow(falling, root)));
  if (![...roots, ...powers].every((x) => x.gt(0))) return null;
  const logs = roots.map((root, i) => new Short(most.div(root).plus(1)).ln().times(powers[i]!));
  const off = new Short(whole.div(polynomial[0]!)).ln().minus(logs.reduce((sum, log) => sum.plus(log)));
  return off.abs().lte(allowed) ? { roots, powers } : null;
}

/** The probabilities of m = 0, ..., k records in the sample. */
function weightsOf(Wide: Arithmetic, { rate, own }: RecordRates, records: number): readonly Decimal[] {
  const decimalOf = ({ numerator, denominator }: Rational): Decimal =>
    new Wide(numerator.toString()).div(denominator.toString());
  if (own !== undefined) {
    return own.map(decimalOf).reduce<readonly Decimal[]>(
      (all, q) => {
        const rest = new Wide(1).minus(q);
        return [...all, new Wide(0)].map((a, m) =>
          m === 0 ? a.times(rest) : a.times(rest).plus(all[m - 1]!.times(q)),
        );
      },
      [new Wide(1)],
    );
  }
  const q = decimalOf(rate);
  const rest = new Wide(1).minus(q);
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
  return weights;
}

function factorsWith(
  digits: number,
  rates: RecordRates,
  mu: number,
  records: number,
): RecordFactors | 'too-many' | null {
  const Wide = Decimal.clone({ precision: digits });
  const fine = new Wide(10).pow(-Math.floor(digits / 2));
  const square = new Wide(mu).times(mu);
  const weights = weightsOf(Wide, rates, records);
  const logWeights = weights.map(logOf);
  const unit = square.div(-2).exp();
  const ratio = unit.times(unit);
  let [scale, odd]: [Decimal, Decimal] = [new Wide(1), unit];
  const polynomial = weights.map((weight) => {
    const a = weight.times(scale);
    [scale, odd] = [scale.times(odd), odd.times(ratio)];
    return a;
  });
  const isReduced = records > MOST_EXACT;
  const product = isReduced
    ? reducedOf(Wide, polynomial, new Wide(placeBeyond(logWeights) * mu + REACH).times(mu).exp(), fine)
    : productOf(Wide, polynomial, fine);
  if (product === null || product === 'too-many') return product;
  const { roots, powers } = product;
  const near = aboutWhereOne(polynomial.map(logOf), (records * mu * mu) / 2);
  const y = whereOne(Wide, polynomial, new Wide(near).exp(), fine);
  return {
    factors: roots.map((root, j) => {
      const whole = root.plus(y);
      return { rate: y.div(whole).toNumber(), rest: root.div(whole).toNumber(), power: powers[j]!.toNumber() };
    }),
    shift: -new Short(y).ln().toNumber(),
    logWeights,
    isReduced,
  };
}

const CACHE = new LruCache<RecordFactors | { readonly factors: null }>(64);

/**
 * The likelihood ratio of k records of one person, each in the sample with probability q, with Gaussian noise: under Q, u is standard
 * normal, and dP/dQ = sum_m Bin(m; k, q) e^(m mu u - m^2 mu^2 / 2); of rates q_j with the coefficients of prod (1 - q_j + q_j y) for those
 * of (1 - q + q y)^k. With y = e^(mu u) it is a polynomial in y, all of whose roots are real and negative, so it is a product of k likelihood ratios of single records of other rates, along the same u. All factors are 1 at
 * l = 0, so that nothing cancels in their logarithms. For one record it is its own product.
 *
 * The roots are taken in decimals of many digits; the coefficients of their product, all positive, agree with those of the sum to
 * 1e-20, and so do product and sum, at every u. null where they do not.
 *
 * Source: derived; e^(-a m^2) is a multiplier sequence (Laguerre; Polya, Schur 1914): it keeps real roots real.
 *
 * @param rates - above 0, below 1
 */
export function recordFactors(rates: RecordRates, mu: number, records: number): RecordFactors | null {
  const { rate, own = [rate] } = rates;
  const found = CACHE.get([own.join(), mu, records].join(' '), () => {
    // Roots lie within about mu of each other, relatively, and evaluating them costs that many digits each.
    const usual =
      records > MOST_EXACT ? REDUCED_DIGITS : DIGITS + Math.ceil(records * (1 + Math.max(0, -Math.log10(mu))));
    for (let digits = usual, step = 0; step < MOST_TRIES; digits *= 2, step++) {
      const factors = factorsWith(digits, rates, mu, records);
      if (factors === 'too-many') break;
      if (factors !== null) return factors;
    }
    return { factors: null };
  });
  return found.factors === null ? null : found;
}
