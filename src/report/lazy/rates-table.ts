import type { RateRow, RateTable, RatesQuestion } from '../../lazy/rates/rate-table.ts';
import type { RateId } from '../../lazy/rates/rates.ts';
import type { Layout } from '../kit/columns.ts';
import { lazyHeading } from './kit/heading.ts';
import { aboutText } from './kit/number.ts';
import { givenText } from '../kit/number.ts';
import { pageText, paragraph } from '../kit/page.ts';
import { grouped } from '../kit/prose.ts';
import { table, type Column } from '../kit/table.ts';

/** The problems in words. */
export const NAMES = { ope: 'prediction from experts', oco: 'convex optimisation' } as const;

/** d as a power of T. */
export function sizeText(gamma: string): string {
  if (gamma === '0') return 'd = polylog T';
  if (gamma === '1') return 'd = T';
  return `d = T^${gamma.includes('/') ? `(${gamma})` : gamma}`;
}

function headingText(question: RatesQuestion): string {
  const what = NAMES[question.problem];
  return question.kind === 'exponents'
    ? `Regret exponents beta of ${what}: T^beta for epsilon = T^-alpha, ${sizeText(question.gamma.text)}`
    : `Regret rates of ${what} with constant 1: T ${grouped(question.rounds)}, d ${grouped(question.size)}`;
}

const L2P: Readonly<Partial<Record<RateId, string>>> = { l2p: 'L2P, claimed', 'l2p-safe': 'L2P, as proved here' };

function sourceText({ rate: { id, source } }: RateRow): string {
  const name = L2P[id];
  return name === undefined ? source : `${name} [${source}]`;
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
  const isOfExponents = question.kind === 'exponents';
  return pageText(
    [
      lazyHeading(headingText(question)),
      table(Array.from(question.at.keys()), [
        [isOfExponents ? 'alpha' : 'epsilon', (at) => givenText(question.at[at]!), { titled: true }],
        ...rows.map(({ rate, values }): Column<number> => [rate.id, (at) => aboutText(values[at] ?? NaN)]),
      ]),
      table(rows, [
        ['rate', ({ rate }) => rate.id, { titled: true }],
        ['formula', ({ rate }) => rate.formula],
        ['source', sourceText],
      ]),
      paragraph(isOfExponents ? free(rows) : null),
      paragraph(
        `Factors that are logarithmic in T or 1/delta are left out, and ${isOfExponents ? 'no exponent is above 1' : 'no rate is above T'}.${question.problem === 'ope' ? ' The second rate of afkt23 is printed without its factor in d: ln d is put in.' : ''} l2p rests on Proposition 3.3 of the paper, which is not proved; l2p-safe is the rate of the safe regret of lazy plan, ${question.problem === 'ope' ? 'perturbed-leader' : 'regularised-leader'} that of the leaders with noise among its other learners.`,
      ),
    ],
    layout,
  );
}
