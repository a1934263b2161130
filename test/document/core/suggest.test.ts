import { describe, expect, it } from 'vitest';
import { didYouMean, suggest } from '../../../src/document/core/suggest.ts';

const WORDS = ['type', 'epsilon', 'delta', 'count', 'sensitivity', 'gaussian', 'bounded-range'];

describe('a word that is as near to several', () => {
  it('was meant to be any of them', () => {
    expect(didYouMean('discrete', ['laplace', 'discrete-laplace', 'discrete-gaussian'])).toBe(
      'Did you mean "discrete-laplace" or "discrete-gaussian"? ',
    );
    expect(didYouMean('xdp', ['dp', 'rdp', 'gdp', 'bdp'])).toBe('');
  });
});

describe('a misspelt word', () => {
  it.each([
    ['epsilom', 'epsilon'],
    ['espilon', 'epsilon'],
    ['eps', 'epsilon'],
    ['Gaussian', 'gaussian'],
    ['gausian', 'gaussian'],
    ['bounded_range', 'bounded-range'],
    ['tpye', 'type'],
    ['sens', 'sensitivity'],
    ['counts', 'count'],
  ])('%s was meant to be %s', (word, meant) => {
    expect(suggest(word, WORDS)).toEqual([meant]);
  });

  it.each(['', 'x', 'banana', 'neighbours', 'e'.repeat(100_000)])('%.12s was meant to be none of them', (word) => {
    expect(suggest(word, WORDS)).toEqual([]);
  });

  it('never takes a word for the opposite of it', () => {
    expect(suggest('with-replacement', ['poisson', 'without-replacement'])).toEqual([]);
    expect(suggest('without-replacement', ['poisson', 'with-replacement'])).toEqual([]);
    expect(suggest('without-replacment', ['with-replacement', 'without-replacement'])).toEqual(['without-replacement']);
  });
});

it('knows what others call a key, and the last word of one', () => {
  expect(suggest('std', ['sigma', 'scale'])).toEqual(['sigma']);
  expect(suggest('epsilon', ['local-epsilon', 'users'])).toEqual(['local-epsilon']);
  expect(suggest('n', ['local-epsilon', 'users'])).toEqual(['users']);
  expect(suggest('n', ['epsilon', 'count'])).toEqual([]);
});
