import { BOUND_IDS, boundNamed, type BoundId } from '../../bounds/core/bound.ts';
import type { InputError } from '../../document/core/specification.ts';
import { quote } from '../../document/core/quote.ts';
import { didYouMean } from '../../document/core/suggest.ts';
import { EFFORT, effortOf, type EffortOptions } from './effort-options.ts';
import { inGroup, textOption, type DeclaredOption, type ValuesOf } from './option.ts';

/** How to work. */
export interface WorkOptions extends EffortOptions {
  readonly bounds?: readonly BoundId[];
}

function readBounds(text: string, errors: InputError[]): readonly BoundId[] {
  const ids = text.split(',').map((id) => id.trim());
  for (const id of ids.filter((id) => boundNamed(id) === null)) {
    const message = `${quote(id)} is not a bound`;
    const hint = `${didYouMean(id, BOUND_IDS)}The bounds are ${BOUND_IDS.join(', ')}.`;
    errors.push({ code: 'unknown-bound', path: '--bounds', message, hint });
  }
  return [...new Set(ids.flatMap((id) => boundNamed(id) ?? []))];
}

const boundsOption = (what: string): DeclaredOption<readonly BoundId[] | undefined> => ({
  ...textOption('--bounds <ID,...>', `${what}: ${BOUND_IDS.join(', ')}`, () => BOUND_IDS),
  read: (typed, errors) => (typeof typed === 'string' ? readBounds(typed, errors) : undefined),
});

/** The options of which bounds are computed, and how. */
export const WORK = (what = 'only these bounds') =>
  inGroup('How it is computed:', { bounds: boundsOption(what), ...EFFORT });

/** How to work, from now on. */
export const workOf = ({ bounds, ...effort }: Partial<ValuesOf<ReturnType<typeof WORK>>>): WorkOptions => ({
  ...effortOf(effort),
  ...(bounds === undefined ? {} : { bounds }),
});
