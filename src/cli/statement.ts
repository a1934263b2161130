import { Command } from 'commander';
import type { Refusal } from '../composition/core/outcome.ts';
import type { PrivacyStatement } from '../report/statement/privacy-statement.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import type { InputError } from '../document/core/specification.ts';
import type { Context } from './kit/context.ts';
import { composedOptions, specArgument } from './kit/document-options.ts';
import { tellFailure } from './kit/design-failure.ts';
import { layoutFor, openDestination } from './kit/destination.ts';
import { readEffortOptions, type EffortFlags } from './kit/effort-options.ts';
import { EXIT } from './kit/exit.ts';
import { readFormat } from './kit/format.ts';
import type { Io } from './kit/io.ts';
import { loadQuestion, type SpecificationFlags } from './kit/load-specification.ts';
import { readNumberOption, type NumberRange } from './kit/number-option.ts';
import { withProgress } from './kit/progress.ts';
import { tellRefusal } from './kit/refusal.ts';
import { SHARED, type PrintFlags } from './kit/shared-options.ts';
import { printOptions } from './kit/print-options.ts';

interface Flags extends SpecificationFlags, PrintFlags, EffortFlags {
  readonly distance?: string;
}

const FORMATS = ['text', 'json', 'markdown'] as const;

const EXAMPLES = `
Examples:
  dpcompose statement privacy.json
  dpcompose statement privacy.json --delta 1e-6 --distance 5
  dpcompose statement privacy.json --format markdown > PRIVACY.md`;

const DISTANCE: NumberRange = {
  flag: '--distance',
  allowed: `a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`,
  example: '5',
  contains: (value) => value.isInteger() && value.gte(1) && value.lte(Number.MAX_SAFE_INTEGER),
};

/** `dpcompose statement`: what is promised to whom, in plain words. */
export function statementCommand(context: Context): Command {
  return printOptions(
    composedOptions(
      new Command('statement')
        .description(
          'A privacy statement in plain words: what is protected, from whom, by which theorem, what that takes for granted, and what it leaves out.',
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
    FORMATS,
  )
    .addHelpText('after', EXAMPLES)
    .action(async (source: string | undefined, flags: Flags) => {
      context.ends(await statement(source, flags, context));
    });
}

async function statement(source: string | undefined, flags: Flags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  const effort = readEffortOptions(flags, errors);
  const distance = flags.distance === undefined ? undefined : readNumberOption(flags.distance, DISTANCE, errors);
  const loaded = await loadQuestion({ command: 'statement', source, flags, errors }, io);
  const refuse = (refusal: Refusal): Promise<number> => tellRefusal(refusal, { format, color: flags.color, io });
  if (loaded.kind === 'refusal') return await refuse(loaded.refusal);
  const { specification, target } = loaded;
  const put = await openDestination(flags, io);
  const { state } = await import('../composition/statement/state.ts');
  const outcome = withProgress(flags, io, (progress) =>
    state(specification, target, distance?.toNumber() ?? null, { ...effort, ...(progress && { progress }) }),
  );
  if (outcome.kind === 'refusal') return await refuse(outcome.refusal);
  if (outcome.kind === 'fails') {
    const { entries } = specification;
    return await tellFailure(outcome.check, { entries, design: outcome.design }, { format, color: flags.color, io });
  }
  if (put !== null) {
    await put(await text({ stated: outcome, specification: { ...specification, target } }, format, version, flags, io));
  }
  return EXIT.done;
}

async function text(
  statement: PrivacyStatement,
  format: (typeof FORMATS)[number],
  version: string,
  flags: Flags,
  io: Io,
): Promise<string> {
  switch (format) {
    case 'json': {
      const { privacyStatementJson } = await import('../report/statement/json.ts');
      return privacyStatementJson(statement, exactForm(statement.specification), version);
    }
    case 'markdown': {
      const { privacyStatementMarkdown } = await import('../report/statement/page.ts');
      return privacyStatementMarkdown(statement, version);
    }
    case 'text': {
      const { privacyStatementText } = await import('../report/statement/page.ts');
      return privacyStatementText(statement, version, await layoutFor(flags, io));
    }
  }
}
