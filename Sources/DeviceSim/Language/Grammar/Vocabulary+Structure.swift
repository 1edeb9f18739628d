import DeviceSimCore

extension Vocabulary {
    static let structure: [Form] = [
        Form(
            .structure, "key NAME : TYPE", "declares a key; its block says what differs from the defaults",
            example: "key theme: String"
        ) { match in
            guard let name = match.token(.name), case .type(let type)? = match.capture(.type)?.content else { return nil }
            return .key(identifier: name, type)
        },
        Form(
            .structure, "catalog NAME", "the keys of a catalog that the embedding test registered", example: "catalog AppCatalog"
        ) { match in match.token(.name).map { .catalog($0) } },
        Form(
            .structure, "include STRING [with ARGUMENTS]", "puts the lines of another file here; the path is relative to this file",
            example: "include \"shared/keys.inc\" with suite \"group.a\", size 100"
        ) { match in
            guard let path = match.token(.string) else { return nil }
            guard case .arguments(let arguments)? = match.capture(.arguments)?.content else { return .include(path, []) }
            return .include(path, arguments)
        },
        Form(
            .structure, "parameter NAME [= ANYTHING]",
            "names what an `include` of this file must give, or may give where there is a default",
            example: "parameter size = 100"
        ) { match in match.token(.name).map { .parameter($0, match.tokens(of: .rest)) } },
        Form(
            .structure, "let NAME = ANYTHING", "names a value, a time or words; `$name` stands for it in the lines below, in this file",
            example: "let long = repeat(\"x\", 100000)"
        ) { match in
            guard let name = match.token(.name), let tokens = match.tokens(of: .rest) else { return nil }
            return .variable(name, tokens)
        },
        Form(.structure, "examples", "a table; the scenario runs once for each row, `$name` stands for the cell", example: "examples") {
            _ in
            .examples
        },
        Form(.structure, "seed SEED", "feeds every draw of the run", example: "seed 42") { match in
            match.seed.map { .seed($0) }
        },
        Form(
            .structure, "order STRING",
            "which of several ready pieces of work runs next: \"fifo\", \"random:SEED\", \"pct:SEED:DEPTH\" or \"choices:0,2,1\"",
            example: "order \"random:7\""
        ) { match in
            guard let text = match.string(), let capture = match.capture(.string) else { return nil }
            guard let order = ReadyOrder(text) else {
                match.diagnose(capture.range, "this is no order of ready work", hint: "such as \"random:7\" or \"pct:7:3\"")
                return nil
            }
            return .order(order)
        },
        Form(.structure, "knob KNOB SETTING", "sets what is not known of real devices, or differs", example: "knob link.latency 200ms") {
            match in
            guard let name = match.word(.knob), let knob = Knobs.descriptor(named: name), let tokens = match.tokens(of: .setting),
                let capture = match.capture(.setting)
            else { return nil }
            guard let setting = KnobSettingReader.read(tokens, for: knob) else {
                match.diagnose(capture.range, "this is not a setting of `\(name)`", hint: KnobSettingReader.hint(tokens, for: knob))
                return nil
            }
            var probe = Knobs()
            guard probe.set(knob, to: setting) else {
                match.diagnose(capture.range, "`\(name)` cannot be \(setting)", hint: KnobSettingReader.hint(tokens, for: knob))
                return nil
            }
            return .knob(knob, setting)
        },
    ]
}

/// Reads the setting of a knob.
private enum KnobSettingReader {
    static func read(_ tokens: [Token], for knob: Knobs.Descriptor) -> Knobs.Setting? {
        guard let first = tokens.first else { return nil }
        if tokens.count == 1 {
            if case .choice(let names, _, _) = knob.field, names.contains(first.text) { return .choice(first.text) }
            if first.isWord("true") || first.isWord("false") { return .flag(first.text == "true") }
            if first.kind == .word { return KeychainStatusName(rawValue: first.text).map { .status($0) } }
            return NumberNotation.duration(of: first).map { .duration($0) } ?? NumberNotation.count(of: first).map { .count($0) }
        }
        guard tokens.count == 2, tokens[1].isWord("bytes") || tokens[1].isWord("byte") else { return nil }
        return NumberNotation.count(of: first).map { .bytes($0) }
    }

    /// What the knob can be; the very words where it is clear what was meant.
    static func hint(_ tokens: [Token], for knob: Knobs.Descriptor) -> String {
        if case .bytes(_, let range) = knob.field, let number = tokens.first.flatMap({ NumberNotation.count(of: $0) }), tokens.count <= 2,
            let bytes = tokens.count == 1 ? number : NumberNotation.bytes(number, unit: tokens[1].text), range.contains(bytes)
        {
            return "write `\(bytes) bytes`"
        }
        return "it is \(knob.range)"
    }
}
