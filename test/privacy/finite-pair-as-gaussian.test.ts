import { describe, expect, it } from 'vitest';
import { leastMuSquaredOf, muSquaredOf } from '../../src/ledger/rules/charges.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { approximateQuantile, normalTail } from '../../src/numeric/normal.ts';
import { muOfFinitePair } from '../../src/privacy/finite-pair.ts';
import { muOfPure } from '../../src/privacy/pure.ts';
import { isPair, tradeOffPair } from '../../src/privacy/trade-off.ts';
import { Random } from '../soundness/random.ts';

const pairOf = (p: readonly (number | string)[], q: readonly (number | string)[]) => ({
  p: p.map((each) => new Decimal(each)),
  q: q.map((each) => new Decimal(each)),
});

/** The trade-off function of mu-Gaussian DP. */
const gaussianAt = (mu: number, alpha: number): number => normalTail(mu + approximateQuantile(alpha)).upper;

/** The least type II error of all tests of this type I error, by filling it with the outcomes that speak most against Q. */
function tradeOff(p: readonly number[], q: readonly number[], alpha: number): number {
  const order = p.map((_, i) => i).sort((a, b) => p[b]! * q[a]! - p[a]! * q[b]!);
  let [left, beta] = [alpha, 1];
  for (const i of order) {
    const share = Math.min(1, left / q[i]!);
    left -= share * q[i]!;
    beta -= share * p[i]!;
  }
  return beta;
}

describe('the Gaussian noise that a finite pair is no worse than', () => {
  it('is that of its worst corner', () => {
    const found = tradeOffPair([
      { alpha: new Decimal('0.1'), beta: new Decimal('0.5') },
      { alpha: new Decimal('0.5'), beta: new Decimal('0.1') },
    ]);
    if (!isPair(found)) throw new Error('These points are a trade-off function.');
    // The square of the 0.9-quantile of the normal distribution.
    const square = 1.642374415149818;
    const charge = leastMuSquaredOf(found, 'noninteractive')!.toNumber();
    expect(charge).toBeGreaterThanOrEqual(square);
    expect(charge).toBeLessThan(square * (1 + 1e-12));
    // What holds for conversations without an end is that of (e, 0)-DP.
    for (const kind of ['interactive', 'continual'] as const) {
      expect(leastMuSquaredOf(found, kind)).toEqual(muSquaredOf(found));
    }
  });

  it('is above that of no point, and reached at one', () => {
    const random = new Random(11);
    for (let round = 0; round < 40; round++) {
      const size = 2 + (round % 5);
      const draw = (): number[] => {
        const parts = Array.from({ length: size }, () => 1 + Math.floor(999 * random.next()));
        const sum = parts.reduce((a, b) => a + b, 0);
        const shares = parts.slice(1).map((each) => Math.max(1, Math.floor((1e6 * each) / sum)) / 1e6);
        return [Math.round(1e6 * (1 - shares.reduce((a, b) => a + b, 0))) / 1e6, ...shares];
      };
      const [p, q] = [draw(), draw()];
      const mu = muOfFinitePair(pairOf(p, q)) as number;
      let least = Infinity;
      const points = Array.from({ length: 59 }, (_, i) => (i + 1) / 60);
      const above = points.map((at) => tradeOff(p, q, at) - gaussianAt(mu, at));
      expect(Math.min(...above)).toBeGreaterThan(-1e-12);
      let alpha = 0;
      const order = p.map((_, i) => i).sort((a, b) => p[b]! * q[a]! - p[a]! * q[b]!);
      for (const i of order.slice(0, -1)) {
        alpha += q[i]!;
        least = Math.min(least, tradeOff(p, q, alpha) - gaussianAt(mu * (1 - 1e-6), alpha));
      }
      if (mu > 0) expect(least).toBeLessThan(0);
      expect(muOfFinitePair(pairOf(q, p))! - mu).toBeCloseTo(0, 10);
    }
  });

  it('is that of (e, 0)-DP for randomized response, and never more', () => {
    const mu = muOfFinitePair(pairOf(['0.75', '0.25'], ['0.25', '0.75'])) as number;
    const pure = muOfPure(new Decimal(Math.log(3))) as number;
    expect(Math.abs(mu - pure)).toBeLessThan(1e-12);
  });

  it('is none where an outcome tells all, and 0 where none tells anything', () => {
    expect(muOfFinitePair(pairOf(['0.1', '0.9'], ['0', '1']))).toBeNull();
    expect(muOfFinitePair(pairOf(['0.9', '0.1', '0'], ['0.9', '0', '0.1']))).toBeNull();
    expect(muOfFinitePair(pairOf(['0.3', '0.7'], ['0.3', '0.7']))).toBe(0);
    const telling = { type: 'finite-pair', direction: 'either', ...pairOf(['0.1', '0.9'], ['0', '1']) } as const;
    expect(leastMuSquaredOf(telling, 'noninteractive')).toBeNull();
  });
});
