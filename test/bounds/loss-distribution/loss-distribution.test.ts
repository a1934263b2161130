import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import {
  answer,
  atDelta,
  atEpsilon,
  discreteGaussian,
  dp,
  gaussian,
  laplace,
  sampled,
  valueOf,
} from '../../mechanisms.ts';

const exhausted = (): boolean => true;
const times = (entry: Entry, count: number): Entry => ({ ...entry, count });

describe('a sample of all records', () => {
  const mechanisms: readonly (readonly [string, Entry])[] = [
    ['Gaussian noise', gaussian('0.820642959')],
    ['Laplace noise', laplace('1.3')],
    ['discrete Gaussian noise', discreteGaussian('2', '1')],
    ['(e, d)-DP', dp('0.8', '1e-7')],
  ];
  const cases = mechanisms.flatMap(([name, entry]) => [1, 2, 9].map((count) => [count, name, entry] as const));

  it.each(cases)('costs %i times what it does alone: %s', (count, _, entry) => {
    const alone = answer([times(entry, count)], atDelta('1e-5')).epsilon;
    const onSample = answer([times(sampled(entry, '1'), count)], atDelta('1e-5'), { exhausted }).epsilon;
    expect(onSample.lower).toBeLessThanOrEqual(alone.upper);
    expect(onSample.upper).toBeGreaterThanOrEqual(alone.lower!);
    expect(onSample.upper - onSample.lower!).toBeLessThan(1e-3);
  });

  it('without replacement, too', () => {
    const alone = answer([times(gaussian('1'), 3)], atDelta('1e-5')).epsilon;
    const { upper } = answer([times(sampled(gaussian('1'), '1', 'without-replacement'), 3)], atDelta('1e-5')).epsilon;
    expect(upper / alone.upper).toBeCloseTo(1, 6);
  });

  it('beside rarer ones is quick where no time is left', () => {
    const entries = [sampled(gaussian('1.95'), '1'), sampled(times(gaussian('10'), 2), ['1', '7'])];
    const { lower, upper } = answer(entries, atDelta('0.00000111'), { exhausted }).epsilon;
    expect(upper).toBeGreaterThan(lower!);
    expect(upper).toBeLessThan(3);
  });
});

describe('noise of more than 10^9 sensitivities', () => {
  const beside = laplace('2');
  const upperWith = (...noise: readonly Entry[]): number =>
    valueOf(answer([beside, ...noise], atDelta('1e-9'), { bounds: ['loss-distribution'] }), 'loss-distribution').upper;

  it.each([gaussian('1e12'), laplace('1e300')])(
    'costs next to nothing beside other noise: $mechanism.type',
    (noise) => {
      const alone = answer([beside], atDelta('1e-9')).epsilon;
      expect(upperWith(noise)).toBeGreaterThanOrEqual(alone.lower!);
      expect(upperWith(noise)).toBeLessThanOrEqual(alone.upper + 1e-7);
    },
  );
});

describe('far losses of few steps', () => {
  it.each(['100', '1250', '2600'])('have a delta at %s', (epsilon) => {
    const { lower, upper } = answer([times(sampled(gaussian('0.02'), '0.5'), 2)], atEpsilon(epsilon)).delta;
    expect(lower).toBeLessThanOrEqual(upper);
  });
});

// Quadrature (mpmath): of a removal 1 - e^-1 is all there is, as an addition has no loss of 1.
it('each direction has its own delta at a negative epsilon', () => {
  const { directions } = answer([sampled(gaussian('1'), '0.5')], atEpsilon('-1'), { directions: true });
  expect(directions!.remove.upper).toBeCloseTo(0.6321205588, 9);
  expect(directions!.add.upper).toBeCloseTo(0.6427403619, 9);
  expect(directions!.add.upper).toBeGreaterThan(0.6427403619);
});
