import { Decimal, encloseDecimal, toUpper } from '../../numeric/decimal.ts';
import { asUpper, exactly, type Enclosure, type UpperBound } from '../../numeric/enclosure.ts';
import { add, divide, logarithm, multiply, squareRoot, times } from '../../numeric/enclosure-arithmetic.ts';
import type { ConvexProblem, ExpertsProblem } from '../core/setting.ts';
import type { Rate } from '../rates/rates.ts';

/** A learner other than L2P. */
export type AlternativeId =
  | 'guessing'
  | 'perturbed-leader-tree'
  | 'perturbed-leader-square-root'
  | 'regularised-leader-tree'
  | 'regularised-leader-square-root'
  | 'no-privacy';

/** How private a learner is: at every epsilon, as the target asks, or not at all, so that it is only a yardstick. */
export type AlternativePrivacy = 'reads-nothing' | 'target' | 'none';

/** A learner of which everything is proved, constants included. */
export interface ProvedAlternative {
  readonly kind: 'proved';
  readonly id: AlternativeId;
  readonly privacy: AlternativePrivacy;
  /** An upper bound on the expected regret against losses that are fixed in advance. */
  readonly regret: UpperBound;
  /** What it adds to the sums it reads; null where it reads none, or adds nothing. */
  readonly noise: LeaderNoise | null;
}

/** Noisy sums of batches. */
interface LeaderNoise {
  /** B, the rounds of one batch. */
  readonly batch: number;
  /** The largest standard deviation of the noise of a sum in each coordinate, enough for the target; null where nothing is read. */
  readonly deviation: Decimal | null;
}

/** A learner whose regret is published as a rate, up to a constant that is not known: never a bound. */
export interface RateAlternative {
  readonly kind: 'rate';
  readonly id: Rate['id'];
  readonly rate: Rate;
  /** The rate with constant 1, without factors that are logarithmic in T or 1/delta. */
  readonly value: number;
}

/** A learner beside L2P. */
export type Alternative = ProvedAlternative | RateAlternative;

const Down = Decimal.clone({ precision: 40, rounding: 1 });

/** An upper bound on whole - part / parts, of whole numbers. */
export const lessShare = (whole: number, part: number, parts: number): UpperBound =>
  toUpper(new Decimal(whole).minus(new Down(part).div(parts)));

/**
 * T (1 - 1/d): an upper bound on the expected regret of drawing one expert uniformly, without a look at any loss, which
 * is (0, 0)-differentially private. Reached where one expert loses nothing and all others everything.
 *
 * Source: derived; the mean loss exceeds that of an expert by the mean of d differences of at most T, one of which is 0.
 */
export function guessingRegretOfExperts({ rounds, experts }: Pick<ExpertsProblem, 'rounds' | 'experts'>): UpperBound {
  return lessShare(rounds, rounds, experts);
}

/**
 * D sqrt(d / (2 (d + 1))), the radius of a ball that holds any set of diameter D; the centre of the smallest such ball lies in
 * the convex hull of the set.
 *
 * Source: Jung (1901).
 */
export function smallestRadius({ dimension, diameter }: Pick<ConvexProblem, 'dimension' | 'diameter'>): Enclosure {
  const ratio = divide(exactly(dimension), times(2, add(exactly(dimension), exactly(1))));
  return multiply(encloseDecimal(diameter), squareRoot(ratio));
}

/**
 * T L D sqrt(d / (2 (d + 1))): an upper bound on the regret of always playing the centre of the smallest ball around the
 * set, which is (0, 0)-differentially private.
 *
 * Source: derived; see {@link smallestRadius}.
 */
export function guessingRegretOfConvex(problem: ConvexProblem): UpperBound {
  return multiply(encloseDecimal(problem.lipschitz.times(problem.rounds)), smallestRadius(problem)).upper;
}

/** T L D: no regret against L-Lipschitz losses on a set of diameter D is larger. */
export const largestRegret = ({
  rounds,
  lipschitz,
  diameter,
}: Pick<ConvexProblem, 'rounds' | 'lipschitz' | 'diameter'>): Enclosure =>
  encloseDecimal(lipschitz.times(diameter).times(rounds));

/**
 * sqrt(T ln(d) / 2), or T - 1/d where that is less: an upper bound on the expected regret of Hedge with the best eta,
 * sqrt(8 ln(d) / T), on losses in [0, 1]. It is not private.
 *
 * Source: Freund, Schapire (1997), with Hoeffding's lemma: ln(d)/eta + eta T / 8. The first draw is uniform, so that its round costs
 * at most 1 - 1/d.
 */
export function hedgeRegret({ rounds, experts }: Pick<ExpertsProblem, 'rounds' | 'experts'>): UpperBound {
  const hedge = squareRoot(divide(multiply(exactly(rounds), logarithm(exactly(experts))), exactly(2)));
  return asUpper(Math.min(hedge.upper, lessShare(rounds, 1, experts)));
}

/**
 * R L sqrt(T), R = D sqrt(d / (2 (d + 1))) < D: an upper bound on the regret of projected gradient descent with step R / (L sqrt(T))
 * from the centre of the smallest ball around the set, from which no point is further than R. It is not private.
 *
 * Source: Zinkevich (2003): R^2 / (2 step) + step L^2 T / 2; R: Jung (1901).
 */
export function descentRegret(problem: ConvexProblem): UpperBound {
  const { rounds, lipschitz } = problem;
  return multiply(multiply(smallestRadius(problem), encloseDecimal(lipschitz)), squareRoot(exactly(rounds))).upper;
}
