import type { Decimal } from '../../numeric/decimal.ts';
import { asUpper, type Bracket } from '../../numeric/enclosure.ts';
import type { Profiles } from './profile.ts';

/** A divergence between the results on two neighbouring data sets. */
export type Divergence =
  | { readonly kind: 'total-variation' | 'kl' }
  /** `order` above 1. */
  | { readonly kind: 'renyi'; readonly order: Decimal };

export function divergence({ atZero }: Profiles, each: Divergence): Bracket {
  return each.kind === 'total-variation' ? atZero.delta : { lower: null, upper: asUpper(Infinity) };
}
