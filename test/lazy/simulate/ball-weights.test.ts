import { describe, expect, it } from 'vitest';
import { BallWeights, dot, logGammaShare, norm } from '../../../src/lazy/simulate/ball-weights.ts';
import { LogConcave } from '../../../src/lazy/simulate/log-concave.ts';
import { Xoshiro } from '../../../src/numeric/random.ts';
import { near } from '../helpers.ts';

const COUNT = 20_000;

/** Mean and error of the mean of so many samples. */
function sampled(draw: () => number, count = COUNT) {
  const values = Float64Array.from({ length: count }, draw);
  const mean = values.reduce((sum, x) => sum + x, 0) / count;
  const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / count;
  return { mean, error: Math.sqrt(variance / count) };
}

/** The means of u, u^2 and |x|^2 under e^(-beta (g u + lambda |x|^2)) on the ball, by quadrature over u and the distance from its axis. */
function means({ beta, lambda, radius, dimension }: ConstructorParameters<typeof BallWeights>[0], g: number) {
  const STEPS = 800;
  let [mass, u1, u2, all] = [0, 0, 0, 0];
  // All that counts lies within 40 of the scale over which the density falls from its mode.
  const centre = Math.max(-radius, -g / (2 * lambda));
  const spread =
    40 * Math.min(1 / Math.sqrt(2 * beta * lambda), 1 / (beta * Math.abs(g + 2 * lambda * centre) + 1e-300));
  const [low, high] = [Math.max(-radius, centre - spread), Math.min(radius, centre + spread)];
  const [from, to] = dimension > 3 ? [-radius, radius] : [low, high];
  const top = (u: number, r: number): number =>
    -beta * (g * u + lambda * (u * u + r * r)) + (dimension === 2 ? 0 : (dimension - 2) * Math.log(r));
  let most = -Infinity;
  const cells: [u: number, r: number, log: number, area: number][] = [];
  for (let i = 0; i < STEPS; i++) {
    const u = from + ((i + 0.5) * (to - from)) / STEPS;
    const rest = Math.sqrt(radius * radius - u * u);
    for (let j = 0; j < (dimension === 1 ? 1 : STEPS); j++) {
      const r = dimension === 1 ? 0 : ((j + 0.5) * rest) / STEPS;
      const log = dimension === 1 ? -beta * (g * u + lambda * u * u) : top(u, r);
      most = Math.max(most, log);
      cells.push([u, r, log, dimension === 1 ? 1 : rest]);
    }
  }
  for (const [u, r, log, area] of cells) {
    const weight = area * Math.exp(log - most);
    mass += weight;
    u1 += weight * u;
    u2 += weight * u * u;
    all += weight * (u * u + r * r);
  }
  return [u1 / mass, u2 / mass, all / mass] as const;
}

describe('the weights of linear losses on a ball', () => {
  it.each<[dimension: number, beta: number, lambda: number, radius: number, g: number]>([
    [1, 1, 1, 1, 0],
    [1, 2, 0.5, 1, 30],
    [2, 1, 1, 0.5, 3],
    [2, 1e-6, 1e-3, 2, 1],
    [3, 5, 2, 1, 4],
    [3, 50, 1e-4, 1, 20],
    [3, 1, 100, 1, 50],
    [10, 10, 1, 1, 6],
    [40, 30, 2, 0.5, 20],
  ])(
    'in dimension %d with beta %d, lambda %d on radius %d have the means of quadrature, gradient %d',
    (dimension, beta, lambda, radius, g) => {
      const shape = { beta, lambda, radius, dimension };
      const axis = Float64Array.from({ length: dimension }, (_, i) => (i % 2 === 0 ? 1 : -1) / Math.sqrt(dimension));
      const weights = new BallWeights(
        shape,
        axis.map((each) => g * each),
      );
      const random = new Xoshiro(dimension);
      const [u1, u2, all] = means(shape, g);
      const points = Array.from({ length: COUNT }, () => weights.draw(random));
      for (const point of points) expect(norm(point)).toBeLessThanOrEqual(radius * (1 + 1e-12));
      let next = 0;
      for (const [of, exact] of [
        [(x: Float64Array) => dot(x, axis), u1],
        [(x: Float64Array) => dot(x, axis) ** 2, u2],
        [(x: Float64Array) => dot(x, x), all],
      ] as const) {
        next = 0;
        const { mean, error } = sampled(() => of(points[next++]!));
        expect(Math.abs(mean - exact)).toBeLessThan(4.5 * error + 3e-5 * radius * radius);
      }
      if (dimension === 1) return;
      // A direction beside the axis has mean 0.
      const beside = Float64Array.from(axis, (each, i) => (i === 0 ? axis[1]! : i === 1 ? -axis[0]! : 0 * each));
      next = 0;
      const { mean, error } = sampled(() => dot(points[next++]!, beside));
      expect(Math.abs(mean)).toBeLessThan(4.5 * error);
    },
  );

  it('are drawn far out in every direction of their numbers', () => {
    const random = new Xoshiro(4);
    for (const dimension of [1, 2, 3, 100, 2000]) {
      for (const beta of [1e-12, 1, 1e12]) {
        for (const lambda of [1e-12, 1, 1e12]) {
          for (const g of [0, 1e-12, 1, 1e12]) {
            const gradient = new Float64Array(dimension);
            gradient[0] = g;
            const point = new BallWeights({ beta, lambda, radius: 0.5, dimension }, gradient).draw(random);
            expect(norm(point)).toBeLessThanOrEqual(0.5 * (1 + 1e-9));
          }
        }
      }
    }
  });
});

describe('the incomplete gamma function', () => {
  it('has the values that elementary functions give', () => {
    for (const z of [1e-9, 0.1, 1, 1.99, 2.01, 5, 30, 700]) {
      near(Math.exp(logGammaShare(1, z)), -Math.expm1(-z), 1e-12);
      // The elementary form of small z loses its digits.
      if (z >= 0.1) near(logGammaShare(2, z), Math.log1p(-(1 + z) * Math.exp(-z)), 1e-11);
    }
    // NIST DLMF 8.4.1: P(1/2, z^2) = erf z.
    near(Math.exp(logGammaShare(0.5, 1)), 0.8427007929497149, 1e-13);
    near(Math.exp(logGammaShare(0.5, 4)), 0.9953222650189527, 1e-13);
  });
});

describe('a log-concave density', () => {
  it.each<[string, (x: number) => number, number, number, number]>([
    ['normal, cut', (x) => -x * x * 5000, -3, 4, 0],
    ['exponential', (x) => -1000 * x, 0, 10, 0.001],
    ['uniform', () => 0, -1, 3, 1],
    ['a power', (x) => 9 * Math.log(x), 0, 1, 10 / 11],
  ])('%s has its mean', (_, h, from, to, exact) => {
    const random = new Xoshiro(9);
    const law = new LogConcave(h, from, to);
    const { mean, error } = sampled(() => law.draw(random));
    expect(Math.abs(mean - exact)).toBeLessThan(4.5 * error);
  });
});
