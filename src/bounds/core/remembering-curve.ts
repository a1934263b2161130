import type { Decimal } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import type { PrivacyCurve } from '../../privacy/curve.ts';

/** Values of a curve that are kept. */
const KEPT = 16;

/** The same curve, its last values kept: for one that is read by several. */
export function rememberingCurve(curve: PrivacyCurve): PrivacyCurve {
  const remembering = (read: (at: Decimal) => Bracket): ((at: Decimal) => Bracket) => {
    const known = new LruCache<Bracket>(KEPT);
    return (at) => known.get(at.toString(), () => read(at));
  };
  return {
    delta: remembering((epsilon) => curve.delta(epsilon)),
    epsilon: remembering((delta) => curve.epsilon(delta)),
  };
}
