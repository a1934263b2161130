import type { InputError } from '../../document/core/specification.ts';
import { readNumberOption, type NumberRange } from './number-option.ts';

/** How hard to work, as typed. */
export interface EffortFlags {
  readonly tolerance?: string;
  readonly maxSeconds?: string;
}

/** How hard to work. */
export interface EffortOptions {
  readonly tolerance?: number;
  readonly exhausted?: () => boolean;
  readonly interrupted?: () => boolean;
}

const TOLERANCE: NumberRange = {
  flag: '--tolerance',
  allowed: 'a number above 0 and below 1',
  example: '1e-6',
  contains: (value) => value.gt(0) && value.lt(1),
};

const MAX_SECONDS: NumberRange = {
  flag: '--max-seconds',
  allowed: 'a number of seconds of at least 0',
  example: '10',
  contains: (value) => value.gte(0),
};

/** Reads --tolerance and --max-seconds; what is wrong goes to `errors`. */
export function readEffortOptions(flags: EffortFlags, errors: InputError[]): EffortOptions {
  const tolerance = readNumberOption(flags.tolerance, TOLERANCE, errors);
  const seconds = readNumberOption(flags.maxSeconds, MAX_SECONDS, errors);
  const end = seconds === undefined ? Infinity : performance.now() + seconds.toNumber() * 1000;
  const isOver = (): boolean => performance.now() >= end;
  return {
    ...(tolerance === undefined ? {} : { tolerance: tolerance.toNumber() }),
    ...(seconds === undefined ? {} : { exhausted: isOver, interrupted: isOver }),
  };
}
