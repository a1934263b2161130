import { encloseDecimal } from '../../numeric/decimal.ts';
import { add, multiply, negate, subtract, times } from '../../numeric/enclosure-arithmetic.ts';
import { enclosure, exactly, type Enclosure } from '../../numeric/enclosure.ts';
import type { Measure } from '../core/measure.ts';
import type { WithoutY, WithY } from '../core/setting.ts';

/** Certain bounds on the chance that nothing but a fake switch asks for a new x (Pr[S_s = 1] of Algorithm 1), the probability that the losses do not ask for a switch, whatever x, y and the losses. */
export interface KeepProbability {
  /** ln of its largest value, at most 0. */
  readonly logMost: Enclosure;
  /** ln of its smallest value. */
  readonly logLeast: Enclosure;
  /** How much one loss can change its logarithm. */
  readonly change: Enclosure;
}

/** All that this chance depends on. */
type Flagged<Setting extends WithoutY | WithY> = Pick<Setting, 'batch' | 'eta' | 'switchRate'>;

const atMostZero = ({ lower, upper }: Enclosure): Enclosure => enclosure(Math.min(0, lower), Math.min(0, upper));

/**
 * Without y, e^(-c - eta L) with the loss L of x in a batch from 0 to B: one loss in [0, 1] changes the exponent by eta at most, and
 * not by 2 eta, as there is no y whose loss it changes too.
 *
 * Source: derived.
 */
function withoutY({ batch, eta, switchRate }: Flagged<WithoutY>): KeepProbability {
  const [e, c] = [encloseDecimal(eta), encloseDecimal(switchRate)];
  return { logMost: negate(c), logLeast: negate(add(c, times(batch, e))), change: e };
}

/**
 * With y, Pr[S_s = 1] = min(1, e^(-2 B eta) f(x) / f(y)), f the factor by which the batch before s changes the measure.
 *
 * Multiplicative weights: |ln f(x)/f(y)| <= B eta, and one loss changes it by at most 2 eta.
 * Any measure of Assumption 3.1: |ln f - constant| <= B eta, so twice as much; one loss: 4 eta. (Theorem 3.2, Case 2,
 * has 2 eta there, but Lemma 3.6 bounds each of its two ratios by e^(2 eta).)
 * Regularised weights: losses are L-Lipschitz on a set of diameter D, so B beta L D and 2 beta L D, of eta only the
 * factor e^(-2 B eta) depends. Where 2 eta < beta L D the minimum may cut, which only brings keep probabilities closer.
 *
 * Source: derived; Algorithm 1 and the proof of Theorem 3.2 of Asi, Koren, Liu, Talwar (2024).
 */
export function keepProbability(setting: Flagged<WithoutY> | Flagged<WithY>, measure: Measure): KeepProbability {
  if (setting.switchRate !== undefined) return withoutY(setting);
  const { batch, eta } = setting;
  const e = encloseDecimal(eta);
  const shrink = times(2 * batch, e);
  const between = (spread: Enclosure, change: Enclosure): KeepProbability => ({
    logMost: atMostZero(subtract(spread, shrink)),
    logLeast: atMostZero(negate(add(spread, shrink))),
    change,
  });
  switch (measure.type) {
    case 'multiplicative-weights':
      return { logMost: negate(times(batch, e)), logLeast: negate(times(3 * batch, e)), change: times(2, e) };
    case 'any':
      return { logMost: exactly(0), logLeast: negate(times(4 * batch, e)), change: times(4, e) };
    case 'regularised-multiplicative-weights': {
      const reach = [measure.beta, measure.lipschitz, measure.diameter].map(encloseDecimal).reduce(multiply);
      return between(times(batch, reach), times(2, reach));
    }
  }
}
