import { Rational, total } from '../../src/numeric/rational.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import type { Random } from '../soundness/random.ts';
import type { Answered, Written, WrittenEnd } from './questions.ts';

/** A certificate made wrong, or null where this says nothing false of it; `key`: which of its numbers was asked for. */
export type Spoil = (written: Written, key: Answered['solveFor'], random: Random) => unknown;

export const rational = (text: string): Rational => {
  const [numerator, denominator] = text.split('/');
  return denominator === undefined
    ? Rational.ofDecimal(new Decimal(text))
    : Rational.of(BigInt(numerator!), BigInt(denominator));
};

export const scaled = (text: string, per: number): string =>
  rational(text)
    .times(Rational.of(BigInt(Math.round(per * 1e9)), 10n ** 9n))
    .toString();

const isZero = (text: string): boolean => rational(text).isZero();

/** Below it a double may be far above what it is rounded from. */
const SMALLEST = Rational.of(1n, 10n ** 290n);

/**
 * Whether mechanisms may reveal more, and the claim stay true: an epsilon of 0 for a delta that is large, or a delta of almost nothing
 * but failures, which have no part in a Renyi divergence, or in the losses up to the largest one.
 */
function hasRoom({ mechanisms, upper }: Written, key: Answered['solveFor']): boolean {
  if (key === 'epsilon') return isZero(upper.epsilon);
  const failures = total(
    mechanisms.map(({ count, delta = '0' }) => rational(delta as string).times(Rational.of(count))),
  );
  const losses = rational(upper.delta).minus(failures);
  return losses.compare(rational(scaled(upper.delta, 1e-3))) < 0 || losses.compare(SMALLEST) < 0;
}

export const withUpper = (written: Written, upper: Partial<WrittenEnd>): unknown => ({
  ...written,
  upper: { ...written.upper, ...upper },
});

export const withEntries = (
  written: Written,
  change: (mechanism: Written['mechanisms'][number]) => Record<string, unknown>,
): unknown => ({ ...written, mechanisms: written.mechanisms.map((entry) => ({ ...entry, ...change(entry) })) });

/** Parameters of 1% less privacy. */
function raised(entry: Written['mechanisms'][number]): Record<string, unknown> {
  const changed: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(entry)) {
    if (['epsilon', 'mu', 'rho'].includes(key)) changed[key] = scaled(value as string, 1.01);
    if (['scale', 'sigma', 'variance'].includes(key)) changed[key] = scaled(value as string, 0.99);
    if (key === 'orders') changed[key] = (value as [string, string][]).map(([a, e]) => [a, scaled(e, 1.01)]);
  }
  return changed;
}

/** Theorems that do not cover all types of a list. */
const NOT_COVERING: Readonly<Record<string, readonly string[]>> = {
  dp: ['gaussian', 'br-nonadaptive'],
  laplace: ['gaussian', 'br-nonadaptive'],
  'bounded-range': ['gaussian'],
  gaussian: ['basic', 'dp-optimal', 'br-nonadaptive'],
  gdp: ['basic', 'dp-optimal', 'br-nonadaptive'],
  zcdp: ['basic', 'dp-optimal', 'gaussian', 'br-nonadaptive'],
  rdp: ['basic', 'dp-optimal', 'gaussian', 'br-nonadaptive', 'zcdp'],
};

/** False claims: what they say is not so, by more than any rounding. */
export const FALSE_CLAIMS: Readonly<Record<string, Spoil>> = {
  'a number too small by a millionth'(written, key) {
    const value = written.upper[key];
    return rational(value).compare(SMALLEST) < 0 ? null : withUpper(written, { [key]: scaled(value, 1 - 1e-6) });
  },
  'parameters that reveal more': (written, key) => (hasRoom(written, key) ? null : withEntries(written, raised)),
  'more than twice as many mechanisms': (written, key) =>
    hasRoom(written, key) ? null : withEntries(written, ({ count }) => ({ count: 2 * count + 1 })),
  'a lower end above the upper end'(written, key) {
    if (written.lower === null) return null;
    return { ...written, lower: { ...written.lower, [key]: scaled(written.upper[key], 1 + 1e-6) } };
  },
  'an upper end below the lower end'(written, key) {
    return written.lower && withUpper(written, { [key]: scaled(written.lower[key], 1 - 1e-6) });
  },
  'a theorem that does not cover the mechanisms'(written, _, random) {
    const theorem = random.pick(NOT_COVERING[random.pick(written.mechanisms).type]!);
    return withUpper(written, { theorem, witness: {} });
  },
  'another order'(written, key) {
    const { order } = written.upper.witness;
    if (order === undefined || hasRoom(written, key)) return null;
    const moved = rational(order).minus(Rational.ONE).times(Rational.of(3, 2)).plus(Rational.ONE);
    return withUpper(written, { witness: { order: moved.toString() } });
  },
  'no order': (written) => (written.upper.witness.order === undefined ? null : withUpper(written, { witness: {} })),
  'adaptively chosen parameters': (written) => ({ ...written, adaptivity: 'parameters' }),
  'adaptively chosen ranges': (written) =>
    written.upper.theorem === 'br-nonadaptive' && (written.mechanisms[0]?.count ?? 0) > 1
      ? { ...written, adaptivity: 'adaptive' }
      : null,
  subsampling: (written) => withEntries(written, () => ({ rate: '0.01' })),
  'no mechanism': (written) => ({ ...written, mechanisms: [] }),
};

/** Documents that no certificate may be: each is refused at once. */
export const MALFORMED: Readonly<Record<string, (written: Written) => string>> = {
  'a number that is a float': (written) => JSON.stringify(withUpper(written, { epsilon: 1.5 as never })),
  NaN: (written) => JSON.stringify(written).replace(/"delta":"[^"]*"/, '"delta":NaN'),
  'a count that is a float': (written) => JSON.stringify(written).replace(/"count":\d+/, '"count":1.0'),
  'a count of 0': (written) => JSON.stringify(withEntries(written, () => ({ count: 0 }))),
  'a negative delta': (written) => JSON.stringify(withUpper(written, { delta: '-1' })),
  'a denominator of 0': (written) => JSON.stringify(withUpper(written, { delta: '1/0' })),
  'a delta above 1': (written) => JSON.stringify(withUpper(written, { delta: '2' })),
  'a huge exponent': (written) => JSON.stringify(withUpper(written, { epsilon: '1e999999999' })),
  'a tiny delta': (written) => JSON.stringify(withUpper(written, { delta: '1e-999' })),
  'a huge epsilon': (written) => JSON.stringify(withUpper(written, { epsilon: '1e700' })),
  'a long number': (written) => JSON.stringify(withUpper(written, { epsilon: '9'.repeat(1e5) })),
  'digits of another script': (written) => JSON.stringify(withUpper(written, { epsilon: '\u0661\u0662' })),
  'an unknown key': (written) => JSON.stringify({ ...written, note: 'trust me' }),
  'a key that stands twice': (written) => JSON.stringify(written).replace('{', '{"lower":null,'),
  'a missing end': (written) => JSON.stringify({ ...written, upper: null }),
  'an unknown theorem': (written) => JSON.stringify(withUpper(written, { theorem: '__class__' })),
  'a theorem that is a list': (written) => JSON.stringify(withUpper(written, { theorem: [] as never })),
  'a deep nest': () => '['.repeat(2e5),
  'a million bytes': (written) => JSON.stringify(written) + ' '.repeat(1e6),
  'no text': () => '',
};

/** A spoiled certificate, and how. */
export interface Spoiled {
  readonly how: string;
  readonly text: string;
}

/** A way in turn, from one on until one says something false: a false claim, or for every third something malformed. */
export function spoiled(
  { text, solveFor }: Answered,
  turn: number,
  random: Random,
  claims: Readonly<Record<string, Spoil>> = FALSE_CLAIMS,
): Spoiled {
  const written = JSON.parse(text) as Written;
  const round = Math.floor(turn / 3);
  if (turn % 3 === 2) {
    const [how, spoil] = Object.entries(MALFORMED)[round % Object.keys(MALFORMED).length]!;
    return { how, text: spoil(written) };
  }
  const ways = Object.entries(claims);
  for (let i = 0; ; i++) {
    const [how, spoil] = ways[(turn - round + i) % ways.length]!;
    const other = spoil(written, solveFor, random);
    if (other !== null) return { how, text: JSON.stringify(other) };
  }
}
