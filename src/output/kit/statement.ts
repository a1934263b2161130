import { wordingOf } from '../../document/mechanism/entry-schema.ts';
import type { Entry, Mechanism } from '../../privacy/mechanism.ts';
import { givenText, DIGITS, lowerText, upperText, pairText, queryText } from './number.ts';
import { grouped, printable } from './prose.ts';
import type { Design } from '../../composition/design/design.ts';
import type { Answer } from '../../composition/core/outcome.ts';
import {
  flatEntries,
  hasDrawsWithReplacement,
  hasReplacedSamples,
  mostRecords,
  type PlanNode,
} from '../../composition/core/plan-node.ts';
import { effectiveOrder, type Adaptivity, type Order } from '../../privacy/curve.ts';
import { Decimal, toLower } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';

/** The guarantee of a mechanism, or the noise it adds: `(0.1, 0)-DP`, `Laplace noise of scale 3`. */
export const guaranteeText = (mechanism: Mechanism): string =>
  wordingOf(mechanism).words(mechanism, { number: givenText, whole: grouped });

/** A label in quotes after a space; nothing where there is none. */
export const labelText = (label: string | null): string => (label === null ? '' : ` "${printable(label)}"`);

/** `4 x continual (0.1, 1e-7)-DP "counter"`. */
export function entryText({ mechanism, count, kind, label }: Entry): string {
  const times = count === 1 ? '' : `${grouped(count)} x `;
  const manner = kind === 'noninteractive' ? '' : `${kind} `;
  return `${times}${manner}${guaranteeText(mechanism)}${labelText(label)}`;
}

/** `41 mechanisms in 2 entries`. */
export function mechanismsText(entries: readonly Entry[]): string {
  const count = entries.reduce((sum, entry) => sum + BigInt(entry.count), 0n);
  return `${grouped(count)} mechanism${count === 1n ? '' : 's'} in ${grouped(entries.length)} ${entries.length === 1 ? 'entry' : 'entries'}`;
}

/** What theorems on private selection suppose. */
export const SELECTION_ASSUMPTION =
  'the number of runs follows its law and not the data; no run depends on another; only the best is released, without the number of runs and all other scores';

/** Relations that are more than words. */
const RELATIONS: Readonly<Record<string, string>> = {
  'add-remove': 'data sets that differ by adding or removing one record',
  'replace-one': 'data sets that differ in the value of one record',
};

/** The same where some mechanisms are for several records of one person. */
const RELATIONS_OF_PEOPLE: Readonly<Record<string, string>> = {
  'add-remove': 'data sets that differ by adding or removing all records of one person',
  'replace-one': 'data sets that differ in the values of all records of one person',
};

/** Which data are neighbouring, as a sentence. */
export function neighboursText(neighbours: string, records = 1): string {
  const people = records > 1 ? RELATIONS_OF_PEOPLE[neighbours] : undefined;
  const relation = people
    ? `${people} (at most ${grouped(records)})`
    : (RELATIONS[neighbours] ?? printable(neighbours).replace(/[.\s]+$/, ''));
  return `Neighbors: ${relation}.`;
}

/** The same for mechanisms, with what the sensitivity of their samples is where that is not what a replaced record changes. */
export function neighboursOf(neighbours: string, entries: readonly PlanNode[]): string {
  const relation = neighboursText(neighbours, mostRecords(entries));
  if (hasDrawsWithReplacement(entries)) {
    return `${relation} Under sampling with replacement the number of draws is fixed, and the sensitivity is the largest change when one draw takes another record.`;
  }
  return hasReplacedSamples(entries)
    ? `${relation} Under Poisson subsampling the sensitivity is the largest norm of what one record adds, not of its change.`
    : relation;
}

/** The mechanisms that a statement is about, and how they are composed. */
export interface Composed {
  readonly name: string | null;
  readonly adaptivity: Adaptivity;
  readonly order: Order;
  readonly entries: readonly PlanNode[];
  /** Which data are neighbouring, in the user's words. */
  readonly neighbours?: string | null;
  /** Of a mechanism that runs them: left unchecked, so that nothing is claimed of that. */
  readonly design?: Design | null;
}

/** What a guarantee is about. */
function subject({ entries: nodes, adaptivity, order, design = null }: Composed): string {
  const entries = flatEntries(nodes);
  if (design !== null) {
    return 'The composition of what the design runs, without the design itself,';
  }
  if (entries === null) {
    const manner = adaptivity === 'nonadaptive' ? 'all fixed in advance' : 'with parameters fixed in advance';
    return `This whole plan, run concurrently ${manner},`;
  }
  const count = entries.reduce((sum, entry) => sum + BigInt(entry.count), 0n);
  if (count === 1n) return 'This mechanism';
  const concurrent = entries.some((entry) => entry.kind !== 'noninteractive') ? ' and run concurrently' : '';
  const inOrder = effectiveOrder(adaptivity, order) === 'declared' ? ' in the declared order' : '';
  const manner =
    adaptivity === 'nonadaptive'
      ? 'all fixed in advance'
      : `adaptively chosen${inOrder} with parameters fixed in advance`;
  return `The composition of these ${grouped(count)} mechanisms, ${manner}${concurrent},`;
}

/** The guarantee in plain words: the claim, how close to the truth it is known to be, and for which neighbours. */
export function statement(answer: Answer, composed: Composed): string {
  const { neighbours = null } = composed;
  const about = neighbours === null ? '' : ` ${neighboursOf(neighbours, composed.entries)}`;
  return `${guarantee(answer, subject(composed))}${about}`;
}

/** Whether both ends are one number of ten digits, or rounded from one: at delta 0 they are those of the largest loss. */
export function isSmallest({ lower, upper, exact }: Bracket): boolean {
  if (lower === null) return false;
  if (lowerText(lower) === upperText({ lower, upper })) return true;
  const decimal = exact === undefined ? null : new Decimal(exact);
  return decimal !== null && decimal.precision() <= DIGITS && lower === toLower(decimal);
}

/** The claim about a subject, and how close to the truth it is known to be. */
export function guarantee(answer: Answer, who: string): string {
  const { query } = answer;
  const solved = query.solveFor;
  const { lower } = answer[solved];
  if (query.solveFor === 'epsilon' && answer.epsilon.upper === Infinity) {
    const why = lower === Infinity ? 'and no theorem could give one' : 'by the bounds that apply';
    return `${who} has no finite ${queryText(query)}, ${why}.`;
  }
  const claim = `${who} is ${pairText(query, answer[solved])}-differentially private`;
  if (query.solveFor === 'delta' && answer.delta.upper >= 1) return `${claim}, which is no guarantee at all.`;
  if (lower === null || (lower === 0 && answer[solved].upper > 0))
    return `${claim}. No lower bound on ${solved} is known.`;
  return isSmallest(answer[solved])
    ? `${claim}, and no smaller ${solved} holds for this class of mechanisms.`
    : `${claim}. No ${solved} below ${lowerText(lower)} holds for this class of mechanisms.`;
}
