#compdef pairsim
# zsh completion for pairsim
_pairsim() {
    if (( CURRENT == 2 )); then
        local -a commands=(
            'run:run scenarios'
            'explore:search for failures that nobody wrote a scenario for'
            'debug:step through a scenario, forwards and backwards'
            'watch:run scenarios whenever they change'
            'merge:join the reports of shards'
            'check:parse and validate scenarios without running them'
            'list:list scenarios: names, titles, tags and rules'
            'fmt:rewrite scenarios in the canonical layout'
            'explain:say what a word means'
            'new:write a scenario that passes, or a package that tests an app as a phone and a watch'
            'audit:say what lies on devices that were run with --roots'
            'observe:hold logs of devices against the rules, and write the scenario that they tell'
            'account:say what scenarios come to, to another build (explore --against)'
            'lsp:serve an editor by the Language Server Protocol'
            'completions:print completions for a shell'
            'help:show help for a command'
        )
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
        run)
            _arguments \
                '--filter[only scenarios with TEXT in their path or title]:value: ' \
                '*--tag[only scenarios with this tag (repeated\: with any of them)]:value: ' \
                '*--skip-tag[no scenarios with this tag (repeated\: with none of them)]:value: ' \
                '--seed[the seed of every random draw (default\: 1, or the scenario'\''s own)]:value: ' \
                '--seeds[run each scenario under N seeds, counting up from --seed]:value: ' \
                '--order[run ready work in order N (0\: first in, first out; the default)]:value: ' \
                '--orders[run each scenario also under N more orders of ready work, 1 to N]:value: ' \
                '--repeat[run everything twice and compare the traces]' \
                '--fail-fast[stop at the first failure]' \
                '--failed[run only the scenarios that failed when they were last run from this folder]' \
                '--until[run no step behind line N of the file]:value: ' \
                '--update[write the values that were found into expectations that differ; secrets never; the changes are shown first]' \
                '--slowest[name the N scenarios that took longest]:value: ' \
                '--events[show the last N events of a failure, whatever device they are of (default\: six of each)]:value: ' \
                '--jobs[how many scenarios run at once (default\: one for each core)]:value: ' \
                '--crash-points[run no scenario with more than N crash points; where several steps crash at every operation, they multiply (default\: 10000)]:value: ' \
                '--stuck-after[give up a run in which one piece of code takes longer than this by the host'\''s clock, as one that did not settle (default\: 20s; 0s\: never)]:value: ' \
                '--roots[let the devices store real files under DIR, and keep them]:path:_files' \
                '--trace[write what happened as JSON, one event a line; a folder gets a file for each run]:path:_files' \
                '--values[let traces and pictures tell the values of plain keys and of what apps send; those of secrets are never told]' \
                '*--report[write a report\: junit, json, tap, html, mermaid, perfetto; a FILE of - is standard output, one with {name} is a file for each run (repeated\: several)]:report:(junit= json= tap= html= mermaid= perfetto=)' \
                '--pictures[let reports tell every run, not only those that fail (html, mermaid, perfetto; at most 20)]' \
                '--shard[do part I of N only, I from 1 (default\: what a CI system'\''s variables say; 1/1\: everything)]:value: ' \
                '--shard-count[how many shards there are, where a variable says only which]:value: ' \
                '--quiet[print failures only]' \
                '--verbose[print a line for every run]' \
                '--json[answer with one JSON object, also of errors; JSON.md says what is in it]' \
                '--color[colour the output; auto\: on a terminal, unless NO_COLOR is set]:value:(auto always never)' \
                '--help[show help]' \
                '--version[show the version]' \
                '*:path:_files'
            ;;
        explore)
            _arguments \
                '--filter[only scenarios with TEXT in their path or title]:value: ' \
                '*--tag[only scenarios with this tag (repeated\: with any of them)]:value: ' \
                '*--skip-tag[no scenarios with this tag (repeated\: with none of them)]:value: ' \
                '--seed[the seed of the search (default\: 1); same seed, same runs]:value: ' \
                '--runs[how many runs to make (default\: 10000, or without end with --for)]:value: ' \
                '--for[stop after this long, such as 60s, 10min or 2h]:value: ' \
                '--jobs[how many runs at once (default\: one for each core)]:value: ' \
                '*--strategy[how the order of ready work is drawn (repeated\: any of them; default\: fifo, random and pct)]:value:(fifo random pct)' \
                '*--fault[draw faults of this kind alone, or none (repeated\: of any of them; default\: all, and with an app that does not use LocalData all but those of its storage)\: link, latency, lifecycle, crash, power, lock, reboot, disk, keychain, space, clock, reinstall, pairing, duplicates, together, waking, backup, update, overrides, prewarming, wrist, unknowns, lies, widget, rotation, switching, session, cancellation]:value: ' \
                '--steps[draw at most N steps for a run, besides the healing (default\: 24); with --exhaustive, leave out longer scenarios (default\: 5)]:value: ' \
                '--exhaustive[draw nothing\: run each small scenario, without its expectations, in every order, with a crash before every storage operation of every step]' \
                '--power-loss[with --exhaustive, try a power loss there, too]' \
                '--recheck[make this percentage of the runs twice and compare (default\: 5)]:value: ' \
                '--stuck-after[give up a run in which one piece of code takes longer than this by the host'\''s clock, as one that did not settle (default\: 20s; 0s\: never)]:value: ' \
                '--own-keys[besides the files that are named, draw every second run over keys of its own]' \
                '--save[write each failure as a small scenario file into DIR]:path:_files' \
                '--resume[keep in FILE how far the search has come, and go on from there when it is there; another build of the program begins anew]:path:_files' \
                '--coverage[tell what the runs exercised, and what they did not, each with a scenario that would]' \
                '--propose[as --coverage, and write scenario files into DIR that try what was not tried]:path:_files' \
                '--only[make run N of the search alone, and show it]:value: ' \
                '--against[have another build of the tool make each run too, such as the one before a change, and tell of those that differ]:path:_files' \
                '*--report[write a report\: junit, json; a FILE of - is standard output (repeated\: several)]:report:(junit= json=)' \
                '--shard[do part I of N only, I from 1 (default\: what a CI system'\''s variables say; 1/1\: everything)]:value: ' \
                '--shard-count[how many shards there are, where a variable says only which]:value: ' \
                '--quiet[print failures only]' \
                '--json[answer with one JSON object, also of errors; JSON.md says what is in it]' \
                '--color[colour the output; auto\: on a terminal, unless NO_COLOR is set]:value:(auto always never)' \
                '--help[show help]' \
                '--version[show the version]' \
                '*:path:_files'
            ;;
        debug)
            _arguments \
                '*--do[do this instead of reading commands (repeated\: one after the other)]:value: ' \
                '--seed[the seed of every random draw (default\: 1, or the scenario'\''s own)]:value: ' \
                '--order[run ready work in order N (0\: first in, first out; the default)]:value: ' \
                '--stuck-after[give up a run in which one piece of code takes longer than this by the host'\''s clock, as one that did not settle (default\: 20s; 0s\: never)]:value: ' \
                '--json[answer with one JSON object, also of errors; JSON.md says what is in it]' \
                '--color[colour the output; auto\: on a terminal, unless NO_COLOR is set]:value:(auto always never)' \
                '--help[show help]' \
                '--version[show the version]' \
                '*:path:_files'
            ;;
        watch)
            _arguments \
                '--filter[only scenarios with TEXT in their path or title]:value: ' \
                '*--tag[only scenarios with this tag (repeated\: with any of them)]:value: ' \
                '*--skip-tag[no scenarios with this tag (repeated\: with none of them)]:value: ' \
                '--seed[the seed of every random draw (default\: 1, or the scenario'\''s own)]:value: ' \
                '--seeds[run each scenario under N seeds, counting up from --seed]:value: ' \
                '--order[run ready work in order N (0\: first in, first out; the default)]:value: ' \
                '--orders[run each scenario also under N more orders of ready work, 1 to N]:value: ' \
                '--crash-points[run no scenario with more than N crash points (default\: 10000)]:value: ' \
                '--stuck-after[give up a run in which one piece of code takes longer than this by the host'\''s clock, as one that did not settle (default\: 20s; 0s\: never)]:value: ' \
                '--json[answer with one JSON object, also of errors; JSON.md says what is in it]' \
                '--color[colour the output; auto\: on a terminal, unless NO_COLOR is set]:value:(auto always never)' \
                '--help[show help]' \
                '--version[show the version]' \
                '*:path:_files'
            ;;
        merge)
            _arguments \
                '*--report[write a report\: junit, json, tap, html; a FILE of - is standard output (repeated\: several)]:report:(junit= json= tap= html=)' \
                '--save[write each failure that a search found as a small scenario file into DIR]:path:_files' \
                '--quiet[print failures only]' \
                '--verbose[list all faults that no run triggered, and not the first ones]' \
                '--json[answer with one JSON object, also of errors; JSON.md says what is in it]' \
                '--color[colour the output; auto\: on a terminal, unless NO_COLOR is set]:value:(auto always never)' \
                '--help[show help]' \
                '--version[show the version]' \
                '*:path:_files'
            ;;
        check)
            _arguments \
                '--max-errors[show at most N errors of a file (default\: 20)]:value: ' \
                '--quiet[print problems only]' \
                '--json[answer with one JSON object, also of errors; JSON.md says what is in it]' \
                '--color[colour the output; auto\: on a terminal, unless NO_COLOR is set]:value:(auto always never)' \
                '--help[show help]' \
                '--version[show the version]' \
                '*:path:_files'
            ;;
        list)
            _arguments \
                '--filter[only scenarios with TEXT in their path or title]:value: ' \
                '*--tag[only scenarios with this tag (repeated\: with any of them)]:value: ' \
                '*--skip-tag[no scenarios with this tag (repeated\: with none of them)]:value: ' \
                '--rules[list the rules of WatchConnectivity instead\: what is simulated, known from where, covered by what]' \
                '--troubles[list what developers run into instead, each with its scenarios]' \
                '--json[answer with one JSON object, also of errors; JSON.md says what is in it]' \
                '--color[colour the output; auto\: on a terminal, unless NO_COLOR is set]:value:(auto always never)' \
                '--help[show help]' \
                '--version[show the version]' \
                '*:path:_files'
            ;;
        fmt)
            _arguments \
                '--check[change nothing; status 1 when a file would change]' \
                '--quiet[print problems only]' \
                '--json[answer with one JSON object, also of errors; JSON.md says what is in it]' \
                '--color[colour the output; auto\: on a terminal, unless NO_COLOR is set]:value:(auto always never)' \
                '--help[show help]' \
                '--version[show the version]' \
                '*:path:_files'
            ;;
        explain)
            _arguments \
                '--json[answer with one JSON object, also of errors; JSON.md says what is in it]' \
                '--color[colour the output; auto\: on a terminal, unless NO_COLOR is set]:value:(auto always never)' \
                '--help[show help]' \
                '--version[show the version]'
            ;;
        new)
            _arguments \
                '--library[the checkout of this library (default\: LocalData)]:path:_files' \
                '--json[answer with one JSON object, also of errors; JSON.md says what is in it]' \
                '--color[colour the output; auto\: on a terminal, unless NO_COLOR is set]:value:(auto always never)' \
                '--help[show help]' \
                '--version[show the version]' \
                '*:path:_files'
            ;;
        audit)
            _arguments \
                '--scenario[compare it with the keys that this scenario declares]:path:_files' \
                '--strict[status 1 where something is damaged, orphaned, left behind, unseen, or declared against itself]' \
                '--json[answer with one JSON object, also of errors; JSON.md says what is in it]' \
                '--color[colour the output; auto\: on a terminal, unless NO_COLOR is set]:value:(auto always never)' \
                '--help[show help]' \
                '--version[show the version]' \
                '*:path:_files'
            ;;
        observe)
            _arguments \
                '--scenario[write a scenario that does what the logs tell, and try it; - is standard output]:path:_files' \
                '--verbose[show lines for every rule, and those that were not seen]' \
                '--json[answer with one JSON object, also of errors; JSON.md says what is in it]' \
                '--color[colour the output; auto\: on a terminal, unless NO_COLOR is set]:value:(auto always never)' \
                '--help[show help]' \
                '--version[show the version]' \
                '*:path:_files'
            ;;
        account)
            _arguments \
                '--stuck-after[give up a run in which one piece of code takes longer than this by the host'\''s clock, as one that did not settle (default\: 20s; 0s\: never)]:value: ' \
                '--json[answer with one JSON object, also of errors; JSON.md says what is in it]' \
                '--color[colour the output; auto\: on a terminal, unless NO_COLOR is set]:value:(auto always never)' \
                '--help[show help]' \
                '--version[show the version]'
            ;;
        lsp)
            _arguments \
                '--json[answer with one JSON object, also of errors; JSON.md says what is in it]' \
                '--color[colour the output; auto\: on a terminal, unless NO_COLOR is set]:value:(auto always never)' \
                '--help[show help]' \
                '--version[show the version]'
            ;;
        completions)
            _arguments \
                '--json[answer with one JSON object, also of errors; JSON.md says what is in it]' \
                '--color[colour the output; auto\: on a terminal, unless NO_COLOR is set]:value:(auto always never)' \
                '--help[show help]' \
                '--version[show the version]' \
                '1:word:(bash zsh fish)'
            ;;
        help)
            _arguments \
                '--json[answer with one JSON object, also of errors; JSON.md says what is in it]' \
                '--color[colour the output; auto\: on a terminal, unless NO_COLOR is set]:value:(auto always never)' \
                '--help[show help]' \
                '--version[show the version]' \
                '1:word:(run explore debug watch merge check list fmt explain new audit observe account lsp completions help)'
            ;;
    esac
}
_pairsim "$@"
