import { Decimal } from '../numeric/decimal.ts';
import { squareRoot, add, multiply } from '../numeric/enclosure-arithmetic.ts';
import { exactly } from '../numeric/enclosure.ts';
import { discreteGaussianPair } from '../privacy/discrete-gaussian-pair.ts';
import { discreteLaplacePair } from '../privacy/discrete-laplace-pair.ts';
import { failureProbability, type Failure } from '../privacy/failure.ts';
import { oneWay, otherWay, symmetrised, type SplitPair } from '../privacy/finite-pair.ts';
import { gaussianPair } from '../privacy/gaussian-loss.ts';
import { laplacePair } from '../privacy/laplace-pair.ts';
import type { Entry, FinitePairMechanism, Mechanism } from '../privacy/mechanism.ts';
import { pureEpsilon } from '../privacy/pure-guarantee.ts';
import { groupEqual, type PureGroup } from '../privacy/pure-group.ts';
import type { PairGroup } from './discretised-method.ts';
import { chunkPairs } from './dp-chunks.ts';
import { gaussianRho } from '../privacy/rho.ts';

/**
 * Which way round the neighbours stand for finite pairs. dominating: both at once, by the symmetric curve; revealing:
 * for those of either direction the way that reveals more, for the others forward.
 */
export type Way = 'dominating' | 'forward' | 'backward' | 'revealing';

/** The dominating pairs of a composition, with the probability that one of them reveals everything. */
export interface Pairs {
  readonly groups: readonly PairGroup[];
  readonly failure: Failure;
  /** No finite loss exceeds this; null where losses are unbounded. */
  readonly maximum: Decimal | null;
}

/** Types that have one dominating pair, or (bounded range, by its pure guarantee) are dominated by one. */
export const WITH_PAIR = [
  'dp',
  'bounded-range',
  'laplace',
  'gaussian',
  'discrete-laplace',
  'discrete-gaussian',
  'finite-pair',
  'gdp',
] as const;

export type WithPair = Extract<Mechanism, { type: (typeof WITH_PAIR)[number] }>;

function split(pair: FinitePairMechanism, way: Way): SplitPair {
  if (way === 'backward') return otherWay(pair);
  if (way === 'revealing' && pair.direction === 'either') {
    const [there, back] = [oneWay(pair), otherWay(pair)];
    const byFailure = there.failure.cmp(back.failure);
    return byFailure > 0 || (byFailure === 0 && there.largest.gte(back.largest)) ? there : back;
  }
  return way !== 'dominating' || pair.direction === 'fixed' ? oneWay(pair) : symmetrised(pair);
}

const ZERO = new Decimal(0);

/**
 * Every entry as a pair: (e, d)-DP as randomized responses and a failure d, all Gaussian noise as one Gaussian, Laplace
 * and discrete noise and finite pairs as themselves.
 */
export function pairsOf(entries: readonly Entry<WithPair>[], way: Way): Pairs {
  const responses: PureGroup[] = [];
  const groups: PairGroup[] = [];
  const failures: { delta: Decimal; count: number }[] = [];
  let muSquared = exactly(0);
  let maximum: Decimal | null = ZERO;
  const bounded = (largest: Decimal, count: number): void => {
    maximum = maximum?.plus(largest.times(count)) ?? null;
  };
  for (const entry of entries) {
    const { mechanism, count } = entry;
    switch (mechanism.type) {
      case 'dp':
        failures.push({ delta: mechanism.delta, count });
        responses.push({ epsilon: mechanism.epsilon, count });
        bounded(mechanism.epsilon, count);
        break;
      case 'bounded-range':
        responses.push({ epsilon: mechanism.epsilon, count });
        bounded(mechanism.epsilon, count);
        break;
      case 'laplace': {
        const e = pureEpsilon(mechanism);
        if (e.isZero()) break;
        groups.push({ pair: laplacePair(e), count });
        bounded(e, count);
        break;
      }
      case 'discrete-laplace': {
        if (mechanism.sensitivity.isZero()) break;
        groups.push({ pair: discreteLaplacePair(mechanism.scale, mechanism.sensitivity.toNumber()), count });
        bounded(pureEpsilon(mechanism), count);
        break;
      }
      case 'gaussian':
      case 'gdp':
        // A rounded square would not be 0 any more.
        if ((mechanism.type === 'gdp' ? mechanism.mu : mechanism.sensitivity).isZero()) break;
        muSquared = add(muSquared, multiply(exactly(2 * count), gaussianRho(entry) ?? exactly(0)));
        break;
      case 'discrete-gaussian':
        if (mechanism.sensitivity.isZero()) break;
        groups.push({
          pair: discreteGaussianPair(mechanism.sigma.toNumber(), mechanism.sensitivity.toNumber()),
          count,
        });
        maximum = null;
        break;
      case 'finite-pair': {
        const { failure, finite, largest } = split(mechanism, way);
        failures.push({ delta: failure, count });
        groups.push({ pair: finite, count });
        bounded(largest, count);
        break;
      }
    }
  }
  if (muSquared.upper > 0) {
    groups.push({ pair: gaussianPair(squareRoot(muSquared)), count: 1 });
    maximum = null;
  }
  const pure = groupEqual(responses);
  if (pure.length > 0) groups.push(...chunkPairs(pure).map((pair) => ({ pair, count: 1 })));
  return { groups, failure: failureProbability(failures), maximum };
}
