import { randomUUID } from 'node:crypto';
import { guarantee } from '../../learning/accounting/audit.ts';
import { MOST_KEPT, perturbedLeaderToRun } from '../../learning/alternatives/leaders.ts';
import { roundedUp, Decimal, toUpper, ZERO } from '../../numeric/decimal.ts';
import { isWithoutY, learnerOf, type ExpertsProblem, type WithoutY } from '../../learning/core/setting.ts';
import { planForExperts } from '../../learning/planning/plan.ts';
import { MOST_ROUNDS } from '../../learning/run/losses.ts';
import { capFor, epsilonOfCapped, epsilonOfRun, regretOfRun } from '../../learning/run/run-guarantee.ts';
import type { RunHeader } from '../../learning/run/run-state.ts';
import { grouped } from '../../output/kit/prose.ts';
import { aboutText } from '../../output/lazy/words.ts';
import { UsageError } from '../kit/usage-error.ts';
import type { Learner, Running } from './run-options.ts';
import { NumberReader, readBatches } from './options.ts';

/** What is run, as far as it does not depend on where. */
export type Terms = Omit<RunHeader, 'ledger'>;

/** More experts take too long to be kept after each round. */
const MOST_EXPERTS = 1e6;

const OWN = ['batch', 'eta', 'c'] as const;

function readExperts(reader: NumberReader, names: readonly string[] | undefined): number | undefined {
  const experts = names?.length ?? reader.required('experts', 'the number of experts d (or --names)')?.toNumber();
  if (names !== undefined) reader.refuse(['experts'], 'is how many --names has', 'Omit it.');
  if (experts !== undefined && experts > MOST_EXPERTS) {
    const message = `${grouped(experts)} experts are too many for a run`;
    const hint = `Take at most ${grouped(MOST_EXPERTS)}.`;
    reader.errors.push({ code: 'too-large', path: '--experts', message, hint });
  }
  return experts;
}

/** What is run: the setting, its cap, and the epsilon that it certainly has at delta. */
type Certified = Pick<Terms, 'setting' | 'cap'> & { readonly epsilon: number };

/** Drawing one expert and keeping it, which reads nothing. */
const guessed = (rounds: number): Certified => ({
  setting: { rounds, batch: rounds, deviation: null },
  cap: null,
  epsilon: 0,
});

/** The best parameters of L2P that a plan finds for a target. */
function planned(problem: ExpertsProblem): Certified {
  const { rows } = planForExperts(problem);
  const candidates = rows.flatMap(({ audit, regret, meetsTarget }) =>
    meetsTarget && isWithoutY(audit.setting) ? [{ setting: audit.setting, audit, regret }] : [],
  );
  const { setting, audit } = candidates.reduce((a, b) => (b.regret < a.regret ? b : a));
  return { setting, cap: null, epsilon: guarantee(audit)?.epsilon.upper ?? Infinity };
}

/** The learner that is asked for, for a target; the best one is that with the least proved regret. */
function chosen(problem: ExpertsProblem, learner: Learner, { errors }: NumberReader): Certified | undefined {
  if (learner === 'l2p') return planned(problem);
  const setting = perturbedLeaderToRun(problem);
  const leaders = setting === null ? [] : [{ setting, cap: null, epsilon: toUpper(problem.epsilon) }];
  if (learner === 'best') {
    const regretOf = (candidate: Certified): number => regretOfRun(candidate.setting, problem.experts);
    return [guessed(problem.rounds), ...leaders, planned(problem)].reduce((a, b) =>
      regretOf(b) < regretOf(a) ? b : a,
    );
  }
  const message = `a perturbed leader is run for two rounds or more, and at most ${grouped(MOST_KEPT)} experts`;
  if (setting === null) errors.push({ code: 'out-of-range', path: '--learner', message, hint: 'Omit it.' });
  return leaders[0];
}

/** Parameters of one's own, with a cap where one is given, or needed for the target. */
function certified(
  setting: WithoutY,
  { cap, epsilon, delta }: { readonly cap?: number; readonly epsilon?: Decimal; readonly delta: Decimal },
  reader: NumberReader,
): Certified | undefined {
  const meets = (value: number): boolean => epsilon === undefined || epsilon.gte(value);
  if (cap !== undefined) {
    const cappedEpsilon = epsilonOfCapped(setting, cap, delta);
    if (Number.isFinite(cappedEpsilon) && meets(cappedEpsilon)) return { setting, cap, epsilon: cappedEpsilon };
    const message = `with this cap the run is guaranteed epsilon ${aboutText(cappedEpsilon)} at this delta`;
    reader.outOfRange('cap', message, 'Give a smaller cap, a smaller eta, or a larger --epsilon.');
    return undefined;
  }
  const unlimited = epsilonOfRun(setting, delta);
  if (Number.isFinite(unlimited) && meets(unlimited)) return { setting, cap: null, epsilon: unlimited };
  const largestCap = epsilon === undefined ? null : capFor(setting, epsilon, delta);
  const cappedEpsilon = largestCap === null ? Infinity : epsilonOfCapped(setting, largestCap, delta);
  if (largestCap !== null && meets(cappedEpsilon)) return { setting, cap: largestCap, epsilon: cappedEpsilon };
  const [name, what] =
    epsilon === undefined ? (['delta', 'no finite epsilon'] as const) : (['epsilon', 'not this epsilon'] as const);
  reader.outOfRange(
    name,
    `with these parameters the run is guaranteed ${what} at this delta, with no cap that was found`,
    'Leave out --batch, --eta and --c, and parameters are found for --epsilon.',
  );
  return undefined;
}

/** Reads c. */
function readSwitchRate(reader: NumberReader): Pick<WithoutY, 'switchRate'> | undefined {
  const switchRate = reader.required('c', 'c, the rate at which x is sampled anew,');
  return switchRate && { switchRate };
}

/** Reads which learner is asked for; parameters of one's own are those of L2P. */
function readLearner({ flags, isTyped }: Running, reader: NumberReader): Learner {
  const isOwn = OWN.some(isTyped);
  const { learner = isOwn ? 'l2p' : 'best' } = flags;
  if (learner !== 'l2p') reader.refuse(OWN, 'is a parameter of L2P', 'Omit it, or give --learner l2p.');
  if (!isOwn) reader.refuse(['cap'], 'belongs to parameters of your own', 'Give --batch, --eta and --c too.');
  return learner;
}

/** Reads what is run; throws what is wrong, with `errors` found before. */
export function readTerms(running: Running): Terms {
  const { flags, isTyped, errors } = running;
  const reader = new NumberReader(running);
  const { names } = flags;
  const experts = readExperts(reader, names);
  const learner = readLearner(running, reader);
  const isGuess = learner === 'guessing';
  const delta = isGuess ? ZERO : reader.required('delta', 'the delta of the guarantee');
  const isOwn = learner === 'l2p' && OWN.some(isTyped);
  const setting = isOwn ? readBatches(reader, readSwitchRate) : undefined;
  const rounds = isOwn ? setting?.rounds : reader.rounds();
  const epsilon = isOwn || isGuess ? reader.optional('epsilon') : reader.required('epsilon', 'epsilon of the budget');
  const cap = reader.optional('cap')?.toNumber();
  if (rounds !== undefined && rounds > MOST_ROUNDS) {
    const hint = `Take at most ${grouped(MOST_ROUNDS)}.`;
    const message = `${grouped(rounds)} rounds are too many for a run`;
    errors.push({ code: 'too-large', path: '--rounds', message, hint });
  }
  if (errors.length > 0 || experts === undefined || delta === undefined || rounds === undefined) {
    throw new UsageError(errors);
  }
  const terms = isGuess
    ? guessed(rounds)
    : isOwn
      ? setting && certified(setting, { delta, ...(cap !== undefined && { cap }), ...(epsilon && { epsilon }) }, reader)
      : epsilon && chosen({ problem: 'ope', rounds, experts, epsilon, delta }, learner, reader);
  if (terms === undefined) throw new UsageError(errors);
  const readsNothing = learnerOf(terms.setting) === 'guessing';
  return {
    id: randomUUID(),
    setting: terms.setting,
    experts,
    names: names ?? null,
    cap: terms.cap,
    // No more digits than are read, and not above what was asked for.
    epsilon: readsNothing ? ZERO : Decimal.min(roundedUp(terms.epsilon), epsilon ?? Infinity),
    delta: readsNothing ? ZERO : delta,
  };
}
