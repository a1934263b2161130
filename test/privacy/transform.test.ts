import { describe, expect, test } from 'vitest';
import type { LogRatio, LossTransform } from '../../src/numeric/contour/transform.ts';
import type { Decimal } from '../../src/numeric/decimal.ts';
import { atomsTransform } from '../../src/privacy/atoms-transform.ts';
import { discreteGaussianTransform, discreteLaplaceTransform } from '../../src/privacy/discrete.ts';
import { laplaceTransform, logAtomsOfLaplace } from '../../src/privacy/laplace.ts';
import { responseTransform } from '../../src/privacy/randomized-response.ts';
import { ONE, precise, Precise, sumOf, ZERO } from '../reference/precise.ts';
import { fc } from '../reference/properties.ts';

// Moments of privacy losses at complex places, against sums of 60 digits.

interface Complex {
  readonly re: Decimal;
  readonly im: Decimal;
}

interface Atom {
  readonly loss: Decimal;
  readonly mass: Decimal;
}

/** E[e^(zL)] of atoms at z = c + it. */
function momentOf(atoms: readonly Atom[], c: number, t: number): Complex {
  const sized = atoms.map(({ loss, mass }) => ({
    size: mass.times(loss.times(precise(c)).exp()),
    turn: loss.times(precise(t)),
  }));
  return {
    re: sumOf(sized.map(({ size, turn }) => size.times(turn.cos()))),
    im: sumOf(sized.map(({ size, turn }) => size.times(turn.sin()))),
  };
}

const over = (a: Complex, b: Complex): Complex => {
  const square = b.re.times(b.re).plus(b.im.times(b.im));
  return {
    re: a.re.times(b.re).plus(a.im.times(b.im)).div(square),
    im: a.im.times(b.re).minus(a.re.times(b.im)).div(square),
  };
};

const distance = (a: Complex, b: Complex): Decimal => a.re.minus(b.re).pow(2).plus(a.im.minus(b.im).pow(2)).sqrt();

const size = (a: Complex): Decimal => distance(a, { re: ZERO, im: ZERO });

/** What a transform says holds for the true moments, at c, at c + it, and around. */
function check(
  transform: LossTransform,
  truth: (c: number, t: number) => Complex,
  c: number,
  t: number,
  radius: number,
): void {
  const whole = truth(c, 0);
  const { value, error } = transform.logMoment(c);
  expect(Math.abs(precise(value).minus(whole.re.ln()).toNumber()), `ln M(${c})`).toBeLessThanOrEqual(error);
  const line = transform.on(c);
  const ratio: LogRatio = { modulus: NaN, angle: NaN, error: NaN };
  line.at(t, ratio);
  const exact = over(truth(c, t), whole);
  if (ratio.error === Infinity) {
    expect(size(exact).toNumber(), 'a bound').toBeLessThanOrEqual(Math.exp(ratio.modulus));
  } else {
    const length = precise(ratio.modulus).exp();
    const found = { re: length.times(precise(ratio.angle).cos()), im: length.times(precise(ratio.angle).sin()) };
    const off = distance(found, exact).div(size(exact)).toNumber();
    expect(off, `M(${c} + ${t}i)`).toBeLessThanOrEqual(Math.expm1(ratio.error));
    // Not only true, but of use.
    expect(ratio.error).toBeLessThan(1e-9 * (1 + t) * Math.exp(-ratio.modulus) + 1e-9);
  }
  const near = over(truth(c, Math.max(0, t - radius)), whole);
  const moved = line.deviation * Math.min(t, radius) + 1e-12;
  expect(Math.abs(size(near).minus(size(exact)).toNumber()), 'the deviation').toBeLessThanOrEqual(moved);
  if (line.logMost)
    expect(Math.log(size(near).toNumber())).toBeLessThanOrEqual(line.logMost(t, radius, -Infinity) + 1e-12);
}

const places = fc.oneof(
  fc.double({ min: 1e-6, max: 30, noNaN: true }),
  fc.double({ min: -0.97, max: -0.53, noNaN: true }),
  fc.double({ min: -0.47, max: -1e-3, noNaN: true }),
);
const heights = fc.oneof(
  fc.double({ min: 1e-9, max: 2, noNaN: true }),
  fc.double({ min: 1e-9, max: 300, noNaN: true }),
);
const radii = fc.double({ min: 0, max: 1, noNaN: true });
const sizes = fc.oneof(fc.double({ min: 1e-4, max: 1, noNaN: true }), fc.double({ min: 0.5, max: 12, noNaN: true }));

const responseAtoms = (e: number): Atom[] => {
  const plus = ONE.div(ONE.plus(precise(-e).exp()));
  return [
    { loss: precise(e), mass: plus },
    { loss: precise(-e), mass: ONE.minus(plus) },
  ];
};

describe('moments', () => {
  test('of randomized response', () => {
    fc.assert(
      fc.property(sizes, places, heights, radii, (e, c, t, radius) => {
        check(responseTransform(e), (x, y) => momentOf(responseAtoms(e), x, y), c, t, radius);
      }),
      { numRuns: 300 },
    );
  });

  test('of Laplace noise', () => {
    // e^(-e/2) (cosh(es) + sinh(es) / 2s), s = z + 1/2
    const truth =
      (e: number) =>
      (c: number, t: number): Complex => {
        const [s, turn] = [precise(c).plus('0.5'), precise(e).times(precise(t))];
        const [up, down] = [s.times(precise(e)).exp(), s.times(precise(-e)).exp()];
        const [cosh, sinh] = [up.plus(down).div(2), up.minus(down).div(2)];
        const wave = { re: sinh.times(turn.cos()), im: cosh.times(turn.sin()) };
        const rest = over(wave, { re: s.times(2), im: precise(t).times(2) });
        const scale = precise(-e).div(2).exp();
        return {
          re: cosh.times(turn.cos()).plus(rest.re).times(scale),
          im: sinh.times(turn.sin()).plus(rest.im).times(scale),
        };
      };
    fc.assert(
      fc.property(sizes, places, heights, radii, (e, c, t, radius) => {
        check(laplaceTransform(e), truth(e), c, t, radius);
        const share = ONE.plus(precise(-e).exp()).div(2).ln();
        const { value, error } = logAtomsOfLaplace(e);
        expect(Math.abs(precise(value).minus(share).toNumber())).toBeLessThanOrEqual(error);
      }),
      { numRuns: 300 },
    );
  });

  test('of discrete Laplace noise, listed or in closed form', () => {
    const atomsOf = (r: number, s: number): Atom[] => {
      const q = precise(-r).exp();
      return Array.from({ length: s + 1 }, (_, k) => ({
        loss: precise(s - 2 * k).times(precise(r)),
        mass: q
          .pow(k)
          .div(ONE.plus(q))
          .times(k === 0 || k === s ? ONE : ONE.minus(q)),
      }));
    };
    const sensitivities = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 30, max: 60 }));
    fc.assert(
      fc.property(
        fc.double({ min: 0.005, max: 1, noNaN: true }),
        sensitivities,
        places,
        heights,
        radii,
        (r, s, c, t, radius) => {
          check(discreteLaplaceTransform(r, s), (x, y) => momentOf(atomsOf(r, s), x, y), c, t, radius);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('of discrete Gaussian noise, narrow or wide', () => {
    const atomsOf = (v: number, s: number, c: number): Atom[] => {
      const reach = Math.ceil(16 * Math.sqrt(v)) + 3;
      const centre = Math.round(-c * s);
      const weight = (k: number): Decimal =>
        precise(-k * k)
          .div(precise(v).times(2))
          .exp();
      const whole = sumOf(Array.from({ length: 2 * reach + 1 }, (_, i) => weight(i - reach)));
      return Array.from({ length: 2 * reach + 1 }, (_, i) => {
        const k = centre + i - reach;
        return { loss: precise(s * (s - 2 * k)).div(precise(v).times(2)), mass: weight(k).div(whole) };
      });
    };
    const variances = fc.oneof(
      fc.double({ min: 0.05, max: 0.5, noNaN: true }),
      fc.double({ min: 0.3, max: 30, noNaN: true }),
    );
    fc.assert(
      fc.property(variances, fc.integer({ min: 1, max: 4 }), places, heights, radii, (v, s, c, t, radius) => {
        // Values 16 deviations away weigh less than 1e-55.
        check(discreteGaussianTransform(v, s), (x, y) => momentOf(atomsOf(v, s, c), x, y), c, t, radius);
      }),
      { numRuns: 40 },
    );
  });

  test('of finitely many losses', () => {
    const atom = fc.record({
      loss: fc.double({ min: -6, max: 6, noNaN: true }),
      weight: fc.double({ min: 0.01, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(atom, { minLength: 1, maxLength: 6 }), places, heights, radii, (list, c, t, radius) => {
        const total = sumOf(list.map(({ weight }) => precise(weight)));
        const atoms = list.map(({ loss, weight }) => ({ loss: precise(loss), mass: precise(weight).div(total) }));
        const logs = list.map(({ loss }, i) => ({ loss, logMass: new Precise(atoms[i]!.mass).ln().toNumber() }));
        check(atomsTransform(logs, 2 ** -53, 2 ** -47), (x, y) => momentOf(atoms, x, y), c, t, radius);
      }),
      { numRuns: 150 },
    );
  });
});
