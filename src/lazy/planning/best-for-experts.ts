import { Decimal } from '../../numeric/decimal.ts';
import { exactAccounting } from '../accounting/accounting.ts';
import type { MultiplicativeWeights } from '../core/measure.ts';
import { shareOf, type ExpertsProblem } from '../core/named-setting.ts';
import { roundedDown } from '../core/rounded.ts';
import type { WithoutY } from '../core/setting.ts';
import type { Change, Chosen, Limit } from './chosen.ts';
import { gridIndexBelow, gridValue, lastAllowed } from './digit-grid.ts';
import { ExpertsLandscape, SMALLEST_SHARE, type Kind } from './experts-landscape.ts';
import { gridOfBatches, halfAndTwice, leastWhole } from './search.ts';

/** Digits of c that is found. */
const DIGITS = 4;

const MULTIPLICATIVE: MultiplicativeWeights = { type: 'multiplicative-weights' };

const ZERO = new Decimal(0);

/** A batch, and c. */
interface Place {
  readonly batch: number;
  readonly switchRate: Decimal;
}

/** The best batch and c. */
function bestPlace(landscape: ExpertsLandscape, rounds: number): Place {
  let known = Infinity;
  const regret = (batch: number): number => {
    const { value } = landscape.best(batch, known);
    known = Math.min(known, value);
    return value;
  };
  const { at: batch } = leastWhole(regret, gridOfBatches(rounds, 16, 1.25));
  return { batch, switchRate: roundedDown(landscape.best(batch, Infinity).at, DIGITS) };
}

/** An eta of four digits, not beyond what is best for the regret, that is certainly private enough while the next is not. */
function certified(
  { rounds, epsilon, delta }: ExpertsProblem,
  kind: Kind,
  { batch, switchRate }: Place,
  landscape: ExpertsLandscape,
): { readonly eta: Decimal; readonly limit: Limit } | null {
  const allowed = (index: number): boolean => {
    const eta = gridValue(index);
    const guarantee = { kind, epsilon: eta.times(2) } as const;
    const setting: WithoutY = { rounds, batch, eta, switchRate };
    return delta.gte(exactAccounting(setting, MULTIPLICATIVE, guarantee, 'upper').delta(epsilon).upper);
  };
  const free = landscape.free(batch);
  const start = landscape.eta(batch, switchRate.toNumber()) ?? free * SMALLEST_SHARE;
  const [last, least] = [gridIndexBelow(free), gridIndexBelow(free * SMALLEST_SHARE)];
  const found = lastAllowed(allowed, gridIndexBelow(start), least, last);
  if (found === null) return null;
  const limit: Limit =
    found === last
      ? { by: 'regret', parameter: 'eta' }
      : { by: 'privacy', parameter: 'eta', next: gridValue(found + 1) };
  return { eta: gridValue(found), limit };
}

/** About the safe regret with twice and half the batch, and with another c. */
function alternatives(landscape: ExpertsLandscape, rounds: number, { batch, switchRate }: Place): Change[] {
  const rate = switchRate.toNumber();
  return [
    ...halfAndTwice(batch, rounds).map((value) => ({
      parameter: 'batch' as const,
      value,
      regret: landscape.regret(value, rate),
    })),
    ...(batch === rounds ? [] : [rate / 4, 4 * rate]).map((value) => ({
      parameter: 'switchRate' as const,
      value,
      regret: landscape.regret(batch, value),
    })),
  ];
}

/**
 * Parameters of L2P without y with multiplicative weights of little safe regret (see safeRegretOfExperts) that are (epsilon,
 * delta)-differentially private by exact accounting of this kind. With y the regret was larger, or the same, in each of 30 settings
 * that were searched.
 *
 * For each batch size (all up to 16, then growing by a quarter, and the least ones of up to 16 batches; then whole numbers
 * around the best) and c (golden sections), the largest private eta up to the best one without privacy, in
 * doubles. At the batch and c found eta is then solved for with exact accounting. Where nothing is private there, one
 * batch for all rounds, which is so with any eta. Always the same for the same question.
 */
export function bestForExperts(problem: ExpertsProblem, kind: Kind): Chosen<MultiplicativeWeights> {
  const { rounds, delta } = problem;
  const landscape = new ExpertsLandscape(problem, kind);
  const searched = bestPlace(landscape, rounds);
  const found = searched.batch === rounds ? null : certified(problem, kind, searched, landscape);
  const place = found === null ? { batch: rounds, switchRate: ZERO } : searched;
  const { eta, limit } = found ?? {
    eta: gridValue(gridIndexBelow(landscape.free(rounds))),
    limit: { by: 'one-batch' } as const,
  };
  return {
    named: {
      id: `without-y-${kind}`,
      setting: { rounds, eta, ...place },
      measure: MULTIPLICATIVE,
      printedBatch: new Decimal(place.batch),
      delta1: shareOf(delta, 2, rounds),
      delta0: ZERO,
    },
    limit,
    others: alternatives(landscape, rounds, place),
  };
}
