import { describe, expect, it } from 'vitest';
import { readSpecification } from '../../../src/document/read-specification.ts';
import { sentence } from '../helpers.ts';

function sentencesOf(mechanism: object, noise: object): string[] {
  const read = readSpecification(
    JSON.stringify({
      dpcompose: 1,
      mechanisms: [{ ...mechanism, label: 'sum', kind: 'noninteractive' }],
      design: {
        inputs: [{ name: 'x', differing: 1, change: 1 }],
        submechanisms: [
          { mechanism: 'sum', receives: [{ name: 'row', change: 1 }], noise: [{ on: 'the sum', ...noise }] },
        ],
        procedure: {
          input: [{ if: [], atMost: 1, then: [{ send: ['x'], to: 'sum', answer: 'h' }, { output: ['h'] }] }],
        },
      },
    }),
  );
  return read.kind === 'errors' ? read.errors.map(sentence) : [];
}

describe('the noise that a design lists for a mechanism that is noise itself', () => {
  it.each([
    ['its sigma', { type: 'gaussian', sigma: 8 }, { gaussian: '8.0' }],
    ['its scale', { type: 'laplace', scale: 10 }, { laplace: 10 }],
    ['any scale where the mechanism is given by epsilon', { type: 'laplace', epsilon: '0.1' }, { laplace: 7 }],
    ['sigma in units of the sensitivity', { type: 'gaussian', 'noise-multiplier': 4, sensitivity: 2 }, { gaussian: 8 }],
    ['at least what a guarantee needs', { type: 'gaussian', epsilon: 1, delta: '1e-6' }, { gaussian: 5 }],
    ['what it likes where only a guarantee is given', { type: 'dp', epsilon: 1 }, { gaussian: 1 }],
  ])('is %s', (_, mechanism, noise) => {
    expect(sentencesOf(mechanism, noise)).toEqual([]);
  });

  it.each([
    [
      'another sigma',
      { type: 'gaussian', sigma: 8 },
      { gaussian: 1 },
      'Gaussian noise of sigma 1, but "sum" is Gaussian noise of sigma 8',
    ],
    [
      'another distribution',
      { type: 'gaussian', sigma: 8 },
      { laplace: 8 },
      'Laplace noise of scale 8, but "sum" is Gaussian noise',
    ],
    [
      'another scale',
      { type: 'laplace', scale: 10 },
      { laplace: 9 },
      'of scale 9, but "sum" is Laplace noise of scale 10',
    ],
    ['discrete', { type: 'discrete-laplace', scale: 10 }, { laplace: 10 }, 'but "sum" is discrete noise'],
    [
      'less than a guarantee needs',
      { type: 'gaussian', epsilon: 1, delta: '1e-6' },
      { gaussian: 4 },
      'of sigma 4, but',
    ],
  ])('is not %s', (_, mechanism, noise, said) => {
    const [only, ...more] = sentencesOf(mechanism, noise);
    expect(more).toEqual([]);
    expect(only).toContain('design.submechanisms[0].noise[0]');
    expect(only).toContain(said);
  });
});
