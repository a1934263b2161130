import { Decimal } from '../../../src/numeric/decimal.ts';
import type { RunLaw } from '../../../src/privacy/mechanism.ts';

/** E[x^K] of a law of runs, in doubles, by its definition. */
export function generating(runs: RunLaw): (x: number) => number {
  switch (runs.law) {
    case 'poisson': {
      const mean = runs.mean.toNumber();
      return (x) => Math.exp(mean * (x - 1));
    }
    case 'fixed':
      return (x) => x ** runs.count.toNumber();
    case 'binomial':
      return (x) => (1 + runs.rate.toNumber() * (x - 1)) ** runs.trials.toNumber();
    case 'negative-binomial': {
      if (!('gamma' in runs)) throw new Error('only by gamma');
      const [shape, gamma] = [runs.shape.toNumber(), runs.gamma.toNumber()];
      return shape === 0
        ? (x) => Math.log(1 - (1 - gamma) * x) / Math.log(gamma)
        : (x) => ((1 - (1 - gamma) * x) ** -shape - 1) / (gamma ** -shape - 1);
    }
  }
}

export function* permutations<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length <= 1) yield items;
  for (const [i, first] of items.entries()) {
    for (const rest of permutations([...items.slice(0, i), ...items.slice(i + 1)])) yield [first, ...rest];
  }
}

/** The distribution of the best of K outputs, the outcomes standing in an order from the worst on; without K = 0. */
export function bestOf(masses: readonly number[], order: readonly number[], f: (x: number) => number): number[] {
  const best = masses.map(() => 0);
  let sum = 0;
  for (const [at, outcome] of order.entries()) {
    const next = at + 1 === order.length ? 1 : sum + masses[outcome]!;
    best[outcome] = f(next) - f(sum);
    sum = next;
  }
  return best;
}

export const hockeyStick = (a: readonly number[], b: readonly number[], epsilon: number): number =>
  a.reduce((sum, mass, i) => sum + Math.max(0, mass - Math.exp(epsilon) * b[i]!), 0);

const d = (x: number | string): Decimal => new Decimal(x);

/** Laws of every kind. */
export const LAWS: readonly RunLaw[] = [
  { law: 'poisson', mean: d('0.5') },
  { law: 'poisson', mean: d(5) },
  { law: 'poisson', mean: d(20) },
  { law: 'negative-binomial', shape: d(1), gamma: d('0.1') },
  { law: 'negative-binomial', shape: d(2), gamma: d('0.15') },
  { law: 'negative-binomial', shape: d(0), gamma: d('0.05') },
  { law: 'negative-binomial', shape: d('-0.5'), gamma: d('0.1') },
  { law: 'negative-binomial', shape: d('0.5'), gamma: d('0.2') },
  { law: 'binomial', trials: d(12), rate: d('0.5') },
  { law: 'fixed', count: d(1) },
  { law: 'fixed', count: d(2) },
  { law: 'fixed', count: d(20) },
];
