import { Argument, type Command, type Option } from 'commander';
import { either, quote } from '../document/core/quote.ts';
import { didYouMean } from '../document/core/suggest.ts';
import { commandOf } from './kit/command.ts';
import { offeredValues, offering } from './kit/option.ts';
import { UsageError } from './kit/usage-error.ts';

// Each script asks `dpcompose complete -- WORDS` with the words as they are typed, which no shell evaluates. The answer is a
// line for each candidate, with a tab before what it is about, and a last line :N, whose bit 4 says that no file may follow.

const BASH = `# bash completion for dpcompose
__dpcompose_complete() {
    local line typed words directive=0
    typed="\${COMP_LINE:0:COMP_POINT}"
    read -ra words <<< "$typed"
    [[ "$typed" == *[[:space:]] ]] && words+=('')
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ "$line" == :* ]]; then
            directive="\${line#:}"
        else
            COMPREPLY+=("\${line%%$'\\t'*}")
        fi
    done < <(dpcompose complete -- "\${words[@]:1}" 2> /dev/null)
    if ((directive & 4)); then
        compopt +o default 2> /dev/null
    fi
    return 0
}
complete -o default -F __dpcompose_complete dpcompose
`;

const ZSH = `#compdef dpcompose
_dpcompose() {
    local line value directive=0
    local -a values shown
    while IFS= read -r line; do
        if [[ "$line" == :<-> ]]; then
            directive="\${line#:}"
        else
            value="\${line%%$'\\t'*}"
            values+=("$value")
            shown+=("\${line/$'\\t'/  -- }")
        fi
    done < <(dpcompose complete -- "\${(@Q)words[2,CURRENT]}" 2> /dev/null)
    [[ "$words[CURRENT]" == --*=* ]] && compset -P '*='
    (( $#values )) && compadd -l -d shown -a values
    (( directive & 4 )) || _files
}
compdef _dpcompose dpcompose
`;

const FISH = `# fish completion for dpcompose
function __dpcompose_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l typed (commandline --current-token --cut-at-cursor)
    set -l option (string match --regex -- '^--[^=]*=' "$typed")
    set -l directive 0
    for line in (dpcompose complete -- $words[2..] "$typed" 2> /dev/null)
        if string match --quiet --regex -- '^:\\d+$' "$line"
            set directive (string sub --start 2 -- "$line")
        else
            printf '%s%s\\n' "$option" "$line"
        end
    end
    if test "$directive" -eq 0
        __fish_complete_path "$typed"
    end
end
complete --command dpcompose --no-files --arguments '(__dpcompose_complete)'
`;

const POWERSHELL = `# PowerShell completion for dpcompose
Register-ArgumentCompleter -Native -CommandName dpcompose -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
    if ($wordToComplete -eq '') {
        # Before 7.3 an empty word is passed on only with quotes of its own.
        $words += if ($PSVersionTable.PSVersion -lt [version]'7.3') { '""' } else { '' }
    }
    $option = if ($wordToComplete -match '^--[^=]+=') { $Matches[0] } else { '' }
    $directive = 0
    $results = @(foreach ($line in (& dpcompose complete '--' @words 2> $null)) {
        if ($line -match '^:(\\d+)$') { $directive = [int]$Matches[1]; continue }
        $value, $about = $line -split "\`t", 2
        $text = $option + $value
        if ($text -match '[^\\w,=.:/+-]') { $text = "'" + $text.Replace("'", "''") + "'" }
        [System.Management.Automation.CompletionResult]::new(
            $text, $value, 'ParameterValue', $(if ($about) { $about } else { $value }))
    })
    if ($results.Count -gt 0) { $results } elseif ($directive -band 4) { '' }
}
`;

/** Scripts that complete command lines, by the shell that reads them. */
const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL } as const;

/** The shells for which there is a script. */
const SHELLS = Object.keys(SCRIPTS) as readonly (keyof typeof SCRIPTS)[];

/** A word that may be typed, and what it is about. */
interface Candidate {
  readonly value: string;
  readonly about: string;
}

/** The possible completions: words, and files where one may stand. */
interface Candidates {
  readonly words: readonly Candidate[];
  readonly files: boolean;
}

/** The option of a command that is typed as `word` and takes a value. */
const optionNamed = ({ options }: Command, word: string): Option | undefined =>
  options.find(({ long, short, required }) => required && [long, short].includes(word));

/** The values of an option or argument; of a list with commas, those of its last part. */
async function valuesOf(item: Option | Argument, typed: string): Promise<Candidates> {
  const offered = await offeredValues(item)?.();
  const isOption = 'flags' in item;
  const before = isOption && item.flags.includes(',...') ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
  const files = isOption ? item.flags.includes('FILE') : offered === undefined || item.description.includes('file');
  return { words: (offered ?? []).map((value) => ({ value: `${before}${value}`, about: '' })), files };
}

const optionsOf = (command: Command): Candidates => ({
  words: command
    .createHelp()
    .visibleOptions(command)
    .flatMap(({ long, short, description }) =>
      [long, short].flatMap((value) => (value === undefined ? [] : [{ value, about: description }])),
    ),
  files: false,
});

const commandCandidates = (commands: readonly Command[]): readonly Candidate[] =>
  commands.map((command) => ({ value: command.name(), about: command.summary() || command.description() }));

/** The completions that may replace the last word; the words before it are those of the line so far. */
async function candidates(words: readonly string[], program: Command): Promise<Candidates> {
  const typed = words.at(-1) ?? '';
  const isHelp = words.length > 1 && words[0] === 'help';
  let command = program;
  let operands = 0;
  let open: Option | undefined;
  for (const word of words.slice(isHelp ? 1 : 0, -1)) {
    const below = command.commands.find((subcommand) => subcommand.name() === word);
    if (open !== undefined) open = undefined;
    else if (word.startsWith('-')) open = optionNamed(command, word);
    else if (below !== undefined) command = below;
    else operands++;
  }
  if (open !== undefined) return await valuesOf(open, typed);
  const [, long, value = ''] = /^(--[\w-]+)=(.*)$/.exec(typed) ?? [];
  if (long !== undefined) {
    const option = optionNamed(command, long);
    return option === undefined ? { words: [], files: false } : await valuesOf(option, value);
  }
  if (typed.startsWith('-')) return optionsOf(command);
  if (command.commands.length > 0) {
    const help = { value: 'help', about: 'show help for a command' };
    return {
      words: [...commandCandidates(command.commands), ...(command === program && !isHelp ? [help] : [])],
      files: false,
    };
  }
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[operands] ?? (last?.variadic === true ? last : undefined);
  return argument === undefined || isHelp ? { words: [], files: false } : await valuesOf(argument, typed);
}

/** The completions of a command line in the form in which the scripts read them; the last word is to be completed. */
async function completionsOf(words: readonly string[], program: Command): Promise<string> {
  const typed = (words.at(-1) ?? '').replace(/^--[\w-]+=/, '');
  const { words: completions, files } = await candidates(words, program);
  const lines = completions
    .filter(({ value }) => value.startsWith(typed))
    .map(({ value, about }) => (about === '' ? value : `${value}\t${about}`));
  return [...lines, `:${files ? 0 : 4}\n`].join('\n');
}

const EXAMPLES = `
Examples:
  source <(dpcompose complete bash)            in ~/.bashrc
  source <(dpcompose complete zsh)             in ~/.zshrc, after compinit
  dpcompose complete fish | source             in ~/.config/fish/config.fish
  dpcompose complete powershell | Out-String | Invoke-Expression
                                               in $PROFILE

The scripts run dpcompose complete -- WORDS to list completions.`;

/** The words after `complete --`; null where a script is asked for. */
function wordsAsked(argv: readonly string[]): readonly string[] | null {
  const at = argv.indexOf('complete');
  return argv[at + 1] === '--' ? argv.slice(at + 2) : null;
}

/** The script for a shell. */
function scriptFor(name: string | undefined): string {
  const shell = SHELLS.find((candidate) => candidate === name);
  if (shell !== undefined) return SCRIPTS[shell];
  const message = name === undefined ? 'missing shell name' : `must be ${either(SHELLS)}, got ${quote(name)}`;
  const hint = `${didYouMean(name ?? '', SHELLS)}For example: dpcompose complete bash`;
  const code = name === undefined ? 'missing-argument' : 'unknown-value';
  throw new UsageError([{ code, path: 'SHELL', message, hint }]);
}

/** `dpcompose complete`: scripts that complete command lines, and what they ask for. */
export const completeCommand = commandOf<string>({
  name: 'complete',
  about: 'Prints a script for shell completion of commands, options and values.',
  usage: '[options] SHELL',
  operands: [
    offering(new Argument('[SHELL]', SHELLS.join(', ')), () => SHELLS),
    new Argument('[WORDS...]', 'words to complete, after --'),
  ],
  examples: EXAMPLES,
  forms: {
    text: (text) => text,
    json: async (text, { version }) => (await import('../output/schema/names.ts')).completeJson(text, version),
  },
  async read({ operands: [shell], argv, program }) {
    const words = wordsAsked(argv);
    const text = words === null ? scriptFor(shell) : await completionsOf(words, await program());
    return () => ({ result: text });
  },
});
