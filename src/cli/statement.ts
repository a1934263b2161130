import type { PrivacyStatement } from '../output/statement.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import { commandOf, formsOf } from './kit/command.ts';
import { COMPOSED, specArgument, TARGET, EFFORT, effortOf } from './kit/shared-options.ts';
import { loadQuestion } from './kit/load-specification.ts';
import { inGroup, wholeOption } from './kit/option.ts';
import { covered, failed } from './kit/refusal.ts';

const OPTIONS = {
  ...COMPOSED,
  ...TARGET(),
  ...inGroup('Target:', {
    distance: wholeOption('--distance <K>', 'also state the guarantee at K neighboring steps', '5'),
  }),
  ...EFFORT,
};

const EXAMPLES = `
Examples:
  dpcompose statement privacy.json
  dpcompose statement privacy.json --delta 1e-6 --distance 5
  dpcompose statement privacy.json --format markdown > PRIVACY.md`;

/** `dpcompose statement`: what is promised to whom, in plain words. */
export const statementCommand = commandOf<PrivacyStatement, typeof OPTIONS>({
  name: 'statement',
  about:
    'Writes a privacy statement for lay readers: what is protected, against whom, how often an attacker can succeed, by which theorem, under which assumptions, and what it does not cover.',
  operands: [specArgument()],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(
    async (statement) =>
      (await import('../output/statement.ts')).privacyStatementOutput(statement, exactForm(statement.specification)),
    'text',
    'json',
    'markdown',
  ),
  async read({ operands: [source], flags, ...invocation }) {
    const question = await loadQuestion({ ...invocation, command: 'statement', source, flags });
    const { entries, target } = question;
    const { state } = await import('../composition/statement/state.ts');
    const effort = effortOf(flags);
    return (progress) => {
      const stated = covered(
        state(question, target, flags.distance ?? null, { ...effort, ...(progress && { progress }) }),
      );
      if (stated.kind === 'fails') throw failed(stated.check, { entries, design: stated.design });
      return { result: { stated, specification: question } };
    };
  },
});
