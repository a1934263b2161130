import { Decimal, ONE, quotientUp } from '../../numeric/decimal.ts';
import { failureOfPair, largestLossOf, swapped } from '../finite-pair.ts';
import type { Sampled, SampledBase } from '../mechanism.ts';
import type { Direction } from './sampled-law.ts';
import { isSeveral, recordsOf } from './several-records.ts';

const Precise = Decimal.clone({ precision: 60 });
const Up = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_UP });
/** What elementary functions of 60 digits may be off by, many times. */
const MORE = new Decimal('1e-50');

/** At least the largest l, and the largest -l, of a mechanism's finite losses; null where there is none. */
interface Extremes {
  readonly gain: Decimal | null;
  readonly fall: Decimal | null;
}

function extremesOf(mechanism: SampledBase): Extremes {
  const both = (loss: Decimal | null): Extremes => ({ gain: loss, fall: loss });
  switch (mechanism.type) {
    case 'gaussian':
    case 'gdp':
    case 'discrete-gaussian':
      return both(null);
    case 'dp':
      return { gain: mechanism.epsilon, fall: mechanism.delta.isZero() ? mechanism.epsilon : null };
    case 'laplace':
    case 'discrete-laplace':
      return both(quotientUp(mechanism.sensitivity, mechanism.scale));
    case 'finite-pair': {
      const other = swapped(mechanism);
      const [gain, fall] = [largestLossOf(mechanism), largestLossOf(other)];
      const isSeen =
        failureOfPair(other).isZero() && (mechanism.direction === 'fixed' || failureOfPair(mechanism).isZero());
      const largest = Decimal.max(gain, fall);
      return mechanism.direction === 'fixed'
        ? { gain, fall: isSeen ? fall : null }
        : { gain: largest, fall: isSeen ? largest : null };
    }
  }
}

/** ln(rest + rate e^x), x >= 0, rounded up at 40 digits. */
const raised = (rate: Decimal, x: Decimal): Decimal =>
  new Decimal(new Up(new Precise(x).exp().minus(1).times(rate).plus(1).ln()).plus(MORE));

/** -ln(rest + rate e^-x), x >= 0 or null for infinite, rounded up at 40 digits; null where that is infinite. */
function lowered(rate: Decimal, x: Decimal | null): Decimal | null {
  const less = x === null ? new Precise(-1) : new Precise(x).neg().exp().minus(1);
  const share = less.times(rate).plus(1);
  return share.isZero() ? null : new Decimal(new Up(share.ln().neg()).plus(MORE));
}

/**
 * No finite loss of a sampled mechanism exceeds this; null where losses are unbounded. Of Poisson samples: a removal has
 * ln(1 + q (e^l - 1)), l the largest loss, an addition -ln(1 - q (1 - e^-l)), l that of the neighbours exchanged; without
 * replacement the larger, the first. Of several records that are all added as many times that of one.
 */
export function largestSampledLoss(mechanism: Sampled, direction: Direction): Decimal | null {
  const { of, scheme, rate } = mechanism;
  const { gain, fall } = extremesOf(of);
  // Rounded so that the loss is not smaller.
  const share = new Decimal(new Up(rate.numerator).div(rate.denominator));
  const q = Decimal.min(ONE, share);
  if (isSeveral(mechanism)) {
    const { gained, lost } = recordsOf(mechanism);
    return direction === 'add' && lost === 0 ? (lowered(q, null)?.times(gained) ?? null) : null;
  }
  if (scheme === 'poisson' && direction === 'add') return lowered(q, fall);
  return gain === null ? null : raised(q, gain);
}
