import { Decimal } from '../numeric/decimal.ts';
import type { ComposedEntry } from '../bounds/bound.ts';
import type { Entry } from '../privacy/mechanism.ts';

const Up = Decimal.clone({ precision: 60, rounding: 0 });

/** Laplace noise as the (sensitivity / scale, 0)-DP mechanism it is; the quotient is rounded up at 60 digits. */
export function lowerLaplace(entry: Entry): ComposedEntry {
  const { mechanism } = entry;
  if (mechanism.type !== 'laplace') return { ...entry, mechanism };
  const epsilon = new Decimal(new Up(mechanism.sensitivity).div(mechanism.scale));
  return { ...entry, mechanism: { type: 'dp', epsilon, delta: new Decimal(0) } };
}
