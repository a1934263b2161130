import type { Decimal } from '../../numeric/decimal.ts';
import { exponentOf, freeUntil, RATES, regretOf, type Problem, type Rate } from './rates.ts';

/** gamma of d = T^gamma, with how it is written. */
export interface Gamma {
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
