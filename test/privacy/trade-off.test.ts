import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/numeric/decimal.ts';
import { larger, Rational, roundedDecimal, total } from '../../src/numeric/rational.ts';
import { isSymmetric } from '../../src/privacy/finite-pair.ts';
import type { FinitePairMechanism, TradeOffPoint } from '../../src/privacy/mechanism.ts';
import { mechanismKey } from '../../src/privacy/mechanism-key.ts';
import { isPair, tradeOffPair, tradeOffPoints } from '../../src/privacy/trade-off.ts';
import { answer, atDelta, atEpsilon, dp, finitePair, sampled, tradeOff, valueOf, type Text } from '../mechanisms.ts';
import { fc } from '../reference/properties.ts';
import { shareOf } from '../reference/share.ts';

const { ZERO, ONE } = Rational;

type Pairs = readonly (readonly [string, string])[];

const pointsOf = (pairs: Pairs): TradeOffPoint[] =>
  pairs.map(([alpha, beta]) => ({ alpha: new Decimal(alpha), beta: new Decimal(beta) }));

function pairOf(pairs: Pairs): FinitePairMechanism {
  const pair = tradeOffPair(pointsOf(pairs));
  if (!isPair(pair)) throw new Error(JSON.stringify(pair));
  return pair;
}

const rules = (pairs: Pairs): string[] => {
  const found = tradeOffPair(pointsOf(pairs));
  return isPair(found) ? [] : found.map(({ rule }) => rule);
};

const rational = (text: Decimal | string): Rational => Rational.ofDecimal(new Decimal(text));

interface Losses {
  readonly p: readonly Rational[];
  readonly q: readonly Rational[];
}

/** sum of max(0, p - y q), y = e^epsilon. */
const hockeyStick = ({ p, q }: Losses, y: Rational): Rational =>
  total(p.map((mass, i) => larger(ZERO, mass.minus(y.times(q[i]!)))));

const inRationals = ({ p, q }: FinitePairMechanism): Losses => ({ p: p.map(rational), q: q.map(rational) });

/** Corners of a convex function from (0, B) to (A, 0), in thousandths, A and B at most 1. */
const polygon = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 99 })), { minLength: 1, maxLength: 8 })
  .map((steps): Pairs => {
    const sorted = steps.sort(([a, b], [c, d]) => d * a - b * c);
    const at = (i: number): [string, string] => [
      `${sorted.slice(0, i).reduce((sum, [a]) => sum + a, 0)}e-3`,
      `${sorted.slice(i).reduce((sum, [, b]) => sum + b, 0)}e-3`,
    ];
    return [...sorted.keys(), sorted.length].map(at);
  });

/** The same of a function that is its own inverse: steps steeper than 1 to the diagonal, and their mirror images. */
const symmetricPolygon = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 8 })
  .map((steps): Pairs => {
    const steep = steps
      .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b) + 1])
      .sort(([a, b], [c, d]) => d * a - b * c);
    const middle = steep.reduce((sum, [a]) => sum + a, 0);
    const at = (i: number): [string, string] => [
      `${steep.slice(0, i).reduce((sum, [a]) => sum + a, 0)}e-3`,
      `${middle + steep.slice(i).reduce((sum, [, b]) => sum + b, 0)}e-3`,
    ];
    const half = [...steep.keys(), steep.length].map(at);
    const image = half.slice(0, -1).map(([alpha, beta]): [string, string] => [beta, alpha]);
    return [...half, ...image.reverse()];
  });

/** A line alpha -> height - fall alpha. */
interface Line {
  readonly height: Rational;
  readonly fall: Rational;
}

const heightAt = ({ height, fall }: Line, alpha: Rational): Rational => height.minus(fall.times(alpha));

/** The lines whose largest value is max(f, f^-1): those of f and their inverses, and 0. */
function linesOf(pairs: Pairs): readonly Line[] {
  const corners = pairs.map(([alpha, beta]) => [rational(alpha), rational(beta)] as const);
  const own = corners.slice(1).map(([alpha, beta], i): Line => {
    const [x, y] = corners[i]!;
    const fall = y.minus(beta).over(alpha.minus(x));
    return { height: y.plus(fall.times(x)), fall };
  });
  const inverse = own.map(({ height, fall }) => ({ height: height.over(fall), fall: ONE.over(fall) }));
  return [...own, ...inverse, { height: ZERO, fall: ZERO }];
}

/** sup over alpha in [0, 1] of 1 - max(lines) - y alpha, by all crossings of two lines. */
function conjugate(lines: readonly Line[], y: Rational): Rational {
  const crossings = lines.flatMap((one) =>
    lines.flatMap((two) =>
      one.fall.equals(two.fall) ? [] : [one.height.minus(two.height).over(one.fall.minus(two.fall))],
    ),
  );
  const within = crossings.filter((alpha) => alpha.compare(ZERO) >= 0 && alpha.compare(ONE) <= 0);
  return [ZERO, ONE, ...within]
    .map((alpha) => {
      const largest = lines.map((line) => heightAt(line, alpha)).reduce(larger);
      return ONE.minus(largest).minus(y.times(alpha));
    })
    .reduce(larger);
}

/** The pair of f alone, in one order: its segments, and what only one of the two gives. */
function oneSided(pairs: Pairs): { readonly p: string[]; readonly q: string[] } {
  const corners = pairs.map(([alpha, beta]) => [new Decimal(alpha), new Decimal(beta)] as const);
  const [[, first], [last]] = [corners[0]!, corners.at(-1)!];
  const p = corners.slice(1).map(([, beta], i) => corners[i]![1].minus(beta));
  const q = corners.slice(1).map(([alpha], i) => alpha.minus(corners[i]![0]));
  const one = new Decimal(1);
  return {
    p: [one.minus(first), ...p, new Decimal(0)].map(String),
    q: [new Decimal(0), ...q, one.minus(last)].map(String),
  };
}

const ratio = fc
  .tuple(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 100 }))
  .map(([n, d]) => Rational.of(n, d));

const SLIGHT = Rational.of(1, 10n ** 38n);

describe('the pair of a trade-off function', () => {
  it('has its conjugate for its profile, which it exceeds by rounding at most', () => {
    fc.assert(
      fc.property(polygon, fc.array(ratio, { minLength: 3, maxLength: 6 }), (pairs, ratios) => {
        const [lines, pair] = [linesOf(pairs), inRationals(pairOf(pairs))];
        for (const y of ratios) {
          const excess = hockeyStick(pair, y).minus(conjugate(lines, y));
          expect(excess.compare(ZERO)).toBeGreaterThanOrEqual(0);
          expect(excess.compare(SLIGHT)).toBeLessThan(0);
        }
      }),
      { numRuns: shareOf(400, 40) },
    );
  });

  it('has it exactly where the function is symmetric', () => {
    fc.assert(
      fc.property(symmetricPolygon, ratio, (pairs, y) => {
        expect(hockeyStick(inRationals(pairOf(pairs)), y).equals(conjugate(linesOf(pairs), y))).toBe(true);
      }),
      { numRuns: shareOf(200, 30) },
    );
  });

  it('is a pair of distributions that is its own swap, so that the order of neighbours does not matter', () => {
    fc.assert(
      fc.property(polygon, (pairs) => {
        const pair = pairOf(pairs);
        expect(pair.q.map(String)).toEqual(pair.p.map(String).reverse());
        expect(isSymmetric(pair)).toBe(true);
        expect(Decimal.sum(...pair.p).eq(1)).toBe(true);
        expect([...pair.p, ...pair.q].every((mass) => mass.gte(0))).toBe(true);
      }),
      { numRuns: shareOf(200, 30) },
    );
  });

  it('is nowhere above the pair of the function alone, taken both ways', () => {
    fc.assert(
      fc.property(polygon, ratio, (pairs, y) => {
        const { p, q } = oneSided(pairs);
        const [there, back] = [
          { p: p.map(rational), q: q.map(rational) },
          { p: q.map(rational), q: p.map(rational) },
        ];
        const both = larger(hockeyStick(there, y), hockeyStick(back, y));
        expect(hockeyStick(inRationals(pairOf(pairs)), y).compare(both.plus(SLIGHT))).toBeLessThanOrEqual(0);
      }),
      { numRuns: shareOf(200, 30) },
    );
  });

  it('is below that where the function is above its inverse here and below it there', () => {
    const points = [
      ['0', '1'],
      ['0.1', '0.5'],
      ['0.5', '0.2'],
      ['0.8', '0'],
    ] as const;
    const { p, q } = oneSided(points);
    const query = atEpsilon('0.1');
    const symmetric = answer([tradeOff(points, { count: 3 })], query).delta.upper;
    expect(symmetric).toBeLessThan(answer([finitePair(p, q, { count: 3 })], query).delta.lower! - 0.01);
  });

  it('has what it was written by, as long as it is that pair', () => {
    const points = pointsOf([['0.1', '0.5']]);
    const pair = tradeOffPair(points);
    if (!isPair(pair)) throw new Error('no pair');
    expect(tradeOffPoints(pair)).toBe(points);
    expect(tradeOffPoints({ ...pair, p: pair.q, q: pair.p })).toBeNull();
    const { written, ...plain } = pair;
    expect(written).toEqual({ points });
    expect(tradeOffPoints(plain)).toBeNull();
    expect(mechanismKey(plain)).toBe(mechanismKey(pair));
  });

  it('is found anew for a list that was changed', () => {
    const points = pointsOf([['0.25', '0.25']]);
    expect(tradeOffPair(points)).toMatchObject({ p: [new Decimal('0.75'), new Decimal('0.25')] });
    points[0] = { alpha: new Decimal('0.2'), beta: new Decimal('0.2') };
    expect(tradeOffPair(points)).toMatchObject({ p: [new Decimal('0.8'), new Decimal('0.2')] });
  });

  it('keeps decimals of any length, and rounds quotients far below them', () => {
    const long = `0.2${'0'.repeat(200)}1`;
    expect(pairOf([[long, long]]).q[0]!.toString()).toBe(long);
    const nearly = new Decimal(1).minus('1e-200').toString();
    const corners = [
      ['0', nearly],
      ['0.1', '0.4'],
      ['0.4', '0.2'],
    ] as const;
    const pair = pairOf(corners);
    expect(Decimal.sum(...pair.p).eq(1)).toBe(true);
    expect(isSymmetric(pair)).toBe(true);
  });

  it('is refused where it has too many outcomes', () => {
    const corners = Array.from({ length: 121 }, (_, i): [string, string] => {
      const alpha = new Decimal(i).div(400);
      return [alpha.toString(), new Decimal(1).minus(alpha).pow(3).toString()];
    });
    expect(rules([...corners, ['0.54', '0']])).toEqual(['too-many-outcomes']);
    expect(rules([...corners.filter((_, i) => i % 2 === 0), ['0.54', '0']])).toEqual([]);
  });

  it('is refused where corners that are no decimals are too near to each other', () => {
    const corners = (digits: number): Pairs => [
      ['0', '9e-300'],
      ['1e-300', '5e-300'],
      ['2e-300', `3.${'9'.repeat(digits)}e-300`],
      ['6e-300', '0'],
    ];
    expect(rules(corners(998))).toEqual(['too-many-digits']);
    expect(rules(corners(900))).toEqual([]);
  });
});

const LN_3 = '1.098612288668109691395245236922525704647490557822749451734694333';

/** The ends of what an answer says, next to those of another one. */
function expectEqual(
  one: readonly ReturnType<typeof tradeOff>[],
  two: readonly ReturnType<typeof tradeOff>[],
  delta: Text,
) {
  const [a, b] = [answer(one, atDelta(delta)).epsilon, answer(two, atDelta(delta)).epsilon];
  expect(a.upper / b.upper).toBeCloseTo(1, 8);
  expect(a.lower!).toBeLessThanOrEqual(b.upper);
  expect(b.lower!).toBeLessThanOrEqual(a.upper);
}

/** e^epsilon, to a relative 1e-60. */
const exponentialOf = (epsilon: string): Rational =>
  rational(new Decimal(Decimal.clone({ precision: 70 }).exp(epsilon)));

describe('what is claimed of one trade-off function', () => {
  it('encloses its conjugate from both sides, up to its largest loss and past it', () => {
    fc.assert(
      fc.property(polygon, fc.constantFrom('0', '0.01', '0.7', '2', 'largest', 'past'), (pairs, asked) => {
        const { p, q } = inRationals(pairOf(pairs));
        const ratios = p.flatMap((mass, i) => (q[i]!.isZero() ? [] : [mass.over(q[i]!)]));
        const top = new Decimal(Decimal.clone({ precision: 70 }).ln(roundedDecimal(ratios.reduce(larger), 70, 'down')));
        const moved = asked === 'largest' ? top.minus('1e-25') : asked === 'past' ? top.plus('1e-35') : asked;
        const epsilon = Decimal.max(0, moved).toString();
        const exact = conjugate(linesOf(pairs), exponentialOf(epsilon));
        const { lower, upper } = answer([tradeOff(pairs)], atEpsilon(epsilon)).delta;
        const slight = Rational.of(1, 10n ** 55n);
        expect(rational(new Decimal(lower!)).compare(exact.plus(slight))).toBeLessThanOrEqual(0);
        expect(rational(new Decimal(upper)).compare(exact.minus(slight))).toBeGreaterThanOrEqual(0);
        expect(upper - lower!).toBeLessThan(1e-6);
      }),
      { numRuns: shareOf(300, 40) },
    );
  });
});

describe('a composition of trade-off functions', () => {
  it('of randomized response is that of (epsilon, 0)-DP', () => {
    const randomized = (count: number) => tradeOff([['0.25', '0.25']], { count });
    for (const count of [1, 2, 30]) expectEqual([randomized(count)], [dp(LN_3, 0, { count })], '1e-6');
  });

  it('that begins below 1 is that of (epsilon, delta)-DP', () => {
    const corners = [
      ['0', '0.96'],
      ['0.24', '0.24'],
      ['0.96', '0'],
    ] as const;
    for (const count of [1, 3]) {
      expectEqual([tradeOff(corners, { count })], [dp(LN_3, '0.04', { count })], '0.2');
    }
  });

  it('is that of their finite pairs, on samples too', () => {
    const points = [
      [
        ['0', '1'],
        ['0.1', '0.5'],
        ['0.5', '0.2'],
        ['0.8', '0'],
      ],
      [['0.2', '0.4']],
    ] as const;
    const both = points.map((each) => tradeOff(each, { count: 4 }));
    const pairs = points.map((each) => {
      const { p, q } = pairOf(each);
      return finitePair(p.map(String), q.map(String), { count: 4 });
    });
    const on = (entries: readonly ReturnType<typeof tradeOff>[]) => entries.map((each) => sampled(each, '0.1'));
    expectEqual(both, pairs, '1e-6');
    expectEqual(on(both), on(pairs), '1e-6');
    const bounds = ['rdp', 'zcdp', 'basic'] as const;
    for (const id of bounds) {
      expect(valueOf(answer(both, atDelta('1e-6')), id).upper).toBe(valueOf(answer(pairs, atDelta('1e-6')), id).upper);
    }
  });
});
