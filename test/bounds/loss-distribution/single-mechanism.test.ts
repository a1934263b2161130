import { describe, expect, it } from 'vitest';
import { onceCurve, oneSampleCurve } from '../../../src/bounds/loss-distribution/single-mechanism.ts';
import { fromDecimal } from '../../../src/numeric/double-double.ts';
import { decimal, discreteLaplace, gaussian, laplace, sampledMechanism } from '../../mechanisms.ts';

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

/** Of 40 digits (mpmath): sigma, rate, records, whether replaced, direction, epsilon, delta. */
const SEVERAL = [
  ['10', '0.01', 1, true, 'remove', '0', 0.0007965567455405796],
  ['1000', '0.01', 1, true, 'remove', '1e-6', 7.488819507218021e-6],
  ['1', '0.0001', 3, true, 'add', '0.0001', 0.0001602161780235244],
  ['0.3', '0.5', 5, false, 'remove', '2', 0.9035861919455415],
  ['1', '0.1', 7, false, 'add', '0.4', 0.05409505932603764],
  ['3', '1e-6', 12, false, 'add', '1e-7', 1.532287053040559e-6],
  ['2', '0.05', 40, false, 'remove', '3', 0.02607024025302033],
] as const;

it.each(SEVERAL)(
  'sigma %s, rate %s, %i records, replaced %s, %s, epsilon %s: delta %f',
  (sigma, rate, records, isReplaced, direction, epsilon, delta) => {
    const mechanism = {
      ...sampledMechanism(gaussian(sigma), rate),
      records: decimal(records),
      neighbours: isReplaced ? 'replace-one' : 'add-remove',
    } as const;
    const { lower, upper } = oneSampleCurve(mechanism, direction)!.logDelta(fromDecimal(decimal(epsilon)));
    const truth = Math.log(delta);
    expect(lower).toBeLessThanOrEqual(truth + 4e-15 * (1 + Math.abs(truth)));
    expect(upper).toBeGreaterThanOrEqual(truth - 4e-15 * (1 + Math.abs(truth)));
    expect(upper - lower).toBeLessThan(1e-10 * (1 + Math.abs(truth)));
  },
);

it('gains nothing beyond the largest loss of an addition', () => {
  const curve = oneSampleCurve(sampledMechanism(gaussian('1'), '0.5'), 'add')!;
  expect(curve.logDelta(fromDecimal(decimal('0.7'))).upper).toBe(-Infinity);
});

it('is no curve of other noise, nor of no records', () => {
  expect(oneSampleCurve(sampledMechanism(discreteLaplace('1', '1'), '0.5'), 'remove')).toBeNull();
  expect(onceCurve(gaussian('1').mechanism)).toBeNull();
  expect(onceCurve(laplace('1', {}, 0).mechanism)).toBeNull();
  expect(oneSampleCurve(sampledMechanism(gaussian('1'), '0'), 'remove')).toBeNull();
});

/** Of 40 digits, by quadrature (mpmath): e, epsilon, delta. */
const ONCE = [
  ['1', '0', 0.3934693402873666],
  ['1', '0.5', 0.22119921692859512],
  ['3', '2.9', 0.04877057549928599],
  ['0.01', '0.002', 0.003992010656008528],
] as const;

it.each(ONCE)('Laplace noise with e = %s at epsilon %s has delta %f', (e, epsilon, delta) => {
  const { lower, upper } = onceCurve(laplace(1, {}, e).mechanism)!.logDelta(fromDecimal(decimal(epsilon)));
  expect(lower).toBeLessThanOrEqual(Math.log(delta) + 2e-15);
  expect(upper).toBeGreaterThanOrEqual(Math.log(delta) - 2e-15);
  expect(upper - lower).toBeLessThan(1e-12);
});

/** The same of one Poisson sample: e, rate, epsilon, direction, delta. */
const LAPLACE_ON_ONE_SAMPLE = [
  ['1', '0.1', '0.05', 'remove', 0.025401389825142777],
  ['1', '0.1', '0.05', 'add', 0.00821794835084622],
  ['2', '0.5', '0.3', 'add', 0.15275541684301278],
  ['2', '0.5', '1', 'remove', 0.11256497347739972],
] as const;

it.each(LAPLACE_ON_ONE_SAMPLE)(
  'Laplace noise with e = %s on one sample of rate %s',
  (e, rate, epsilon, direction, delta) => {
    const curve = oneSampleCurve(sampledMechanism(laplace(1, {}, e), rate), direction)!;
    const { lower, upper } = curve.logDelta(fromDecimal(decimal(epsilon)));
    expect(lower).toBeLessThanOrEqual(Math.log(delta) + 2e-15);
    expect(upper).toBeGreaterThanOrEqual(Math.log(delta) - 2e-15);
    expect(upper - lower).toBeLessThan(1e-12);
  },
);
