import { describe, expect, it } from 'vitest';
import { normalForm } from '../../src/document/structure/normal-form.ts';
import { documentOf, errorsOf, specificationOf, summary } from './helpers.ts';

const formOf = (entry: object) => normalForm(specificationOf(documentOf(JSON.stringify(entry)))).mechanisms[0];

describe('a Renyi order of infinity', () => {
  it('is the largest loss: alone it is (epsilon, 0)-DP', () => {
    expect(formOf({ type: 'rdp', alpha: 'Infinity', epsilon: '0.5' })).toMatchObject({
      type: 'dp',
      epsilon: '0.5',
      delta: '0',
    });
  });

  it('stands last among others, and is written as it was read', () => {
    const form = formOf({
      type: 'rdp',
      orders: [
        ['Infinity', 0.5],
        [2, '0.1'],
      ],
    });
    expect(form).toMatchObject({
      type: 'rdp',
      orders: [
        ['2', '0.1'],
        ['Infinity', '0.5'],
      ],
    });
    expect(formOf(form!)).toEqual(form);
  });

  it('is given once, and is the only order that is no number', () => {
    const of = (orders: unknown) => summary(errorsOf(documentOf(JSON.stringify({ type: 'rdp', orders }))));
    expect(
      of([
        ['Infinity', 1],
        ['Infinity', 2],
      ]),
    ).toEqual(['duplicate-order mechanisms[0].orders[1][0]']);
    expect(of([['infinity', 1]])).toEqual(['not-finite mechanisms[0].orders[0][0]']);
    expect(of([['-Infinity', 1]])).toEqual(['not-finite mechanisms[0].orders[0][0]']);
    expect(of([[1, 1]])).toEqual(['out-of-range mechanisms[0].orders[0][0]']);
  });
});
