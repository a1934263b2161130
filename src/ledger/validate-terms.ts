import type { Decimal } from '../numeric/decimal.ts';
import type { InvalidTerms } from './core/refusal.ts';
import { STORE_TIME } from './core/hold.ts';
import type { Rule, Terms } from './core/terms.ts';

const isAtLeastZero = (x: Decimal): boolean => x.isFinite() && (x.isZero() || x.isPositive());
const isProbability = (x: Decimal): boolean => isAtLeastZero(x) && x.lte(1);

/** The path of a number in the terms, whether it is allowed, and what is. */
type Check = readonly [path: string, holds: boolean, allowed: string];

const AT_LEAST_ZERO = 'a number of at least 0';
const PROBABILITY = 'a number from 0 to 1';

function ruleChecks(rule: Rule): Check[] {
  switch (rule.id) {
    case 'approximate-dp':
    case 'zcdp-optimal': {
      const { delta, deltaPrime } = rule;
      return [
        ['rule.delta', isProbability(delta), PROBABILITY],
        ['rule.deltaPrime', deltaPrime.gt(0) && deltaPrime.lte(delta), 'a number above 0 and at most delta'],
      ];
    }
    case 'rdp':
    case 'approximate-rdp':
      return [['rule.alpha', rule.alpha.isFinite() && rule.alpha.gt(1), 'a number above 1']];
    case 'rdp-curve': {
      const ascending = rule.alphas.every(
        (alpha, i) => alpha.isFinite() && alpha.gt(i === 0 ? 1 : rule.alphas[i - 1]!),
      );
      return [['rule.alphas', rule.alphas.length > 0 && ascending, 'at least one order, ascending and each above 1']];
    }
    case 'pure':
    case 'basic':
    case 'zcdp':
    case 'approximate-zcdp':
    case 'gdp':
      return [];
  }
}

function budgetChecks(terms: Exclude<Terms, { mode: 'odometer' }>): Check[] {
  const { budget } = terms;
  const checks: Check[] = [];
  if ('epsilon' in budget) checks.push(['budget.epsilon', isAtLeastZero(budget.epsilon), AT_LEAST_ZERO]);
  if ('delta' in budget) checks.push(['budget.delta', isProbability(budget.delta), PROBABILITY]);
  if ('rho' in budget) checks.push(['budget.rho', isAtLeastZero(budget.rho), AT_LEAST_ZERO]);
  if ('mu' in budget) checks.push(['budget.mu', isAtLeastZero(budget.mu), AT_LEAST_ZERO]);
  if ('epsilons' in budget && terms.mode === 'filter' && terms.rule.id === 'rdp-curve') {
    const { epsilons } = budget;
    const holds = epsilons.length === terms.rule.alphas.length && epsilons.every(isAtLeastZero);
    checks.push(['budget.epsilons', holds, 'one number of at least 0 for each order']);
  }
  return checks;
}

const isMoment = (text: string | null): boolean => text === null || STORE_TIME.test(text);

function windowChecks({ window }: Terms): Check[] {
  if (window === undefined) return [];
  const { opens, closes } = window;
  const isTime = isMoment(opens) && isMoment(closes);
  const holds = isTime && (opens === null || closes === null || opens < closes);
  return [['window', holds, 'times of which the first is before the second']];
}

function approvalChecks({ approvals }: Terms): Check[] {
  if (approvals === undefined) return [];
  const { required, approvers } = approvals;
  const isOne = (values: readonly string[]): boolean => new Set(values).size === values.length;
  const distinct = isOne(approvers.map(({ name }) => name)) && isOne(approvers.map(({ key }) => key));
  return [
    ['approvals.approvers', distinct, 'different names, each with a key of its own'],
    [
      'approvals.required',
      Number.isSafeInteger(required) && required >= 1 && required <= approvers.length,
      'a whole number from 1 to the number of approvers',
    ],
  ];
}

const commonChecks = ({ maxMechanisms, distance }: Terms): Check[] => [
  [
    'maxMechanisms',
    maxMechanisms === null || (Number.isSafeInteger(maxMechanisms) && maxMechanisms >= 1),
    'a whole number from 1 to 2^53 - 1, or null',
  ],
  ['distance', distance.isFinite() && distance.gt(0), 'a number above 0'],
];

/** The first thing in the terms that no ledger can have; null where there is none. */
export function invalidTerms(terms: Terms): InvalidTerms | null {
  const own: Check[] =
    terms.mode === 'compositor'
      ? [['declared', terms.declared.length > 0, 'at least one mechanism']]
      : ruleChecks(terms.rule);
  const ofBudget = terms.mode === 'odometer' ? [] : budgetChecks(terms);
  const checks = [...commonChecks(terms), ...windowChecks(terms), ...approvalChecks(terms), ...own, ...ofBudget];
  const failed = checks.find(([, holds]) => !holds);
  return failed ? { path: failed[0], allowed: failed[2] } : null;
}
