import { Command } from 'commander';
import type { RiskReport } from '../../report/risk-words.ts';
import { uncheckedWarnings } from '../../composition/design/document-warnings.ts';
import { grouped } from '../../report/kit/prose.ts';
import { commandOf, refused } from '../kit/command.ts';
import { formsOf } from '../kit/forms.ts';
import { COMPOSED, composedFlags, specArgument } from '../kit/document-options.ts';
import { loadSpecification } from '../kit/load-specification.ts';
import { inGroup, PRINTED, type ValuesOf } from '../kit/option.ts';
import { STRICT } from '../kit/shared-options.ts';
import { WORK, workOf } from '../kit/work-options.ts';
import { RISKS, riskQuestion, sourceIn } from './question.ts';

const OPTIONS = { ...COMPOSED, ...RISKS, ...WORK(), ...inGroup(PRINTED, STRICT) };

const EXAMPLES = `
Everything is about telling apart two neighbouring data sets, such as with and
without one record, for whoever knows all but which of the two it is:
  advantage        true-positive minus false-positive rate of the best test
  --prior          success in naming the right one, and how often a test is right
                   where it says yes, if it was so probable before
  --fpr            true-positive rate of the best test with so many false alarms
  --baseline       success in guessing an attribute, or reconstructing a record,
                   for whoever's chance is at most that without the results
  --gaussian       which Gaussian noise it is like: the mu at which telling them
                   apart is nowhere easier, and what it costs to give only that
Priors, false-positive rates and baselines have several values: a list with commas
of numbers and ranges, as of curve. The first two have usual values; a baseline has
none, as it depends on the data and on who guesses. Mechanisms are written as for
compose.

Examples:
  dpcompose risk privacy.json
  dpcompose risk -m gaussian:sigma=1 --prior 0.5,0.01 --fpr 0.1,1e-4
  dpcompose risk privacy.json --baseline 0.05 --divergence kl,renyi:2
  dpcompose risk privacy.json --gaussian
  dpcompose risk privacy.json --fpr 1e-6:0.1 --format csv`;

/** `dpcompose risk`: what can be done with the results, in the terms of attacks. */
export const riskCommand = commandOf<RiskReport, ValuesOf<typeof OPTIONS>>({
  command: () =>
    new Command('risk')
      .description(
        'What an attacker can do with the results at most, for the worst data: tell who is in the data, guess an attribute, reconstruct a record; certified, and from both sides where that is known.',
      )
      .addArgument(specArgument()),
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(
    async (report) => (await import('../../report/risk.ts')).riskOutput(report),
    'table',
    'json',
    'csv',
    'markdown',
  ),
  async read({ operands: [operand], flags, errors, io }) {
    const source = operand ?? sourceIn(flags);
    const work = workOf(flags);
    const question = riskQuestion(flags, operand !== undefined, errors);
    const loaded = await loadSpecification({ command: 'risk', source, flags: composedFlags(flags), errors }, io);
    if (loaded.kind === 'refusal') return refused(loaded.refusal);
    const { specification } = loaded;
    const { risk } = await import('../../composition/risk/risk.ts');
    return (report) => {
      let [what, share]: [string | null, number] = [null, 0];
      const outcome = risk(specification, question, {
        ...work,
        ...(report && {
          progress: (bound, done) => {
            report(what ?? bound, what === null ? done : share);
          },
          answered: (known, all) => {
            [what, share] = [`rate ${grouped(known + 1)} of ${grouped(all)}`, known / all];
            report(what, share);
          },
        }),
      });
      if (outcome.kind === 'refusal') return refused(outcome.refusal, specification);
      const warnings = [...uncheckedWarnings(specification), ...outcome.risk.warnings];
      return { result: { risk: { ...outcome.risk, warnings }, specification }, warnings };
    };
  },
});
