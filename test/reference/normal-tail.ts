import { Decimal, decimalFromDouble } from '../../src/numeric/decimal.ts';

const Wide = Decimal.clone({ precision: 80 });
const TWO_PI_ROOT = Wide.acos(-1).times(2).sqrt();
const [FROM_FRACTION, FRACTIONS] = [7, 200];

/** Phi(-x), to 60 significant digits for x > -7 and far into the tail: for |x| < 7 from the series of positive terms for Phi - 1/2, beyond by 200 steps of Laplace's continued fraction. */
export function normalTailOf(x: Decimal | number): Decimal {
  const at = new Wide(typeof x === 'number' ? decimalFromDouble(x) : x);
  if (at.isNegative()) return new Wide(1).minus(normalTailOf(at.negated()));
  const density = at.pow(2).div(-2).exp().div(TWO_PI_ROOT);
  if (at.gte(FROM_FRACTION)) {
    let value: Decimal = at;
    for (let n = FRACTIONS; n >= 1; n--) value = at.plus(new Wide(n).div(value));
    return density.div(value);
  }
  let [term, sum]: [Decimal, Decimal] = [at, new Wide(0)];
  for (let n = 1; term.gt(1e-78); n++) {
    sum = sum.plus(term);
    term = term
      .times(at)
      .times(at)
      .div(2 * n + 1);
  }
  return new Wide(0.5).minus(density.times(sum));
}
