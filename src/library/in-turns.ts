import type { Steps } from '../numeric/steps.ts';

/** So many milliseconds are worked before whatever else waits has its turn: a fraction of the time for which a page shows a frame. */
const SLICE = 10;

/** Lets everything else that waits have its turn. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 0);
  });

/** Does steps in turns with whatever else waits, first after that; throws the reason of a signal that is aborted. */
export async function inTurns<Result>(steps: Steps<Result>, signal?: AbortSignal): Promise<Result> {
  signal?.throwIfAborted();
  let end = -Infinity;
  for (;;) {
    if (performance.now() >= end) {
      await turn();
      end = performance.now() + SLICE;
    }
    signal?.throwIfAborted();
    const step = steps.next();
    signal?.throwIfAborted();
    if (step.done === true) return step.value;
  }
}
