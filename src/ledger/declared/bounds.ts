import { advancedDrv } from '../../bounds/closed-form/advanced-drv.ts';
import { advancedKov } from '../../bounds/closed-form/advanced-kov.ts';
import { basic } from '../../bounds/closed-form/basic.ts';
import type { Bound } from '../../bounds/core/bound.ts';
import { brAdaptive } from '../../bounds/bounded-range/adaptive.ts';
import { brDr19 } from '../../bounds/bounded-range/dr19.ts';
import { brMgf } from '../../bounds/bounded-range/mgf.ts';
import { brOptKl } from '../../bounds/bounded-range/optkl.ts';
import { brRdp } from '../../bounds/bounded-range/rdp.ts';
import { dpOptimal } from '../../bounds/dp-optimal/dp-optimal.ts';
import { gaussian } from '../../bounds/closed-form/gaussian.ts';
import { lossDistribution } from '../../bounds/loss-distribution/loss-distribution.ts';
import { mixed } from '../../bounds/mixed/mixed.ts';
import { rdp } from '../../bounds/renyi/rdp.ts';
import { zcdp } from '../../bounds/renyi/zcdp.ts';
import type { DeclaredBound } from '../core/terms.ts';
import { mergeEqual } from '../../privacy/mechanism-key.ts';
import type { DeclaredTogether } from '../core/guarantee.ts';

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

const effort = { exhausted: () => false };

/** The bound for all that is declared, or why it gives none: the mechanisms are chosen adaptively, in any order. */
export const appliedToDeclared = ({ bound, entries }: Omit<DeclaredTogether, 'type'>): ReturnType<Bound['apply']> =>
  DECLARED_BOUNDS[bound].apply({ entries: mergeEqual(entries, 'any'), adaptivity: 'adaptive', order: 'any' }, effort);
