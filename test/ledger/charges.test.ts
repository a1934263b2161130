import { describe, expect, it } from 'vitest';
import { rhoOf } from '../../src/ledger/charges/rho.ts';
import { muSquaredOf } from '../../src/ledger/charges/mu-squared.ts';
import { renyiOf, renyiOrder } from '../../src/ledger/charges/renyi.ts';
import { atDistance } from '../../src/ledger/core/distance.ts';
import type { Guarantee } from '../../src/ledger/core/guarantee.ts';
import { Decimal, decimalFromDouble } from '../../src/numeric/decimal.ts';
import { asUpper } from '../../src/numeric/enclosure.ts';
import { decimalAbove } from '../../src/numeric/short-decimal.ts';
import { muOfPure } from '../../src/privacy/pure-as-gaussian.ts';
import {
  boundedRange,
  decimal,
  discreteLaplace,
  dp,
  finitePair,
  gaussian,
  gdp,
  laplace,
  rdp,
  zcdp,
  type Text,
} from '../mechanisms.ts';
import { tailByDecimals } from '../numeric/normal-oracle.ts';
import { Precise, precise } from '../reference/precise.ts';
import { fc } from '../reference/properties.ts';
import { deltaAt, ranged, renyiAt, response } from './adversary.ts';

/** Epsilons over many decades, as decimals. */
const epsilons = (from: number, to: number): fc.Arbitrary<Decimal> =>
  fc
    .double({ min: Math.log(from), max: Math.log(to), noNaN: true })
    .map((x) => new Decimal(Math.exp(x).toPrecision(12)));

/** The zCDP parameter of (e, 0)-DP. */
const rhoOfPure = (epsilon: Decimal): Decimal => rhoOf(dp(epsilon.toString()).mechanism, 'noninteractive')!.rho;

const at = (guarantee: Guarantee, alpha: Text): Decimal | undefined =>
  renyiOf(guarantee, 'noninteractive')(renyiOrder(decimal(alpha)))?.epsilon;

describe('a charge is at least the truth and hardly more', () => {
  it('e tanh(e / 2) for the zCDP of pure mechanisms', () => {
    fc.assert(
      fc.property(epsilons(1e-6, 300), (epsilon) => {
        const decay = precise(epsilon).negated().exp();
        const truth = precise(epsilon).times(new Precise(1).minus(decay)).div(decay.plus(1));
        const excess = rhoOfPure(epsilon).div(truth).minus(1).toNumber();
        expect(excess).toBeGreaterThanOrEqual(0);
        expect(excess).toBeLessThan(2e-14);
      }),
      { numRuns: 300 },
    );
  });
  it('the divergence of randomized response over its order never exceeds e tanh(e / 2)', () => {
    fc.assert(
      fc.property(epsilons(1e-2, 8), fc.double({ min: 1e-6, max: 200, noNaN: true }), (epsilon, lambda) => {
        const [e, alpha] = [precise(epsilon), precise(1 + lambda)];
        const cosh = (x: Decimal): Decimal => x.exp().plus(x.negated().exp()).div(2);
        const divergence = cosh(alpha.minus('0.5').times(e))
          .div(cosh(e.div(2)))
          .ln()
          .div(alpha.minus(1));
        expect(divergence.div(alpha).lte(rhoOfPure(epsilon).times(1 + 1e-30))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
  it('2 Phi^-1(e^e / (1 + e^e)) for the Gaussian privacy of pure mechanisms', () => {
    fc.assert(
      fc.property(fc.oneof(epsilons(1e-9, 1e-2), epsilons(1e-2, 100)), (epsilon) => {
        const tail = (x: number): Decimal => tailByDecimals(decimalFromDouble(x));
        const target = new Precise(1).div(precise(epsilon).exp().plus(1));
        const half = muOfPure(epsilon) / 2;
        expect(tail(half).lte(target)).toBe(true);
        expect(tail(half * (1 - 1e-6)).gt(target)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
  it('a curve of mu-Gaussian privacy lies above that of every pure mechanism it stands for', () => {
    const mu = muOfPure(decimal('0.8'));
    for (const epsilon of [0, 0.2, 0.5, 0.79]) {
      const tail = (x: number): number => tailByDecimals(decimalFromDouble(x)).toNumber();
      const gaussianDelta = tail(epsilon / mu - mu / 2) - Math.exp(epsilon) * tail(epsilon / mu + mu / 2);
      expect(deltaAt(response('0.8').outcomes, epsilon)).toBeLessThanOrEqual(gaussianDelta);
    }
  });
  it('the Renyi divergence of randomized response, and that of the worst bounded-range mechanism', () => {
    fc.assert(
      fc.property(epsilons(1e-2, 5), fc.integer({ min: 2, max: 40 }), (epsilon, alpha) => {
        const text = epsilon.toString();
        const ofResponse = renyiAt(response(text).outcomes, alpha);
        expect(
          at({ type: 'dp', epsilon, delta: new Decimal(0) }, alpha)!
            .div(ofResponse)
            .minus(1)
            .abs()
            .lt(1e-9),
        ).toBe(true);
        const charged = at({ type: 'bounded-range', epsilon }, alpha)!.toNumber();
        const ofRanges = Array.from({ length: 39 }, (_, i) => renyiAt(ranged(text, (i + 1) / 40).outcomes, alpha));
        expect(charged).toBeGreaterThanOrEqual(Math.max(...ofRanges) * (1 - 1e-9));
        expect(charged).toBeLessThan(Math.max(...ofRanges) * 1.05);
      }),
      { numRuns: 100 },
    );
  });
  it('a decimal of at most 17 digits', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true, max: 1e300 }), (x) => {
        const above = decimalAbove(asUpper(x));
        expect(above.gte(decimalFromDouble(x))).toBe(true);
        expect(above.precision()).toBeLessThanOrEqual(17);
        expect(x < 1e-300 || above.div(decimalFromDouble(x)).minus(1).lt(1e-15)).toBe(true);
      }),
    );
  });
});

describe('a charge is exact where it can be', () => {
  const rho = (entry: { readonly mechanism: Guarantee }): string | undefined =>
    rhoOf(entry.mechanism, 'noninteractive')?.rho.toString();
  it('in rho', () => {
    expect(rho(zcdp('0.1'))).toBe('0.1');
    expect(rho(gaussian(20))).toBe('0.00125');
    expect(rho(gdp('0.3'))).toBe('0.045');
  });
  it('in Renyi epsilons', () => {
    expect(at(gaussian(1).mechanism, 3)?.toString()).toBe('1.5');
    expect(at(zcdp('0.1').mechanism, '2.5')?.toString()).toBe('0.25');
    expect(at(gdp('0.2').mechanism, 10)?.toString()).toBe('0.2');
    expect(
      at(
        rdp([
          [2, '0.1'],
          [8, '0.3'],
          [16, '0.2'],
        ]).mechanism,
        4,
      )?.toString(),
    ).toBe('0.2');
    expect(at(rdp([[2, '0.1']]).mechanism, 4)).toBeUndefined();
  });
  it('in mu squared', () => {
    expect(muSquaredOf(gaussian(4).mechanism)?.toString()).toBe('0.0625');
    expect(muSquaredOf(gdp('0.3').mechanism)?.toString()).toBe('0.09');
    expect(muSquaredOf(dp('0.1', '1e-9').mechanism)).toBeNull();
    expect(muSquaredOf(zcdp('0.1').mechanism)).toBeNull();
  });
  it('and of a bounded-range mechanism by the range of all its answers together, however often it is asked', () => {
    const { mechanism } = boundedRange('0.2');
    const [once, often] = (['noninteractive', 'interactive'] as const).map((kind) => rhoOf(mechanism, kind)?.rho);
    expect(often?.toString()).toBe(once?.toString());
    // b - 1 - ln b with b = e / (1 - e^-e), where e^2 / 8 is 0.005.
    expect(often?.toNumber()).toBeCloseTo(0.004997224688979, 14);
  });
});

describe('a guarantee at a distance', () => {
  const mapped = (entry: { readonly mechanism: Guarantee }, distance: Text): string =>
    JSON.stringify(atDistance(entry.mechanism, decimal(distance)));
  it('moves a statistic in proportion to whole steps', () => {
    expect(mapped(laplace(2), '2.5')).toBe('{"type":"laplace","scale":"2","sensitivity":"3"}');
    expect(mapped(gaussian(2), '0.5')).toBe('{"type":"gaussian","sigma":"2","sensitivity":"1"}');
    expect(mapped(gaussian(2), 3)).toBe('{"type":"gaussian","sigma":"2","sensitivity":"3"}');
    expect(mapped(discreteLaplace(2, 1), '1.5')).toBe('{"type":"discrete-laplace","scale":"2","sensitivity":"2"}');
  });
  it('takes a guarantee of neighbours step by step', () => {
    expect(mapped(dp('0.1'), 3)).toBe('{"type":"dp","epsilon":"0.3","delta":"0"}');
    expect(mapped(dp('0.1'), '2.5')).toBe('{"type":"dp","epsilon":"0.3","delta":"0"}');
    expect(mapped(boundedRange('0.1'), 2)).toBe('{"type":"bounded-range","epsilon":"0.2"}');
    expect(mapped(zcdp('0.1'), 2)).toBe('{"type":"zcdp","rho":"0.4"}');
    expect(mapped(gdp('0.1'), 2)).toBe('{"type":"gdp","mu":"0.2"}');
  });
  it('of (0.1, 1e-6) at 3 has the tight delta 3.3266e-6, below the printed k e^((k-1) e) d', () => {
    const at3 = atDistance(dp('0.1', '1e-6').mechanism, decimal(3));
    expect(at3?.type === 'dp' && at3.delta.toNumber()).toBeCloseTo(3.3265736762e-6, 15);
    expect(at3?.type === 'dp' && at3.epsilon.toString()).toBe('0.3');
  });
  it('loses a delta at small epsilons and at large distances on the safe side', () => {
    const delta = (epsilon: Text, distance: Text): string => {
      const far = atDistance(dp(epsilon, '1e-6').mechanism, decimal(distance));
      return far?.type === 'dp' ? far.delta.toPrecision(6) : '';
    };
    expect(delta(0, 5)).toBe('0.00000500000');
    expect(delta('1e-200', 5)).toBe('0.00000500000');
    expect(delta(1, 1000)).toBe('1.00000');
  });
  it('is unknown for Renyi guarantees at single orders, and for pairs', () => {
    expect(mapped(rdp([[2, '0.1']]), 2)).toBe('null');
    expect(mapped(finitePair(['0.5', '0.5'], ['0.4', '0.6']), 2)).toBe('null');
    expect(mapped(rdp([[2, '0.1']]), 1)).not.toBe('null');
  });
});
