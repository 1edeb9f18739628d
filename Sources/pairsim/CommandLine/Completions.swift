/// Completions for shells, written from the table of commands.
enum Completions {
    enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    static func script(for shell: Shell) -> String {
        switch shell {
        case .bash: bash()
        case .zsh: zsh()
        case .fish: fish()
        }
    }

    private static func options(of spec: CommandSpec) -> [OptionSpec] { spec.options + CommandTable.common }

    private static func words(of spec: CommandSpec) -> [String] {
        switch spec.operands {
        case .choice(_, let words): words
        case .command: CommandName.allCases.map(\.rawValue)
        case .subject(let word, _, _): [word]
        case .none, .paths, .optionalPaths, .files, .file, .folder, .words: []
        }
    }

    private static func takesPaths(_ spec: CommandSpec) -> Bool {
        switch spec.operands {
        case .paths, .optionalPaths, .files, .file, .folder, .subject: true
        case .none, .choice, .command, .words: false
        }
    }

    // MARK: bash

    private static func bash() -> String {
        let commands = CommandName.allCases.map(\.rawValue).joined(separator: " ")
        var text = """
            # bash completion for pairsim
            _pairsim() {
                local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"
                COMPREPLY=()
                if [ "$COMP_CWORD" -eq 1 ]; then
                    COMPREPLY=($(compgen -W "\(commands) --help --version" -- "$word"))
                    return
                fi
                case "$command $before" in

            """
        for spec in CommandTable.commands {
            for option in options(of: spec) {
                let action: String
                switch option.value {
                case .none: continue
                case .choice(let words): action = "COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$word\"))"
                case .path: action = "COMPREPLY=($(compgen -f -- \"$word\"))"
                case .formattedFile(let formats):
                    action =
                        "COMPREPLY=($(compgen -W \"\(formats.map { $0 + "=" }.joined(separator: " "))\" -- \"$word\")); compopt -o nospace"
                case .number, .share, .text: action = ":"
                }
                text += "        \"\(spec.name.rawValue) \(option.flag)\") \(action); return ;;\n"
            }
        }
        text += "    esac\n    case \"$command\" in\n"
        for spec in CommandTable.commands {
            let choices = (words(of: spec) + options(of: spec).map(\.flag)).joined(separator: " ")
            text += "        \(spec.name.rawValue)) COMPREPLY=($(compgen -W \"\(choices)\" -- \"$word\")"
            text += takesPaths(spec) ? " $(compgen -f -- \"$word\")) ;;\n" : ") ;;\n"
        }
        return text + "    esac\n}\ncomplete -o filenames -F _pairsim pairsim\n"
    }

    // MARK: zsh

    private static func zsh() -> String {
        var text =
            "#compdef pairsim\n# zsh completion for pairsim\n_pairsim() {\n    if (( CURRENT == 2 )); then\n        local -a commands=(\n"
        for spec in CommandTable.commands {
            text += "            \(single("\(spec.name.rawValue):\(spec.summary)"))\n"
        }
        text += "        )\n        _describe command commands\n        return\n    fi\n    local command=$words[2]\n"
        text += "    shift words\n    (( CURRENT-- ))\n    case $command in\n"
        for spec in CommandTable.commands {
            text += "        \(spec.name.rawValue))\n            _arguments"
            for option in options(of: spec) {
                text += " \\\n                \(single(zshOption(option)))"
            }
            if takesPaths(spec) {
                text += " \\\n                '*:path:_files'"
            } else if !words(of: spec).isEmpty {
                text += " \\\n                \(single("1:word:(\(words(of: spec).joined(separator: " ")))"))"
            }
            text += "\n            ;;\n"
        }
        return text + "    esac\n}\n_pairsim \"$@\"\n"
    }

    private static func zshOption(_ option: OptionSpec) -> String {
        let help = option.help.replacing("[", with: "(").replacing("]", with: ")").replacing(":", with: "\\:")
        let head = (option.isRepeatable ? "*" : "") + option.flag + "[\(help)]"
        switch option.value {
        case .none: return head
        case .number, .share, .text: return head + ":value: "
        case .choice(let words): return head + ":value:(\(words.joined(separator: " ")))"
        case .path: return head + ":path:_files"
        case .formattedFile(let formats): return head + ":report:(\(formats.map { $0 + "=" }.joined(separator: " ")))"
        }
    }

    // MARK: fish

    private static func fish() -> String {
        var text = "# fish completion for pairsim\ncomplete -c pairsim -f\n"
        for spec in CommandTable.commands {
            text += "complete -c pairsim -n __fish_use_subcommand -a \(spec.name.rawValue) -d \(single(spec.summary))\n"
            let condition = "'__fish_seen_subcommand_from \(spec.name.rawValue)'"
            if takesPaths(spec) {
                text += "complete -c pairsim -n \(condition) -F\n"
            }
            if !words(of: spec).isEmpty {
                text += "complete -c pairsim -n \(condition) -a '\(words(of: spec).joined(separator: " "))'\n"
            }
            for option in options(of: spec) {
                text += "complete -c pairsim -n \(condition) -l \(option.name.rawValue)" + (option.short.map { " -s \($0)" } ?? "")
                switch option.value {
                case .none: break
                case .number, .share, .text: text += " -x"
                case .choice(let words): text += " -x -a '\(words.joined(separator: " "))'"
                case .path: text += " -r -F"
                case .formattedFile(let formats): text += " -x -a '\(formats.map { $0 + "=" }.joined(separator: " "))'"
                }
                text += " -d \(single(option.help))\n"
            }
        }
        return text
    }

    private static func single(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
