import type { Divergence } from '../../composition/risk/divergence.ts';
import { FIT_RATE } from '../../composition/risk/fit-rate.ts';
import type { RiskQuestion } from '../../composition/risk/risk.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { grouped } from '../../report/kit/prose.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { didYouMean } from '../../document/core/suggest.ts';
import { readNumberOption, type NumberRange } from '../kit/number-option.ts';
import { readSeriesOption, type SeriesRange } from '../kit/series-option.ts';

/** The risks that are asked for, as typed. */
export interface RiskFlags {
  readonly prior?: string;
  readonly fpr?: string;
  readonly baseline?: string;
  readonly divergence?: string;
  readonly gaussian?: string | true;
}

/** Chances of what is neither certain nor impossible. */
const chances = (flag: string, example: string, step: SeriesRange['step']): SeriesRange => ({
  flag,
  allowed: 'a number above 0 and below 1',
  example,
  contains: (value) => value.gt(0) && value.lt(1),
  step,
  points: 'real',
});

const SERIES = {
  prior: chances('--prior', '0.5,0.1', 'sum'),
  fpr: chances('--fpr', '0.1,0.01', 'tenfold'),
  baseline: chances('--baseline', '0.1', 'sum'),
};

const USUAL = { prior: '0.5', fpr: '0.1,0.01,0.001' };

const ORDER: NumberRange = {
  flag: '--divergence',
  allowed: 'an order above 1 after renyi:',
  example: 'renyi:2',
  contains: (value) => value.gt(1),
};

/** The words of --divergence that are complete. */
export const DIVERGENCE_WORDS = ['kl', 'tv', 'renyi:2'] as const;

/** A value is right for each prior at each rate: more of them nobody reads. */
const MOST_PREDICTIVE = 10_000;

/** Each once, in the order in which they are given. */
const once = (values: readonly Decimal[]): readonly Decimal[] => {
  const seen = new Set<string>();
  return values.filter((value) => {
    const text = value.toString();
    return !seen.has(text) && seen.add(text);
  });
};

function readDivergence(word: string, errors: InputError[]): readonly Divergence[] {
  if (word === 'kl') return [{ kind: 'kl' }];
  if (word === 'tv') return [{ kind: 'total-variation' }];
  const [, order] = /^renyi:(.*)$/.exec(word) ?? [];
  if (order !== undefined) {
    const alpha = readNumberOption(order, ORDER, errors);
    return alpha === undefined ? [] : [{ kind: 'renyi', order: alpha }];
  }
  const message = `must be kl, tv or renyi:ALPHA, or several of these with commas, got ${quote(word)}`;
  const hint = `${didYouMean(word, DIVERGENCE_WORDS)}For example: --divergence kl,renyi:2`;
  errors.push({ code: 'unknown-value', path: '--divergence', message, hint });
  return [];
}

const MOST_DIVERGENCES = 100;

function readDivergences(text: string | undefined, errors: InputError[]): readonly Divergence[] {
  if (text === undefined) return [];
  const words = [...new Set(text.split(',').map((word) => word.trim()))];
  if (words.length > MOST_DIVERGENCES) {
    const message = `must have at most ${MOST_DIVERGENCES} values, got ${grouped(words.length)}`;
    errors.push({ code: 'too-many-values', path: '--divergence', message, hint: 'Ask in several parts.' });
    return [];
  }
  return words.flatMap((word) => readDivergence(word, errors));
}

const RATE: NumberRange = {
  flag: '--gaussian',
  allowed: 'a number from 1e-12 to 0.01',
  example: '1e-6',
  contains: (value) => value.gte(FIT_RATE.least) && value.lte(FIT_RATE.most),
};

/** The document that stands behind `--gaussian`, as if it were its rate, in its own place. */
export function withoutSource<Flags extends RiskFlags>(
  source: string | undefined,
  flags: Flags,
): { readonly source: string | undefined; readonly flags: Flags } {
  const { gaussian } = flags;
  const isRate = typeof gaussian !== 'string' || source !== undefined || !Number.isNaN(Number(gaussian));
  return isRate ? { source, flags } : { source: gaussian, flags: { ...flags, gaussian: true } };
}

/** A rate, the usual one where only the flag is given, or null where it is not. */
function readGaussian(text: string | true | undefined, errors: InputError[]): Decimal | null {
  if (text === undefined) return null;
  return readNumberOption(text === true ? String(FIT_RATE.usual) : text, RATE, errors) ?? null;
}

/** Reads which risks are asked for; what is wrong goes to `errors`. */
export function readRiskQuestion(flags: RiskFlags, errors: InputError[]): RiskQuestion {
  const read = (name: keyof typeof SERIES, usual?: string): readonly Decimal[] => {
    const text = flags[name] ?? usual;
    return text === undefined ? [] : once(readSeriesOption(text, SERIES[name], errors));
  };
  const priors = read('prior', USUAL.prior);
  const falsePositiveRates = read('fpr', USUAL.fpr);
  const values = priors.length * falsePositiveRates.length;
  if (values > MOST_PREDICTIVE) {
    const message = `must leave at most ${grouped(MOST_PREDICTIVE)} pairs with the priors, got ${grouped(values)}`;
    errors.push({ code: 'too-many-values', path: '--fpr', message, hint: 'Ask in several parts.' });
  }
  const divergences = readDivergences(flags.divergence, errors);
  const gaussianRate = readGaussian(flags.gaussian, errors);
  return { priors, falsePositiveRates, baselines: read('baseline'), divergences, gaussianRate };
}
