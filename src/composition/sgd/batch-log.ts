/** The batches of a training as they were recorded, in the order of the steps, from the beginning of an epoch on. */
export interface BatchLog {
  /** The number of examples. */
  readonly examples: number;
  /** The claimed size of batches, expected or exact. */
  readonly batch: number;
  readonly sizes: readonly number[];
  /** The examples of each batch, by numbers from 0 to at most `examples` less 1; null where only sizes are known. */
  readonly members: readonly (readonly number[])[] | null;
}

/** `batches` from one on, as they follow each other. */
export interface Epoch {
  /** Of its first batch, from 0. */
  readonly first: number;
  readonly sizes: readonly number[];
  /** How often each example is in it, and in which of its batches it was last; null where only sizes are known. */
  readonly places: { readonly times: Uint32Array; readonly last: Int32Array } | null;
}

/** The epochs of so many batches each; the last may have fewer. */
export function* epochsOf({ examples, sizes, members }: BatchLog, batches: number): Generator<Epoch> {
  for (let first = 0; first < sizes.length; first += batches) {
    const own = sizes.slice(first, first + batches);
    if (members === null) {
      yield { first, sizes: own, places: null };
      continue;
    }
    const [times, last] = [new Uint32Array(examples), new Int32Array(examples).fill(-1)];
    for (let at = 0; at < own.length; at++) {
      for (const example of members[first + at]!) {
        times[example]!++;
        last[example] = at;
      }
    }
    yield { first, sizes: own, places: { times, last } };
  }
}

/** The first batch that has an example twice; null where none has. */
export function batchWithTwice({ examples, members }: BatchLog): number | null {
  const seenIn = new Int32Array(examples).fill(-1);
  const place = members?.findIndex((batch, at) =>
    batch.some((example) => {
      const isTwice = seenIn[example] === at;
      seenIn[example] = at;
      return isTwice;
    }),
  );
  return place === undefined || place < 0 ? null : place;
}

/** How many examples each pair of batches has in common: of batches `distance` apart that `isPair` by the place of the first. */
export function overlapsOf(
  { examples, members }: BatchLog,
  distance: number,
  isPair: (first: number) => boolean = () => true,
): number[] {
  if (members === null) return [];
  const lastIn = new Int32Array(examples).fill(-1);
  const overlaps: number[] = [];
  for (let first = 0; first + distance < members.length; first++) {
    if (!isPair(first)) continue;
    for (const example of members[first]!) lastIn[example] = first;
    overlaps.push(members[first + distance]!.reduce((sum, example) => sum + Number(lastIn[example] === first), 0));
  }
  return overlaps;
}
