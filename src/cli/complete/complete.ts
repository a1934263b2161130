import { Argument, Command } from 'commander';
import { either, quote } from '../../document/core/quote.ts';
import { didYouMean } from '../../document/core/suggest.ts';
import type { Context } from '../kit/context.ts';
import { EXIT } from '../kit/exit.ts';
import { print } from '../kit/io.ts';
import { offering } from '../kit/offered-values.ts';
import { SHARED, type PrintFlags } from '../kit/shared-options.ts';
import { SCRIPTS, SHELLS } from './scripts.ts';
import { UsageError } from '../kit/usage-error.ts';

const EXAMPLES = `
Examples:
  source <(dpcompose complete bash)            in ~/.bashrc
  source <(dpcompose complete zsh)             in ~/.zshrc, after compinit
  dpcompose complete fish | source             in ~/.config/fish/config.fish
  dpcompose complete powershell | Out-String | Invoke-Expression
                                               in $PROFILE

The scripts ask dpcompose complete -- WORDS what may follow.`;

/** `dpcompose complete`: scripts that complete command lines, and what they ask for. */
export function completeCommand(context: Context): Command {
  const command = new Command('complete');
  return command
    .description('Prints a script with which a shell completes commands, options and their values.')
    .usage('[options] SHELL')
    .addArgument(offering(new Argument('[SHELL]', SHELLS.join(', ')), () => SHELLS))
    .argument('[WORDS...]', 'what the scripts ask about, after --')
    .addOption(SHARED.json())
    .addOption(SHARED.quiet())
    .addOption(SHARED.debug())
    .addHelpText('after', EXAMPLES)
    .action(async (shell: string | undefined, _words: unknown, { json = false, quiet = false }: PrintFlags) => {
      const { rawArgs: raw = [] } = (command.parent ?? {}) as { readonly rawArgs?: readonly string[] };
      const words = wordsAsked(raw);
      const text = words === null ? scriptFor(shell) : await answer(words, context);
      if (!quiet) await print(context.io, json ? `${JSON.stringify({ text })}\n` : text);
      context.ends(EXIT.done);
    });
}

/** The words after `complete --`; null where a script is asked for. */
function wordsAsked(argv: readonly string[]): readonly string[] | null {
  const at = argv.indexOf('complete');
  return argv[at + 1] === '--' ? argv.slice(at + 2) : null;
}

/** The script for a shell. */
function scriptFor(name: string | undefined): string {
  const shell = SHELLS.find((each) => each === name);
  if (shell !== undefined) return SCRIPTS[shell];
  const message = name === undefined ? 'no shell is named' : `must be ${either(SHELLS)}, got ${quote(name)}`;
  const hint = `${didYouMean(name ?? '', SHELLS)}For example: dpcompose complete bash`;
  const code = name === undefined ? 'missing-argument' : 'unknown-value';
  throw new UsageError([{ code, path: 'SHELL', message, hint }]);
}

async function answer(words: readonly string[], { program }: Context): Promise<string> {
  const { completionsOf } = await import('./completions.ts');
  return await completionsOf(words, await program());
}
