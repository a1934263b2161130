import { describe, expect, it } from 'vitest';
import { fc } from '../../reference/properties.ts';
import { isPython, PYTHON_SYNTAX } from '../../../src/document/events/python-read.ts';
import { readConvertible } from '../../../src/document/events/read-convertible.ts';
import { convert, mechanismsOf, mistakes, refused } from './convertible.ts';

const read = (text: string): unknown => mechanismsOf(text, PYTHON_SYNTAX);

const placed = (text: string): string[] =>
  convert(text, PYTHON_SYNTAX).errors.map(({ code, line, column }) => `${code} ${line}:${column}`);

const STEP = {
  type: 'gaussian',
  sigma: 1.1,
  sampling: { scheme: 'poisson', rate: 0.01 },
  neighbours: 'add-remove',
};

describe('what Python prints of events', () => {
  it('is read by the names of attributes, or by their order', () => {
    const named =
      'SelfComposedDpEvent(event=PoissonSampledDpEvent(sampling_probability=0.01, event=GaussianDpEvent(noise_multiplier=1.1)), count=5)';
    const ordered = 'SelfComposedDpEvent(PoissonSampledDpEvent(0.01, GaussianDpEvent(1.1)), 5)';
    expect(read(named)).toEqual([{ ...STEP, count: 5 }]);
    expect(read(ordered)).toEqual(read(named));
    expect(read(`# sgd\nimport dp_accounting\nfrom a import b # c\n\nevent = \\\n  ${named}\n# end`)).toEqual(
      read(named),
    );
    expect(read('dp_accounting.dp_event.ComposedDpEvent(events=[dp_event.NoOpDpEvent(),])')).toEqual([
      { type: 'dp', epsilon: '0' },
    ]);
  });

  it('is read of each class in the order of its constructor', () => {
    expect(
      read(
        'ComposedDpEvent([LaplaceDpEvent(10/3), DiscreteLaplaceDpEvent(1/3, 2), DiscreteGaussianDpEvent(3, 2, 1), EpsilonDeltaDpEvent(1, 1e-6), ZCDpEvent(.5, 0.0), ExponentialMechanismDpEvent(1.), PermuteAndFlipDpEvent(2)])',
      ),
    ).toEqual([
      { type: 'laplace', scale: '10', sensitivity: '3' },
      { type: 'discrete-laplace', scale: '3', sensitivity: 2 },
      { type: 'discrete-gaussian', sigma: 3, sensitivity: 2 },
      { type: 'dp', epsilon: 1, delta: '1e-6' },
      { type: 'zcdp', rho: '.5' },
      { type: 'exponential', epsilon: '1.' },
      { type: 'permute-and-flip', epsilon: 2 },
    ]);
  });

  it('may be the history of an accountant, in tuples and dictionaries', () => {
    const history = [{ ...STEP, count: 5 }];
    expect(read('[(1.1, 0.01, 5)]')).toEqual(history);
    expect(read("{'history': [(np.float64(1.1), 0.01, 5)], 'mechanism': 'rdp'}")).toEqual(history);
    expect(read("OrderedDict([('history', [(1.1, 0.01, 5)]), ('mechanism', \"rdp\")])")).toEqual(history);
    expect(read("OrderedDict({'history': [(1.1, 0.01, 5)]})")).toEqual(history);
    expect(read("{'dpcompose': 1, 'mechanisms': [{'type': 'dp', 'epsilon': 0.1}]}")).toEqual([
      { type: 'dp', epsilon: 0.1 },
    ]);
  });

  it('is refused by name where no theorem covers it', () => {
    expect(refused('ComposedDpEvent([GaussianDpEvent(1), TomorrowsDpEvent(3, 4, x=5)])', PYTHON_SYNTAX)).toBe(
      'events[1] TomorrowsDpEvent',
    );
  });

  it.each([
    ['a text that ends early', 'GaussianDpEvent(1', ['invalid-python 1:18']],
    ['nothing', 'event = ', ['invalid-python 1:9']],
    ['something behind', 'GaussianDpEvent(1)\n2', ['invalid-python 2:1']],
    ['another function', "[(1, 0.1, eval('3'))]", ['invalid-python 1:11']],
    ['a variable', 'GaussianDpEvent(sigma)', ['invalid-python 1:17']],
    ['an expression', 'GaussianDpEvent(2 * 3)', ['invalid-python 1:19']],
    ['a division without a divisor', 'GaussianDpEvent(2/x)', ['invalid-python 1:19']],
    ['a division that cuts', 'GaussianDpEvent(7//2)', ['invalid-python 1:18']],
    ['a key that is none', '{3: 4}', ['invalid-python 1:2']],
    ['no pairs', 'OrderedDict([1, 2])', ['invalid-python 1:1']],
    ['several numbers for one', '[(float(1, 2), 0.1, 3)]', ['invalid-python 1:3']],
    ['an attribute twice', 'GaussianDpEvent(1, noise_multiplier=2)', ['duplicate-key 1:20']],
    ['infinite noise', '[(\n float("inf"), 0.1, 3)]', ['not-finite 2:2']],
    ['no number', 'ComposedDpEvent([\nGaussianDpEvent(nan)])', ['not-finite 2:17']],
    ['an attribute nobody knows', 'GaussianDpEvent(1,\n norm=2)', ['unknown-key 2:2']],
    ['half a step', '[(1.1, 0.01, 5.5)]', ['out-of-range 1:14']],
    ['underscores', 'SelfComposedDpEvent(GaussianDpEvent(1), 1_000)', ['out-of-range 1:41']],
  ])('has %s as a mistake at its place', (_, text, expected) => {
    expect(placed(text)).toEqual(expected);
  });

  it('is given up where it is nested beyond any meaning', () => {
    const deep = `${'['.repeat(100_000)}1`;
    expect(mistakes(deep, PYTHON_SYNTAX)).toEqual(['document too-deep']);
    expect(mistakes(`${'SelfComposedDpEvent('.repeat(1000)}1`, PYTHON_SYNTAX)).toEqual(['document too-deep']);
  });

  it('never ends otherwise than with a value or a mistake', () => {
    const piece = fc.constantFrom(
      ...['[', ']', '(', ')', '{', '}', ',', ':', '=', '/', '.', '-', "'a'", '"b', '1', '1e', ' ', '\n', '#', '\\'],
      ...['None', 'inf', 'np.float64', 'OrderedDict', 'GaussianDpEvent', 'SelfComposedDpEvent', 'count', '__proto__'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const { document, errors, notOffered } = readConvertible(pieces.join(''), { syntax: PYTHON_SYNTAX });
        expect(document !== null || errors.length > 0 || notOffered !== null).toBe(true);
      }),
    );
  });
});

describe('whether a text is Python', () => {
  const recognised = (text: string): boolean => isPython(new TextEncoder().encode(text));

  it.each([
    'from dp_accounting import dp_event',
    '# x\n\nevent = f(1)',
    'GaussianDpEvent(1)',
    '[(1, 2, 3)]',
    "{'history': []}",
  ])('is said of %j', (text) => {
    expect(recognised(text)).toBe(true);
  });

  it.each([
    '{"history": []}',
    '[[1, 2, 3]]',
    'dpcompose: 1',
    '# YAML\ndpcompose: 1',
    'type,epsilon',
    '',
    '- 1',
    'events:\n',
  ])('is denied of %j', (text) => {
    expect(recognised(text)).toBe(false);
  });
});
