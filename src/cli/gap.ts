import type { GapAnswer, GapQuestion } from '../composition/gap/gap.ts';
import type { InputError } from '../document/core/specification.ts';
import { grouped, listed } from '../output/kit/prose.ts';
import { commandOf, formsOf } from './kit/command.ts';
import { inGroup, seriesOption, type ValuesOf } from './kit/option.ts';
import { aboveZero, anyNumber, probability, wholeNumber } from './kit/number-option.ts';
import { progressFor } from './kit/progress.ts';
import { STRICT, EFFORT, effortOf } from './kit/shared-options.ts';
import { twoTargets, UsageError } from './kit/usage-error.ts';

/** The options of what is compared. */
const GAP = inGroup('Mechanisms:', {
  each: seriesOption('--each <E>', 'epsilon (bounded range) of each mechanism', aboveZero, {
    example: '0.1',
    step: 'sum',
    needed: 'the epsilon of each mechanism',
  }),
  count: seriesOption('--count <K>', 'number of mechanisms', wholeNumber, {
    example: '10:100:10',
    step: 'sum',
    needed: 'the number of mechanisms',
  }),
  delta: seriesOption('--delta <D>', 'find the smallest epsilons at this delta', probability, {
    example: '1e-6',
    step: 'tenfold',
  }),
  epsilon: seriesOption('--epsilon <E>', 'find the smallest deltas at this epsilon', anyNumber, {
    example: '1',
    step: 'sum',
  }),
});

type GapFlags = ValuesOf<typeof GAP>;

function targetErrors({ delta, epsilon }: GapFlags): InputError[] {
  if (delta === undefined && epsilon === undefined) {
    const message = 'the target is missing: give a delta, or an epsilon';
    return [{ code: 'no-target', path: '--delta', message, hint: 'Add --delta 1e-6 (or --epsilon 1).' }];
  }
  if (delta === undefined || epsilon === undefined) return [];
  return [twoTargets('compared')];
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
function readGapQuestion(flags: GapFlags, errors: readonly InputError[]): GapQuestion {
  const mistakes = [...errors, ...targetErrors(flags), ...seriesErrors(flags)];
  if (mistakes.length > 0) throw new UsageError(mistakes);
  const { each = [], count = [], delta, epsilon = [] } = flags;
  return {
    each,
    count: count.map((value) => value.toNumber()),
    solveFor: delta === undefined ? 'delta' : 'epsilon',
    given: delta ?? epsilon,
  };
}

const EXAMPLES = `
One of --each, --count, --delta and --epsilon can have several values: numbers
and ranges, with commas between them. A range is FROM:TO or FROM:TO:STEP; the
default step is 1, and a factor of 10 for deltas.

Examples:
  dpcompose gap --each 0.1 --count 10:100:10 --delta 1e-6
  dpcompose gap --each 0.1 --count 30 --epsilon 0:3:0.25
  dpcompose gap --each 0.05,0.1,0.5,1 --count 30 --delta 1e-6 --format csv`;

const OPTIONS = { ...GAP, ...EFFORT, ...STRICT };

/** `dpcompose gap`: what adaptivity costs equal bounded-range mechanisms. */
export const gapCommand = commandOf<GapAnswer, typeof OPTIONS>({
  name: 'gap',
  about:
    'Compares equal bounded-range (exponential) mechanisms, adaptively chosen and fixed in advance: epsilon or delta of both, and certified bounds on the gap.',
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(async (answer) => (await import('../output/gap.ts')).gapOutput(answer), 'table', 'json', 'csv'),
  async read({ flags, errors }) {
    const effort = effortOf(flags);
    const question = readGapQuestion(flags, errors);
    const { gap } = await import('../composition/gap/gap.ts');
    const total = question.each.length * question.count.length * question.given.length;
    return (report) => {
      const result = gap(question, {
        ...effort,
        ...progressFor(report, (row: number, share: number) => [`row ${grouped(row + 1)} of ${grouped(total)}`, share]),
      });
      return { result, warnings: result.warnings };
    };
  },
});
