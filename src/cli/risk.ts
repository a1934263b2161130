import type { RiskReport } from '../output/risk-words.ts';
import { uncheckedWarnings } from '../composition/design/design.ts';
import type { Divergence } from '../composition/risk/divergence.ts';
import { FIT_RATE } from '../composition/risk/fit-rate.ts';
import { USUAL_RISKS, type RiskOptions, type RiskQuestion } from '../composition/risk/risk.ts';
import { quote } from '../document/core/quote.ts';
import { ABOVE_ONE, numbersFrom } from '../privacy/mechanisms/parameters.ts';
import type { InputError } from '../document/core/specification.ts';
import { didYouMean } from '../document/core/suggest.ts';
import type { Decimal } from '../numeric/decimal.ts';
import { grouped } from '../output/kit/prose.ts';
import { commandOf, formsOf } from './kit/command.ts';
import { covered } from './kit/refusal.ts';
import { COMPOSED, composedFlags, specArgument, STRICT, WORK, workOf } from './kit/shared-options.ts';
import { loadSpecification } from './kit/load-specification.ts';
import { inGroup, seriesOption, textOption, type DeclaredOption, type ValuesOf } from './kit/option.ts';
import { properFraction, readNumberOption, type NumberRange } from './kit/number-option.ts';
import type { SeriesRange } from './kit/series-option.ts';

const chances = (example: string, step: SeriesRange['step']) => ({ example, step, points: 'real' as const });

/** The error rates from which on a Gaussian is fitted. */
const FIT_RATES = numbersFrom(FIT_RATE.least, FIT_RATE.most);

const ORDER: NumberRange = {
  ...ABOVE_ONE,
  flag: '--divergence',
  allowed: 'an order above 1 after renyi:',
  example: 'renyi:2',
};

/** The words of --divergence that are complete. */
const DIVERGENCE_WORDS = ['kl', 'tv', 'renyi:2'] as const;

/** A value is right for each prior at each rate: more of them nobody reads. */
const MOST_PREDICTIVE = 10_000;

/** Each once, in the order in which they are given. */
const once = (values: readonly Decimal[]): readonly Decimal[] => {
  const texts = new Set<string>();
  return values.filter((value) => {
    const text = value.toString();
    return !texts.has(text) && texts.add(text);
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

const GAUSSIAN: NumberRange = { ...FIT_RATES, flag: '--gaussian', example: '1e-6' };

/** What stands behind `--gaussian`: nothing, its rate, or (as if it were that) the document. */
const gaussian: DeclaredOption<string | true | undefined> = {
  flags: '--gaussian [RATE]',
  about: 'smallest mu-GDP, for error rates of at least RATE (default: 1e-6)',
  read: (typed) => (typeof typed === 'string' || typed === true ? typed : undefined),
};

/** The options of which risks are asked for. */
const RISKS = inGroup('Target:', {
  prior: seriesOption(
    '--prior <P,...>',
    'prior probability of membership (default: 0.5)',
    properFraction,
    chances('0.5,0.1', 'sum'),
  ),
  fpr: seriesOption(
    '--fpr <A,...>',
    'false-positive rates (default: 0.1,0.01,0.001)',
    properFraction,
    chances('0.1,0.01', 'tenfold'),
  ),
  baseline: seriesOption(
    '--baseline <K,...>',
    'success rates without the results',
    properFraction,
    chances('0.1', 'sum'),
  ),
  divergence: {
    ...textOption('--divergence <D,...>', 'bound these divergences: kl, tv, renyi:ALPHA', () => DIVERGENCE_WORDS),
    read: (typed, errors) => (typeof typed === 'string' ? readDivergences(typed, errors) : []),
  },
  gaussian,
});

type RiskFlags = ValuesOf<typeof RISKS>;

/** The document that stands behind `--gaussian`; undefined where there is none. */
const sourceIn = ({ gaussian: text }: Pick<RiskFlags, 'gaussian'>): string | undefined =>
  typeof text === 'string' && Number.isNaN(Number(text)) ? text : undefined;

/** Which risks are asked for; what is wrong goes to `errors`. */
function riskQuestion(flags: RiskFlags, hasSource: boolean, errors: InputError[]): RiskQuestion {
  const { priors: usualPriors, falsePositiveRates: usualRates } = USUAL_RISKS;
  const { prior = usualPriors, fpr = usualRates, baseline = [], divergence, gaussian: text } = flags;
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

const OPTIONS = { ...COMPOSED, ...RISKS, ...WORK(), ...STRICT };

const EXAMPLES = `
The attacker must distinguish two neighboring data sets, such as with and
without one record, and knows everything except which of the two it is:
  advantage        TPR minus FPR of the best attack
  --prior          success rate and precision (positive predictive value) of
                   membership inference at this prior
  --fpr            true-positive rate (TPR) of the best attack at this
                   false-positive rate (FPR)
  --baseline       success rate of attribute inference or reconstruction, for an
                   attacker whose success rate without results is at most this
  --gaussian       the smallest mu such that mu-GDP holds, and how loose that is
Each of --prior, --fpr and --baseline takes numbers and ranges, with commas
between them. A baseline has no default: it depends on data and attacker.

Examples:
  dpcompose risk privacy.json
  dpcompose risk -m gaussian:sigma=1 --prior 0.5,0.01 --fpr 0.1,1e-4
  dpcompose risk privacy.json --baseline 0.05 --divergence kl,renyi:2`;

/** `dpcompose risk`: what can be done with the results, in the terms of attacks. */
export const riskCommand = commandOf<RiskReport, typeof OPTIONS>({
  name: 'risk',
  about:
    'Certified bounds on the success of any attacker, for the worst-case data: membership inference, attribute inference and reconstruction. Prints lower bounds too, if they are known.',
  operands: [specArgument()],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(
    async (report) => (await import('../output/risk.ts')).riskOutput(report),
    'table',
    'json',
    'csv',
    'markdown',
  ),
  async read({ operands: [operand], flags, errors, io }) {
    const source = operand ?? sourceIn(flags);
    const work = workOf(flags);
    const question = riskQuestion(flags, operand !== undefined, errors);
    const origin = { command: 'risk', source, flags: composedFlags(flags), errors, io } as const;
    const specification = await loadSpecification(origin);
    const { risk } = await import('../composition/risk/risk.ts');
    return (report) => {
      let [what, share]: [string | null, number] = [null, 0];
      const callbacks: Pick<RiskOptions, 'progress' | 'answered'> = report
        ? {
            progress: (bound, done) => {
              report(what ?? bound, what === null ? done : share);
            },
            answered: (count, all) => {
              [what, share] = [`rate ${grouped(count + 1)} of ${grouped(all)}`, count / all];
              report(what, share);
            },
          }
        : {};
      const outcome = covered(risk(specification, question, { ...work, ...callbacks }), specification);
      const warnings = [...uncheckedWarnings(specification), ...outcome.risk.warnings];
      return { result: { risk: { ...outcome.risk, warnings }, specification }, warnings };
    };
  },
});
