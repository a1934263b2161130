import { failureOf } from '../../bounds/entries.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { asLower, asUpper, relativeWidth, type Bracket, type LowerBound } from '../../numeric/enclosure.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Query } from '../../privacy/query.ts';
import { composeEntries, usualTolerance, type ComposeOptions } from '../compose-entries.ts';
import { consistent } from '../certain.ts';
import type { Answer, BoundRow, Outcome, Warning } from '../outcome.ts';
import { sameCost } from './cost-key.ts';
import { entriesOf, type Cost } from './cost.ts';
import type { Plan } from './resolved-node.ts';

/** What a part of a plan costs on its own, and the mechanisms whose cost that is. */
export interface Price {
  readonly outcome: Outcome;
  /** Those of the costliest choice. */
  readonly entries: readonly Entry[];
}

const asked = (answer: Answer): Bracket => answer[answer.query.solveFor];

/** The costliest of several outcomes; a refusal is costlier than any answer. */
function costliest(prices: readonly Price[]): Price {
  const upper = ({ outcome }: Price): number => (outcome.kind === 'answer' ? asked(outcome.answer).upper : Infinity);
  const refused = prices.find(({ outcome }) => outcome.kind === 'refusal');
  return refused ?? prices.reduce((most, price) => (upper(price) > upper(most) ? price : most));
}

/** The highest of the lower ends of several outcomes. */
function highestFloor(outcomes: readonly Outcome[]): LowerBound | null {
  const floors = outcomes.flatMap((outcome) => (outcome.kind === 'answer' ? (asked(outcome.answer).lower ?? []) : []));
  return floors.length === 0 ? null : asLower(Math.max(...floors));
}

/** The same answer with another lower end: rows whose own lower ends are not of this part lose them. */
export function withLower(
  answer: Answer,
  lower: LowerBound | null,
  rows: 'keep' | 'drop',
  { tolerance }: ComposeOptions,
): Answer {
  const { solveFor } = answer.query;
  const value = consistent({ ...asked(answer), lower }, answer.bound);
  const bounds = answer.bounds.map((row): BoundRow => {
    if (!row.applies || rows === 'keep') return row;
    return { ...row, [solveFor]: { ...row[solveFor], lower: null } };
  });
  return {
    ...answer,
    [solveFor]: { ...value, upper: asUpper(value.upper) },
    tight: relativeWidth(value) <= (tolerance ?? usualTolerance(answer.bound)),
    bounds,
  };
}

/**
 * The warnings of an answer whose mechanisms only pay for what some of the declared classes attain: that no epsilon is large
 * enough is true where those fail more often than the target allows.
 */
function ownWarnings({ warnings, query }: Answer, attained: readonly Cost[]): readonly Warning[] {
  const failures = attained.map((cost) => failureOf(entriesOf(cost)).lower);
  const failure = Decimal.max(...failures).toSignificantDigits(12, Decimal.ROUND_DOWN);
  return warnings.map((warning): Warning => {
    if (warning.code !== 'delta-infeasible') return warning;
    const { smallestDelta } = warning;
    return query.solveFor === 'epsilon' && query.delta.lt(failure)
      ? { ...warning, failure: failure.toString() }
      : { code: 'delta-not-covered', smallestDelta };
  });
}

/**
 * The certified cost of a part: the costliest of its choices, each composed as a list of mechanisms; nothing can be
 * claimed below the cost of any choice that mechanisms of the declared classes attain.
 */
export function priceOf(
  claims: readonly Cost[],
  attained: readonly Cost[],
  { adaptivity, order }: Plan,
  query: Query,
  options: ComposeOptions,
): Price {
  const price = (cost: Cost): Price => {
    const entries = entriesOf(cost);
    return { entries, outcome: composeEntries({ entries, adaptivity, order }, query, options) };
  };
  const prices = claims.map(price);
  const worst = costliest(prices);
  if (worst.outcome.kind === 'refusal') return worst;
  const exact =
    attained.length === claims.length && attained.every((cost) => claims.some((claim) => sameCost(cost, claim)));
  const floor = highestFloor((exact ? prices : attained.map(price)).map(({ outcome }) => outcome));
  const answer = withLower(worst.outcome.answer, floor, exact ? 'keep' : 'drop', options);
  return {
    ...worst,
    outcome: { kind: 'answer', answer: exact ? answer : { ...answer, warnings: ownWarnings(answer, attained) } },
  };
}

/** The least of the prices of several ways to pay for a part. */
export function cheapestPrice(
  ways: readonly (readonly Cost[])[],
  attained: readonly Cost[],
  plan: Plan,
  query: Query,
  options: ComposeOptions,
): Price {
  const prices = ways.map((claims) => priceOf(claims, attained, plan, query, options));
  const value = ({ outcome }: Price): number => (outcome.kind === 'answer' ? asked(outcome.answer).upper : Infinity);
  return prices.reduce((least, price) => (value(price) < value(least) ? price : least));
}
