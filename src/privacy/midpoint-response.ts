import { Decimal, toLower } from '../numeric/decimal.ts';
import { exactly, type Enclosure } from '../numeric/enclosure.ts';
import { add, expm1, log1p, multiply } from '../numeric/enclosure-arithmetic.ts';
import { nextDown } from '../numeric/rounding.ts';
import type { DiscreteGaussian, DiscreteLaplace, Laplace } from './mechanism.ts';

// The e of the randomized response that is left to who only sees on which side of the middle between the two true values noise
// lies: the far side has the chance q, and e = ln((1 - q) / q). Rounded down.

/** ln(2 e^(x/2) - 1). */
const halved = (x: Enclosure): Enclosure => log1p(multiply(exactly(2), expm1(multiply(exactly(0.5), x))));

/** A double below the quotient of two decimals. */
const quotientDown = (a: Decimal, b: Decimal): Enclosure => exactly(Math.max(0, nextDown(toLower(a.div(b)))));

/**
 * Of discrete Laplace noise and an odd sensitivity s: the chance of the far side is a^((s+1)/2) / (1 + a), a = e^(-1/b),
 * so e = ln((1 + a) e^((s+1)/2b) - 1).
 */
function oddDiscreteLaplace({ scale, sensitivity }: DiscreteLaplace): Enclosure {
  const rate = quotientDown(new Decimal(1), scale);
  const steps = multiply(rate, exactly((sensitivity.toNumber() + 1) / 2));
  const one = quotientDown(sensitivity, scale);
  if (sensitivity.eq(1)) return one;
  // (1 + a) e^y - 2 = (e^y - 1) + (e^(y - 1/b) - 1)
  return log1p(add(expm1(steps), expm1(multiply(rate, exactly((sensitivity.toNumber() - 1) / 2)))));
}

/** Beyond this sigma there are too many terms. */
const LARGEST_SIGMA = 1e4;
/** Terms beyond this many sigmas are below any rounding. */
const KEPT = 40;
/** A bound on the relative rounding error of sums of so many terms. */
const ROUNDING = 1e-10;

/** An upper end of the chance that discrete Gaussian noise lies on the far side of half the sensitivity; a tie counts half. */
function farSide({ sigma, sensitivity }: DiscreteGaussian): number {
  const [s, width] = [sensitivity.toNumber(), sigma.toNumber()];
  const weight = (n: number): number => Math.exp(-((n / width) ** 2) / 2);
  const reach = Math.ceil(KEPT * width) + 1;
  let [sum, far] = [0, 0];
  for (let n = reach; n >= 0; n--) sum += (n === 0 ? 1 : 2) * weight(n);
  for (let n = Math.ceil(s / 2) + reach; n >= s / 2; n--) far += (n === s / 2 ? 0.5 : 1) * weight(n);
  return Math.max((far / sum) * (1 + ROUNDING), 1e-300);
}

/** Of discrete Gaussian noise, by a sum of its values; 0 where these are too many. */
export function midpointOfDiscreteGaussian(mechanism: DiscreteGaussian): number {
  if (mechanism.sigma.gt(LARGEST_SIGMA)) return 0;
  const far = farSide(mechanism);
  return far < 0.5 ? Math.log1p((1 - 2 * far) / far) * (1 - ROUNDING) : 0;
}

/** Of Laplace noise of scale b, sensitivity s: q = e^(-s/2b) / 2, so e = ln(2 e^(s/2b) - 1), about s/b - (s/b)^2 / 4. */
export const midpointOfLaplace = ({ sensitivity, scale }: Laplace | DiscreteLaplace): number =>
  halved(quotientDown(sensitivity, scale)).lower;

/** Of discrete Laplace noise: of an even sensitivity as of {@link midpointOfLaplace}. */
export const midpointOfDiscreteLaplace = (mechanism: DiscreteLaplace): number =>
  mechanism.sensitivity.mod(2).isZero() ? midpointOfLaplace(mechanism) : oddDiscreteLaplace(mechanism).lower;
