import { describe, expect, it } from 'vitest';
import { readRounded } from '../../../src/document/core/decimal-text.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { Rational } from '../../../src/numeric/rational.ts';
import { type } from '../../cli/run.ts';
import { fc } from '../../reference/properties.ts';
import { documentOf, specificationOf } from '../helpers.ts';

/** How far a number of a document is above a quotient, in parts of 10^60 of it. */
function excess(found: Decimal, quotient: string): number {
  const [above, below] = quotient.split('/').map(BigInt) as [bigint, bigint];
  const truth = Rational.of(above, below);
  const off = Rational.ofDecimal(found)
    .minus(truth)
    .times(Rational.of(below * 10n ** 60n, above));
  return Number((off.numerator * 10n ** 9n) / off.denominator) / 1e9;
}

describe('a quotient', () => {
  it('is rounded to the side that is said, by less than 1e-59 of it', () => {
    const whole = fc.bigInt({ min: 1n, max: 10n ** 40n });
    fc.assert(
      fc.property(whole, whole, (above, below) => {
        const text = `${above}/${below}`;
        const [low, high] = (['down', 'up'] as const).map((side) => excess(readRounded(text, side) as Decimal, text));
        expect(low).toBeLessThanOrEqual(0);
        expect(low).toBeGreaterThan(-10);
        expect(high).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThan(10);
      }),
    );
  });

  it.each([
    ['11/10000', '0.0011'],
    ['0/7', '0'],
    ['3/8', '0.375'],
  ])('that is a decimal is that decimal: %s', (text, decimal) => {
    for (const side of ['down', 'up'] as const) expect(readRounded(text, side)).toEqual(new Decimal(decimal));
  });

  it('is no more than numbers may be', () => {
    expect(readRounded(`1/${'9'.repeat(400)}`, 'up')).toMatchObject({ code: 'out-of-range' });
    expect(readRounded('1/0', 'up')).toMatchObject({ code: 'not-a-number' });
  });
});

/** A quotient, and the side to which it is rounded: 1 up, -1 down. */
type Parameter = readonly [quotient: string, side: number];

describe('a mechanism that is given by quotients', () => {
  it.each([
    ['{"type":"dp","epsilon":"1/11","delta":"1/30000"}', { epsilon: ['1/11', 1], delta: ['1/30000', 1] }],
    ['{"type":"exponential","epsilon":"1/11"}', { epsilon: ['1/11', 1] }],
    ['{"type":"laplace","scale":"10/3","sensitivity":"1/3"}', { scale: ['10/3', -1], sensitivity: ['1/3', 1] }],
    ['{"type":"gaussian","sigma":"10/3","sensitivity":"1/3"}', { sigma: ['10/3', -1], sensitivity: ['1/3', 1] }],
    ['{"type":"discrete-gaussian","sigma":"10/3"}', { sigma: ['10/3', -1] }],
    ['{"type":"zcdp","rho":"1/7"}', { rho: ['1/7', 1] }],
    ['{"type":"gdp","mu":"1/7"}', { mu: ['1/7', 1] }],
  ] as const)('has no more privacy than is written: %s', (element, parameters) => {
    const [entry] = specificationOf(documentOf(element)).entries as unknown as [{ mechanism: Record<string, Decimal> }];
    for (const [name, [quotient, side]] of Object.entries<Parameter>(parameters)) {
      const off = excess(entry.mechanism[name]!, quotient) * side;
      expect(off).toBeGreaterThan(0);
      expect(off).toBeLessThan(10);
    }
  });

  it('has orders below what is written, and points below the function', () => {
    const [renyi, trade] = specificationOf(
      documentOf('{"type":"rdp","orders":[["7/3","1/9"]]}', '{"type":"trade-off","points":[["1/3","1/3"]]}'),
    ).entries as unknown as [
      { mechanism: { orders: { alpha: Decimal; epsilon: Decimal }[] } },
      { mechanism: { written: { points: { alpha: Decimal; beta: Decimal }[] } } },
    ];
    expect(excess(renyi.mechanism.orders[0]!.alpha, '7/3')).toBeLessThan(0);
    expect(excess(renyi.mechanism.orders[0]!.epsilon, '1/9')).toBeGreaterThan(0);
    const point = trade.mechanism.written.points.find(({ alpha }) => alpha.gt(0) && alpha.lt(1))!;
    expect(excess(point.alpha, '1/3')).toBeLessThan(0);
    expect(excess(point.beta, '1/3')).toBeLessThan(0);
  });
});

describe('a quotient on the command line', () => {
  it.each([
    ['compose -m zcdp:rho=11/10000 --delta 1e-6', 'compose -m zcdp:rho=0.0011 --delta 1e-6'],
    ['compose -m dp:epsilon=1/8,count=3 --delta 1/1000', 'compose -m dp:epsilon=0.125,count=3 --delta 0.001'],
    ['compose -m dp:epsilon=0.5,count=3 --epsilon 1/4', 'compose -m dp:epsilon=0.5,count=3 --epsilon 0.25'],
    [
      'solve -m gdp:mu=1 --find mu --epsilon 5/4 --delta 1/1000',
      'solve -m gdp:mu=1 --find mu --epsilon 1.25 --delta 1e-3',
    ],
    ['check -m dp:epsilon=1/8 --epsilon 1/4 --delta 0', 'check -m dp:epsilon=0.125 --epsilon 0.25 --delta 0'],
  ])('%s', async (quotients, decimals) => {
    expect(await type(quotients)).toEqual(await type(decimals));
  });

  it('that is no decimal is a smaller budget', async () => {
    const { code } = await type('check -m dp:epsilon=1/3 --epsilon 1/3 --delta 0');
    expect(code).toBe(1);
    expect((await type('check -m dp:epsilon=1/4 --epsilon 1/3 --delta 0')).code).toBe(0);
  });
});
