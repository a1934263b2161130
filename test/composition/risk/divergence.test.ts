import { describe, expect, it } from 'vitest';
import { divergence, type Divergence } from '../../../src/composition/risk/divergence.ts';
import { profilesOf } from '../../../src/composition/risk/profile.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import type { Bracket } from '../../../src/numeric/enclosure.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import {
  boundedRange,
  decimal,
  discreteGaussian,
  discreteLaplace,
  dp,
  gaussian,
  gdp,
  laplace,
  rdp,
  sampled,
  zcdp,
} from '../../mechanisms.ts';
import { entryOfThousandths, lawsOfThousandths, thousandths } from '../../reference/finite-pairs.ts';
import { holds, Precise } from '../../reference/precise.ts';
import { fc } from '../../reference/properties.ts';
import { exchanged, klOf, onSample, renyiOf, together, type TwoLaws } from '../../reference/two-laws.ts';

const KL: Divergence = { kind: 'kl' };
const renyi = (order: number | string): Divergence => ({ kind: 'renyi', order: new Decimal(order) });

function of(entries: readonly Entry[], each: Divergence): Bracket {
  const found = profilesOf({ entries, adaptivity: 'adaptive' });
  if (found.kind === 'refusal') throw new Error(found.refusal.code);
  return divergence(found.profiles, each);
}

function expectAround(entries: readonly Entry[], each: Divergence, truth: Decimal, width = 1e-9): void {
  const found = of(entries, each);
  expect(holds(found, truth), `[${String(found.lower)}, ${found.upper}] for ${truth.toString()}`).toBe(true);
  if (truth.isFinite()) expect(found.upper - found.lower!).toBeLessThan(width * (1 + truth.toNumber()));
}

/** The largest ln(p / q). */
const largestLoss = ({ p, q }: TwoLaws): Decimal =>
  p.reduce<Decimal>(
    (most, mass, i) =>
      mass === 0n
        ? most
        : Decimal.max(
            most,
            q[i] === 0n ? Infinity : new Precise(mass.toString()).div(new Precise(q[i]!.toString())).ln(),
          ),
    new Precise(0),
  );

const most = (laws: readonly TwoLaws[], value: (one: TwoLaws) => Decimal): Decimal => Decimal.max(...laws.map(value));

function expectAll(laws: readonly TwoLaws[], entries: readonly Entry[]): void {
  expectAround(entries, KL, most(laws, klOf));
  for (const order of [2, 5]) {
    expectAround(
      entries,
      renyi(order),
      most(laws, (one) => renyiOf(one, order)),
    );
  }
  expectAround(entries, renyi(Infinity), most(laws, largestLoss));
}

const zeros = fc.constantFrom(0, 1);

describe('the smallest divergences that can be claimed', () => {
  it('are those of random finite mechanisms together, in both orders', () => {
    fc.assert(
      fc.property(
        zeros.chain((each) => fc.array(thousandths(each), { minLength: 1, maxLength: 4 })),
        (pairs) => {
          const laws = pairs.map(lawsOfThousandths).reduce(together);
          expectAll(
            [laws, exchanged(laws)],
            pairs.map((each) => entryOfThousandths(each)),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  it('are the largest over the orders where every mechanism has its own', () => {
    fc.assert(
      fc.property(fc.array(thousandths(0), { minLength: 1, maxLength: 3 }), (pairs) => {
        const laws = pairs
          .map(lawsOfThousandths)
          .reduce<TwoLaws[]>(
            (all, one) => all.flatMap((before) => [together(before, one), together(before, exchanged(one))]),
            [{ p: [1n], q: [1n], total: 1n }],
          );
        expectAll(
          laws,
          pairs.map((each) => entryOfThousandths(each, 'either')),
        );
      }),
      { numRuns: 80 },
    );
  });

  it('are those on Poisson samples, of a record that is removed or added', () => {
    fc.assert(
      fc.property(
        zeros.chain((each) => fc.array(thousandths(each), { minLength: 1, maxLength: 3 })),
        fc.integer({ min: 1, max: 99 }),
        (pairs, q) => {
          const laws = pairs.map((each) => onSample(lawsOfThousandths(each), BigInt(q), 100n)).reduce(together);
          expectAll(
            [laws, exchanged(laws)],
            pairs.map((each) => sampled(entryOfThousandths(each), [q, 100])),
          );
        },
      ),
      { numRuns: 80 },
    );
  });

  // By mpmath, 30 digits: quadrature and sums over the outcomes.
  it.each([
    [[gaussian(2)], KL, '0.125'],
    [[gaussian(2)], renyi('2.5'), '0.3125'],
    [[gdp('0.5', { count: 4 })], renyi(3), '1.5'],
    [[zcdp('0.1', { count: 3 })], renyi(4), '1.2'],
    [[laplace(1)], KL, '0.367879441171442321595523770161'],
    [[dp(1)], KL, '0.462117157260009758502318483644'],
    [[dp(1), dp(2)], KL, '1.98530546917153953474123504885'],
    [[discreteGaussian(2, 1, { count: 3 })], KL, '0.375'],
    [[discreteGaussian(2, 1)], renyi(3), '0.375'],
    [[sampled(gaussian(1), '0.01')], KL, '0.000083812207650831787574955983353'],
  ])('are the known ones of %j', (entries, each, truth) => {
    expectAround(entries, each, new Decimal(truth), 1e-10);
  });

  it('of discrete Gaussian noise lie below those of Gaussian noise where the order does not move it by whole numbers', () => {
    // ln of the sum over z of P^a Q^(1-a), a = 2.5.
    const [sigma, a] = [new Precise('0.7'), new Precise('2.5')];
    const log = (z: number, shift: number): Decimal => new Precise(z - shift).pow(2).div(sigma.pow(2).times(-2));
    const places = Array.from({ length: 61 }, (_, i) => i - 30);
    const total = Precise.sum(...places.map((z) => log(z, 0).exp()));
    const tilted = places.map((z) =>
      log(z, 1)
        .times(a)
        .plus(log(z, 0).times(a.neg().plus(1)))
        .exp(),
    );
    const truth = Precise.sum(...tilted)
      .div(total)
      .ln()
      .div(a.minus(1));
    const found = of([discreteGaussian('0.7', 1)], renyi('2.5'));
    expect(holds(found, truth)).toBe(true);
    expect(found.upper - found.lower!).toBeLessThan(3e-4);
  });

  it('grow with the order, from the one of Kullback and Leibler to the largest loss', () => {
    const mechanism = fc.constantFrom(
      dp('0.5'),
      laplace(3),
      discreteLaplace(2, 3),
      boundedRange('0.7'),
      sampled(laplace(1), '0.1'),
      rdp([
        [2, '0.1'],
        [8, '0.3'],
        ['Infinity', 1],
      ]),
    );
    fc.assert(
      fc.property(fc.array(mechanism, { minLength: 1, maxLength: 3 }), (entries) => {
        const uppers = [KL, ...['1.5', 2, 4, 50, Infinity].map(renyi)].map((each) => of(entries, each).upper);
        uppers.slice(1).forEach((upper, i) => {
          expect(upper).toBeGreaterThanOrEqual(uppers[i]! * (1 - 1e-9));
        });
      }),
      { numRuns: 30 },
    );
  });

  it('are infinite where something may be revealed', () => {
    for (const entries of [[dp('0.1', '1e-9')], [dp('0.1', '1e-9'), gaussian(1)], [sampled(dp(1, '0.01'), '0.5')]]) {
      for (const each of [KL, renyi(2)]) expect(of(entries, each)).toEqual({ lower: Infinity, upper: Infinity });
    }
    expect(of([gaussian(1)], renyi(Infinity))).toEqual({ lower: Infinity, upper: Infinity });
  });

  it('follow from Renyi guarantees at the orders that are given', () => {
    const entries = [
      rdp([
        [2, '0.1'],
        [8, '0.3'],
      ]),
    ];
    expect(of(entries, renyi(2)).upper).toBeCloseTo(0.1, 12);
    expect(of(entries, renyi('2.1')).upper).toBeCloseTo(0.3, 12);
    expect(of(entries, renyi(9)).upper).toBe(Infinity);
    expect(of(entries, KL).upper).toBeCloseTo(0.1, 12);
    // Gaussian noise of rho 0.3 / 8.
    expect(of(entries, renyi(2)).lower).toBeCloseTo(0.075, 12);
  });

  it('of parts of a plan are at most those of randomized response with their largest loss', () => {
    const found = profilesOf({
      entries: [{ node: 'partition', label: null, sparsity: 1, counted: 'parts', of: [dp(1), dp('0.5')] }],
      adaptivity: 'adaptive',
    });
    if (found.kind === 'refusal') throw new Error(found.refusal.code);
    expect(divergence(found.profiles, KL).upper).toBeCloseTo(Math.tanh(0.5), 9);
  });

  it('are delta at epsilon 0 for total variation', () => {
    expect(holds(of([gaussian(1)], { kind: 'total-variation' }), decimal('0.382924922548026'))).toBe(true);
  });
});

describe('divergences of next to nothing', () => {
  /** ln(cosh((a - 1/2) e) / cosh(e / 2)) / (a - 1), of randomized response. */
  const ofPure = (e: Decimal, order: Decimal): Decimal =>
    order.minus('0.5').times(e).cosh().div(e.div(2).cosh()).ln().div(order.minus(1));
  /** (F(a z) - F((a - 1) z) - F(z)) / ((a - 1) z), F(y) = y ln(sinh y / y), z = e / 2. */
  const ofRange = (e: Decimal, order: Decimal): Decimal => {
    const z = e.div(2);
    const f = (y: Decimal): Decimal => y.times(y.sinh().div(y).ln());
    const part = order.minus(1).times(z);
    return f(order.times(z)).minus(f(part)).minus(f(z)).div(part);
  };

  it('have both ends for tiny epsilons', () => {
    for (const e of ['1e-9', '1e-6', '0.001', '0.03', '0.2']) {
      for (const order of ['1.5', '2', '7', '100']) {
        const [x, a] = [new Precise(e), new Precise(order)];
        for (const [entry, truth] of [
          [dp(e), ofPure(x, a)],
          [boundedRange(e), ofRange(x, a)],
        ] as const) {
          const { lower, upper } = of([entry], renyi(order));
          expect(truth.gte(lower!) && truth.lte(upper), `${e} at ${order}`).toBe(true);
          expect(upper - lower!, `${e} at ${order}`).toBeLessThan(2e-9 * upper);
        }
      }
    }
  });

  it('are 0 where no record is sampled', () => {
    for (const each of [KL, renyi(2), renyi('1e6')]) {
      expect(of([sampled(gaussian(1), 0)], each)).toEqual({ lower: 0, upper: 0 });
    }
  });
});
