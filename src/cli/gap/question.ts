import type { GapQuestion } from '../../composition/gap/gap.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { listed } from '../../report/kit/prose.ts';
import type { InputError } from '../../document/core/specification.ts';
import { readSeriesOption, type SeriesRange } from '../kit/series-option.ts';
import { UsageError } from '../kit/usage-error.ts';
import { missingNumber, aboveZero, probability, wholeNumber } from '../kit/number-option.ts';

/** The options of `gap`, as typed. */
export interface GapFlags {
  readonly each?: string;
  readonly count?: string;
  readonly delta?: string;
  readonly epsilon?: string;
}

const SERIES = {
  each: {
    ...aboveZero('--each', '0.1'),
    step: 'sum',
  },
  count: {
    ...wholeNumber('--count', '10:100:10'),
    step: 'sum',
  },
  delta: {
    ...probability('--delta', '1e-6'),
    step: 'tenfold',
  },
  epsilon: {
    flag: '--epsilon',
    allowed: 'a number',
    example: '1',
    contains: () => true,
    step: 'sum',
  },
} satisfies Record<keyof GapFlags, SeriesRange>;

function targetErrors({ delta, epsilon }: GapFlags): InputError[] {
  if (delta === undefined && epsilon === undefined) {
    const message = 'nothing says what to compare: the epsilons at a delta, or the deltas at an epsilon';
    return [{ code: 'no-target', path: '--delta', message, hint: 'Add --delta 1e-6 (or --epsilon 1).' }];
  }
  if (delta === undefined || epsilon === undefined) return [];
  const message = '--delta and --epsilon exclude each other: one is given, the other is compared';
  return [{ code: 'two-targets', path: '--epsilon', message, hint: 'Keep one of them.' }];
}

/** One row for each value: of two lists it would not be known which values belong together. */
function seriesErrors(values: Readonly<Record<keyof GapFlags, readonly Decimal[]>>): InputError[] {
  const flags = Object.values(SERIES).map(({ flag }) => flag);
  const long = Object.entries(SERIES).flatMap(([name, { flag }]) =>
    values[name as keyof GapFlags].length > 1 ? [flag] : [],
  );
  const second = long[1];
  if (second === undefined) return [];
  const message = `only one of ${listed(flags)} may have several values, but ${listed(long)} have`;
  return [{ code: 'two-series', path: second, message, hint: `Give one value for ${listed(long.slice(1))}.` }];
}

/** Reads what is compared; `errors` are mistakes found so far, reported together with those found here. */
export function readGapQuestion(flags: GapFlags, errors: readonly InputError[]): GapQuestion {
  const found = [...errors];
  const read = (name: keyof GapFlags): readonly Decimal[] => {
    const text = flags[name];
    return text === undefined ? [] : readSeriesOption(text, SERIES[name], found);
  };
  if (flags.each === undefined) found.push(missingNumber(SERIES.each, 'the epsilon of each mechanism'));
  if (flags.count === undefined) found.push(missingNumber(SERIES.count, 'the number of mechanisms'));
  const values = { each: read('each'), count: read('count'), delta: read('delta'), epsilon: read('epsilon') };
  found.push(...targetErrors(flags), ...seriesErrors(values));
  if (found.length > 0) throw new UsageError(found);
  const solveFor = flags.delta === undefined ? 'delta' : 'epsilon';
  return {
    each: values.each,
    count: values.count.map((value) => value.toNumber()),
    solveFor,
    given: solveFor === 'epsilon' ? values.delta : values.epsilon,
  };
}
