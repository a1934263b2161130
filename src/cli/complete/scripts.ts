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
export const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL } as const;

/** The shells for which there is a script. */
export const SHELLS = Object.keys(SCRIPTS) as readonly (keyof typeof SCRIPTS)[];
