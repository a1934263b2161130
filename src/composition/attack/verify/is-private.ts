import { Arithmetic } from '../../../bounds/precise/interval.ts';
import type { Creation } from '../interaction/ext-con-comp.ts';
import { ControlFunction, TOO_LARGE, type Game } from './control-function.ts';
import { hockeyStick } from './hockey-stick.ts';
import { renyiMoment } from './renyi-moment.ts';

/** Digits in which a Renyi divergence is compared with what is asserted. */
const DIGITS = 80;

const BITS = [0, 1] as const;

function computed({ mechanism, verification, guarantee }: Creation): boolean {
  if (verification.longest() === null || verification.unanswered(mechanism).length > 0) return false;
  const game: Game = { mechanism, verification, copies: 1, sparsity: 1, rounds: null };
  if (guarantee.kind === 'dp') {
    return BITS.every((bit) => {
      const delta = new ControlFunction(game, hockeyStick(guarantee.factor), bit).start();
      return delta !== TOO_LARGE && delta.compare(guarantee.delta) <= 0;
    });
  }
  const arithmetic = new Arithmetic(DIGITS);
  const { alpha, epsilon } = guarantee;
  const most = arithmetic.exponential(arithmetic.of(alpha.minus(1).times(epsilon)));
  return BITS.every((bit) => {
    const moment = new ControlFunction(game, renyiMoment(alpha, arithmetic), bit).start();
    return moment !== TOO_LARGE && moment.upper.lte(most.lower);
  });
}

const known = new WeakMap<Creation, boolean>();

/**
 * Whether a finite mechanism has the guarantee asserted of it, against every adaptive adversary that keeps to its
 * verification function: by the control function, exactly for (epsilon, delta) and in 80 digits for Renyi divergences.
 *
 * False also where that cannot be shown: the verification function allows sequences without end, or there is too much to
 * compute.
 */
export function isPrivate(creation: Creation): boolean {
  let answer = known.get(creation);
  if (answer === undefined) {
    answer = computed(creation);
    known.set(creation, answer);
  }
  return answer;
}
