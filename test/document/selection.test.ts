import { describe, expect, it } from 'vitest';
import { readSpecification } from '../../src/document/read-specification.ts';
import { parseTuningFlag, specificationFromFlags } from '../../src/document/flags/command-line.ts';
import { normalForm } from '../../src/document/structure/normal-form.ts';
import { documentOf, errorsOf, sentence } from './helpers.ts';

const GAUSSIAN = '{"type":"gaussian","sigma":4}';
const POISSON = '{"law":"poisson","mean":20}';
const selectionOf = (of: string, more = `"runs":${POISSON}`): string =>
  documentOf(`{"type":"selection","of":[${of}],${more}}`);

const formOf = (text: string): unknown => {
  const read = readSpecification(text);
  if (read.kind !== 'specification') throw new Error(JSON.stringify(read));
  return normalForm(read.specification).mechanisms;
};

const refusedIn = (text: string): string => {
  const read = readSpecification(text);
  if (read.kind !== 'refusal' || read.refusal.code !== 'not-offered') throw new Error(JSON.stringify(read));
  return `${read.refusal.path} ${read.refusal.type}`;
};

describe('a selection in a document', () => {
  it('is that of a mechanism with best-of, also in a flag', () => {
    const long = formOf(selectionOf(`{"type":"gaussian","sigma":4,"count":5}`));
    expect(formOf(documentOf(`{"type":"gaussian","sigma":4,"count":5,"best-of":${POISSON}}`))).toEqual(long);
    const flags = specificationFromFlags({
      mechanisms: ['gaussian:sigma=4,count=5,best-of=poisson mean=20'],
      delta: '1e-6',
    });
    if (flags.kind !== 'specification') throw new Error(JSON.stringify(flags));
    expect(normalForm(flags.specification).mechanisms).toEqual(long);
  });

  it.each(['poisson mean=20 mean=1', 'poisson mean=20 law=fixed'])('has every key of a law once: %s', (law) => {
    expect(parseTuningFlag(law).errors).toMatchObject([{ code: 'wrong-type', path: '--tuning' }]);
    const flags = specificationFromFlags({ mechanisms: [`gaussian:sigma=4,best-of=${law}`], delta: '1e-6' });
    expect(flags.kind).toBe('errors');
  });

  it('has the normal form that is read again', () => {
    const text = selectionOf(
      `${GAUSSIAN},{"type":"dp","epsilon":"0.1"}`,
      '"runs":{"law":"logarithmic","gamma":"0.01"},"label":"x"',
    );
    const form = formOf(text);
    expect(formOf(JSON.stringify({ dpcompose: 1, target: { delta: '1e-6' }, mechanisms: form }))).toEqual(form);
  });

  it.each([
    [
      'in a selection',
      selectionOf(`{"type":"selection","of":[${GAUSSIAN}],"runs":${POISSON}}`),
      'mechanisms[0].of[0] selection of selections',
    ],
    [
      'in a run with best-of',
      selectionOf(`{"type":"gaussian","sigma":4,"best-of":${POISSON}}`),
      'mechanisms[0].of[0] selection of selections',
    ],
    [
      'on a sample',
      selectionOf(GAUSSIAN, `"runs":${POISSON},"sampling":"poisson","rate":0.1`),
      'mechanisms[0] sampling of a selection',
    ],
    [
      'of which all is released',
      selectionOf(GAUSSIAN, `"runs":${POISSON},"released":"all"`),
      'mechanisms[0] release of all runs',
    ],
    [
      'of interactive runs',
      selectionOf('{"type":"dp","epsilon":1,"kind":"interactive"}'),
      'mechanisms[0] selection of interactive mechanisms',
    ],
    [
      'of shuffled batches',
      selectionOf('{"type":"gaussian","sigma":1,"sampling":{"scheme":"shuffled","rate":0.1}}'),
      'mechanisms[0] selection of shuffled batches',
    ],
    ['that is a search', documentOf('{"type":"bayesian-optimization"}'), 'mechanisms[0] bayesian-optimization'],
  ])('is refused by name: %s', (_, text, expected) => {
    expect(refusedIn(text)).toBe(expected);
  });

  it('says what is wrong with a law', () => {
    expect(errorsOf(selectionOf(GAUSSIAN, '"runs":{"law":"poison","mean":20}')).map(sentence)).toEqual([
      'mechanisms[0].runs.law: law must be poisson, geometric, logarithmic, negative-binomial, binomial or fixed, got "poison". Did you mean "poisson"? Write one of these.',
    ]);
    expect(errorsOf(selectionOf(GAUSSIAN, '"runs":{"law":"geometric","mean":1}')).map(sentence)).toEqual([
      'mechanisms[0].runs.mean: mean must be a number above 1 and at most 1000000, got 1. Write a number above 1 and at most 1000000, such as 20.'.replace(
        '20',
        '10',
      ),
    ]);
    expect(errorsOf(selectionOf(GAUSSIAN, '"runs":{"law":"poisson","man":20}')).map(sentence)[0]).toContain('mean');
  });
});
