import type { Decimal } from '../../src/numeric/decimal.ts';

/**
 * Mechanisms on samples by their definition: every sample of a small data set, with its probability, and what a mechanism
 * does on it. Nothing of a theorem about sampling is in it.
 */

/** Probabilities of the outcomes. */
export type Outcomes = readonly number[];

/** The distribution that a mechanism has on the records drawn. */
export type OnSample = (drawn: readonly number[]) => Outcomes;

/** Samples of a data set by their records' places, with their probabilities. */
export type Scheme = (size: number) => readonly { readonly places: readonly number[]; readonly weight: number }[];

const subsets = (size: number): number[][] =>
  Array.from({ length: 2 ** size }, (_, set) =>
    Array.from({ length: size }, (_each, i) => i).filter((i) => (set >> i) & 1),
  );

/** Every record with the probability `rate`, on its own. */
export const poissonSamples =
  (rate: number): Scheme =>
  (size) =>
    subsets(size).map((places) => ({ places, weight: rate ** places.length * (1 - rate) ** (size - places.length) }));

/** `drawn` records, every set of so many alike. */
export const samplesOfSize =
  (drawn: number): Scheme =>
  (size) => {
    const all = subsets(size).filter(({ length }) => length === drawn);
    return all.map((places) => ({ places, weight: 1 / all.length }));
  };

/** The distribution of a mechanism on a sample of the data. */
export function onSamples(scheme: Scheme, data: readonly number[], mechanism: OnSample): Outcomes {
  const sum: number[] = [];
  for (const { places, weight } of scheme(data.length)) {
    mechanism(places.map((i) => data[i]!)).forEach((x, i) => (sum[i] = (sum[i] ?? 0) + weight * x));
  }
  return sum;
}

/** What an adversary may run in one round, each as its distributions on two neighbouring data sets. */
export type Choices = readonly { readonly here: Outcomes; readonly there: Outcomes }[];

/** The hockey-stick divergence at y = e^eps of `rounds` rounds whose mechanisms are chosen by what came out before. */
export function adaptiveDelta(choices: Choices, rounds: number, y: number): number {
  const best = (left: number, p: number, q: number): number => {
    if (left === 0) return Math.max(0, p - y * q);
    return choices.reduce((most, { here, there }) => {
      const value = here.reduce((sum, x, i) => (p * x === 0 ? sum : sum + best(left - 1, p * x, q * there[i]!)), 0);
      return Math.max(most, value);
    }, 0);
  };
  return best(rounds, 1, 1);
}

/** (1 - t) p + t q. */
export const between = (p: readonly Decimal[], q: readonly Decimal[], t: number): Outcomes =>
  p.map((x, i) => (1 - t) * x.toNumber() + t * q[i]!.toNumber());
