import { Command } from 'commander';
import { uncheckedWarnings } from '../composition/design/document-warnings.ts';
import { validateJson } from '../report/compose/json.ts';
import { validReport } from '../report/document/valid.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import type { InputError } from '../document/core/specification.ts';
import type { Context } from './kit/context.ts';
import { openDestination } from './kit/destination.ts';
import { composedOptions, specArgument } from './kit/document-options.ts';
import { EXIT } from './kit/exit.ts';
import { readFormat } from './kit/format.ts';
import { loadSpecification, type SpecificationFlags } from './kit/load-specification.ts';
import { printOptions } from './kit/print-options.ts';
import { tellRefusal } from './kit/refusal.ts';
import { SHARED, type PrintFlags } from './kit/shared-options.ts';
import { sourceName } from './kit/source.ts';

type Flags = SpecificationFlags & PrintFlags & { readonly strict?: boolean };

const FORMATS = ['text', 'json'] as const;

const EXAMPLES = `
With --json it prints the document in normal form.

Examples:
  dpcompose validate privacy.json
  generate-spec | dpcompose validate --json | jq .input.mechanisms`;

/** `dpcompose validate`: whether a specification is well formed, and what it means. */
export function validateCommand(context: Context): Command {
  return printOptions(
    composedOptions(
      new Command('validate')
        .description('Checks a specification and reports all its mistakes at once, each with its place.')
        .addArgument(specArgument()),
    ),
    FORMATS,
    [SHARED.strict()],
  )
    .addHelpText('after', EXAMPLES)
    .action(async (source: string | undefined, flags: Flags) => {
      context.ends(await validate(source, flags, context));
    });
}

/** What is valid, in a sentence. */
const nameOf = (source: string | undefined, { mechanism }: Flags): string =>
  source === undefined && mechanism !== undefined ? 'the command line' : sourceName(source ?? '-');

async function validate(source: string | undefined, flags: Flags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const format = readFormat(flags, FORMATS, errors);
  const loaded = await loadSpecification({ command: 'validate', source, flags, errors }, io);
  if (loaded.kind === 'refusal') return await tellRefusal(loaded.refusal, { format, color: flags.color, io });
  const put = await openDestination(flags, io);
  const { specification } = loaded;
  const warnings = uncheckedWarnings(specification);
  if (put !== null) {
    await put(
      format === 'json'
        ? validateJson(exactForm(specification), warnings, version)
        : validReport(nameOf(source, flags), specification),
    );
  }
  return flags.strict === true && warnings.length > 0 ? EXIT.no : EXIT.done;
}
