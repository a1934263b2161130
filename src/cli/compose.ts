import type { Answer } from '../composition/core/outcome.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import { composeJson } from '../output/compose/json.ts';
import { commandOf } from './kit/command.ts';
import { writeStderr } from './kit/io.ts';
import { COMPOSED, specArgument, TARGET, STRICT, WORK, workOf } from './kit/shared-options.ts';
import { loadQuestion, type Question } from './kit/load-specification.ts';
import { inGroup, PRINTED, switchOption, textOption, wholeOption, type DeclaredOption } from './kit/option.ts';
import { covered, warned } from './kit/refusal.ts';
import { conflict } from './kit/usage-error.ts';

/** An address of the page, or what stands behind the option by itself: the document. */
const linkOption: DeclaredOption<string | true | undefined> = {
  flags: '--link [PAGE]',
  about: 'print its address on a page (see dpcompose page)',
  read: (typed) => (typeof typed === 'string' || typed === true ? typed : undefined),
};

const isAddress = (text: string): boolean => /^[a-z]+:\/\//.test(text);

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
    link: linkOption,
    ...STRICT,
  }),
};

const EXAMPLES = `
Mechanism types (see dpcompose help mechanisms): dp, laplace, gaussian, zcdp,
exponential, bounded-range, report-noisy-max, permute-and-flip, sparse-vector,
selection, discrete-laplace, discrete-gaussian, tree-aggregation, banded-matrix,
rdp, gdp, finite-pair, trade-off, randomized-response, rappor, shuffled-reports.

Example: dpcompose compose privacy.json -m dp:epsilon=0.1,count=100 --delta 1e-6`;

/** An answer, what was asked, and whether bounds that do not apply are shown too. */
interface Composed {
  readonly answer: Answer;
  readonly question: Question;
  readonly all: boolean;
  /** Whether bounds were asked for by name. */
  readonly byName: boolean;
}

/** The address of an answer, which nobody computes here. */
interface Link {
  readonly link: string;
}

/** `dpcompose compose`: from mechanisms to the certified cost of all of them together. */
export const composeCommand = commandOf<Composed | Link, typeof OPTIONS>({
  name: 'compose',
  about: 'The smallest total (epsilon, delta) of mechanisms, by any theorem that applies.',
  operands: [specArgument()],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: {
    table: async (result, { layout }) => {
      if ('link' in result) return `${result.link}\n`;
      const { answer, question, ...options } = result;
      const { tableReport } = await import('../output/compose/table.ts');
      return tableReport(answer, question, { ...(await layout()), ...options });
    },
    json: (result, { version }) =>
      'link' in result ? '' : composeJson(result.answer, exactForm(result.question), version),
  },
  async read({ operands: [operand], flags, format, ...invocation }) {
    const { io } = invocation;
    const { certificate: file, force = false } = flags;
    const work = workOf(flags);
    const { link } = flags;
    const isBehind = typeof link === 'string' && !isAddress(link);
    const strays = { '--json': format === 'json', '--certificate': file, '--bounds': flags.bounds };
    const other = Object.entries(strays).find(([, given]) => given !== undefined && given !== false)?.[0];
    if (link !== undefined && other !== undefined) {
      invocation.errors.push(conflict('--link', `does not go with ${other}`, `Keep one of --link and ${other}.`));
    }
    const source = isBehind ? link : operand;
    const question = await loadQuestion({ ...invocation, command: 'compose', source, flags });
    if (link !== undefined) {
      const { linkTo } = await import('../output/link.ts');
      const address = linkTo(question, typeof link === 'string' && !isBehind ? link : undefined);
      return () => ({ result: { link: address } });
    }
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
