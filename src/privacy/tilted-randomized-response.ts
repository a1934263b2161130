import { encloseDecimal } from '../numeric/decimal.ts';
import { multiply } from '../numeric/enclosure-arithmetic.ts';
import { exactly, type Enclosure } from '../numeric/enclosure.ts';
import type { Probability } from '../numeric/binomial.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from '../numeric/rounding.ts';
import { pureDpMoment } from './log-moment.ts';
import type { PureGroup } from './pure-group.ts';

/** A group of randomized responses under the exponentially tilted law: again randomized responses, with (1 + 2 tilt) e. */
export interface TiltedGroup {
  /** Probability (tilted) of the loss -e; the complement belongs to +e. */
  readonly minus: Probability;
  /** ln E[e^(tilt L)] of the whole group. */
  readonly logScale: Enclosure;
}

/** Requires (1 + 2 tilt) e of at most about 700. */
export function tiltGroup({ epsilon, count }: PureGroup, tilt: number): TiltedGroup {
  const sharpened = (1 + 2 * tilt) * epsilon.toNumber();
  const small = Math.exp(-sharpened);
  const complement = 1 / (1 + small);
  return {
    minus: { value: small * complement, complement, error: ELEMENTARY_ERROR + (5 + 4 * sharpened) * U },
    logScale: multiply(exactly(count), pureDpMoment(encloseDecimal(epsilon))(tilt)),
  };
}
