import { failureOf } from '../../bounds/core/entries.ts';
import { Decimal, decimalFromDouble, toUpper, ONE } from '../../numeric/decimal.ts';
import { asLower, asUpper, relativeWidth, type Bracket, type LowerBound } from '../../numeric/enclosure.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Query } from '../../privacy/curve.ts';
import { composeEntries, givenBracketOf, usualTolerance, type ComposeOptions } from '../entries/compose-entries.ts';
import { smallestDelta } from '../entries/warnings.ts';
import { consistent, type Answer, type BoundRow, type Outcome, type Warning } from '../core/outcome.ts';
import { costKey, sameCost, entriesOf, type Cost } from './cost.ts';
import type { Plan } from './resolved-node.ts';

/** The cost of a part of a plan on its own, and the mechanisms whose cost that is. */
export interface Price {
  readonly outcome: Outcome;
  /** Those of the costliest choice. */
  readonly entries: readonly Entry[];
  /** How often delta is paid for them. */
  readonly sets: Decimal;
}

const solvedBracket = (answer: Answer): Bracket => answer[answer.query.solveFor];

/** The claim of a price; Infinity where it is refused. */
export const upperOf = ({ outcome }: Price): number =>
  outcome.kind === 'answer' ? solvedBracket(outcome.answer).upper : Infinity;

/** The costliest of several outcomes; a refusal is costlier than any answer. */
function costliest(prices: readonly Price[]): Price {
  const refused = prices.find(({ outcome }) => outcome.kind === 'refusal');
  return refused ?? prices.reduce((max, price) => (upperOf(price) > upperOf(max) ? price : max));
}

const highest = (bounds: readonly (LowerBound | null)[]): LowerBound | null => {
  const lowerEnds = bounds.filter((bound) => bound !== null);
  return lowerEnds.length === 0 ? null : asLower(Math.max(...lowerEnds));
};

/** The highest of the lower ends of several outcomes. */
const highestLower = (outcomes: readonly Outcome[]): LowerBound | null =>
  highest(outcomes.map((outcome) => (outcome.kind === 'answer' ? solvedBracket(outcome.answer).lower : null)));

/** The same answer with another lower end: rows whose own lower ends are not of this part lose them. */
function withLower(
  answer: Answer,
  lower: LowerBound | null,
  rows: 'keep' | 'drop',
  { tolerance }: ComposeOptions,
): Answer {
  const { solveFor } = answer.query;
  const value = consistent({ ...solvedBracket(answer), lower }, answer.bound);
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

/** One way to pay for a part: what each of its choices costs, and how often delta is paid. */
export interface Claim {
  readonly costs: readonly Cost[];
  readonly sets: Decimal;
}

const Down = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_DOWN });

/** The query whose answer for one set answers the given one for all sets. */
const forOneSet = (query: Query, sets: Decimal): Query =>
  query.solveFor === 'delta' ? query : { ...query, delta: new Decimal(new Down(query.delta).div(sets)) };

/** As often as there are sets, at most 1. */
function repeated({ upper }: Bracket, sets: Decimal): Bracket {
  const all = decimalFromDouble(upper).times(sets);
  return all.gte(1) ? { lower: null, upper: asUpper(1), exact: '1' } : { lower: null, upper: toUpper(all) };
}

/** The answer for all sets, given that for one of them. */
function forAllSets(answer: Answer, query: Query, sets: Decimal): Answer {
  const { solveFor } = query;
  const fixed = givenBracketOf(query);
  const solved = (bracket: Bracket): Bracket =>
    solveFor === 'epsilon' ? { ...bracket, lower: null } : repeated(bracket, sets);
  const both = (row: { readonly epsilon: Bracket; readonly delta: Bracket }, end: Bracket) => ({
    epsilon: solveFor === 'epsilon' ? solved(row.epsilon) : end,
    delta: solveFor === 'delta' ? solved(row.delta) : end,
  });
  return {
    ...answer,
    query,
    ...both(answer, fixed),
    bounds: answer.bounds.map((row) => (row.applies ? { ...row, ...both(row, { ...fixed, lower: null }) } : row)),
    warnings: answer.warnings.map((warning): Warning => {
      if (warning.code !== 'delta-infeasible' && warning.code !== 'delta-not-covered') return warning;
      const smallest = Decimal.min(ONE, new Decimal(warning.smallestDelta).times(sets));
      return { code: 'delta-not-covered', smallestDelta: smallestDelta(smallest) };
    }),
  };
}

/** The cost of mechanisms, each set of instances paying for itself. */
function composeSets(
  entries: readonly Entry[],
  sets: Decimal,
  { adaptivity, order }: Plan,
  query: Query,
  options: ComposeOptions,
): Outcome {
  const outcome = composeEntries({ entries, adaptivity, order }, forOneSet(query, sets), options);
  if (outcome.kind === 'refusal' || sets.eq(1)) return outcome;
  return { kind: 'answer', answer: forAllSets(outcome.answer, query, sets) };
}

/** A question about the cost of a part. */
export interface PriceQuestion {
  /** Several ways to pay for it, each of which pays. */
  readonly claims: readonly Claim[];
  /** The costs of choices that mechanisms of the declared classes attain. */
  readonly attained: readonly Cost[];
  /** An impossibility lower bound, apart from what the mechanisms of the part attain together. */
  readonly impossibility: (query: Query) => LowerBound | null;
  readonly plan: Plan;
  readonly query: Query;
  readonly options: ComposeOptions;
}

/**
 * The certified cost of a part: the costliest of its choices, each composed as a list of mechanisms; nothing can be
 * claimed below the cost of any choice that mechanisms of the declared classes attain.
 */
function priceOf({ costs, sets }: Claim, question: PriceQuestion): Price {
  const { attained, impossibility, plan, query, options } = question;
  const pricesOf = (some: readonly Cost[], times: Decimal): Price[] =>
    some.map((cost) => {
      const entries = entriesOf(cost);
      return { entries, sets, outcome: composeSets(entries, times, plan, query, options) };
    });
  const prices = pricesOf(costs, sets);
  const worst = costliest(prices);
  if (worst.outcome.kind === 'refusal') return worst;
  const exact =
    sets.eq(1) &&
    attained.length === costs.length &&
    attained.every((cost) => costs.some((claim) => sameCost(cost, claim)));
  const legal = exact ? prices : pricesOf(attained, ONE);
  const lowerEnd = highest([highestLower(legal.map(({ outcome }) => outcome)), impossibility(query)]);
  const answer = withLower(worst.outcome.answer, lowerEnd, exact ? 'keep' : 'drop', options);
  return {
    ...worst,
    outcome: { kind: 'answer', answer: exact ? answer : { ...answer, warnings: ownWarnings(answer, attained) } },
  };
}

/** A text that is equal for claims that cost the same. */
export const claimKey = ({ costs, sets }: Claim): string => `${sets.toString()}: ${costs.map(costKey).join(' | ')}`;

/** A price, and the place of the way to pay it among those that were given. */
export type PaidPrice = Price & { readonly way: number };

/** The least of the prices of several ways to pay for a part. */
export function cheapestPrice(question: PriceQuestion): PaidPrice {
  const keys = question.claims.map(claimKey);
  const prices: PaidPrice[] = [];
  for (const [way, claim] of question.claims.entries()) {
    if (keys.indexOf(keys[way]!) < way) continue;
    prices.push({ ...priceOf(claim, question), way });
  }
  return prices.reduce((min, price) => (upperOf(price) < upperOf(min) ? price : min));
}

/** The width of what is known of a price, relatively; Infinity where it is refused. */
export const widthOf = ({ outcome }: Price): number =>
  outcome.kind === 'answer' ? relativeWidth(solvedBracket(outcome.answer)) : Infinity;

/** The less of two prices of the same part, with the higher of what neither can go below. */
export function cheaper(first: Price, second: Price, options: ComposeOptions): Price {
  const price = upperOf(second) < upperOf(first) ? second : first;
  if (price.outcome.kind === 'refusal') return price;
  const lower = highestLower([first.outcome, second.outcome]);
  return { ...price, outcome: { kind: 'answer', answer: withLower(price.outcome.answer, lower, 'keep', options) } };
}
