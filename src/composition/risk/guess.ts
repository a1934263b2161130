import { Decimal, toLower, toUpper } from '../../numeric/decimal.ts';
import { asLower, asUpper, type Bracket } from '../../numeric/enclosure.ts';
import { decimalFromDouble } from '../../numeric/decimal.ts';
import type { Profile, Profiles } from './profile.ts';

const DIGITS = 60;
const Down = Decimal.clone({ precision: DIGITS, rounding: Decimal.ROUND_FLOOR });
const Up = Decimal.clone({ precision: DIGITS, rounding: Decimal.ROUND_CEIL });

const ONE = new Decimal(1);

/** 1 - p + p delta(ln((1 - p) / p)), rounded outward; delta decreases, so that an epsilon too small is safe above. */
function successOf(profile: Profile, prior: Decimal): { readonly lower: Decimal | null; readonly upper: Decimal } {
  const other = ONE.minus(prior);
  const [below, above] = [Down, Up].map((Rounded) => new Decimal(new Rounded(new Rounded(other).div(prior)).ln())) as [
    Decimal,
    Decimal,
  ];
  const { upper } = profile.delta(below);
  const { lower } = profile.delta(above);
  return {
    lower: lower === null ? null : other.plus(prior.times(decimalFromDouble(lower))),
    upper: other.plus(prior.times(decimalFromDouble(upper))),
  };
}

/**
 * The largest probability of naming the right one of two neighbouring data sets, of which one has the prior probability p
 * in (0, 1): max over S of p P(S) + (1 - p)(1 - Q(S)) = 1 - p + p delta(ln((1 - p) / p)), whichever of the two it is that
 * has it. For p = 1/2 it is (1 + advantage) / 2.
 *
 * Upper: nobody does better; lower: on some mechanisms of the declared classes somebody does as well.
 *
 * Source: the definition of the hockey-stick divergence at (1 - p) / p.
 */
export function guessSuccess({ atZero, claimed, attained }: Profiles, prior: Decimal): Bracket {
  const uppers = claimed.map((each) => successOf(each, prior).upper);
  const { lower: advantage } = atZero.delta;
  const half = prior.eq(0.5) && advantage !== null ? [prior.times(decimalFromDouble(advantage).plus(1))] : [];
  const lowers = [...half, ...attained.flatMap((each) => successOf(each, prior).lower ?? [])];
  const trivial = Decimal.max(prior, ONE.minus(prior));
  const upper = Decimal.min(ONE, Decimal.max(trivial, ...uppers));
  return {
    lower: asLower(toLower(Decimal.max(trivial, ...lowers))),
    upper: asUpper(toUpper(upper)),
    ...(upper.eq(trivial) && { exact: trivial.toString() }),
  };
}
