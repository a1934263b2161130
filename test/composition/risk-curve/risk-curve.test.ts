import { describe, expect, it } from 'vitest';
import { refined, usualRates } from '../../../src/composition/risk-curve/risk-curve.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';

const decimals = (...values: readonly number[]): Decimal[] => values.map((value) => new Decimal(value));
const LINEAR = { x: 'linear', y: 'linear' } as const;

describe('the points of a drawn line', () => {
  it('are those that are given where it is straight', () => {
    const values = decimals(0, 1, 3);
    expect(refined((x) => 2 - x.toNumber() / 2, values, LINEAR)).toEqual(values);
  });

  it('lie so close that the line is hardly ever off its chords', () => {
    const line = (x: Decimal): number => Math.exp(-8 * x.toNumber());
    const values = refined(line, decimals(0, 0.5, 1), LINEAR);
    for (let at = 1; at < values.length; at++) {
      const [a, b] = [values[at - 1]!, values[at]!];
      const middle = a.plus(b).div(2);
      expect(Math.abs((line(a) + line(b)) / 2 - line(middle))).toBeLessThan(1 / 1000);
    }
    expect(values.length).toBeLessThan(60);
  });

  it('come near a corner', () => {
    const values = refined((x) => Math.max(1 - 3 * x.toNumber(), 0.1), decimals(0, 0.5, 1), LINEAR);
    const distances = values.map((value) => Math.abs(value.toNumber() - 0.3));
    expect(Math.min(...distances)).toBeLessThan(0.005);
  });
});

describe('usual false-positive rates', () => {
  it('rise from 0 to 1, and on logarithmic axes from a millionth on', () => {
    const texts = (scales: Parameters<typeof usualRates>[0]): string[] => usualRates(scales).map(String);
    expect(texts(LINEAR).at(0)).toBe('0');
    expect(texts(LINEAR).at(-1)).toBe('1');
    const logarithmic = texts({ x: 'log', y: 'log' });
    expect(logarithmic.at(0)).toBe('0.000001');
    expect(logarithmic.at(-1)).toBe('0.999999');
    expect([...logarithmic].sort((a, b) => Number(a) - Number(b))).toEqual(logarithmic);
  });
});
