import { fc } from '../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { composeLattices } from '../../src/numeric/lattice/power.ts';
import { discretiseUpward, observeCells } from '../../src/numeric/lattice/discretise.ts';
import { fromDouble } from '../../src/numeric/double-double.ts';
import { exactly } from '../../src/numeric/enclosure.ts';
import { logGainFromCells, logHockeyStick, type LatticeMeasure } from '../../src/numeric/lattice/measure.ts';
import { composeAtoms, type LossAtoms } from '../../src/numeric/loss-atoms.ts';
import { logHockeyStickOfSum } from '../../src/bounds/loss-distribution/few-combinations.ts';
import { tailsOfWeights } from '../../src/numeric/lattice/tails.ts';
import { ONE, ZERO, holds, ln, oneMinusExp, precise, sumOf } from '../reference/precise.ts';
import type { Decimal } from '../../src/numeric/decimal.ts';

interface Law {
  readonly losses: readonly number[];
  readonly masses: readonly number[];
}

/** A few losses with masses, descending. */
const laws = (reach: number): fc.Arbitrary<Law> =>
  fc
    .uniqueArray(
      fc.tuple(fc.double({ min: -reach, max: reach, noNaN: true }), fc.double({ min: 0.01, max: 1, noNaN: true })),
      { minLength: 1, maxLength: 12, selector: ([loss]) => loss },
    )
    .map((atoms) => {
      const total = atoms.reduce((sum, [, mass]) => sum + mass, 0);
      const sorted = [...atoms].sort(([a], [b]) => b - a);
      return { losses: sorted.map(([loss]) => loss), masses: sorted.map(([, mass]) => mass / total) };
    });

/** The law under a tilt, its weights rounded. */
function tilted({ losses, masses }: Law, tilt: number): LossAtoms {
  const raw = losses.map((loss, i) => tilt * loss + Math.log(masses[i]!));
  const scale = Math.max(...raw);
  return {
    losses: Float64Array.from(losses),
    weights: Float64Array.from(raw, (x) => Math.exp(x - scale) / losses.length),
    tilt,
    logScale: exactly(scale),
    lossError: 0,
    relativeError: (40 + 4 * tilt * Math.max(...losses.map(Math.abs))) * 2 ** -53,
    leak: 0,
  };
}
/** ln of what dividing the weights by the number of losses takes away. */
const shareOf = ({ losses }: Law): Decimal => precise(losses.length).ln();

const excess = (atoms: readonly (readonly [Decimal, Decimal])[], epsilon: number): Decimal =>
  sumOf(
    atoms
      .filter(([loss]) => loss.gt(precise(epsilon)))
      .map(([loss, mass]) => mass.times(oneMinusExp(loss.minus(precise(epsilon))))),
  );

const atomsOf = ({ losses, masses }: Law): (readonly [Decimal, Decimal])[] =>
  losses.map((loss, i) => [precise(loss), precise(masses[i]!)] as const);

const sums = (a: Law, b: Law): (readonly [Decimal, Decimal])[] =>
  atomsOf(a).flatMap(([x, p]) => atomsOf(b).map(([y, q]) => [x.plus(y), p.times(q)] as const));

const tilts = fc.double({ min: 0, max: 40, noNaN: true });
/** An epsilon between the ends of the losses, or just at one. */
const share = fc.double({ min: 0, max: 1, noNaN: true });
const between = (low: number, high: number, s: number): number => low + s * (high - low);

describe('the excess of a sum of two lists', () => {
  it('contains the sum over all pairs, whatever the tilt, also at and next to a sum of losses', () => {
    fc.assert(
      fc.property(laws(3), laws(3), tilts, share, fc.boolean(), (a, b, tilt, s, atAtom) => {
        const epsilon = atAtom
          ? a.losses[Math.floor(s * (a.losses.length - 1))]! + b.losses[0]!
          : between(a.losses.at(-1)! + b.losses.at(-1)!, a.losses[0]! + b.losses[0]!, s);
        const result = logHockeyStickOfSum(tilted(a, tilt), tilted(b, tilt), fromDouble(epsilon));
        const truth = ln(excess(sums(a, b), epsilon))
          .minus(shareOf(a))
          .minus(shareOf(b));
        expect(holds(result, truth), `[${result.lower}, ${result.upper}] for ${truth.toString()}`).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
  it('is the same for a list of sums and a list of nothing', () => {
    fc.assert(
      fc.property(laws(2), laws(2), tilts, share, (a, b, tilt, s) => {
        const epsilon = between(a.losses.at(-1)! + b.losses.at(-1)!, a.losses[0]! + b.losses[0]!, s);
        const all = composeAtoms(tilted(a, tilt), tilted(b, tilt));
        expect(all.losses.length).toBe(a.losses.length * b.losses.length);
        expect([...all.losses]).toEqual([...all.losses].sort((x, y) => y - x));
        const nothing = tilted({ losses: [0], masses: [1] }, tilt);
        const truth = ln(excess(sums(a, b), epsilon))
          .minus(shareOf(a))
          .minus(shareOf(b));
        expect(holds(logHockeyStickOfSum(all, nothing, fromDouble(epsilon)), truth)).toBe(true);
      }),
      { numRuns: 80 },
    );
  });
});

describe('a measure on a lattice', () => {
  const step = 0.0625;
  const onLattice = (law: Law): Law => {
    const indices = [...new Set(law.losses.map((loss) => Math.round(loss / step)))];
    return { losses: indices.map((i) => i * step), masses: indices.map((_, i) => law.masses[i]!) };
  };
  const measureOf = (law: Law, tilt: number): LatticeMeasure => {
    const { losses, weights, relativeError, logScale } = tilted(law, tilt);
    const indices = [...losses].map((loss) => Math.round(loss / step));
    const first = Math.min(...indices);
    const cells = new Float64Array(Math.max(...indices) - first + 1);
    indices.forEach((index, i) => (cells[index - first] = weights[i]!));
    const nothing = { origin: fromDouble(0), normError: 0, leak: 0, tails: tailsOfWeights(first, cells, step) };
    return { ...nothing, step: fromDouble(step), first, weights: cells, tilt, logScale, relativeError };
  };
  it('has the excess of its definition, alone and composed, at lattice points and between', () => {
    fc.assert(
      fc.property(laws(3), laws(3), tilts, share, fc.boolean(), (x, y, tilt, s, atPoint) => {
        const [a, b] = [onLattice(x), onLattice(y)];
        const [top, bottom] = [a.losses[0]! + b.losses[0]!, a.losses.at(-1)! + b.losses.at(-1)!];
        const place = between(bottom - step, top + step, s);
        const epsilon = atPoint ? Math.round(place / step) * step : place;
        const composed = composeLattices(measureOf(a, tilt), measureOf(b, tilt));
        const truth = ln(excess(sums(a, b), epsilon))
          .minus(shareOf(a))
          .minus(shareOf(b));
        const result = logHockeyStick(composed, fromDouble(epsilon));
        expect(holds(result, truth), `[${result.lower}, ${result.upper}] for ${truth.toString()}`).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
  it('keeps its promise when what it left out or its additive errors are largest', () => {
    fc.assert(
      fc.property(laws(3), tilts, share, fc.double({ min: 1e-6, max: 0.1, noNaN: true }), (x, tilt, s, error) => {
        const law = onLattice(x);
        const measure = measureOf(law, tilt);
        const epsilon = between(law.losses.at(-1)! - step, law.losses[0]!, s);
        const truth = ln(excess(atomsOf(law), epsilon)).minus(shareOf(law));
        const highest = measure.weights.length - 1;
        const cut = measure.weights.slice();
        cut[highest] = 0;
        const leaking = { ...measure, weights: cut, leak: measure.weights[highest]! };
        expect(holds(logHockeyStick(leaking, fromDouble(epsilon)), truth)).toBe(true);
        for (const sign of [1, -1]) {
          const disturbed = measure.weights.map((w, i) => w + (sign * error * (i % 2 === 0 ? 1 : 0.5)) / highest);
          const norm = error * Math.sqrt(measure.weights.length);
          const noisy = { ...measure, weights: disturbed, normError: (norm / Math.max(1, highest)) * 1.01 };
          if (highest > 0) expect(holds(logHockeyStick(noisy, fromDouble(epsilon)), truth)).toBe(true);
        }
      }),
      { numRuns: 80 },
    );
  });
});

describe('discretised losses', () => {
  const steps = fc.double({ min: -3, max: 0, noNaN: true }).map((x) => 10 ** x);
  it('lie above and below the truth, alone and composed, whatever the tilt and the step', () => {
    fc.assert(
      fc.property(laws(2), laws(2), tilts, share, steps, (a, b, tilt, s, step) => {
        const epsilon = between(a.losses.at(-1)! + b.losses.at(-1)! - step, a.losses[0]! + b.losses[0]!, s);
        const truth = ln(excess(sums(a, b), epsilon))
          .minus(shareOf(a))
          .minus(shareOf(b));
        const [x, y] = [tilted(a, tilt), tilted(b, tilt)];
        const above = composeLattices(discretiseUpward(x, step), discretiseUpward(y, step));
        const upper = logHockeyStick(above, fromDouble(epsilon)).upper;
        expect(precise(upper).gte(truth), `above: ${upper} for ${truth.toString()}`).toBe(true);
        const [seenX, seenY] = [observeCells(x, step), observeCells(y, step)];
        const own = composeLattices(seenX.own, seenY.own);
        const other = composeLattices(seenX.other, seenY.other);
        const lower = logGainFromCells(own, other, fromDouble(epsilon));
        expect(lower === -Infinity || precise(lower).lte(truth), `below: ${lower} for ${truth.toString()}`).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
  it('come near the truth as the square of the step', () => {
    const law = { losses: [1.03, 0.4, -0.2, -1.1], masses: [0.4, 0.3, 0.2, 0.1] };
    const truth = ln(excess(sums(law, law), 0.9))
      .minus(shareOf(law).times(2))
      .toNumber();
    const gap = (step: number): number => {
      const above = discretiseUpward(tilted(law, 1), step);
      return logHockeyStick(composeLattices(above, above), fromDouble(0.9)).upper - truth;
    };
    expect(gap(1e-2)).toBeLessThan(1e-3);
    expect(gap(1e-3)).toBeLessThan(1e-5);
    expect(gap(1e-4)).toBeLessThan(1e-7);
  });
  it('keep the masses of both neighbours', () => {
    fc.assert(
      fc.property(laws(2), steps, (law, step) => {
        const { first, weights, logScale } = discretiseUpward(tilted(law, 0), step);
        const total = (f: (loss: number) => number): number =>
          weights.reduce((sum, w, m) => sum + w * f((first + m) * step), 0) *
          Math.exp(logScale.upper) *
          law.losses.length;
        expect(total(() => 1)).toBeCloseTo(1, 12);
        const other = law.losses.reduce((sum, loss, i) => sum + law.masses[i]! * Math.exp(-loss), 0);
        expect(total((loss) => Math.exp(-loss)) / other).toBeCloseTo(1, 11);
      }),
      { numRuns: 60 },
    );
  });
  it('have excess zero beyond every loss, and only there', () => {
    const atoms = tilted({ losses: [1], masses: [1] }, 0);
    const cells = observeCells(atoms, 0.5);
    expect(logGainFromCells(cells.own, cells.other, fromDouble(2))).toBe(-Infinity);
    expect(logHockeyStick(discretiseUpward(atoms, 0.5), fromDouble(3)).upper).toBeLessThan(-700);
    expect(ln(excess([[ONE, ONE]], 2)).eq(precise(-Infinity))).toBe(true);
    expect(excess([[ONE, ONE]], 2).eq(ZERO)).toBe(true);
  });
});
