import { runsOf } from '../../composition/design/difference.ts';
import type { Design } from '../../composition/design/design.ts';
import { statementsOf, those, type Located } from '../../composition/design/data-flow.ts';
import { placeText } from './design-reasons.ts';
import type { KeyChange } from '../kit/fix.ts';
import { listed } from '../kit/prose.ts';

/** Changes of a design after which it makes no more than so many instances. */
export interface CreationLimit {
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
    changes: [{ path, key: 'atMost', value: times }],
  };
}

/**
 * How a design makes at most `most` instances of a mechanism: each statement that makes them without end gets its share;
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
  most: number,
): CreationLimit | null {
  const all = those(statementsOf(design), does).filter(({ statement }) => statement.mechanism === mechanism);
  const endless = all.filter((located) => runsOf(located) === 'unbounded');
  const fixed = all.map(runsOf).reduce<number>((sum, times) => sum + (times === 'unbounded' ? 0 : times), 0);
  if (endless.length === 0) return fixed <= most ? NOTHING : null;
  const share = Math.floor((most - fixed) / endless.length);
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
