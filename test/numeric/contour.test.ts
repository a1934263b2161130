import { describe, expect, test } from 'vitest';
import { lossOfResponses } from '../../src/bounds/loss-distribution/alike-losses.ts';
import { pairsOf } from '../../src/bounds/loss-distribution/pair-entries.ts';
import { contourFor } from '../../src/numeric/contour/contour.ts';
import { lineFor } from '../../src/numeric/contour/line.ts';
import type { ComposedLoss } from '../../src/numeric/contour/composed-loss.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { fromDecimal } from '../../src/numeric/double-double.ts';
import { enclosure, exactly, width } from '../../src/numeric/enclosure.ts';
import { gaussianLogDelta } from '../../src/privacy/gaussian.ts';
import { laplaceTransform } from '../../src/privacy/laplace.ts';
import { groupEqual, totalEpsilon, type PureGroup } from '../../src/privacy/pure.ts';
import { discreteGaussian, discreteLaplace, laplace } from '../mechanisms.ts';
import { holds, ln, ONE, oneMinusExp, precise, sumOf, ZERO } from '../reference/precise.ts';
import { fc } from '../reference/properties.ts';
import { enumeratedDelta } from '../reference/randomized-response.ts';
import { someOf } from '../reference/share.ts';

// Curves by contour integrals, from above and from below, against sums of 60 digits.

const sides = fc.constantFrom('above', 'below');
const widths = fc.constantFrom(1e-2, 1e-4, 1e-5);
/** Where a contour is asked, as a share of the way from the epsilon for which it was made to another. */
const away = fc.constantFrom(0, 0, 1e-6, 0.01, 0.3);

const groupsWith = (digits: number): fc.Arbitrary<PureGroup[]> =>
  fc
    .array(
      fc.record({
        epsilon: fc.integer({ min: 1, max: 2 * 10 ** digits }).map((n) => new Decimal(n).div(10 ** digits)),
        count: fc.integer({ min: 1, max: 9 }),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map(groupEqual);

/** delta, or 1 - delta, lies in what a contour made for one epsilon says of another. */
function check(
  loss: ComposedLoss,
  madeFor: number,
  epsilon: Decimal,
  side: 'above' | 'below',
  width: number,
  delta: Decimal,
): void {
  // Of 60 digits few are left of 1 - delta where delta is that near to 1.
  if (side === 'below' && ONE.minus(delta).lt('1e-8')) return;
  const contour = contourFor(loss, { line: lineFor(loss, madeFor, side), width });
  const found = contour.logValue(fromDecimal(epsilon));
  const truth = ln(side === 'above' ? delta : ONE.minus(delta));
  expect(holds(found, truth), `[${found.lower}, ${found.upper}] for ${truth.toString()}`).toBe(true);
}

describe('a contour integral', () => {
  test('encloses the curve of randomized responses, on their lattice and off it', () => {
    fc.assert(
      fc.property(
        fc.oneof(groupsWith(2), groupsWith(12)),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        away,
        sides,
        widths,
        (groups, share, apart, side, width) => {
          const most = totalEpsilon(groups);
          const epsilon = most.times(share).toSignificantDigits(15);
          const delta = enumeratedDelta(groups, precise(epsilon));
          check(lossOfResponses(groups), epsilon.toNumber() * (1 + apart), epsilon, side, width, delta);
        },
      ),
      { numRuns: 80 },
    );
  });

  test('encloses the curve at a corner, where losses lie just there', () => {
    const groups = groupEqual([
      { epsilon: new Decimal('0.3'), count: 4 },
      { epsilon: new Decimal('0.1'), count: 3 },
    ]);
    for (const x of ['0.1', '0.3', '0.5', '1.3']) {
      for (const loss of [lossOfResponses(groups), { ...lossOfResponses(groups), lattice: null }]) {
        const delta = enumeratedDelta(groups, precise(x));
        for (const side of ['above', 'below'] as const) check(loss, Number(x), new Decimal(x), side, 1e-4, delta);
      }
    }
  });

  test('is that of Gaussian noise, from deltas of 1e-300 to 1 - 1e-12', () => {
    for (const mu of [0.01, 0.3, 2, 9]) {
      const loss: ComposedLoss = { groups: [], muSquared: exactly(mu * mu), lattice: null, atoms: null };
      for (const z of [-6, -2, 0, 1, 4, 12, 36]) {
        const epsilon = mu * (mu / 2 + z);
        if (epsilon < 0) continue;
        const exact = gaussianLogDelta(enclosure(mu * (1 - 1e-15), mu * (1 + 1e-15)), exactly(epsilon));
        const found = contourFor(loss, { line: lineFor(loss, epsilon, 'above'), width: 1e-9 }).logValue({
          high: epsilon,
          low: 0,
        });
        expect(found.lower).toBeLessThanOrEqual(exact.upper);
        expect(found.upper).toBeGreaterThanOrEqual(exact.lower);
        expect(found.upper - found.lower).toBeLessThan(1e-9);
      }
    }
  });

  test('encloses the curve of Laplace noise with randomized responses', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 60 }),
        groupsWith(2),
        fc.double({ min: 0, max: 0.99, noNaN: true }),
        away,
        sides,
        widths,
        (hundredths, groups, share, apart, side, width) => {
          const e = new Decimal(hundredths).div(50);
          const all = pairsOf(
            [
              laplace(1, {}, e.toString()),
              ...groups.map(({ epsilon, count }) => ({
                mechanism: { type: 'dp', epsilon, delta: new Decimal(0) } as const,
                count,
                kind: 'noninteractive' as const,
                label: null,
              })),
            ] as Parameters<typeof pairsOf>[0],
            { way: 'dominating', direction: 'remove' },
          );
          const epsilon = totalEpsilon(groups).plus(e).times(share).toSignificantDigits(15);
          // Of Laplace noise alone: 1 - e^((x - e) / 2) between -e and e.
          const one = (x: Decimal): Decimal => {
            if (x.gte(e)) return ZERO;
            return x.lte(e.negated()) ? oneMinusExp(x.negated()) : oneMinusExp(precise(e).minus(x).div(2));
          };
          const delta = atomsOf(groups)
            .map(({ loss, mass }) => mass.times(one(precise(epsilon).minus(loss))))
            .reduce((sum, x) => sum.plus(x), ZERO);
          check(all.loss(), epsilon.toNumber() * (1 + apart), epsilon, side, width, delta);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('of much Laplace noise ends where its moments do, and is not smoothed for that', () => {
    const loss: ComposedLoss = {
      groups: [{ transform: laplaceTransform(0.1), count: 600 }],
      muSquared: exactly(0),
      lattice: null,
      atoms: null,
    };
    const contour = contourFor(loss, { line: lineFor(loss, 9, 'above'), width: 1e-9 });
    expect(contour.size).toBeLessThan(200);
    expect(width(contour.logValue(fromDecimal(new Decimal(9))))).toBeLessThan(1e-9);
  });

  test('encloses the curve of discrete noise', () => {
    const weight = (v: Decimal, k: number): Decimal =>
      precise(-k * k)
        .div(v.times(2))
        .exp();
    const values = Array.from({ length: 521 }, (_, i) => i - 260);
    for (const [sigma, s] of someOf(
      [
        ['0.3', 2],
        ['0.8', 1],
        ['2.5', 3],
        ['4', 1],
      ] as const,
      2,
    )) {
      const v = precise(sigma).pow(2);
      const whole = sumOf(values.map((k) => weight(v, k)));
      for (const epsilon of someOf(['0', '0.5', '2', '7.25'])) {
        const delta = sumOf(
          values.map((k) => {
            const rest = precise(s * (s - 2 * k))
              .div(v.times(2))
              .minus(epsilon);
            return rest.gt(0) ? weight(v, k).div(whole).times(oneMinusExp(rest)) : ZERO;
          }),
        );
        const loss = pairsOf([discreteGaussian(sigma, s)] as Parameters<typeof pairsOf>[0], {
          way: 'dominating',
          direction: 'remove',
        }).loss();
        for (const side of ['above', 'below'] as const) {
          check(loss, Number(epsilon), new Decimal(epsilon), side, 1e-6, delta);
        }
      }
    }
    const q = precise('-0.05').exp();
    const atoms = Array.from({ length: 41 }, (_, k) => ({
      loss: precise(40 - 2 * k).div(20),
      mass: q
        .pow(k)
        .div(ONE.plus(q))
        .times(k === 0 || k === 40 ? ONE : ONE.minus(q)),
    }));
    for (const epsilon of someOf(['0', '0.31', '1', '1.99'])) {
      const delta = sumOf(
        atoms.map(({ loss, mass }) => (loss.gt(epsilon) ? mass.times(oneMinusExp(loss.minus(epsilon))) : ZERO)),
      );
      const loss = pairsOf([discreteLaplace(20, 40)] as Parameters<typeof pairsOf>[0], {
        way: 'dominating',
        direction: 'remove',
      }).loss();
      for (const side of ['above', 'below'] as const)
        check(loss, Number(epsilon), new Decimal(epsilon), side, 1e-6, delta);
    }
  });
});

/** Every combination of the losses of randomized responses. */
function atomsOf(groups: readonly PureGroup[]): { loss: Decimal; mass: Decimal }[] {
  let all = [{ loss: ZERO, mass: ONE }];
  for (const { epsilon, count } of groups) {
    const e = precise(epsilon);
    const plus = ONE.div(ONE.plus(e.negated().exp()));
    for (let i = 0; i < count; i++) {
      const merged = new Map<string, { loss: Decimal; mass: Decimal }>();
      for (const { loss, mass } of all) {
        for (const next of [
          { loss: loss.plus(e), mass: mass.times(plus) },
          { loss: loss.minus(e), mass: mass.times(ONE.minus(plus)) },
        ]) {
          const key = next.loss.toString();
          const known = merged.get(key);
          merged.set(key, known ? { loss: next.loss, mass: known.mass.plus(next.mass) } : next);
        }
      }
      all = [...merged.values()];
    }
  }
  return all;
}
