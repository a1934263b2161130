import { describe, expect, it } from 'vitest';
import { oneSampleCurve } from '../../../src/bounds/loss-distribution/one-sample.ts';
import { fromDecimal } from '../../../src/numeric/double-double.ts';
import { decimal, gaussian, laplace, sampledMechanism } from '../../mechanisms.ts';

/** Of 60 digits (mpmath), of 260 for the rate 1e-100: sigma, rate, direction, scheme, epsilon, delta. */
const GOLDEN = [
  ['1', '0.01', 'remove', 'poisson', '0', 0.00382924922548026],
  ['1', '0.01', 'remove', 'poisson', '0.5', 2.21451901315306e-7],
  ['1', '0.01', 'remove', 'poisson', '3', 1.04158786855944e-15],
  ['1', '0.01', 'add', 'poisson', '0.005', 9.63144335305305e-4],
  ['1', '0.01', 'add', 'poisson', '0.01005', 1.53403673010903e-30],
  ['0.05', '0.5', 'remove', 'poisson', '200', 0.233162521152136],
  ['10000', '1e-12', 'remove', 'poisson', '1e-15', 7.86899806183396e-41],
  ['10000', '1e-12', 'add', 'poisson', '1e-15', 7.09923355874547e-41],
  ['0.7', '0.9', 'add', 'poisson', '2.302', 8.61899016815258e-14],
  ['1.5', '0.01', 'remove', 'poisson', '12', 3.12274354933641e-137],
  ['1', '1e-100', 'remove', 'poisson', '1e-99', 8.19275893861727e-103],
  ['1', '1e-100', 'add', 'poisson', '9e-101', 1.03792794273451e-103],
  ['2', '1', 'add', 'poisson', '0.75', 0.0208445379206647],
  ['1', '0.25', 'remove', 'without-replacement', '0', 0.25 * 0.38292492254802624],
] as const;

describe('noise on one sample', () => {
  it.each(GOLDEN)(
    'sigma %s, rate %s, %s, %s, epsilon %s: delta %f',
    (sigma, rate, direction, scheme, epsilon, delta) => {
      const curve = oneSampleCurve(sampledMechanism(gaussian(sigma), rate, scheme), direction)!;
      const { lower, upper } = curve.logDelta(fromDecimal(decimal(epsilon)));
      // Golden values have 15 digits.
      const truth = Math.log(delta);
      expect(lower).toBeLessThanOrEqual(truth + 4e-15 * (1 + Math.abs(truth)));
      expect(upper).toBeGreaterThanOrEqual(truth - 4e-15 * (1 + Math.abs(truth)));
      expect(upper - lower).toBeLessThan(1e-9 * (1 + Math.abs(truth)));
    },
  );
});

it('gains nothing beyond the largest loss of an addition', () => {
  const curve = oneSampleCurve(sampledMechanism(gaussian('1'), '0.5'), 'add')!;
  expect(curve.logDelta(fromDecimal(decimal('0.7'))).upper).toBe(-Infinity);
});

it('is no curve of other noise, nor of no records', () => {
  expect(oneSampleCurve(sampledMechanism(laplace('1'), '0.5'), 'remove')).toBeNull();
  expect(oneSampleCurve(sampledMechanism(gaussian('1'), '0'), 'remove')).toBeNull();
});
