import { Rational } from '../../../src/numeric/rational.ts';
import { CopyStates } from '../../../src/composition/attack/verify/copy-states.ts';
import { MOST_ANSWERS, TOO_LARGE, type Game } from '../../../src/composition/attack/verify/control-function.ts';
import type { Criterion } from '../../../src/composition/attack/verify/criterion.ts';

/** Answers to a fixed sequence of messages: the state after it, with its two probabilities. */
interface Branch {
  readonly state: number;
  readonly p: Rational;
  readonly q: Rational;
}

/** Branches that leave the same beliefs and the same ratio of probabilities, as one. */
function merged(branches: readonly Branch[]): Branch[] {
  const byRatio = new Map<string, Branch>();
  for (const { state, p, q } of branches) {
    if (p.isZero()) continue;
    const key = `${state} ${q.isZero() ? 'p alone' : p.over(q).toString()}`;
    const known = byRatio.get(key);
    byRatio.set(key, { state, p: known?.p.plus(p) ?? p, q: known?.q.plus(q) ?? q });
  }
  return [...byRatio.values()];
}

/**
 * The most that an adversary can make of one copy who fixes all messages in advance, measured by a criterion.
 *
 * A guarantee against such adversaries says nothing of adaptive ones: see footnote 1 of Henzinger, Safavi, Vadhan.
 */
export function obliviousOptimum<V>(
  { mechanism, verification, rounds }: Omit<Game, 'copies' | 'sparsity'>,
  criterion: Criterion<V>,
  bit: 0 | 1,
  most = MOST_ANSWERS,
): V | typeof TOO_LARGE {
  const states = new CopyStates(mechanism, verification, false);
  let looked = 0;
  const best = (stage: string, branches: readonly Branch[], left: number): V | typeof TOO_LARGE => {
    looked += branches.length;
    if (looked > most) return TOO_LARGE;
    let value = branches.reduce((sum, { p, q }) => criterion.add(sum, criterion.stop(p, q)), criterion.zero);
    if (left === 0) return value;
    for (const { pair, to } of verification.steps(stage)) {
      const next = branches.flatMap(({ state, p, q }) => {
        const move = states.moves(state).find((each) => each.pair[0] === pair[0] && each.pair[1] === pair[1]);
        return (move?.answers ?? []).map(({ chances, next: after }) => ({
          state: after,
          p: p.times(chances[bit]),
          q: q.times(chances[bit === 0 ? 1 : 0]),
        }));
      });
      const rest = best(to, merged(next), left - 1);
      if (rest === TOO_LARGE) return TOO_LARGE;
      value = criterion.larger(value, rest);
    }
    return value;
  };
  const length = rounds ?? verification.longest();
  if (length === null) throw new RangeError('a game without end needs a number of rounds');
  return best(verification.start, [{ state: states.start, p: Rational.ONE, q: Rational.ONE }], length);
}
