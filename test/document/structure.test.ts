import { describe, expect, it } from 'vitest';
import { normalForm } from '../../src/document/structure/normal-form.ts';
import { MAX_NODE_DEPTH } from '../../src/document/structure/validate-document.ts';
import { decimal, dp, laplace } from '../mechanisms.ts';
import { group, local, parallel, partition, users } from '../plans.ts';
import { documentOf, errorsOf, errorsOfFlags, sentence, specificationOf, summary } from './helpers.ts';

const ONE = '{"type":"dp","epsilon":1}';

const nodesOf = (...elements: string[]) => specificationOf(documentOf(...elements)).entries;

describe('a document with structure', () => {
  it('gives a tree with its defaults filled in', () => {
    expect(
      nodesOf(
        `{"type":"group","mechanisms":[${ONE},{"type":"laplace","scale":3}],"label":"counts"}`,
        `{"type":"parallel","sparsity":2,"of":${ONE}}`,
        `{"type":"parallel","sparsity":"1","instances":20,"deltaCap":"1e-5","firstPairConsistent":true,"of":${ONE}}`,
        `{"type":"partition","of":[${ONE},${ONE}]}`,
        `{"type":"partition","parts":100,"of":[${ONE}]}`,
        `{"type":"local","differing":2,"users":"1000","of":${ONE}}`,
        `{"type":"local","each":[${ONE}]}`,
      ),
    ).toEqual([
      { ...group(dp(1), laplace(3)), label: 'counts' },
      parallel(2, dp(1)),
      parallel(1, dp(1), { instances: 20, deltaCap: '1e-5', firstPairConsistent: true }),
      { ...partition([dp(1), dp(1)]), impliedSparsity: true },
      { ...partition([dp(1)]), impliedSparsity: true, parts: 100 },
      local(2, dp(1), 1000),
      users(1, dp(1)),
    ]);
  });

  it('hands the kind of a parallel composition down to what does not say its own', () => {
    const inner = `{"type":"group","mechanisms":[${ONE},{"type":"dp","epsilon":1,"kind":"noninteractive"}]}`;
    expect(nodesOf(`{"type":"parallel","sparsity":1,"kind":"continual","of":${inner}}`)).toEqual([
      parallel(1, group(dp(1, 0, { kind: 'continual' }), dp(1))),
    ]);
    expect(nodesOf(`{"type":"parallel","sparsity":1,"of":${ONE}}`)).toEqual([parallel(1, dp(1))]);
  });

  it('says what is known of preconditions, or nothing', () => {
    const said = (text: string) => specificationOf(`{"dpcompose":1,${text}"mechanisms":[${ONE}]}`);
    expect(said('').setting).toEqual({
      discrete: 'assumed',
      adaptiveAdversary: 'assumed',
      symmetric: 'assumed',
      finiteCommunication: 'assumed',
    });
    const all = said(
      '"discrete":true,"adaptiveAdversary":false,"symmetric":false,"finiteCommunication":true,"neighbours":"one row",',
    );
    expect([all.setting, all.neighbours]).toEqual([
      { discrete: 'stated', adaptiveAdversary: 'denied', symmetric: 'denied', finiteCommunication: 'stated' },
      'one row',
    ]);
    expect(normalForm(all)).toMatchObject({ discrete: true, adaptiveAdversary: false, neighbours: 'one row' });
    const denied = said('"finiteCommunication":false,');
    expect(denied.setting.finiteCommunication).toBe('denied');
    expect(normalForm(denied)).toMatchObject({ finiteCommunication: false });
  });

  it('has many elements in one part, and many parts', () => {
    const many = Array.from({ length: 2500 }, (_, i) => `{"type":"dp","epsilon":${i}}`).join();
    const [part] = nodesOf(`{"type":"group","mechanisms":[${many}]}`);
    expect(part).toMatchObject({ nodes: { length: 2500, 2400: { mechanism: { epsilon: decimal(2400) } } } });
  });
});

describe('a mistake in a document with structure', () => {
  it.each([
    [`{"type":"group"}`, 'missing-key mechanisms[0].mechanisms'],
    [`{"type":"group","mechanisms":[]}`, 'empty-list mechanisms[0].mechanisms'],
    [`{"type":"group","mechanisms":[5]}`, 'wrong-type mechanisms[0].mechanisms[0]'],
    [`{"type":"group","mechanisms":[${ONE}],"count":2}`, 'unknown-key mechanisms[0].count'],
    [`{"type":"group","mechanisms":[${ONE},{"type":"dp"}]}`, 'missing-key mechanisms[0].mechanisms[1].epsilon'],
    [`{"type":"parallel","of":${ONE}}`, 'missing-key mechanisms[0].sparsity'],
    [`{"type":"parallel","sparsity":1}`, 'missing-key mechanisms[0].of'],
    [`{"type":"parallel","sparsity":1,"of":[${ONE}]}`, 'wrong-type mechanisms[0].of'],
    [`{"type":"parallel","sparsity":1,"of":7}`, 'wrong-type mechanisms[0].of'],
    [`{"type":"parallel","sparsity":-1,"of":${ONE}}`, 'out-of-range mechanisms[0].sparsity'],
    [`{"type":"parallel","sparsity":1.5,"of":${ONE}}`, 'not-whole mechanisms[0].sparsity'],
    [`{"type":"parallel","sparsity":1,"instances":"infinite","of":${ONE}}`, 'not-a-number mechanisms[0].instances'],
    [`{"type":"parallel","sparsity":1,"deltaCap":1.1,"of":${ONE}}`, 'out-of-range mechanisms[0].deltaCap'],
    [
      `{"type":"parallel","sparsity":1,"firstPairConsistent":"yes","of":${ONE}}`,
      'wrong-type mechanisms[0].firstPairConsistent',
    ],
    [`{"type":"parallel","sparsity":1,"kind":"live","of":${ONE}}`, 'unknown-value mechanisms[0].kind'],
    [`{"type":"parallel","sparsity":1,"of":{"type":"dpp"}}`, 'unknown-type mechanisms[0].of.type'],
    [
      `{"type":"parallel","sparsity":1,"of":{"type":"partition","of":[{"type":"dp","epsilon":-1}]}}`,
      'out-of-range mechanisms[0].of.of[0].epsilon',
    ],
    [`{"type":"partition","of":${ONE}}`, 'wrong-type mechanisms[0].of'],
    [`{"type":"partition","parts":0,"of":[${ONE}]}`, 'out-of-range mechanisms[0].parts'],
    [`{"type":"partition","parts":2,"of":[${ONE},${ONE}]}`, 'conflicting-keys mechanisms[0].of'],
    [`{"type":"partition","parts":2,"counted":"instances","of":[${ONE}]}`, 'conflicting-keys mechanisms[0].counted'],
    [`{"type":"local"}`, 'missing-key mechanisms[0]'],
    [`{"type":"local","of":${ONE},"each":[${ONE}]}`, 'conflicting-keys mechanisms[0]'],
    [`{"type":"local","users":5,"each":[${ONE}]}`, 'conflicting-keys mechanisms[0].users'],
  ])('%s is told with its place', (element, expected) => {
    expect(summary(errorsOf(documentOf(element)))).toEqual([expected]);
  });

  it('is told with its line and column, together with those around it', () => {
    const text = `{ "dpcompose": 1, "symmetric": "yes",
      "mechanisms": [
        { "type": "parallel", "sparsity": 1, "of":
          { "type": "group", "mechanisms": [
            { "type": "dp", "epsilon": -1 } ] } },
        { "type": "gdp" } ] }`;
    expect(errorsOf(text).map(({ code, path, line, column }) => [code, path, line, column])).toEqual([
      ['wrong-type', 'symmetric', 1, 32],
      ['out-of-range', 'mechanisms[0].of.mechanisms[0].epsilon', 5, 40],
      ['missing-key', 'mechanisms[1].mu', 6, 9],
    ]);
  });

  it('is told with what fixes it', () => {
    const [of] = errorsOf(documentOf('{"type":"parallel","sparsity":1,"of":[]}'));
    expect(of && sentence(of)).toBe(
      'mechanisms[0].of: of must be a mechanism or a group of mechanisms, got a list. Write of as an object such as {"type": "dp", "epsilon": "0.1"}; several mechanisms as {"type": "group", "mechanisms": [...]}.',
    );
    const [flag] = errorsOfFlags({ mechanisms: ['parallel:sparsity=1'] });
    expect(flag && sentence(flag)).toBe(
      '-m #1: parallel holds other mechanisms, which a flag cannot write. Write it in a JSON document, beside which -m may add mechanisms.',
    );
  });

  it('is elements nested too deep', () => {
    const nested = (depth: number): string =>
      depth === 0 ? ONE : `{"type":"group","mechanisms":[${nested(depth - 1)}]}`;
    expect(nodesOf(nested(MAX_NODE_DEPTH))).toHaveLength(1);
    const [error] = errorsOf(documentOf(nested(MAX_NODE_DEPTH + 1)));
    expect(error).toMatchObject({
      code: 'too-deep',
      path: expect.stringMatching(/^mechanisms\[0\](\.mechanisms\[0\])+/) as string,
    });
  });

  it('is an order declared for what runs at the same time', () => {
    const text = `{"dpcompose":1,"order":"declared","mechanisms":[{"type":"group","mechanisms":[${ONE}]}]}`;
    expect(summary(errorsOf(text))).toEqual(['conflicting-keys order']);
    const flat = documentOf(`{"type":"group","mechanisms":[${ONE}]}`);
    expect(summary(errorsOf(flat, { order: 'declared' }))).toEqual(['conflicting-keys --order']);
  });

  it('is a contradiction between what is said of answers and of communication', () => {
    const text = `{"dpcompose":1,"discrete":false,"finiteCommunication":true,"mechanisms":[${ONE}]}`;
    expect(summary(errorsOf(text))).toEqual(['conflicting-keys discrete']);
  });

  it('does not hide a mechanism that is not offered', () => {
    const text = documentOf('{"type":"group","mechanisms":[{"type":"subsampled-gaussian"}]}');
    expect(() => specificationOf(text)).toThrow('Expected a specification, got the refusal not-offered.');
  });

  it('is told once for each of many, up to a limit', () => {
    const many = Array.from({ length: 40_000 }, () => '{"type":"dp"}').join();
    const errors = errorsOf(documentOf(`{"type":"group","mechanisms":[${many}]}`));
    expect(errors).toHaveLength(20);
  });
});
