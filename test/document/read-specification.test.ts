import { describe, expect, it } from 'vitest';
import { USUAL_SETTING } from '../../src/composition/core/setting.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { readSpecification, requireTarget } from '../../src/document/read-specification.ts';
import { documentOf, entriesOf, errorsOf, specificationOf } from './helpers.ts';

const d = (text: string): Decimal => new Decimal(text);
const entryOf = (entry: string): unknown => specificationOf(documentOf(entry)).entries[0];
const mechanismOf = (entry: string): unknown => entriesOf(specificationOf(documentOf(entry)))[0]?.mechanism;

describe('a document', () => {
  it('gives a specification with its decimals exact and its defaults filled in', () => {
    const text = `{ "dpcompose": 1, "name": "quarterly dashboard", "adaptivity": "nonadaptive", "order": "declared",
      "target": { "delta": "1e-6" },
      "mechanisms": [{ "type": "dp", "epsilon": 0.1000000000000000000001, "count": "1e6", "label": "counts" }] }`;
    expect(specificationOf(text)).toEqual({
      name: 'quarterly dashboard',
      adaptivity: 'nonadaptive',
      order: 'declared',
      target: { solveFor: 'epsilon', delta: d('0.000001') },
      neighbours: null,
      setting: USUAL_SETTING,
      design: null,
      entries: [
        {
          mechanism: { type: 'dp', epsilon: d('0.1000000000000000000001'), delta: d('0') },
          count: 1_000_000,
          kind: 'noninteractive',
          label: 'counts',
        },
      ],
    });
  });

  it('needs no name, adaptivity, order or target', () => {
    const { name, adaptivity, order, target } = specificationOf(documentOf('{"type":"gdp","mu":1}'));
    expect({ name, adaptivity, order, target }).toEqual({
      name: null,
      adaptivity: 'adaptive',
      order: 'any',
      target: null,
    });
  });

  it('may be bytes, and may begin with a byte order mark', () => {
    const text = documentOf('{"type":"gdp","mu":1}');
    const plain = specificationOf(text);
    expect(specificationOf(`\ufeff${text}`)).toEqual(plain);
    expect(specificationOf(new TextEncoder().encode(`\ufeff${text}`))).toEqual(plain);
  });

  it('may ask for delta at any real epsilon', () => {
    const text = '{"dpcompose":1,"target":{"epsilon":-2.5},"mechanisms":[{"type":"gdp","mu":1}]}';
    expect(specificationOf(text).target).toEqual({ solveFor: 'delta', epsilon: d('-2.5') });
  });
});

describe('the mechanisms of a document', () => {
  it.each([
    ['{"type":"dp","epsilon":0,"delta":1}', { type: 'dp', epsilon: d('0'), delta: d('1') }],
    ['{"type":"bounded-range","epsilon":1}', { type: 'bounded-range', epsilon: d('1') }],
    ['{"type":"exponential","epsilon":1}', { type: 'bounded-range', epsilon: d('1') }],
    ['{"type":"laplace","scale":10}', { type: 'laplace', scale: d('10'), sensitivity: d('1') }],
    ['{"type":"laplace","scale":10,"sensitivity":2}', { type: 'laplace', scale: d('10'), sensitivity: d('2') }],
    ['{"type":"laplace","epsilon":0.1}', { type: 'laplace', scale: d('1'), sensitivity: d('0.1'), byEpsilon: true }],
    ['{"type":"gaussian","sigma":4}', { type: 'gaussian', sigma: d('4'), sensitivity: d('1') }],
    ['{"type":"zcdp","rho":"0.01"}', { type: 'zcdp', rho: d('0.01') }],
    ['{"type":"rdp","alpha":2,"epsilon":1}', { type: 'rdp', orders: [{ alpha: d('2'), epsilon: d('1') }] }],
    [
      '{"type":"rdp","orders":[[8,"0.3"],[2,0.1]]}',
      {
        type: 'rdp',
        orders: [
          { alpha: d('2'), epsilon: d('0.1') },
          { alpha: d('8'), epsilon: d('0.3') },
        ],
      },
    ],
    ['{"type":"gdp","mu":0.5}', { type: 'gdp', mu: d('0.5') }],
  ])('%s', (entry, mechanism) => {
    expect(mechanismOf(entry)).toEqual(mechanism);
  });

  it.each([
    ['exponential', '"epsilon":0.3', 'bounded-range', '0.3'],
    ['exponential', '"coefficient":0.1,"range":3', 'bounded-range', '0.3'],
    ['bounded-range', '"coefficient":"0.1","sensitivity":3', 'bounded-range', '0.6'],
    ['exponential', '"coefficient":0.1,"sensitivity":3,"monotonic":false', 'bounded-range', '0.6'],
    ['exponential', '"coefficient":0.1,"sensitivity":3,"monotonic":true', 'bounded-range', '0.3'],
    ['exponential', '"coefficient":0,"range":3', 'bounded-range', '0'],
    ['report-noisy-max', '"noise":"gumbel","coefficient":0.1,"sensitivity":3', 'bounded-range', '0.6'],
    ['report-noisy-max', '"noise":"gumbel","scale":10,"range":3', 'bounded-range', '0.3'],
    ['report-noisy-max', '"noise":"laplace","epsilon":0.3', 'dp', '0.3'],
    ['report-noisy-max', '"noise":"laplace","scale":10,"sensitivity":3', 'dp', '0.6'],
    ['report-noisy-max', '"noise":"exponential","scale":10,"sensitivity":3,"monotonic":true', 'dp', '0.3'],
    ['permute-and-flip', '"epsilon":0.3', 'dp', '0.3'],
    ['permute-and-flip', '"coefficient":0.1,"sensitivity":3', 'dp', '0.6'],
    ['permute-and-flip', '"scale":10,"range":3', 'dp', '0.3'],
  ])('%s with %s is %s of epsilon %s', (type, keys, guarantee, epsilon) => {
    const delta = guarantee === 'dp' ? { delta: d('0') } : {};
    expect(mechanismOf(`{"type":"${type}",${keys}}`)).toEqual({ type: guarantee, epsilon: d(epsilon), ...delta });
  });

  it('have their products exact, to a thousand digits', () => {
    const [coefficient, range] = [`0.${'3'.repeat(490)}`, `0.${'7'.repeat(490)}`];
    expect(mechanismOf(`{"type":"exponential","coefficient":${coefficient},"range":${range}}`)).toEqual({
      type: 'bounded-range',
      epsilon: d(coefficient).times(range),
    });
  });

  it('have their quotients rounded up', () => {
    expect(mechanismOf('{"type":"permute-and-flip","scale":3,"sensitivity":1}')).toEqual({
      type: 'dp',
      epsilon: d(`0.${'6'.repeat(59)}7`),
      delta: d('0'),
    });
  });

  it('have a count, a kind and a label', () => {
    const entry = '{"type":"zcdp","rho":0,"count":9007199254740991,"kind":"continual","label":"a, b"}';
    expect(entryOf(entry)).toMatchObject({ count: Number.MAX_SAFE_INTEGER, kind: 'continual', label: 'a, b' });
  });
});

describe('the command line beside a document', () => {
  const text = '{"dpcompose":1,"order":"declared","target":{"delta":1e-6},"mechanisms":[{"type":"gdp","mu":1}]}';

  it('wins with its target, its adaptivity and its order', () => {
    const { adaptivity, order, target } = specificationOf(text, { epsilon: '3', nonadaptive: true, order: 'any' });
    expect(adaptivity).toBe('nonadaptive');
    expect(order).toBe('any');
    expect(target).toEqual({ solveFor: 'delta', epsilon: d('3') });
  });

  it('adds its mechanisms after those of the document', () => {
    const specification = specificationOf(text, { mechanisms: ['dp:epsilon=1', 'zcdp:rho=1'] });
    expect(entriesOf(specification).map(({ mechanism }) => mechanism.type)).toEqual(['gdp', 'dp', 'zcdp']);
  });

  it('has its mistakes reported together with those of the document', () => {
    const flags = { mechanisms: ['dp:epsilon=-1'], order: 'random', delta: '2' };
    const errors = errorsOf(documentOf('{"type":"gdp","mu":-1}'), flags);
    expect(errors.map(({ path }) => path)).toEqual(['mechanisms[0].mu', '-m #1 epsilon', '--order', '--delta']);
  });
});

describe('a specification without a target', () => {
  it('is complete in itself, but a command that needs one says how to give it', () => {
    expect(requireTarget(specificationOf(documentOf('{"type":"gdp","mu":1}')))).toEqual({
      code: 'no-target',
      path: '--delta',
      message: 'the target is missing: give a delta or an epsilon',
      hint: 'Add --delta 1e-6 (or --epsilon 1), or "target": {"delta": "1e-6"} to the document.',
    });
  });

  it('gets it from the line', () => {
    const specification = specificationOf(documentOf('{"type":"gdp","mu":1}'), { delta: '0' });
    expect(requireTarget(specification)).toEqual({ solveFor: 'epsilon', delta: d('0') });
  });
});

describe('a mechanism type that is known but not offered', () => {
  const svt = '{"type":"svt","c":1}';

  it('is refused by name, with its place', () => {
    expect(readSpecification(documentOf('{"type":"gdp","mu":1}', svt))).toEqual({
      kind: 'refusal',
      refusal: { code: 'not-offered', path: 'mechanisms[1]', type: 'svt' },
    });
  });

  it('gives way to plain mistakes of the input', () => {
    expect(errorsOf(documentOf(svt, '{"type":"gdp","mu":-1}')).map(({ path }) => path)).toEqual(['mechanisms[1].mu']);
  });
});
