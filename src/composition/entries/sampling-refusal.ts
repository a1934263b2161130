import { toLower, toUpper } from '../../numeric/decimal.ts';
import type { Bracket, LowerBound } from '../../numeric/enclosure.ts';
import { squareRoot } from '../../numeric/enclosure-arithmetic.ts';
import { relationsOf, type Entry, type Sampled } from '../../privacy/mechanism.ts';
import type { SamplingRefusal } from '../core/outcome.ts';
import type { Query } from '../../privacy/curve.ts';
import { rationalOf } from '../../privacy/sampling/rate.ts';
import { muSquaredOfNoise } from '../../privacy/gaussian.ts';
import { shuffledLowerBound } from '../../privacy/sampling/shuffled-lower-bound.ts';

/** How entries cost that are no shuffled ones. */
export type CostOf = (entries: readonly Entry[], query: Query) => Bracket | null;

const isShuffled = (entry: Entry): entry is Entry<Sampled> =>
  entry.mechanism.type === 'sampled' && entry.mechanism.scheme === 'shuffled';

const LARGEST_BATCHES = 1e8;
/** Epochs that are looked at: what is known of fewer is known of more. */
const MOST_EPOCHS = 64;

/** At most sensitivity over sigma of the noise on a sample; null of other noise. */
function muBelow({ of }: Sampled): number | null {
  if (of.type === 'gdp') return toLower(of.mu);
  return of.type === 'gaussian' ? squareRoot(muSquaredOfNoise(of)).lower : null;
}

/** What batches of one entry cost at least. */
function leastOf(mechanism: Sampled, count: number, query: Query): LowerBound | null {
  const mu = muBelow(mechanism);
  const rate = rationalOf(mechanism.rate);
  if (mu === null || mu <= 0 || rate.isZero()) return null;
  // No more batches than these are in an epoch.
  const batches = Number((rate.denominator + rate.numerator - 1n) / rate.numerator);
  const epochs = Math.min(MOST_EPOCHS, Math.floor(count / batches));
  if (batches > LARGEST_BATCHES || epochs < 1) return null;
  const bound = shuffledLowerBound({ mu, batches, epochs, neighbours: mechanism.neighbours });
  return query.solveFor === 'epsilon' ? bound.epsilon(toLower(query.delta)) : bound.delta(toUpper(query.epsilon));
}

/** What samples are for: a record, or the records of a person. */
const unitsOf = ({ mechanism }: Entry): string[] => {
  if (mechanism.type === 'selection') return mechanism.of.flatMap(unitsOf);
  if (mechanism.type !== 'sampled') return [];
  return [mechanism.records === undefined ? 'one record' : 'the records of a person'];
};

/** The refusal of entries for the samples among them; null where there is none. */
export function samplingRefusal(entries: readonly Entry[], query: Query, costOf: CostOf): SamplingRefusal | null {
  const relations = [...new Set(entries.flatMap(relationsOf))];
  if (relations.length > 1) return { code: 'mixed-neighbours', relations };
  const units = [...new Set(entries.flatMap(unitsOf))];
  if (units.length > 1) return { code: 'mixed-neighbours', relations: units };
  const shuffled = entries.filter(isShuffled);
  if (shuffled.length === 0) return null;
  const lowerBounds = shuffled.flatMap(({ mechanism, count }) => leastOf(mechanism, count, query) ?? []);
  const poisson = entries.map((entry) =>
    isShuffled(entry)
      ? { ...entry, mechanism: { ...entry.mechanism, scheme: 'poisson', neighbours: 'add-remove' } as const }
      : entry,
  );
  return {
    code: 'shuffled-batches',
    solveFor: query.solveFor,
    least: lowerBounds.reduce<LowerBound | null>((max, bound) => (max !== null && max >= bound ? max : bound), null),
    asPoisson: costOf(poisson, query)?.upper ?? null,
  };
}
