import { lacking, conflict, type UsageMistake } from '../../kit/usage-error.ts';
import {
  CONCURRENCIES,
  DELTAS,
  MODES,
  ON_EXCESS,
  RULE_AMOUNTS,
  type Amount,
  type Rule,
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
  readOneOf,
  textOption,
  type Optional,
  inGroup,
  textsOption,
  wordOption,
  type DeclaredOption,
  type ValuesOf,
} from '../../kit/option.ts';
import {
  atLeastZero,
  budgeted,
  probability,
  ranged,
  readNumberOption,
  type NumberRange,
  wholeNumber,
  aboveZero,
} from '../../kit/number-option.ts';
import { BOUND_IDS, type BoundId } from '../../../bounds/core/bound.ts';
import type { Entry } from '../../../privacy/mechanism.ts';
import { ABOVE_ONE } from '../../../privacy/mechanisms/parameters.ts';
import { relationIn } from '../../../document/structure/relation.ts';
import { didYouMean } from '../../../document/core/suggest.ts';

/** What to write in place of a word that is none of these. */
const orUsual = ([usual]: readonly [string, ...string[]]): string => `Write one of these, or omit it for ${usual}.`;

/** One of several words; the first is the default. What is wrong goes to `errors`. */
function readWord<W extends string>(
  flag: string,
  text: string | undefined,
  words: readonly [W, ...W[]],
  errors: InputError[],
): W {
  return readOneOf(text, { flag, words, hint: orUsual(words) }, errors) ?? words[0];
}

/** The numbers of a rule and its budget, as typed. */
type AmountFlags = Optional<Record<Amount, string>>;

/** Every option of an amount, in the order in which they are asked for; those of one rule alone are terms. */
const OPTIONS = {
  epsilon: budgeted(atLeastZero)('--epsilon', '1'),
  delta: budgeted(probability)('--delta', '1e-6'),
  rho: budgeted(atLeastZero)('--rho', '0.05'),
  mu: budgeted(atLeastZero)('--mu', '0.5'),
  alpha: ranged(ABOVE_ONE)('--terms alpha', '8'),
  orders: { flag: '--terms orders', example: '2:0.1;8:0.5' },
  deltaPrime: probability('--terms delta-prime', '5e-7'),
  deltas: { flag: '--terms deltas', example: 'sum' },
} satisfies Record<Amount, NumberRange | Pick<NumberRange, 'flag' | 'example'>>;

/** The option of an amount as it is typed. */
export const optionOf = (name: Amount): string => OPTIONS[name].flag;

/** Every amount, in the order in which they are asked for. */
export const AMOUNT_NAMES = Object.keys(OPTIONS) as Amount[];

/** The options that say what budget a ledger is to have; which numbers they take is known with the rule. */
export const BUDGET = {
  epsilon: textOption('--epsilon <E>', 'epsilon'),
  delta: textOption('--delta <D>', 'delta'),
  rho: textOption('--rho <R>', 'rho budget (zCDP)'),
  mu: textOption('--mu <M>', 'mu budget (Gaussian DP)'),
};

const missing = ({ flag, example }: Pick<NumberRange, 'flag' | 'example'>, why: string): InputError =>
  lacking(flag, `${why} needs ${flag}`, `For example: ${flag}${flag.includes(' ') ? '=' : ' '}${example}`);

/** `2:0.1;8:0.5`, in ascending order; `2;8` where no epsilons are wanted. */
function readOrders(
  text: string,
  withEpsilons: boolean,
  errors: InputError[],
): { readonly alphas: Decimal[]; readonly epsilons: Decimal[] } {
  const pairs = text.split(';').map((pair) => pair.split(':').map((part) => part.trim()));
  const form = withEpsilons
    ? 'pairs ORDER:EPSILON with semicolons between them'
    : 'orders with semicolons between them';
  if (text.includes(',') || pairs.some((pair) => pair.length !== (withEpsilons ? 2 : 1))) {
    const hint = `For example: --terms 'orders=${withEpsilons ? OPTIONS.orders.example : '2;8'}', in quotes for the shell.`;
    errors.push({
      code: 'malformed-flag',
      path: OPTIONS.orders.flag,
      message: `must be ${form}, got ${quote(text)}`,
      hint,
    });
    return { alphas: [], epsilons: [] };
  }
  const at = (place: 0 | 1, name: 'alpha' | 'epsilon'): (Decimal | undefined)[] =>
    pairs.map((pair) => readNumberOption(pair[place] ?? '', { ...OPTIONS[name], flag: OPTIONS.orders.flag }, errors));
  const alphas = at(0, 'alpha');
  const epsilons = withEpsilons ? at(1, 'epsilon') : alphas;
  const rows = alphas.flatMap((alpha, i) => {
    const epsilon = epsilons[i];
    return alpha === undefined || epsilon === undefined ? [] : [{ alpha, epsilon }];
  });
  rows.sort((a, b) => a.alpha.comparedTo(b.alpha));
  return { alphas: rows.map(({ alpha }) => alpha), epsilons: withEpsilons ? rows.map(({ epsilon }) => epsilon) : [] };
}

type Values = Partial<Record<Exclude<Amount, 'orders' | 'deltas'>, Decimal>>;

/** The numbers that a rule takes; those it does not take, or lacks, go to `errors`. */
function readAmounts(
  flags: AmountFlags,
  amounts: { readonly needs: readonly Amount[]; readonly optional: readonly Amount[]; readonly by: string },
  errors: InputError[],
): Values {
  const values: Values = {};
  for (const name of AMOUNT_NAMES) {
    const text = flags[name];
    const needed = amounts.needs.includes(name);
    if (text === undefined) {
      if (needed) errors.push(missing(OPTIONS[name], amounts.by));
    } else if (!needed && !amounts.optional.includes(name)) {
      const takes = [...amounts.needs, ...amounts.optional].map((amount) => OPTIONS[amount].flag);
      const hint = `Omit it: ${amounts.by} takes ${takes.length === 0 ? 'no budget' : listed(takes)}.`;
      errors.push(conflict(OPTIONS[name].flag, `is not for ${amounts.by}`, hint));
    } else if (name !== 'orders' && name !== 'deltas') {
      const value = readNumberOption(text, OPTIONS[name], errors);
      if (value !== undefined) values[name] = value;
    }
  }
  return values;
}

const pick = (values: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));

/** A rule, and in a filter its budget. */
function readRule(id: RuleId, flags: AmountFlags, mode: 'filter' | 'odometer', errors: InputError[]) {
  const own = RULE_AMOUNTS[id];
  const needs = [...new Set([...(mode === 'filter' ? own.budget : []), ...own.rule])];
  const by = `the rule ${id}${mode === 'odometer' ? ' of an odometer' : ''}`;
  const values = readAmounts(flags, { needs, optional: own.optional, by }, errors);
  const orders =
    flags.orders === undefined || id !== 'rdp-curve' ? null : readOrders(flags.orders, mode === 'filter', errors);
  const optional = {
    ...(own.optional.includes('deltaPrime') ? { deltaPrime: values.deltaPrime ?? values.delta } : {}),
    ...(own.optional.includes('deltas') ? { deltas: readWord(OPTIONS.deltas.flag, flags.deltas, DELTAS, errors) } : {}),
  };
  // The table above says which numbers each rule has; the types of rules and budgets say the same.
  const rule = { id, ...pick(values, own.rule), ...optional, ...(orders && { alphas: orders.alphas }) } as Rule;
  const budget = { ...pick(values, own.budget), ...(orders && { epsilons: orders.epsilons }) };
  return { rule, budget };
}

/** Where the numbers of terms are typed, by their places in the terms. */
const TYPED: Readonly<Record<string, string>> = {
  'rule.delta': '--delta',
  'rule.deltaPrime': OPTIONS.deltaPrime.flag,
  'rule.alpha': OPTIONS.alpha.flag,
  'rule.alphas': OPTIONS.orders.flag,
  'budget.epsilon': '--epsilon',
  'budget.delta': '--delta',
  'budget.rho': '--rho',
  'budget.mu': '--mu',
  'budget.epsilons': OPTIONS.orders.flag,
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

/** Reads a budget for a rule that is known; what is wrong goes to `errors`. */
export function readBudget(rule: Rule, flags: AmountFlags, errors: InputError[]): object {
  const own = RULE_AMOUNTS[rule.id];
  const values = readAmounts(flags, { needs: own.budget, optional: [], by: `a budget of the rule ${rule.id}` }, errors);
  if (rule.id !== 'rdp-curve' || flags.orders === undefined) return values;
  const { alphas, epsilons } = readOrders(flags.orders, true, errors);
  const same = alphas.length === rule.alphas.length && alphas.every((alpha, i) => alpha.eq(rule.alphas[i] ?? 0));
  if (!same) {
    const hint = `Its orders are ${listed(rule.alphas.map(String))}.`;
    errors.push(conflict(OPTIONS.orders.flag, 'must be the orders of the ledger', hint));
  }
  return { epsilons };
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

function unknownRule(text: string, mode: Mode): InputError {
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
