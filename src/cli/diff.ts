import { Argument } from 'commander';
import { compare, isIncrease, type Comparison } from '../composition/diff/compare.ts';
import type { Specification } from '../document/core/specification.ts';
import { requireTarget } from '../document/read-specification.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import type { Query } from '../privacy/curve.ts';
import { commandOf, formsOf } from './kit/command.ts';
import { refused } from './kit/refusal.ts';
import { diffOutput } from '../output/diff.ts';
import { COMPOSED, TARGET, STRICT, WORK, workOf } from './kit/shared-options.ts';
import { EXIT } from './kit/io.ts';
import { inGroup, PRINTED, switchOption } from './kit/option.ts';
import { loadTwo, type TwoSources } from './kit/several-specifications.ts';
import { UsageError } from './kit/usage-error.ts';

const OPTIONS = {
  ...COMPOSED,
  ...TARGET(),
  ...WORK(),
  ...inGroup(PRINTED, {
    failOnIncrease: switchOption('--fail-on-increase', 'exit with code 1 if the privacy loss increases'),
    ...STRICT,
  }),
};

const EXAMPLES = `
Mechanisms are matched by label, then by type and parameters. For each change,
diff prints the privacy loss of the first specification with only that change,
and the difference.

-m and --set change the second specification; if AFTER is omitted, they change
a copy of the first. All other options apply to both.

Examples:
  dpcompose diff before.json after.json --delta 1e-6
  dpcompose diff privacy.json -m dp:epsilon=0.1,count=5
  git show main:privacy.json | dpcompose diff - privacy.json --fail-on-increase`;

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
  about: 'Compares the privacy loss of two specifications, and prints the effect of each change between them.',
  operands: [
    new Argument('[BEFORE]', 'JSON, YAML or CSV file; - for standard input'),
    new Argument('[AFTER]', 'the specification after the change'),
  ],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(
    ({ comparison, before, after }) => diffOutput(comparison, { before: exactForm(before), after: exactForm(after) }),
    'table',
    'json',
    'markdown',
  ),
  async read({ operands: sources, flags, ...invocation }) {
    const work = workOf(flags);
    const [before, after] = await loadTwo({ ...invocation, command: 'diff', sources, flags });
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
