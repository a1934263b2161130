import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Rows } from '../../src/page/question.ts';
import { documentOf, fixed, rowsOf } from '../../src/page/rows.ts';
import { specificationOf } from '../document/helpers.ts';

const fixture = (name: string): string => readFileSync(`fixtures/${name}.json`, 'utf8');

describe('rows', () => {
  it('are the document that they are written as, digit for digit', () => {
    const rows: Rows = {
      settings: { adaptivity: 'nonadaptive', neighbours: 'replace-one', name: 'visits', delta: '1e-6' },
      mechanisms: [
        { type: 'dp', epsilon: '0.1000000000000000055511151231257827', count: '40', label: 'a, b; c' },
        { type: 'rdp', orders: '2:0.1;4:0.30' },
        { type: 'exponential', coefficient: '1/3', sensitivity: '1', monotonic: 'true' },
        { type: 'gaussian', 'noise-multiplier': '1.1', sampling: 'random-allocation', batches: '100' },
      ],
    };
    expect(rowsOf(documentOf(rows))).toEqual(rows);
  });

  it.each(['dashboard', 'noise', 'selection', 'mixed', 'every-type'])('of %s mean what it means', (name) => {
    const rows = rowsOf(fixture(name));
    expect(rows).not.toBeNull();
    expect(specificationOf(documentOf(rows!))).toEqual(specificationOf(fixture(name)));
  });

  it('keep the digits that a double would lose', () => {
    const text = '{"dpcompose": 1, "mechanisms": [{"type": "dp", "epsilon": 0.1000000000000000000001}]}';
    expect(rowsOf(text)?.mechanisms).toEqual([{ type: 'dp', epsilon: '0.1000000000000000000001' }]);
  });

  it.each([
    ['what has parts', fixture('live-dashboard')],
    ['a design', fixture('designs/histogram')],
    ['assumptions of theorems', '{"dpcompose": 1, "discrete": false, "mechanisms": [{"type": "gdp", "mu": 1}]}'],
    ['an unknown key', '{"dpcompose": 1, "mechanisms": [{"type": "gdp", "mu": 1, "nu": 1}]}'],
    ['a null', '{"dpcompose": 1, "mechanisms": [{"type": "gdp", "mu": null}]}'],
    ['what is no JSON', '{"dpcompose": 1, "mechanisms": ['],
    ['a list', '[]'],
  ])('are not there for %s', (_, text) => {
    expect(rowsOf(text)).toBeNull();
  });
});

describe('a fix', () => {
  it('changes what it names and keeps all else, digit for digit', () => {
    const text =
      '{"dpcompose":1,"adaptivity":"parameters","mechanisms":[{"type":"dp","epsilon":0.10000000000000000000005}]}';
    const adaptive = { path: '', key: 'adaptivity', value: 'adaptive' };
    const pure = { path: 'mechanisms[0]', key: 'delta', value: 0 };
    const result = JSON.stringify(JSON.parse(fixed(text, { text: '', changes: [adaptive, pure] })));
    expect(result).toContain('"adaptivity":"adaptive"');
    expect(result).toContain('"delta":0');
    expect(fixed(text, { text: '', changes: [adaptive] })).toContain('0.10000000000000000000005');
  });

  it('removes a key', () => {
    const text = '{"dpcompose":1,"discrete":false,"mechanisms":[]}';
    const without = fixed(text, { text: '', changes: [{ path: '', key: 'discrete', value: null }] });
    expect(JSON.parse(without)).toEqual({ dpcompose: 1, mechanisms: [] });
  });
});
