import * as z from 'zod/mini';
import type { Entry, MechanismKind, RunMechanism } from '../../privacy/mechanism.ts';
import { published } from '../core/fields.ts';
import { noNumber } from '../core/forms.ts';
import { member } from '../core/input-error.ts';
import { runLawOf, runs } from './run-law.ts';
import type { SamplingKeys } from './sampling.ts';
import { alias, common } from './written-type.ts';

/** An element of `mechanisms` of a document, wherever it stands. */
export const ELEMENT = { $ref: '#/$defs/element' };

/** Selections in the runs of selections are refused by name, before their keys are looked at. */
const noSelection = z.transform((value, context): unknown => {
  const isSelection = member(value, 'type') === 'selection' || member(value, 'best-of') !== undefined;
  if (!isSelection) return value;
  context.issues.push({ code: 'custom', input: value, path: [], params: { refused: 'selection of selections' } });
  return z.NEVER;
});

/**
 * Private selection: the best of a random number of runs.
 *
 * @param run - a mechanism of one run
 * @param toEntry - the entry that a validated one means
 */
export const selectionType = <R extends z.ZodMiniType>(
  run: R,
  toEntry: (parsed: z.infer<R>) => Entry<RunMechanism>,
) => {
  const of = z
    .array(z.pipe(noNumber('each item'), z.pipe(noSelection, run)))
    .check(z.minLength(1))
    .register(published, { items: ELEMENT, minItems: 1, description: 'The mechanisms of one run.' });
  return alias({
    schema: z
      .strictObject({
        type: z.literal('selection'),
        of,
        runs,
        released: z._default(z.enum(['best', 'all']), 'best'),
        ...common,
      })
      .register(published, {
        description:
          'Private selection: a random number of runs of the same mechanisms, of which only the best output is released. The order of outputs does not depend on the data, and no run on another.',
      }),
    mechanismOf: (parsed) => ({
      type: 'selection',
      of: (parsed.of as z.infer<R>[]).map(toEntry),
      runs: runLawOf(parsed.runs),
    }),
  });
};

/** The keys that decide whether a theorem covers a selection. */
interface Checked {
  readonly type: string;
  readonly kind: MechanismKind;
  readonly 'best-of'?: unknown;
  readonly sampling?: SamplingKeys['sampling'];
  readonly of?: readonly Checked[];
  readonly released?: 'best' | 'all';
}

const isShuffled = ({ sampling }: Checked): boolean => typeof sampling === 'object' && sampling.scheme === 'shuffled';

function refusalOf(entry: Checked): string | null {
  const isSelection = entry.type === 'selection';
  if (!isSelection && entry['best-of'] === undefined) return null;
  if (isSelection && entry['best-of'] !== undefined) return 'selection of selections';
  if (entry.released === 'all') return 'release of all runs';
  const all = [entry, ...(entry.of ?? [])];
  if (all.some(({ kind }) => kind !== 'noninteractive')) return 'selection of interactive mechanisms';
  return all.some(isShuffled) ? 'selection of shuffled batches' : null;
}

/** Refuses selections that no theorem covers. */
export const selectionIsCovered = z.check<Checked>(({ value, issues }) => {
  const refused = issues.length > 0 ? null : refusalOf(value);
  if (refused !== null) issues.push({ code: 'custom', input: value, path: [], params: { refused }, continue: true });
});
