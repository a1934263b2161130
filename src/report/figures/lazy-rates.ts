import { FIGURES as PARTS, rateTable, type RateId, type RateRow, type RateStatus } from '../../lazy/rates/rates.ts';
import { Decimal } from '../../numeric/decimal.ts';
import type { ChartLine, Panel } from '../chart/chart.ts';
import { listed } from '../kit/prose.ts';
import { NAMES, sizeText } from '../lazy/rates.ts';
import type { Figure } from './figure.ts';

type Part = keyof typeof PARTS;

/** From 0 to 1 in steps of 1/48: every bend of a line is at a multiple of 1/12. */
const ALPHAS = Array.from({ length: 49 }, (_, index) => new Decimal(index / 48));

/** The lines, by their names in the paper; as17 is in its Table 1 only. */
const LINES: Readonly<Partial<Record<RateId, string>>> = {
  l2p: 'L2P, claimed',
  'l2p-safe': 'L2P, as proved here',
  akst23: 'AKST23b',
  kms21: 'KMS+21',
  afkt23: 'AFKT23b',
  'non-private': 'non-private',
};

const STROKES = { claimed: 'dashed', derived: 'solid', other: 'dotted' } as const satisfies Record<
  RateStatus,
  ChartLine['stroke']
>;

function line({ rate, values }: RateRow): ChartLine[] {
  const name = LINES[rate.id];
  if (name === undefined) return [];
  const points = ALPHAS.map((alpha, at) => ({ x: alpha.toNumber(), lower: null, upper: values[at] ?? null }));
  return [{ name, stroke: STROKES[rate.status], points }];
}

const rowsOf = (part: Part): readonly RateRow[] => rateTable({ kind: 'exponents', ...PARTS[part], at: ALPHAS }).rows;

const panel = (part: Part): Panel => ({
  title: `(${part}) ${NAMES[PARTS[part].problem]}, ${sizeText(PARTS[part].gamma.text)}`,
  x: { label: 'α, for privacy ε = T^-α', scale: 'linear' },
  y: { label: 'exponent β of the regret T^β', scale: 'linear' },
  lines: rowsOf(part).flatMap(line),
});

/** `AKST23b (Agarwal, Kale, Singh, Thakurta 2023)` for each line of prior work. */
function priorWork(): string {
  const rates = (['a', 'c'] as const).flatMap((part) => rowsOf(part).map(({ rate }) => rate));
  return listed(
    rates
      .filter(({ id, status }) => status === 'other' && id !== 'non-private')
      .flatMap(({ id, source }) => (LINES[id] === undefined ? [] : [`${LINES[id]} (${source})`])),
  );
}

/** Figure 1 of Asi, Koren, Liu and Talwar (2024): exponents of the regret over those of epsilon; what is proved, apart. */
export const lazyRates: Figure = {
  name: 'lazy-rates',
  summary: 'regret exponents of online learning by L2P: as claimed, as proved here, and of prior work',
  reference: 'Asi, Koren, Liu, Talwar 2024, Fig 1',
  draw: () => ({
    title: 'Regret T^β of private online learning with ε = T^-α: L2P as claimed and as proved here, and prior work',
    description:
      'Three panels of lines over α from 0 to 1: convex optimisation in polylog T dimensions and in T^(1/3), and prediction from T experts. Without privacy β is 1/2. L2P as claimed stays at 1/2 up to α of 1/4 in the first and the third panel and is below all prior work after 1/6; in the second it leaves 1/2 at once and is below prior work up to α of 1/2, where KMS+21 crosses it. L2P as proved here leaves 1/2 at α of 1/6 in the first and the third panel, where the best prior work does, and is below prior work from there on; in the second it begins above 1/2, and some prior work is always as low or lower.',
    notes: [
      'After Figure 1 of Asi, Koren, Liu and Talwar (2024), computed again. Logarithmic factors are left out, and no exponent is above 1.',
      'Dashed: claimed by the paper; it rests on its Proposition 3.3, which is not proved. Solid: proved here, the rate of the safe regret of lazy plan, which the paper does not draw; in (b) it is nowhere below the best prior work.',
      `Dotted: prior work as the paper states it, ${priorWork()}.`,
    ],
    panels: (['a', 'b', 'c'] as const).map(panel),
  }),
};
