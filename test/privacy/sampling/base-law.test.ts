import { describe, expect, it } from 'vitest';
import { midpoint } from '../../../src/numeric/enclosure.ts';
import { encloseRational, type Rational } from '../../../src/numeric/rational.ts';
import type { Entry, SampledBase } from '../../../src/privacy/mechanism.ts';
import { baseLaw, type BaseLaw } from '../../../src/privacy/sampling/base-law.ts';
import { logSurvivalOf, sampledLaw } from '../../../src/privacy/sampling/sampled-law.ts';
import {
  answer,
  atEpsilon,
  discreteGaussian,
  discreteLaplace,
  dp,
  finitePair,
  gaussian,
  gdp,
  laplace,
  sampledMechanism,
} from '../../mechanisms.ts';

const CASES: readonly (readonly [name: string, of: Entry, isSymmetric: boolean])[] = [
  ['gaussian', gaussian('0.7'), true],
  ['gdp', gdp('1.3'), true],
  ['laplace', laplace('0.8'), true],
  ['discrete-laplace', discreteLaplace('1.5', 2), true],
  ['discrete-gaussian', discreteGaussian('1.1', 2), true],
  ['dp', dp('0.9', '0.02'), true],
  [
    'a pair and its swap',
    finitePair(['0.5', '0.3', '0.2', '0'], ['0.1', '0.3', '0.35', '0.25'], { direction: 'either' }),
    true,
  ],
  ['a pair in one order', finitePair(['0.5', '0.3', '0.2'], ['0.1', '0.3', '0.6'], { direction: 'fixed' }), false],
];

const lawOf = ({ mechanism }: Entry): BaseLaw => baseLaw(mechanism as SampledBase)!;
const number = (x: Rational): number => midpoint(encloseRational(x));

/** E_Q of a function of the loss, by many small steps. */
function expectation({ atoms, density }: BaseLaw, of: (l: number) => number): number {
  let sum = atoms.reduce((total, { loss, logMass }) => total + Math.exp(logMass) * of(loss), 0);
  if (density === null) return sum;
  const [from, to] = [Math.max(-14, density.from), Math.min(14, density.to)];
  const h = (to - from) / 4000;
  for (let i = 0; i < 4000; i++) {
    const u = from + (i + 0.5) * h;
    sum += h * Math.exp(density.logDensity(u)) * of(density.slope * u + density.shift);
  }
  return sum;
}

describe.each(CASES)('%s', (_, entry, isSymmetric) => {
  const law = lawOf(entry);

  it('has two distributions', () => {
    expect(expectation(law, () => 1) + number(law.onlyQ.upper)).toBeCloseTo(1, 6);
    expect(expectation(law, Math.exp) + number(law.onlyP.upper)).toBeCloseTo(1, 6);
  });

  it('has the total variation of its curve, either way where it is its own swap', () => {
    const there = expectation(law, (l) => Math.max(0, Math.expm1(l))) + number(law.onlyP.upper);
    expect(law.variation).toBeCloseTo(there, 5);
    const { lower, upper } = answer([entry], atEpsilon(0)).delta;
    expect(law.variation).toBeGreaterThanOrEqual((lower ?? 0) * (1 - 1e-6));
    expect(law.variation).toBeLessThanOrEqual(upper * (1 + 1e-6));
  });

  it('is its own swap or not', () => {
    expect(law.isSymmetric).toBe(isSymmetric);
    const [there, back] = [2, -2].map((power) =>
      expectation(law, (l) => (power > 0 ? Math.exp(power * l) : Math.exp((1 + power) * l))),
    ) as [number, number];
    // E_Q[e^(2l)] is E_P[e^l], which the swap makes E_Q[e^-l].
    expect(Math.abs(there / back - 1) < 1e-4).toBe(isSymmetric);
  });
});

it('values beyond the largest lists are not listed', () => {
  expect(baseLaw(discreteGaussian('900', 1).mechanism as SampledBase)).toBeNull();
});

it('keeps the digits of what survives where nearly all is revealed', () => {
  const law = sampledLaw(sampledMechanism(dp('1', '0.9999999999999995'), '1'), 'remove')!;
  expect(logSurvivalOf(law)).toBeCloseTo(Math.log(5e-16), 12);
  expect(law.atoms.reduce((sum, { logMass }) => sum + Math.exp(logMass - logSurvivalOf(law)), 0)).toBeCloseTo(1, 12);
});
