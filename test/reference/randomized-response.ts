import type { Decimal } from '../../src/numeric/decimal.ts';
import { ONE, Precise, ZERO, oneMinusExp, precise, sumOf } from './precise.ts';

/** `count` mechanisms that are (epsilon, 0)-DP. */
export interface Group {
  readonly epsilon: Decimal | string;
  readonly count: number;
}

interface Outcome {
  readonly loss: Decimal;
  readonly mass: Decimal;
}

/** The losses of `count` randomized responses: a binomial distribution by its definition. */
function outcomesOf({ epsilon, count }: Group): Outcome[] {
  const e = precise(epsilon);
  const minus = ONE.div(ONE.plus(e.exp()));
  const plus = ONE.div(ONE.plus(e.negated().exp()));
  let choose = ONE;
  return Array.from({ length: count + 1 }, (_, i) => {
    if (i > 0) choose = choose.times(count - i + 1).div(i);
    return {
      loss: e.times(count - 2 * i),
      mass: choose.times(minus.pow(i)).times(plus.pow(count - i)),
    };
  });
}

/** Every combination of outcomes, one by one. */
const combine = (a: readonly Outcome[], b: readonly Outcome[]): Outcome[] =>
  a.flatMap((x) => b.map((y) => ({ loss: x.loss.plus(y.loss), mass: x.mass.times(y.mass) })));

export const outcomes = (groups: readonly Group[]): Outcome[] =>
  groups.map(outcomesOf).reduce(combine, [{ loss: ZERO, mass: ONE }]);

/** E[max(0, 1 - e^(epsilon - L))] by full enumeration: the optimal composition of pure mechanisms. */
export function enumeratedDelta(groups: readonly Group[], epsilon: Decimal | string | number): Decimal {
  const threshold = precise(epsilon);
  return sumOf(
    outcomes(groups)
      .filter(({ loss }) => loss.gt(threshold))
      .map(({ loss, mass }) => mass.times(oneMinusExp(loss.minus(threshold)))),
  );
}

/** 1 - prod(1 - d_i) (1 - D(epsilon)). */
export function enumeratedDeltaWithFailures(
  groups: readonly Group[],
  deltas: readonly (Decimal | string)[],
  epsilon: Decimal | string | number,
): Decimal {
  const survive = deltas.reduce<Decimal>((all, d) => all.times(ONE.minus(precise(d))), new Precise(1));
  return ONE.minus(survive.times(ONE.minus(enumeratedDelta(groups, epsilon))));
}
