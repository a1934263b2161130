import type { Decimal } from '../../../numeric/decimal.ts';
import type { Rational } from '../../../numeric/rational.ts';

/** An assertion about a continual mechanism with respect to its verification function. */
export type Guarantee =
  /** (epsilon, delta)-differential privacy, with e^epsilon as an exact number of at least 1. */
  | { readonly kind: 'dp'; readonly factor: Rational; readonly delta: Rational }
  /** (alpha, epsilon)-Renyi differential privacy. */
  | { readonly kind: 'rdp'; readonly alpha: Decimal; readonly epsilon: Decimal };

/** Whether two guarantees have the same parameters. */
export function sameGuarantee(a: Guarantee, b: Guarantee): boolean {
  if (a === b) return true;
  if (a.kind === 'dp') return b.kind === 'dp' && a.factor.equals(b.factor) && a.delta.equals(b.delta);
  return b.kind === 'rdp' && a.alpha.eq(b.alpha) && a.epsilon.eq(b.epsilon);
}
