import { Decimal } from '../../src/numeric/decimal.ts';
import { Rational } from '../../src/numeric/rational.ts';

/** Two distributions on the same outcomes, as whole numbers over their common total. */
export interface TwoLaws {
  readonly p: readonly bigint[];
  readonly q: readonly bigint[];
  readonly total: bigint;
}

export const lawsOf = (p: readonly number[], q: readonly number[], total: number): TwoLaws => ({
  p: p.map(BigInt),
  q: q.map(BigInt),
  total: BigInt(total),
});

export const exchanged = ({ p, q, total }: TwoLaws): TwoLaws => ({ p: q, q: p, total });

/** Both mechanisms, independently. */
export const together = (a: TwoLaws, b: TwoLaws): TwoLaws => ({
  p: a.p.flatMap((x) => b.p.map((y) => x * y)),
  q: a.q.flatMap((x) => b.q.map((y) => x * y)),
  total: a.total * b.total,
});

/** The first with a share `numerator / denominator` of its difference from the second. */
export const onSample = ({ p, q, total }: TwoLaws, numerator: bigint, denominator: bigint): TwoLaws => ({
  p: p.map((x, i) => x * numerator + q[i]! * (denominator - numerator)),
  q: q.map((x) => x * denominator),
  total: total * denominator,
});

const byRatio = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** The largest P(S) of randomised S with Q(S) at most `rate`: outcomes in the order of their ratios, the last in part. */
export function largestRate({ p, q, total }: TwoLaws, rate: Rational): Rational {
  // What has no mass in either would stand in no order.
  const possible = p.map((_, i) => i).filter((i) => p[i]! + q[i]! > 0n);
  const order = possible.sort((i, j) => byRatio(q[i]! * p[j]!, q[j]! * p[i]!));
  let [left, reached] = [rate.times(Rational.of(total)), Rational.ZERO];
  for (const i of order) {
    const [mass, cost] = [Rational.of(p[i]!), Rational.of(q[i]!)];
    if (cost.compare(left) > 0) {
      reached = reached.plus(mass.times(left).over(cost));
      break;
    }
    [left, reached] = [left.minus(cost), reached.plus(mass)];
  }
  return reached.over(Rational.of(total));
}

/** max over S of a P(S) - b Q(S). */
export const hockeyStick = ({ p, q, total }: TwoLaws, a: Rational, b: Rational): Rational =>
  p
    .map((mass, i) => a.times(Rational.of(mass)).minus(b.times(Rational.of(q[i]!))))
    .filter((gain) => gain.compare(Rational.ZERO) > 0)
    .reduce((sum, gain) => sum.plus(gain), Rational.ZERO)
    .over(Rational.of(total));

const Precise = Decimal.clone({ precision: 60 });

const shareOf = (mass: bigint, total: bigint): Decimal => new Precise(mass.toString()).div(total.toString());

/** sum over the outcomes of q f(p / q). */
const expected = ({ p, q, total }: TwoLaws, term: (p: Decimal, q: Decimal) => Decimal | number): Decimal =>
  p.reduce<Decimal>(
    (sum, mass, i) => sum.plus(mass === 0n && q[i] === 0n ? 0 : term(shareOf(mass, total), shareOf(q[i]!, total))),
    new Precise(0),
  );

/** Mutual information of a uniform bit with an outcome of the law that it chooses, in bits. */
export const bitsTold = (laws: TwoLaws): Decimal =>
  expected(laws, (p, q) => {
    const half = p.plus(q).div(2);
    const part = (mass: Decimal): Decimal => (mass.isZero() ? mass : mass.times(mass.div(half).ln()));
    return part(p).plus(part(q)).div(2);
  }).div(new Precise(2).ln());

/** KL(P || Q), perhaps infinite. */
export const klOf = (laws: TwoLaws): Decimal =>
  expected(laws, (p, q) => (p.isZero() ? 0 : q.isZero() ? Infinity : p.times(p.div(q).ln())));

/** The Renyi divergence of a whole order, perhaps infinite. */
export const renyiOf = (laws: TwoLaws, order: number): Decimal =>
  expected(laws, (p, q) =>
    p.isZero()
      ? 0
      : q.isZero()
        ? Infinity
        : p
            .div(q)
            .pow(order - 1)
            .times(p),
  )
    .ln()
    .div(order - 1);
