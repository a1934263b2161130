import { certify } from '../../src/composition/certificate/certificate.ts';
import { compose } from '../../src/composition/compose/compose.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { Rational } from '../../src/numeric/rational.ts';
import { certificateText } from '../../src/output/certificate.ts';
import { formOfVariance, sigmaOfVariance } from '../../src/privacy/gaussian.ts';
import type { Entry, Mechanism } from '../../src/privacy/mechanism.ts';
import type { Query } from '../../src/privacy/curve.ts';
import { Random } from '../soundness/random.ts';

/** One end of a certificate, as it is written. */
export interface WrittenEnd {
  theorem: string;
  epsilon: string;
  delta: string;
  witness: { order?: string };
}

/** A certificate, as it is written. */
export interface Written {
  adaptivity: string;
  mechanisms: (Record<string, unknown> & { type: string; count: number })[];
  upper: WrittenEnd;
  lower: WrittenEnd | null;
}

const decimal = (x: number, digits = 3): Decimal => new Decimal(x.toPrecision(digits));

/** Random mechanisms of one family. */
const FAMILIES: readonly ((random: Random) => Omit<Entry, 'label'>[])[] = [
  // (epsilon, delta)-DP: equal, then of few kinds.
  (random) => [{ mechanism: dp(random, 0.5), count: random.logWhole(1, 600), kind: kindOf(random) }],
  (random) =>
    random.times(random.whole(2, 4), () => ({
      mechanism: dp(random, 0.2),
      count: random.logWhole(1, 20),
      kind: kindOf(random),
    })),
  (random) => [{ mechanism: laplace(random), count: random.logWhole(1, 300), kind: kindOf(random) }],
  (random) => [{ mechanism: range(random), count: random.logWhole(1, 60), kind: 'noninteractive' }],
  (random) => [
    { mechanism: range(random), count: random.logWhole(1, 60), kind: 'noninteractive' },
    { mechanism: dp(random, 0.3), count: random.logWhole(1, 20), kind: kindOf(random) },
  ],
  (random) =>
    random.times(random.whole(1, 3), () => ({
      mechanism: gaussian(random),
      count: random.logWhole(1, 500),
      kind: 'noninteractive',
    })),
  (random) => [
    { mechanism: zcdp(random), count: random.logWhole(1, 100), kind: 'noninteractive' },
    ...random.times(random.whole(0, 2), () => ({
      mechanism: random.pick([dp, laplace, gaussian])(random, 0.2),
      count: random.logWhole(1, 20),
      kind: 'noninteractive' as const,
    })),
  ],
  (random) => [
    { mechanism: rdp(random), count: random.logWhole(1, 50), kind: kindOf(random) },
    ...random.times(random.whole(0, 2), () => ({
      mechanism: random.pick([dp, laplace, range, gaussian])(random, 0.2),
      count: random.logWhole(1, 20),
      kind: 'noninteractive' as const,
    })),
  ],
];

const kindOf = (random: Random): Entry['kind'] =>
  random.pick(['noninteractive', 'noninteractive', 'interactive', 'continual'] as const);

export const dp = (random: Random, withDelta: number): Mechanism => ({
  type: 'dp',
  epsilon: decimal(random.logBetween(0.01, 1)),
  delta: random.chance(withDelta) ? decimal(random.logBetween(1e-12, 1e-8)) : new Decimal(0),
});

export const laplace = (random: Random): Mechanism => ({
  type: 'laplace',
  scale: decimal(random.logBetween(1, 60)),
  sensitivity: new Decimal(random.pick([1, 2])),
});

export const range = (random: Random): Mechanism => ({
  type: 'bounded-range',
  epsilon: decimal(random.logBetween(0.01, 1)),
});

export function gaussian(random: Random): Mechanism {
  const [size, sensitivity] = [random.logBetween(1, 50), new Decimal(random.pick([1, 3]))];
  if (random.chance(0.3)) return { type: 'gdp', mu: decimal(1 / size) };
  if (random.chance(0.5)) return { type: 'gaussian', sigma: decimal(size * 2), sensitivity };
  const variance = Rational.of(Math.ceil(size ** 2 * 7), random.whole(1, 13));
  return { type: 'gaussian', sigma: sigmaOfVariance(variance), sensitivity, written: formOfVariance(variance) };
}

export const zcdp = (random: Random): Mechanism => ({
  type: 'zcdp',
  rho: decimal(random.logBetween(1e-4, 0.1)),
  ...(random.chance(0.3) ? { delta: decimal(random.logBetween(1e-12, 1e-9)) } : {}),
});

function rdp(random: Random): Mechanism {
  const rate = random.logBetween(1e-3, 0.05);
  const alphas = [1.5, 2, 3, 4, 8, 16, 32, 64].slice(random.whole(0, 4));
  return {
    type: 'rdp',
    orders: alphas.map((alpha) => ({ alpha: new Decimal(alpha), epsilon: decimal(alpha * rate) })),
  };
}

const BOUNDS = ['dp-optimal', 'gaussian', 'br-nonadaptive', 'rdp', 'zcdp', 'basic'] as const;

/** A certificate, and which of its numbers was asked for. */
export interface Answered {
  readonly text: string;
  readonly solveFor: Query['solveFor'];
}

/** The certificate of a random question; null where it has none. */
export function randomCertificate(seed: number, stream: number): Answered | null {
  const random = new Random(seed, stream);
  const entries = random
    .pick(FAMILIES)(random)
    .map((entry) => ({ ...entry, label: null }));
  const query: Query = random.chance(0.6)
    ? { solveFor: 'epsilon', delta: decimal(random.logBetween(1e-7, 1e-3)) }
    : { solveFor: 'delta', epsilon: decimal(random.logBetween(0.3, 6)) };
  const problem = { entries, adaptivity: random.pick(['adaptive', 'nonadaptive'] as const) };
  const outcome = compose(problem, query, { bounds: BOUNDS });
  if (outcome.kind === 'refusal') return null;
  const certification = certify(problem, outcome.answer);
  if (certification.kind === 'refusal') return null;
  return { text: certificateText(certification.certificate), solveFor: query.solveFor };
}
