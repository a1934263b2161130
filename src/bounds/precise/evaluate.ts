import type { BoundId, Composition } from '../core/bound.ts';
import { unlessInterrupted, type Watch } from '../../numeric/watch.ts';
import type { Query } from '../../privacy/query.ts';
import { advancedDrv, advancedKov, basic } from './closed-form.ts';
import { brDr19, brMgf, brOptKl, brRdp } from './bounded-range.ts';
import { brNonadaptive } from './br-nonadaptive.ts';
import type { PreciseBound, Unavailable } from './curve.ts';
import { dpOptimal } from './dp-optimal.ts';
import { gaussian } from './gaussian.ts';
import { Arithmetic, isKnownTo, upperDigits, type Interval } from './interval.ts';
import { rdp } from './rdp.ts';
import { zcdp } from './zcdp.ts';

/** The theorems that have a form in decimal arithmetic; the others are computed by integrals or tables. */
const BY_ID: Readonly<Partial<Record<BoundId, PreciseBound>>> = {
  'dp-optimal': dpOptimal,
  gaussian,
  'br-nonadaptive': brNonadaptive,
  'br-rdp': brRdp,
  rdp,
  zcdp,
  'br-mgf': brMgf,
  'br-optkl': brOptKl,
  'br-dr19': brDr19,
  'advanced-kov': advancedKov,
  'advanced-drv': advancedDrv,
  basic,
};

/** The value of a bound in decimal arithmetic: its digits, rounded up, and the interval they were read off. */
export type PreciseValue =
  { readonly digits: string; readonly interval: Interval } | { readonly unavailable: Unavailable };

/** Guard digits of the first attempt, and of those after an attempt whose interval was too wide. */
const GUARD_DIGITS = [15, 50, 160];

/**
 * A bound to `digits` significant digits, rounded up, for a composition to which it applies.
 *
 * Everything is computed in intervals with directed rounding, first with 15 digits more than asked. What is lost to
 * rounding and cancellation shows as the width of the resulting interval: where it exceeds a tenth of a unit in the last
 * digit asked, the work is done again with more guard digits. So no estimate of the error is trusted, and the digits of
 * the upper end are both safe and those of the bound up to one unit in the last.
 */
export function preciseValue(
  id: BoundId,
  composition: Composition,
  query: Query,
  digits: number,
  watch: Watch = {},
): PreciseValue {
  const bound = BY_ID[id];
  if (!bound) return { unavailable: 'needs-lattice' };
  const work = (): PreciseValue => resolved(bound, composition, query, digits, watch);
  return unlessInterrupted(work) ?? { unavailable: 'interrupted' };
}

function resolved(
  bound: PreciseBound,
  composition: Composition,
  query: Query,
  digits: number,
  watch: Watch,
): PreciseValue {
  for (const guard of GUARD_DIGITS) {
    const curve = bound(composition, new Arithmetic(digits + guard, watch));
    if (typeof curve === 'string') return { unavailable: curve };
    const interval = query.solveFor === 'epsilon' ? curve.epsilon(query.delta) : curve.delta(query.epsilon);
    if (isKnownTo(interval, digits + 1)) return { digits: upperDigits(interval, digits), interval };
  }
  return { unavailable: 'not-resolved' };
}
