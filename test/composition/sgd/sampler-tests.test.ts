import { describe, expect, it } from 'vitest';
import { examine, examineAll } from '../../../src/composition/sgd/sampler-tests.ts';
import { TRAINING_SCHEMES, type TrainingScheme } from '../../../src/privacy/mechanism.ts';
import { logOf, SAMPLERS, seeded } from './samplers.ts';

const THRESHOLD = 1e-6;
const CLAIM = { examples: 600, batch: 20 };
const BATCHES = 120;

/** What sizes alone cannot tell apart. */
const ALIKE: readonly TrainingScheme[] = ['without-replacement', 'shuffled'];

const verdictsOf = (batches: number[][], claim = CLAIM, hasMembers = true): Record<string, string> =>
  Object.fromEntries(
    examineAll(logOf(claim, batches, hasMembers), THRESHOLD).verdicts.map(({ scheme, verdict }) => [scheme, verdict]),
  );

const factsOf = (scheme: TrainingScheme, batches: number[][], claim = CLAIM): unknown => {
  const { verdict, fact, pValue } = examine(logOf(claim, batches), scheme, THRESHOLD);
  return { verdict, id: fact?.id, pValue };
};

describe.each(TRAINING_SCHEMES)('batches of a sampler of %s', (scheme) => {
  const batches = SAMPLERS[scheme](CLAIM.examples, CLAIM.batch, BATCHES, seeded(7));

  it.each(TRAINING_SCHEMES)('contradict all other schemes by their indices: %s', (claimed) => {
    const { verdict, pValue } = examine(logOf(CLAIM, batches), claimed, THRESHOLD);
    if (claimed === scheme) expect(verdict).toBe('not-contradicted');
    else {
      expect(verdict).not.toBe('not-contradicted');
      expect(pValue).toBeLessThan(THRESHOLD);
    }
  });

  it.each(TRAINING_SCHEMES)('contradict by their sizes what sizes can tell: %s', (claimed) => {
    const { verdict } = examine(logOf(CLAIM, batches, false), claimed, THRESHOLD);
    const isPossible = claimed === scheme || (ALIKE.includes(claimed) && ALIKE.includes(scheme));
    expect(verdict === 'not-contradicted').toBe(isPossible);
  });

  it('contradict their own scheme no more often than the threshold says', () => {
    const [runs, threshold] = [2000, 0.05];
    const random = seeded(11);
    const small = { examples: 24, batch: 6 };
    let alarms = 0;
    for (let run = 0; run < runs; run++) {
      const log = logOf(small, SAMPLERS[scheme](small.examples, small.batch, 12, random));
      alarms += Number(examine(log, scheme, threshold).verdict !== 'not-contradicted');
    }
    expect(alarms).toBeLessThanOrEqual(runs * threshold);
  });
});

describe('batches that no sampler of a scheme draws', () => {
  const small = { examples: 4, batch: 2 };

  it.each([
    ['without-replacement', 'another size', [[0, 1], [2]], 'size'],
    [
      'without-replacement',
      'an example twice',
      [
        [0, 1],
        [2, 2],
      ],
      'twice',
    ],
    ['poisson', 'an example twice', [[0, 0, 1], []], 'twice'],
    [
      'shuffled',
      'an example twice in an epoch',
      [
        [0, 1],
        [1, 2],
      ],
      'not-once',
    ],
    ['shuffled', 'another size', [[0, 1, 2], [3]], 'size'],
    ['random-allocation', 'an example twice in an epoch', [[0, 1, 2], [2]], 'not-once'],
    ['random-allocation', 'an example in no batch', [[0, 1], [2]], 'not-once'],
  ] as const)('%s: %s', (scheme, _, batches, id) => {
    const own = batches.map((batch) => [...batch]);
    expect(factsOf(scheme, own, small)).toEqual({ verdict: 'impossible', id, pValue: 0 });
  });

  it('random allocation: sizes that do not add up, and batches that do not divide the examples', () => {
    const ofSizes = (sizes: number[], claim = small): unknown =>
      examine({ ...claim, sizes, members: null }, 'random-allocation', THRESHOLD).fact;
    expect(ofSizes([3, 1, 2, 1])).toMatchObject({ id: 'epoch-total', observed: 3, expected: 4, at: 2 });
    expect(ofSizes([5])).toMatchObject({ id: 'epoch-total', observed: 5, at: 1 });
    expect(ofSizes([3], { examples: 7, batch: 3 })).toMatchObject({ id: 'no-whole-batches' });
    expect(ofSizes([3, 1, 2])).toMatchObject({ id: 'first-sizes' });
  });
});

describe('what looks like a scheme and is none', () => {
  it('one draw of batches for all epochs is no random allocation, and one permutation no shuffling', () => {
    const allocated = SAMPLERS['random-allocation'](600, 20, 30, seeded(3));
    expect(factsOf('random-allocation', [...allocated, ...allocated])).toMatchObject({
      verdict: 'contradicted',
      id: 'same-place',
    });
    const list = SAMPLERS.shuffled(600, 20, 30, seeded(3));
    expect(factsOf('shuffled', [...list, ...list])).toMatchObject({ verdict: 'contradicted', id: 'most-shared' });
  });

  it('shuffled batches whose last one is smaller, or left out, are shuffled ones', () => {
    const claim = { examples: 610, batch: 20 };
    const smaller = SAMPLERS.shuffled(610, 20, 93, seeded(5));
    expect(verdictsOf(smaller, claim)).toMatchObject({ shuffled: 'not-contradicted' });
    const full = smaller.filter(({ length }) => length === 20);
    expect(verdictsOf(full, claim)).toMatchObject({ shuffled: 'not-contradicted' });
    expect(verdictsOf(full, claim, false)).toMatchObject({
      poisson: 'contradicted',
      'random-allocation': 'impossible',
      'without-replacement': 'not-contradicted',
    });
  });

  it('batches of all examples are those of every scheme', () => {
    const every = [
      [0, 1, 2],
      [2, 0, 1],
    ];
    expect(Object.values(verdictsOf(every, { examples: 3, batch: 3 }))).toEqual(
      TRAINING_SCHEMES.map(() => 'not-contradicted'),
    );
  });
});

describe('a p-value', () => {
  it('is that of the binomial law, times the number of tests', () => {
    // 2 examples, batches of 1: a batch of exactly 1 has a chance of 1/2, and 20 of 20 have one of 2^-20.
    const log = { examples: 2, batch: 1, sizes: Array.from({ length: 20 }, () => 1), members: null };
    const { pValue, tests, fact } = examine(log, 'poisson', THRESHOLD);
    expect(fact).toMatchObject({ id: 'exact-sizes', observed: 20, of: 20 });
    expect(fact?.expected).toBeCloseTo(10, 10);
    expect(tests).toBe(6);
    expect(pValue).toBeCloseTo(6 * 2 ** -20, 12);
    expect(pValue).toBeGreaterThanOrEqual(6 * 2 ** -20);
  });
});
