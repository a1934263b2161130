import { add, multiply, times } from '../../numeric/enclosure-arithmetic.ts';
import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import type { L2pSetting } from './setting.ts';

/** The sum of the squares of the batch sizes: B for each full batch, what is left for the last one. */
export function squaredBatches({ rounds, batch }: Pick<L2pSetting, 'rounds' | 'batch'>): Enclosure {
  const rest = rounds % batch;
  const [b, r] = [exactly(batch), exactly(rest)];
  return add(times((rounds - rest) / batch, multiply(b, b)), multiply(r, r));
}
