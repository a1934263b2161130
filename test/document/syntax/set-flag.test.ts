import { describe, expect, it } from 'vitest';
import { normalForm } from '../../../src/document/structure/normal-form.ts';
import { readConvertible } from '../../../src/document/events/read-convertible.ts';
import { readSpecification } from '../../../src/document/read-specification.ts';
import { CSV_SYNTAX } from '../../../src/document/csv-read.ts';
import { YAML_SYNTAX } from '../../../src/document/syntax/yaml-read.ts';
import { errorsOf, errorsOfFlags, specificationOf } from '../helpers.ts';

const DOCUMENT = `{
  "dpcompose": 1,
  "name": "release",
  "target": { "delta": "1e-6" },
  "mechanisms": [
    { "type": "dp", "epsilon": "0.1", "count": 40, "label": "counts" },
    { "type": "laplace", "scale": 20 },
    { "type": "group", "mechanisms": [{ "type": "gaussian", "sigma": 8 }, { "type": "zcdp", "rho": 0.01 }] },
    { "type": "parallel", "sparsity": 1, "of": { "type": "dp", "epsilon": 0.2, "kind": "interactive" } }
  ]
}`;

interface RawElement {
  [key: string]: unknown;
  mechanisms?: RawElement[];
  of?: RawElement;
}
/** The document as other programs read it. */
interface Raw {
  [key: string]: unknown;
  mechanisms: RawElement[];
}

const changed = (...set: string[]) => normalForm(specificationOf(DOCUMENT, { set }));
const mistakes = (...set: string[]): string[] =>
  errorsOf(DOCUMENT, { set }).map(
    ({ code, path, line }) => `${path}: ${code}${line === undefined ? '' : ` in ${line}`}`,
  );

describe('--set', () => {
  it.each<[string, (document: Raw) => void]>([
    ['mechanisms[0].count=50', ({ mechanisms: [first] }) => (first!.count = 50)],
    ['mechanisms.0.count=50', ({ mechanisms: [first] }) => (first!.count = 50)],
    ['mechanisms[0].epsilon=0.25', ({ mechanisms: [first] }) => (first!.epsilon = 0.25)],
    ['mechanisms[0].epsilon=.25', ({ mechanisms: [first] }) => (first!.epsilon = 0.25)],
    ['mechanisms[0]["epsilon"]=0.25', ({ mechanisms: [first] }) => (first!.epsilon = 0.25)],
    ['mechanisms[0].delta=1e-9', ({ mechanisms: [first] }) => (first!.delta = 1e-9)],
    ['mechanisms[0].label=2026', ({ mechanisms: [first] }) => (first!.label = '2026')],
    ['mechanisms[1].label="2026"', ({ mechanisms: [, second] }) => (second!.label = '2026')],
    ['mechanisms[1].label=a = b', ({ mechanisms: [, second] }) => (second!.label = 'a = b')],
    ['name=true', (document) => (document.name = 'true')],
    ['symmetric=false', (document) => (document.symmetric = false)],
    ['adaptivity=nonadaptive', (document) => (document.adaptivity = 'nonadaptive')],
    ['target={"epsilon":1}', (document) => (document.target = { epsilon: 1 })],
    ['mechanisms[2].mechanisms[1].rho=0.02', ({ mechanisms: [, , third] }) => (third!.mechanisms![1]!.rho = 0.02)],
    ['mechanisms[3].instances=1000', ({ mechanisms }) => (mechanisms[3]!.instances = 1000)],
    ['mechanisms[3].of.epsilon=0.3', ({ mechanisms }) => (mechanisms[3]!.of!.epsilon = 0.3)],
    ['mechanisms[4]={"type":"gdp","mu":1}', ({ mechanisms }) => mechanisms.push({ type: 'gdp', mu: 1 })],
  ])('%s changes that and nothing else', (set, edit) => {
    const document = JSON.parse(DOCUMENT) as Raw;
    edit(document);
    expect(changed(set)).toEqual(normalForm(specificationOf(JSON.stringify(document))));
  });

  it('keeps decimals exact', () => {
    const long = '0.1000000000000000000000000000000000000001';
    expect(changed(`mechanisms[0].epsilon=${long}`).mechanisms[0]).toMatchObject({ epsilon: long });
    expect(changed(`mechanisms[2].mechanisms[0].sigma=${long}`).mechanisms[2]).toMatchObject({
      mechanisms: [{ sigma: long }, {}],
    });
  });

  it('removes with null, by the places of the document', () => {
    const { mechanisms } = changed('mechanisms[0]=null', 'mechanisms[2]=null', 'mechanisms[1].scale=30');
    expect(mechanisms).toMatchObject([{ type: 'laplace', scale: '30' }, { type: 'parallel' }]);
    expect(changed('target=null')).not.toHaveProperty('target');
    expect(changed('mechanisms[1].scale=null', 'mechanisms[1].epsilon=0.1').mechanisms[1]).toMatchObject({
      epsilon: '0.1',
    });
  });

  it('makes objects that are missing on the way', () => {
    expect(changed('target=null').target).toBeUndefined();
    const bare = DOCUMENT.replace(/ {2}"target".*\n/, '');
    expect(normalForm(specificationOf(bare, { set: ['target.epsilon=2'] })).target).toEqual({ epsilon: '2' });
  });

  it.each([
    [['mechanisms[0].count=0'], ['--set mechanisms[0].count: out-of-range']],
    [['mechanisms[0].count=many'], ['--set mechanisms[0].count: not-a-number']],
    [['mechanisms[0].cuont=5'], ['--set mechanisms[0].cuont: unknown-key']],
    [['mechanisms[0].epsilon=null'], ['--set mechanisms[0].epsilon: missing-key']],
    [['mechanisms[0].kind=continuous'], ['--set mechanisms[0].kind: unknown-value']],
    [['mechanisms[1].label=2026'], ['--set mechanisms[1].label: wrong-type']],
    [['mechanisms[4].count=5'], ['--set mechanisms[4].count: unknown-name']],
    [['mechanisms[5]={}'], ['--set mechanisms[5]: unknown-name']],
    [['mechanisms[0].count.x=5'], ['--set mechanisms[0].count.x: wrong-type']],
    [['mechanisms.count=5'], ['--set mechanisms.count: wrong-type']],
    [['mechanisms[0].delta=null'], ['--set mechanisms[0].delta: unknown-name']],
    [['mechanisms[0].count=1', 'mechanisms.0.count=2'], ['--set mechanisms[0].count: duplicate-key']],
    [['mechanisms[0]=null', 'mechanisms[0].count=2'], ['--set mechanisms[0].count: wrong-type']],
    [['mechanisms[0]={"type":"dp"'], ['--set mechanisms[0]: malformed-flag']],
    [['mechanisms[0].count='], ['--set mechanisms[0].count: malformed-flag']],
    [['mechanisms[0].count'], ['--set: malformed-flag']],
    [['=5'], ['--set: malformed-flag']],
    [['.name=x'], ['--set: malformed-flag']],
    [['mechanisms[0]count=5'], ['--set: malformed-flag']],
    [['mechanisms[-1].count=5'], ['--set: malformed-flag']],
    // What the change makes wrong elsewhere stands in the document.
    [['mechanisms[1].epsilon=0.1'], ['mechanisms[1]: conflicting-keys in 7']],
    [['mechanisms[0]=null', 'mechanisms[1].epsilon=0.1'], ['mechanisms[1]: conflicting-keys in 7']],
    [['target.epsilon=1'], ['target: two-targets in 4']],
    [
      ['mechanisms[2]={"type":"group","mechanisms":[{"type":"dp","epsilon":-1}]}'],
      ['--set mechanisms[2].mechanisms[0].epsilon: out-of-range'],
    ],
  ])('%j is told with its place', (set, expected) => {
    expect(mistakes(...set)).toEqual(expected);
  });

  it('is told beside the mistakes of the document', () => {
    const wrong = DOCUMENT.replace('"scale": 20', '"scale": -20');
    const errors = errorsOf(wrong, { set: ['mechanisms[0].count=0', 'mechanisms[0].epsilon=-1'] });
    expect(errors.map(({ path }) => path)).toEqual([
      'mechanisms[1].scale',
      '--set mechanisms[0].epsilon',
      '--set mechanisms[0].count',
    ]);
  });

  it('says what there is where a place is not', () => {
    const [error] = errorsOf(DOCUMENT, { set: ['mechanisms[7].count=5'] });
    expect(error).toMatchObject({
      message: 'there is no mechanisms[7] in mechanisms: it has mechanisms[0] to mechanisms[3]',
      hint: 'A new one would be mechanisms[4].',
    });
  });

  it('needs a document', () => {
    const errors = errorsOfFlags({ mechanisms: ['dp:epsilon=1'], set: ['mechanisms[0].count=5'] });
    expect(errors.map(({ code, path }) => `${path}: ${code}`)).toEqual(['--set: no-input']);
  });

  it('changes YAML and tables too', () => {
    const set = ['mechanisms[0].count=50'];
    const yaml = readSpecification('dpcompose: 1\nmechanisms: [{type: dp, epsilon: 0.1}]\n', { set }, YAML_SYNTAX);
    const csv = readSpecification('type,epsilon,count\ndp,0.1,3\n', { set }, CSV_SYNTAX);
    for (const read of [yaml, csv]) {
      expect(read.kind === 'specification' && normalForm(read.specification).mechanisms[0]).toMatchObject({
        count: 50,
      });
    }
  });

  it('changes what is converted, as it is written', () => {
    const { document } = readConvertible(DOCUMENT, { set: ['mechanisms[0].count=50', 'mechanisms[2]=null'] });
    expect(document?.mechanisms).toHaveLength(3);
    const { errors } = readConvertible('{"events":[{"mechanism":"dp","parameters":{"epsilon":1}}]}', {
      set: ['events[0].parameters.epsilon=-1'],
    });
    expect(errors.map(({ path }) => path)).toEqual(['--set events[0].parameters.epsilon']);
  });
});

describe('--adaptive', () => {
  it('wins over a document, and excludes --nonadaptive', () => {
    const text = DOCUMENT.replace('"name"', '"adaptivity": "nonadaptive", "name"');
    expect(specificationOf(text).adaptivity).toBe('nonadaptive');
    expect(specificationOf(text, { adaptive: true }).adaptivity).toBe('adaptive');
    expect(specificationOf(DOCUMENT, { nonadaptive: true }).adaptivity).toBe('nonadaptive');
    const errors = errorsOf(DOCUMENT, { adaptive: true, nonadaptive: true });
    expect(errors.map(({ code, path }) => `${path}: ${code}`)).toEqual(['--adaptive: conflicting-options']);
  });
});
