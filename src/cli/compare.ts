import { Argument } from 'commander';
import { compareDesigns, type Both, type CompareStage, type DesignComparison } from '../composition/compare/compare.ts';
import { ascending, Decimal } from '../numeric/decimal.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import { commandOf, formsOf } from './kit/command.ts';
import { covered } from './kit/refusal.ts';
import { COMPOSED, composedFlags, STRICT, WORK, workOf } from './kit/shared-options.ts';
import { loadTwo, nameAll, problemOf, type NamedSpecification, type TwoSources } from './kit/several-specifications.ts';
import { inGroup, seriesOption } from './kit/option.ts';
import { aboveZero, properFraction } from './kit/number-option.ts';
import { progressFor } from './kit/progress.ts';

const OPTIONS = {
  ...COMPOSED,
  ...inGroup('Target:', {
    delta: seriesOption('--delta <D>', 'find epsilon at these deltas (default: 1e-9,1e-6,1e-5)', properFraction, {
      example: '1e-6',
      step: 'tenfold',
      points: 'real',
    }),
    epsilon: seriesOption('--epsilon <E>', 'find delta at these epsilons (default: 0.5,1,2,4)', aboveZero, {
      example: '1',
      step: 'sum',
      points: 'real',
    }),
    fpr: seriesOption('--fpr <A>', 'find TPR at these FPRs (default: 0.001,0.01,0.1)', properFraction, {
      example: '0.01',
      step: 'sum',
      points: 'real',
    }),
  }),
  ...WORK(),
  ...STRICT,
};

const EXAMPLES = `
A smaller delta or a larger false-negative rate is better. "Certainly" means
that the upper bound of one design is below the lower bound of the other. For an
interval it holds at every point of it. Crossings have upper and lower bounds.

-m and --set change the second specification; if SECOND is omitted, they change
a copy of the first. All other options apply to both.

Examples:
  dpcompose compare laplace.json gaussian.json
  dpcompose compare privacy.json --set mechanisms[0].count=50 --delta 1e-6
  dpcompose compare laplace.json gaussian.json --format svg -o both.svg`;

/** Where numbers are compared if nothing is said. */
const USUAL = {
  delta: ['1e-9', '1e-6', '1e-5'],
  epsilon: ['0.5', '1', '2', '4'],
  fpr: ['0.001', '0.01', '0.1'],
};

const valuesOf = (values: readonly Decimal[] | undefined, usual: readonly string[]): readonly Decimal[] =>
  values === undefined ? usual.map((value) => new Decimal(value)) : ascending(values);

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
    'Compares two designs: epsilon, delta and true-positive rates of both, and the intervals in which one is certainly better.',
  operands: [
    new Argument('[FIRST]', 'JSON, YAML or CSV file; - for standard input'),
    new Argument('[SECOND]', 'the same for the second design'),
  ],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(
    async ({ comparison, designs: [first, second] }) =>
      (await import('../output/compare.ts')).compareOutput(comparison, [
        exactForm(first.specification),
        exactForm(second.specification),
      ]),
    ...(['table', 'json', 'csv', 'markdown', 'svg', 'plot'] as const),
  ),
  async read({ operands, flags, format, ...invocation }) {
    const work = workOf(flags);
    const points = {
      deltas: valuesOf(flags.delta, USUAL.delta),
      epsilons: valuesOf(flags.epsilon, USUAL.epsilon),
      falsePositiveRates: valuesOf(flags.fpr, USUAL.fpr),
    };
    const origin = { ...invocation, command: 'compare', sources: operands, flags: composedFlags(flags) } as const;
    const [first, second] = await loadTwo(origin);
    const [source, otherSource = source] = operands;
    const isChanged = flags.mechanism !== undefined || flags.set !== undefined;
    const [firstDesign, secondDesign] = nameAll([
      { specification: first, source },
      { specification: second, source: otherSource, isChanged },
    ]);
    const designs: Both<NamedSpecification> = [firstDesign!, secondDesign!];
    return (report) => {
      const isDrawn = format === 'svg' || format === 'plot';
      const progress = progressFor(report, (stage: CompareStage, share: number) => [STAGES[stage], share]);
      const question = { designs: [problemOf(designs[0]), problemOf(designs[1])] as const, ...points, isDrawn };
      const { comparison } = covered(compareDesigns(question, { ...work, ...progress }));
      return { result: { comparison, designs }, warnings: comparison.warnings };
    };
  },
});
