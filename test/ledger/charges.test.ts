import { describe, expect, it } from 'vitest';
import { rhoOf, muSquaredOf, pureRenyi, renyiOf, renyiOrder } from '../../src/ledger/rules/charges.ts';
import { atDistance } from '../../src/ledger/rules/distance.ts';
import type { Guarantee } from '../../src/ledger/rules/rule.ts';
import { Decimal, decimalFromDouble, decimalAbove } from '../../src/numeric/decimal.ts';
import { asUpper } from '../../src/numeric/enclosure.ts';
import { muOfPure } from '../../src/privacy/pure.ts';
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
  sampledMechanism,
  zcdp,
  type Text,
} from '../mechanisms.ts';
import { tailByDecimals } from '../numeric/normal-oracle.ts';
import { Precise, precise } from '../reference/precise.ts';
import { fc } from '../reference/properties.ts';
import { deltaAt, ranged, renyiAt, response } from './adversary.ts';
import { compositorTerms, filterTerms, fits, opened } from './helpers.ts';

const gdpFilter = (mu: Decimal) => opened(filterTerms({ id: 'gdp' }, { mu }));

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

/** ln(cosh((a - 1/2) e) / cosh(e / 2)) / (a - 1) to 60 digits or more, by the definition: as many digits as cancel are added. */
function divergenceOfResponse(epsilon: Decimal, alpha: Decimal): Decimal {
  const zeros = Math.max(0, -epsilon.e) + Math.max(0, -alpha.minus(1).e);
  const Wide = Decimal.clone({ precision: 80 + 3 * zeros });
  const [e, order] = [new Wide(epsilon), new Wide(alpha)];
  // cosh x over e^x / 2.
  const scaled = (x: Decimal): Decimal => x.times(-2).exp().plus(1);
  const lambda = order.minus(1);
  const span = order.minus('0.5').times(e);
  return span
    .minus(e.div(2))
    .plus(
      scaled(span)
        .div(scaled(e.div(2)))
        .ln(),
    )
    .div(lambda);
}

describe('the Renyi charge of a pure mechanism', () => {
  const share = (epsilon: Decimal, alpha: Decimal): Decimal =>
    pureRenyi(epsilon, alpha).div(divergenceOfResponse(epsilon, alpha)).minus(1);

  it.each(Array.from({ length: 30 }, (_, i) => `1e-${i + 1}`))(
    'is that of randomized response with epsilon %s at every order, and not below it',
    (epsilon) => {
      for (const alpha of ['1.0001', '1.01', '1.5', '2', '7.25', '100', '12345.6', '1e6']) {
        const truth = divergenceOfResponse(decimal(epsilon), decimal(alpha));
        for (const charge of [pureRenyi(decimal(epsilon), decimal(alpha)), at(dp(epsilon).mechanism, alpha)!]) {
          const excess = charge.div(truth).minus(1);
          expect(excess.gte(0)).toBe(true);
          expect(excess.lt(1e-12)).toBe(true);
        }
      }
    },
  );
  it('is that for any epsilon, also where orders are near to 1 or far beyond 1 / epsilon', () => {
    fc.assert(
      fc.property(epsilons(1e-40, 500), epsilons(1e-30, 1e40), (epsilon, lambda) => {
        const excess = share(epsilon, lambda.plus(1));
        expect(excess.gte(-1e-50)).toBe(true);
        expect(excess.lt(1e-12)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
  it('grows with epsilon and with the order, and never exceeds epsilon', () => {
    fc.assert(
      fc.property(epsilons(1e-20, 1e3), epsilons(1e-8, 1e8), (epsilon, lambda) => {
        const own = pureRenyi(epsilon, lambda.plus(1));
        const slack = own.times('1e-14');
        expect(own.lte(epsilon)).toBe(true);
        expect(own.minus(pureRenyi(epsilon.times('1.001'), lambda.plus(1))).lte(slack)).toBe(true);
        expect(own.minus(pureRenyi(epsilon, lambda.times(2).plus(1))).lte(slack)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
  it('is that of a mechanism on a sample by what the sample amplifies it to', () => {
    const sampled = at(sampledMechanism(laplace('1e7'), '0.01'), 2)!;
    // 2 e'^2 / 2 with e' = 1e-9, of which the whole has 1e4 times as much.
    expect(sampled.div('1e-18').minus(1).abs().lt(1e-6)).toBe(true);
    const rho = rhoOf(sampledMechanism(dp('1e-7'), '0.01'), 'noninteractive')!.rho;
    expect(rho.div('5e-19').minus(1).abs().lt(1e-6)).toBe(true);
  });
  it('is that of what is known at the infinite order', () => {
    const { mechanism } = rdp([
      [3, '0.2'],
      ['Infinity', '1e-7'],
    ]);
    expect(at(mechanism, 2)!.eq(pureRenyi(decimal('1e-7'), decimal(2)))).toBe(true);
  });
});

describe('numbers of thousands of digits', () => {
  // Of 3,000 digits: the 2,500 digits of the exact square end within.
  const mu = new Decimal(`0.${'7'.repeat(1499)}${'1'.repeat(1501)}`);
  const Exact = Decimal.clone({ precision: 20_000 });
  const square = new Exact(mu).times(mu);
  const hardlyAbove = (charge: Decimal, truth: Decimal): boolean =>
    charge.gte(truth) && new Exact(charge).minus(truth).div(truth).lt('1e-2490');
  it('are charged at least as they are', () => {
    const one: Guarantee = { type: 'gdp', mu };
    const noise: Guarantee = { type: 'gaussian', sigma: new Decimal(1), sensitivity: mu };
    const alpha = new Exact('3.3');
    expect(mu.precision()).toBe(3000);
    expect(hardlyAbove(muSquaredOf(one)!, square)).toBe(true);
    expect(muSquaredOf(noise)!.gte(square)).toBe(true);
    expect(muSquaredOf({ ...noise, sensitivity: new Decimal(1), sigma: mu })!.gte(new Exact(1).div(square))).toBe(true);
    expect(hardlyAbove(rhoOf(one, 'noninteractive')!.rho, square.div(2))).toBe(true);
    expect(hardlyAbove(at(one, '3.3')!, square.div(2).times(alpha))).toBe(true);
    expect(hardlyAbove(at({ type: 'zcdp', rho: mu }, '3.3')!, new Exact(mu).times(alpha))).toBe(true);
  });
  it('are budgets that are at most as large as they are', () => {
    const { rule } = gdpFilter(mu);
    expect(rule.limits[0]!.lte(square)).toBe(true);
    const declared = opened(compositorTerms('gaussian', [{ ...gdp(1), mechanism: { type: 'gdp', mu } }], [50, '1e-6']));
    expect(fits(declared, { ...gdp(1), mechanism: { type: 'gdp', mu } })).toBe(true);
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
  it('of neighbours is theirs up to a distance of 1, digit for digit', () => {
    fc.assert(
      fc.property(epsilons(1e-300, 1e4), epsilons(1e-300, 1), epsilons(1e-6, 1), (epsilon, delta, distance) => {
        const one: Guarantee = { type: 'dp', epsilon, delta };
        expect(JSON.stringify(atDistance(one, distance))).toBe(JSON.stringify(one));
      }),
    );
    expect(mapped(rdp([[2, '0.1']]), '0.3')).toBe(mapped(rdp([[2, '0.1']]), 1));
  });
  it('has the delta of the geometric sum, rounded up by a share of 1e-30 at most', () => {
    const orders = epsilons(1e-200, 5);
    fc.assert(
      fc.property(orders, epsilons(1e-250, 1e-20), fc.integer({ min: 2, max: 6 }), (epsilon, delta, steps) => {
        const far = atDistance({ type: 'dp', epsilon, delta }, decimal(steps));
        // By Horner's rule, in 400 digits.
        const Wide = Decimal.clone({ precision: 400 });
        const factor = new Wide(epsilon).exp();
        let sum = new Wide(1);
        for (let i = 1; i < steps; i++) sum = sum.times(factor).plus(1);
        const truth = sum.times(delta);
        const excess = far?.type === 'dp' ? new Wide(far.delta).div(truth).minus(1) : null;
        expect(excess!.gte('-1e-390')).toBe(true);
        expect(excess!.lt('1e-30')).toBe(true);
      }),
    );
    const flat = atDistance({ type: 'dp', epsilon: new Decimal(0), delta: decimal('1e-6') }, decimal(5));
    expect(JSON.stringify(flat)).toBe('{"type":"dp","epsilon":"0","delta":"0.000005"}');
    const steep = atDistance({ type: 'dp', epsilon: new Decimal(600), delta: decimal('1e-300') }, decimal(2));
    expect(steep?.type === 'dp' && steep.delta.toPrecision(5)).toBe('3.7730e-40');
  });
  it('is unknown for Renyi guarantees at single orders, and for pairs', () => {
    expect(mapped(rdp([[2, '0.1']]), 2)).toBe('null');
    expect(mapped(finitePair(['0.5', '0.5'], ['0.4', '0.6']), 2)).toBe('null');
    expect(mapped(rdp([[2, '0.1']]), 1)).not.toBe('null');
  });
});
