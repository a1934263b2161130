import type { NumberRange } from './number-option.ts';
import { inGroup, numberOption, type ValuesOf } from './option.ts';
import { properFraction } from './number-option.ts';

/** How hard to work. */
export interface EffortOptions {
  readonly tolerance?: number;
  readonly exhausted?: () => boolean;
  readonly interrupted?: () => boolean;
}

const seconds = (flag: string, example: string): NumberRange => ({
  flag,
  allowed: 'a number of seconds of at least 0',
  example,
  contains: (value) => value.gte(0),
});

/** The options of how hard to work. */
export const EFFORT = inGroup('How it is computed:', {
  tolerance: numberOption('--tolerance <T>', 'relative width of enclosures', properFraction, '1e-6'),
  maxSeconds: numberOption(
    '--max-seconds <S>',
    'what takes longer is given up: the answer rests on what was done',
    seconds,
    '10',
  ),
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
