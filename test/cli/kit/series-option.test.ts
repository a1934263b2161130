import { describe, expect, it } from 'vitest';
import { readSeriesOption, type SeriesRange } from '../../../src/cli/kit/series-option.ts';
import type { InputError } from '../../../src/document/core/specification.ts';

const sums: SeriesRange = {
  flag: '--epsilon',
  allowed: 'a number of at most 1000000',
  example: '1',
  contains: (value) => value.lte(1_000_000),
  step: 'sum',
};
const whole: SeriesRange = { ...sums, flag: '--count', contains: (value) => value.isInteger() && value.gte(1) };
const tens: SeriesRange = { ...sums, flag: '--delta', contains: (value) => value.lte(1), step: 'tenfold' };

/** The same option, where ranges do not say how many points they have. */
const withoutPoints = ({ flag, allowed, example, contains, step }: SeriesRange): SeriesRange => ({
  flag,
  allowed,
  example,
  contains,
  step,
});

function read(text: string, range: SeriesRange): { values: string; errors: readonly InputError[] } {
  const errors: InputError[] = [];
  const values = readSeriesOption(text, range, errors);
  return { values: values.map((value) => value.toString()).join(' '), errors };
}

describe('an option with several values', () => {
  it.each([
    ['one number', '0.25', sums, '0.25'],
    ['a list', '3,1,2', sums, '3 1 2'],
    ['a range in steps of 1', '2:5', whole, '2 3 4 5'],
    ['a range with its step', '10:40:15', whole, '10 25 40'],
    ['a range that ends before its end', '10:39:15', whole, '10 25'],
    ['a range of one', '7:7', whole, '7'],
    ['a range that goes down', '1:0:0.25', sums, '1 0.75 0.5 0.25 0'],
    ['a range through 0', '-0.5:0.5:0.5', sums, '-0.5 0 0.5'],
    ['ranges in a list', '1,10:30:10,100', whole, '1 10 20 30 100'],
    ['factors of 10', '1e-2:1e-5', tens, '0.01 0.001 0.0001 0.00001'],
    ['factors of 10 upwards', '2e-4:0.5', tens, '0.0002 0.002 0.02 0.2'],
    ['a list of powers of 10', '0,1e-3,1', tens, '0 0.001 1'],
  ])('may have %s', (_, text, range, values) => {
    expect(read(text, range)).toEqual({ values, errors: [] });
  });

  it('has exact decimals, however many steps there are', () => {
    const { values } = read('0:1:0.1', sums);
    expect(values).toBe('0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1');
    expect(read('1e-30:3e-30:1e-30', sums).values).toBe('1e-30 2e-30 3e-30');
  });

  it.each([
    ['points at equal distances', '0:1/5', { ...sums, points: 'real' }, '0 0.25 0.5 0.75 1'],
    ['points at equal ratios', '1:100/3log', { ...sums, points: 'real' }, '1 10 100'],
    ['deltas at equal ratios', '1e-2:1e-4/5', { ...tens, points: 'real' }, '0.01 0.00316228 0.001 0.000316228 0.0001'],
    ['deltas at equal distances', '0.1:0.3/3lin', { ...tens, points: 'real' }, '0.1 0.2 0.3'],
    ['one point', '3:9/1', { ...sums, points: 'real' }, '3'],
    ['points downwards, and others', '7,1:0/3', { ...sums, points: 'real' }, '7 1 0.5 0'],
    ['whole points, each once', '1:6/11', { ...whole, points: 'whole' }, '1 2 3 4 5 6'],
    ['whole points at equal ratios', '1:1000/7log', { ...whole, points: 'whole' }, '1 3 10 32 100 316 1000'],
  ] as const)('may have %s where it says so', (_, text, range, values) => {
    expect(read(text, range)).toEqual({ values, errors: [] });
    expect(read(text, withoutPoints(range)).errors).not.toEqual([]);
  });

  it('has no more points than values, and none without a number', () => {
    const range: SeriesRange = { ...sums, points: 'real' };
    expect(read('0:1/1001', range).errors).toMatchObject([{ code: 'too-many-values' }]);
    expect(read('0:1/0', range).errors).toMatchObject([{ code: 'out-of-range' }]);
    expect(read('0:1/10log', range).errors).toMatchObject([{ code: 'out-of-range', path: '--epsilon' }]);
    expect(read('0:1:2:3', range).errors[0]?.message).toContain('FROM:TO/POINTS');
  });

  it('has up to a thousand', () => {
    expect(read('1:1000', whole).errors).toEqual([]);
    expect(read('0:1:0.001', sums).errors).toMatchObject([{ code: 'too-many-values', path: '--epsilon' }]);
  });

  it.each([
    ['1:2000', whole, 'too-many-values', 'must have at most 1,000 values, got 2000'],
    ['1:600,1:600', whole, 'too-many-values', 'must have at most 1,000 values, got 1200'],
    ['0:1:1e-12', sums, 'too-many-values', 'must have at most 1,000 values, got 1000000000001'],
    ['1:2:0', sums, 'out-of-range', 'must be above 0 as a step, got "0"'],
    ['1:0:-1', sums, 'out-of-range', 'must be above 0 as a step, got "-1"'],
    ['1:2:3:4', sums, 'malformed-range', 'a range must be FROM:TO or FROM:TO:STEP, got "1:2:3:4"'],
    ['1:', sums, 'not-a-number', 'must be a number of at most 1000000, got ""'],
    [':5', sums, 'not-a-number', 'must be a number of at most 1000000, got ""'],
    ['', sums, 'not-a-number', 'must be a number of at most 1000000, got ""'],
    ['1,,2', sums, 'not-a-number', 'must be a number of at most 1000000, got ""'],
    ['1-9', sums, 'not-a-number', 'must be a number of at most 1000000, got "1-9"'],
    ['0:3', whole, 'out-of-range', 'must be a number of at most 1000000, got "0"'],
    ['1:3:0.5', whole, 'out-of-range', 'must be a number of at most 1000000, got "1.5"'],
    [
      '1e-2:1e-8:10',
      tens,
      'malformed-range',
      'a range must be FROM:TO, which steps by factors of 10, got "1e-2:1e-8:10"',
    ],
    ['1e-2:0', tens, 'out-of-range', 'must be above 0 in a range, got "0"'],
    ['1e-2:100', tens, 'out-of-range', 'must be a number of at most 1000000, got "10"'],
  ])('is told what is wrong with %s', (text, range, code, message) => {
    const { errors } = read(text, range);
    expect(errors).toMatchObject([{ code, path: range.flag, message }]);
    expect(errors[0]?.hint).toMatch(/\S/);
  });
});
