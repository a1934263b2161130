import { describe, expect, it } from 'vitest';
import { composeEntries } from '../../../src/composition/entries/compose-entries.ts';
import { CSV_SYNTAX } from '../../../src/document/csv-read.ts';
import { normalForm } from '../../../src/document/structure/normal-form.ts';
import { readSpecification } from '../../../src/document/read-specification.ts';
import { specificationFromFlags } from '../../../src/document/flags/command-line.ts';
import { YAML_SYNTAX } from '../../../src/document/syntax/yaml-read.ts';
import { atDelta, gaussian, sampled } from '../../mechanisms.ts';
import { documentOf, entriesOf, errorsOf, errorsOfFlags, specificationOf, specificationOfFlags } from '../helpers.ts';

const noise = (more: string): string => documentOf(`{"type":"gaussian","sigma":1${more}}`);
const sampling = (keys: string): string => noise(`,"sampling":{${keys}}`);

/** The type under which a document, or a flag, is refused. */
function refusedIn(result: ReturnType<typeof readSpecification>): string {
  if (result.kind !== 'refusal') throw new Error(`Expected a refusal, got ${result.kind}.`);
  const { refusal } = result;
  return refusal.code === 'not-offered' ? refusal.type : refusal.code;
}
const refused = (text: string): string => refusedIn(readSpecification(text));
const refusedFlag = (flag: string): string => refusedIn(specificationFromFlags({ mechanisms: [flag] }));

describe('a mechanism on samples', () => {
  const expected = [sampled(gaussian(1), [1, 100])];

  it('is the same in an object, beside a word, in YAML, in a table and in a flag', () => {
    expect(entriesOf(specificationOf(sampling('"scheme":"poisson","rate":"1/100"')))).toEqual(expected);
    expect(entriesOf(specificationOf(noise(',"sampling":"poisson","rate":"1/100"')))).toEqual(expected);
    const yaml =
      'dpcompose: 1\nmechanisms:\n  - type: gaussian\n    sigma: 1\n    sampling: {scheme: poisson, rate: 1/100}\n';
    const table = 'type,sigma,sampling,rate\ngaussian,1,poisson,1/100\n';
    for (const read of [readSpecification(yaml, {}, YAML_SYNTAX), readSpecification(table, {}, CSV_SYNTAX)]) {
      expect(read.kind === 'specification' && entriesOf(read.specification)).toEqual(expected);
    }
    const flag = 'gaussian:sigma=1,sampling=poisson,rate=1/100';
    expect(entriesOf(specificationOfFlags({ mechanisms: [flag] }))).toEqual(expected);
  });

  it('has a rate for each record of a person, in a list or with semicolons', () => {
    const [entry] = entriesOf(specificationOf(sampling('"scheme":"poisson","rate":["1/100",0.04]')));
    const rates = entry!.mechanism.type === 'sampled' ? entry!.mechanism.rates : undefined;
    expect(rates?.map(({ numerator, denominator }) => `${numerator.toString()}/${denominator.toString()}`)).toEqual([
      '1/25',
      '1/100',
    ]);
    const flag = 'gaussian:sigma=1,sampling=poisson,rate=0.04;1/100';
    expect(entriesOf(specificationOfFlags({ mechanisms: [flag] }))).toEqual([entry]);
    expect(entriesOf(specificationOf(sampling('"scheme":"poisson","rate":[0.1,"1/10"]')))).toEqual(
      entriesOf(specificationOf(sampling('"scheme":"poisson","rate":0.1,"records":2'))),
    );
  });

  it('costs the same at a rate that is written in another way', () => {
    const claim = (rate: string): unknown => {
      const entries = entriesOf(specificationOf(sampling(`"scheme":"poisson","rate":${rate}`)));
      return composeEntries({ entries, adaptivity: 'adaptive' }, atDelta('1e-6'));
    };
    expect(claim('"256/60000"')).toEqual(claim('"16/3750"'));
    expect(claim('"1/8"')).toEqual(claim('0.125'));
  });

  it.each([
    '"scheme":"poisson","rate":"256/60000"',
    '"scheme":"without-replacement","rate":0.25',
    '"scheme":"shuffled","rate":"1/3"',
    '"scheme":"poisson","rate":["1/7",0.1,0.01]',
    '"scheme":"poisson","rate":0',
    '"scheme":"poisson","rate":1,"sample":"fresh"',
  ])('{%s} is the same in normal form', (keys) => {
    const read = specificationOf(sampling(keys));
    const form = normalForm(read);
    const again = specificationOf(JSON.stringify(form));
    expect(entriesOf(again)).toEqual(entriesOf(read));
    expect(normalForm(again)).toEqual(form);
  });

  it('says for which neighbours it is, as do those of no sample that say so', () => {
    expect(specificationOf(sampling('"scheme":"poisson","rate":0.1')).neighbours).toBe('add-remove');
    expect(specificationOf(sampling('"scheme":"without-replacement","rate":0.1')).neighbours).toBe('replace-one');
    expect(specificationOf(noise(',"neighbours":"replace-one"')).neighbours).toBe('replace-one');
    expect(specificationOf(noise('')).neighbours).toBeNull();
  });
});

describe('a sampling that is refused', () => {
  const poisson = ',"sampling":{"scheme":"poisson","rate":0.1}';

  it.each([
    [
      'sampling of what was sampled',
      noise(',"sampling":[{"scheme":"poisson","rate":0.1},{"scheme":"poisson","rate":0.5}]'),
    ],
    ['an adaptively chosen rate', sampling('"scheme":"poisson","rate":"adaptive"')],
    ['one sample used twice', sampling('"scheme":"poisson","rate":0.1,"sample":"shared"')],
    ['sampling of interactive mechanisms', noise(`,"kind":"interactive"${poisson}`)],
    ['sampling of interactive mechanisms', noise(`,"kind":"continual"${poisson}`)],
    ['sampling of bounded range', documentOf(`{"type":"bounded-range","epsilon":1${poisson}}`)],
    ['sampling of bounded range', documentOf(`{"type":"exponential","epsilon":1${poisson}}`)],
    ['sampling of a Renyi or zCDP guarantee', documentOf(`{"type":"zcdp","rho":1${poisson}}`)],
    ['sampling of a Renyi or zCDP guarantee', documentOf(`{"type":"rdp","alpha":2,"epsilon":1${poisson}}`)],
    ['balls-in-bins', sampling('"scheme":"balls-in-bins","rate":0.1')],
    [
      'Poisson sampling of other than Gaussian noise where a record is replaced',
      documentOf(`{"type":"laplace","epsilon":1,"neighbours":"replace-one"${poisson}}`),
    ],
    [
      'Poisson sampling of other than Gaussian noise where a record is replaced',
      documentOf(`{"type":"gdp","mu":1,"neighbours":"replace-one"${poisson}}`),
    ],
    ...[
      documentOf('{"type":"laplace","epsilon":1,"sampling":{"scheme":"poisson","rate":0.1,"records":2}}'),
      documentOf('{"type":"gdp","mu":1,"sampling":{"scheme":"poisson","rate":0.1,"records":2}}'),
      documentOf('{"type":"laplace","epsilon":1,"sampling":{"scheme":"poisson","rate":[0.1,0.2]}}'),
      sampling('"scheme":"without-replacement","rate":[0.1,0.2]'),
      sampling('"scheme":"without-replacement","rate":0.1,"records":2'),
      sampling('"scheme":"random-allocation","batches":10,"records":2'),
      documentOf(
        '{"type":"banded-matrix","noise-multiplier":2,"steps":2001,"bands":16,"sampling":{"scheme":"poisson","rate":0.1,"records":2}}',
      ),
    ].map((text) => ['several records of one person otherwise than by Poisson sampling of Gaussian noise', text]),
    [
      'sampling without replacement where a record is added',
      noise(',"neighbours":"add-remove","sampling":{"scheme":"without-replacement","rate":0.1}'),
    ],
  ])('%s', (type, text) => {
    expect(refused(text)).toBe(type);
  });

  it('is so in a flag, too', () => {
    expect(refusedFlag('gaussian:sigma=1,sampling=poisson,rate=adaptive')).toBe('an adaptively chosen rate');
    expect(refusedFlag('gaussian:sigma=1,sampling=poisson,rate=0.1,sample=shared')).toBe('one sample used twice');
  });
});

describe('a mistake in a sampling', () => {
  const at = (text: string): string[] => errorsOf(text).map(({ code, path }) => `${code} ${path}`);

  it.each([
    ['no rate', sampling('"scheme":"poisson"'), 'missing-key mechanisms[0].sampling.rate'],
    ['no rate beside a word', noise(',"sampling":"poisson"'), 'missing-key mechanisms[0].rate'],
    [
      'two rates',
      noise(',"rate":0.1,"sampling":{"scheme":"poisson","rate":0.1}'),
      'conflicting-keys mechanisms[0].rate',
    ],
    [
      'records beside rates',
      sampling('"scheme":"poisson","rate":[0.1,0.2],"records":2'),
      'conflicting-keys mechanisms[0].records',
    ],
    ['no scheme', sampling('"rate":0.1'), 'missing-key mechanisms[0].sampling.scheme'],
    ['a rate alone', noise(',"rate":0.1'), 'missing-key mechanisms[0].rate'],
    ['a sample alone', noise(',"sample":"shared"'), 'missing-key mechanisms[0].sample'],
    ['a number', noise(',"sampling":5'), 'wrong-type mechanisms[0].sampling'],
    ['null', noise(',"sampling":null'), 'wrong-type mechanisms[0].sampling'],
    ['an unknown key', sampling('"scheme":"poisson","rate":0.1,"rat":1'), 'unknown-key mechanisms[0].sampling.rat'],
    [
      'an unknown sample',
      sampling('"scheme":"poisson","rate":0.1,"sample":"no"'),
      'unknown-value mechanisms[0].sampling.sample',
    ],
    ['an unknown relation', noise(',"neighbours":"addremove"'), 'unknown-value mechanisms[0].neighbours'],
  ])('%s', (_, text, mistake) => {
    expect(at(text)).toEqual([mistake]);
  });

  it.each([
    '2',
    '-0.1',
    '"1/0"',
    '"NaN"',
    '"-1/3"',
    '"1/3/4"',
    '"1 / 3"',
    '"3/2"',
    '""',
    '1e-400',
    'true',
    '"Infinity"',
    '[0.1]',
    '[0.1,0]',
    '[0.1,1]',
    '[0.1,"x"]',
  ])('the rate %s is one, and the only one', (rate) => {
    const [error, ...others] = errorsOf(sampling(`"scheme":"poisson","rate":${rate}`));
    expect([error?.path, others]).toEqual(['mechanisms[0].sampling.rate', []]);
    expect(error?.hint).not.toBe('');
  });

  it('draws belong to sampling with replacement, and are needed there', () => {
    expect(at(sampling('"scheme":"with-replacement","rate":"1/100"'))).toEqual(['missing-key mechanisms[0].draws']);
    expect(at(sampling('"scheme":"poisson","rate":0.1,"draws":5'))).toEqual(['conflicting-keys mechanisms[0].draws']);
  });

  it('an unknown scheme is one mistake, and told what was meant', () => {
    const [error, ...others] = errorsOfFlags({ mechanisms: ['gaussian:sigma=1,sampling=poison,rate=0.1'] });
    expect(others).toEqual([]);
    expect(error?.message).toBe(
      'sampling must be poisson, without-replacement, with-replacement, random-allocation, shuffled or balls-in-bins, got "poison"',
    );
    expect(error?.hint).toMatch(/^Did you mean "poisson"\?/);
    expect(at(sampling('"scheme":"Poisson","rate":0.1'))).toEqual(['unknown-value mechanisms[0].sampling.scheme']);
  });
});
