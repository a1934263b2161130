import { Decimal } from '../../numeric/decimal.ts';
import type { Arithmetic, Interval } from './interval.ts';

/** A function, evaluated with so many digits. */
export type Evaluated = (digits: number) => (x: Decimal) => Decimal;

/** Where an increasing function changes its sign. */
export interface Place {
  readonly from: Decimal;
  readonly to: Decimal;
  /** Asked of the root. */
  readonly digits: number;
}

/** Digits in which the neighbourhood of the root is looked for. */
const COARSE = 40;
const BISECTIONS = 80;
const STEPS = 100;

const isNear = (a: Decimal, b: Decimal, tolerance: Decimal): boolean =>
  a.minus(b).abs().lte(Decimal.max(a.abs(), b.abs()).times(tolerance));

/** By bisection to a hundredth, then by false position (Illinois, halving at every third step) to about twelve digits. */
function coarseRoot(f: (x: Decimal) => Decimal, from: Decimal, to: Decimal): Decimal {
  const Coarse = Decimal.clone({ precision: COARSE });
  let [a, b] = [new Coarse(from), new Coarse(to)];
  let [fa, fb] = [f(a), f(b)];
  if (fa.gte(0)) return a;
  if (fb.lte(0)) return b;
  for (let i = 0; i < BISECTIONS && !isNear(a, b, new Coarse('0.01')); i++) {
    const middle = a.gt(0) && b.div(a).gt(4) ? a.times(b).sqrt() : a.plus(b).div(2);
    const value = f(middle);
    if (value.isNegative()) [a, fa] = [middle, value];
    else [b, fb] = [middle, value];
  }
  for (let i = 0; i < STEPS && !isNear(a, b, new Coarse('1e-12')); i++) {
    const x =
      i % 3 < 2 && fa.isFinite() && fb.isFinite() ? a.minus(fa.times(b.minus(a)).div(fb.minus(fa))) : a.plus(b).div(2);
    const value = f(x);
    if (value.isZero() || isNear(x, a, new Coarse('1e-14')) || isNear(x, b, new Coarse('1e-14'))) return x;
    if (value.isNegative()) {
      [a, fa] = [x, value];
      fb = fb.div(2);
    } else {
      [b, fb] = [x, value];
      fa = fa.div(2);
    }
  }
  return a.plus(b).div(2);
}

/**
 * A zero of an increasing function, or the end of the place at which it comes nearest to one: found coarsely first, then
 * by secants. Nothing is certified here; see {@link certifiedRoot}.
 */
export function root(f: Evaluated, { from, to, digits }: Place): Decimal {
  const Context = Decimal.clone({ precision: digits + 10 });
  const start = coarseRoot(f(COARSE), from, to);
  const fine = f(digits + 10);
  let x = new Context(start);
  if (x.isZero() || x.eq(from) || x.eq(to)) return x;
  let [before, valueBefore] = [x.times('1.000000000001'), fine(x.times('1.000000000001'))];
  for (let i = 0; i < STEPS; i++) {
    const value = fine(x);
    const rise = value.minus(valueBefore);
    if (value.isZero() || rise.isZero() || !rise.isFinite()) return x;
    const next = Decimal.min(to, Decimal.max(from, x.minus(value.times(x.minus(before)).div(rise))));
    [before, valueBefore, x] = [x, value, new Context(next)];
    if (isNear(x, before, new Context(`1e-${digits}`))) return x;
  }
  return x;
}

/** A decreasing positive curve to be solved for a target. */
export interface Solvable {
  /** The curve, about, with so many digits. */
  readonly about: (digits: number) => (x: Decimal) => Decimal;
  /** At most the curve, and as near to it as the arithmetic goes. */
  readonly atLeast: (x: Decimal) => Decimal;
  /** At least the curve. */
  readonly atMost: (x: Decimal) => Decimal;
}

/**
 * Where a decreasing curve passes the target: the root is found without proof, then the curve is shown to be at or
 * above the target just before it and at or below just after it. Where that fails nearby, the whole of [from, to] is
 * returned.
 */
export function certifiedRoot(a: Arithmetic, curve: Solvable, target: Interval, from: Decimal, to: Decimal): Interval {
  const goal = a.middle(target);
  const difference: Evaluated = (digits) => {
    const Context = Decimal.clone({ precision: digits });
    const about = curve.about(digits);
    const logGoal = new Context(goal).ln();
    return (x) => logGoal.minus(new Context(about(x)).ln());
  };
  let [lower, upper]: [Decimal | null, Decimal | null] = [null, null];
  const approximateRoot = new Decimal(root(difference, { from, to, digits: a.digits }));
  // Where the curve falls off at the end, the root may be nearer to that than its digits tell.
  for (const [x, lost] of [
    [approximateRoot, 4],
    [approximateRoot, 8],
    [approximateRoot, 12],
    [to, 4],
  ] as const) {
    if (lower && upper) break;
    const step = x.times(`1e-${a.digits - lost}`).toSignificantDigits(3);
    const [below, above] = [Decimal.max(from, x.minus(step)), Decimal.min(to, x.plus(step))];
    if (!lower && (below.eq(from) || curve.atLeast(below).gte(target.upper))) lower = below;
    if (!upper && (above.eq(to) || curve.atMost(above).lte(target.lower))) upper = above;
  }
  return a.between(lower ?? from, upper ?? to);
}
