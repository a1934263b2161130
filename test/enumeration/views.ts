import { Decimal } from '../../src/numeric/decimal.ts';
import { fakeSwitchOf, isWithoutY, type L2pSetting } from '../../src/learning/core/setting.ts';

/** The losses of one round, one for each expert, in [0, 1]. */
export type ExpertLosses = readonly number[];

/** e^(-eta total) for each expert, normalised; `totals` are the sums of earlier losses. */
export function weightsOf(eta: number, totals: ArrayLike<number>): Float64Array {
  const values = Float64Array.from(totals);
  const least = values.reduce((min, total) => Math.min(min, total), Infinity);
  const weights = values.map((total) => Math.exp(-eta * (total - least)));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** Pr[S_s = 1] of Algorithm 1 for multiplicative weights, without the chance 1 - p that no switch is fake; or e^(-c - eta L). */
function keepChanceOf(setting: L2pSetting): (lossOfX: number, lossOfY: number) => number {
  const [eta, { batch }] = [setting.eta.toNumber(), setting];
  if (isWithoutY(setting)) {
    const c = setting.switchRate.toNumber();
    return (lossOfX) => Math.exp(-c - eta * lossOfX);
  }
  return (lossOfX, lossOfY) => Math.exp(-Math.max(0, 2 * batch * eta + eta * (lossOfX - lossOfY)));
}

/**
 * A view of a run. played: x in every batch, which is what L2P outputs; states: x, y and whether any of them may
 * have been resampled (zeta of the proof of Theorem 3.2); flags: x, y and which of them was.
 */
export const VIEWS = ['played', 'states', 'flags'] as const;
export type View = (typeof VIEWS)[number];

/** The probability of everything that may be seen. */
export type OutputDistribution = ReadonlyMap<string, number>;

interface Branch {
  readonly seen: string;
  readonly x: number;
  readonly y: number;
  readonly probability: number;
}

/** Branches that look the same and go on the same are one. */
class Branches {
  readonly #known = new Map<string, { seen: string; x: number; y: number; probability: number }>();

  add(branch: Branch): void {
    const key = `${branch.seen}|${branch.x}|${branch.y}`;
    const known = this.#known.get(key);
    if (known) known.probability += branch.probability;
    else this.#known.set(key, { ...branch });
  }

  list(): readonly Branch[] {
    return [...this.#known.values()];
  }
}

/** Without y: one that is always the first expert, which nothing looks at. */
const NO_Y = Float64Array.of(1);

const label = (view: View, x: number, y: number, newX: boolean, newY: boolean): string => {
  switch (view) {
    case 'played':
      return `${x}`;
    case 'states':
      return `${x},${y}${newX || newY ? '*' : ''}`;
    case 'flags':
      return `${newX ? '*' : ''}${x},${newY ? '*' : ''}${y}`;
  }
};

/** The losses of each batch, added up, for every expert. */
function batchSums(losses: readonly ExpertLosses[], batch: number): number[][] {
  const [first] = losses;
  if (first === undefined) throw new RangeError('there are no losses');
  return Array.from({ length: Math.ceil(losses.length / batch) }, (_, s) =>
    first.map((_, expert) =>
      losses.slice(s * batch, (s + 1) * batch).reduce((sum, round) => sum + (round[expert] ?? 0), 0),
    ),
  );
}

/**
 * The exact law of what is seen of L2P with multiplicative weights on these losses, in doubles, by listing everything
 *that can happen: for a few batches and experts.
 *
 * Source: Asi, Koren, Liu, Talwar (2024), Algorithm 1.
 */
export function outputDistribution(
  setting: L2pSetting,
  losses: readonly ExpertLosses[],
  view: View,
): OutputDistribution {
  const { batch, eta } = setting;
  const [e, real] = [eta.toNumber(), new Decimal(1).minus(fakeSwitchOf(setting)).toNumber()];
  const keepChance = keepChanceOf(setting);
  const sums = batchSums(losses, batch);
  const totals = Float64Array.from(sums[0] ?? [], () => 0);
  const start = weightsOf(e, totals);
  const begun = new Branches();
  start.forEach((probabilityOfX, x) => {
    (isWithoutY(setting) ? NO_Y : start).forEach((probabilityOfY, y) => {
      begun.add({ seen: label(view, x, y, false, false), x, y, probability: probabilityOfX * probabilityOfY });
    });
  });
  let branches = begun.list();
  for (const sum of sums.slice(0, -1)) {
    sum.forEach((loss, expert) => (totals[expert]! += loss));
    const weights = weightsOf(e, totals);
    const next = new Branches();
    for (const { seen, x, y, probability } of branches) {
      const kept = real * keepChance(sum[x]!, sum[y]!);
      const choices = (now: number, keep: number): { state: number; fresh: boolean; chance: number }[] => [
        { state: now, fresh: false, chance: keep },
        ...Array.from(weights, (weight, state) => ({ state, fresh: true, chance: (1 - keep) * weight })),
      ];
      for (const nextX of choices(x, kept)) {
        for (const nextY of choices(y, real)) {
          next.add({
            seen: `${seen} ${label(view, nextX.state, nextY.state, nextX.fresh, nextY.fresh)}`,
            x: nextX.state,
            y: nextY.state,
            probability: probability * nextX.chance * nextY.chance,
          });
        }
      }
    }
    branches = next.list();
  }
  const law = new Map<string, number>();
  for (const { seen, probability } of branches) law.set(seen, (law.get(seen) ?? 0) + probability);
  return law;
}

/** The delta at epsilon between two laws of the same view: the larger one of both orders. */
export function deltaBetween(one: OutputDistribution, other: OutputDistribution, epsilon: number): number {
  const rise = Math.exp(epsilon);
  const excess = (p: OutputDistribution, q: OutputDistribution): number => {
    let sum = 0;
    for (const [seen, mass] of p) sum += Math.max(0, mass - rise * (q.get(seen) ?? 0));
    return sum;
  };
  return Math.max(excess(one, other), excess(other, one));
}

/** The largest privacy loss between two laws of the same view, in either order; what neither ever shows has none. */
export function largestLossBetween(one: OutputDistribution, other: OutputDistribution): number {
  let largest = 0;
  for (const [seen, mass] of one) {
    const against = other.get(seen) ?? 0;
    if (mass > 0 || against > 0) largest = Math.max(largest, Math.abs(Math.log(mass / against)));
  }
  return largest;
}
