/** One set of mechanisms left to play, and which of them may be the first. */
export interface Stage {
  /** How many of each move are left. */
  readonly counts: readonly number[];
  readonly options: readonly Option[];
}

/** A move (one mechanism of a parameter, or single pairs together) leads to a stage of the layer before. */
export interface Option {
  readonly move: number;
  readonly rest: number;
}

/** Stages by the number of mechanisms left: layer 0 has none left, the last layer is the whole composition. */
export type Layers = readonly (readonly Stage[])[];

/** How many sets there are to choose from where any mechanism may be next. */
export const stagesInAnyOrder = (counts: readonly number[]): number =>
  counts.reduce((product, count) => product * (count + 1), 1);

/** The adversary chooses which mechanism is next: a stage for every multiset that can be left. */
export function anyOrder(counts: readonly number[]): Layers {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const layers: Stage[][] = [[{ counts: counts.map(() => 0), options: [] }]];
  for (let left = 1; left <= total; left++) {
    const before = layers[left - 1]!;
    const found = new Map<string, { counts: readonly number[]; options: Option[] }>();
    before.forEach((stage, rest) => {
      stage.counts.forEach((count, move) => {
        if (count >= counts[move]!) return;
        const next = stage.counts.map((c, p) => (p === move ? c + 1 : c));
        const key = next.join();
        const stageThere = found.get(key) ?? { counts: next, options: [] };
        stageThere.options.push({ move, rest });
        found.set(key, stageThere);
      });
    });
    layers.push([...found.values()]);
  }
  return layers;
}

/** Moves are made as listed, `groups` one after the other: one stage for every number that is left. */
export function declaredOrder(
  groups: readonly { readonly move: number; readonly count: number }[],
  moves: number,
): Layers {
  const layers: Stage[][] = [[{ counts: Array.from({ length: moves }, () => 0), options: [] }]];
  // The last to be played is the first to be solved.
  for (const { move, count } of [...groups].reverse()) {
    for (let n = 0; n < count; n++) {
      const counts = layers.at(-1)![0]!.counts.map((c, p) => (p === move ? c + 1 : c));
      layers.push([{ counts, options: [{ move, rest: 0 }] }]);
    }
  }
  return layers;
}
