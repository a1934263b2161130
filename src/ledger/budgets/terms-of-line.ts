import { addition } from '../../document/core/written-examples.ts';
import type { Problem } from '../../document/core/input-error.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { RULE_AMOUNTS, impliedRule, type Amount } from '../core/rule-amounts.ts';
import type { FilterTerms, RuleId } from '../core/terms.ts';
import { refusalOfTerms } from '../open.ts';
import type { Scope } from './budgets.ts';
import type { ParsedLine } from './schema.ts';

/** A mistake in a line, and the key at which it stands; null for the line itself. */
export interface LineMistake {
  readonly key: string | null;
  readonly problem: Problem;
}

/** The keys under which the numbers of rules stand in a document. */
const KEY_OF: Readonly<Record<Exclude<Amount, 'orders'>, keyof ParsedLine>> = {
  epsilon: 'epsilon',
  delta: 'delta',
  rho: 'rho',
  mu: 'mu',
  alpha: 'alpha',
  deltaPrime: 'delta-prime',
  deltas: 'deltas',
};

const AMOUNTS = Object.keys(KEY_OF) as (keyof typeof KEY_OF)[];

const mistake = (key: string | null, code: Problem['code'], message: string, hint: string): LineMistake => ({
  key,
  problem: { code, message, hint },
});

const NO_RULE = mistake(
  null,
  'missing-key',
  'nothing says how losses add up, and that cannot be changed later',
  'With epsilon and delta add rule: "zcdp-optimal" for many small mechanisms, "basic" for few large ones.',
);

const NO_BUDGET = mistake(
  null,
  'missing-key',
  'nothing says what the budget is',
  'Add epsilon, such as "epsilon": 1; epsilon, delta and a rule; or rho, or mu.',
);

/** The numbers that a rule lacks, and those that it does not take. */
function amountMistakes(id: RuleId, line: ParsedLine): LineMistake[] {
  const { budget, rule, optional } = RULE_AMOUNTS[id];
  const needs = [...new Set([...budget, ...rule])];
  return AMOUNTS.flatMap((amount) => {
    const key = KEY_OF[amount];
    const given = line[key] !== undefined;
    if (!given && needs.includes(amount)) {
      return [mistake(null, 'missing-key', `the rule ${id} needs ${key}`, addition(key) ?? `Add ${key}.`)];
    }
    if (given && !needs.includes(amount) && !optional.includes(amount)) {
      return [mistake(key, 'conflicting-keys', `${key} is not for the rule ${id}`, `Remove ${key}.`)];
    }
    return [];
  });
}

/** What no theorem covers of ledgers for parts of the data. */
function dataMistakes({ neighbours, distance }: ParsedLine): LineMistake[] {
  const mistakes: LineMistake[] = [];
  if (neighbours === 'replace-one') {
    const message =
      'a record that is replaced by one of another part touches two ledgers, and the budget of one does not cover that';
    mistakes.push(
      mistake('neighbours', 'conflicting-keys', message, 'Write add-remove, or keep one ledger for all data.'),
    );
  }
  if (distance !== undefined && !distance.eq(1)) {
    const message =
      'data at another distance than 1 may differ in several parts, and the budget of one does not cover that';
    mistakes.push(
      mistake('distance', 'conflicting-keys', message, 'Remove distance, or keep one ledger for all data.'),
    );
  }
  return mistakes;
}

const pick = (names: readonly Amount[], values: Readonly<Partial<Record<Amount, unknown>>>): object =>
  Object.fromEntries(names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]));

/** The terms of the ledgers of a line, or what is wrong with it. */
export function termsOfLine(line: ParsedLine, scope: Scope): FilterTerms | readonly LineMistake[] {
  const { epsilon, delta, rho, mu, alpha, deltas = 'sum', neighbours = null } = line;
  const id = line.rule ?? impliedRule({ epsilon, delta, rho, mu, alpha });
  if (id === null) return [epsilon === undefined && delta === undefined ? NO_BUDGET : NO_RULE];
  const mistakes = [...amountMistakes(id, line), ...(scope === 'data' ? dataMistakes(line) : [])];
  if (mistakes.length > 0) return mistakes;
  const own = RULE_AMOUNTS[id];
  const values = { epsilon, delta, rho, mu, alpha, deltas, deltaPrime: line['delta-prime'] ?? delta };
  const terms = {
    mode: 'filter',
    rule: { id, ...pick([...own.rule, ...own.optional], values) },
    budget: pick(own.budget, values),
    onExcess: line['on-excess'] ?? 'refuse',
    concurrency: line.concurrency ?? 'concurrent',
    maxMechanisms: line['max-mechanisms']?.toNumber() ?? null,
    distance: line.distance ?? new Decimal(1),
    neighbours,
    ...(line['require-evidence'] === true && { evidence: 'required' as const }),
    ...((line.opens ?? line.closes) !== undefined && {
      window: { opens: line.opens ?? null, closes: line.closes ?? null },
    }),
    ...(line['record-refusals'] === true && { refusals: 'recorded' as const }),
    ...(line['fixed-budget'] === true && { conversions: 'forbidden' as const }),
    // The table says which numbers each rule has; the types of rules and budgets say the same.
  } as unknown as FilterTerms;
  const refusal = refusalOfTerms(terms);
  if (refusal === null) return terms;
  if (refusal.code === 'invalid-terms') {
    const key = refusal.path === 'rule.deltaPrime' ? 'delta-prime' : null;
    return [mistake(key, 'out-of-range', `${refusal.path} must be ${refusal.allowed}`, 'Correct it.')];
  }
  const message = `whether ${id} composes concurrently, with interactive mechanisms asked in turns, is an open question`;
  return [
    mistake(
      line.rule === undefined ? null : 'rule',
      'conflicting-keys',
      message,
      'Add "concurrency": "sequential", or choose another rule.',
    ),
  ];
}
