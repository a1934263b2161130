import type { GapQuestion } from '../../composition/gap/gap.ts';
import { listed } from '../../report/kit/prose.ts';
import type { InputError } from '../../document/core/specification.ts';
import { inGroup, seriesOption, type ValuesOf } from '../kit/option.ts';
import { UsageError } from '../kit/usage-error.ts';
import { aboveZero, anyNumber, probability, wholeNumber } from '../kit/number-option.ts';

/** The options of what is compared. */
export const GAP = inGroup('What is compared:', {
  each: seriesOption('--each <E>', 'the epsilon (bounded range) of each mechanism', aboveZero, {
    example: '0.1',
    step: 'sum',
    needed: 'the epsilon of each mechanism',
  }),
  count: seriesOption('--count <K>', 'how many mechanisms there are', wholeNumber, {
    example: '10:100:10',
    step: 'sum',
    needed: 'the number of mechanisms',
  }),
  delta: seriesOption('--delta <D>', 'the smallest epsilons at this delta', probability, {
    example: '1e-6',
    step: 'tenfold',
  }),
  epsilon: seriesOption('--epsilon <E>', 'the smallest deltas at this epsilon', anyNumber, {
    example: '1',
    step: 'sum',
  }),
});

type GapFlags = ValuesOf<typeof GAP>;

function targetErrors({ delta, epsilon }: GapFlags): InputError[] {
  if (delta === undefined && epsilon === undefined) {
    const message = 'nothing says what to compare: the epsilons at a delta, or the deltas at an epsilon';
    return [{ code: 'no-target', path: '--delta', message, hint: 'Add --delta 1e-6 (or --epsilon 1).' }];
  }
  if (delta === undefined || epsilon === undefined) return [];
  const message = '--delta and --epsilon exclude each other: one is given, the other is compared';
  return [{ code: 'two-targets', path: '--epsilon', message, hint: 'Keep one of them.' }];
}

const FLAGS = ['--each', '--count', '--delta', '--epsilon'];

/** One row for each value: of two lists it would not be known which values belong together. */
function seriesErrors({ each, count, delta, epsilon }: GapFlags): InputError[] {
  const long = [each, count, delta, epsilon].flatMap((values = [], i) => (values.length > 1 ? [FLAGS[i]!] : []));
  const second = long[1];
  if (second === undefined) return [];
  const message = `only one of ${listed(FLAGS)} may have several values, but ${listed(long)} have`;
  return [{ code: 'two-series', path: second, message, hint: `Give one value for ${listed(long.slice(1))}.` }];
}

/** What is compared; `errors` are mistakes found so far, reported together with those found here. */
export function readGapQuestion(flags: GapFlags, errors: readonly InputError[]): GapQuestion {
  const found = [...errors, ...targetErrors(flags), ...seriesErrors(flags)];
  if (found.length > 0) throw new UsageError(found);
  const { each = [], count = [], delta, epsilon = [] } = flags;
  return {
    each,
    count: count.map((value) => value.toNumber()),
    solveFor: delta === undefined ? 'delta' : 'epsilon',
    given: delta ?? epsilon,
  };
}
