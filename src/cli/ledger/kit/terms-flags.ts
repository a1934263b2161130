import { lacking, conflict, type UsageMistake } from '../../kit/usage-error.ts';
import {
  CONCURRENCIES,
  DELTAS,
  MODES,
  ON_EXCESS,
  type RuleId,
  impliedRule,
  RULE_IDS,
  type FilterTerms,
  type FixedParameterTerms,
  type Mode,
  type OnExcess,
  type Terms,
} from '../../../ledger/rules/terms.ts';
import { Decimal, ONE } from '../../../numeric/decimal.ts';
import type { InvalidTerms } from '../../../ledger/rules/refusal.ts';
import { decimalText } from '../../../output/kit/number.ts';
import { listed } from '../../../output/kit/prose.ts';
import { quote, shorten } from '../../../document/core/quote.ts';
import type { InputError } from '../../../document/core/specification.ts';
import {
  textOption,
  type Optional,
  inGroup,
  textsOption,
  wordOption,
  type DeclaredOption,
  type ValuesOf,
} from '../../kit/option.ts';
import { readNumberOption, wholeNumber, aboveZero } from '../../kit/number-option.ts';
import { BOUND_IDS, type BoundId } from '../../../bounds/core/bound.ts';
import type { Entry } from '../../../privacy/mechanism.ts';
import { relationIn } from '../../../document/structure/relation.ts';
import { didYouMean } from '../../../document/core/suggest.ts';
import {
  AMOUNT_NAMES,
  BUDGET,
  optionOf,
  orUsual,
  readAmounts,
  readRule,
  readWord,
  type AmountFlags,
} from './budget-flags.ts';

/** Where the numbers of terms are typed, by their places in the terms. */
const TYPED: Readonly<Record<string, string>> = {
  'rule.delta': '--delta',
  'rule.deltaPrime': optionOf('deltaPrime'),
  'rule.alpha': optionOf('alpha'),
  'rule.alphas': optionOf('orders'),
  'budget.epsilon': '--epsilon',
  'budget.delta': '--delta',
  'budget.rho': '--rho',
  'budget.mu': '--mu',
  'budget.epsilons': optionOf('orders'),
  maxMechanisms: '--terms max-mechanisms',
  distance: '--terms distance',
};

/** A part of delta that pays for the conversion, at most half of all. */
const halfOf = (delta: string): string => decimalText(new Decimal(delta).div(2), 'down');

/** Terms that no ledger can have, at the option that gives them. */
export function invalidTerm({ path, allowed }: InvalidTerms, given: GivenTerms): UsageMistake {
  const flag = TYPED[path] ?? path;
  const { delta, deltaPrime } = given;
  if (path !== 'rule.deltaPrime' || delta === undefined || deltaPrime === undefined) {
    return { code: 'invalid-terms', path: flag, message: `must be ${allowed}`, hint: `Correct ${flag}.` };
  }
  const message = `must be ${allowed} ${shorten(delta)}, got ${quote(deltaPrime)}`;
  return { code: 'invalid-terms', path: flag, message, hint: `For example: ${flag}=${halfOf(delta)}` };
}

/** What a ledger may fix besides its budget and its rule: for each key its values, the usual one first, and what it is. */
const KEYED = {
  'on-excess': [ON_EXCESS, 'deny what exceeds the budget and continue, or halt for good'],
  concurrency: [CONCURRENCIES, 'interactive mechanisms: concurrently, or one after the other'],
  'max-mechanisms': ['N', 'largest number of mechanisms'],
  distance: ['D', 'distance between the data sets compared (default: 1)'],
  evidence: [['optional', 'required'], 'launch only with a hash of evidence (nested: as the payer)'],
  refusals: [['unrecorded', 'recorded'], 'also record denied requests'],
  conversions: [['forbidden', 'allowed'], 'let a filter become an odometer, so that its budget can be raised'],
  'delta-prime': ['D', 'part of delta for the conversion (default: all), the rest: mechanisms'],
  deltas: [DELTAS, "composition of the mechanisms' own deltas"],
  alpha: ['A', 'Renyi order of epsilon'],
  orders: ['A:E;...', 'Renyi orders, each with its epsilon'],
} as const satisfies Readonly<Record<string, readonly [values: string | readonly [string, ...string[]], what: string]>>;

/** Keys of lines of budgets that have another name in --terms. */
const AS_IN_BUDGETS: Readonly<Record<string, string>> = {
  'require-evidence': 'In --terms this is evidence=required.',
  'record-refusals': 'In --terms this is refusals=recorded.',
  'fixed-budget': 'In --terms this is conversions=forbidden, the default.',
};

type Key = keyof typeof KEYED;
const KEYS = Object.keys(KEYED) as Key[];
const TERM = '--terms';

/** A key of --terms as the name of its value. */
export const camelCase = (key: string): string => key.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** The values of --terms, each under its key in camel case; what is given of a rule among them. */
type TermValues = AmountFlags &
  Optional<
    Record<'onExcess' | 'concurrency' | 'maxMechanisms' | 'distance' | 'evidence' | 'refusals' | 'conversions', string>
  >;

/** The option --terms, for all keys or some; those that are none of these go to the mistakes. */
export const termsOption = (keys: readonly string[] = KEYS): DeclaredOption<TermValues> => ({
  ...textsOption(`${TERM} <KEY=VALUE>`, 'set a term, as listed below (repeatable)'),
  read(typed, errors) {
    const values: Record<string, string> = {};
    for (const text of Array.isArray(typed) ? (typed as readonly string[]) : []) {
      const [, key = '', value = ''] = /^([^=]*)=([^]*)$/.exec(text) ?? [];
      const name = camelCase(key);
      if (!keys.includes(key)) {
        const message = `must be KEY=VALUE with one of ${listed(keys, 'or')}, got ${quote(text)}`;
        const hint = AS_IN_BUDGETS[key] ?? `${didYouMean(key, keys)}For example: ${TERM} on-excess=halt`;
        errors.push({ code: 'malformed-flag', path: TERM, message, hint });
      } else if (values[name] !== undefined) {
        const message = 'is given more than once';
        errors.push({ code: 'repeated-option', path: `${TERM} ${key}`, message, hint: 'Keep one.' });
      } else values[name] = value;
    }
    return values;
  },
});

/** What help says of keys of --terms, all or some. */
export const termsHelp = (keys: readonly Key[] = KEYS): string =>
  `\nTerms, the default first:\n${keys
    .map((key) => `  ${key}=${[KEYED[key][0]].flat().join('|')}\n      ${KEYED[key][1]}\n`)
    .join('')}`;

/** The options that say what a ledger is to be. */
export const TERMS = {
  ...inGroup('Budget:', BUDGET),
  ...inGroup('Description:', {
    rule: textOption('--rule <RULE>', `composition rule: ${RULE_IDS.join(', ')}; for a compositor, a bound of compose`),
    mode: wordOption('--mode <MODE>', 'filter (default), odometer, compositor', MODES, orUsual(MODES)),
    neighbours: textOption('--neighbours <TEXT>', 'neighboring relation, in your words'),
    terms: termsOption(),
  }),
};

/** What is given of a ledger: its options, and the values of --terms. */
export type GivenTerms = TermValues & Optional<Omit<ValuesOf<typeof TERMS>, 'terms'>>;

/** The options of a ledger, with the values of --terms among them. */
export const givenTerms = ({ terms, ...flags }: Optional<ValuesOf<typeof TERMS>>): GivenTerms => ({
  ...flags,
  ...terms,
});

const isRule = (id: string): id is RuleId => (RULE_IDS as readonly string[]).includes(id);
const isBound = (id: string): id is BoundId => (BOUND_IDS as readonly string[]).includes(id);

const NO_RULE: InputError = {
  code: 'missing-option',
  path: '--rule',
  message: 'the composition rule is missing, and you cannot change it later',
  hint: 'With --epsilon and --delta, add --rule zcdp-optimal for many small mechanisms, mostly with delta 0. Use approximate-dp if they have larger deltas, and basic for few large ones.',
};

const NO_BUDGET: InputError = {
  code: 'missing-option',
  path: '--epsilon',
  message: 'the budget is missing',
  hint: 'Give --epsilon 1, --epsilon 1 --delta 1e-6 --rule zcdp-optimal, --rho 0.05, or --mu 0.5; or --mode odometer --rule pure for an odometer without a budget.',
};

const isAmountGiven = (flags: GivenTerms): boolean => AMOUNT_NAMES.some((name) => flags[name] !== undefined);

const NATURAL = {
  message:
    'the natural filter, which composes loss distributions until the budget is reached, is not private in general',
  hint: 'Use zcdp-optimal or gdp. If the mechanisms can be declared in advance, use --mode compositor --rule loss-distribution.',
};

/** Filters that are known elsewhere, by the names under which they are tried. */
const NOT_OFFERED: Readonly<Record<string, Pick<InputError, 'message' | 'hint'>>> = {
  natural: NATURAL,
  pld: NATURAL,
  prv: NATURAL,
  'gdp-residue': {
    message: 'the residue filter of Regehr and others (2026) is not implemented: nobody here has checked its proof',
    hint: 'Use gdp, the filter of Gaussian DP whose proof is published.',
  },
};

function unknownRule(text: string, mode: Mode): InputError {
  const notOffered = mode === 'compositor' || !Object.hasOwn(NOT_OFFERED, text) ? undefined : NOT_OFFERED[text];
  if (notOffered !== undefined) return { code: 'unknown-rule', path: '--rule', ...notOffered };
  const words: readonly string[] = mode === 'compositor' ? BOUND_IDS : RULE_IDS;
  const hint = `${didYouMean(text, words)}The rules are ${RULE_IDS.join(', ')}; in a compositor, a bound such as dp-optimal.`;
  return { code: 'unknown-rule', path: '--rule', message: `unknown rule ${quote(text)}`, hint };
}

type Worded = { [K in Key]: (typeof KEYED)[K][0] extends readonly string[] ? K : never }[Key];

/** The word that is given for a key, or its usual one. */
function wordOf<K extends Worded>(key: K, text: string | undefined, errors: InputError[]) {
  const words: readonly [(typeof KEYED)[K][0][number], ...(typeof KEYED)[K][0][number][]] = KEYED[key][0];
  return readWord(`${TERM} ${key}`, text, words, errors);
}

const MAX_MECHANISMS = wholeNumber(`${TERM} max-mechanisms`, '100');
const DISTANCE = aboveZero(`${TERM} distance`, '1');

/** Reads the terms that ledgers of every mode have. */
function readCommon(typed: GivenTerms, errors: InputError[]) {
  const maxMechanisms = readNumberOption(typed.maxMechanisms, MAX_MECHANISMS, errors)?.toNumber() ?? null;
  const distance = readNumberOption(typed.distance, DISTANCE, errors) ?? ONE;
  const concurrency = wordOf('concurrency', typed.concurrency, errors);
  const evidence = wordOf('evidence', typed.evidence, errors);
  const refusals = wordOf('refusals', typed.refusals, errors);
  return {
    concurrency,
    maxMechanisms,
    distance,
    neighbours: typed.neighbours === undefined ? null : relationIn(typed.neighbours),
    ...(evidence === 'required' && { evidence }),
    ...(refusals === 'recorded' && { refusals }),
  };
}

/** Reads what becomes of what does not fit. */
export const readOnExcess = ({ onExcess }: GivenTerms, errors: InputError[]): OnExcess =>
  wordOf('on-excess', onExcess, errors);

/** Reads whether a filter may become an odometer, as a term that is left out where it may. */
export const readConversions = (
  { conversions }: GivenTerms,
  errors: InputError[],
): Pick<FilterTerms, 'conversions'> => {
  const word = wordOf('conversions', conversions, errors);
  return word === 'forbidden' ? { conversions: word } : {};
};

/**
 * Reads what a ledger is to be; `declared`: the mechanisms of a compositor. What is wrong goes to `errors`, and the result
 * means something only where nothing is.
 */
export function readTerms(
  flags: GivenTerms,
  declared: readonly Entry[],
  errors: InputError[],
): Terms | FixedParameterTerms {
  const { mode = 'filter' } = flags;
  const common = readCommon(flags, errors);
  const onExcess = readOnExcess(flags, errors);
  const conversions = readConversions(flags, errors);
  if (mode === 'odometer' && flags.onExcess !== undefined) {
    const hint = 'Omit it: an odometer has no budget to exceed.';
    errors.push(conflict(`${TERM} on-excess`, 'is not for an odometer', hint));
  }
  if (mode !== 'filter' && flags.conversions !== undefined) {
    const hint = `Omit it: ${mode === 'odometer' ? 'an odometer has no budget' : 'a compositor is never converted'}.`;
    errors.push(conflict(`${TERM} conversions`, `is not for ${mode}s`, hint));
  }
  if (mode === 'compositor') return readCompositor(flags, declared, { ...common, onExcess }, errors);
  if (declared.length > 0) {
    const hint = 'Omit it, and launch mechanisms with "ledger spend"; or add --mode compositor.';
    errors.push(conflict('-m', `is not declared in a ${mode}`, hint));
  }
  const id = flags.rule ?? impliedRule(flags);
  if (id !== null && isBound(id) && !isRule(id)) return { mode, bound: id };
  if (id === null || !isRule(id)) {
    errors.push(id !== null ? unknownRule(id, mode) : isAmountGiven(flags) ? NO_RULE : NO_BUDGET);
    return { mode, bound: 'dp-optimal' };
  }
  const { rule, budget } = readRule(id, flags, mode, errors);
  return (
    mode === 'odometer' ? { mode, rule, ...common } : { mode, rule, budget, onExcess, ...common, ...conversions }
  ) as Terms;
}

function readCompositor(
  flags: GivenTerms,
  declared: readonly Entry[],
  common: ReturnType<typeof readCommon> & { readonly onExcess: OnExcess },
  errors: InputError[],
): Terms {
  const values = readAmounts(flags, { needs: ['epsilon', 'delta'], optional: [], by: 'a compositor' }, errors);
  const bound = flags.rule;
  if (bound === undefined) {
    const hint = 'Give the bound that "dpcompose compose" marks for your mechanisms, such as dp-optimal.';
    errors.push(lacking('--rule', 'the composition rule is missing', hint));
  } else if (!isBound(bound)) {
    errors.push(unknownRule(bound, 'compositor'));
  } else if (bound === 'br-nonadaptive') {
    const hint = 'Use br-adaptive or another bound for adaptively chosen mechanisms.';
    const message = 'br-nonadaptive holds only where every mechanism is fixed at the start';
    errors.push({ code: 'unknown-rule', path: '--rule', message, hint });
  }
  if (declared.length === 0) {
    const hint = 'Declare what may be launched: -m dp:epsilon=0.1,count=100, or a specification file.';
    errors.push(lacking('-m', 'a compositor declares its mechanisms', hint));
  }
  return { mode: 'compositor', bound, declared, budget: values, ...common } as Terms;
}
