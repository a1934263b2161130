import type { RateRow, RateTable, RatesQuestion } from '../../lazy/rates/rate-table.ts';
import type { Layout } from '../kit/columns.ts';
import { aboutText } from './number.ts';
import { paragraphs, plainLine, section } from './sections.ts';
import { givenText } from '../kit/number.ts';
import { grouped } from '../kit/prose.ts';

/** What is learned, in words. */
export const NAMES = { ope: 'prediction from experts', oco: 'convex optimisation' } as const;

/** d as a power of T. */
export function sizeText(gamma: string): string {
  if (gamma === '0') return 'd = polylog T';
  if (gamma === '1') return 'd = T';
  return `d = T^${gamma.includes('/') ? `(${gamma})` : gamma}`;
}

function heading(question: RatesQuestion): string {
  const what = NAMES[question.problem];
  return question.kind === 'exponents'
    ? `Regret exponents beta of ${what}: T^beta for epsilon = T^-alpha, ${sizeText(question.gamma.text)}`
    : `Regret rates of ${what} with constant 1: T ${grouped(question.rounds)}, d ${grouped(question.size)}`;
}

const STATUS = { claimed: 'L2P, claimed', derived: 'L2P, as proved here', other: '' } as const;

function sources(rows: readonly RateRow[], layout: Layout): string {
  const lines = rows.map(({ rate }) => {
    const status = STATUS[rate.status];
    return plainLine(rate.id, rate.formula, status === '' ? rate.source : `${status} [${rate.source}]`);
  });
  return section(['rate', 'formula', 'source'], lines, layout);
}

/** Up to which alpha privacy costs nothing, by each rate that depends on it. */
function free(rows: readonly RateRow[]): string {
  const known = rows.filter(({ rate }) => rate.id !== 'non-private');
  const texts = known.map(({ rate, freeUntil }) =>
    freeUntil === null ? `${rate.id} nowhere` : `${rate.id} up to alpha ${aboutText(freeUntil)}`,
  );
  return `The exponent is 1/2, as without privacy: ${texts.join(', ')}.`;
}

/** Regret rates for a person: one row for each alpha or epsilon, and where each comes from. */
export function lazyRatesTable({ question, rows }: RateTable, layout: Layout): string {
  const first = question.kind === 'exponents' ? 'alpha' : 'epsilon';
  const lines = question.at.map((value, index) =>
    plainLine(givenText(value), ...rows.map(({ values }) => aboutText(values[index] ?? NaN))),
  );
  return paragraphs(
    [
      layout.style.heading(heading(question)),
      section([first, ...rows.map(({ rate }) => rate.id)], lines, layout),
      sources(rows, layout),
      ...(question.kind === 'exponents' ? [free(rows)] : []),
      `Factors that are logarithmic in T or 1/delta are left out, and ${question.kind === 'exponents' ? 'no exponent is above 1' : 'no rate is above T'}.${question.problem === 'ope' ? ' The second rate of afkt23 is printed without its factor in d: ln d is put in.' : ''} l2p rests on Proposition 3.3 of the paper, which is not proved; l2p-safe is the rate of the safe regret of lazy plan.`,
    ],
    layout,
  );
}
