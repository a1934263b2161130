import { describe, expect, it } from 'vitest';
import { profilesOf, smallestDelta, type Profiles } from '../../../src/composition/risk/profile.ts';
import type { ComposeOptions, Problem } from '../../../src/composition/compose/compose.ts';
import { risk, type Risk } from '../../../src/composition/risk/risk.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import type { Bracket } from '../../../src/numeric/enclosure.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { boundedRange, dp, gaussian, laplace, rdp, sampled, zcdp } from '../../mechanisms.ts';
import { parallel } from '../../plans.ts';

const problem = (entries: readonly Entry[]): Problem => ({ entries, adaptivity: 'adaptive' });

function profilesFor(entries: readonly Entry[], options: ComposeOptions = {}): Profiles {
  const found = profilesOf(problem(entries), options);
  if (found.kind !== 'profiles') throw new Error(found.refusal.code);
  return found.profiles;
}

const decimals = (...texts: string[]): Decimal[] => texts.map((text) => new Decimal(text));

const QUESTION = {
  priors: decimals('0.5', '0.1'),
  falsePositiveRates: decimals('0.3', '0.01'),
  baselines: decimals('0.05'),
  divergences: [],
};

function riskOf(entries: readonly Entry[], options: ComposeOptions = {}): Risk {
  const found = risk(problem(entries), QUESTION, options);
  if (found.kind !== 'risk') throw new Error(found.refusal.code);
  return found.risk;
}

const bracketsIn = ({ advantage, guesses, tests, leakedBits }: Risk): readonly Bracket[] => [
  advantage,
  ...guesses.map(({ success }) => success),
  ...tests.map(({ truePositiveRate }) => truePositiveRate),
  ...tests.flatMap(({ predictive }) => predictive.map(({ value }) => value)),
  leakedBits.minEntropy,
  leakedBits.mutualInformation,
];

const LISTS: readonly (readonly [string, readonly Entry[]])[] = [
  ['zCDP', [zcdp('0.5')]],
  ['Renyi DP', [rdp([[2, 1]])]],
  ['bounded range', [boundedRange('0.1', { count: 10 })]],
  ['zCDP beside noise', [zcdp('0.05'), laplace(2)]],
  ['guarantees', [dp('0.1', '1e-6', { count: 10 })]],
  ['noise', [laplace(2, { count: 3 }), gaussian(2)]],
];

describe('profiles of a composition', () => {
  it.each(LISTS)('of %s give risks whose lower ends are below their upper ends, and above 0', (_, entries) => {
    const found = riskOf(entries);
    for (const { lower, upper } of bracketsIn(found)) expect(lower ?? 0).toBeLessThanOrEqual(upper * (1 + 1e-12));
    expect(found.advantage.lower).toBeGreaterThan(0);
    expect(found.tests[0]!.truePositiveRate.lower).toBeGreaterThan(0.3);
  });

  it('contain, of a zCDP guarantee, Gaussian noise', () => {
    const [guarantee, noise] = [riskOf([zcdp('0.5')]), riskOf([gaussian(1)])];
    guarantee.tests.forEach(({ truePositiveRate: { lower, upper } }, at) => {
      const own = noise.tests[at]!.truePositiveRate;
      expect(lower).toBeCloseTo(own.lower!, 5);
      expect(upper).toBeGreaterThan(own.upper);
    });
  });

  it.each(LISTS)('of %s stay valid when time is up, at once or later', (_, entries) => {
    const full = riskOf(entries);
    for (const calls of [0, 3, 30, 300]) {
      let asked = 0;
      const over = (): boolean => ++asked > calls;
      const cut = riskOf(entries, { interrupted: over, exhausted: over });
      bracketsIn(cut).forEach(({ lower, upper }, at) => {
        const known = bracketsIn(full)[at]!;
        expect(upper).toBeGreaterThanOrEqual((known.lower ?? 0) * (1 - 1e-12));
        expect(lower ?? 0).toBeLessThanOrEqual(known.upper * (1 + 1e-12));
      });
    }
  });

  it('say when time was up, and which bounds they are from', () => {
    const cut = riskOf([laplace(1, { count: 10 })], { interrupted: () => true });
    expect(cut.warnings).toMatchObject([{ code: 'interrupted', bounds: ['loss-distribution'] }]);
    expect(cut.advantage.upper).toBeLessThan(1);
    expect(cut.bounds).toContain('dp-optimal');
    expect(riskOf([gaussian(1)])).toMatchObject({ bounds: ['gaussian'], isExact: true, warnings: [] });
  });

  it('are those of single bounds where these are named', () => {
    const { claimed, attained } = profilesFor([dp('0.5', 0, { count: 4 })], { bounds: ['basic'] });
    expect(claimed).not.toBe(attained);
    const [basic] = riskOf([dp('0.5', 0, { count: 4 })], { bounds: ['basic'] }).tests;
    const [best] = riskOf([dp('0.5', 0, { count: 4 })]).tests;
    expect(basic!.truePositiveRate.upper).toBeGreaterThan(best!.truePositiveRate.upper);
    expect(basic!.truePositiveRate.lower).toBeCloseTo(best!.truePositiveRate.lower!, 8);
  });

  it('are no larger far out than what other theorems claim there', () => {
    const mixed = [
      dp('0.1', 0, { count: 20 }),
      sampled(gaussian(8, { count: 10 }), '0.01'),
      laplace(20, { count: 40 }),
    ];
    const profiles = profilesFor(mixed);
    expect(smallestDelta(profiles, new Decimal(2)).upper).toBeCloseTo(2.663613627e-5, 11);
    expect(smallestDelta(profiles, new Decimal(10)).upper).toBeLessThan(1e-40);
  });

  it('do not bound a reconstruction from below', () => {
    expect(riskOf([gaussian(1)]).reconstructions).toMatchObject([{ success: { lower: null } }]);
  });

  it('of a plan take at many epsilons hardly more work than at one', () => {
    const entries = [laplace(10, { count: 20 }), parallel(1, gaussian(10), { instances: 10 })];
    let looks = 0;
    const work = { tolerance: 1e-4, interrupted: () => ++looks < 0 };
    const found = profilesOf({ entries, adaptivity: 'adaptive' }, work);
    if (found.kind !== 'profiles') throw new Error(found.refusal.code);
    const [profile] = found.profiles.claimed;
    const before = looks;
    for (let at = 1; at <= 20; at++) profile!.delta(new Decimal(at).div(1000));
    expect(looks - before).toBeLessThan(before);
  });
});
