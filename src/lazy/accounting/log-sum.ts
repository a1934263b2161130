import { add, exponential, log1p, subtract } from '../../numeric/enclosure-arithmetic.ts';
import { enclosure, type Enclosure } from '../../numeric/enclosure.ts';

/** ln(e^a + e^b) of two doubles; `end` says to which side it is rounded. */
function logAdd(a: number, b: number, end: 'lower' | 'upper'): number {
  const [high, low] = a >= b ? [a, b] : [b, a];
  if (low === -Infinity || high === Infinity) return high;
  const [top, bottom] = [enclosure(high, high), enclosure(low, low)];
  return add(top, log1p(exponential(subtract(bottom, top))))[end];
}

/** ln(e^a + e^b); nothing underflows. */
export const logSum = (a: Enclosure, b: Enclosure): Enclosure =>
  enclosure(logAdd(a.lower, b.lower, 'lower'), logAdd(a.upper, b.upper, 'upper'));
