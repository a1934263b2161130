import { pureOptimum } from '../../bounds/dp-optimal/dp-optimal.ts';
import { Decimal, encloseDecimal, ONE } from '../../numeric/decimal.ts';
import { asLower, enclosure, exactly, type Bracket, type Enclosure } from '../../numeric/enclosure.ts';
import { add, divide, exponential, multiply, negate } from '../../numeric/enclosure-arithmetic.ts';
import { NEVER } from '../../privacy/failure.ts';
import { curveWithFailure } from '../../privacy/finite-loss-curve.ts';
import { groupEqual, type PureGroup } from '../../privacy/pure.ts';

/** The mechanisms that follow one outcome of the first. */
export interface Branch {
  readonly outcome: '+' | '-';
  /** `count` mechanisms of this epsilon. */
  readonly epsilon: Decimal;
  readonly count: number;
  /** delta of this path as optimal composition sees it, as if its parameters had been fixed beforehand. */
  readonly seen: Enclosure;
}

/** A run in which a rule for fixed parameters, used as a filter, lets the budget be exceeded. */
export interface Counterexample {
  readonly budget: { readonly epsilon: Decimal; readonly delta: Decimal };
  /** The epsilon of the first randomized response. */
  readonly first: Decimal;
  readonly branches: readonly [Branch, Branch];
  /** delta of the whole interaction at the budget's epsilon. */
  readonly truth: Enclosure;
}

const effort = { exhausted: () => true };
const bracketed = ({ lower, upper }: Bracket): Enclosure => enclosure(lower ?? asLower(0), upper);

const deltaOf = (groups: readonly PureGroup[], epsilon: Decimal): Enclosure =>
  bracketed(curveWithFailure(pureOptimum(groupEqual(groups), effort), NEVER, 'tight').delta(epsilon));

/** A first randomized response, what follows each of its outcomes, and the budget at which it is looked at. */
export interface AdaptivePlan {
  readonly epsilon: Decimal;
  readonly delta: Decimal;
  readonly first: Decimal;
  readonly plus: PureGroup;
  readonly minus: PureGroup;
}

/** The smallest one that was found at (1, 0.05). */
const PLAN: AdaptivePlan = {
  epsilon: ONE,
  delta: new Decimal('0.05'),
  first: new Decimal('0.1'),
  plus: { epsilon: new Decimal('1.038'), count: 1 },
  minus: { epsilon: new Decimal('0.378'), count: 4 },
};

/**
 * Randomized response with e = 0.1, and after "+" one with e = 1.038, after "-" four with e = 0.378: along each path
 * optimal composition sees a delta(1) below 0.05, and the delta(1) of the whole is 40 per cent above it.
 *
 * The whole's delta is P(+) D_+(1 - 0.1) + P(-) D_-(1 + 0.1), D the optimal curve of what follows, P(+) = 1 / (1 + e^-0.1):
 * the losses add. All is computed, in enclosures.
 *
 * So a rule that takes a bound for fixed parameters (optimal composition, closed forms of it, privacy loss distributions)
 * along the path that was taken is not a valid filter: the parameters depend on what was seen.
 */
export function adaptiveCounterexample(plan: AdaptivePlan = PLAN): Counterexample {
  const { epsilon, delta, first, plus, minus } = plan;
  const branch = (outcome: '+' | '-', group: PureGroup): Branch => ({
    outcome,
    epsilon: group.epsilon,
    count: group.count,
    seen: deltaOf([{ epsilon: first, count: 1 }, group], epsilon),
  });
  const odds = exponential(negate(encloseDecimal(first)));
  const chance = divide(exactly(1), add(exactly(1), odds));
  const truth = add(
    multiply(chance, deltaOf([plus], epsilon.minus(first))),
    multiply(multiply(chance, odds), deltaOf([minus], epsilon.plus(first))),
  );
  return { budget: { epsilon, delta }, first, branches: [branch('+', plus), branch('-', minus)], truth };
}
