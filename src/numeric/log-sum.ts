import { add, exponential, log1p, subtract } from './enclosure-arithmetic.ts';
import { enclosure, exactly, type Enclosure } from './enclosure.ts';

/** ln(e^a + e^b) in doubles; nothing over- or underflows. */
export function approximateLogSum(a: number, b: number): number {
  const [low, high] = a < b ? [a, b] : [b, a];
  return high === -Infinity ? high : high + Math.log1p(Math.exp(low - high));
}

/** ln(e^a + e^b) of two doubles; `end` is the side to which it is rounded. */
function logSumEnd(a: number, b: number, end: 'lower' | 'upper'): number {
  const [high, low] = a >= b ? [a, b] : [b, a];
  if (low === -Infinity || high === Infinity) return high;
  return add(exactly(high), log1p(exponential(subtract(exactly(low), exactly(high)))))[end];
}

/** ln(e^a + e^b); nothing underflows. */
export const logSum = (a: Enclosure, b: Enclosure): Enclosure =>
  enclosure(logSumEnd(a.lower, b.lower, 'lower'), logSumEnd(a.upper, b.upper, 'upper'));
