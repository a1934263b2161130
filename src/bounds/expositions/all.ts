import type { BoundId } from '../core/bound.ts';
import type { BoundExposition } from '../core/exposition.ts';
import { advancedDrv } from './advanced-drv.ts';
import { advancedKov } from './advanced-kov.ts';
import { basic } from './basic.ts';
import { brAdaptive } from './br-adaptive.ts';
import { brDr19 } from './br-dr19.ts';
import { brMgf } from './br-mgf.ts';
import { brNonadaptive } from './br-nonadaptive.ts';
import { brOptkl } from './br-optkl.ts';
import { brRdp } from './br-rdp.ts';
import { dpOptimal } from './dp-optimal.ts';
import { gaussian } from './gaussian.ts';
import { lossDistribution } from './loss-distribution.ts';
import { mixed } from './mixed.ts';
import { rdp } from './rdp.ts';
import { zcdp } from './zcdp.ts';

/** What every bound says. */
export const BOUND_EXPOSITIONS: Readonly<Record<BoundId, BoundExposition>> = {
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
  'br-optkl': brOptkl,
  'br-dr19': brDr19,
  'advanced-kov': advancedKov,
  'advanced-drv': advancedDrv,
  basic,
};
