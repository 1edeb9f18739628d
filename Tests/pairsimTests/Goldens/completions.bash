# bash completion for pairsim
_pairsim() {
    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "run explore debug watch merge check list fmt explain new audit observe account lsp completions help --help --version" -- "$word"))
        return
    fi
    case "$command $before" in
        "run --filter") :; return ;;
        "run --tag") :; return ;;
        "run --skip-tag") :; return ;;
        "run --seed") :; return ;;
        "run --seeds") :; return ;;
        "run --order") :; return ;;
        "run --orders") :; return ;;
        "run --until") :; return ;;
        "run --slowest") :; return ;;
        "run --events") :; return ;;
        "run --jobs") :; return ;;
        "run --crash-points") :; return ;;
        "run --stuck-after") :; return ;;
        "run --roots") COMPREPLY=($(compgen -f -- "$word")); return ;;
        "run --trace") COMPREPLY=($(compgen -f -- "$word")); return ;;
        "run --report") COMPREPLY=($(compgen -W "junit= json= tap= html= mermaid= perfetto=" -- "$word")); compopt -o nospace; return ;;
        "run --shard") :; return ;;
        "run --shard-count") :; return ;;
        "run --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
        "explore --filter") :; return ;;
        "explore --tag") :; return ;;
        "explore --skip-tag") :; return ;;
        "explore --seed") :; return ;;
        "explore --runs") :; return ;;
        "explore --for") :; return ;;
        "explore --jobs") :; return ;;
        "explore --strategy") COMPREPLY=($(compgen -W "fifo random pct" -- "$word")); return ;;
        "explore --fault") :; return ;;
        "explore --steps") :; return ;;
        "explore --recheck") :; return ;;
        "explore --stuck-after") :; return ;;
        "explore --save") COMPREPLY=($(compgen -f -- "$word")); return ;;
        "explore --resume") COMPREPLY=($(compgen -f -- "$word")); return ;;
        "explore --propose") COMPREPLY=($(compgen -f -- "$word")); return ;;
        "explore --only") :; return ;;
        "explore --against") COMPREPLY=($(compgen -f -- "$word")); return ;;
        "explore --report") COMPREPLY=($(compgen -W "junit= json=" -- "$word")); compopt -o nospace; return ;;
        "explore --shard") :; return ;;
        "explore --shard-count") :; return ;;
        "explore --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
        "debug --do") :; return ;;
        "debug --seed") :; return ;;
        "debug --order") :; return ;;
        "debug --stuck-after") :; return ;;
        "debug --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
        "watch --filter") :; return ;;
        "watch --tag") :; return ;;
        "watch --skip-tag") :; return ;;
        "watch --seed") :; return ;;
        "watch --seeds") :; return ;;
        "watch --order") :; return ;;
        "watch --orders") :; return ;;
        "watch --crash-points") :; return ;;
        "watch --stuck-after") :; return ;;
        "watch --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
        "merge --report") COMPREPLY=($(compgen -W "junit= json= tap= html=" -- "$word")); compopt -o nospace; return ;;
        "merge --save") COMPREPLY=($(compgen -f -- "$word")); return ;;
        "merge --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
        "check --max-errors") :; return ;;
        "check --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
        "list --filter") :; return ;;
        "list --tag") :; return ;;
        "list --skip-tag") :; return ;;
        "list --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
        "fmt --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
        "explain --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
        "new --library") COMPREPLY=($(compgen -f -- "$word")); return ;;
        "new --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
        "audit --scenario") COMPREPLY=($(compgen -f -- "$word")); return ;;
        "audit --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
        "observe --scenario") COMPREPLY=($(compgen -f -- "$word")); return ;;
        "observe --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
        "account --stuck-after") :; return ;;
        "account --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
        "lsp --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
        "completions --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
        "help --color") COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
    esac
    case "$command" in
        run) COMPREPLY=($(compgen -W "--filter --tag --skip-tag --seed --seeds --order --orders --repeat --fail-fast --failed --until --update --slowest --events --jobs --crash-points --stuck-after --roots --trace --values --report --pictures --shard --shard-count --quiet --verbose --json --color --help --version" -- "$word") $(compgen -f -- "$word")) ;;
        explore) COMPREPLY=($(compgen -W "--filter --tag --skip-tag --seed --runs --for --jobs --strategy --fault --steps --exhaustive --power-loss --recheck --stuck-after --own-keys --save --resume --coverage --propose --only --against --report --shard --shard-count --quiet --json --color --help --version" -- "$word") $(compgen -f -- "$word")) ;;
        debug) COMPREPLY=($(compgen -W "--do --seed --order --stuck-after --json --color --help --version" -- "$word") $(compgen -f -- "$word")) ;;
        watch) COMPREPLY=($(compgen -W "--filter --tag --skip-tag --seed --seeds --order --orders --crash-points --stuck-after --json --color --help --version" -- "$word") $(compgen -f -- "$word")) ;;
        merge) COMPREPLY=($(compgen -W "--report --save --quiet --verbose --json --color --help --version" -- "$word") $(compgen -f -- "$word")) ;;
        check) COMPREPLY=($(compgen -W "--max-errors --quiet --json --color --help --version" -- "$word") $(compgen -f -- "$word")) ;;
        list) COMPREPLY=($(compgen -W "--filter --tag --skip-tag --rules --troubles --json --color --help --version" -- "$word") $(compgen -f -- "$word")) ;;
        fmt) COMPREPLY=($(compgen -W "--check --quiet --json --color --help --version" -- "$word") $(compgen -f -- "$word")) ;;
        explain) COMPREPLY=($(compgen -W "--json --color --help --version" -- "$word")) ;;
        new) COMPREPLY=($(compgen -W "app --library --json --color --help --version" -- "$word") $(compgen -f -- "$word")) ;;
        audit) COMPREPLY=($(compgen -W "--scenario --strict --json --color --help --version" -- "$word") $(compgen -f -- "$word")) ;;
        observe) COMPREPLY=($(compgen -W "--scenario --verbose --json --color --help --version" -- "$word") $(compgen -f -- "$word")) ;;
        account) COMPREPLY=($(compgen -W "--stuck-after --json --color --help --version" -- "$word")) ;;
        lsp) COMPREPLY=($(compgen -W "--json --color --help --version" -- "$word")) ;;
        completions) COMPREPLY=($(compgen -W "bash zsh fish --json --color --help --version" -- "$word")) ;;
        help) COMPREPLY=($(compgen -W "run explore debug watch merge check list fmt explain new audit observe account lsp completions help --json --color --help --version" -- "$word")) ;;
    esac
}
complete -o filenames -F _pairsim pairsim
