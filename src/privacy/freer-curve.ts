import type { Decimal } from '../numeric/decimal.ts';
import { asUpper, relativeWidth, type Bracket } from '../numeric/enclosure.ts';
import { unlessInterrupted } from '../numeric/watch.ts';
import type { PrivacyCurve } from './curve.ts';

/** An enclosure this narrow leaves nothing to gain. */
const EXACT = 1e-9;

/**
 * A curve whose claims are never above those for somebody with more freedom, which hold for him too: the smaller of the two
 * upper ends, with the lower end of his own.
 *
 * @param freer - the curve for more freedom, made when it is first needed; null where there is none
 */
export function boundedByFreer(own: PrivacyCurve, freer: () => PrivacyCurve | null): PrivacyCurve {
  let made: { readonly curve: PrivacyCurve | null } | null = null;
  const lesser = (value: Bracket, of: (curve: PrivacyCurve) => Bracket): Bracket => {
    if (relativeWidth(value) <= EXACT) return value;
    const other = unlessInterrupted(() => {
      made ??= { curve: freer() };
      return made.curve && of(made.curve);
    });
    if (other === null || !(other.upper < value.upper)) return value;
    const { lower } = value;
    return { lower, upper: asUpper(Math.max(other.upper, lower ?? 0)) };
  };
  return {
    delta: (epsilon: Decimal) => lesser(own.delta(epsilon), (curve) => curve.delta(epsilon)),
    epsilon: (delta: Decimal) => lesser(own.epsilon(delta), (curve) => curve.epsilon(delta)),
  };
}
