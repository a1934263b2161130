import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { BoundId } from '../../../src/bounds/core/bound.ts';
import { preciseValue } from '../../../src/bounds/precise/evaluate.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import type { Query } from '../../../src/privacy/curve.ts';
import { atDelta, atEpsilon, boundedRange, dp } from '../../mechanisms.ts';
import { someOf } from '../../reference/share.ts';

interface Row {
  readonly k: number;
  readonly epsilon: string;
}
interface AtDelta extends Row {
  readonly delta: string;
}
interface AtEpsilon extends Row {
  readonly epsilonTotal: string;
}
interface WithResult {
  readonly result: string;
}
interface Groups {
  readonly groups: readonly { readonly epsilon: string; readonly count: number }[];
}

const golden = JSON.parse(
  readFileSync(new URL('../../../fixtures/golden/reference.json', import.meta.url), 'utf8'),
) as {
  readonly dpHomogeneousEpsilon: readonly (AtDelta & { readonly deltaEach: string; readonly result: string | null })[];
  readonly dpHomogeneousDelta: readonly (AtEpsilon & WithResult & { readonly deltaEach: string })[];
  readonly dpHeterogeneous: readonly (Groups & {
    readonly deltas: readonly string[];
    readonly epsilonTotal: string;
    readonly result: string;
    readonly epsilonAt1e6: string | null;
  })[];
  readonly brNonadaptiveDelta: readonly (AtEpsilon & WithResult)[];
  readonly brNonadaptiveEpsilon: readonly (AtDelta & WithResult)[];
  readonly brClosedForms: readonly (AtDelta & Readonly<Record<'optkl' | 'dr19' | 'drv' | 'kov', string>>)[];
  readonly brMgfDelta: readonly (AtEpsilon & WithResult)[];
  readonly brMgfEpsilon: readonly (AtDelta & WithResult)[];
  readonly brMgfHeterogeneousEpsilon: readonly (Groups & { readonly delta: string; readonly result: string })[];
};

const DIGITS = 30;

function digitsOf(id: BoundId, entries: readonly Entry[], query: Query, digits = DIGITS): string {
  const value = preciseValue(id, { entries, adaptivity: 'nonadaptive', order: 'any' }, query, digits);
  return 'digits' in value ? value.digits : value.unavailable;
}

/**
 * The golden values have 25 digits; 24 of them are compared. Those found by bisection are the upper end of a bracket
 * of width `bracket`.
 */
function expectDigits(text: string, truth: string, bracket: Decimal | number = 0): void {
  const [value, expected] = [new Decimal(text), new Decimal(truth)];
  const rounding = expected.times('1e-23');
  const holds =
    value.eq(expected) || (value.lte(expected.plus(rounding)) && value.gte(expected.minus(rounding).minus(bracket)));
  expect(holds, `${text} is not ${truth}`).toBe(true);
}

/** What halving [0, sum of epsilons] so often leaves. */
const bisected = (times: number, groups: readonly { readonly epsilon: string; readonly count: number }[]): Decimal =>
  groups
    .reduce((sum, { epsilon, count }) => sum.plus(new Decimal(epsilon).times(count)), new Decimal(0))
    .div(2 ** times);

describe('decimal arithmetic agrees with the golden values to 24 digits', () => {
  test.each(someOf(golden.dpHomogeneousEpsilon, 14))('dp-optimal: $k x ($epsilon, $deltaEach) at delta $delta', (g) => {
    const text = digitsOf('dp-optimal', [dp(g.epsilon, g.deltaEach, { count: g.k })], atDelta(g.delta));
    expectDigits(text, g.result ?? 'Infinity');
  });
  test.each(golden.dpHomogeneousDelta)('dp-optimal: $k x ($epsilon, $deltaEach) at epsilon $epsilonTotal', (g) => {
    expectDigits(
      digitsOf('dp-optimal', [dp(g.epsilon, g.deltaEach, { count: g.k })], atEpsilon(g.epsilonTotal)),
      g.result,
    );
  });
  test.each(golden.dpHeterogeneous)('dp-optimal: $groups with deltas $deltas', (g) => {
    const entries = [
      ...g.groups.map(({ epsilon, count }) => dp(epsilon, 0, { count })),
      ...g.deltas.map((delta) => dp(0, delta)),
    ];
    expectDigits(digitsOf('dp-optimal', entries, atEpsilon(g.epsilonTotal)), g.result);
    if (g.epsilonAt1e6 !== null) expectDigits(digitsOf('dp-optimal', entries, atDelta('1e-6')), g.epsilonAt1e6);
  });
  const ranged = (g: Row): Entry[] => [boundedRange(g.epsilon, { count: g.k })];
  test.each(golden.brNonadaptiveDelta)('br-nonadaptive: $k x $epsilon at epsilon $epsilonTotal', (g) => {
    expectDigits(digitsOf('br-nonadaptive', ranged(g), atEpsilon(g.epsilonTotal)), g.result);
  });
  test.each(someOf(golden.brNonadaptiveEpsilon, 5))('br-nonadaptive: $k x $epsilon at delta $delta', (g) => {
    expectDigits(
      digitsOf('br-nonadaptive', ranged(g), atDelta(g.delta)),
      g.result,
      bisected(70, [{ epsilon: g.epsilon, count: g.k }]),
    );
  });
  test.each(golden.brClosedForms)('closed forms: $k x $epsilon at delta $delta', (g) => {
    expectDigits(digitsOf('br-optkl', ranged(g), atDelta(g.delta)), g.optkl);
    expectDigits(digitsOf('br-dr19', ranged(g), atDelta(g.delta)), g.dr19);
    expectDigits(digitsOf('advanced-drv', ranged(g), atDelta(g.delta)), g.drv);
    expectDigits(digitsOf('advanced-kov', ranged(g), atDelta(g.delta)), g.kov);
  });
  test.each(golden.brMgfDelta)('br-mgf: $k x $epsilon at epsilon $epsilonTotal', (g) => {
    expectDigits(digitsOf('br-mgf', ranged(g), atEpsilon(g.epsilonTotal)), g.result);
  });
  test.each(someOf(golden.brMgfEpsilon, 3))('br-mgf: $k x $epsilon at delta $delta', (g) => {
    expectDigits(
      digitsOf('br-mgf', ranged(g), atDelta(g.delta)),
      g.result,
      bisected(60, [{ epsilon: g.epsilon, count: g.k }]),
    );
  });
  test.each(golden.brMgfHeterogeneousEpsilon)('br-mgf: $groups at delta $delta', (g) => {
    const entries = g.groups.map(({ epsilon, count }) => boundedRange(epsilon, { count }));
    expectDigits(digitsOf('br-mgf', entries, atDelta(g.delta)), g.result, bisected(60, g.groups));
  });
});
