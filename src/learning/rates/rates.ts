import type { Decimal } from '../../numeric/decimal.ts';

/** The task that is learned: prediction from experts, or convex optimisation. */
export type Problem = 'ope' | 'oco';

/** A rate of Table 1 or Figure 1, and the rate of what is proved here. */
export type RateId =
  | 'non-private'
  | 'l2p'
  | 'l2p-safe'
  | 'perturbed-leader'
  | 'regularised-leader'
  | 'afkt23'
  | 'as17'
  | 'akst23'
  | 'kms21';

/** Whose rate it is: claimed by the paper for L2P, derived here, or of other algorithms. */
export type RateStatus = 'claimed' | 'derived' | 'other';

/** T^rounds d^size epsilon^-privacy ln(d)^logs. */
interface Monomial {
  readonly rounds: number;
  readonly size?: number;
  readonly privacy?: number;
  readonly logs?: number;
}

/** A regret rate; factors that are logarithmic in T or 1/delta are left out, as in Table 1. */
export interface Rate {
  readonly id: RateId;
  readonly status: RateStatus;
  readonly formula: string;
  readonly source: string;
  /** The least of several sums of terms. */
  readonly alternatives: readonly (readonly Monomial[])[];
}

const PAPER = 'Asi, Koren, Liu, Talwar 2024';
const DERIVED = 'derived: the safe regret under exact accounting';
const LEADER = 'derived: the safe regret with Gaussian noise';

const HEDGE: Monomial = { rounds: 1 / 2, logs: 1 / 2 };
const ROOT: Monomial = { rounds: 1 / 2 };

/**
 * Rates for prediction from d experts. Of L2P as proved: with B rounds in a batch and eta = epsilon (B/T)^(1/3) the two
 * terms of the safe regret are T^(1/3) ln(d) / (epsilon B^(1/3)) and sqrt(T B ln d), equal at
 * B = ln(d)^(3/5) T^(-1/5) epsilon^(-6/5). Of the perturbed leader m (s + T / (4 s)), m at most sqrt(2 ln d) and s about
 * sqrt(d) / epsilon, or sqrt(T) / 2 where that is more. The second rate of afkt23 is in a footnote of the paper, which leaves out its
 * factor in d: ln d, as in the first.
 */
const EXPERTS: readonly Rate[] = [
  {
    id: 'l2p',
    status: 'claimed',
    formula: 'sqrt(T ln d) + T^(1/3) ln(d) / eps^(2/3)',
    source: `${PAPER}, Thm 3.10`,
    alternatives: [[HEDGE, { rounds: 1 / 3, logs: 1, privacy: 2 / 3 }]],
  },
  {
    id: 'l2p-safe',
    status: 'derived',
    formula: 'sqrt(T ln d) + T^(2/5) ln(d)^(4/5) / eps^(3/5)',
    source: DERIVED,
    alternatives: [[HEDGE, { rounds: 2 / 5, logs: 4 / 5, privacy: 3 / 5 }]],
  },
  {
    id: 'perturbed-leader',
    status: 'derived',
    formula: 'sqrt(T ln d) + sqrt(d ln d) / eps',
    source: LEADER,
    alternatives: [[HEDGE, { rounds: 0, size: 1 / 2, logs: 1 / 2, privacy: 1 }]],
  },
  {
    id: 'afkt23',
    status: 'other',
    formula: 'sqrt(T ln d) + min{T^(1/3) ln(d) / eps, T^(2/5) ln(d) / eps^(4/5)}',
    source: 'Asi, Feldman, Koren, Talwar 2023',
    alternatives: [
      [HEDGE, { rounds: 1 / 3, logs: 1, privacy: 1 }],
      [HEDGE, { rounds: 2 / 5, logs: 1, privacy: 4 / 5 }],
    ],
  },
  {
    id: 'as17',
    status: 'other',
    formula: 'sqrt(T ln d) + sqrt(d) ln(d) / eps',
    source: 'Agarwal, Singh 2017',
    alternatives: [[HEDGE, { rounds: 0, size: 1 / 2, logs: 1, privacy: 1 }]],
  },
  {
    id: 'non-private',
    status: 'other',
    formula: 'sqrt(T ln d)',
    source: 'Freund, Schapire 1997',
    alternatives: [[HEDGE]],
  },
];

/**
 * Rates for convex optimisation in d dimensions, in units of L D. Of L2P as proved: privacy asks of the switch
 * probability s >= 2 beta / epsilon and epsilon^2 >= (T s / B) 2 beta / lambda, and the safe regret has the terms lambda,
 * d / beta and T B / lambda; with 1 <= B <= 1 / epsilon their least maximum is the printed one.
 */
const CONVEX: readonly Rate[] = [
  {
    id: 'l2p',
    status: 'claimed',
    formula: 'sqrt(T) + T^(1/3) sqrt(d) / eps^(2/3)',
    source: `${PAPER}, Thm 3.12`,
    alternatives: [[ROOT, { rounds: 1 / 3, size: 1 / 2, privacy: 2 / 3 }]],
  },
  {
    id: 'l2p-safe',
    status: 'derived',
    formula: 'sqrt(T) + T^(2/5) d^(2/5) / eps^(3/5) + T^(1/3) (d / eps)^(2/3)',
    source: DERIVED,
    alternatives: [
      [ROOT, { rounds: 2 / 5, size: 2 / 5, privacy: 3 / 5 }, { rounds: 1 / 3, size: 2 / 3, privacy: 2 / 3 }],
    ],
  },
  {
    id: 'regularised-leader',
    status: 'derived',
    formula: 'sqrt(T) + d^(1/4) sqrt(T) / sqrt(eps)',
    source: LEADER,
    alternatives: [[ROOT, { rounds: 1 / 2, size: 1 / 4, privacy: 1 / 2 }]],
  },
  {
    id: 'akst23',
    status: 'other',
    formula: 'sqrt(T) + T^(1/3) sqrt(d) / eps + T^(3/8) sqrt(d) / eps^(3/4)',
    source: 'Agarwal, Kale, Singh, Thakurta 2023',
    alternatives: [[ROOT, { rounds: 1 / 3, size: 1 / 2, privacy: 1 }, { rounds: 3 / 8, size: 1 / 2, privacy: 3 / 4 }]],
  },
  {
    id: 'kms21',
    status: 'other',
    formula: 'd^(1/4) sqrt(T) / sqrt(eps)',
    source: 'Kairouz, McMahan, Song, Thakkar, Thakurta, Xu 2021',
    alternatives: [[{ rounds: 1 / 2, size: 1 / 4, privacy: 1 / 2 }]],
  },
  {
    id: 'non-private',
    status: 'other',
    formula: 'sqrt(T)',
    source: 'Zinkevich 2003',
    alternatives: [[ROOT]],
  },
];

/** The rates of Table 1 and Figure 1, L2P first. */
export const RATES: Readonly<Record<Problem, readonly Rate[]>> = { ope: EXPERTS, oco: CONVEX };

const smallest = (values: readonly number[]): number => values.reduce((min, value) => Math.min(min, value), Infinity);
const largest = (values: readonly number[]): number => values.reduce((max, value) => Math.max(max, value), -Infinity);

/**
 * beta, where the regret is T^beta for epsilon = T^-alpha and d = T^gamma up to logarithms; at most 1, since no regret
 * is above T.
 */
export const exponentOf = ({ alternatives }: Rate, alpha: number, gamma: number): number =>
  Math.min(
    1,
    smallest(
      alternatives.map((sum) =>
        largest(sum.map(({ rounds, size = 0, privacy = 0 }) => rounds + size * gamma + privacy * alpha)),
      ),
    ),
  );

/** The rate with constant 1; at most T, since no regret is above it. */
export const regretOf = ({ alternatives }: Rate, rounds: number, d: number, epsilon: number): number =>
  Math.min(
    rounds,
    smallest(
      alternatives.map((sum) =>
        sum.reduce((total, term) => {
          const { size = 0, privacy = 0, logs = 0 } = term;
          return total + rounds ** term.rounds * d ** size * epsilon ** -privacy * Math.log(d) ** logs;
        }, 0),
      ),
    ),
  );

/** The size of what thirds and halves in binary leave of 0. */
const ROUNDING = 1e-12;

/** The largest alpha up to which a rate is no more than T^(1/2): privacy for free; null where that is never so. */
export function freeUntil({ alternatives }: Rate, gamma: number): number | null {
  const limits = alternatives.map((sum) =>
    smallest(
      sum.map(({ rounds, size = 0, privacy = 0 }) => {
        const rest = 1 / 2 - rounds - size * gamma;
        if (Math.abs(rest) < ROUNDING) return privacy === 0 ? Infinity : 0;
        return privacy === 0 ? rest * Infinity : rest / privacy;
      }),
    ),
  );
  const limit = largest(limits);
  return limit >= 0 ? limit : null;
}

/** gamma of d = T^gamma, with how it is written. */
interface Gamma {
  readonly value: number;
  readonly text: string;
}

/** Exponents over alpha, or rates over epsilon. */
export type RatesQuestion =
  | { readonly kind: 'exponents'; readonly problem: Problem; readonly gamma: Gamma; readonly at: readonly Decimal[] }
  | {
      readonly kind: 'rates';
      readonly problem: Problem;
      /** T. */
      readonly rounds: number;
      /** d. */
      readonly size: number;
      readonly at: readonly Decimal[];
    };

/** One rate at every alpha or epsilon. */
export interface RateRow {
  readonly rate: Rate;
  readonly values: readonly number[];
  /** Exponents: the largest alpha at which it is 1/2; null where there is none, or the question is another. */
  readonly freeUntil: number | null;
}

/** All rates of a problem. */
export interface RateTable {
  readonly question: RatesQuestion;
  readonly rows: readonly RateRow[];
}

/** The parts of Figure 1: convex losses in d = polylog T and in d = T^(1/3), and d = T experts. */
export const FIGURES = {
  a: { problem: 'oco', gamma: { value: 0, text: '0' } },
  b: { problem: 'oco', gamma: { value: 1 / 3, text: '1/3' } },
  c: { problem: 'ope', gamma: { value: 1, text: '1' } },
} as const satisfies Record<string, { readonly problem: Problem; readonly gamma: Gamma }>;

/** Every rate of the problem, L2P as claimed and as proved first, then prior work. */
export function rateTable(question: RatesQuestion): RateTable {
  const rows = RATES[question.problem].map((rate): RateRow => {
    if (question.kind === 'rates') {
      const values = question.at.map((epsilon) => regretOf(rate, question.rounds, question.size, epsilon.toNumber()));
      return { rate, values, freeUntil: null };
    }
    const { value } = question.gamma;
    return {
      rate,
      values: question.at.map((alpha) => exponentOf(rate, alpha.toNumber(), value)),
      freeUntil: freeUntil(rate, value),
    };
  });
  return { question, rows };
}
