import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { readPolicy } from '../../src/document/policy/read-policy.ts';
import { policyJsonSchema } from '../../src/document/published-schema.ts';

const conforms = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false }).compile(policyJsonSchema());

const scope = (limits: object): object => ({ dpcompose: 1, scopes: [{ name: 'a', specs: ['a.json'], ...limits }] });
const budget = { epsilon: 1, delta: '1e-6' };

describe('the published JSON Schema of policies', () => {
  it.each([
    [true, { budget }],
    [true, { risk: { 'max-advantage': 0.2 } }],
    [true, { budget, risk: { 'max-advantage': '0.2', 'max-tpr': { at: '0.01', most: 0.05 } } }],
    [true, { risk: { 'max-tpr': [{ at: 0.01, most: 0.05 }] } }],
    [false, {}],
    [false, { risk: {} }],
    [false, { risk: { 'max-tpr': [] } }],
    [false, { risk: { 'max-tpr': { at: 1, most: 0.05 } } }],
    [false, { risk: { 'max-tpr': { at: 0.01 } } }],
    [false, { budget, risk: { 'max-advantage': 2 } }],
  ])('is %s of what is read, and of that alone: %j', (isPolicy, limits) => {
    const document = scope(limits);
    expect(conforms(document)).toBe(isPolicy);
    expect(readPolicy(JSON.stringify(document)).kind).toBe(isPolicy ? 'policy' : 'errors');
  });
});
