import { Decimal, encloseDecimal, toUpper } from '../../numeric/decimal.ts';
import { add, divide, multiply, squareRoot, times } from '../../numeric/enclosure-arithmetic.ts';
import { exactly, type Enclosure, type UpperBound } from '../../numeric/enclosure.ts';
import type { ConvexProblem, ExpertsProblem } from '../core/named-setting.ts';

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
