import { Ajv2020 } from 'ajv/dist/2020.js';
import { fc } from '../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { normalForm } from '../../src/document/structure/normal-form.ts';
import { specJsonSchema } from '../../src/document/published-schema.ts';
import { readSpecification } from '../../src/document/read-specification.ts';
import { anyDocument, anyPlanDocument } from './arbitraries.ts';
import { documentOf, specificationOf } from './helpers.ts';

const schema = specJsonSchema();
const conforms = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false }).compile(schema);

describe('the published JSON Schema', () => {
  it('is of draft 2020-12 and says what every number may be', () => {
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      required: ['dpcompose', 'mechanisms'],
    });
    const text = JSON.stringify(schema);
    expect(text).toContain('The privacy parameter delta: a JSON number or a decimal string, from 0 to 1.');
    expect(text).not.toContain('{}');
  });

  it('accepts every document that is read, and its normal form', () => {
    fc.assert(
      fc.property(fc.oneof(anyDocument, anyPlanDocument), (document) => {
        expect(conforms(document), JSON.stringify(conforms.errors)).toBe(true);
        expect(conforms(normalForm(specificationOf(JSON.stringify(document))))).toBe(true);
      }),
    );
  });

  it.each([
    '{}',
    '[]',
    '5',
    '{"dpcompose":2,"mechanisms":[{"type":"gdp","mu":1}]}',
    '{"dpcompose":1,"mechanisms":[]}',
    '{"dpcompose":1,"target":{},"mechanisms":[{"type":"gdp","mu":1}]}',
    '{"dpcompose":1,"target":{"delta":0,"epsilon":1},"mechanisms":[{"type":"gdp","mu":1}]}',
    '{"dpcompose":1,"target":{"delta":2},"mechanisms":[{"type":"gdp","mu":1}]}',
    '{"dpcompose":1,"order":"listed","mechanisms":[{"type":"gdp","mu":1}]}',
    '{"dpcompose":1,"neighbors":"x","mechanisms":[{"type":"gdp","mu":1}]}',
    ...[
      '{"type":"dp"}',
      '{"type":"dp","epsilon":-1}',
      '{"type":"dp","epsilon":"-1"}',
      '{"type":"dp","epsilon":"NaN"}',
      '{"type":"dp","epsilon":""}',
      '{"type":"dp","epsilon":" 0.1"}',
      '{"type":"dp","epsilon":true}',
      '{"type":"dp","epsilon":1,"epsilom":1}',
      '{"type":"dp","epsilon":1,"delta":1.5}',
      '{"type":"zcdp","rho":1,"delta":1.5}',
      '{"type":"dp","epsilon":1,"count":0}',
      '{"type":"dp","epsilon":1,"count":1.5}',
      '{"type":"dp","epsilon":1,"count":1e30}',
      '{"type":"dp","epsilon":1,"kind":"x"}',
      '{"type":"dp","epsilon":1,"label":1}',
      '{"type":"exponential"}',
      '{"type":"exponential","coefficient":1}',
      '{"type":"exponential","coefficient":-1,"range":1}',
      '{"type":"exponential","epsilon":1,"coefficient":1}',
      '{"type":"exponential","coefficient":1,"range":1,"sensitivity":1}',
      '{"type":"exponential","coefficient":1,"range":1,"monotonic":true}',
      '{"type":"exponential","coefficient":1,"sensitivity":1,"monotonic":"true"}',
      '{"type":"exponential","scale":1,"sensitivity":1}',
      '{"type":"report-noisy-max","epsilon":1}',
      '{"type":"report-noisy-max","noise":"gaussian","epsilon":1}',
      '{"type":"report-noisy-max","noise":"laplace","scale":0,"range":1}',
      '{"type":"report-noisy-max","noise":"laplace","scale":1,"coefficient":1,"range":1}',
      '{"type":"permute-and-flip","noise":"laplace","epsilon":1}',
      '{"type":"sparse-vector","threshold-epsilon":1}',
      '{"type":"sparse-vector","threshold-scale":1,"query-scale":1,"positives":0,"sensitivity":1}',
      '{"type":"sparse-vector","noise":"gaussian","epsilon":1}',
      '{"type":"laplace"}',
      '{"type":"laplace","scale":1,"epsilon":1}',
      '{"type":"laplace","sensitivity":1,"epsilon":1}',
      '{"type":"gaussian","sigma":0}',
      '{"type":"rdp","alpha":2}',
      '{"type":"rdp","alpha":1,"epsilon":1}',
      '{"type":"rdp","orders":[]}',
      '{"type":"rdp","orders":[[2]]}',
      '{"type":"rdp","orders":[[2,1,1]]}',
      '{"type":"rdp","orders":[[2,1]],"alpha":2}',
      '{"type":"discrete-laplace"}',
      '{"type":"discrete-laplace","scale":1,"sensitivity":1.5}',
      '{"type":"discrete-laplace","scale":1,"sensitivity":1000001}',
      '{"type":"discrete-laplace","epsilon":1}',
      '{"type":"discrete-gaussian","sigma":0.001}',
      '{"type":"discrete-gaussian","sigma":200001}',
      '{"type":"discrete-gaussian","sigma":4,"sensitivity":-1}',
      '{"type":"finite-pair"}',
      '{"type":"finite-pair","p":[1]}',
      '{"type":"finite-pair","p":1,"q":1}',
      '{"type":"finite-pair","p":[],"q":[]}',
      '{"type":"finite-pair","p":[1.5],"q":[1]}',
      '{"type":"finite-pair","p":["-1"],"q":[1]}',
      '{"type":"finite-pair","p":[1],"q":[1],"direction":"both"}',
      `{"type":"finite-pair","p":[${Array<string>(201).fill('0').join()}],"q":[1]}`,
      '{"type":"trade-off"}',
      '{"type":"trade-off","points":[]}',
      '{"type":"trade-off","points":[[0.5]]}',
      '{"type":"trade-off","points":[[0.5,1.5]]}',
      `{"type":"trade-off","points":[${Array<string>(201).fill('[0,0]').join()}]}`,
      '{"type":"group","mechanisms":[]}',
      '{"type":"group","mechanisms":[{"type":"dp"}]}',
      '{"type":"parallel","of":{"type":"dp","epsilon":1}}',
      '{"type":"parallel","sparsity":-1,"of":{"type":"dp","epsilon":1}}',
      '{"type":"parallel","sparsity":1.5,"of":{"type":"dp","epsilon":1}}',
      '{"type":"parallel","sparsity":1,"instances":0,"of":{"type":"dp","epsilon":1}}',
      '{"type":"parallel","sparsity":1,"instances":"many","of":{"type":"dp","epsilon":1}}',
      '{"type":"parallel","sparsity":1,"deltaCap":2,"of":{"type":"dp","epsilon":1}}',
      '{"type":"parallel","sparsity":1,"of":[{"type":"dp","epsilon":1}]}',
      '{"type":"parallel","sparsity":1}',
      '{"type":"parallel","sparsity":1,"of":{"type":"group","mechanisms":[{"type":"dp","epsilon":-1}]}}',
      '{"type":"partition","of":{"type":"dp","epsilon":1}}',
      '{"type":"partition","parts":2,"of":[{"type":"dp","epsilon":1},{"type":"dp","epsilon":1}]}',
      '{"type":"partition","parts":2,"counted":"instances","of":[{"type":"dp","epsilon":1}]}',
      '{"type":"partition","parts":"1/2","of":[{"type":"dp","epsilon":1}]}',
      '{"type":"dp","epsilon":"1/0"}',
      '{"type":"finite-pair","p":["1/2","1/2"],"q":[0.5,0.5]}',
      '{"type":"local","of":{"type":"dp","epsilon":1},"each":[{"type":"dp","epsilon":1}]}',
      '{"type":"local","users":3,"each":[{"type":"dp","epsilon":1}]}',
      '{"type":"local"}',
      '{"type":"svt"}',
      '{"type":"x"}',
    ].map((entry) => documentOf(entry)),
  ])('rejects %s, as the reader does', (text) => {
    expect(readSpecification(text).kind).not.toBe('specification');
    expect(conforms(JSON.parse(text))).toBe(false);
  });
});
