import { BOUND_IDS, type BoundId } from '../bounds/bound.ts';
import type { InputError } from '../spec/specification.ts';
import { quote } from '../spec/quote.ts';
import { didYouMean } from '../spec/suggest.ts';
import { readNumberOption, type NumberRange } from './number-option.ts';

/** How to work, as typed. */
export interface WorkFlags {
  readonly bounds?: string;
  readonly tolerance?: string;
  readonly maxSeconds?: string;
  readonly precision?: string;
}

/** How to work. */
export interface WorkOptions {
  readonly bounds?: readonly BoundId[];
  readonly tolerance?: number;
  readonly exhausted?: () => boolean;
  /** Digits of the second opinion. */
  readonly precision?: number;
}

const isBound = (id: string): id is BoundId => (BOUND_IDS as readonly string[]).includes(id);

function readBounds(text: string, errors: InputError[]): readonly BoundId[] {
  const ids = text.split(',').map((id) => id.trim());
  for (const id of ids.filter((id) => !isBound(id))) {
    const message = `${quote(id)} is not a bound`;
    const hint = `${didYouMean(id, BOUND_IDS)}The bounds are ${BOUND_IDS.join(', ')}.`;
    errors.push({ code: 'unknown-bound', path: '--bounds', message, hint });
  }
  return [...new Set(ids.filter(isBound))];
}

const TOLERANCE: NumberRange = {
  flag: '--tolerance',
  allowed: 'a number above 0 and below 1',
  example: '1e-6',
  contains: (value) => value > 0 && value < 1,
};

const MAX_SECONDS: NumberRange = {
  flag: '--max-seconds',
  allowed: 'a number of seconds of at least 0',
  example: '10',
  contains: (value) => value >= 0,
};

const PRECISION: NumberRange = {
  flag: '--precision',
  allowed: 'a whole number from 20 to 200',
  example: '50',
  contains: (value) => Number.isInteger(value) && value >= 20 && value <= 200,
};

/** Reads --bounds, --tolerance, --max-seconds and --precision; what is wrong goes to `errors`. */
export function readWorkOptions(flags: WorkFlags, errors: InputError[]): WorkOptions {
  const bounds = flags.bounds === undefined ? undefined : readBounds(flags.bounds, errors);
  const tolerance = flags.tolerance === undefined ? undefined : readNumberOption(flags.tolerance, TOLERANCE, errors);
  const seconds = flags.maxSeconds === undefined ? undefined : readNumberOption(flags.maxSeconds, MAX_SECONDS, errors);
  const precision = flags.precision === undefined ? undefined : readNumberOption(flags.precision, PRECISION, errors);
  const end = seconds === undefined ? undefined : performance.now() + seconds * 1000;
  return {
    ...(bounds === undefined ? {} : { bounds }),
    ...(tolerance === undefined ? {} : { tolerance }),
    ...(end === undefined ? {} : { exhausted: () => performance.now() >= end }),
    ...(precision === undefined ? {} : { precision }),
  };
}
