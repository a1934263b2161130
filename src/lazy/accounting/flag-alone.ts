import { decimalFromDouble } from '../../numeric/decimal.ts';
import { expm1, logarithm, negate } from '../../numeric/enclosure-arithmetic.ts';
import { enclosure, exactly, type Enclosure } from '../../numeric/enclosure.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { afterFlag, type Flag } from './first-flag.ts';
import { worstOf } from './worst-of.ts';

/** ln (1 - e^x) where x is below 0: delta at x of nothing at all. */
const logExcess = (x: number): Enclosure =>
  x < 0 ? logarithm(negate(expm1(exactly(x)))) : enclosure(-Infinity, -Infinity);

const nothing = ({ lower, upper }: Enclosure): Enclosure => enclosure(logExcess(upper).lower, logExcess(lower).upper);

/** The curve of a flag after which nothing is sampled, in both orders of the neighbours: that of its two outcomes, to rounding. */
export const flagAlone = (flags: readonly Flag[]): FiniteLossCurve =>
  worstOf(
    flags.map((flag) => ({
      maximum: decimalFromDouble(flag[0].loss.upper),
      logDelta: afterFlag(flag, nothing),
    })),
  );
