/** L2P with multiplicative weights: with y and fake switches of chance p, or without y. */
export interface Learner {
  readonly eta: number;
  readonly batch: number;
  readonly transform: { readonly p: number } | { readonly c: number };
  /** So often x and y are sampled anew at most; that one would be is seen all the same. */
  readonly cap?: number;
}

/** The losses of a round, one for each expert. */
export type Round = readonly number[];

/** The probability of everything that can be seen: x and y in every batch, and which of them were sampled anew. */
export type Law = ReadonlyMap<string, number>;

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

function weights(eta: number, losses: readonly Round[], experts: number): number[] {
  const raw = Array.from({ length: experts }, (_, i) => Math.exp(-eta * sum(losses.map((round) => round[i]!))));
  const all = sum(raw);
  return raw.map((weight) => weight / all);
}

/** The law of all that is seen, by following every path: nothing of it is shared with the accounting. */
export function lawOf({ eta, batch, transform, cap = Infinity }: Learner, losses: readonly Round[]): Law {
  const experts = losses[0]!.length;
  const law = new Map<string, number>();
  const hasY = 'p' in transform;
  const follow = (done: number, x: number, y: number, seen: string, chance: number, left: number): void => {
    if (chance === 0) return;
    const next = done + batch;
    if (next >= losses.length) {
      law.set(seen, (law.get(seen) ?? 0) + chance);
      return;
    }
    const lost = (expert: number): number => sum(losses.slice(done, next).map((round) => round[expert]!));
    const fresh = weights(eta, losses.slice(0, next), experts);
    const keepX = hasY
      ? (1 - transform.p) * Math.min(1, Math.exp(-2 * batch * eta - eta * (lost(x) - lost(y))))
      : Math.exp(-transform.c - eta * lost(x));
    const keepY = hasY ? 1 - transform.p : 1;
    const sampled = (old: number, most: number): readonly (readonly [expert: number, weight: number])[] =>
      most > 0 ? fresh.map((weight, expert) => [expert, weight] as const) : [[old, 1]];
    const after = (newX: number, starX: string, chanceX: number, most: number): void => {
      follow(next, newX, y, `${seen}|${starX}${newX}/${y}`, chance * chanceX * keepY, most);
      for (const [newY, weight] of sampled(y, most)) {
        const both = chance * chanceX * (1 - keepY) * weight;
        follow(next, newX, newY, `${seen}|${starX}${newX}/*${newY}`, both, Math.max(0, most - 1));
      }
    };
    after(x, '', keepX, left);
    for (const [newX, weight] of sampled(x, left)) after(newX, '*', (1 - keepX) * weight, Math.max(0, left - 1));
  };
  const first = weights(eta, [], experts);
  first.forEach((weightX, x) => {
    (hasY ? first : [1]).forEach((weightY, y) => {
      follow(0, x, y, `${x}/${y}`, weightX * weightY, cap);
    });
  });
  return law;
}

/** delta at epsilon between two laws, in the worse order. */
export function deltaOf(one: Law, other: Law, epsilon: number): number {
  const rise = Math.exp(epsilon);
  let [forth, back] = [0, 0];
  for (const seen of new Set([...one.keys(), ...other.keys()])) {
    const [p, q] = [one.get(seen) ?? 0, other.get(seen) ?? 0];
    forth += Math.max(0, p - rise * q);
    back += Math.max(0, q - rise * p);
  }
  return Math.max(forth, back);
}
