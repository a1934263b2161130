import type { Divergence } from '../../composition/risk/divergence.ts';
import type { Risk } from '../../composition/risk/risk.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import { csvText } from '../kit/csv.ts';

interface Row {
  readonly risk: string;
  /** The false-positive rate, the baseline or the order. */
  readonly at: Decimal | null;
  readonly prior: Decimal | null;
  readonly value: Bracket;
}

const row = (risk: string, value: Bracket, at: Decimal | null = null, prior: Decimal | null = null): Row => ({
  risk,
  at,
  prior,
  value,
});

const orderOf = (divergence: Divergence): Decimal | null => (divergence.kind === 'renyi' ? divergence.order : null);

const rowsOf = ({ advantage, guesses, tests, reconstructions, leakedBits, divergences }: Risk): Row[] => [
  row('advantage', advantage),
  ...guesses.map(({ prior, success }) => row('guess', success, null, prior)),
  ...tests.flatMap(({ falsePositiveRate: at, truePositiveRate, predictive }) => [
    row('true-positive-rate', truePositiveRate, at),
    ...predictive.map(({ prior, value }) => row('positive-predictive-value', value, at, prior)),
  ]),
  ...reconstructions.map(({ baseline, success }) => row('reconstruction', success, baseline)),
  row('leaked-bits', leakedBits),
  ...divergences.map(({ divergence, value }) => row(divergence.kind, value, orderOf(divergence))),
];

/** Risks as comma-separated values (RFC 4180), one in each record; no field needs quotes. */
export const riskCsv = (risk: Risk): string =>
  csvText(rowsOf(risk), [
    'risk',
    ['at', ({ at }) => at?.toString() ?? null],
    ['prior', ({ prior }) => prior?.toString() ?? null],
    ['lower', ({ value }) => value.lower],
    ['upper', ({ value }) => value.upper],
  ]);
