import { Command } from 'commander';
import type { PrivacyStatement } from '../report/statement/stated.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import { composedOptions, specArgument } from './kit/document-options.ts';
import { tellFailure } from './kit/design-failure.ts';
import { readEffortOptions, type EffortFlags } from './kit/effort-options.ts';
import { loadQuestion, type SpecificationFlags } from './kit/load-specification.ts';
import { readNumberOption, wholeNumber } from './kit/number-option.ts';
import { SHARED } from './kit/shared-options.ts';
import { commandOf, refused } from './kit/command.ts';

interface Flags extends SpecificationFlags, EffortFlags {
  readonly distance?: string;
}

const EXAMPLES = `
Examples:
  dpcompose statement privacy.json
  dpcompose statement privacy.json --delta 1e-6 --distance 5
  dpcompose statement privacy.json --format markdown > PRIVACY.md
  dpcompose statement privacy.json --format registry > deployment.yaml`;

const DISTANCE = wholeNumber('--distance', '5');

/** `dpcompose statement`: what is promised to whom, in plain words. */
export const statementCommand = commandOf<PrivacyStatement, Flags>({
  command: () =>
    composedOptions(
      new Command('statement')
        .description(
          'A privacy statement in plain words: what is protected, from whom, how often somebody could tell neighbouring data apart, by which theorem, what that takes for granted, and what it leaves out; or a record for a registry of deployments.',
        )
        .addArgument(specArgument()),
    )
      .optionsGroup('What is asked:')
      .option('--delta <D>', 'the smallest epsilon at this delta')
      .option('--epsilon <E>', 'the smallest delta at this epsilon')
      .option('--distance <K>', 'also for data K neighbouring steps apart, such as groups of K people')
      .optionsGroup('How it is computed:')
      .addOption(SHARED.tolerance())
      .addOption(SHARED.maxSeconds()),
  examples: EXAMPLES,
  forms: {
    text: async (statement, { version, layout }) =>
      (await import('../report/statement/page.ts')).privacyStatementText(statement, version, await layout()),
    json: async (statement, { version }) =>
      (await import('../report/statement/json.ts')).privacyStatementJson(
        statement,
        exactForm(statement.specification),
        version,
      ),
    markdown: async (statement, { version }) =>
      (await import('../report/statement/page.ts')).privacyStatementMarkdown(statement, version),
    registry: async (statement, { version }) =>
      (await import('../report/statement/registry.ts')).privacyRegistryRecord(statement, version),
  },
  async read({ operands: [source], flags, errors, io }) {
    const effort = readEffortOptions(flags, errors);
    const distance = readNumberOption(flags.distance, DISTANCE, errors)?.toNumber() ?? null;
    const loaded = await loadQuestion({ command: 'statement', source, flags, errors }, io);
    if (loaded.kind === 'refusal') return refused(loaded.refusal);
    const { specification, target } = loaded;
    const { state } = await import('../composition/statement/state.ts');
    return (progress) => {
      const stated = state(specification, target, distance, { ...effort, ...(progress && { progress }) });
      switch (stated.kind) {
        case 'refusal':
          return refused(stated.refusal);
        case 'fails': {
          const { entries } = specification;
          return { tell: (manner) => tellFailure(stated.check, { entries, design: stated.design }, manner) };
        }
        case 'stated':
          return { result: { stated, specification: { ...specification, target } } };
      }
    };
  },
});
