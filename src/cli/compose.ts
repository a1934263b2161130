import type { Answer } from '../composition/core/outcome.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import { composeJson } from '../output/compose/json.ts';
import { commandOf } from './kit/command.ts';
import { COMPOSED, specArgument, TARGET, STRICT, WORK, workOf } from './kit/shared-options.ts';
import { loadQuestion, type Question } from './kit/load-specification.ts';
import { inGroup, PRINTED, switchOption, wholeOption } from './kit/option.ts';
import { covered, warned } from './kit/refusal.ts';

const OPTIONS = {
  ...COMPOSED,
  ...TARGET(),
  ...WORK(),
  ...inGroup('Computation:', {
    precision: wholeOption('--precision <N>', 'recompute in decimals of N digits, 20 to 200', '50', 20, 200),
  }),
  ...inGroup(PRINTED, { all: switchOption('--all', 'show every bound, and why others do not apply'), ...STRICT }),
};

const EXAMPLES = `
Mechanism types (see dpcompose help mechanisms): dp, laplace, gaussian,
exponential, bounded-range, report-noisy-max, permute-and-flip, selection,
discrete-laplace, discrete-gaussian, tree-aggregation, banded-matrix, zcdp, rdp,
gdp, finite-pair, trade-off, randomized-response, rappor, shuffled-reports.

Examples:
  dpcompose compose -m dp:epsilon=0.1,count=100 --delta 1e-6
  dpcompose compose privacy.json --set mechanisms[0].count=50`;

/** An answer, what was asked, and whether bounds that do not apply are shown too. */
interface Composed {
  readonly answer: Answer;
  readonly question: Question;
  readonly all: boolean;
  /** Whether bounds were asked for by name. */
  readonly byName: boolean;
}

/** `dpcompose compose`: from mechanisms to the certified cost of all of them together. */
export const composeCommand = commandOf<Composed, typeof OPTIONS>({
  name: 'compose',
  about: 'The smallest total (epsilon, delta) of mechanisms, by any theorem that applies.',
  operands: [specArgument()],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: {
    table: async ({ answer, question, ...options }, { layout }) =>
      (await import('../output/compose/table.ts')).tableReport(answer, question, { ...(await layout()), ...options }),
    json: ({ answer, question }, { version }) => composeJson(answer, exactForm(question), version),
  },
  async read({ operands: [source], flags, format, ...invocation }) {
    const work = workOf(flags);
    const question = await loadQuestion({ ...invocation, command: 'compose', source, flags });
    const { compose } = await import('../composition/compose/compose.ts');
    const { all, precision } = flags;
    const directions = all || format === 'json';
    return async (progress) => {
      const outcome = covered(
        compose(question, question.target, { ...work, directions, ...(progress && { progress }) }),
        question,
      );
      let answer = warned(outcome.answer, question);
      if (precision !== undefined) {
        const { secondOpinion } = await import('../composition/compose/second-opinion.ts');
        answer = secondOpinion(question, answer, precision, work);
      }
      return { result: { answer, question, all, byName: flags.bounds !== undefined }, warnings: answer.warnings };
    };
  },
});
