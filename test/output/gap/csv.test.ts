import { describe, expect, it } from 'vitest';
import { gapOutput } from '../../../src/output/gap.ts';
import { incomplete, overEpsilon, single } from './answers.ts';

/** The records of a text in which nothing is quoted; each ends with CR LF. */
function records(text: string): string[][] {
  expect(text).toMatch(/^([\w.+-]*(,[\w.+-]*)*\r\n)+$/);
  return text
    .split('\r\n')
    .slice(0, -1)
    .map((line) => line.split(','));
}

describe('gap --format csv', () => {
  it('is a header and one record for each row', () => {
    const [header, ten, hundred, tooMany, ...more] = records(gapOutput(incomplete).csv?.() ?? '');
    expect(header?.join()).toBe(
      'each,count,delta,nonadaptive.lower,nonadaptive.upper,adaptive.lower,adaptive.upper,ratio.lower,ratio.upper,difference.lower,difference.upper,code',
    );
    expect(ten?.join()).toBe(
      '0.1,10,0.000001,0.62863683877321,0.62863683877326,0.63414769677926,0.63418629358054,0.0087663618,0.0088277595,0.0055108580059,0.0055494548074,',
    );
    expect(hundred).toHaveLength(12);
    expect(tooMany?.join()).toBe('0.1,10000,0.000001,2.2460262124561,2.2460262124564,,,,,,,too-large');
    expect(more).toEqual([]);
  });

  it('leaves empty what is not there', () => {
    const [header, , last] = records(gapOutput(overEpsilon).csv?.() ?? '');
    expect(header?.[2]).toBe('epsilon');
    expect(last?.join()).toBe('0.1,30,3,0,0,0,0,,,0,0,');
  });

  it('has numbers that programs read as they are', () => {
    const [, row] = records(gapOutput(single(1e-9, Infinity)).csv?.() ?? '');
    expect(row?.slice(0, -1).map(Number)).toEqual([
      0.1,
      10,
      1e-6,
      0.62863683877321,
      0.62863683877326,
      0.63414769677926,
      0.63418629358054,
      1e-9,
      Infinity,
      0.0055108580059,
      0.0055494548074,
    ]);
  });
});
