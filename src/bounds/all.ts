import { advancedDrv } from './closed-form/advanced.ts';
import { advancedKov } from './closed-form/advanced-kov.ts';
import { basic } from './closed-form/basic.ts';
import { BOUND_IDS, type Bound, type BoundId } from './core/bound.ts';
import { brAdaptive } from './bounded-range/adaptive.ts';
import { brDr19 } from './bounded-range/dr19.ts';
import { brMgf } from './bounded-range/mgf.ts';
import { brNonadaptive } from './bounded-range/nonadaptive.ts';
import { brOptKl } from './bounded-range/optkl.ts';
import { brRdp } from './bounded-range/rdp.ts';
import { dpOptimal } from './dp-optimal/dp-optimal.ts';
import { gaussian } from './closed-form/gaussian.ts';
import { lossDistribution } from './loss-distribution/loss-distribution.ts';
import { mixed } from './mixed/mixed.ts';
import { rdp, zcdp } from './renyi/renyi.ts';
import { selectionProfile } from './selection/profile.ts';
import { selectionRdp } from './selection/renyi.ts';

/** Every composition theorem by its id. */
export const BOUNDS: Readonly<Record<BoundId, Bound>> = {
  'dp-optimal': dpOptimal,
  gaussian,
  'loss-distribution': lossDistribution,
  mixed,
  'selection-profile': selectionProfile,
  'selection-rdp': selectionRdp,
  'br-nonadaptive': brNonadaptive,
  'br-adaptive': brAdaptive,
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

/** Every composition theorem, in the order in which ties are broken. */
export const ALL_BOUNDS: readonly Bound[] = BOUND_IDS.map((id) => BOUNDS[id]);
