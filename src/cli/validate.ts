import { Command } from 'commander';
import { uncheckedWarnings } from '../composition/document-warnings.ts';
import type { Context } from './context.ts';
import { EXIT } from './exit.ts';
import { print } from './io.ts';
import { loadSpecification } from './load-specification.ts';
import { tellRefusal } from './refusal.ts';
import { SHARED } from './shared-options.ts';
import { sourceName } from './source.ts';
import type { SyntaxFlags } from './syntax.ts';
import { validateJson } from '../report/json.ts';
import { validReport } from '../report/valid.ts';
import { exactForm } from '../spec/normal-form.ts';

interface ValidateFlags extends SyntaxFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly color: boolean;
}

/** `dpcompose validate`: whether a specification is well formed, and what it means. */
export function validateCommand(context: Context): Command {
  return new Command('validate')
    .description('Checks a specification and reports all its mistakes at once, each with its place.')
    .argument('[SPEC]', 'JSON, YAML or CSV file that lists the mechanisms; - for standard input')
    .addOption(SHARED.inputFormat())
    .option('--json', 'one JSON document, with the specification in normal form')
    .addOption(SHARED.quiet())
    .addOption(SHARED.noColor())
    .addOption(SHARED.debug())
    .addHelpText('after', '\nExample:\n  dpcompose validate privacy.json')
    .action(async (source: string | undefined, flags: ValidateFlags) => {
      context.ends(await validate(source, flags, context));
    });
}

async function validate(source: string | undefined, flags: ValidateFlags, { io, version }: Context): Promise<number> {
  const loaded = await loadSpecification({ command: 'validate', source, flags, errors: [] }, io);
  if (loaded.kind === 'refusal') {
    return await tellRefusal(loaded.refusal, {
      format: flags.json === true ? 'json' : 'table',
      color: flags.color,
      io,
    });
  }
  if (flags.quiet === true) return EXIT.done;
  const { specification } = loaded;
  if (flags.json === true) {
    await print(io, validateJson(exactForm(specification), uncheckedWarnings(specification), version));
    return EXIT.done;
  }
  await print(io, validReport(sourceName(source ?? '-'), specification));
  return EXIT.done;
}
