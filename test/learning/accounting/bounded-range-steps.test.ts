import { describe, expect, it } from 'vitest';
import { linearVarianceAbove } from '../../../src/bounds/bounded-range/adaptive-gaussian.ts';
import { exactAccounting } from '../../../src/learning/accounting/accounting.ts';
import { guaranteesOf } from '../../../src/learning/accounting/resampling.ts';
import { planForExperts } from '../../../src/learning/planning/plan.ts';
import { exactly } from '../../../src/numeric/enclosure.ts';
import { gaussianLogDelta } from '../../../src/privacy/gaussian.ts';
import { d, MULTIPLICATIVE } from '../helpers.ts';

/** So many grid cells in one bounded-range parameter. */
const CELLS = 40;

/** A function on the grid x = i e / CELLS, |i| <= reach; below it is 1 - e^x, above it 0. */
interface Curve {
  readonly e: number;
  readonly reach: number;
  readonly values: Float64Array;
}

const NOTHING = (e: number): Curve => ({ e, reach: 0, values: Float64Array.of(0) });

function at({ e, reach, values }: Curve, i: number): number {
  if (i > reach) return 0;
  return i < -reach ? -Math.expm1((i * e) / CELLS) : values[i + reach]!;
}

/** The best of a step with this chance, over adversaries whose choices lie on the grid, before what is left. */
function stepBefore(rest: Curve, chance: number): Curve {
  const { e } = rest;
  const reach = rest.reach + CELLS;
  const values = Float64Array.from({ length: 2 * reach + 1 }, (_, index) => {
    const i = index - reach;
    let best = at(rest, i);
    for (let r = 0; r <= CELLS; r++) {
      const down = Math.expm1((r / CELLS - 1) * e) / Math.expm1(-e);
      best = Math.max(best, down * at(rest, i - r) + (1 - down) * at(rest, i - r + CELLS));
    }
    return (1 - chance) * at(rest, i) + chance * best;
  });
  return { e, reach, values };
}

describe('Gaussian noise whose variance grows by the same with each mechanism', () => {
  it.each([0.01, 0.2, 1, 1.18, 1.5, 4.8])('lies above adversaries against mechanisms of %d-bounded range', (e) => {
    let rest = NOTHING(e);
    const lines = [1, 2, 5, 12, 1000].map((near) => linearVarianceAbove(e, near)!);
    for (let k = 1; k <= 12; k++) {
      rest = stepBefore(rest, 1);
      for (let i = 0; i <= rest.reach; i += 7) {
        for (const { first, each } of lines) {
          const mu = exactly(Math.sqrt(first + each * k) * (1 + 1e-14));
          const above = Math.exp(gaussianLogDelta(mu, exactly((i * e) / CELLS)).upper);
          expect(at(rest, i)).toBeLessThanOrEqual(above * (1 + 1e-9) + 1e-14);
        }
      }
    }
  });

  it('is hardly more than that of the mechanisms, and unknown for wide ranges', () => {
    const { first, each } = linearVarianceAbove(0.01, 1000)!;
    expect((first + 1000 * each) / (1000 * 0.000025)).toBeLessThan(1.003);
    expect(linearVarianceAbove(4.9, 10)).toBeNull();
  });
});

describe('resamplings of bounded range', () => {
  it.each([
    [8, '0.3', '0.2'],
    [12, '0.1', '0.5'],
    [12, '0.6', '0'],
  ])('lie above adversaries who see round by round whether one comes: T %d, eta %s, c %s', (rounds, eta, c) => {
    const setting = { rounds, batch: 1, eta: d(eta), switchRate: d(c) };
    const [step, keep] = [d(eta).toNumber(), Math.exp(-d(c).toNumber())];
    let rest = NOTHING(2 * step);
    for (let round = 0; round < rounds - 2; round++) rest = stepBefore(rest, 1 - keep * Math.exp(-step));
    rest = stepBefore(rest, 1);
    const guarantee = guaranteesOf(MULTIPLICATIVE, setting.eta).find(({ kind }) => kind === 'bounded-range')!;
    const curve = exactAccounting(setting, MULTIPLICATIVE, guarantee, 'upper');
    // The flag in one order of the neighbours: kept with e^-c, or with e^(-c - eta), whose losses are on the grid at c > 0.
    const less = keep * Math.exp(-step);
    for (const i of [0, 10, 30, 60, 100, 150]) {
      const kept = keep * at(rest, i - CELLS / 2);
      const loss = Math.log((1 - less) / (1 - keep));
      const switched = keep === 1 ? 0 : (1 - keep) * at(rest, Math.ceil(i + (loss * CELLS) / (2 * step)));
      const seen = kept + switched;
      const epsilon = d(((i * 2 * step) / CELLS).toPrecision(15));
      if (keep < 1) expect(seen).toBeLessThanOrEqual(curve.delta(epsilon).upper * (1 + 1e-9));
      else expect(kept).toBeLessThanOrEqual(curve.delta(epsilon).upper * (1 + 1e-9));
    }
  });

  it('cost of a million rounds less than by their moments, which gave 0.09998', () => {
    const setting = { rounds: 1e6, batch: 30, eta: d('5.323e-4'), switchRate: d('0.01957') };
    const [, ranges] = guaranteesOf(MULTIPLICATIVE, setting.eta);
    const { lower, upper } = exactAccounting(setting, MULTIPLICATIVE, ranges!).epsilon(d('1e-8'));
    expect(upper).toBeLessThan(0.09402);
    expect(lower).toBeLessThan(upper);
    expect(upper / lower!).toBeLessThan(1.002);
  });

  it.each([
    [1000, 3, 50.2, 'where moments gave 51.98'],
    [10_000, 1000, 580, 'where moments gave 601.1'],
  ])('let a plan of %d rounds with %d experts lose at most %d, %s', (rounds, experts, most) => {
    const { best } = planForExperts({ problem: 'ope', rounds, experts, epsilon: d(1), delta: d('1e-6') });
    expect(best!.regret).toBeLessThan(most);
  });
});
