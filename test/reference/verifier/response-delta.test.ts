import { describe, expect, it } from 'vitest';
import { responseDelta, unless } from './response-delta.ts';
import { larger, Rational, total } from '../../../src/numeric/rational.ts';
import { fraction } from './mechanisms.ts';

/** The sum over all sequences of true and false answers. */
function bySequences(factor: Rational, count: number, target: Rational): Rational {
  const parts = Array.from({ length: 2 ** count }, (_, sequence) => {
    let [p, q] = [Rational.ONE, Rational.ONE];
    for (let i = 0; i < count; i++) {
      const [here, there] = (sequence >> i) & 1 ? [factor, Rational.ONE] : [Rational.ONE, factor];
      [p, q] = [p.times(here).over(Rational.ONE.plus(factor)), q.times(there).over(Rational.ONE.plus(factor))];
    }
    return larger(Rational.ZERO, p.minus(target.times(q)));
  });
  return total(parts);
}

describe('the delta of several randomized responses', () => {
  it('is the sum over all sequences of answers', () => {
    for (const factor of ['1', '3/2', '3']) {
      for (const target of ['1/2', '1', '2', '27']) {
        for (let count = 0; count <= 5; count++) {
          const found = responseDelta(fraction(factor), count, fraction(target));
          expect(String(found)).toBe(String(bySequences(fraction(factor), count, fraction(target))));
        }
      }
    }
  });

  it('of two with e^epsilon 2 is 1/3 at epsilon 0', () => {
    expect(String(responseDelta(fraction('2'), 2, fraction('1')))).toBe('1/3');
  });
});

describe('failures together', () => {
  it('are 1 - (1 - a)(1 - b)^n', () => {
    expect(String(unless(fraction('1/3'), fraction('1/4'), 3))).toBe('23/32');
    expect(String(unless(Rational.ZERO, fraction('1/10'), 3))).toBe('271/1000');
  });
});
