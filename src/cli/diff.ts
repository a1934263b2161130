import { Command } from 'commander';
import { compare, isIncrease, type Comparison } from '../composition/diff/compare.ts';
import type { Specification } from '../document/core/specification.ts';
import { requireTarget } from '../document/read-specification.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import type { Query } from '../privacy/query.ts';
import { commandOf, refused } from './kit/command.ts';
import { diffOutput } from '../report/diff.ts';
import { COMPOSED, TARGET } from './kit/document-options.ts';
import { EXIT } from './kit/exit.ts';
import { inGroup, PRINTED, switchOption, type ValuesOf } from './kit/option.ts';
import { loadTwo, type TwoSources } from './kit/several-specifications.ts';
import { STRICT } from './kit/shared-options.ts';
import { UsageError } from './kit/usage-error.ts';
import { WORK, workOf } from './kit/work-options.ts';
import { formsOf } from './kit/forms.ts';

const OPTIONS = {
  ...COMPOSED,
  ...TARGET(),
  ...WORK(),
  ...inGroup(PRINTED, {
    failOnIncrease: switchOption('--fail-on-increase', 'exit with 1 if more is claimed after than before'),
    ...STRICT,
  }),
};

const EXAMPLES = `
Mechanisms and what holds others are matched by label, then by type and
parameters. Each change is told with what the first specification costs with
that change alone, and how much more or less that is.

-m and --set make the second specification, of the first where AFTER is left out;
all other options are for both. With neither, what is left out is piped in.

Examples:
  dpcompose diff before.json after.json --delta 1e-6
  dpcompose diff privacy.json -m dp:epsilon=0.1,count=5
  dpcompose diff privacy.json --set mechanisms[0].count=50 --set mechanisms[2]=null
  git show main:privacy.json | dpcompose diff - privacy.json --fail-on-increase
  dpcompose diff before.json after.json --format markdown >> summary.md
  dpcompose diff before.json after.json --json | jq '.changes[] | [.description, .difference]'`;

/** The target of the first specification, or else that of the second. */
function queryOf(before: Specification, after: Specification): Query {
  const target = before.target ?? requireTarget(after);
  if ('message' in target) throw new UsageError([target]);
  return target;
}

/** The comparison of two specifications. */
interface Compared {
  readonly comparison: Comparison;
  readonly before: Specification;
  readonly after: Specification;
}

/** `dpcompose diff`: what a change of specification costs. */
export const diffCommand = commandOf<Compared, ValuesOf<typeof OPTIONS>, TwoSources>({
  command: () =>
    new Command('diff')
      .description('Compares what two specifications cost, and tells what each difference between them costs alone.')
      .argument('[BEFORE]', 'JSON, YAML or CSV file that lists the mechanisms; - for standard input')
      .argument('[AFTER]', 'the same after the change'),
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(
    ({ comparison, before, after }) => diffOutput(comparison, { before: exactForm(before), after: exactForm(after) }),
    'table',
    'json',
    'markdown',
  ),
  async read({ operands, flags, errors, io }) {
    const work = workOf(flags);
    const [before, after] = await loadTwo({ command: 'diff', sources: operands, flags, errors }, io);
    if (before.kind === 'refusal') return refused(before.refusal);
    if (after.kind === 'refusal') return refused(after.refusal);
    const sides = { before: before.specification, after: after.specification };
    const query = queryOf(sides.before, sides.after);
    return () => {
      const comparison = compare(sides.before, sides.after, query, work);
      if ('refusal' in comparison) return refused(comparison.refusal);
      const { solveFor } = query;
      const fails = flags.failOnIncrease && isIncrease(comparison.before[solveFor], comparison.after[solveFor]);
      const { warnings } = comparison.after;
      return { result: { comparison, ...sides }, warnings, ...(fails && { exit: EXIT.no }) };
    };
  },
});
