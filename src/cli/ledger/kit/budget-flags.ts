import { lacking, conflict } from '../../kit/usage-error.ts';
import { DELTAS, RULE_AMOUNTS, type Amount, type Rule, type RuleId } from '../../../ledger/rules/terms.ts';
import type { Decimal } from '../../../numeric/decimal.ts';
import { listed } from '../../../output/kit/prose.ts';
import { quote } from '../../../document/core/quote.ts';
import type { InputError } from '../../../document/core/specification.ts';
import { readOneOf, textOption, type Optional } from '../../kit/option.ts';
import {
  atLeastZero,
  budgeted,
  probability,
  ranged,
  readNumberOption,
  type NumberRange,
} from '../../kit/number-option.ts';
import { ABOVE_ONE } from '../../../privacy/mechanisms/parameters.ts';

/** What to write in place of a word that is none of these. */
export const orUsual = ([usual]: readonly [string, ...string[]]): string =>
  `Write one of these, or omit it for ${usual}.`;

/** One of several words; the first is the default. What is wrong goes to `errors`. */
export function readWord<W extends string>(
  flag: string,
  text: string | undefined,
  words: readonly [W, ...W[]],
  errors: InputError[],
): W {
  return readOneOf(text, { flag, words, hint: orUsual(words) }, errors) ?? words[0];
}

/** The numbers of a rule and its budget, as typed. */
export type AmountFlags = Optional<Record<Amount, string>>;

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
export function readAmounts(
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
export function readRule(id: RuleId, flags: AmountFlags, mode: 'filter' | 'odometer', errors: InputError[]) {
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
