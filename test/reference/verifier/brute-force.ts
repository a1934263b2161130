import type { FiniteMechanism } from './finite-mechanism.ts';
import { differs, type PairVerification } from './pair-verification.ts';
import { larger, Rational } from '../../../src/numeric/rational.ts';

/** For each copy the stage, and under each secret bit the joint probabilities of all answers and of its hidden state. */
interface Copy {
  readonly stage: string;
  readonly differed: boolean;
  readonly joint: readonly [ReadonlyMap<string, Rational>, ReadonlyMap<string, Rational>];
}

const mass = (joint: ReadonlyMap<string, Rational>): Rational =>
  [...joint.values()].reduce((sum, each) => sum.plus(each), Rational.ZERO);

/** The joint probabilities of an answer to a message, and of the state after it. */
function answered(
  joint: ReadonlyMap<string, Rational>,
  message: string,
  answer: string,
  mechanism: FiniteMechanism,
): Map<string, Rational> {
  const after = new Map<string, Rational>();
  for (const [state, chance] of joint) {
    for (const outcome of mechanism.law(state, message)) {
      if (outcome.answer !== answer) continue;
      after.set(outcome.to, (after.get(outcome.to) ?? Rational.ZERO).plus(chance.times(outcome.probability)));
    }
  }
  return after;
}

interface Setting {
  readonly mechanism: FiniteMechanism;
  readonly verification: PairVerification;
  readonly factor: Rational;
}

function best(setting: Setting, copies: readonly Copy[], spare: number, rounds: number): Rational {
  const { mechanism, verification, factor } = setting;
  const [p, q] = [0, 1].map((bit) =>
    copies.reduce((product, { joint }) => product.times(mass(joint[bit]!)), Rational.ONE),
  );
  let value = larger(Rational.ZERO, p!.minus(factor.times(q!)));
  if (rounds === 0) return value;
  copies.forEach((copy, at) => {
    for (const { pair, to } of verification.steps(copy.stage)) {
      const uses = differs(pair) && !copy.differed ? 1 : 0;
      if (uses > spare) continue;
      const answers = new Set(
        [0, 1].flatMap((bit) =>
          [...copy.joint[bit]!.keys()].flatMap((state) => mechanism.law(state, pair[bit]!).map(({ answer }) => answer)),
        ),
      );
      let sum = Rational.ZERO;
      for (const answer of answers) {
        const next: Copy = {
          stage: to,
          differed: copy.differed || differs(pair),
          joint: [
            answered(copy.joint[0], pair[0], answer, mechanism),
            answered(copy.joint[1], pair[1], answer, mechanism),
          ],
        };
        sum = sum.plus(best(setting, copies.with(at, next), spare - uses, rounds - 1));
      }
      value = larger(value, sum);
    }
  });
  return value;
}

/** The largest of all adaptive adversaries, with nothing merged and nothing normalised: every history is looked at. */
export function bruteForce(setting: Setting, copies: number, sparsity: number, rounds: number): Rational {
  const start = new Map([[setting.mechanism.start, Rational.ONE]]);
  const copy: Copy = { stage: setting.verification.start, differed: false, joint: [start, start] };
  return best(setting, Array<Copy>(copies).fill(copy), sparsity, rounds);
}
