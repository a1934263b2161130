import { exactAccounting } from '../../src/learning/accounting/accounting.ts';
import { guaranteesOf } from '../../src/learning/accounting/resampling.ts';
import type { L2pSetting } from '../../src/learning/core/setting.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { Random } from '../soundness/random.ts';
import { deltaOf, lawOf, type Learner, type Round } from './law.ts';

const MEASURE = { type: 'multiplicative-weights' } as const;

/** Changes of the losses that the search tries. */
const STEPS = 10;

/** What doubles add up to along the paths. */
const ROUNDING = { relative: 1e-11, absolute: 1e-14 };

/** The outcome of one instance. */
export interface Verdict {
  /** The parameters and losses, to look at where there is a breach. */
  readonly instance: string;
  /** The largest delta that was seen over the smallest bound on it. */
  readonly share: number;
  readonly breaches: readonly string[];
}

interface Pair {
  readonly losses: readonly Round[];
  readonly at: number;
  readonly other: Round;
}

const neighbourOf = ({ losses, at, other }: Pair): readonly Round[] => losses.with(at, other);

/** Small parameters: with y, also where no or every switch is fake, or without y, also where c is 0. */
function randomSetting(random: Random): L2pSetting {
  const rounds = random.whole(2, 5);
  const batch = random.whole(1, Math.min(3, rounds - 1));
  const four = (x: number): Decimal => new Decimal(x.toPrecision(4));
  const eta = four(random.logBetween(1e-3, 2));
  const extreme = random.chance(0.15);
  if (random.chance(0.35)) {
    const fakeSwitch = extreme ? new Decimal(random.whole(0, 1)) : four(random.logBetween(1e-4, 0.999));
    return { rounds, batch, eta, fakeSwitch };
  }
  return { rounds, batch, eta, switchRate: extreme ? new Decimal(0) : four(random.logBetween(1e-4, 5)) };
}

const learnerOf = ({ eta, batch, ...rest }: L2pSetting): Learner => ({
  eta: eta.toNumber(),
  batch,
  transform: rest.switchRate === undefined ? { p: rest.fakeSwitch.toNumber() } : { c: rest.switchRate.toNumber() },
});

function randomPair(random: Random, rounds: number, experts: number): Pair {
  const loss = (): number => (random.chance(0.8) ? random.whole(0, 1) : random.next());
  const losses = random.times(rounds, () => random.times(experts, loss));
  const at = random.whole(0, rounds - 1);
  return { losses, at, other: losses[at]!.map((x) => 1 - x) };
}

/** One loss is another one, or the round that is replaced is. */
function changed(random: Random, { losses, at, other }: Pair): Pair {
  const [round, expert] = [random.whole(0, losses.length - 1), random.whole(0, other.length - 1)];
  const flipped = (row: Round): Round =>
    row.with(expert, random.chance(0.8) ? Math.round(1 - row[expert]!) : random.next());
  if (random.chance(0.2)) return { losses, at: round, other: losses[round]!.map((x) => 1 - x) };
  if (random.chance(0.3)) return { losses, at, other: flipped(other) };
  return { losses: losses.with(round, flipped(losses[round]!)), at, other };
}

/** One random instance, with the neighbours that a search made as different as it could. */
export function verdictOf(seed: number, number: number): Verdict {
  const random = new Random(seed, number);
  const setting = randomSetting(random);
  const experts = random.whole(2, 3);
  const learner = learnerOf(setting);
  const curves = guaranteesOf(MEASURE, setting.eta).map((each) => exactAccounting(setting, MEASURE, each, 'upper'));
  const scale = 2 * learner.eta;
  const epsilons = [0, 0.2, 0.6, 1, 1.5, 2.5].map((factor) => new Decimal((factor * scale).toPrecision(6)));
  const bounds = epsilons.map((epsilon) => curves.map((curve): number => curve.delta(epsilon).upper));
  const deltas = (pair: Pair): number[] => {
    const [one, other] = [lawOf(learner, pair.losses), lawOf(learner, neighbourOf(pair))];
    return epsilons.map((epsilon) => deltaOf(one, other, epsilon.toNumber()));
  };
  const shareOf = (found: readonly number[]): number =>
    Math.max(...found.map((delta, i) => delta / (Math.min(...bounds[i]!) + ROUNDING.absolute)));
  let pair = randomPair(random, setting.rounds, experts);
  let found = deltas(pair);
  const breaches: string[] = [];
  const judge = (): void => {
    found.forEach((delta, i) => {
      for (const bound of bounds[i]!) {
        if (delta <= bound * (1 + ROUNDING.relative) + ROUNDING.absolute) continue;
        breaches.push(`delta ${delta} above ${bound} at ${epsilons[i]!.toString()} of ${JSON.stringify(pair)}`);
      }
    });
  };
  judge();
  for (let step = 0; step < STEPS; step++) {
    const next = changed(random, pair);
    const told = deltas(next);
    if (shareOf(told) <= shareOf(found)) continue;
    [pair, found] = [next, told];
    judge();
  }
  return { instance: JSON.stringify({ ...setting, experts, ...pair }), share: shareOf(found), breaches };
}
