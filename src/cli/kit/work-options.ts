import { BOUND_IDS, boundNamed, type BoundId } from '../../bounds/core/bound.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { didYouMean } from '../../document/core/suggest.ts';
import { atLeastZero, properFraction, type RangeOf } from './number-option.ts';
import { inGroup, numberOption, textOption, type DeclaredOption, type ValuesOf } from './option.ts';

/** How hard to work. */
interface EffortOptions {
  readonly tolerance?: number;
  readonly exhausted?: () => boolean;
  readonly interrupted?: () => boolean;
}

const seconds: RangeOf = (flag, example) => ({
  ...atLeastZero(flag, example),
  allowed: 'a number of seconds, at least 0',
});

/** The options of how hard to work. */
export const EFFORT = inGroup('Computation:', {
  tolerance: numberOption('--tolerance <T>', 'relative gap between upper and lower bounds', properFraction, '1e-6'),
  maxSeconds: numberOption('--max-seconds <S>', 'skip bounds that need more than S seconds', seconds, '10'),
});

/** How hard to work, from now on. */
export function effortOf({ tolerance, maxSeconds }: Partial<ValuesOf<typeof EFFORT>>): EffortOptions {
  const end = maxSeconds === undefined ? Infinity : performance.now() + maxSeconds.toNumber() * 1000;
  const isOver = (): boolean => performance.now() >= end;
  return {
    ...(tolerance === undefined ? {} : { tolerance: tolerance.toNumber() }),
    ...(maxSeconds === undefined ? {} : { exhausted: isOver, interrupted: isOver }),
  };
}

/** How to work. */
export interface WorkOptions extends EffortOptions {
  readonly bounds?: readonly BoundId[];
}

function readBounds(text: string, errors: InputError[]): readonly BoundId[] {
  const ids = text.split(',').map((id) => id.trim());
  for (const id of ids.filter((id) => boundNamed(id) === null)) {
    const message = `unknown bound ${quote(id)}`;
    const hint = `${didYouMean(id, BOUND_IDS)}The bounds are ${BOUND_IDS.join(', ')}.`;
    errors.push({ code: 'unknown-bound', path: '--bounds', message, hint });
  }
  return [...new Set(ids.flatMap((id) => boundNamed(id) ?? []))];
}

const boundsOption = (what: string): DeclaredOption<readonly BoundId[] | undefined> => ({
  ...textOption('--bounds <ID,...>', `${what}; see dpcompose theorems`, () => BOUND_IDS),
  read: (typed, errors) => (typeof typed === 'string' ? readBounds(typed, errors) : undefined),
});

/** The options of which bounds are computed, and how. */
export const WORK = (what = 'use only these bounds') =>
  inGroup('Computation:', { bounds: boundsOption(what), ...EFFORT });

/** How to work, from now on. */
export const workOf = ({ bounds, ...effort }: Partial<ValuesOf<ReturnType<typeof WORK>>>): WorkOptions => ({
  ...effortOf(effort),
  ...(bounds === undefined ? {} : { bounds }),
});
