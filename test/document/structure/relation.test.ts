import { describe, expect, it } from 'vitest';
import { neighboursOf, otherRelation } from '../../../src/document/structure/relation.ts';
import { dp, gaussian, sampled } from '../../mechanisms.ts';
import { group } from '../../plans.ts';
import { errorsOf, specificationOf } from '../helpers.ts';

const poisson = sampled(gaussian(1), '0.1');
const replaced = sampled(gaussian(1), '0.1', 'without-replacement');

describe('the neighbours of a specification', () => {
  it('are those that are said, or else those of its mechanisms', () => {
    expect(neighboursOf(null, [dp(1)])).toBeNull();
    expect(neighboursOf('one patient', [dp(1)])).toBe('one patient');
    expect(neighboursOf(null, [dp(1), group(poisson)])).toBe('add-remove');
    expect(neighboursOf(null, [poisson, replaced])).toBeNull();
  });

  it('are in no other words than the mechanisms on samples, whose claim holds for no other', () => {
    const codeOf = (said: string, ...nodes: readonly (typeof poisson)[]): string | undefined =>
      otherRelation(said, nodes, ['neighbours'])?.problem.code;
    expect(codeOf('add-remove', poisson, dp(1))).toBeUndefined();
    expect(codeOf('replace-one', poisson)).toBe('conflicting-keys');
    expect(codeOf('Replace_One', poisson)).toBe('conflicting-keys');
    expect(codeOf('replace rows', poisson)).toBe('unknown-value');
    expect(codeOf('one patient', dp(1))).toBeUndefined();
    expect(codeOf(' ', dp(1))).toBe('unknown-value');
  });

  it('have their mistake at their place, of a document and of a flag', () => {
    const text = (said: string): string =>
      `{"dpcompose":1,${said}"mechanisms":[{"type":"gaussian","sigma":1,"sampling":"poisson","rate":0.1}]}`;
    expect(errorsOf(text('"neighbours":"add removed",'))).toMatchObject([
      { path: 'neighbours', hint: expect.stringMatching(/^Did you mean "add-remove"\?/) as string },
    ]);
    expect(errorsOf(text(''), { neighbours: 'replace-one' })).toMatchObject([{ path: '--neighbours' }]);
    expect(errorsOf(text(''), { neighbours: '' })).toMatchObject([{ path: '--neighbours' }]);
    expect(specificationOf(text(''), { neighbours: 'add-remove' }).neighbours).toBe('add-remove');
  });

  it.each([
    ['"neighbours":"replace-one",', '', 2],
    ['"neighbours":"Replace One",', '', 2],
    ['"neighbours":"replace-one",', '"sparsity":1,', 1],
    ['"neighbours":"add-remove",', '', 1],
    ['"neighbours":"one patient",', '', 1],
    ['', '', 1],
  ])('with %s and %s in a partition imply that so many parts differ', (said, sparsity, differ) => {
    const text = `{"dpcompose":1,${said}"mechanisms":[{"type":"partition",${sparsity}"parts":9,"of":[{"type":"dp","epsilon":1}]}]}`;
    expect(specificationOf(text).entries[0]).toMatchObject({ sparsity: differ });
    const implied = sparsity === '' ? 2 : 1;
    expect(specificationOf(text, { neighbours: 'replace-one' }).entries[0]).toMatchObject({ sparsity: implied });
  });
});
