import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sameButForRandom } from './random-digits.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const [a, b] = [hash('a'), hash('b')];

describe('texts that differ in random digits', () => {
  it('are the same where the digits agree with each other in both', () => {
    const text = (one: string, other: string): string =>
      `hash ${one.slice(0, 12)}\n{"nonce":"${other.slice(0, 32)}","home":"${other.slice(3, 19)}","hash":"${one}"}\n${one}  -`;
    expect(sameButForRandom(text(a, b), text(b, a))).toBe(true);
    expect(sameButForRandom(`${a} ${a}`, `${a} ${b}`)).toBe(false);
    expect(sameButForRandom(`hash ${a.slice(0, 12)} ${a}`, `hash ${a.slice(0, 12)} ${b}`)).toBe(false);
  });

  it('are the same at the end of a sentence', () => {
    expect(sameButForRandom(`hash ${a}.`, `hash ${b}.`)).toBe(true);
    expect(sameButForRandom(`${a}.5`, `${b}.5`)).toBe(false);
  });

  it('are others where anything else differs', () => {
    expect(sameButForRandom(`${a} 1`, `${b} 2`)).toBe(false);
    expect(sameButForRandom(a, a.slice(0, 32))).toBe(false);
    expect(sameButForRandom(`x${a}`, `x${b}`)).toBe(false);
  });

  it('are others where numbers differ', () => {
    expect(sameButForRandom('0.123456789012', '0.123456789013')).toBe(false);
    expect(sameButForRandom('123456789012', '123456789013')).toBe(false);
    expect(sameButForRandom('0.12345678901234567890123456789012', '0.12345678901234567890123456789013')).toBe(false);
    expect(sameButForRandom('hash 123456789012', 'hash 123456789013')).toBe(true);
  });
});
