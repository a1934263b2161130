/**
 * The script for bash. That of the completion library runs what is typed through `eval`, needs the package
 * bash-completion, and completes no names of files.
 */
export const BASH_COMPLETION = `# bash completion for dpcompose
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
    # The fourth bit says that no file may stand here.
    if ((directive & 4)); then
        compopt +o default 2> /dev/null
    fi
    return 0
}
complete -o default -F __dpcompose_complete dpcompose
`;
