import { Argument } from 'commander';
import { compare, isIncrease, type Comparison } from '../composition/diff/compare.ts';
import type { Specification } from '../document/core/specification.ts';
import { requireTarget } from '../document/read-specification.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import type { Query } from '../privacy/query.ts';
import { commandOf, formsOf } from './kit/command.ts';
import { refused } from './kit/refusal.ts';
import { diffOutput } from '../report/diff.ts';
import { COMPOSED, TARGET } from './kit/document-options.ts';
import { EXIT } from './kit/exit.ts';
import { inGroup, PRINTED, switchOption } from './kit/option.ts';
import { loadTwo, type TwoSources } from './kit/several-specifications.ts';
import { STRICT } from './kit/shared-options.ts';
import { UsageError } from './kit/usage-error.ts';
import { WORK, workOf } from './kit/work-options.ts';

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
export const diffCommand = commandOf<Compared, typeof OPTIONS, TwoSources>({
  name: 'diff',
  about: 'Compares what two specifications cost, and tells what each difference between them costs alone.',
  operands: [
    new Argument('[BEFORE]', 'JSON, YAML or CSV file that lists the mechanisms; - for standard input'),
    new Argument('[AFTER]', 'the same after the change'),
  ],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(
    ({ comparison, before, after }) => diffOutput(comparison, { before: exactForm(before), after: exactForm(after) }),
    'table',
    'json',
    'markdown',
  ),
  async read({ operands: sources, flags, ...given }) {
    const work = workOf(flags);
    const [before, after] = await loadTwo({ ...given, command: 'diff', sources, flags });
    const query = queryOf(before, after);
    return () => {
      const comparison = compare(before, after, query, work);
      if ('refusal' in comparison) throw refused(comparison.refusal);
      const { solveFor } = query;
      const fails = flags.failOnIncrease && isIncrease(comparison.before[solveFor], comparison.after[solveFor]);
      const { warnings } = comparison.after;
      return { result: { comparison, before, after }, warnings, ...(fails && { exit: EXIT.no }) };
    };
  },
});
