import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/numeric/decimal.ts';
import { Rational } from '../../src/numeric/rational.ts';
import { lowerHull, symmetricHalf, tradeOffFaults, withMirrorImage } from '../../src/privacy/trade-off.ts';

const pointsOf = (...pairs: (readonly [string, string])[]) =>
  pairs.map(([alpha, beta]) => ({ alpha: new Decimal(alpha), beta: new Decimal(beta) }));

const faults = (...pairs: (readonly [string, string])[]): string[] =>
  tradeOffFaults(pointsOf(...pairs)).map(({ rule, index }) => `${rule} ${index}`);

/** The corners of max(f, f^-1), as quotients. */
const symmetric = (...pairs: (readonly [string, string])[]): string =>
  lowerHull(withMirrorImage(symmetricHalf(pointsOf(...pairs))))
    .map(({ alpha, beta }) => `${alpha.toString()},${beta.toString()}`)
    .join(' ');

describe('points', () => {
  it.each([
    [[['0.25', '0.25']]],
    [
      [
        ['0', '1'],
        ['1', '0'],
      ],
    ],
    [[['0', '0']]],
    [[['1', '0']]],
    [
      [
        ['0.1', '0.9'],
        ['0.2', '0.8'],
      ],
    ],
    [
      [
        ['0', '0.5'],
        ['0.5', '0'],
        ['0.7', '0'],
      ],
    ],
  ] as const)('%j are on a trade-off function', (pairs) => {
    expect(faults(...pairs)).toEqual([]);
  });

  it('are none above the diagonal, by however little', () => {
    expect(faults(['0.5', `0.5${'0'.repeat(298)}1`])).toEqual(['above-diagonal 0']);
    expect(faults(['0', '1'], ['1', '1e-300'])).toEqual(['above-diagonal 1']);
  });

  it('ascend by alpha, each once', () => {
    expect(faults(['0.5', '0.2'], ['0.1', '0.5'])).toEqual(['not-ascending 1']);
    expect(faults(['0.1', '0.5'], ['0.1', '0.5'])).toEqual(['not-ascending 1']);
  });

  it('do not rise', () => {
    expect(faults(['0.1', '0.2'], ['0.3', '0.25'])).toEqual(['rising 1']);
  });

  it('are convex, ends that are added among them', () => {
    expect(faults(['0.25', '0.25'], ['0.4', '0.2'])).toEqual([]);
    expect(faults(['0.25', '0.25'], ['0.4', `0.2${'0'.repeat(290)}1`])).toEqual(['not-convex 1']);
    expect(faults(['0', '0.5'], ['0.25', '0.4'], ['0.5', '0'])).toEqual(['not-convex 1']);
    expect(faults(['0', '0.4'], ['0.25', '0.3'], ['0.5', '0.25'])).toEqual(['not-convex 2']);
  });

  it('of which one is above the line say where that is', () => {
    expect(tradeOffFaults(pointsOf(['0.25', '0.25'], ['0.5', '0.17']))).toMatchObject([
      { rule: 'not-convex', index: 1, limit: Rational.of(1, 6) },
    ]);
  });
});

describe('the larger of a function and its inverse', () => {
  it('is the function itself where that is symmetric', () => {
    expect(symmetric(['0.25', '0.25'])).toBe('0,1 1/4,1/4 1,0');
    expect(symmetric(['0', '0.9'], ['0.2', '0.3'], ['0.3', '0.2'], ['0.9', '0'])).toBe(
      '0,9/10 1/5,3/10 3/10,1/5 9/10,0',
    );
    expect(symmetric(['0', '1'])).toBe('0,1 1,0');
  });

  it('has corners of both, and where they cross', () => {
    expect(symmetric(['0', '1'], ['0.1', '0.5'], ['0.5', '0.2'], ['0.8', '0'])).toBe(
      '0,1 2/35,5/7 1/5,1/2 23/70,23/70 1/2,1/5 5/7,2/35 1,0',
    );
  });

  it('is 0 nowhere before both are', () => {
    expect(symmetric(['0', '0.8'], ['0.6', '0'])).toBe('0,4/5 12/35,12/35 4/5,0');
    expect(symmetric(['0', '1'], ['0.5', '0'])).toBe('0,1 1/3,1/3 1,0');
  });

  it('is 0 throughout where the function is', () => {
    expect(symmetric(['0', '0'])).toBe('0,0');
  });
});
