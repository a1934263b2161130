import { LARGEST_ZCDP_LAMBDA, logConversionFactor, momentCurve } from '../../bounds/core/moment-curve.ts';
import { Arithmetic } from '../../bounds/precise/interval.ts';
import { logConversion } from '../../bounds/precise/moments.ts';
import { Decimal, encloseDecimal } from '../../numeric/decimal.ts';
import { logarithm } from '../../numeric/enclosure-arithmetic.ts';
import { midpoint } from '../../numeric/enclosure.ts';
import { goldenSection } from '../../numeric/golden-section.ts';
import { decimalAbove } from '../../numeric/short-decimal.ts';
import { zcdpMoment } from '../../privacy/log-moment.ts';
import { rhoOf } from '../charges/rho.ts';
import type { MechanismKind } from '../../privacy/mechanism.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Guarantee, LedgerGuarantee } from '../core/guarantee.ts';
import type { Concurrency, ZcdpOptimalRule } from '../core/terms.ts';
import { summed, behindConversion, convertedDelta, wrongMeasure, type FilterRule } from './accumulate.ts';

const DIGITS = 40;
const ZERO = new Decimal(0);
const INFINITE: LedgerGuarantee = { type: 'dp', epsilon: new Decimal(Infinity), delta: new Decimal(Infinity) };

/** Where the best order minus 1 is looked for, and how long; any order is sound. */
const [FROM, TO, SECTIONS] = [1e-12, LARGEST_ZCDP_LAMBDA, 100];

/** (lambda epsilon + ln delta' - C(lambda)) / (lambda (1 + lambda)). */
function rhoAt(epsilon: Decimal, deltaPrime: Decimal, lambda: number): Decimal {
  const a = new Arithmetic(DIGITS);
  const x = a.of(lambda);
  const above = a.add(a.multiply(x, a.of(epsilon)), a.logarithm(a.of(deltaPrime)));
  const excess = a.subtract(above, logConversion(x, a).value);
  return new Decimal(a.divide(excess, a.multiply(x, a.add(a.one, x))).lower);
}

/**
 * The largest rho whose optimal conversion gives (epsilon, delta'), rounded down: the supremum over lambda > 0 of
 * (lambda epsilon + ln delta' - C(lambda)) / (lambda (1 + lambda)), C(lambda) = lambda ln lambda - (1 + lambda) ln(1 + lambda).
 *
 * It is the rho at which e^(lambda (1 + lambda) rho - lambda epsilon + C(lambda)) = delta'. Any lambda bounds it from
 * below, so only the value at the lambda that was found needs to be certain; half of that one's digits give all of rho's
 * that a double holds.
 */
export function largestRho(epsilon: Decimal, deltaPrime: Decimal): Decimal {
  const [slope, target] = [epsilon.toNumber(), Math.log(deltaPrime.toNumber())];
  const negated = (lambda: number): number =>
    -(lambda * slope + target - midpoint(logConversionFactor(lambda))) / (lambda * (1 + lambda));
  return Decimal.max(ZERO, rhoAt(epsilon, deltaPrime, goldenSection(negated, FROM, TO, SECTIONS)));
}

/** The smallest epsilon at delta' of the optimal conversion of rho, rounded up at 17 digits. */
export function epsilonOfRho(rho: Decimal, deltaPrime: Decimal): Decimal {
  if (rho.isZero()) return ZERO;
  const curve = momentCurve({
    logMoment: zcdpMoment(encloseDecimal(rho)),
    logFactor: logConversionFactor,
    maximum: null,
    breakpoints: [LARGEST_ZCDP_LAMBDA],
  });
  const { upper } = curve.epsilon!(logarithm(encloseDecimal(deltaPrime)));
  return Number.isFinite(upper) ? decimalAbove(upper) : new Decimal(Infinity);
}

/** Interactive zCDP mechanisms beside (e, d)-DP ones make approximate zCDP, of which concurrency is not known. */
function openQuestion(
  guarantee: Guarantee,
  kind: MechanismKind,
  rule: ZcdpOptimalRule,
  concurrency: Concurrency,
): Refusal | null {
  const declared = guarantee.type === 'zcdp' || guarantee.type === 'approximate-zcdp';
  const interleaved = concurrency === 'concurrent' && kind !== 'noninteractive';
  return declared && interleaved && rule.deltaPrime.lt(rule.delta)
    ? { code: 'no-theorem', reason: 'open-question', measure: 'approximate-zcdp' }
    : null;
}

/**
 * sum rho_i <= rho*, with rho* the largest rho whose optimal conversion gives (epsilon, delta'), and
 * delta' + sum d_i <= delta (or the product form). For (e, 0)-DP mechanisms rho_i = e_i tanh(e_i / 2): the same budget
 * lets 16 to 39 per cent more run than the rule of approximate DP, which is this one with e_i^2 / 2 and a simpler
 * conversion.
 *
 * [derived] The zCDP filter with budget rho* is valid, and what is rho*-zCDP is (epsilon, delta')-DP by the optimal
 * conversion. (e, d)-DP mechanisms reveal everything with probability d and are (e, 0)-DP otherwise, which costs their d
 * as in the rule of approximate DP. Concurrently: an interactive mechanism with a trade-off function is, for two given
 * neighbours, a post-processing of a noninteractive one, so the whole is one of noninteractive mechanisms. An interactive
 * one that is known by its rho alone is not, and is refused beside mechanisms with d > 0, that is wherever delta' < delta.
 *
 * Source: Haney et al. 2023, Thm 4.10 and 1.25; Canonne, Kamath, Steinke 2020, Cor 13.
 */
export const zcdpOptimalRule: FilterRule<'zcdp-optimal'> = {
  id: 'zcdp-optimal',
  name: 'zCDP filter with optimal conversion',
  reference:
    'Haney et al. 2023, Thm 4.10; Henzinger, Safavi, Vadhan 2025, Cor 13.8; Canonne, Kamath, Steinke 2020, Cor 13',
  concurrent: 'proved',
  assumes: 'finite-communication',
  accumulator(rule, budget, concurrency) {
    const { delta, deltaPrime } = rule;
    return {
      coordinates: [
        summed('rho', budget && largestRho(budget.epsilon, deltaPrime)),
        convertedDelta(rule, budget !== null),
      ],
      charge(guarantee, { kind }) {
        const refusal = openQuestion(guarantee, kind, rule, concurrency);
        if (refusal) return { refusal };
        const behind = rhoOf(guarantee, kind);
        return behind ? { parts: [behind.rho, behind.delta] } : wrongMeasure('zcdp-optimal', guarantee);
      },
      reading([rho, total]) {
        if (total!.gt(delta)) return INFINITE;
        return { type: 'dp', epsilon: epsilonOfRho(rho!, deltaPrime), delta };
      },
      underlying: ([rho, total]) => (total!.gt(delta) ? null : behindConversion(rule, rho!)),
      guarantee: budget && { type: 'dp', epsilon: budget.epsilon, delta },
      leftOf: ([rho]) => ({ type: 'zcdp', rho: rho! }),
    };
  },
};
