import type { Change, Times, Design } from '../../composition/design/design.ts';
import { type Difference, type Reason, type Unending, runsOf } from '../../composition/design/difference.ts';
import { placeOf, type Located, statementsOf, those, type Chain } from '../../composition/design/data-flow.ts';
import type { TaintedVariable } from '../../composition/design/violation.ts';
import { formatPath } from '../../document/core/quote.ts';
import { givenText } from '../kit/number.ts';
import { abridged, grouped, listed } from '../kit/prose.ts';
import { keyChange, type KeyChange } from '../kit/page.ts';

/** The place of a statement in the document. */
export const placeText = (at: Located): string => formatPath(placeOf(at));

/** Of longer chains only both ends are shown. */
const LONGEST_CHAIN = 12;

/** `value <- c <- x`: how the input reaches a variable; `flag <- if value <- x` where a condition decides. */
export function chainText(variable: string, chain: Chain): string {
  const steps = chain.map(({ from, how }) => `${how === 'decided' ? 'if ' : ''}${from}`);
  const links =
    steps.length <= LONGEST_CHAIN
      ? steps
      : [...steps.slice(0, LONGEST_CHAIN / 2), '...', ...steps.slice(-LONGEST_CHAIN / 2)];
  return [variable, ...links].join(' <- ');
}

/** The most variables that are printed with their chains. */
const SHOWN_CHAINS = 5;

/** `now, which the input reaches: now <- c <- x`; of an input, that it is one. */
export function reachedText(variables: readonly TaintedVariable[]): string {
  const names = abridged(variables.map(({ variable }) => variable));
  const chains = variables.filter(({ chain }) => chain.length > 0).slice(0, SHOWN_CHAINS);
  if (chains.length === 0) return `${names}, ${variables.length === 1 ? 'an input' : 'inputs'}`;
  return `${names}, which the input reaches: ${chains.map(({ variable, chain }) => chainText(variable, chain)).join('; ')}`;
}

/** `1 message`, `3 messages`, `any number of messages`. */
export function countText(times: Times, singular: string, many = `${singular}s`): string {
  if (times === 'unbounded') return `any number of ${many}`;
  return `${grouped(times)} ${times === 1 ? singular : many}`;
}

/** `2`, `anything`: how much neighbours may differ. */
export const changeText = (change: Change): string => (change === 'any' ? 'anything' : givenText(change));

function reasonText({ variable, because, sensitivity, times }: Reason): string {
  switch (because) {
    case 'input':
      return variable;
    case 'computed':
      if (sensitivity === null) return `${variable}, which nothing limits`;
      return sensitivity.eq(1) ? `${variable}, no more than that` : `${variable}, ${givenText(sensitivity)} times that`;
    case 'sum':
      return times === 'unbounded'
        ? `${variable}, the sum of any number of such values`
        : `${variable}, the sum of ${countText(times, 'such value')}`;
    case 'declared':
      return `${variable}, as declared`;
    case 'kept':
      return `${variable}, kept from an earlier step`;
    case 'decided':
      return `${variable}, set or not by a condition on the input`;
  }
}

/** `x: 1; c, the sum of 1 such value: 1; twice, 2 times that: 2`: how neighbours differ, from the input on. */
export const differenceText = ({ reasons }: Difference): string =>
  reasons
    .map((reason) => `${reasonText(reason)}: ${changeText(reason.change)}`)
    .toReversed()
    .join('; ');

/** Why neighbours may differ again and again. */
export function unendingText({ why, variable }: Unending): string {
  switch (why) {
    case 'sum-not-reset':
      return `the sum ${variable} keeps its difference, as it is not reset in the step in which it is sent`;
    case 'kept':
      return `${variable} is kept from an earlier step and may be sent again`;
    case 'any-value':
      return `any number of the values of ${variable} may differ`;
  }
}

/** Changes of a design after which it makes no more than so many instances. */
interface CreationLimit {
  readonly texts: readonly string[];
  readonly changes: readonly KeyChange[];
}

const NOTHING: CreationLimit = { texts: [], changes: [] };

function limitAt(located: Located, times: number): CreationLimit {
  const condition = located.under.at(-1);
  const verb = located.statement.does === 'create' ? 'create' : 'send';
  if (condition === undefined) {
    const text = `put the ${verb} at ${placeText(located)} under {"if": [...], "atMost": ${times}, "then": [...]}`;
    return { texts: [text], changes: [] };
  }
  const path = placeText(condition);
  return {
    texts: [`set "atMost" to ${times} at ${path}, the condition of the ${verb}`],
    changes: [keyChange(path, 'atMost', times)],
  };
}

/**
 * How a design makes at most `limit` instances of a mechanism: each statement that makes them without end gets its share;
 * null where nothing is left to share.
 *
 * @param does - what makes instances: a creation, or a message to a mechanism that answers once
 */
export function creationLimit(
  {
    design,
    mechanism,
    does,
  }: { readonly design: Design; readonly mechanism: string; readonly does: 'create' | 'send' },
  limit: number,
): CreationLimit | null {
  const all = those(statementsOf(design), does).filter(({ statement }) => statement.mechanism === mechanism);
  const endless = all.filter((located) => runsOf(located) === 'unbounded');
  const fixed = all.map(runsOf).reduce<number>((sum, times) => sum + (times === 'unbounded' ? 0 : times), 0);
  if (endless.length === 0) return fixed <= limit ? NOTHING : null;
  const share = Math.floor((limit - fixed) / endless.length);
  if (share < 1) return null;
  const limits = endless.map((located) => limitAt(located, share));
  return {
    texts: [...new Set(limits.flatMap(({ texts }) => texts))],
    changes: limits.flatMap(({ changes }) => changes),
  };
}

/** The same as a clause behind another. */
export const andLimited = (limit: CreationLimit | null): string =>
  limit === null || limit.texts.length === 0 ? '' : `, and ${listed(limit.texts)}`;
