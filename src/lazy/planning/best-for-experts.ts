import { Decimal } from '../../numeric/decimal.ts';
import { exactAccounting } from '../accounting/accounting.ts';
import type { MultiplicativeWeights } from '../core/measure.ts';
import { shareOf, type ExpertsProblem } from '../core/named-setting.ts';
import { roundedDown } from '../core/rounded.ts';
import type { L2pSetting } from '../core/setting.ts';
import type { Alternative, Chosen, Limit } from './chosen.ts';
import { gridIndexBelow, gridValue, lastAllowed } from './digit-grid.ts';
import { ExpertsLandscape, SMALLEST_SHARE, type Kind, type Transform } from './experts-landscape.ts';
import { gridOfBatches, halfAndTwice, leastWhole } from './search.ts';

/** Digits of p or c that is found. */
const DIGITS = 4;

/** Fake switches are only made where they lower the safe regret by more than this share. */
export const WORTHWHILE = 0.01;

const LARGEST_P = 0.9;

const MULTIPLICATIVE: MultiplicativeWeights = { type: 'multiplicative-weights' };

const ZERO = new Decimal(0);

/** A batch, and p or c. */
interface Place {
  readonly batch: number;
  readonly chance: Decimal;
  readonly regret: number;
}

/** What is searched for. */
export interface Search {
  readonly kind: Kind;
  readonly transform: Transform;
}

/** How L2P is run at a place. */
const settingOf = (
  { rounds }: ExpertsProblem,
  transform: Transform,
  { batch, chance }: Place,
  eta: Decimal,
): L2pSetting =>
  transform === 'with-y' ? { rounds, batch, eta, fakeSwitch: chance } : { rounds, batch, eta, switchRate: chance };

/** The best batch and c. */
function bestWithoutY(landscape: ExpertsLandscape, rounds: number): Place {
  let known = Infinity;
  const regret = (batch: number): number => {
    const { value } = landscape.best(batch, known);
    known = Math.min(known, value);
    return value;
  };
  const { at: batch } = leastWhole(regret, gridOfBatches(rounds, 16, 1.25));
  const { at, value } = landscape.best(batch, Infinity);
  return { batch, chance: roundedDown(at, DIGITS), regret: value };
}

/** The best batch and p; no fake switches where they are not worthwhile, at the best batch with or without them. */
function bestWithY(landscape: ExpertsLandscape, rounds: number): Place {
  const grid = gridOfBatches(rounds, 16, 1.25);
  const plain = leastWhole((batch) => landscape.regret(batch, 0), grid);
  const faking = leastWhole((batch) => landscape.best(batch, plain.value).value, grid);
  const without = [plain.at, faking.at]
    .map((batch): Place => ({ batch, chance: ZERO, regret: landscape.regret(batch, 0) }))
    .reduce((best, place) => (place.regret < best.regret ? place : best));
  if (without.regret <= faking.value * (1 + WORTHWHILE)) return without;
  const chance = roundedDown(landscape.best(faking.at, Infinity).at, DIGITS);
  return { batch: faking.at, chance, regret: faking.value };
}

/** An eta of four digits, not beyond what is best for the regret, that is certainly private enough while the next is not. */
function certified(
  problem: ExpertsProblem,
  { kind, transform }: Search,
  place: Place,
  landscape: ExpertsLandscape,
): { readonly eta: Decimal; readonly limit: Limit } | null {
  const { epsilon, delta } = problem;
  const { batch, chance } = place;
  const allowed = (index: number): boolean => {
    const eta = gridValue(index);
    const guarantee = { kind, epsilon: eta.times(2) } as const;
    const curve = exactAccounting(settingOf(problem, transform, place, eta), MULTIPLICATIVE, guarantee, 'upper');
    return delta.gte(curve.delta(epsilon).upper);
  };
  const free = landscape.free(batch);
  const start = landscape.eta(batch, chance.toNumber()) ?? free * SMALLEST_SHARE;
  const [last, least] = [gridIndexBelow(free), gridIndexBelow(free * SMALLEST_SHARE)];
  const found = lastAllowed(allowed, gridIndexBelow(start), least, last);
  if (found === null) return null;
  const limit: Limit =
    found === last
      ? { by: 'regret', parameter: 'eta' }
      : { by: 'privacy', parameter: 'eta', next: gridValue(found + 1) };
  return { eta: gridValue(found), limit };
}

/** Other values of p, or of c. */
function otherChances(transform: Transform, chance: number): readonly number[] {
  if (transform === 'without-y') return [chance / 4, 4 * chance];
  return chance === 0 ? [0.001, 0.01] : [0, chance / 4, Math.min(LARGEST_P, 4 * chance)];
}

/** About the safe regret with twice and half the batch, and with another p or c. */
function alternatives(
  landscape: ExpertsLandscape,
  rounds: number,
  transform: Transform,
  { batch, chance }: Place,
): Alternative[] {
  return [
    ...halfAndTwice(batch, rounds).map((value) => ({
      parameter: 'batch' as const,
      value,
      regret: landscape.regret(value, chance.toNumber()),
    })),
    ...(batch === rounds ? [] : otherChances(transform, chance.toNumber())).map((value) => ({
      parameter: transform === 'with-y' ? ('fakeSwitch' as const) : ('switchRate' as const),
      value,
      regret: landscape.regret(batch, value),
    })),
  ];
}

/**
 * Parameters of L2P with multiplicative weights of little safe regret (see safeRegretOfExperts) that are (epsilon,
 * delta)-differentially private by exact accounting of this kind.
 *
 * For each batch size (all up to 16, then growing by a quarter, and the least ones of up to 16 batches; then whole numbers
 * around the best) and p (none, and golden sections), or without y c, the largest private eta up to the best one without privacy, in
 * doubles. At the batch and p or c found eta is then solved for with exact accounting. Where nothing is private there, one
 * batch for all rounds, which is so with any eta. Always the same for the same question.
 */
export function bestForExperts(problem: ExpertsProblem, search: Search): Chosen<MultiplicativeWeights> {
  const { rounds, delta } = problem;
  const { kind, transform } = search;
  const landscape = new ExpertsLandscape(problem, kind, transform);
  const searched = (transform === 'with-y' ? bestWithY : bestWithoutY)(landscape, rounds);
  const single: Place = { batch: rounds, chance: ZERO, regret: landscape.regret(rounds, 0) };
  const found = searched.batch === rounds ? null : certified(problem, search, searched, landscape);
  const place = found === null ? single : searched;
  const { eta, limit } = found ?? {
    eta: gridValue(gridIndexBelow(landscape.free(rounds))),
    limit: { by: 'one-batch' } as const,
  };
  return {
    named: {
      id: `${transform === 'with-y' ? 'best' : 'without-y'}-${kind}`,
      setting: settingOf(problem, transform, place, eta),
      measure: MULTIPLICATIVE,
      printedBatch: new Decimal(place.batch),
      delta1: shareOf(delta, 2, rounds),
      delta0: ZERO,
    },
    limit,
    others: alternatives(landscape, rounds, transform, place),
  };
}
