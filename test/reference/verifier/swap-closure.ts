import {
  PairVerification,
  type Pair,
  type Step,
} from '../../../src/composition/attack/interaction/pair-verification.ts';
import { reachable } from '../../../src/composition/attack/interaction/reachable.ts';

/** The stages of a sequence and of the same sequence swapped; null where that is not valid. */
interface Stages {
  readonly asIs: string | null;
  readonly swapped: string | null;
}

const swap = ([zero, one]: Pair): Pair => [one, zero];

const nameOf = ({ asIs, swapped }: Stages): string => JSON.stringify([asIs, swapped]);

/** Whether all pairs of a valid sequence may be swapped: so it is with every symmetric notion of neighbours. */
export function isClosedUnderSwapping(verification: PairVerification): boolean {
  const together = reachable(
    [[verification.start, verification.start] as const],
    ([stage, other]) =>
      verification.steps(stage).flatMap(({ pair, to }) => {
        const image = verification.after(other, swap(pair));
        return image === null ? [] : [[to, image] as const];
      }),
    (stages) => JSON.stringify(stages),
  );
  return together.every(([stage, other]) =>
    verification.steps(stage).every(({ pair }) => verification.after(other, swap(pair)) !== null),
  );
}

/** Its valid sequences together with all of them swapped: the smallest verification function closed under swapping. */
export function swapClosure(verification: PairVerification): PairVerification {
  const steps = (stage: string | null): readonly Step[] => (stage === null ? [] : verification.steps(stage));
  const after = (stage: string | null, pair: Pair): string | null =>
    stage === null ? null : verification.after(stage, pair);
  const movesOf = ({ asIs, swapped }: Stages): { pair: Pair; to: Stages }[] => {
    const pairs = [...steps(asIs).map(({ pair }) => pair), ...steps(swapped).map(({ pair }) => swap(pair))];
    const distinct = new Map(pairs.map((pair) => [JSON.stringify(pair), pair]));
    return [...distinct.values()].map((pair) => ({
      pair,
      to: { asIs: after(asIs, pair), swapped: after(swapped, swap(pair)) },
    }));
  };
  const start: Stages = { asIs: verification.start, swapped: verification.start };
  const all = reachable([start], (stages) => movesOf(stages).map(({ to }) => to), nameOf);
  return new PairVerification({
    start: nameOf(start),
    allows: all.flatMap((stages) =>
      movesOf(stages).map(({ pair, to }) => ({ from: nameOf(stages), pairs: [pair], to: nameOf(to) })),
    ),
  });
}
