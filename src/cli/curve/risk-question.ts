import type { RiskMeasure } from '../../composition/risk-curve/risk-curve.ts';
import { ascending } from '../../numeric/ascending.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { InputError } from '../../document/core/specification.ts';
import { atLeastZero, probability } from '../kit/number-option.ts';
import { readSeriesOption, type SeriesRange } from '../kit/series-option.ts';
import type { CurveFlags } from './question.ts';

/** Where a trade-off function is asked for, as typed. */
export interface RiskFlags {
  readonly fpr?: string;
}

const FPR: SeriesRange = { ...probability('--fpr', '0:1/50'), step: 'sum', points: 'real' };
const EPSILON: SeriesRange = { ...atLeastZero('--epsilon', '0:5:0.1'), step: 'sum', points: 'real' };

const conflict = (path: string, message: string, hint: string): InputError => ({
  code: 'conflicting-options',
  path,
  message,
  hint,
});

/** Several documents where there is one line for each bound. */
export const severalDocuments = (source: string): InputError =>
  conflict(
    source,
    'a curve of costs is of one document',
    'Add --of tradeoff or --of profile, which have a line for each.',
  );

/** False-positive rates where none are asked for. */
export const forTradeoff = (): InputError =>
  conflict('--fpr', '--fpr is where a trade-off function is asked for', 'Add --of tradeoff.');

const COST_ONLY = ['count', 'times', 'vary', 'delta'] as const;

/** Reads where the values of a measure are asked for; null where that is left out. What is wrong goes to `errors`. */
export function readRiskQuestion(
  of: RiskMeasure,
  flags: CurveFlags & RiskFlags,
  errors: InputError[],
): readonly Decimal[] | null {
  const others = [...COST_ONLY, ...(of === 'tradeoff' ? (['epsilon'] as const) : (['fpr'] as const))];
  for (const name of others.filter((each) => flags[each] !== undefined)) {
    const own = of === 'tradeoff' ? '--fpr' : '--epsilon';
    errors.push(conflict(`--${name}`, `--${name} does not go with --of ${of}`, `Leave it out; ${own} says where.`));
  }
  const [text, range] = of === 'tradeoff' ? [flags.fpr, FPR] : [flags.epsilon, EPSILON];
  return text === undefined ? null : ascending(readSeriesOption(text, range, errors));
}
