import { describe, expect, it } from 'vitest';
import { curveAfterFlag, exactAccounting } from '../../../src/learning/accounting/accounting.ts';
import { firstFlag, keepProbability } from '../../../src/learning/accounting/first-flag.ts';
import {
  inBlocks,
  quantile,
  resamplingCount,
  tailBeyond,
  always,
  guaranteesOf,
} from '../../../src/learning/accounting/resampling.ts';
import { leftAfter, switches, type SwitchKind } from '../../../src/learning/accounting/switches.ts';
import { LEAST_BEYOND, type Measure } from '../../../src/learning/core/setting.ts';
import { encloseDecimal } from '../../../src/numeric/decimal.ts';
import { fc } from '../../reference/properties.ts';
import { d, MULTIPLICATIVE, near, scaled, setting } from '../helpers.ts';

/** The law of how many of independent events happen, one after the other. */
function lawOf(chances: readonly number[]): number[] {
  return chances.reduce<number[]>(
    (law, chance) => [...law, 0].map((mass, k) => mass * (1 - chance) + (law[k - 1] ?? 0) * chance),
    [1],
  );
}

const beyond = (law: readonly number[], k: number): number => law.slice(k + 1).reduce((sum, mass) => sum + mass, 0);

/** The least k that is exceeded with at most this chance. */
const least = (law: readonly number[], chance: number): number => law.findIndex((_, k) => beyond(law, k) <= chance);

const CHANCES = ['0.5', '0.1', '0.01', '1e-4', '1e-8'];

describe('the number of switches', () => {
  it('has the quantiles that come from adding the rounds one by one', () => {
    fc.assert(
      fc.property(
        scaled(1e-4, 0.3),
        scaled(1e-3, 0.999),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 6, max: 300 }),
        (eta, p, batch, rounds) => {
          const parameters = { rounds, batch, eta, fakeSwitch: p };
          const found = switches({
            setting: parameters,
            measure: MULTIPLICATIVE,
            beyond: CHANCES.map(d),
            budget: null,
          });
          const steps = Math.ceil(rounds / batch) - 1;
          const [fake, real] = [p.toNumber(), -Math.expm1(-3 * batch * eta.toNumber())];
          const repeated = (chance: number): number[] => new Array<number>(steps).fill(chance);
          const laws: Record<SwitchKind, number[]> = {
            fake: lawOf(repeated(1 - (1 - fake) ** 2)),
            real: lawOf(repeated(real)),
            ofX: lawOf(repeated(1 - (1 - fake) * (1 - real))),
            ofY: lawOf(repeated(fake)),
            all: lawOf([...repeated(1 - (1 - fake) * (1 - real)), ...repeated(fake)]),
          };
          for (const { kind, quantiles, mean } of found.counts) {
            const law = laws[kind];
            near(
              mean,
              law.reduce((sum, mass, k) => sum + k * mass, 0),
              1e-10,
            );
            quantiles.forEach((most, index) => {
              const chance = Number(CHANCES[index]);
              // Where a tail is the chance up to rounding, either of two neighbours will do.
              expect(beyond(law, most)).toBeLessThanOrEqual(chance * (1 + 1e-9));
              expect(most).toBeLessThanOrEqual(least(law, chance * (1 - 1e-9)));
            });
          }
        },
      ),
      { seed: 41, numRuns: 40 },
    );
  });

  it('is bounded from above by its tails and blocks', () => {
    const chance = encloseDecimal(d('0.03'));
    const rest = encloseDecimal(d('0.97'));
    const law = resamplingCount([{ rounds: 400, probability: chance, complement: rest }]);
    const exact = lawOf(new Array<number>(400).fill(0.03));
    for (const k of [0, 5, 12, 20, 40, 399]) {
      expect(tailBeyond(law, k)).toBeGreaterThanOrEqual(beyond(exact, k) * (1 - 1e-10));
      expect(tailBeyond(law, k)).toBeLessThanOrEqual(beyond(exact, k) * (1 + 1e-9) + 1e-24);
    }
    expect(tailBeyond(law, 400)).toBe(0);
    expect(quantile(law, 0)).toBe(400);
    for (const blocks of [1, 7, 1000]) {
      for (const { lowerCount: from, upperCount: most, probability } of inBlocks(law, blocks).slice(0, -1)) {
        const mass = exact.slice(from, most + 1).reduce((sum, part) => sum + part, 0);
        expect(probability.lower).toBeLessThanOrEqual(mass * (1 + 1e-9) + 1e-24);
        expect(probability.upper).toBeGreaterThanOrEqual(mass * (1 - 1e-9) - 1e-24);
      }
    }
  });

  it('leaves out less than the least chance that quantiles are asked for', () => {
    const odds = scaled(1e-12, 1e12);
    fc.assert(
      fc.property(odds, odds, fc.double({ min: 0, max: 8, noNaN: true }), (first, second, log) => {
        const parts = [first, second].map((ratio) => ({
          rounds: Math.round(10 ** log),
          probability: encloseDecimal(d(1 / (1 + 1 / ratio.toNumber()))),
          complement: encloseDecimal(d(1 / (1 + ratio.toNumber()))),
        }));
        for (const part of parts) expect(resamplingCount([part]).leak).toBeLessThan(LEAST_BEYOND / 4);
      }),
      { seed: 43, numRuns: 300 },
    );
  });

  it('is rounded up where it is too wide to be listed in full', () => {
    const chance = encloseDecimal(d('0.5'));
    const half = { rounds: 1e8, probability: chance, complement: chance };
    const law = resamplingCount([half, half]);
    expect(law.step).toBeGreaterThan(1);
    const total = law.weights.reduce((sum, weight) => sum + weight, 0);
    near(total, 1, 1e-9);
    const median = quantile(law, 0.5);
    expect(median).toBeGreaterThanOrEqual(1e8);
    expect(median).toBeLessThan(1e8 + 2 * law.slack + law.step + 1);
  });

  it('is nothing in one batch, everything where every switch is fake, and none fake where p is 0', () => {
    const asked = { measure: MULTIPLICATIVE, beyond: [d('0.01')], delta1: d('1e-9'), budget: null };
    const of = (parameters: ReturnType<typeof setting>) =>
      Object.fromEntries(
        switches({ ...asked, setting: parameters }).counts.map(({ kind, mean, quantiles }) => [
          kind,
          [mean, quantiles[0]],
        ]),
      );
    expect(of(setting(50, 50, '0.1', '0.2'))).toMatchObject({ all: [0, 0], fake: [0, 0] });
    expect(of(setting(50, 1, '0.1', '1'))).toMatchObject({
      all: [98, 98],
      fake: [49, 49],
      ofX: [49, 49],
      ofY: [49, 49],
    });
    expect(of(setting(50, 1, '0.1', '0'))).toMatchObject({ fake: [0, 0], ofY: [0, 0] });
  });
});

describe('a cap on the resamplings', () => {
  const BUDGET = { epsilon: d('0.1'), delta: d('1e-8') };
  const CONVEX: Measure = {
    type: 'regularised-multiplicative-weights',
    beta: d('1e-5'),
    lambda: d('1e5'),
    lipschitz: d(1),
    diameter: d(1),
  };
  const ANY: Measure = { type: 'any' };
  const PARAMETERS = setting(1_000_000, 10, '6.68e-5', '0.00668');

  it.each<[string, Measure]>([
    ['experts', MULTIPLICATIVE],
    ['any measure', ANY],
    ['convex losses', CONVEX],
  ])('keeps the flag and that many within the budget, and one more does not: %s', (_, measure) => {
    const found = switches({ setting: PARAMETERS, measure, beyond: [], budget: BUDGET });
    expect(found.caps.length).toBeGreaterThan(0);
    const flags = firstFlag(keepProbability(PARAMETERS, measure), PARAMETERS.fakeSwitch);
    for (const guarantee of guaranteesOf(measure, PARAMETERS.eta)) {
      const rows = found.caps.filter(({ resampling }) => resampling === guarantee.kind);
      const joint = rows.find(({ rule }) => rule === 'joint')!;
      const delta = (k: number): number =>
        Math.exp(curveAfterFlag(guarantee, flags, [always(k)]).logDelta({ high: 0.1, low: 0 }).upper);
      expect(delta(joint.most!)).toBeLessThanOrEqual(1e-8 * (1 + 1e-9));
      if (joint.most! < 2 * 99_999) expect(delta(joint.most! + 1)).toBeGreaterThan(1e-8 * (1 - 1e-6));
      // What is composed together is never worse than a part of epsilon for each.
      for (const { most } of rows) expect(most ?? 0).toBeLessThanOrEqual(joint.most!);
      for (const { most } of rows) if (most !== null) expect(delta(most)).toBeLessThanOrEqual(1e-8 * (1 + 1e-9));
    }
  });

  it('is left what the larger loss of the flag does not take', () => {
    const flags = firstFlag(keepProbability(PARAMETERS, MULTIPLICATIVE), PARAMETERS.fakeSwitch);
    const cost = Math.max(...flags.map(([{ loss }]) => loss.upper));
    near(leftAfter(flags, d('0.1'))!.toNumber(), 0.1 - cost, 1e-12);
    expect(leftAfter(flags, d(cost / 2))).toBeNull();
  });

  it('is none by the rules that spend epsilon on the flag first where it takes all of it', () => {
    const budget = { epsilon: d('0.001'), delta: d('1e-8') };
    const { caps } = switches({ setting: PARAMETERS, measure: MULTIPLICATIVE, beyond: [], budget });
    expect(new Set(caps.map(({ most }) => most))).toEqual(new Set([null]));
  });

  it('of all resamplings there can be never stops a run', () => {
    const few = setting(30, 10, '0.001', '0.5');
    const { caps } = switches({ setting: few, measure: MULTIPLICATIVE, beyond: [], budget: BUDGET });
    expect(caps.every(({ most, beyond: chance }) => most === 4 && chance === 0)).toBe(true);
    const [guarantee] = guaranteesOf(MULTIPLICATIVE, few.eta);
    expect(exactAccounting(few, MULTIPLICATIVE, guarantee!).delta(BUDGET.epsilon).upper).toBeLessThan(1e-8);
  });
});
