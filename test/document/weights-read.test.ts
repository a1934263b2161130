import { describe, expect, it } from 'vitest';
import { heaviestRate } from '../../src/document/weights-read.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const rate = (text: string, examples: number, batch: number): string => {
  const result = heaviestRate(bytes(text), { examples, batch });
  return 'problem' in result ? `${result.line ?? '-'} ${result.problem.code}` : result.toString();
};

describe('the rate of the heaviest example', () => {
  it('is the batch times its share of all weights, exactly', () => {
    expect(rate('1\n2\n0.5\n', 3, 1)).toBe('4/7');
    expect(rate('\n1e-3\r\n1e-3\r\n', 2, 1)).toBe('1/2');
    expect(rate('7\n7\n7\n7', 4, 3)).toBe('3/4');
    expect(rate('1\n1\n0\n', 3, 2)).toBe('1');
  });

  it.each([
    ['a word', '1\ntwo\n', 2, '2 wrong-type'],
    ['a negative weight', '1\n-1\n', 2, '2 wrong-type'],
    ['fewer than examples', '1\n1\n', 3, '- out-of-range'],
    ['nothing but zeros', '0\n0\n', 2, '- out-of-range'],
    ['a probability above 1', '1\n5\n1\n', 3, '- out-of-range'],
  ])('is not read of %s', (_, text, examples, message) => {
    expect(rate(text, examples, 2)).toBe(message);
  });
});
