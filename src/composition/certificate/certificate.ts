import { claimedLambda } from '../../bounds/renyi/renyi.ts';
import { Decimal, decimalFromDouble } from '../../numeric/decimal.ts';
import { Rational } from '../../numeric/rational.ts';
import type { Adaptivity, Query } from '../../privacy/curve.ts';
import type { Entry, Mechanism } from '../../privacy/mechanism.ts';
import { mergeEqual } from '../../privacy/mechanism-key.ts';
import { pureEpsilonOfRdp } from '../../privacy/mechanisms/guarantees.ts';
import { withOneAnswer } from '../../privacy/mechanisms/records.ts';
import type { Answer, BoundRow, Refusal, Uncertifiable } from '../core/outcome.ts';
import { flatEntries, type PlanNode } from '../core/plan-node.ts';
import {
  areFewDivergences,
  areFewRanges,
  areFewSums,
  isNearCenter,
  isReadable,
  MOST_DIGITS,
  type Claim,
} from './checker-limits.ts';

/** The types of mechanisms that the checker reads. */
const TYPES: readonly Mechanism['type'][] = ['dp', 'laplace', 'bounded-range', 'gaussian', 'gdp', 'zcdp', 'rdp'];

/** What a check needs beside the claim: for a Renyi bound, an order. */
export interface Witness {
  readonly order?: Rational;
}

const NONE: Witness = {};

/** A Renyi order, 1 + lambda; null where its check takes too much. */
const orderAt = (lambda: Decimal, claim: Claim): Witness | null =>
  areFewDivergences(claim, lambda.toNumber()) ? { order: Rational.ofDecimal(lambda).plus(Rational.ONE) } : null;

/** The Renyi order at which a bound claims what is asked. */
function orderOf(id: 'zcdp' | 'rdp', claim: Claim, query: Query): Witness | null {
  const lambda = claimedLambda(id, claim.entries, query);
  return lambda === null ? null : orderAt(decimalFromDouble(lambda), claim);
}

/** The theorems that the checker knows, the plainest first, and what it needs for a claim; null where that is too much. */
const WITNESSES = {
  basic: () => NONE,
  'dp-optimal': (claim: Claim) => (areFewSums(claim) ? NONE : null),
  gaussian: (claim: Claim) => (isNearCenter(claim) ? NONE : null),
  'br-nonadaptive': (claim: Claim) => (areFewRanges(claim) ? NONE : null),
  zcdp: (claim: Claim, query: Query) => orderOf('zcdp', claim, query),
  rdp: (claim: Claim, query: Query) => orderOf('rdp', claim, query),
} as const;

type CheckedTheorem = keyof typeof WITNESSES;

const THEOREMS = Object.keys(WITNESSES) as CheckedTheorem[];

/** One end of an answer, by a theorem: the number that was given, and the other as an exact sum or as the quotient that its double is. */
export interface CertifiedEnd {
  readonly theorem: CheckedTheorem;
  readonly epsilon: Decimal | Rational;
  readonly delta: Decimal | Rational;
  readonly witness: Witness;
}

/** A claim with all that a program needs to verify it that knows no more than its theorem. */
export interface Certificate {
  /** filter: parameters are chosen adaptively under a budget that was fixed beforehand, and the claim is the budget. */
  readonly adaptivity: Exclude<Adaptivity, 'parameters'> | 'filter';
  /** Equal ones in one. */
  readonly entries: readonly Entry[];
  readonly upper: CertifiedEnd;
  /** Of a theorem that is exact for the declared classes; null where there is none. */
  readonly lower: CertifiedEnd | null;
}

type CheckedRow = Extract<BoundRow, { applies: true }> & { readonly id: CheckedTheorem };

const isChecked = (row: BoundRow): row is CheckedRow => row.applies && THEOREMS.some((id) => id === row.id);

/** One end of a row; null where it says nothing, or its check takes too much. */
function endOf(row: CheckedRow, side: 'upper' | 'lower', entries: readonly Entry[], query: Query): CertifiedEnd | null {
  const value = row[query.solveFor][side];
  const isVacuous = side === 'lower' ? value === 0 : query.solveFor === 'delta' && value === 1;
  if (value === null || !Number.isFinite(value) || isVacuous) return null;
  const pair = <Solved, Given>(solved: Solved, other: (given: Decimal) => Given) =>
    query.solveFor === 'epsilon'
      ? { epsilon: solved, delta: other(query.delta) }
      : { epsilon: other(query.epsilon), delta: solved };
  const witness = WITNESSES[row.id]({ entries, ...pair(value as number, (given) => given.toNumber()) }, query);
  const { exact } = row[query.solveFor];
  const isShort = side === 'upper' && exact !== undefined && exact.length <= MOST_DIGITS;
  const claim = isShort ? new Decimal(exact) : Rational.ofDecimal(decimalFromDouble(value));
  return witness && { theorem: row.id, ...pair(claim, (given) => given), witness };
}

/** Why these mechanisms cannot stand in a certificate; null where they can. */
function obstacleIn(entries: readonly Entry[] | null, { query, plan }: Answer): Uncertifiable | null {
  if (entries === null || plan !== undefined) return { obstacle: 'structure' };
  if (query.solveFor === 'delta' && query.epsilon.isNegative()) return { obstacle: 'negative-epsilon' };
  return unknownTypes(entries);
}

/** The types among these that the checker does not read; null where it reads all. */
function unknownTypes(entries: readonly Entry[]): Uncertifiable | null {
  const isUnknown = (mechanism: Mechanism): boolean =>
    !TYPES.includes(mechanism.type) || (mechanism.type === 'rdp' && pureEpsilonOfRdp(mechanism) !== null);
  const types = entries.flatMap(({ mechanism }) => (isUnknown(mechanism) ? [mechanism.type] : []));
  return types.length === 0 ? null : { obstacle: 'types', types: [...new Set(types)] };
}

type Certified =
  | { readonly kind: 'certificate'; readonly certificate: Certificate }
  | { readonly kind: 'refusal'; readonly refusal: Refusal };

const refuse = (reason: Uncertifiable): Certified => ({
  kind: 'refusal',
  refusal: { code: 'not-certifiable', ...reason },
});

/** The budget of a filter: an (epsilon, delta), and the Renyi order minus 1 at which rho is converted; null where epsilons are summed. */
export interface FilterBudget {
  readonly epsilon: Decimal;
  readonly delta: Decimal;
  readonly lambda: Decimal | null;
}

/**
 * That mechanisms which ran under a filter are within its budget, which is what is claimed: the sums of epsilons and deltas, or that
 * of rho at an order, which may be any: all who pass at one are within the rho that the budget is worth.
 *
 * Source: Rogers, Roth, Ullman, Vadhan (2016); Haney et al. (2023), Theorems 1.20 and 4.10. No theorem makes a guarantee of what was
 * used so far, as this depends on the answers.
 */
export function certifyFilter(launched: readonly Entry[], { epsilon, delta, lambda }: FilterBudget): Certified {
  const reason = unknownTypes(launched);
  if (reason !== null) return refuse(reason);
  const entries = mergeEqual(launched, 'any');
  const claim = { entries, epsilon: epsilon.toNumber(), delta: delta.toNumber() };
  const witness = lambda === null ? NONE : orderAt(lambda, claim);
  if (witness === null || !isReadable(entries)) return refuse({ obstacle: 'too-large' });
  const upper: CertifiedEnd = { theorem: lambda === null ? 'basic' : 'zcdp', epsilon, delta, witness };
  return { kind: 'certificate', certificate: { adaptivity: 'filter', entries, upper, lower: null } };
}

/**
 * The smallest claim of an answer that the checker of certificates can verify, with all that this needs: exact parameters, the
 * claim as the quotient that its double is, and the order of a Renyi bound. Refused where no theorem in exact finite sums gives one.
 *
 * Where a Renyi bound claims no more than the sum of all epsilons, `basic` claims the same and comes first. A lower end is one of
 * a theorem that is exact for the declared classes. Nothing of this is trusted: the checker verifies it.
 */
export function certify(
  { entries: nodes, adaptivity }: { readonly entries: readonly PlanNode[]; readonly adaptivity: Adaptivity },
  answer: Answer,
): Certified {
  const { query } = answer;
  const listed = flatEntries(nodes);
  const reason = obstacleIn(listed, answer);
  if (reason !== null) return refuse(reason);
  const entries = mergeEqual(withOneAnswer(listed ?? []), 'any');
  const rows = answer.bounds
    .filter(isChecked)
    .sort(
      (a, b) => a[query.solveFor].upper - b[query.solveFor].upper || THEOREMS.indexOf(a.id) - THEOREMS.indexOf(b.id),
    );
  const firstEnd = (side: 'upper' | 'lower'): CertifiedEnd | null => {
    for (const row of isReadable(entries) ? rows : []) {
      const end = endOf(row, side, entries, query);
      if (end !== null) return end;
    }
    return null;
  };
  const upper = firstEnd('upper');
  if (upper === null) return refuse({ obstacle: answer[query.solveFor].upper === Infinity ? 'infinite' : 'too-large' });
  // Of parameters that are chosen adaptively there is no answer.
  const setting = adaptivity === 'nonadaptive' ? adaptivity : 'adaptive';
  return { kind: 'certificate', certificate: { adaptivity: setting, entries, upper, lower: firstEnd('lower') } };
}
