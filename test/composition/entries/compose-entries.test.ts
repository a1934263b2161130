import { describe, expect, it } from 'vitest';
import { answer, atDelta, dp, laplace, tradeOff } from '../../mechanisms.ts';

describe('of claims that are printed alike', () => {
  const list = [dp('0.1', 0, { count: 2 }), laplace(3, { count: 3 })];

  it.each([
    [
      'the one that certifies a lower end is named',
      [tradeOff([['0.25', '0.25']], { count: 10 })],
      '1e-6',
      'loss-distribution',
    ],
    ['the same where all of them are the sum', list, '0', 'loss-distribution'],
    ['the optimal composition goes before Renyi guarantees', list, '1e-14', 'dp-optimal'],
  ])('%s', (_, entries, delta, bound) => {
    const { bounds, epsilon, ...found } = answer(entries, atDelta(delta));
    expect(found.bound).toBe(bound);
    const least = Math.min(...bounds.flatMap((row) => (row.applies ? [row.epsilon.upper] : [])));
    expect(epsilon.upper / least).toBeLessThan(1 + 1e-9);
  });

  it('a claim that is smaller goes first, whatever it certifies', () => {
    const found = answer(list, atDelta('1e-6'));
    const [first, second] = found.bounds.flatMap((row) => (row.applies ? [row.epsilon.upper] : []));
    expect(first).toBeLessThan(second!);
    expect(found.epsilon.upper).toBe(first);
  });
});
