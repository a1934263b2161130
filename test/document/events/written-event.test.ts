import { describe, expect, it } from 'vitest';
import { fc } from '../../reference/properties.ts';
import { readConvertible, type WrittenDocument } from '../../../src/document/events/read-convertible.ts';
import { PYTHON_SYNTAX } from '../../../src/document/events/python-read.ts';
import { writtenEvent } from '../../../src/document/events/written-event.ts';
import { normalForm } from '../../../src/document/structure/normal-form.ts';
import { readSpecification } from '../../../src/document/read-specification.ts';
import { eventPython, documentText } from '../../../src/output/written-document.ts';

const documentOf = (text: string): WrittenDocument => {
  const { document, errors, notOffered } = readConvertible(text);
  if (document === null) throw new Error(JSON.stringify({ errors, notOffered }));
  return document;
};

const entries = (...mechanisms: unknown[]): WrittenDocument => documentOf(JSON.stringify({ dpcompose: 1, mechanisms }));

/** What is written of a document; or why nothing is. */
function pythonOf(document: WrittenDocument): string {
  const written = writtenEvent(document);
  return 'event' in written ? eventPython(written) : `${written.path} ${written.obstacle}`;
}

/** The mechanisms that are read of what is written of a document. */
function again(document: WrittenDocument): unknown {
  const { document: read, errors } = readConvertible(pythonOf(document), { syntax: PYTHON_SYNTAX });
  if (read === null) throw new Error(`${pythonOf(document)}\n${JSON.stringify(errors)}`);
  return formOf(read);
}

/** Mechanisms in normal form. */
function formOf(document: WrittenDocument): unknown {
  const read = readSpecification(documentText(document));
  if (read.kind !== 'specification') throw new Error(JSON.stringify(read));
  return normalForm(read.specification).mechanisms;
}

type Tree = Readonly<Record<string, unknown>>;

const number = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 20n }), fc.integer({ min: -25, max: 5 }))
  .map(([digits, exponent]) => `${String(digits)}e${String(exponent)}`);
const quotient = fc.tuple(number, number).map(([above, below]) => `${above}/${below}`);
const multiplier = fc.oneof(number, quotient);
const event = (className: string, attributes: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Tree> =>
  fc.record({ class_name: fc.constant(className), ...attributes });
const size = fc.integer({ min: 1, max: 500_000 });

const gaussian = event('GaussianDpEvent', { noise_multiplier: multiplier });
const base = fc.oneof(
  gaussian,
  event('LaplaceDpEvent', { noise_multiplier: multiplier }),
  event('DiscreteLaplaceDpEvent', { noise_parameter: fc.oneof(number.map((a) => `1/${a}`)), sensitivity: size }),
  event('DiscreteGaussianDpEvent', {
    sigma: fc.integer({ min: 1, max: 10 ** 6 }).map((n) => n / 100),
    sensitivity: size,
    dimension: fc.constant(1),
  }),
  event('EpsilonDeltaDpEvent', { epsilon: number, delta: fc.constantFrom('0', '1e-7', '1') }),
);
const alone = fc.oneof(
  event('ZCDpEvent', { rho: number, xi: fc.constantFrom(0, '0.0') }),
  event('ExponentialMechanismDpEvent', { epsilon: number }),
  event('PermuteAndFlipDpEvent', { epsilon: number }),
  event('NoOpDpEvent', {}),
);
const gaussians = event('ComposedDpEvent', { events: fc.array(gaussian, { minLength: 1, maxLength: 3 }) });
const sampled = {
  'add-remove': event('PoissonSampledDpEvent', {
    sampling_probability: fc.oneof(
      fc.constantFrom(0, '0.01', '256/60000', 0.999),
      size.map((n) => `1/${n + 1}`),
    ),
    event: fc.oneof(base, gaussians),
  }),
  'replace-one': fc.tuple(size, size).chain(([sample, more]) =>
    event('SampledWithoutReplacementDpEvent', {
      source_dataset_size: fc.constant(sample + more),
      sample_size: fc.constant(sample),
      event: fc.oneof(base, gaussians),
    }),
  ),
};
const nested = (leaf: fc.Arbitrary<Tree>): fc.Arbitrary<Tree> =>
  fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      leaf,
      event('ComposedDpEvent', { events: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
      event('SelfComposedDpEvent', { event: tie('tree'), count: fc.integer({ min: 0, max: 1000 }) }),
    ),
  })).tree;

describe('the event of a document', () => {
  it.each(['add-remove', 'replace-one'] as const)('of %s, read again, is the same document', (relation) => {
    fc.assert(
      fc.property(nested(fc.oneof(base, alone, sampled[relation])), sampled[relation], (tree, also) => {
        // Without a sample, nothing says that records are replaced.
        const document = documentOf(JSON.stringify({ class_name: 'ComposedDpEvent', events: [tree, also] }));
        expect(again(document)).toEqual(formOf(document));
      }),
    );
  });

  it('writes noise in units of what it is a multiple of', () => {
    expect(
      pythonOf(
        entries(
          { type: 'gaussian', sigma: 10, sensitivity: 3, label: 'sums' },
          { type: 'gaussian', sigma: 8, sensitivity: 2, count: 5 },
          { type: 'gdp', mu: 0.5 },
          { type: 'laplace', epsilon: 0.3 },
          { type: 'discrete-laplace', scale: 3, sensitivity: 1 },
        ),
      ),
    ).toBe(`from dp_accounting import dp_event

event = dp_event.ComposedDpEvent(
    events=[
        # sums
        dp_event.GaussianDpEvent(noise_multiplier=10/3),
        dp_event.SelfComposedDpEvent(event=dp_event.GaussianDpEvent(noise_multiplier=4), count=5),
        dp_event.GaussianDpEvent(noise_multiplier=2),
        dp_event.LaplaceDpEvent(noise_multiplier=1/0.3),
        dp_event.DiscreteLaplaceDpEvent(noise_parameter=1/3, sensitivity=1),
    ],
)
`);
  });

  it('has half the sensitivity as the norm bound of a record that is replaced', () => {
    const sampling = { scheme: 'without-replacement', rate: '20/1000' };
    const python = pythonOf(entries({ type: 'gaussian', sigma: 3, sensitivity: 2, sampling }));
    expect(python).toContain('source_dataset_size=1000,');
    expect(python).toContain('sample_size=20,');
    expect(python).toContain('dp_event.GaussianDpEvent(noise_multiplier=3)');
    expect(python).toContain('# A record is replaced');
  });

  const POISSON = { type: 'gaussian', sigma: 2, sensitivity: 2, neighbours: 'add-remove' };

  it('of several records, and of draws with replacement, is read again as the same document', () => {
    for (const sampling of [
      { scheme: 'poisson', rate: '1/64', records: 3 },
      { scheme: 'poisson', rate: '0.01', records: 5 },
      { scheme: 'with-replacement', rate: '1/10000', draws: 100 },
    ]) {
      const document = entries({ ...POISSON, sampling, count: 7 });
      expect(again(document)).toEqual(formOf(document));
    }
  });

  it.each([
    ['replaced', { ...POISSON, sampling: { scheme: 'poisson', rate: '0.01', records: 2 }, neighbours: 'replace-one' }],
    ['one that is replaced', { ...POISSON, sampling: { scheme: 'poisson', rate: '0.01' }, neighbours: 'replace-one' }],
    [
      'replaced under draws with replacement',
      { ...POISSON, sampling: { scheme: 'with-replacement', rate: '1/100', draws: 5 }, neighbours: 'replace-one' },
    ],
    ['of rates of their own', { ...POISSON, sampling: { scheme: 'poisson', rate: ['0.01', '0.02'] } }],
    ['too many', { ...POISSON, sampling: { scheme: 'poisson', rate: '0.01', records: 33 } }],
  ])('is none of records that are %s', (_, mechanism) => {
    expect(pythonOf(entries(mechanism))).toBe('mechanisms[0].sampling several-records');
  });

  it('is nothing where noise is on what nobody changes', () => {
    const sampling = { scheme: 'poisson', rate: 0.1 };
    expect(pythonOf(entries({ type: 'gaussian', sigma: 3, sensitivity: 0, sampling }))).toBe(
      'from dp_accounting import dp_event\n\nevent = dp_event.NoOpDpEvent()\n',
    );
  });

  it('has no label or name that ends its line', () => {
    const text = `x\n__import__('os')\r\u2028y\u0085z`;
    const python = pythonOf(
      documentOf(JSON.stringify({ dpcompose: 1, name: text, mechanisms: [{ type: 'dp', epsilon: 1, label: text }] })),
    );
    expect(python.split(/[\n\r\u2028\u2029\u0085\v\f]/).filter((line) => line !== '' && !line.startsWith('#'))).toEqual(
      ['from dp_accounting import dp_event', 'event = dp_event.EpsilonDeltaDpEvent(epsilon=1, delta=0)'],
    );
  });

  const sampling = (scheme: string): object => ({ sampling: { scheme, rate: 0.1 } });
  const GAUSSIAN = { type: 'gaussian', sigma: 1 };

  it.each([
    ['instances', { type: 'group', mechanisms: [GAUSSIAN] }, 'mechanisms[0] structure'],
    ['finite pairs', { type: 'finite-pair', p: [0.5, 0.5], q: [0.4, 0.6] }, 'mechanisms[0] type'],
    ['Renyi guarantees', { type: 'rdp', alpha: 2, epsilon: 1 }, 'mechanisms[0] type'],
    ['conversations', { ...GAUSSIAN, kind: 'interactive' }, 'mechanisms[0].kind kind'],
    ['shuffled batches', { ...GAUSSIAN, ...sampling('shuffled') }, 'mechanisms[0].sampling shuffled'],
    [
      'odd sensitivities of replaced records',
      { type: 'discrete-laplace', scale: 3, sensitivity: 1, ...sampling('without-replacement') },
      'mechanisms[0].sensitivity odd-sensitivity',
    ],
  ])('is refused of %s', (_, entry, expected) => {
    expect(pythonOf(entries(entry))).toBe(expected);
  });

  it('is refused of different neighbours, and of parameters that are adaptively chosen', () => {
    const mixed = entries({ ...GAUSSIAN, ...sampling('without-replacement') }, { ...GAUSSIAN, ...sampling('poisson') });
    expect(pythonOf(mixed)).toBe('mechanisms[1] mixed-neighbours');
    const chosen = { dpcompose: 1, adaptivity: 'parameters', mechanisms: [GAUSSIAN] };
    expect(pythonOf(documentOf(JSON.stringify(chosen)))).toBe('adaptivity adaptive-parameters');
  });
});
