import type { Divergence } from '../../composition/risk/divergence.ts';
import { FIT_RATE } from '../../composition/risk/fit-rate.ts';
import type { RiskQuestion } from '../../composition/risk/risk.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { grouped } from '../../report/kit/prose.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { didYouMean } from '../../document/core/suggest.ts';
import { properFraction, readNumberOption, type NumberRange } from '../kit/number-option.ts';
import { inGroup, seriesOption, textOption, type DeclaredOption, type ValuesOf } from '../kit/option.ts';
import type { SeriesRange } from '../kit/series-option.ts';

const chances = (example: string, step: SeriesRange['step']) => ({ example, step, points: 'real' as const });

const USUAL = {
  priors: [new Decimal('0.5')],
  rates: ['0.1', '0.01', '0.001'].map((rate) => new Decimal(rate)),
};

const ORDER: NumberRange = {
  flag: '--divergence',
  allowed: 'an order above 1 after renyi:',
  example: 'renyi:2',
  contains: (value) => value.gt(1),
};

/** The words of --divergence that are complete. */
const DIVERGENCE_WORDS = ['kl', 'tv', 'renyi:2'] as const;

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

function readDivergences(text: string, errors: InputError[]): readonly Divergence[] {
  const words = [...new Set(text.split(',').map((word) => word.trim()))];
  if (words.length > MOST_DIVERGENCES) {
    const message = `must have at most ${MOST_DIVERGENCES} values, got ${grouped(words.length)}`;
    errors.push({ code: 'too-many-values', path: '--divergence', message, hint: 'Ask in several parts.' });
    return [];
  }
  return words.flatMap((word) => readDivergence(word, errors));
}

const fitRate = (flag: string, example: string): NumberRange => ({
  flag,
  allowed: 'a number from 1e-12 to 0.01',
  example,
  contains: (value) => value.gte(FIT_RATE.least) && value.lte(FIT_RATE.most),
});

const GAUSSIAN = fitRate('--gaussian', '1e-6');

/** What stands behind `--gaussian`: nothing, its rate, or (as if it were that) the document. */
const gaussian: DeclaredOption<string | true | undefined> = {
  flags: '--gaussian [RATE]',
  about: 'the mu-GDP that fits, at error rates from RATE on (1e-6)',
  read: (typed) => (typeof typed === 'string' || typed === true ? typed : undefined),
};

/** The options of which risks are asked for. */
export const RISKS = inGroup('What is asked:', {
  prior: seriesOption(
    '--prior <P,...>',
    'how probable one of two data sets was before (0.5)',
    properFraction,
    chances('0.5,0.1', 'sum'),
  ),
  fpr: seriesOption(
    '--fpr <A,...>',
    'false-positive rates of a test (0.1,0.01,0.001)',
    properFraction,
    chances('0.1,0.01', 'tenfold'),
  ),
  baseline: seriesOption(
    '--baseline <K,...>',
    'chances of a guess without the results',
    properFraction,
    chances('0.1', 'sum'),
  ),
  divergence: {
    ...textOption('--divergence <D,...>', 'smallest divergences: kl, tv, renyi:ALPHA', () => DIVERGENCE_WORDS),
    read: (typed, errors) => (typeof typed === 'string' ? readDivergences(typed, errors) : []),
  },
  gaussian,
});

type RiskFlags = ValuesOf<typeof RISKS>;

/** The document that stands behind `--gaussian`; undefined where there is none. */
export const sourceIn = ({ gaussian: text }: Pick<RiskFlags, 'gaussian'>): string | undefined =>
  typeof text === 'string' && Number.isNaN(Number(text)) ? text : undefined;

/** Which risks are asked for; what is wrong goes to `errors`. */
export function riskQuestion(flags: RiskFlags, hasSource: boolean, errors: InputError[]): RiskQuestion {
  const { prior = USUAL.priors, fpr = USUAL.rates, baseline = [], divergence, gaussian: text } = flags;
  const [priors, falsePositiveRates] = [once(prior), once(fpr)];
  const values = priors.length * falsePositiveRates.length;
  if (values > MOST_PREDICTIVE) {
    const message = `must leave at most ${grouped(MOST_PREDICTIVE)} pairs with the priors, got ${grouped(values)}`;
    errors.push({ code: 'too-many-values', path: '--fpr', message, hint: 'Ask in several parts.' });
  }
  const isAlone = text === true || (!hasSource && sourceIn(flags) !== undefined);
  const rate = isAlone ? String(FIT_RATE.usual) : text;
  const gaussianRate = readNumberOption(rate, GAUSSIAN, errors) ?? null;
  return { priors, falsePositiveRates, baselines: once(baseline), divergences: divergence, gaussianRate };
}
