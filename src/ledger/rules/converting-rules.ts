import { Arithmetic } from '../../bounds/precise/interval.ts';
import { Decimal, encloseDecimal, ZERO, HALF, productUp, decimalAbove } from '../../numeric/decimal.ts';
import { approximateDpOf, rhoOf } from './charges.ts';
import type { LedgerGuarantee, Guarantee } from './rule.ts';
import { summed, behindConversion, convertedDelta, wrongMeasure, type FilterRule } from './accumulator.ts';
import { LARGEST_ZCDP_LAMBDA, logConversionFactor, momentCurve } from '../../bounds/core/moment-curve.ts';
import { logConversion } from '../../bounds/precise/moments.ts';
import { midpoint } from '../../numeric/enclosure.ts';
import { logarithm } from '../../numeric/enclosure-arithmetic.ts';
import { goldenSection } from '../../numeric/convex/minimum.ts';
import { zcdpMoment } from '../../privacy/log-moment.ts';
import type { MechanismKind } from '../../privacy/mechanism.ts';
import type { Refusal } from './refusal.ts';
import type { Concurrency, ZcdpOptimalRule } from './terms.ts';

const WIDE_DIGITS = 60;
const SHOWN_DIGITS = 20;
const UP = 0;
const wide = new Arithmetic(WIDE_DIGITS);
const ShortDown = Decimal.clone({ precision: WIDE_DIGITS, rounding: 1 });
const UNBOUNDED: LedgerGuarantee = { type: 'dp', epsilon: new Decimal(Infinity), delta: new Decimal(Infinity) };

/** ln(1/delta'). */
const logInverse = (deltaPrime: Decimal) => wide.negate(wide.logarithm(wide.of(deltaPrime)));

/**
 * The largest S with sqrt(2 ln(1/delta') S) + S / 2 <= epsilon, rounded down at about 60 digits:
 * S* = 2 (sqrt(L + epsilon) - sqrt(L))^2 = 2 (epsilon / (sqrt(L + epsilon) + sqrt(L)))^2, L = ln(1/delta').
 */
export function largestSquareSum(epsilon: Decimal, deltaPrime: Decimal): Decimal {
  if (epsilon.isZero()) return ZERO;
  const log = logInverse(deltaPrime);
  const roots = wide.add(wide.squareRoot(wide.add(log, wide.of(epsilon))), wide.squareRoot(log));
  return new Decimal(wide.multiply(wide.of(2), wide.square(wide.divide(wide.of(epsilon), roots))).lower);
}

/** sqrt(2 ln(1/delta') S) + S / 2, rounded up at 20 digits. */
export function epsilonOfSquares(squares: Decimal, deltaPrime: Decimal): Decimal {
  if (squares.isZero()) return ZERO;
  const sum = wide.of(squares);
  const root = wide.squareRoot(wide.multiply(wide.multiply(wide.of(2), logInverse(deltaPrime)), sum));
  const { upper } = wide.add(root, wide.divide(sum, wide.of(2)));
  return new Decimal(upper.toSignificantDigits(SHOWN_DIGITS, UP));
}

/**
 * (e_i, d_i)-DP: sqrt(2 ln(1/delta') sum e_i^2) + sum e_i^2 / 2 <= epsilon and delta' + sum d_i <= delta, delta' > 0
 * fixed at the start; as an odometer it reads (that epsilon, delta), and (Infinity, Infinity) once the d_i exceed delta.
 *
 * The first condition is decided as sum e_i^2 <= S*, the sum an exact decimal and S* rounded down. The printed statement
 * (Haney et al. 2023, Thm 3.7 and Example B.2) has the inequality the wrong way round; their proof has it as here. It can
 * be worse than basic composition, and no theorem covers taking the better of the two adaptively.
 *
 * Product form of the d_i, 1 - (1 - delta') prod (1 - d_i) <= delta [derived]: given that nothing is revealed, the
 * mechanisms are (e_i, 0)-DP and the rule with all d_i = 0 bounds delta(epsilon) by delta'; a path counts with
 * prod (1 - d_i) >= 1 - delta''. So 1 - delta is at least (1 - delta'')(1 - delta').
 *
 * Source: Whitehouse, Ramdas, Rogers, Wu 2023; Haney et al. 2023, Thm 3.7, 3.8 (corrected) and 1.20.
 */
export const approximateDpRule: FilterRule<'approximate-dp'> = {
  id: 'approximate-dp',
  name: 'fully adaptive advanced composition',
  reference:
    'Whitehouse, Ramdas, Rogers, Wu 2023; Haney et al. 2023, Thm 3.7 and 3.8 (inequality corrected); Henzinger, Safavi, Vadhan 2025, Thm 12.4',
  concurrent: 'proved',
  assumes: 'discrete-answers',
  accumulator(rule, budget) {
    const { delta, deltaPrime } = rule;
    return {
      coordinates: [
        summed('epsilonSquared', budget && largestSquareSum(budget.epsilon, deltaPrime)),
        convertedDelta(rule, budget !== null),
      ],
      charge(guarantee) {
        const behind = approximateDpOf(guarantee);
        if (!behind) return wrongMeasure('approximate-dp', guarantee);
        return { parts: [productUp(behind.epsilon, behind.epsilon), behind.delta] };
      },
      reading([squares, total]) {
        if (total!.gt(delta)) return UNBOUNDED;
        return { type: 'dp', epsilon: epsilonOfSquares(squares!, deltaPrime), delta };
      },
      // (e, 0)-DP is e^2/2-zCDP.
      underlying: ([squares, total]) => (total!.gt(delta) ? null : behindConversion(rule, productUp(squares!, HALF))),
      guarantee: budget && { type: 'dp', epsilon: budget.epsilon, delta },
      leftOf: ([squares, rest]) => ({
        type: 'dp',
        epsilon: new Decimal(new ShortDown(squares!).sqrt()),
        delta: rest!,
      }),
    };
  },
};

const DIGITS = 40;

/** Where the best order minus 1 is looked for, and how long; any order is sound. */
const [FROM, TO, SECTIONS] = [1e-12, LARGEST_ZCDP_LAMBDA, 100];

/** (lambda epsilon + ln delta' - C(lambda)) / (lambda (1 + lambda)). */
function rhoAt(epsilon: Decimal, deltaPrime: Decimal, lambda: Decimal): Decimal {
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
export const largestRho = (epsilon: Decimal, deltaPrime: Decimal): Decimal =>
  Decimal.max(ZERO, rhoAt(epsilon, deltaPrime, conversionLambda(epsilon, deltaPrime)));

/** The lambda of {@link largestRho}, the Renyi order minus 1. */
export function conversionLambda(epsilon: Decimal, deltaPrime: Decimal): Decimal {
  const [slope, target] = [epsilon.toNumber(), Math.log(deltaPrime.toNumber())];
  const negated = (lambda: number): number =>
    -(lambda * slope + target - midpoint(logConversionFactor(lambda))) / (lambda * (1 + lambda));
  return new Decimal(goldenSection(negated, FROM, TO, SECTIONS));
}

/** The smallest epsilon at delta' of the optimal conversion of rho, rounded up at 17 digits. */
function epsilonOfRho(rho: Decimal, deltaPrime: Decimal): Decimal {
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
        if (total!.gt(delta)) return UNBOUNDED;
        return { type: 'dp', epsilon: epsilonOfRho(rho!, deltaPrime), delta };
      },
      underlying: ([rho, total]) => (total!.gt(delta) ? null : behindConversion(rule, rho!)),
      guarantee: budget && { type: 'dp', epsilon: budget.epsilon, delta },
      leftOf: ([rho]) => ({ type: 'zcdp', rho: rho! }),
    };
  },
};
