import { epsilonByGuesses } from '../../src/composition/audit/one-run.ts';
import { muByGuesses } from '../../src/composition/audit/one-run-gdp.ts';
import { auditThresholds, type Cut } from '../../src/composition/audit/thresholds.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { Xoshiro } from '../../src/numeric/random.ts';

/** A mechanism of known privacy: the score of one canary that is in the data, or is not. */
export interface Audited {
  readonly name: string;
  readonly epsilon: number;
  /** The delta at which it has that epsilon. */
  readonly delta: string;
  /** Infinite where it is not mu-GDP for a finite mu. */
  readonly mu: number;
  readonly score: (isMember: boolean, uniform: () => number) => number;
}

function normal(uniform: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Phi^-1(3 / 4), twice: randomized response that is right in 3 of 4 cases. */
const RESPONSE_MU = 2 * 0.6744897501960817;

export const AUDITED: readonly Audited[] = [
  { name: 'constant', epsilon: 0, delta: '0', mu: 0, score: (_, uniform) => uniform() },
  {
    // It is mu-GDP for the mu at which the corner of its trade-off function is that of a Gaussian.
    name: 'randomized response, epsilon ln 3',
    epsilon: Math.log(3),
    delta: '0',
    mu: RESPONSE_MU,
    score: (isMember, uniform) => (uniform() < 0.75 === isMember ? 1 : 0),
  },
  {
    // Balle, Wang (2018), Thm 8, by mpmath.
    name: 'Gaussian, mu 1',
    epsilon: 4.377178095681225,
    delta: '1e-5',
    mu: 1,
    score: (isMember, uniform) => (isMember ? 1 : 0) + normal(uniform),
  },
];

const CONFIDENCE = new Decimal('0.95');
const RUNS = 200;
const [CANARIES, GUESSES] = [200, 40];

/** What an audit shows, by a seed of its own. */
export interface Shown {
  readonly epsilon: number;
  readonly mu: number;
}

const byCut =
  (cut: Cut) =>
  ({ score, delta }: Audited, uniform: () => number): Shown => {
    const scoresOf = (isMember: boolean): Float64Array =>
      Float64Array.from({ length: RUNS }, () => score(isMember, uniform));
    const scores = { members: scoresOf(true), others: scoresOf(false) };
    const rows = auditThresholds(scores, cut, CONFIDENCE, new Decimal(delta));
    return { epsilon: Math.max(...rows.map((row) => row.epsilon)), mu: Math.max(...rows.map((row) => row.mu)) };
  };

/** The mu that each number of correct guesses shows: there are few, and each takes long. */
const MUS = new Map<number, number>();

/** Half of the guesses are "in", of the highest scores; half are "out". */
function oneRun({ score, delta }: Audited, uniform: () => number): Shown {
  const canaries = Array.from({ length: CANARIES }, () => {
    const isMember = uniform() < 0.5;
    return { isMember, score: score(isMember, uniform), tie: uniform() };
  }).sort((a, b) => a.score - b.score || a.tie - b.tie);
  const half = GUESSES / 2;
  const correct =
    canaries.slice(0, half).filter(({ isMember }) => !isMember).length +
    canaries.slice(-half).filter(({ isMember }) => isMember).length;
  const guesses = { canaries: CANARIES, guesses: GUESSES, correct };
  const mu = MUS.get(correct) ?? muByGuesses(guesses, CONFIDENCE);
  MUS.set(correct, mu);
  return { epsilon: epsilonByGuesses(guesses, new Decimal(delta), CONFIDENCE), mu };
}

export const METHODS: Readonly<Record<string, (mechanism: Audited, uniform: () => number) => Shown>> = {
  'ranks 1, 10, 60': byCut({ kind: 'ranks', ranks: [1, 10, 60] }),
  'threshold 0.5': byCut({ kind: 'thresholds', thresholds: [0.5] }),
  split: byCut({ kind: 'split' }),
  'one run': oneRun,
};

/** Of many audits: how many show more than is true, and the median of what they show. */
export interface Coverage {
  readonly audits: number;
  readonly aboveEpsilon: number;
  readonly aboveMu: number;
  readonly medianEpsilon: number;
  readonly medianMu: number;
}

const medianOf = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;

/** Simulates audits of a mechanism by a method. */
export function coverageOf(mechanism: Audited, method: string, audits: number, seed: number): Coverage {
  const source = new Xoshiro(seed);
  const uniform = (): number => source.word() / 2 ** 32;
  const shown = Array.from({ length: audits }, () => METHODS[method]!(mechanism, uniform));
  return {
    audits,
    aboveEpsilon: shown.filter(({ epsilon }) => epsilon > mechanism.epsilon).length,
    aboveMu: shown.filter(({ mu }) => mu > mechanism.mu).length,
    medianEpsilon: medianOf(shown.map(({ epsilon }) => epsilon)),
    medianMu: medianOf(shown.map(({ mu }) => mu)),
  };
}
