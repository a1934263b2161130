import { BOUND_IDS, boundNamed, type BoundId } from '../../bounds/core/bound.ts';
import type { InputError } from '../../document/core/specification.ts';
import { quote } from '../../document/core/quote.ts';
import { didYouMean } from '../../document/core/suggest.ts';
import { readEffortOptions, type EffortFlags, type EffortOptions } from './effort-options.ts';
import { readNumberOption, wholeNumber } from './number-option.ts';

/** How to work, as typed. */
export interface WorkFlags extends EffortFlags {
  readonly bounds?: string;
  readonly precision?: string;
}

/** How to work. */
export interface WorkOptions extends EffortOptions {
  readonly bounds?: readonly BoundId[];
  /** Digits of the second opinion. */
  readonly precision?: number;
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

const PRECISION = wholeNumber('--precision', '50', 20, 200);

/** Reads --bounds, --tolerance, --max-seconds and --precision; what is wrong goes to `errors`. */
export function readWorkOptions(flags: WorkFlags, errors: InputError[]): WorkOptions {
  const bounds = flags.bounds === undefined ? undefined : readBounds(flags.bounds, errors);
  const effort = readEffortOptions(flags, errors);
  const precision = readNumberOption(flags.precision, PRECISION, errors);
  return {
    ...effort,
    ...(bounds === undefined ? {} : { bounds }),
    ...(precision === undefined ? {} : { precision: precision.toNumber() }),
  };
}
