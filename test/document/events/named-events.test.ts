import { describe, expect, it } from 'vitest';
import { fc } from '../../reference/properties.ts';
import { compose } from '../../../src/composition/compose/compose.ts';
import { PYTHON_SYNTAX } from '../../../src/document/events/python-read.ts';
import { responseProbabilities } from '../../../src/document/events/named-events.ts';
import { readConvertible } from '../../../src/document/events/read-convertible.ts';
import { writtenEvent } from '../../../src/document/events/written-event.ts';
import { readSpecification } from '../../../src/document/read-specification.ts';
import { Decimal, ONE } from '../../../src/numeric/decimal.ts';
import { Rational } from '../../../src/numeric/rational.ts';
import type { Query } from '../../../src/privacy/curve.ts';
import { documentText, eventPython } from '../../../src/output/written-document.ts';
import { decimal } from '../../mechanisms.ts';
import { mechanismsOf, mistakes, refused } from './convertible.ts';

const read = (python: string): unknown => mechanismsOf(python, PYTHON_SYNTAX);
const refusedIn = (python: string): string | null => refused(python, PYTHON_SYNTAX);
const AT_ZERO: Query = { solveFor: 'epsilon', delta: decimal(0) };

/** What is read of an event, as a document. */
function documentOf(python: string) {
  const { document, errors } = readConvertible(python, { syntax: PYTHON_SYNTAX });
  if (document === null) throw new Error(JSON.stringify(errors));
  return document;
}

/** Certified epsilon of an event. */
function epsilonOf(python: string, query: Query): { readonly lower: number; readonly upper: number } {
  const specification = readSpecification(documentText(documentOf(python)));
  if (specification.kind !== 'specification') throw new Error(JSON.stringify(specification));
  const outcome = compose(specification.specification, query);
  if (outcome.kind === 'refusal') throw new Error(outcome.refusal.code);
  const { lower, upper } = outcome.answer.epsilon;
  return { lower: lower ?? 0, upper };
}

/** What is written of what is read. */
function again(python: string): string {
  const written = writtenEvent(documentOf(python));
  if (!('event' in written)) throw new Error(written.obstacle);
  return eventPython(written).split('event = dp_event.')[1]!.replaceAll(/\s+/g, ' ').trim();
}

describe('randomized response over k symbols', () => {
  it('is the pair of its answers: the own symbol, the other, the rest', () => {
    expect(read('RandomizedResponseDpEvent(0.25, 4)')).toEqual([
      {
        type: 'finite-pair',
        p: ['0.8125', '0.0625', '0.125'],
        q: ['0.0625', '0.8125', '0.125'],
        neighbours: 'replace-one',
      },
    ]);
    expect(read('RandomizedResponseDpEvent(0.5, 2)')).toEqual([
      { type: 'finite-pair', p: ['0.75', '0.25'], q: ['0.25', '0.75'], neighbours: 'replace-one' },
    ]);
  });

  it('costs what dp_accounting computes where one record is replaced', () => {
    const { lower, upper } = epsilonOf('RandomizedResponseDpEvent(0.1, 10)', AT_ZERO);
    expect(lower).toBeLessThanOrEqual(4.51085950651685);
    expect(upper).toBeGreaterThanOrEqual(4.51085950651685 * (1 - 1e-15));
    expect(upper - lower).toBeLessThan(1e-9);
  });

  it('is nothing where it says nothing, and everything where it never lies', () => {
    expect(read('RandomizedResponseDpEvent(1, 3)')).toEqual([{ type: 'dp', epsilon: '0' }]);
    expect(read('RandomizedResponseDpEvent(0.3, 1)')).toEqual([{ type: 'dp', epsilon: '0' }]);
    expect(epsilonOf('RandomizedResponseDpEvent(0, 3)', AT_ZERO).lower).toBe(Infinity);
  });

  it('has probabilities that add up to 1 exactly, and a ratio that is no smaller', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 2, max: 1000 }), (thousandths, k) => {
        const p = new Decimal(thousandths).div(1000);
        const { own, other } = responseProbabilities(p, new Decimal(k));
        expect(own.plus(other.times(k - 1)).eq(ONE)).toBe(true);
        const exact = Rational.ofDecimal(p).over(Rational.of(k));
        expect(Rational.ofDecimal(other).compare(exact)).toBeLessThanOrEqual(0);
        expect(own.gte(other)).toBe(true);
        const ratio = Rational.ofDecimal(own).over(Rational.ofDecimal(other));
        expect(ratio.compare(Rational.ONE.minus(exact.times(Rational.of(k - 1))).over(exact))).toBeGreaterThanOrEqual(
          0,
        );
      }),
    );
  });

  it('makes the list one of replaced records, whose sums move by twice their bound', () => {
    expect(read('ComposedDpEvent([GaussianDpEvent(1), RandomizedResponseDpEvent(0.5, 2)])')).toMatchObject([
      { type: 'gaussian', sigma: 1, sensitivity: 2 },
      { type: 'finite-pair' },
    ]);
  });
});

describe('other events that are mechanisms here', () => {
  it('a tree has the completed nodes of its largest tree, and each record once', () => {
    expect(read('SingleEpochTreeAggregationDpEvent(1.5, [7, 100])')).toEqual([
      { type: 'tree-aggregation', 'noise-multiplier': 1.5, steps: '100', participations: '1', nodes: 'completed' },
    ]);
    // ceil(log2(101)) = 7 nodes of noise 1.5 are one Gaussian of noise 1.5 / sqrt 7.
    const query: Query = { solveFor: 'epsilon', delta: decimal('1e-6') };
    const tree = epsilonOf('SingleEpochTreeAggregationDpEvent(1.5, 100)', query);
    const flat = epsilonOf('SelfComposedDpEvent(GaussianDpEvent(1.5), 7)', query);
    expect(tree.upper).toBeGreaterThanOrEqual(flat.lower);
    expect(tree.lower).toBeLessThanOrEqual(flat.upper);
    expect(tree.upper - tree.lower).toBeLessThan(1e-6);
  });

  it('a mixture of one shift and none is noise on a Poisson sample, of one shift alone the noise', () => {
    expect(read('MixtureOfGaussiansDpEvent(1.1, [0, 2, 0.0], [0.5, 0.01, 0.49])')).toEqual([
      {
        type: 'gaussian',
        sigma: 1.1,
        sensitivity: '2',
        sampling: { scheme: 'poisson', rate: '0.01' },
        neighbours: 'add-remove',
      },
    ]);
    expect(read('MixtureOfGaussiansDpEvent(1.1, [3, -2], [0, 1])')).toEqual([
      { type: 'gaussian', sigma: 1.1, sensitivity: '2', neighbours: 'add-remove' },
    ]);
    expect(read('MixtureOfGaussiansDpEvent(1.1, [0], [1])')).toEqual([{ type: 'dp', epsilon: '0' }]);
  });

  it('a mixture of multiples with binomial probabilities is noise on a Poisson sample of several records', () => {
    expect(read('MixtureOfGaussiansDpEvent(1.1, [0, 2, 4, 6], [0.970299, 0.029403, 0.000297, 0.000001])')).toEqual([
      {
        type: 'gaussian',
        sigma: 1.1,
        sensitivity: '2',
        sampling: { scheme: 'poisson', rate: '1/100', records: '3' },
        neighbours: 'add-remove',
      },
    ]);
    // Rounded probabilities have a rate that is a little larger than that of their mean.
    const [{ sampling }] = read(
      'MixtureOfGaussiansDpEvent(1, [0, -1, -2], [0.4444444444444445, 0.4444444444444444, 0.1111111111111111])',
    ) as [{ sampling: { rate: string } }];
    const [above, below] = sampling.rate.split('/').map(Number) as [number, number];
    expect(above / below).toBeGreaterThan(1 / 3);
    expect(above / below).toBeLessThan(1 / 3 + 1e-11);
  });

  it('a sample with replacement has twice the norm bound as its sensitivity', () => {
    expect(read('SampledWithReplacementDpEvent(10000, 100, GaussianDpEvent(4))')).toEqual([
      {
        type: 'gaussian',
        sigma: 4,
        sensitivity: 2,
        sampling: { scheme: 'with-replacement', rate: '1/10000', draws: '100' },
        neighbours: 'add-remove',
      },
    ]);
  });

  it('a sample with replacement beside replaced records is of replaced records', () => {
    const [drawn] = read(
      'ComposedDpEvent([SampledWithReplacementDpEvent(100, 5, GaussianDpEvent(4)), SampledWithoutReplacementDpEvent(100, 5, GaussianDpEvent(4))])',
    ) as readonly unknown[];
    expect(drawn).toMatchObject({
      sensitivity: 2,
      sampling: { scheme: 'with-replacement', rate: '1/100', draws: '5' },
      neighbours: 'replace-one',
    });
  });

  it('a sample that can never be cut is a Poisson sample', () => {
    expect(read('TruncatedSubsampledGaussianDpEvent(1000, 0.1, 1001, 1.1)')).toEqual([
      { type: 'gaussian', sigma: 1.1, sampling: { scheme: 'poisson', rate: '0.1' }, neighbours: 'add-remove' },
    ]);
  });

  it('an epoch of random allocation is one here, with the Gaussians of a step as one', () => {
    const allocation = (event: string): string =>
      `RandomAllocationDpEvent(event=${event}, num_selected=10, num_steps=100)`;
    expect(read(`SelfComposedDpEvent(${allocation('GaussianDpEvent(2)')}, 3)`)).toEqual([
      {
        type: 'gaussian',
        sigma: 2,
        sampling: { scheme: 'random-allocation', batches: '100', selected: '10' },
        neighbours: 'add-remove',
        count: 3,
      },
    ]);
    expect(read(allocation('SelfComposedDpEvent(GaussianDpEvent(2), 4)'))).toMatchObject([{ sigma: '1' }]);
    expect(read('RandomAllocationDpEvent(event=GaussianDpEvent(2), num_selected=1, num_steps=1)')).toEqual([
      { type: 'gaussian', sigma: 2 },
    ]);
  });

  it.each([
    'RandomizedResponseDpEvent(noise_parameter=0.25, num_buckets=4)',
    'RandomizedResponseDpEvent(noise_parameter=0.5, num_buckets=2)',
    'RandomAllocationDpEvent( event=dp_event.GaussianDpEvent(noise_multiplier=2), num_selected=10, num_steps=100, )',
    'PoissonSampledDpEvent(sampling_probability=0.01, event=dp_event.GaussianDpEvent(noise_multiplier=1.1))',
  ])('are written as they are read: %s', (python) => {
    expect(again(python)).toBe(python);
  });
});

describe('events that nothing here covers', () => {
  it.each([
    ['MixtureOfGaussiansDpEvent(1, [0, 1, 2], [0.5, 0.25, 0.25])', 'document mixture-of-gaussians'],
    ['PoissonSampledDpEvent(0.1, MixtureOfGaussiansDpEvent(1, [1], [1]))', 'event mixture-of-gaussians'],
    ['TruncatedSubsampledGaussianDpEvent(1000, 0.1, 200, 1.1)', 'document subsampled-truncated-gaussian'],
    ['PoissonSampledDpEvent(0.1, RandomizedResponseDpEvent(0.25, 4))', 'event sampling of randomized response'],
    [
      'ComposedDpEvent([RandomizedResponseDpEvent(0.25, 4), SingleEpochTreeAggregationDpEvent(1, 7)])',
      'events[1] a tree where a record is replaced',
    ],
    [
      'SampledWithReplacementDpEvent(10, 2, LaplaceDpEvent(1))',
      'event sampling with replacement of other than Gaussian noise',
    ],
    [
      'RandomAllocationDpEvent(event=LaplaceDpEvent(2), num_selected=1, num_steps=9)',
      'event random allocation of other than Gaussian noise',
    ],
    ['PoissonSampledDpEvent(0.1, RepeatAndSelectDpEvent(GaussianDpEvent(1), 2, 1))', 'event sampling of a selection'],
    ['UnsupportedDpEvent()', 'document UnsupportedDpEvent'],
  ])('are refused by name: %s', (python, expected) => {
    expect(refusedIn(python)).toBe(expected);
  });

  it.each([
    ['RandomizedResponseDpEvent(1.5, 2)', ['noise_parameter wrong-type']],
    ['RandomizedResponseDpEvent(0.5, 0)', ['num_buckets out-of-range']],
    ['SingleEpochTreeAggregationDpEvent(1, [])', ['step_counts wrong-type']],
    ['SingleEpochTreeAggregationDpEvent(1, 0.5)', ['step_counts out-of-range']],
    ['MixtureOfGaussiansDpEvent(1, [0, 1], [0.5, 0.4])', ['sampling_probs wrong-sum']],
    ['MixtureOfGaussiansDpEvent(1, [0, 1], [1])', ['sampling_probs wrong-sum']],
    ['RandomAllocationDpEvent(event=GaussianDpEvent(1), num_selected=3, num_steps=2)', ['num_selected out-of-range']],
  ])('are mistakes where their numbers are none: %s', (python, expected) => {
    expect(mistakes(python, PYTHON_SYNTAX)).toEqual(expected);
  });
});

describe('the best of a random number of runs', () => {
  it.each([
    ['RepeatAndSelectDpEvent(GaussianDpEvent(1.1), 10, 1)', { law: 'negative-binomial', shape: 1, mean: 10 }],
    [
      'RepeatAndSelectDpEvent(GaussianDpEvent(1.1), mean=2.5, shape=0)',
      { law: 'negative-binomial', shape: 0, mean: 2.5 },
    ],
    ["RepeatAndSelectDpEvent(event=GaussianDpEvent(1.1), mean=20, shape=float('inf'))", { law: 'poisson', mean: 20 }],
    ['RepeatAndSelectDpEvent(GaussianDpEvent(1.1), 20, math.inf)', { law: 'poisson', mean: 20 }],
    ['RepeatAndSelectDpEvent(GaussianDpEvent(1.1), 1, 0.5)', { law: 'fixed', count: '1' }],
  ])('%s is a selection', (python, runs) => {
    expect(read(python)).toEqual([{ type: 'selection', of: [{ type: 'gaussian', sigma: 1.1 }], runs }]);
  });

  it('holds compositions on samples, and is written as it was read', () => {
    for (const shape of ['1', "float('inf')"]) {
      const python = `RepeatAndSelectDpEvent(SelfComposedDpEvent(PoissonSampledDpEvent(0.01, GaussianDpEvent(1.1)), 100), 10, ${shape})`;
      expect(again(python)).toContain(`mean=10`);
      expect(again(python)).toContain(`shape=${shape}`);
      expect(again(python)).toContain('sampling_probability=0.01');
    }
  });

  it.each([
    ['RepeatAndSelectDpEvent(RepeatAndSelectDpEvent(GaussianDpEvent(1), 2, 1), 2, 1)', 'selection of selections'],
    ['RepeatAndSelectDpEvent(NonPrivateDpEvent(), 2, 1)', 'event non-private'],
  ])('is refused where no theorem covers it: %s', (python, expected) => {
    const name = refusedIn(python) ?? JSON.stringify(readSpecification(documentText(documentOf(python))));
    expect(name).toContain(expected);
  });

  it('needs numbers', () => {
    expect(mistakes('RepeatAndSelectDpEvent(GaussianDpEvent(1), "many", 1)', PYTHON_SYNTAX)).toEqual([
      'mean wrong-type',
    ]);
  });
});
