import type { BoundId } from '../../src/bounds/core/bound.ts';
import type { Random } from './random.ts';
import { drawRandomizer } from './shuffled.ts';
import type { BestOf, CaseSpec, EntrySpec, QuerySpec, Sampling } from './specification.ts';

/** A class of cases: how often it is drawn, and how one is made. */
export interface CaseClass {
  readonly name: string;
  readonly weight: number;
  readonly make: (random: Random) => Omit<CaseSpec, 'class'>;
}

const decimalText = (x: number, digits: number): string => Number(x.toPrecision(digits)).toString();
const digitsOf = (random: Random): number => random.whole(1, 9);

interface Moments {
  mean: number;
  variance: number;
  maximum: number;
}

/** The same on a sample. */
function onSample(base: Moments, { rate, records = 1, isReplaced = false }: Sampling): Moments {
  const { mean, variance, maximum } = base;
  const drawn = (Number(rate[0]) / Number(rate[1])) * records * (isReplaced ? 2 : 1);
  const sampled = Math.min(variance, drawn ** 2 * Math.expm1(Math.min(variance, 20)));
  const most = Math.max(
    Math.log1p(drawn * Math.expm1(Math.min(maximum, 600))),
    -Math.log1p(-drawn * -Math.expm1(-maximum)),
  );
  return { mean: Math.min(mean, sampled / 2), variance: sampled, maximum: maximum === Infinity ? Infinity : most };
}

/** About the moments of one mechanism's loss, to ask where something happens. */
const momentsOf = (entry: EntrySpec): Moments =>
  entry.sampling ? onSample(baseMoments(entry), entry.sampling) : baseMoments(entry);

function baseMoments(entry: EntrySpec): Moments {
  switch (entry.type) {
    case 'dp': {
      const e = Number(entry.epsilon);
      return { mean: e * Math.tanh(e / 2), variance: (e / Math.cosh(Math.min(e / 2, 300))) ** 2, maximum: e };
    }
    case 'bounded-range': {
      const e = Number(entry.epsilon);
      return { mean: Math.min((e * e) / 8, e / 2), variance: (e * e) / 4, maximum: e };
    }
    case 'laplace':
    case 'discrete-laplace': {
      const e = Number(entry.sensitivity) / Number(entry.scale);
      return { mean: e - 1 + Math.exp(-e), variance: Math.min(e * e * (2 / 3 + e), 3), maximum: e };
    }
    case 'gaussian':
    case 'discrete-gaussian': {
      const mu = Number(entry.sensitivity) / Number(entry.sigma);
      return { mean: (mu * mu) / 2, variance: mu * mu, maximum: Infinity };
    }
    case 'gdp': {
      const mu = Number(entry.mu);
      return { mean: (mu * mu) / 2, variance: mu * mu, maximum: Infinity };
    }
    case 'shuffled-reports': {
      const gain = Math.expm1(Number(entry.localEpsilon));
      const symbols = entry.isAny ? 2 : entry.categories;
      const variance = (2 * gain ** 2) / (gain + symbols) / entry.users;
      return { mean: variance / 2, variance, maximum: Number(entry.localEpsilon) };
    }
    case 'finite-pair': {
      let [mean, square, maximum] = [0, 0, 0];
      entry.p.forEach((text, i) => {
        const [p, q] = [Number(text), Number(entry.q[i])];
        if (p === 0 || q === 0) return;
        const loss = Math.log(p / q);
        mean += p * loss;
        square += p * loss * loss;
        maximum = Math.max(maximum, Math.abs(loss));
      });
      return { mean, variance: Math.max(0, square - mean * mean), maximum };
    }
  }
}

const total = (entries: readonly EntrySpec[]): Moments =>
  entries.reduce<Moments>(
    (sum, entry) => {
      const one = momentsOf(entry);
      return {
        mean: sum.mean + entry.count * one.mean,
        variance: sum.variance + entry.count * one.variance,
        maximum: sum.maximum + entry.count * one.maximum,
      };
    },
    { mean: 0, variance: 0, maximum: 0 },
  );

/** delta from 0.4 down to `smallest`, half of them above 1e-15. */
function anyDelta(random: Random, smallest = 1e-60): string {
  const lowest = random.chance(0.5) ? Math.max(1e-15, smallest) : smallest;
  return decimalText(random.logBetween(lowest, 0.4), digitsOf(random));
}

/** An epsilon from a little below the mean loss to far out in its tail, sometimes at a special place or negative. */
function anyEpsilon(random: Random, entries: readonly EntrySpec[], deepest = 10): string {
  const { mean, variance, maximum } = total(entries);
  const special = random.next();
  if (special < 0.03) return '0';
  if (special < 0.06 && Number.isFinite(maximum)) return decimalText(maximum, random.whole(1, 17));
  const deviation = Math.sqrt(variance);
  const raw = mean + random.between(-2, deepest) * deviation;
  const inside = Number.isFinite(maximum) ? Math.max(-1.01 * maximum, Math.min(1.01 * maximum, raw)) : raw;
  const capped = special < 0.5 ? Math.min(inside, 0.999 * maximum) : inside;
  return decimalText(special > 0.95 ? -Math.abs(capped) : capped, random.whole(2, 15));
}

const anyQuery = (random: Random, entries: readonly EntrySpec[], deepest?: number, smallest?: number): QuerySpec =>
  random.chance(0.55) ? { delta: anyDelta(random, smallest) } : { epsilon: anyEpsilon(random, entries, deepest) };

type Responses = Extract<EntrySpec, { type: 'dp' }>;

/** Gives some of the entries failures that mostly leave the query feasible. */
function withFailures(random: Random, entries: readonly Responses[], query: QuerySpec): Responses[] {
  if (random.chance(0.5)) return [...entries];
  const copies = entries.reduce((sum, { count }) => sum + count, 0);
  const target = 'delta' in query ? Number(query.delta) : random.logBetween(1e-40, 0.1);
  const share = random.chance(0.08) ? 1.5 : random.between(0.001, 0.99);
  return entries.map((entry) =>
    random.chance(0.3)
      ? entry
      : {
          ...entry,
          delta: decimalText(Math.min(0.4, (target * share * random.between(0.5, 1)) / copies), digitsOf(random)),
        },
  );
}

const KINDS = ['noninteractive', 'noninteractive', 'noninteractive', 'interactive', 'continual'] as const;

function response(random: Random, epsilon: string, count = 1): Responses {
  const kind = random.pick(KINDS);
  return { type: 'dp', epsilon, count, ...(kind === 'noninteractive' ? {} : { kind }) };
}

/** Whole numbers of at least 0 that sum to `whole`, some of them 0, sometimes some of them tiny. */
function composition(random: Random, parts: number, whole: number): number[] {
  const weights = random.times(parts, () =>
    random.chance(0.1) ? 0 : random.chance(0.15) ? random.logBetween(1e-9, 1) : random.between(0.05, 1),
  );
  const sum = weights.reduce((a, b) => a + b, 0) || 1;
  const numbers = weights.map((w) => Math.floor((w / sum) * whole));
  const rest = whole - numbers.reduce((a, b) => a + b, 0);
  const place = random.whole(0, parts - 1);
  return numbers.map((n, i) => (i === place ? n + rest : n));
}

function finitePair(
  random: Random,
  outcomes: number,
  direction: 'either' | 'fixed',
  count: number,
  symmetric = false,
): EntrySpec {
  const places = random.pick([2, 3, 4, 9]);
  const list = (): string[] =>
    composition(random, outcomes, 10 ** places).map((n) => `${n.toString()}e-${places.toString()}`);
  const p = list();
  return { type: 'finite-pair', p, q: symmetric ? p.toReversed() : list(), direction, count };
}

type Of<T> = Extract<EntrySpec, { type: T }>;

/** Tables beside less noise, relative to its sensitivity, take up to a minute. */
const LEAST_BESIDE_RANGES = 0.1;

/** So little noise that most losses weigh nothing. */
const isSharp = (random: Random): boolean => random.chance(0.1);

const laplace = (random: Random, count: number): Of<'laplace' | 'discrete-laplace'> => ({
  type: 'laplace',
  scale: decimalText(isSharp(random) ? random.logBetween(0.02, 0.2) : random.logBetween(0.2, 1000), digitsOf(random)),
  sensitivity: random.chance(0.7) ? '1' : decimalText(random.between(0.2, 3), 3),
  count,
});

const discreteLaplace = (random: Random, count: number, most = 4, sharpest = 0.005): EntrySpec => {
  const sensitivity = random.whole(1, most);
  return {
    type: 'discrete-laplace',
    scale: decimalText(
      (isSharp(random) ? random.logBetween(sharpest, 0.3) : random.logBetween(0.3, 300)) * sensitivity,
      digitsOf(random),
    ),
    sensitivity: sensitivity.toString(),
    count,
  };
};

const gaussian = (random: Random, count: number): Of<'gaussian' | 'discrete-gaussian'> => ({
  type: 'gaussian',
  sigma: decimalText(random.logBetween(0.3, 300), digitsOf(random)),
  sensitivity: random.chance(0.7) ? '1' : decimalText(random.between(0.2, 3), 3),
  count,
});

const anyTolerance = (random: Random): number => random.pick([1e-2, 1e-3, 1e-4, 1e-5, 1e-6]);

/** Mostly the bounds at stake alone: the others take most of the time. */
const mostly = (random: Random, ...bounds: BoundId[]): { bounds?: BoundId[] } =>
  random.chance(0.75) ? { bounds } : {};

function homogeneous(random: Random, count: number, largestEpsilon: number): Omit<CaseSpec, 'class'> {
  const entry = response(random, decimalText(random.logBetween(1e-6, largestEpsilon), digitsOf(random)), count);
  const query = anyQuery(random, [entry]);
  return { entries: withFailures(random, [entry], query), query, ...mostly(random, 'dp-optimal', 'basic') };
}

/** Different values with few decimals, whose sums lie on a small lattice. */
function latticeEntries(random: Random, distinct: number, mostCount: number, unit: number, steps: number): Responses[] {
  const places = Math.round(-Math.log10(unit));
  const values = new Set(random.times(distinct, () => random.whole(1, steps)));
  return [...values].map((n) => response(random, (n * unit).toFixed(places), random.whole(1, mostCount)));
}

/** Decimals of 6 to 12 digits without a common divisor to speak of. */
function oddResponses(random: Random, distinct: number): Responses[] {
  const typical = random.logBetween(0.01, 2);
  return random.times(distinct, () => {
    const digits = random.whole(6, 12);
    const e = typical * random.between(0.1, 2);
    return response(random, e.toFixed(Math.max(1, digits - Math.floor(Math.log10(e)) - 1)));
  });
}

const boundedRange = (random: Random, count: number, most = 5): EntrySpec => ({
  type: 'bounded-range',
  epsilon: decimalText(random.logBetween(0.001, most), digitsOf(random)),
  count,
});

type Setting = Pick<CaseSpec, 'adaptivity' | 'order'>;

const ANY: Setting = { adaptivity: 'adaptive' };
const DECLARED: Setting = { adaptivity: 'adaptive', order: 'declared' };
const FIXED: Setting = { adaptivity: 'nonadaptive' };

/** A few bounded-range parameters of like size, some of them equal, some with a common divisor. */
function ranges(random: Random, most: number): EntrySpec[] {
  const typical = random.logBetween(1e-3, 4);
  const digits = random.pick([1, 2, 9]);
  const list = random.times(random.whole(2, most), () => decimalText(typical * random.logBetween(0.15, 1), digits));
  return list.map((epsilon, i) => ({
    type: 'bounded-range',
    epsilon: i > 0 && random.chance(0.2) ? list[0]! : epsilon,
    count: 1,
  }));
}

function different(random: Random, setting: Setting, most: number): Omit<CaseSpec, 'class'> {
  const entries = ranges(random, most);
  const bound = setting.adaptivity === 'nonadaptive' ? 'br-nonadaptive' : 'br-adaptive';
  const tolerance = random.pick([1e-2, 1e-3, 1e-4]);
  return { entries, query: anyQuery(random, entries, 6, 1e-30), ...setting, tolerance, ...mostly(random, bound) };
}

/** One to three bounded-range mechanisms and one or two others of few outcomes, in any places. */
function mixture(random: Random, setting: Setting): Omit<CaseSpec, 'class'> {
  const ranged = ranges(random, 3).slice(0, random.pick([1, 1, 2, 2, 3]));
  const single = (): EntrySpec => {
    const kind = random.whole(0, 3);
    if (kind === 0)
      return finitePair(random, random.whole(2, 3), random.pick(['either', 'fixed']), 1, random.chance(0.5));
    if (kind === 1) return discreteLaplace(random, 1, 2, LEAST_BESIDE_RANGES);
    return response(random, decimalText(random.logBetween(0.003, 3), digitsOf(random)));
  };
  const others = random.times(random.whole(1, 2), single);
  const query = anyQuery(random, [...ranged, ...others], 6, 1e-30);
  const failing = others.flatMap((entry): EntrySpec[] =>
    entry.type === 'dp' ? withFailures(random, [entry], query) : [entry],
  );
  const entries: EntrySpec[] = [...ranged];
  for (const entry of failing) entries.splice(random.whole(0, entries.length), 0, entry);
  const tolerance = random.pick([1e-2, 1e-3, 1e-4]);
  return { entries, query, ...setting, tolerance, ...mostly(random, 'mixed', 'basic') };
}

/** One in so many cases of everything is drawn from nothing, from all records, or from next to nothing. */
function samplingRate(random: Random, least = 0.003): Sampling['rate'] {
  const special = random.next();
  if (special < 0.02) return ['0', '1'];
  if (special < 0.05) return ['1', '1'];
  if (special < (least > 0.003 ? 0.055 : 0.08)) return ['1', (10 ** random.whole(4, 9)).toString()];
  const of = random.pick([7, 10, 100, 1000, 60_000]);
  return [Math.max(1, Math.min(of - 1, Math.round(of * random.logBetween(least, 1)))).toString(), of.toString()];
}

const sampling = (random: Random, scheme: Sampling['scheme'], least?: number): Sampling => ({
  scheme,
  rate: samplingRate(random, least),
});

const anyScheme = (random: Random): Sampling['scheme'] => (random.chance(0.65) ? 'poisson' : 'without-replacement');

/** A mechanism of few outcomes whose pair stands in one order. */
function listed(random: Random, scheme: Sampling['scheme'], most: number): EntrySpec {
  const count = random.whole(1, most);
  const kind = random.whole(0, 3);
  if (kind === 0) {
    const outcomes = random.whole(2, most > 3 ? 3 : 4);
    return finitePair(
      random,
      outcomes,
      random.chance(0.8) ? 'fixed' : 'either',
      count,
      scheme !== 'poisson' || random.chance(0.3),
    );
  }
  if (kind === 1) return discreteLaplace(random, count, 2);
  return { type: 'dp', epsilon: decimalText(random.logBetween(0.01, 5), digitsOf(random)), count };
}

/** Outcomes of 'either' pairs in one order only where they are their own swap. */
const inOneOrder = (entry: EntrySpec): EntrySpec =>
  entry.type === 'finite-pair' && entry.p.join() !== entry.q.toReversed().join()
    ? { ...entry, direction: 'fixed' }
    : entry;

const failing = (random: Random, entries: readonly EntrySpec[], query: QuerySpec): EntrySpec[] =>
  entries.flatMap((entry): EntrySpec[] =>
    entry.type === 'dp' && entry.count <= 20 ? withFailures(random, [entry], query) : [entry],
  );

/** Noise on a sample; where losses are far apart and rare there is little that a grid can tell. */
function sampledNoise(random: Random, scheme: Sampling['scheme'], count: number): EntrySpec {
  const kind = random.whole(0, 3);
  const noise: EntrySpec =
    kind === 0
      ? { ...laplace(random, count), scale: decimalText(random.logBetween(0.2, 30), digitsOf(random)) }
      : kind === 1
        ? { type: 'gdp', mu: decimalText(random.logBetween(0.02, 2.5), digitsOf(random)), count }
        : { ...gaussian(random, count), sigma: decimalText(random.logBetween(0.4, 30), digitsOf(random)) };
  return { ...noise, sampling: sampling(random, scheme, scheme === 'poisson' ? 0.01 : 0.05) };
}

type Made = Omit<CaseSpec, 'class'>;

/** Gaussian noise on Poisson samples for several records of one person, or for replaced ones. */
function severalRecords(random: Random, isReplaced: boolean, fewest: number): EntrySpec {
  // The evaluation takes a time that grows with steps and records.
  const count = random.logWhole(1, random.chance(0.1) ? 3000 : 100);
  const noise = { ...gaussian(random, count), sigma: decimalText(random.logBetween(0.5, 20), digitsOf(random)) };
  const drawn = sampling(random, 'poisson', 0.003);
  // Many of which many are drawn have losses beyond its range.
  const isMany = Number(drawn.rate[0]) < 0.03 * Number(drawn.rate[1]) && random.chance(0.1);
  const records = isMany ? random.whole(33, 60) : random.whole(fewest, 5);
  return { ...noise, sampling: { ...drawn, records, isReplaced } };
}

const SAMPLED_BOUNDS: readonly BoundId[] = ['loss-distribution', 'rdp', 'basic'];

function sampledCase(random: Random, entries: readonly EntrySpec[], smallest: number, deepest: number): Made {
  const query = anyQuery(random, entries, deepest, smallest);
  return {
    entries: failing(random, entries, query),
    query,
    tolerance: anyTolerance(random),
    ...mostly(random, ...SAMPLED_BOUNDS),
  };
}

const SAMPLED_CLASSES: readonly CaseClass[] = [
  {
    name: 'sampled-listed',
    weight: 9,
    make(random) {
      const scheme = anyScheme(random);
      const several = random.whole(1, 3);
      const entries = random.times(several, (i) => {
        const entry = inOneOrder(listed(random, scheme, several === 1 ? 8 : 3));
        const isSampled = i === 0 || random.chance(0.75) || entry.type === 'finite-pair';
        return isSampled ? { ...entry, sampling: sampling(random, scheme) } : entry;
      });
      return sampledCase(random, entries, 1e-40, 10);
    },
  },
  {
    name: 'sampled-responses',
    weight: 4,
    make(random) {
      const epsilon = decimalText(random.logBetween(1e-3, 8), digitsOf(random));
      const scheme = anyScheme(random);
      const count = random.logWhole(1, scheme === 'poisson' ? 300 : 60);
      return sampledCase(random, [{ type: 'dp', epsilon, count, sampling: sampling(random, scheme) }], 1e-40, 10);
    },
  },
  {
    name: 'sampled-discrete-gaussian',
    weight: 0.7,
    make(random) {
      const count = random.pick([1, 1, 2]);
      const sigma = decimalText(random.logBetween(0.4, count === 1 ? 6 : 1.5), digitsOf(random));
      const sensitivity = random.whole(1, 2).toString();
      const entry: EntrySpec = { type: 'discrete-gaussian', sigma, sensitivity, count };
      return sampledCase(random, [{ ...entry, sampling: sampling(random, anyScheme(random)) }], 1e-40, 10);
    },
  },
  {
    name: 'sampled-either',
    weight: 1.5,
    make(random) {
      const few = random.times(random.whole(1, 2), (): EntrySpec => ({
        ...finitePair(random, random.whole(2, 3), random.chance(0.8) ? 'either' : 'fixed', random.whole(1, 2)),
        ...(random.chance(0.85) ? { sampling: sampling(random, 'poisson') } : {}),
      }));
      const [first, ...rest] = few;
      return sampledCase(
        random,
        [{ ...first!, sampling: first!.sampling ?? sampling(random, 'poisson') }, ...rest],
        1e-30,
        8,
      );
    },
  },
  {
    name: 'sampled-noise-1',
    weight: 1.6,
    make: (random) => sampledCase(random, [sampledNoise(random, anyScheme(random), 1)], 1e-40, 10),
  },
  {
    name: 'sampled-noise-few',
    weight: 0.6,
    make(random) {
      const scheme = anyScheme(random);
      const entries: EntrySpec[] = random.chance(0.6)
        ? [sampledNoise(random, scheme, random.whole(2, 3))]
        : random.times(2, () => sampledNoise(random, scheme, random.whole(1, 2)));
      if (random.chance(0.3)) {
        const other = listed(random, scheme, 2);
        if (other.type !== 'finite-pair')
          entries.push(random.chance(0.6) ? { ...other, sampling: sampling(random, scheme) } : other);
      } else if (random.chance(0.2))
        entries.push({ ...gaussian(random, 1), sigma: decimalText(random.logBetween(0.5, 30), 3) });
      return sampledCase(random, entries, 1e-12, 7);
    },
  },
  {
    // Outcomes of their own on either side: what is finite has another probability under each.
    name: 'sampled-noise-pair',
    weight: 0.6,
    make(random) {
      const noise = sampledNoise(random, anyScheme(random), random.whole(1, 2));
      return sampledCase(random, [noise, finitePair(random, random.whole(2, 4), 'fixed', 1)], 1e-12, 7);
    },
  },
  {
    name: 'sampled-records',
    weight: 0.8,
    make(random) {
      const isReplaced = random.chance(0.5);
      const isAlone = random.chance(0.8);
      // Samples for one record are not beside those for a person.
      const fewest = isReplaced && isAlone ? 1 : 2;
      const entries = random.times(isAlone ? 1 : 2, () => severalRecords(random, isReplaced, fewest));
      // Labels of many records take seconds.
      const isMany = entries.some((entry) => (entry.sampling?.records ?? 1) > 5);
      if (!isMany && random.chance(0.2)) {
        entries.push({ type: 'dp', epsilon: decimalText(random.logBetween(0.01, 1), 3), count: random.whole(1, 3) });
      }
      return sampledCase(random, entries, 1e-12, 7);
    },
  },
  {
    name: 'sampled-many',
    weight: 0.3,
    make(random) {
      const scheme = anyScheme(random);
      // Without replacement there are lattices only, which take minutes of many steps.
      const most = scheme === 'poisson' ? 1e5 : 20;
      const entries: EntrySpec[] = random.chance(0.8)
        ? [sampledNoise(random, scheme, random.logWhole(10, most))]
        : [
            sampledNoise(random, scheme, random.logWhole(10, most)),
            sampledNoise(random, scheme, random.logWhole(1, most)),
          ];
      return sampledCase(random, entries, 1e-12, 7);
    },
  },
];

/** Epochs of random allocation to one batch, alone and beside others; seldom of many batches, as their evaluation takes long. */
function allocated(random: Random): Made {
  const isLarge = random.chance(0.05);
  const batches = random.pick([1, 2, 3, 4, random.logWhole(5, isLarge ? 200 : 20)]);
  const sigma = decimalText(random.logBetween(0.3, 30), digitsOf(random));
  const scheme = 'random-allocation';
  const sampled: EntrySpec = {
    type: 'gaussian',
    sigma,
    sensitivity: '1',
    count: random.logWhole(1, isLarge ? 20 : 5),
    sampling: { scheme, rate: ['1', batches.toString()] },
  };
  const beside = random.whole(0, 3);
  const entries: EntrySpec[] = [sampled];
  if (beside === 0)
    entries.push({ type: 'dp', epsilon: decimalText(random.logBetween(0.01, 2), 3), count: random.whole(1, 2) });
  if (beside === 1)
    entries.push({ ...gaussian(random, random.whole(1, 3)), sigma: decimalText(random.logBetween(1, 10), 3) });
  const query: QuerySpec = random.chance(0.6)
    ? { delta: decimalText(random.logBetween(1e-12, 0.3), digitsOf(random)) }
    : { epsilon: decimalText(random.logBetween(0.01, 8), digitsOf(random)) };
  return { entries, query, tolerance: random.pick([1e-3, 1e-5, 1e-7]), ...mostly(random, 'loss-distribution', 'rdp') };
}

/** k-ary response, named or not, or another randomizer; all data sets of so many users are listed. */
function shuffledReports(random: Random): Made {
  const other = random.chance(0.4) ? drawRandomizer(random) : null;
  const isLarge = other !== null && (other.categories > 4 || other.weights.length > 3);
  const count = random.pick(isLarge ? [1] : [1, 1, 2]);
  const randomizer = other ?? {
    localEpsilon: decimalText(random.logBetween(0.01, 5), digitsOf(random)),
    categories: random.whole(2, count === 1 ? 4 : 3),
    isAny: random.chance(0.2),
  };
  const most = count === 1 ? Math.min(8, 12 - randomizer.categories) : other ? 3 : 4;
  const entries: EntrySpec[] = [{ type: 'shuffled-reports', ...randomizer, users: random.whole(1, most), count }];
  return { entries, query: anyQuery(random, entries, 6), ...mostly(random, 'loss-distribution') };
}

export const CLASSES: readonly CaseClass[] = [
  { name: 'dp-homogeneous-small', weight: 45, make: (random) => homogeneous(random, random.logWhole(1, 300), 20) },
  { name: 'dp-homogeneous-large', weight: 3, make: (random) => homogeneous(random, random.logWhole(300, 1e6), 2) },
  {
    name: 'dp-lattice',
    weight: 25,
    make(random) {
      const entries = latticeEntries(
        random,
        random.whole(2, 4),
        random.pick([2, 5, 9]),
        random.pick([0.1, 0.01, 0.001]),
        100,
      );
      const query = anyQuery(random, entries);
      return { entries: withFailures(random, entries, query), query, ...mostly(random, 'dp-optimal', 'basic') };
    },
  },
  {
    name: 'dp-lattice-many',
    weight: 2,
    make(random) {
      const entries = latticeEntries(random, random.whole(10, 40), 1, 0.01, 50);
      const query = anyQuery(random, entries);
      return { entries: withFailures(random, entries, query), query, ...mostly(random, 'dp-optimal', 'basic') };
    },
  },
  {
    name: 'dp-odd',
    weight: 4,
    make(random) {
      const entries = oddResponses(random, random.whole(4, 13));
      const query = anyQuery(random, entries);
      return { entries: withFailures(random, entries, query), query, ...mostly(random, 'dp-optimal', 'basic') };
    },
  },
  {
    name: 'dp-discretised',
    weight: 3,
    make(random) {
      const repeat = random.pick([1, 1, 2, 3, 4]);
      const entries = oddResponses(random, random.whole(2, repeat === 1 ? 12 : 4)).map((entry) => ({
        ...entry,
        count: entry.count * repeat,
      }));
      const packs = random.whole(1, 3);
      const query = anyQuery(random, entries);
      return {
        entries: withFailures(random, entries, query),
        query,
        tolerance: anyTolerance(random),
        discretised: { packs: entries.map((_, i) => i % packs), repeat },
      };
    },
  },
  {
    name: 'br-nonadaptive',
    weight: 8,
    make(random) {
      const entries = [boundedRange(random, random.logWhole(1, 40))];
      const query = anyQuery(random, entries);
      return { entries, query, adaptivity: 'nonadaptive', ...mostly(random, 'br-nonadaptive', 'basic') };
    },
  },
  {
    name: 'br-adaptive',
    weight: 1,
    make(random) {
      const entries = [boundedRange(random, random.chance(0.6) ? random.whole(1, 4) : random.logWhole(5, 30))];
      return { entries, query: anyQuery(random, entries, 6, 1e-30), adaptivity: 'adaptive' };
    },
  },
  {
    name: 'br-different',
    weight: 1,
    make(random) {
      const few = random.chance(0.6);
      const entries = random.times(random.whole(2, few ? 3 : 8), (): EntrySpec => {
        const entry = random.chance(0.7)
          ? boundedRange(random, 1)
          : response(random, decimalText(random.logBetween(0.01, 3), 4));
        return entry.type === 'bounded-range' && random.chance(0.15) ? { ...entry, kind: 'interactive' } : entry;
      });
      const adaptivity = random.chance(0.5) ? 'adaptive' : 'nonadaptive';
      return { entries, query: anyQuery(random, entries, 6, 1e-30), adaptivity };
    },
  },
  { name: 'br-any-order', weight: 0.5, make: (random) => different(random, ANY, 3) },
  { name: 'br-declared', weight: 0.5, make: (random) => different(random, DECLARED, 4) },
  { name: 'br-fixed', weight: 0.5, make: (random) => different(random, FIXED, 6) },
  { name: 'mixed-any-order', weight: 0.5, make: (random) => mixture(random, ANY) },
  { name: 'mixed-declared', weight: 0.5, make: (random) => mixture(random, DECLARED) },
  { name: 'mixed-fixed', weight: 0.5, make: (random) => mixture(random, FIXED) },
  {
    name: 'gaussian',
    weight: 10,
    make(random) {
      const entries = random.times(random.whole(1, 3), () => gaussian(random, random.logWhole(1, 1000)));
      return { entries, query: anyQuery(random, entries, 16), ...mostly(random, 'gaussian') };
    },
  },
  {
    name: 'laplace-1',
    weight: 3,
    make(random) {
      const entries = [laplace(random, 1)];
      return { entries, query: anyQuery(random, entries), tolerance: anyTolerance(random) };
    },
  },
  {
    name: 'laplace-few',
    weight: 2,
    make(random) {
      const entries = random.chance(0.6)
        ? [laplace(random, random.whole(2, 12))]
        : random.times(random.whole(2, 3), () => laplace(random, random.whole(1, 3)));
      return { entries, query: anyQuery(random, entries), tolerance: anyTolerance(random) };
    },
  },
  {
    name: 'laplace-mixed',
    weight: 2,
    make(random) {
      const entries: EntrySpec[] = [laplace(random, random.whole(1, 4))];
      const query = anyQuery(random, entries, 8, 1e-40);
      if (random.chance(0.7)) {
        const e = decimalText(random.logBetween(0.01, 3), 4);
        entries.push(...withFailures(random, [response(random, e, random.whole(1, 5))], query));
      }
      if (entries.length === 1 || random.chance(0.4)) entries.push(discreteLaplace(random, 1));
      return { entries, query, tolerance: anyTolerance(random) };
    },
  },
  {
    name: 'discrete-laplace',
    weight: 2,
    make(random) {
      const entries = random.times(random.whole(1, 2), () => discreteLaplace(random, random.whole(1, 4)));
      return { entries, query: anyQuery(random, entries), tolerance: anyTolerance(random) };
    },
  },
  {
    name: 'finite-fixed',
    weight: 1.5,
    make(random) {
      const entries = random.times(random.whole(1, 3), () =>
        finitePair(random, random.whole(2, 4), 'fixed', random.whole(1, 3)),
      );
      return { entries, query: anyQuery(random, entries), tolerance: anyTolerance(random) };
    },
  },
  {
    name: 'finite-either',
    weight: 1.5,
    make(random) {
      const entries = random.times(random.whole(1, 2), () =>
        finitePair(random, random.whole(2, 3), random.chance(0.8) ? 'either' : 'fixed', random.whole(1, 2)),
      );
      return { entries, query: anyQuery(random, entries), tolerance: anyTolerance(random) };
    },
  },
  {
    name: 'discrete-gaussian',
    weight: 1,
    make(random) {
      const count = random.pick([1, 1, 2]);
      const sensitivity = random.whole(1, 2);
      const sigma = decimalText(random.logBetween(0.3, count === 1 ? 8 : 3), digitsOf(random));
      const entries: EntrySpec[] = [{ type: 'discrete-gaussian', sigma, sensitivity: sensitivity.toString(), count }];
      return { entries, query: anyQuery(random, entries), tolerance: anyTolerance(random) };
    },
  },
  {
    name: 'mixture',
    weight: 1,
    make(random) {
      const e = (): string => decimalText(random.logBetween(0.01, 3), digitsOf(random));
      const entries: EntrySpec[] = [
        finitePair(
          random,
          random.whole(2, 3),
          random.pick(['either', 'fixed']),
          random.whole(1, 2),
          random.chance(0.7),
        ),
        discreteLaplace(random, random.whole(1, 2), 3),
      ];
      const query = anyQuery(random, entries);
      entries.push(...withFailures(random, [response(random, e(), random.whole(1, 2))], query));
      return { entries, query, tolerance: anyTolerance(random) };
    },
  },
  {
    name: 'gaussian-mixed',
    weight: 1,
    make(random) {
      const entries: EntrySpec[] = [gaussian(random, random.logWhole(1, 20))];
      const query = anyQuery(random, entries, 12);
      const other = random.whole(0, 2);
      if (other === 0) entries.push(finitePair(random, random.whole(2, 3), 'fixed', 1));
      else if (other === 1) entries.push(discreteLaplace(random, 1, 3));
      else {
        const e = decimalText(random.logBetween(0.01, 3), digitsOf(random));
        entries.push(...withFailures(random, [response(random, e, random.whole(1, 3))], query));
      }
      return { entries, query, tolerance: anyTolerance(random) };
    },
  },
  {
    name: 'shuffled-reports',
    weight: 1,
    make: shuffledReports,
  },
  {
    name: 'selection',
    weight: 1,
    make(random) {
      const pair = finitePair(random, random.whole(2, 5), random.pick(['either', 'fixed']), 1);
      const bestOf: BestOf = {
        law: random.pick(['fixed', 'geometric', 'negative-binomial', 'binomial', 'poisson']),
        times: random.whole(1, 25),
        parameter: decimalText(random.between(0.01, 0.99), 3),
      };
      const query = anyQuery(random, [{ ...pair, count: Math.max(2, Math.floor(bestOf.times / 2)) }], 6, 1e-12);
      return { entries: [{ ...pair, bestOf }], query };
    },
  },
  ...SAMPLED_CLASSES,
  { name: 'random-allocation', weight: 0.5, make: allocated },
];

/** Data that come over time may be chosen by what was answered, so that they are not fixed in advance. */
function fixedInAdvance(made: Omit<CaseSpec, 'class'>): Omit<CaseSpec, 'class'> {
  if (made.adaptivity !== 'nonadaptive') return made;
  return {
    ...made,
    entries: made.entries.map((entry) => (entry.kind === 'continual' ? { ...entry, kind: 'interactive' } : entry)),
  };
}

/** The case of this number: it depends on nothing but the seed, the number and the classes drawn from. */
export function drawCase(random: Random, classes: readonly CaseClass[]): CaseSpec {
  const weights = classes.reduce((sum, { weight }) => sum + weight, 0);
  let place = random.next() * weights;
  const chosen = classes.find(({ weight }) => (place -= weight) < 0) ?? classes[0]!;
  return { class: chosen.name, ...fixedInAdvance(chosen.make(random)) };
}
