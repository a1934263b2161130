import type { Divergence } from '../../composition/risk/divergence.ts';
import type { FittedGaussian, Risk } from '../../composition/risk/risk.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import { csvText } from '../kit/csv.ts';

interface Row {
  readonly risk: string;
  /** The false-positive rate, the baseline, the order, or the least error rate. */
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

/** Those with a rate are of the tests whose error rates are at least that, the other is of all. */
const gaussianRows = ({ rate, above, below, everywhere, regret }: FittedGaussian): Row[] => [
  row('gaussian-mu', { lower: below, upper: above }, rate),
  ...(everywhere === null ? [] : [row('gaussian-mu', { lower: null, upper: everywhere })]),
  ...(regret === null ? [] : [row('gaussian-regret', regret, rate)]),
];

const rowsOf = ({ advantage, guesses, tests, reconstructions, leakedBits, divergences, gaussian }: Risk): Row[] => [
  row('advantage', advantage),
  ...guesses.map(({ prior, success }) => row('guess', success, null, prior)),
  ...tests.flatMap(({ falsePositiveRate: at, truePositiveRate, predictive }) => [
    row('true-positive-rate', truePositiveRate, at),
    ...predictive.map(({ prior, value }) => row('positive-predictive-value', value, at, prior)),
  ]),
  ...reconstructions.map(({ baseline, success }) => row('reconstruction', success, baseline)),
  row('min-entropy-leakage', leakedBits.minEntropy),
  row('mutual-information', leakedBits.mutualInformation),
  ...divergences.map(({ divergence, value }) => row(divergence.kind, value, orderOf(divergence))),
  ...(gaussian === null ? [] : gaussianRows(gaussian)),
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
