import { differs, type PairVerification } from '../../../src/composition/attack/interaction/pair-verification.ts';
import { reachable } from '../../../src/composition/attack/interaction/reachable.ts';

/** Whether all pairs are identical wherever the first one is (Henzinger, Safavi, Vadhan 2025, Def 5.12). */
export function isFirstPairConsistent(verification: PairVerification): boolean {
  const equal = verification.steps(verification.start).filter(({ pair }) => !differs(pair));
  const stages = reachable(
    equal.map(({ to }) => to),
    (stage) => verification.steps(stage).map(({ to }) => to),
    (stage) => stage,
  );
  return stages.every((stage) => verification.steps(stage).every(({ pair }) => !differs(pair)));
}
