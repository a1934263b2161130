import { Argument } from 'commander';
import { compareDesigns, type Both, type CompareStage, type DesignComparison } from '../composition/compare/compare.ts';
import { ascending, Decimal } from '../numeric/decimal.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import { commandOf, formsOf } from './kit/command.ts';
import { covered } from './kit/refusal.ts';
import { COMPOSED, composedFlags } from './kit/document-options.ts';
import { loadTwo, named, problemOf, type NamedSpecification, type TwoSources } from './kit/several-specifications.ts';
import { aboveZero, properFraction } from './kit/number-option.ts';
import { inGroup, seriesOption } from './kit/option.ts';
import { progressFor } from './kit/progress.ts';
import { STRICT } from './kit/shared-options.ts';
import { WORK, workOf } from './kit/work-options.ts';

const OPTIONS = {
  ...COMPOSED,
  ...inGroup('Target:', {
    delta: seriesOption('--delta <D>', 'the smallest epsilons at these deltas (1e-9,1e-6,1e-5)', properFraction, {
      example: '1e-6',
      step: 'tenfold',
      points: 'real',
    }),
    epsilon: seriesOption('--epsilon <E>', 'the smallest deltas at these epsilons (0.5,1,2,4)', aboveZero, {
      example: '1',
      step: 'sum',
      points: 'real',
    }),
    fpr: seriesOption(
      '--fpr <A>',
      'true-positive rates at these false-positive rates (0.001,0.01,0.1)',
      properFraction,
      { example: '0.01', step: 'sum', points: 'real' },
    ),
  }),
  ...WORK(),
  ...STRICT,
};

const EXAMPLES = `
The smaller delta, or the larger false-negative rate, is better. "Certainly"
is said where the upper end of one number is below the lower end of the other,
and of a stretch where that is proved of every point in it: both are convex, so
that chords enclose them between points. Crossings are enclosed.

-m and --set make the second specification, of the first where SECOND is left
out; all other options are for both. With neither, what is left out is piped in.

Examples:
  dpcompose compare laplace.json gaussian.json
  dpcompose compare privacy.json --set mechanisms[0].count=50 --delta 1e-6
  dpcompose compare laplace.json gaussian.json --format svg -o both.svg
  dpcompose compare laplace.json gaussian.json --json | jq '.byEpsilon'`;

/** Where numbers are compared if nothing is said. */
const USUAL = {
  delta: ['1e-9', '1e-6', '1e-5'],
  epsilon: ['0.5', '1', '2', '4'],
  fpr: ['0.001', '0.01', '0.1'],
};

const valuesOf = (given: readonly Decimal[] | undefined, usual: readonly string[]): readonly Decimal[] =>
  given === undefined ? usual.map((value) => new Decimal(value)) : ascending(given);

/** What progress calls the stages of the work. */
const STAGES: Readonly<Record<CompareStage, string>> = {
  profiles: 'profiles',
  deltas: 'where deltas are smaller',
  tests: 'where false-negative rates are larger',
  curves: 'curves',
};

/** Two designs, and what was found of them. */
interface Compared {
  readonly comparison: DesignComparison;
  readonly designs: Both<NamedSpecification>;
}

/** `dpcompose compare`: two designs beside each other, and where each is better. */
export const compareCommand = commandOf<Compared, typeof OPTIONS, TwoSources>({
  name: 'compare',
  about:
    'Two designs beside each other: epsilons, deltas and true-positive rates of both, and where the delta, or the false-negative rate of every test, is certainly better for one of them.',
  operands: [
    new Argument('[FIRST]', 'JSON, YAML or CSV file that lists the mechanisms; - for standard input'),
    new Argument('[SECOND]', 'the same of the other design'),
  ],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(
    async ({ comparison, designs: [first, second] }) =>
      (await import('../report/compare.ts')).compareOutput(comparison, [
        exactForm(first.specification),
        exactForm(second.specification),
      ]),
    ...(['table', 'json', 'csv', 'markdown', 'svg', 'plot'] as const),
  ),
  async read({ operands, flags, format, ...given }) {
    const work = workOf(flags);
    const asked = {
      deltas: valuesOf(flags.delta, USUAL.delta),
      epsilons: valuesOf(flags.epsilon, USUAL.epsilon),
      falsePositiveRates: valuesOf(flags.fpr, USUAL.fpr),
    };
    const origin = { ...given, command: 'compare', sources: operands, flags: composedFlags(flags) } as const;
    const [first, second] = await loadTwo(origin);
    const [source, otherSource = source] = operands;
    const isChanged = flags.mechanism !== undefined || flags.set !== undefined;
    const [one, other] = named([
      { specification: first, source },
      { specification: second, source: otherSource, isChanged },
    ]);
    const designs: Both<NamedSpecification> = [one!, other!];
    return (report) => {
      const isDrawn = format === 'svg' || format === 'plot';
      const progress = progressFor(report, (stage: CompareStage, share: number) => [STAGES[stage], share]);
      const question = { designs: [problemOf(designs[0]), problemOf(designs[1])] as const, ...asked, isDrawn };
      const { comparison } = covered(compareDesigns(question, { ...work, ...progress }));
      return { result: { comparison, designs }, warnings: comparison.warnings };
    };
  },
});
