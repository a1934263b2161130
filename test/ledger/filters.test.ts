import { describe, expect, it } from 'vitest';
import { convert, convertGuarantee } from '../../src/ledger/conversions.ts';
import { loss } from '../../src/ledger/loss.ts';
import { spend } from '../../src/ledger/decide.ts';
import type { LedgerState } from '../../src/ledger/state.ts';
import { enumeratedDelta } from '../reference/randomized-response.ts';
import { atEpsilon, decimal } from '../mechanisms.ts';
import { Random } from '../soundness/random.ts';
import {
  deltaAt,
  exchanged,
  randomAdversary,
  renyiAt,
  response,
  views,
  type Habits,
  type Move,
  type Outcome,
} from './adversary.ts';
import {
  approximateDp,
  approximateDpRule,
  basic,
  filterTerms,
  opened,
  pure,
  zcdpFilter,
  zcdpOptimal,
  zcdpOptimalRule,
} from './helpers.ts';
import { shareOf } from '../reference/share.ts';

const SEED = 20260;
/** Random adversaries for each rule. */
const TREES = shareOf(300, 84);
/** For rules whose charges are intervals of decimals, a hundred times dearer. */
const FEW_TREES = TREES / 6;
/** Sums of doubles along a few dozen paths. */
const ROUNDING = 1e-12;

/** The largest value of `measure` over many random adversaries, each with the neighbours in both orders. */
function worst(
  state: LedgerState,
  habits: Habits,
  measure: (outcomes: readonly Outcome[]) => number,
  trees = TREES,
): number {
  let largest = -Infinity;
  for (let tree = 0; tree < trees; tree++) {
    const seen = views(randomAdversary(new Random(SEED, tree), habits), state);
    largest = Math.max(largest, measure(seen), measure(exchanged(seen)));
  }
  return largest;
}

const habits = (changes: Partial<Habits>): Habits => ({
  size: 0.3,
  delta: 0,
  ranged: false,
  greed: 0.6,
  depth: 6,
  ...changes,
});

/** What the budget is said to be at other epsilons holds as well, also where delta is spent on nothing but conversion. */
function expectWithinElsewhere(state: LedgerState): void {
  const epsilons = [0, 0.1, 0.25, 0.4, 0.6, 0.8, 1, 1.3, 1.7];
  const allowed = epsilons.map((epsilon) => Number(convertGuarantee(loss(state), atEpsilon(epsilon))!.upper));
  const exceeds = (seen: readonly Outcome[]): number =>
    Math.max(...epsilons.map((epsilon, i) => deltaAt(seen, epsilon) - allowed[i]!));
  for (const [delta, size] of [
    [0, 0.3],
    [0, 0.8],
    [0.05, 0.2],
    [0.1, 0.5],
  ] as const) {
    const most = worst(state, habits({ delta, size, depth: 5, ranged: true }), exceeds, TREES / 6);
    expect(most).toBeLessThanOrEqual(ROUNDING);
    expect(most).toBeGreaterThan(-0.2);
  }
}

describe('no random adaptive adversary exceeds the budget of', () => {
  it('pure differential privacy', () => {
    const most = worst(pure(1), habits({ ranged: true }), (seen) => deltaAt(seen, 1));
    expect(most).toBeLessThanOrEqual(ROUNDING);
  });
  it.each(['sum', 'product'] as const)('basic composition, the d_i as a %s', (deltas) => {
    const state = basic(1, '0.2', deltas);
    const most = worst(state, habits({ delta: 0.15, ranged: true }), (seen) => deltaAt(seen, 1));
    expect(most).toBeLessThanOrEqual(0.2 + ROUNDING);
    expect(most).toBeGreaterThan(0.15);
  });
  it.each(['sum', 'product'] as const)('approximate differential privacy, the d_i as a %s', (deltas) => {
    const rule = approximateDpRule('0.2', '0.1', deltas);
    const state = opened(filterTerms(rule, { epsilon: decimal('0.8') }));
    const most = worst(state, habits({ delta: 0.05, ranged: true }), (seen) => deltaAt(seen, 0.8));
    expect(most).toBeLessThanOrEqual(0.2 + ROUNDING);
    expect(most).toBeGreaterThan(0.07);
    expectWithinElsewhere(state);
  });
  it.each(['sum', 'product'] as const)('zCDP with optimal conversion, the d_i as a %s', (deltas) => {
    const rule = zcdpOptimalRule('0.2', '0.1', deltas);
    const state = opened(filterTerms(rule, { epsilon: decimal('0.8') }));
    const most = worst(state, habits({ delta: 0.05, ranged: true }), (seen) => deltaAt(seen, 0.8));
    expect(most).toBeLessThanOrEqual(0.2 + ROUNDING);
    expect(most).toBeGreaterThan(0.07);
    expectWithinElsewhere(state);
  });
  it.each([
    ['0.5', '0.05', 5],
    ['1', '0.05', 5],
    ['2', '0.1', 6],
    ['1', '0.2', 6],
  ])('zCDP with optimal conversion at (%s, %s), for %i pure mechanisms', (epsilon, delta, depth) => {
    const small = habits({ size: (1.6 * Number(epsilon)) / depth, greed: 0.1, depth });
    const most = worst(zcdpOptimal(epsilon, delta), small, (seen) => deltaAt(seen, Number(epsilon)));
    expect(most).toBeLessThanOrEqual(Number(delta) * (1 + ROUNDING));
    expect(most).toBeGreaterThan(0);
  });
  it('zCDP, at every order', () => {
    const state = zcdpFilter('0.1');
    const most = worst(state, habits({ ranged: true }), (seen) =>
      Math.max(...[1.001, 1.5, 2, 4, 16, 64].map((alpha) => renyiAt(seen, alpha) / alpha)),
    );
    expect(most).toBeLessThanOrEqual(0.1 + ROUNDING * 1e3);
    expect(most).toBeGreaterThan(0.09);
  });
  it('Renyi differential privacy at one order', () => {
    const state = opened(filterTerms({ id: 'rdp', alpha: decimal(4) }, { epsilon: decimal('0.4') }));
    const most = worst(state, habits({ ranged: true }), (seen) => renyiAt(seen, 4));
    expect(most).toBeLessThanOrEqual(0.4 + ROUNDING);
    expect(most).toBeGreaterThan(0.38);
  });
  it('Renyi differential privacy at several orders', () => {
    const orders = [2, 4, 16];
    const epsilons = ['0.25', '0.4', '1'];
    const rule = { id: 'rdp-curve', alphas: orders.map(decimal) } as const;
    const state = opened(filterTerms(rule, { epsilons: epsilons.map(decimal) }));
    const exceeds = (seen: readonly Outcome[]): number =>
      Math.max(...orders.map((alpha, i) => renyiAt(seen, alpha) - Number(epsilons[i])));
    const most = worst(state, habits({ ranged: true }), exceeds, FEW_TREES);
    expect(most).toBeLessThanOrEqual(ROUNDING);
    expect(most).toBeGreaterThan(-0.05);
  });
  it('Gaussian differential privacy, at every epsilon', () => {
    const state = opened(filterTerms({ id: 'gdp' }, { mu: decimal('0.6') }));
    const guarantee = loss(state).guarantee!;
    const epsilons = [0, 0.25, 0.5, 1, 1.5, 2];
    const allowed = epsilons.map((epsilon) => Number(convert(guarantee, atEpsilon(epsilon)).upper));
    const exceeds = (seen: readonly Outcome[]): number =>
      Math.max(...epsilons.map((epsilon, i) => deltaAt(seen, epsilon) - allowed[i]!));
    const most = worst(state, habits({ ranged: true }), exceeds, TREES / 4);
    expect(most).toBeLessThanOrEqual(ROUNDING);
    expect(most).toBeGreaterThan(-0.01);
  });
  it.each(['sum', 'product'] as const)('approximate zCDP, one after the other, the d_i as a %s', (deltas) => {
    const rule = { id: 'approximate-zcdp', deltas } as const;
    const budget = { rho: decimal('0.1'), delta: decimal('0.2') };
    const state = opened(filterTerms(rule, budget, { concurrency: 'sequential' }));
    const guarantee = loss(state).guarantee!;
    const epsilons = [0.25, 0.5, 1];
    const allowed = epsilons.map((epsilon) => Number(convert(guarantee, atEpsilon(epsilon)).upper));
    const most = worst(state, habits({ delta: 0.15, ranged: true }), (seen) =>
      Math.max(...epsilons.map((epsilon, i) => deltaAt(seen, epsilon) - allowed[i]!)),
    );
    expect(most).toBeLessThanOrEqual(ROUNDING);
  });
  it.each(['sum', 'product'] as const)('approximate Renyi privacy, one after the other, the d_i as a %s', (deltas) => {
    const rule = { id: 'approximate-rdp', alpha: decimal(4), deltas } as const;
    const budget = { epsilon: decimal('0.4'), delta: decimal('0.2') };
    const state = opened(filterTerms(rule, budget, { concurrency: 'sequential' }));
    const guarantee = loss(state).guarantee!;
    const epsilons = [0.25, 0.5, 1];
    const allowed = epsilons.map((epsilon) => Number(convert(guarantee, atEpsilon(epsilon)).upper));
    const failure = (seen: readonly Outcome[]): number =>
      seen.reduce((sum, { loss: lost, chance }) => (lost === Infinity ? sum + chance : sum), 0);
    const often = habits({ delta: 0.15, ranged: true });
    const failing = worst(state, often, failure, FEW_TREES);
    expect(failing).toBeLessThanOrEqual(0.2 + ROUNDING);
    expect(failing).toBeGreaterThan(0.13);
    const rarely = habits({ delta: 0.01, ranged: true });
    const divergence = worst(state, rarely, (seen) => renyiAt(seen, 4), FEW_TREES);
    expect(divergence).toBeLessThanOrEqual(0.4 + ROUNDING);
    expect(divergence).toBeGreaterThan(0.35);
    const exceeds = (seen: readonly Outcome[]): number =>
      Math.max(...epsilons.map((epsilon, i) => deltaAt(seen, epsilon) - allowed[i]!));
    const beyond = worst(state, often, exceeds, FEW_TREES);
    expect(beyond).toBeLessThanOrEqual(ROUNDING);
  });
});

/** The largest delta at epsilon that any adversary reaches who picks from `menu` what the rule lets run. */
function gameValue<State>(
  menu: readonly Move[],
  epsilon: number,
  start: State,
  next: (state: State, move: Move) => State | null,
  key: (state: State) => string,
): number {
  const known = new Map<string, number>();
  const value = (state: State, lost: number): number => {
    const name = `${lost.toFixed(9)} ${key(state)}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    let best = Math.max(0, -Math.expm1(epsilon - lost));
    for (const move of menu) {
      const after = next(state, move);
      if (after === null) continue;
      best = Math.max(
        best,
        move.outcomes.reduce((sum, { loss, chance }) => sum + chance * value(after, lost + loss), 0),
      );
    }
    known.set(name, best);
    return best;
  };
  return value(start, 0);
}

/** Against a ledger: what its decisions let run. */
const ledgerGame = (menu: readonly Move[], epsilon: number, start: LedgerState): number =>
  gameValue(
    menu,
    epsilon,
    start,
    (state, { entry }) => {
      const decision = spend(state, entry);
      return decision.kind === 'accepted' ? decision.state : null;
    },
    ({ spent }) => spent.join(),
  );

describe('the best of all adaptive adversaries on a grid', () => {
  it('A-26 reaches 8.49e-5 of the 0.01 that the rule of approximate privacy allows', () => {
    const menu = Array.from({ length: 9 }, (_, i) => response(((i + 1) * 0.05).toFixed(2)));
    const value = ledgerGame(menu, 1, approximateDp(1, '0.01'));
    expect(value / 8.490258284054764e-5).toBeCloseTo(1, 10);
    const fixed = ledgerGame(menu.slice(0, 1), 1, approximateDp(1, '0.01'));
    expect(fixed / 7.451390464262638e-5).toBeCloseTo(1, 10);
  });
  it.each([
    ['1', '0.05', ['0.1', '0.2', '0.4', '0.8']],
    ['1', '0.05', ['0.15', '0.3', '0.45', '0.9', '1.05']],
    ['0.5', '0.05', ['0.05', '0.1', '0.25', '0.5']],
    ['2', '0.01', ['0.2', '0.4', '0.8', '1.6']],
    ['1', '1e-4', ['0.05', '0.1', '0.15', '0.3']],
  ])('never exceeds the budget (%s, %s) of zCDP with optimal conversion with epsilons %o', (epsilon, delta, sizes) => {
    const value = ledgerGame(
      sizes.map((size) => response(size)),
      Number(epsilon),
      zcdpOptimal(epsilon, delta),
    );
    expect(value).toBeLessThanOrEqual(Number(delta));
    expect(value).toBeGreaterThan(0);
  });
  it.each(['0.3', '0.7', '1.5', '2'])(
    'never exceeds at epsilon %s what a budget of (1, 0.05) is said to be there',
    (epsilon) => {
      const state = zcdpOptimal(1, '0.05');
      const value = ledgerGame(
        ['0.1', '0.2', '0.4', '0.8'].map((size) => response(size)),
        Number(epsilon),
        state,
      );
      expect(value).toBeLessThanOrEqual(convertGuarantee(loss(state), atEpsilon(epsilon))!.upper);
      expect(value).toBeGreaterThan(0);
    },
  );
  it('finds the breach where optimal composition is taken for a filter', () => {
    const menu = ['0.1', '0.378', '1.038'].map((size) => response(size));
    const optimal = (sizes: readonly string[]): number =>
      enumeratedDelta(
        sizes.map((epsilon) => ({ epsilon, count: 1 })),
        1,
      ).toNumber();
    const value = gameValue<readonly string[]>(
      menu,
      1,
      [],
      (sizes, { entry: { mechanism } }) => {
        const after = mechanism.type === 'dp' ? [...sizes, mechanism.epsilon.toString()].sort() : sizes;
        return after.length <= 5 && optimal(after) <= 0.05 ? after : null;
      },
      (sizes) => sizes.join(),
    );
    expect(value).toBeGreaterThan(0.0698);
  });
});
