import { Decimal, decimalFromDouble, toLower } from '../numeric/decimal.ts';
import { exactly, type Enclosure } from '../numeric/enclosure.ts';
import { add, expm1, log1p, multiply } from '../numeric/enclosure-arithmetic.ts';
import { nextDown } from '../numeric/rounding.ts';
import type { DiscreteGaussian, DiscreteLaplace, Laplace, Mechanism } from './mechanism.ts';

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
/** What sums of so many rounded terms may be off, relatively. */
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

function discreteGaussian(mechanism: DiscreteGaussian): number {
  const far = farSide(mechanism);
  return far < 0.5 ? Math.log1p((1 - 2 * far) / far) * (1 - ROUNDING) : 0;
}

/** A lower end of the e of {@link midpointResponse}. */
function parameter(mechanism: DiscreteGaussian | DiscreteLaplace | Laplace): number {
  switch (mechanism.type) {
    case 'laplace':
      return halved(quotientDown(mechanism.sensitivity, mechanism.scale)).lower;
    case 'discrete-laplace':
      return mechanism.sensitivity.mod(2).isZero()
        ? halved(quotientDown(mechanism.sensitivity, mechanism.scale)).lower
        : oddDiscreteLaplace(mechanism).lower;
    case 'discrete-gaussian':
      return mechanism.sigma.gt(LARGEST_SIGMA) ? 0 : discreteGaussian(mechanism);
  }
}

/**
 * What noise reveals to who only sees on which side of the middle between the two true values the answer lies (a coin
 * decides where it is the middle): by symmetry a randomized response RR(e), which a composition of such noise is never
 * below. Its e, rounded down; null where that is 0 or the mechanism adds no such noise.
 *
 * The far side has the chance q, and e = ln((1 - q) / q). Laplace noise of scale b, sensitivity s: q = e^(-s/2b) / 2, so
 * e = ln(2 e^(s/2b) - 1), about s/b - (s/b)^2 / 4; discrete Laplace noise of an even s alike.
 */
export function midpointResponse(mechanism: Mechanism): Decimal | null {
  switch (mechanism.type) {
    case 'laplace':
    case 'discrete-laplace':
    case 'discrete-gaussian': {
      const e = parameter(mechanism);
      return e > 0 && Number.isFinite(e) ? decimalFromDouble(e) : null;
    }
    case 'dp':
    case 'bounded-range':
    case 'gaussian':
    case 'finite-pair':
    case 'zcdp':
    case 'rdp':
    case 'gdp':
      return null;
  }
}
