import type { Decimal } from '../../numeric/decimal.ts';
import { enclosure, exactly, type Enclosure, type UpperBound } from '../../numeric/enclosure.ts';
import { add, times } from '../../numeric/enclosure-arithmetic.ts';
import { NEVER } from '../../privacy/failure.ts';
import { curveWithFailure } from '../../privacy/finite-loss-curve.ts';
import { curveAfterFlag, exactAccounting, revealingChance } from '../accounting/accounting.ts';
import { firstFlag, keepProbability } from '../accounting/first-flag.ts';
import {
  leastBeyond,
  resamplingCount,
  tailBeyond,
  type CountLaw,
  always,
  guaranteesOf,
  resamplings,
} from '../accounting/resampling.ts';
import { switches } from '../accounting/switches.ts';
import { alternativesTo, bestPrivate } from '../alternatives/all.ts';
import { guessingRegretOfExperts, type ProvedAlternative } from '../alternatives/alternative.ts';
import { regretOfLeader } from '../alternatives/leaders.ts';
import {
  fakeSwitchOf,
  transitions,
  type MultiplicativeWeights,
  type Runnable,
  type WithoutY,
} from '../core/setting.ts';
import { safeRegretOfExperts } from '../planning/regret.ts';
import { UNIT } from './losses.ts';

const MEASURE: MultiplicativeWeights = { type: 'multiplicative-weights' };

const smallest = (values: readonly UpperBound[]): UpperBound => values.reduce((a, b) => (b < a ? b : a));

/** An upper bound on the epsilon at `delta` of a run that is not stopped from sampling anew. */
export function epsilonOfRun(setting: WithoutY, delta: Decimal): UpperBound {
  return smallest(
    guaranteesOf(MEASURE, setting.eta).map(
      (guarantee) => exactAccounting(setting, MEASURE, guarantee, 'upper').epsilon(delta).upper,
    ),
  );
}

/**
 * An upper bound on the epsilon at `delta` of a run that samples anew at most `cap` times: the flag and so many resamplings,
 * whatever the chance of a switch, or that of a run that is not stopped, of which it is a part. Where one neighbour alone
 * may switch only the latter is known.
 */
export function epsilonOfCapped(setting: WithoutY, cap: number, delta: Decimal): UpperBound {
  const unlimited = epsilonOfRun(setting, delta);
  if (transitions(setting) === 0 || revealingChance(setting, MEASURE) !== null) return unlimited;
  const flags = firstFlag(keepProbability(setting, MEASURE), fakeSwitchOf(setting));
  const capped = guaranteesOf(MEASURE, setting.eta).map((guarantee) => {
    const after = curveAfterFlag(guarantee, flags, cap === 0 ? [] : [always(cap)], 'upper');
    return curveWithFailure(after, NEVER, 'upper-only').epsilon(delta).upper;
  });
  return smallest([unlimited, ...capped]);
}

/**
 * Bounds on the chance that a run of L2P asks for more new samples than its cap: in each round it asks at least as often as where the losses
 * never do, and at most as often as they can make it.
 */
export function chanceBeyond(setting: Runnable, cap: number): Enclosure {
  const rounds = transitions(setting);
  if (rounds === 0 || !('eta' in setting)) return exactly(0);
  const { logMost, ...keep } = keepProbability(setting, MEASURE);
  const [lowerLaw, upperLaw] = [logMost, keep.logLeast].map((logLeast) =>
    resamplingCount(resamplings({ ...keep, logMost, logLeast }, fakeSwitchOf(setting), rounds)),
  ) as [CountLaw, CountLaw];
  return enclosure(leastBeyond(lowerLaw, cap), tailBeyond(upperLaw, cap));
}

/** The regret on losses as they were given, from a bound on that on losses that are rounded to multiples of 1 / {@link UNIT}. */
const onGivenLosses = (regret: UpperBound, rounds: number): UpperBound =>
  add(exactly(regret), exactly(rounds / UNIT)).upper;

/**
 * An upper bound on the expected regret of a run on losses as they were given: that on losses that are rounded to multiples of
 * 1 / {@link UNIT}, and what rounding adds, at most half a unit in each round for the learner and for the best expert.
 *
 * Until more new samples are asked for than the cap of L2P allows, a run plays as one without a cap, so that the cap adds at most T
 * times the chance of that. With a cap of 0 there is one batch.
 */
export function regretOfRun(setting: Runnable, experts: number, cap: number | null = null): UpperBound {
  const { rounds } = setting;
  if (!('eta' in setting)) {
    // A guess reads no losses.
    if (setting.deviation === null) return guessingRegretOfExperts({ rounds, experts });
    return onGivenLosses(regretOfLeader(setting, experts), rounds);
  }
  const played = cap === 0 ? { ...setting, batch: rounds } : setting;
  const stopped = times(rounds, exactly(cap === null ? 0 : chanceBeyond(played, cap).upper));
  return onGivenLosses(safeRegretOfExperts(played, experts, stopped), rounds);
}

/** What of a run other learners are compared with. */
interface Compared {
  readonly setting: Runnable;
  readonly experts: number;
  /** The budget of the comparison. */
  readonly epsilon: Decimal;
  readonly delta: Decimal;
}

/** Learners beside a run, with bounds on their expected regret. */
interface BesideRun {
  /** Of drawing one expert uniformly, which reads no losses. */
  readonly guessing: UpperBound;
  /** As private as the run, with a smaller proved regret than it and than guessing; null where none is known. */
  readonly instead: ProvedAlternative | null;
}

/** The learners with which a run is compared that has at most this regret. */
export function besideRun({ setting, experts, epsilon, delta }: Compared, regret: UpperBound): BesideRun {
  const { rounds } = setting;
  const problem = { problem: 'ope', rounds, experts, epsilon, delta } as const;
  const guessing = guessingRegretOfExperts(problem);
  const comparable = epsilon.gt(0) && epsilon.isFinite();
  const alternative = comparable ? bestPrivate(alternativesTo(problem), guessing) : null;
  return { guessing, instead: alternative && onGivenLosses(alternative.regret, rounds) < regret ? alternative : null };
}

/** The largest cap with which a run is (epsilon, delta)-differentially private that is found; null where none is. */
export function capFor(setting: WithoutY, epsilon: Decimal, delta: Decimal): number | null {
  const question = { setting, measure: MEASURE, beyond: [], budget: { epsilon, delta } };
  const caps = switches(question).caps.flatMap(({ most }) => most ?? []);
  return caps.length === 0 ? null : Math.max(...caps);
}
