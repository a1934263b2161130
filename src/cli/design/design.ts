import { Command, Option } from 'commander';
import { documentWarnings } from '../../composition/design/document-warnings.ts';
import type { Designed } from '../../report/design/statement.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { tellFailure } from '../kit/design-failure.ts';
import { loadDesign, type DesignFlags } from './source.ts';
import { layoutFor, openDestination } from '../kit/destination.ts';
import { readEffortOptions, type EffortFlags } from '../kit/effort-options.ts';
import { EXIT } from '../kit/exit.ts';
import { readFormat } from '../kit/format.ts';
import type { Io } from '../kit/io.ts';
import { offering } from '../kit/offered-values.ts';
import { withProgress } from '../kit/progress.ts';
import { tellRefusal } from '../kit/refusal.ts';
import { SHARED, type PrintFlags } from '../kit/shared-options.ts';
import { tellWarnings } from '../kit/warnings.ts';
import { printOptions } from '../kit/print-options.ts';

type Flags = DesignFlags & EffortFlags & PrintFlags & { readonly strict?: boolean };

const FORMATS = ['table', 'json', 'markdown'] as const;

const EXAMPLES = `
A design is the pseudocode of a mechanism that runs the mechanisms of its
document: what it creates, sends, computes and outputs, variables and functions
named only. It has the privacy of its sub-mechanisms if what it does and outputs
depends on the input through their answers alone, and if neighbouring inputs make
it send them no more than their guarantees cover.

Examples:
  dpcompose design mechanism.json --delta 1e-6
  dpcompose design --example histogram --total-epsilon 1 --counter-delta 1e-6
  dpcompose design --example histogram --dimension 64 --delta 1e-6
  dpcompose design --example histogram --interval-delta 1e-8 --intervals 20
  dpcompose design --example core-decomposition --total-epsilon 1
  dpcompose design --example histogram --spec > mechanism.json`;

/** `dpcompose design`: whether a mechanism that runs others has their privacy, and what that is. */
export function designCommand(context: Context): Command {
  return printOptions(
    new Command('design')
      .description(
        'Checks whether a described mechanism that runs sub-mechanisms is as private as they are together, says which variable breaks that if it is not, and what they cost if it is.',
      )
      .argument('[SPEC]', 'JSON or YAML file with a "design"; - or nothing for what is piped in')
      .optionsGroup('What is checked:')
      .addOption(
        offering(new Option('--example <NAME>', 'a ready design: histogram or core-decomposition'), () => [
          'histogram',
          'core-decomposition',
        ]),
      )
      .addOption(SHARED.set())
      .addOption(SHARED.inputFormat())
      .option('--spec', 'print the document of the ready design, to start from')
      .optionsGroup('What is asked:')
      .option('--delta <D>', 'the smallest epsilon at this delta')
      .option('--epsilon <E>', 'the smallest delta at this epsilon (default: what an example may spend)')
      .optionsGroup('Of the examples:')
      .option('--total-epsilon <E>', 'what it may spend (default 1)')
      .optionsGroup('Of the example histogram:')
      .option('--dimension <N>', 'how many counters there are (default 4)')
      .option('--counter-delta <D>', 'what the counters may fail with (default 0)')
      .option('--intervals <N>', 'how many intervals there may be (default: any number)')
      .option('--interval-delta <D>', 'what the test of each interval may fail with (default 0)')
      .option('--check-delta <D>', 'Gaussian checks that each may fail with this (default: Laplace, 0)')
      .option('--largest-query <Q>', 'for the order of the error: the largest value of the query')
      .option('--beta <B>', 'for the order of the error: how likely it may be larger')
      .option('--horizon <T>', 'for the order of the error: how many steps there are')
      .optionsGroup('Of the example core-decomposition:')
      .option('--vertices <N>', 'how many vertices there are, each a user (default: any number)')
      .option('--largest-degree <N>', 'for the order of the error: the largest degree of a vertex')
      .optionsGroup('How it is computed:')
      .addOption(SHARED.tolerance())
      .addOption(SHARED.maxSeconds()),
    FORMATS,
    [SHARED.strict()],
  )
    .addHelpText('after', EXAMPLES)
    .action(async (source: string | undefined, flags: Flags) => {
      context.ends(await design(source, flags, context));
    });
}

async function design(source: string | undefined, flags: Flags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  const effort = readEffortOptions(flags, errors);
  const loaded = await loadDesign(source, flags, errors, io);
  const telling = { format, color: flags.color, io };
  if (loaded.kind === 'refusal') return await tellRefusal(loaded.refusal, telling);
  const put = await openDestination(flags, io);
  if (loaded.kind === 'document') {
    if (put !== null) await put(loaded.text);
    return EXIT.done;
  }
  const { specification, design: described, target, errorShape } = loaded;
  const { composeDesign } = await import('../../composition/design/compose-design.ts');
  const outcome = withProgress(flags, io, (progress) =>
    composeDesign({ ...specification, design: described }, target, { ...effort, ...(progress && { progress }) }),
  );
  switch (outcome.kind) {
    case 'fails':
      return await tellFailure(outcome.check, { entries: specification.entries, design: described }, telling);
    case 'refusal':
      return await tellRefusal(outcome.refusal, {
        ...telling,
        document: { ...specification, example: flags.example ?? null },
      });
    case 'priced': {
      const { plan } = outcome;
      const warnings = [...documentWarnings(specification), ...plan.answer.warnings];
      if (flags.quiet !== true) await tellWarnings(warnings, { color: flags.color, io });
      if (put !== null) {
        const warned = { ...plan, answer: { ...plan.answer, warnings } };
        const asked = { ...specification, target };
        const designed = { ...outcome, plan: warned, design: described, errorShape, specification: asked };
        await put(await report(designed, format, version, flags, io));
      }
      return flags.strict === true && warnings.length > 0 ? EXIT.no : EXIT.done;
    }
  }
}

async function report(
  designed: Designed,
  format: (typeof FORMATS)[number],
  version: string,
  flags: Flags,
  io: Io,
): Promise<string> {
  switch (format) {
    case 'json': {
      const { designJson } = await import('../../report/design/json.ts');
      return designJson(designed, version);
    }
    case 'markdown': {
      const { designMarkdown } = await import('../../report/design/page.ts');
      return designMarkdown(designed);
    }
    case 'table': {
      const { designTable } = await import('../../report/design/page.ts');
      return designTable(designed, await layoutFor(flags, io));
    }
  }
}
