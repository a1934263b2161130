/** An observer of long work, who is informed how far it is and may have it given up. */
export interface Watch {
  /** Called with the share of the present stage that is done, 0 to 1; may be called often. */
  readonly progress?: (share: number) => void;
  /** True once work that is under way is to be given up. */
  readonly interrupted?: () => boolean;
}

/** Thrown by work that is given up, and caught where there is another answer. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Reports how far the work is, and goes on where nobody wants it given up.
 *
 * @throws Interrupted
 */
export function advance(watch: Watch, share?: number): void {
  if (watch.interrupted?.() === true) throw new Interrupted();
  if (share !== undefined) watch.progress?.(share);
}

/** The watch over a part of the work, from one share of the whole to another. */
export function partOf({ progress, interrupted }: Watch, from: number, to: number): Watch {
  return {
    ...(progress && {
      progress: (share) => {
        progress(from + share * (to - from));
      },
    }),
    ...(interrupted && { interrupted }),
  };
}

/** The result of work; null where it is given up. */
export function unlessInterrupted<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof Interrupted) return null;
    throw error;
  }
}
