/** Chances of each outcome of a selection, by utilities in units of the noise's scale. */
export type Chances = (utilities: readonly number[]) => number[];

/** The exponential mechanism with coefficient 1. */
export const exponentialMechanism: Chances = (utilities) => {
  const weights = utilities.map(Math.exp);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
};

/** Permute and flip with coefficient 1, over all orders of the outcomes. */
export const permuteAndFlip: Chances = (utilities) => {
  const largest = Math.max(...utilities);
  const taken = utilities.map(() => 0);
  const flip = (left: readonly number[], chance: number): void => {
    for (const outcome of left) {
      const heads = Math.exp(utilities[outcome]! - largest);
      taken[outcome]! += (chance / left.length) * heads;
      const others = left.filter((other) => other !== outcome);
      flip(others, (chance / left.length) * (1 - heads));
    }
  };
  flip([...utilities.keys()], 1);
  return taken;
};

interface Noise {
  readonly density: (z: number) => number;
  readonly below: (z: number) => number;
  readonly from: number;
}

export const NOISE = {
  gumbel: { density: (z) => Math.exp(-z - Math.exp(-z)), below: (z) => Math.exp(-Math.exp(-z)), from: -6 },
  laplace: {
    density: (z) => Math.exp(-Math.abs(z)) / 2,
    below: (z) => (z < 0 ? Math.exp(z) / 2 : 1 - Math.exp(-z) / 2),
    from: -45,
  },
  exponential: { density: (z) => (z < 0 ? 0 : Math.exp(-z)), below: (z) => (z < 0 ? 0 : 1 - Math.exp(-z)), from: 0 },
} satisfies Record<string, Noise>;

const TO = 45;
const NODES = [0, 0.5384693101056831, 0.906179845938664];
const WEIGHTS = [0.5688888888888889, 0.47862867049936647, 0.23692688505618908];

/** The integral of `f`, smooth between `breaks`, by Gauss's rule of five points on short pieces. */
export function integral(f: (z: number) => number, breaks: readonly number[]): number {
  let sum = 0;
  breaks.slice(1).forEach((end, index) => {
    const start = breaks[index]!;
    const pieces = Math.ceil((end - start) / 0.125);
    const half = (end - start) / pieces / 2;
    for (let piece = 0; piece < pieces; piece++) {
      const middle = start + (2 * piece + 1) * half;
      NODES.forEach((node, i) => {
        const sides = i === 0 ? f(middle) : f(middle - node * half) + f(middle + node * half);
        sum += WEIGHTS[i]! * half * sides;
      });
    }
  });
  return sum;
}

/** Report noisy max with noise of scale 1. */
export const noisyMax =
  (name: keyof typeof NOISE): Chances =>
  (utilities) => {
    const noise: Noise = NOISE[name];
    return utilities.map((own, outcome) => {
      const others = utilities.filter((_, other) => other !== outcome);
      const breaks = [noise.from, TO, 0, ...others.map((utility) => utility - own)]
        .filter((z) => z >= noise.from && z <= TO)
        .sort((a, b) => a - b);
      return integral(
        (z) => others.reduce((p, utility) => p * noise.below(own + z - utility), noise.density(z)),
        breaks,
      );
    });
  };

/** The privacy losses of the outcomes between two data sets. */
export function losses(chances: Chances, one: readonly number[], other: readonly number[]): number[] {
  const [p, q] = [chances(one), chances(other)];
  return p.map((chance, outcome) => Math.log(chance / q[outcome]!));
}
