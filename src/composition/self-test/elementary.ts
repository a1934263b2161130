import { Decimal, decimalFromDouble } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import { ELEMENTARY_ERROR } from '../../numeric/rounding.ts';

/** One value that was checked. */
export interface Check {
  /** The value that was computed, in a few words. */
  readonly what: string;
  readonly expected: Decimal;
  /** A value or an enclosure of it; null: none at all. */
  readonly got: number | Bracket | null;
  readonly passed: boolean;
}

/** Values that are checked by one rule. */
export interface CheckGroup {
  readonly id: string;
  readonly name: string;
  /** The condition that a value must satisfy to pass. */
  readonly rule: string;
  readonly checks: readonly Check[];
}

const Precise = Decimal.clone({ precision: 60 });
type Precise = InstanceType<typeof Precise>;

/** An elementary function of this node, and the same in decimal arithmetic. */
interface Elementary {
  readonly name: string;
  readonly double: (x: number) => number;
  readonly decimal: (x: Precise) => Decimal;
  /** Points from the largest to the smallest arguments that calculators use. */
  readonly points: readonly number[];
}

const powers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => Number(`1.2345678901234567e${from + i}`));
/** `count` points from one to another, evenly spread in their logarithms. */
const spread = (from: number, to: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => {
    const share = (i + 0.618) / count;
    return from ** (1 - share) * to ** share;
  });
/** Doubles next to multiples of a constant, where reducing an argument cancels. */
const nearMultiples = (of: number): number[] => [1, 2, 3, 5, 10, 33, 100, 1000, 12_345, 1_000_001].map((k) => k * of);
const bothSigns = (points: readonly number[]): number[] => points.flatMap((x) => [x, -x]);

/** The elementary functions whose error the calculators take into account. */
export const ELEMENTARY: readonly Elementary[] = [
  {
    name: 'exp',
    double: Math.exp,
    decimal: (x) => x.exp(),
    points: bothSigns([...powers(-12, 1), 0.5, 1, 2, 5, 37.5, 100, 300, 700, ...spread(1e-6, 700, 40)]),
  },
  {
    name: 'log',
    double: Math.log,
    decimal: (x) => x.ln(),
    points: [
      ...powers(-300, -290),
      ...powers(-9, 9),
      ...spread(0.5, 2, 40),
      ...spread(1e-300, 1e300, 40),
      0.5,
      0.9999999,
      1.0000001,
      1 + 2 ** -52,
      1 - 2 ** -53,
      2,
      1e300,
    ],
  },
  {
    name: 'expm1',
    double: Math.expm1,
    decimal: (x) => x.exp().minus(1),
    points: bothSigns([
      ...powers(-15, 1),
      ...spread(1e-3, 40, 40),
      ...nearMultiples(Math.LN2 / 2).slice(0, 6),
      0.5,
      1,
      2,
      5,
      30,
    ]),
  },
  {
    name: 'log1p',
    double: Math.log1p,
    decimal: (x) => new Precise(1).plus(x).ln(),
    points: [
      ...powers(-15, 12),
      ...powers(-15, -1).map((x) => -x),
      ...spread(1e-6, 10, 40),
      ...spread(1e-6, 0.999, 40).map((x) => -x),
      -0.5,
      -0.999,
      0.5,
      1,
    ],
  },
  {
    name: 'sin',
    double: Math.sin,
    decimal: (x) => x.sin(),
    points: bothSigns([
      ...powers(-12, 9),
      ...spread(1e-3, 1e6, 60),
      ...nearMultiples(Math.PI),
      0.5,
      1,
      6.283185307179586,
      355,
    ]),
  },
  {
    name: 'cos',
    double: Math.cos,
    decimal: (x) => x.cos(),
    points: bothSigns([...powers(-12, 9), ...spread(1e-3, 1e6, 60), ...nearMultiples(Math.PI / 2), 0.5, 1, 11]),
  },
  {
    name: 'atan',
    double: (x) => Math.atan2(x, 1),
    decimal: (x) => x.atan(),
    points: bothSigns([...powers(-12, 9), ...spread(1e-3, 1e3, 40), 0.4375, 1, 2.4375]),
  },
];

function check({ name, double, decimal }: Elementary, x: number): Check {
  const truth = decimal(new Precise(decimalFromDouble(x)));
  const value = double(x);
  const error = Number.isFinite(value) ? decimalFromDouble(value).minus(truth).abs() : new Decimal(Infinity);
  return {
    what: `${name}(${x})`,
    expected: new Decimal(truth.toSignificantDigits(20)),
    got: Number.isNaN(value) ? null : value,
    passed: error.lte(truth.abs().times(ELEMENTARY_ERROR)),
  };
}

/** Whether the elementary functions are as precise as the calculators assume: to 8 units of 2^-53, relatively. */
export const checkElementary = (functions: readonly Elementary[] = ELEMENTARY): CheckGroup => ({
  id: 'elementary-functions',
  name: 'elementary functions of this JavaScript engine',
  rule: 'within 8 * 2^-53 (4 units in the last place) of decimal arithmetic, relatively',
  checks: functions.flatMap((elementary) => elementary.points.map((x) => check(elementary, x))),
});
