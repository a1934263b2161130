import { advancedDrv } from '../bounds/advanced-drv.ts';
import { advancedKov } from '../bounds/advanced-kov.ts';
import { basic } from '../bounds/basic.ts';
import { BOUND_IDS, type Bound, type BoundId } from '../bounds/bound.ts';
import { brAdaptive } from '../bounds/br-adaptive.ts';
import { brDr19 } from '../bounds/br-dr19.ts';
import { brMgf } from '../bounds/br-mgf.ts';
import { brNonadaptive } from '../bounds/br-nonadaptive.ts';
import { brOptKl } from '../bounds/br-optkl.ts';
import { brRdp } from '../bounds/br-rdp.ts';
import { dpOptimal } from '../bounds/dp-optimal.ts';
import { gaussian } from '../bounds/gaussian.ts';
import { lossDistribution } from '../bounds/loss-distribution.ts';
import { mixed } from '../bounds/mixed.ts';
import { rdp } from '../bounds/rdp.ts';
import { zcdp } from '../bounds/zcdp.ts';

const BY_ID: Readonly<Record<BoundId, Bound>> = {
  'dp-optimal': dpOptimal,
  gaussian,
  'loss-distribution': lossDistribution,
  mixed,
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
export const ALL_BOUNDS: readonly Bound[] = BOUND_IDS.map((id) => BY_ID[id]);
