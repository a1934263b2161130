import type { Arithmetic, Interval } from '../../../src/bounds/precise/interval.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import type { Rational } from '../../../src/numeric/rational.ts';
import type { Criterion } from './criterion.ts';

/**
 * P(v)^alpha Q(v)^(1 - alpha), alpha > 1: its sum over all views is e^((alpha - 1) D), D the Renyi divergence of order
 * alpha in one direction; Infinity where a view can be under P alone.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Def 13.1.
 */
export function renyiMoment(alpha: Decimal, arithmetic: Arithmetic): Criterion<Interval> {
  const order = arithmetic.of(alpha);
  const infinite = arithmetic.of(new Decimal(Infinity));
  const of = ({ numerator, denominator }: Rational): Interval =>
    arithmetic.divide(arithmetic.of(String(numerator)), arithmetic.of(String(denominator)));
  return {
    zero: arithmetic.zero,
    stop(p, q) {
      if (p.isZero()) return arithmetic.zero;
      if (q.isZero()) return infinite;
      const ratio = arithmetic.logarithm(of(p.over(q)));
      return arithmetic.multiply(of(q), arithmetic.exponential(arithmetic.multiply(order, ratio)));
    },
    add: (a, b) => arithmetic.add(a, b),
    scale: (value, factor) => arithmetic.multiply(value, of(factor)),
    larger: (a, b) => arithmetic.max(a, b),
  };
}
