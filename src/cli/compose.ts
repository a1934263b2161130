import type { Answer } from '../composition/core/outcome.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import { composeJson } from '../output/compose/json.ts';
import { commandOf } from './kit/command.ts';
import { writeStderr } from './kit/io.ts';
import { COMPOSED, specArgument, TARGET, STRICT, WORK, workOf } from './kit/shared-options.ts';
import { loadQuestion, type Question } from './kit/load-specification.ts';
import { inGroup, PRINTED, switchOption, textOption, wholeOption } from './kit/option.ts';
import { covered, warned } from './kit/refusal.ts';

const OPTIONS = {
  ...COMPOSED,
  ...TARGET(),
  ...WORK(),
  ...inGroup('Computation:', {
    precision: wholeOption('--precision <N>', 'recompute in decimals of N digits, 20 to 200', '50', 20, 200),
  }),
  ...inGroup(PRINTED, {
    certificate: textOption('--certificate <FILE>', 'write a proof of the answer for docs/checker.py'),
    all: switchOption('--all', 'show every bound, and why others do not apply'),
    ...STRICT,
  }),
};

const EXAMPLES = `
Mechanism types (for their keys, see dpcompose help mechanisms): dp, laplace,
gaussian, exponential, bounded-range, report-noisy-max, permute-and-flip,
discrete-laplace, discrete-gaussian, tree-aggregation, banded-matrix, zcdp, rdp,
gdp, finite-pair, trade-off, randomized-response, rappor, shuffled-reports.

Example:
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
    const { io } = invocation;
    const { certificate: file, force = false } = flags;
    const work = workOf(flags);
    const question = await loadQuestion({ ...invocation, command: 'compose', source, flags });
    const { compose } = await import('../composition/compose/compose.ts');
    const { all, precision } = flags;
    const directions = all || format === 'json';
    return async (progress) => {
      const target = { flag: '--certificate', force };
      const put = file === undefined ? null : await (await import('./kit/output-file.ts')).openFile(file, target, io);
      const outcome = covered(
        compose(question, question.target, { ...work, directions, ...(progress && { progress }) }),
        question,
      );
      let answer = warned(outcome.answer, question);
      if (precision !== undefined) {
        const { secondOpinion } = await import('../composition/compose/second-opinion.ts');
        answer = secondOpinion(question, answer, precision, work);
      }
      const result = { answer, question, all, byName: flags.bounds !== undefined };
      const { warnings } = answer;
      if (put === null) return { result, warnings };
      const { certify } = await import('../composition/certificate/certificate.ts');
      const { certificate } = covered(certify(question, answer), question);
      return {
        result,
        warnings,
        async also() {
          const { certificateNote, certificateText } = await import('../output/certificate.ts');
          await put(certificateText(certificate));
          const note = flags.quiet === true ? null : certificateNote(certificate, answer);
          if (note !== null) await writeStderr(io, `note: ${note}\n`);
        },
      };
    };
  },
});
