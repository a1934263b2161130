import { advancedDrv } from '../../bounds/advanced-drv.ts';
import { advancedKov } from '../../bounds/advanced-kov.ts';
import { basic } from '../../bounds/basic.ts';
import type { Bound } from '../../bounds/bound.ts';
import { brAdaptive } from '../../bounds/br-adaptive.ts';
import { brDr19 } from '../../bounds/br-dr19.ts';
import { brMgf } from '../../bounds/br-mgf.ts';
import { brOptKl } from '../../bounds/br-optkl.ts';
import { brRdp } from '../../bounds/br-rdp.ts';
import { dpOptimal } from '../../bounds/dp-optimal.ts';
import { gaussian } from '../../bounds/gaussian.ts';
import { lossDistribution } from '../../bounds/loss-distribution.ts';
import { mixed } from '../../bounds/mixed.ts';
import { rdp } from '../../bounds/rdp.ts';
import { zcdp } from '../../bounds/zcdp.ts';
import type { DeclaredBound } from '../terms.ts';

/** The bounds that hold for mechanisms chosen adaptively, in any order, with parameters fixed at the start. */
export const DECLARED_BOUNDS: Readonly<Record<DeclaredBound, Bound>> = {
  'dp-optimal': dpOptimal,
  gaussian,
  'loss-distribution': lossDistribution,
  mixed,
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
