import DeviceSimCore

/// Leaves the values of secrets out of what is said of a mistake: of the line that is quoted, and of the words that the message repeats.
///
/// A mistake is shown in logs of CI systems and in reports. What stands at it may be anything: a quotation mark that is missing, a key whose name is mistyped.
/// So a value is left out unless the line names a key whose values are no secret, or the file is known to have none of secrets.
package struct DiagnosticMask {
    private var secret: Set<String> = []
    private var plain: Set<String> = []
    /// Whether all keys are known. Until one has looked for them none is.
    private var isComplete: Bool?
    /// The parts of all that variables, tables and inclusions stand for: a message may say it where the line has a variable.
    private var definedParts: Set<String> = []

    /// Of a file whose keys nobody has looked for.
    package init() {}

    mutating func add(_ run: RunCompiler) {
        for key in run.keys {
            if key.isSecret { secret.insert(key.identifier) } else { plain.insert(key.identifier) }
        }
        isComplete = (isComplete ?? true) && run.areKeysComplete
    }

    /// - Parameter lines: Those of the files that may define what other lines use.
    mutating func add(definitions lines: [String]) {
        for line in lines {
            for word in hiddenWords(of: Self.words(of: line)) { definedParts.formUnion(Self.parts(of: word.text)) }
        }
    }

    package func masked(_ diagnostic: ScenarioDiagnostic) -> ScenarioDiagnostic {
        guard !secret.isEmpty || isComplete != true, let line = diagnostic.sourceLine else { return diagnostic }
        let words = Self.words(of: line)
        let hidden = hiddenWords(of: words)
        let usesDefinitions = !definedParts.isEmpty && line.contains("$") && !words.contains { plain.contains($0.text) }
        guard !hidden.isEmpty || usesDefinitions else { return diagnostic }
        var diagnostic = diagnostic
        var scalars = Array(line.unicodeScalars)
        // As wide as before, so that the carets stay where they belong.
        for word in hidden { for index in word.range { scalars[index] = "•" } }
        diagnostic.sourceLine = String(String.UnicodeScalarView(scalars))
        let texts = hidden.map(\.text).sorted { $0.utf8.count > $1.utf8.count }
        // A message may repeat a part of a word, or what a variable in it stands for.
        let parts = texts.reduce(into: usesDefinitions ? definedParts : []) { $0.formUnion(Self.parts(of: $1)) }
            .subtracting(secret).subtracting(Self.notations).subtracting(Self.wordParts)
        diagnostic.message = Self.without(parts, Self.without(texts, diagnostic.message))
        diagnostic.hint = diagnostic.hint.map { hint in
            // What could stand there instead the language says, whatever the line has.
            Self.without(parts, Self.without(texts, hint, keeping: hint.hasPrefix("expected ") ? Self.fixedWords : []))
        }
        return diagnostic
    }

    /// The words that notations of values begin with, and what else the language has in them.
    private static let notations = Set(SpecialNotation.allCases.map(\.rawValue)).union(["bytes", "true", "false", "null"])

    /// What a word is put together from, letters and digits in a row.
    private static func parts(of text: String) -> [String] {
        text.split { !isOfPart($0) }.map(String.init)
    }

    private static func isOfPart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || !character.isASCII
    }

    /// The text without these parts. A short one may be any word of a sentence, and stands for itself between marks only.
    private static func without(_ parts: Set<String>, _ text: String) -> String {
        guard !parts.isEmpty else { return text }
        var result = ""
        var rest = Substring(text)
        var isMarked = false
        while let first = rest.first {
            let part = rest.prefix(while: isOfPart)
            guard !part.isEmpty else {
                if first == "`" || first == "\"" { isMarked.toggle() }
                result.append(rest.removeFirst())
                continue
            }
            result += (part.utf8.count > 3 || isMarked) && parts.contains(String(part)) ? "…" : part
            rest = rest.dropFirst(part.count)
        }
        return result
    }

    /// - Parameter words: What stays, unless it is quoted as a text.
    private static func without(_ texts: [String], _ message: String, keeping words: Set<String> = []) -> String {
        texts.reduce(message) { message, text in
            let bare = String(text.drop { $0 == "\"" }.reversed().drop { $0 == "\"" }.reversed())
            // A quotation mark alone tells nothing, and is what the message may be about.
            guard !bare.isEmpty else { return message }
            // A short text may be a part of any word; between these marks it is what the file says.
            return (words.contains(bare) ? ["\"\(bare)\""] : [text, bare]).filter { !$0.isEmpty }.reduce(message) { message, text in
                let message = message.replacing("`\(text)`", with: "`…`")
                return text.utf8.count > 3 ? message.replacing(text, with: "…") : message
            }
        }
    }

    // MARK: Words

    private struct Word {
        let text: String
        let range: Range<Int>
        var isComment = false
        /// Whether a comment follows what stands before it without a space.
        var isClose = false

        /// Whether it is one text in quotation marks, or a list of such, to its end.
        var isWhole: Bool {
            let text = text.hasSuffix(",") ? text.dropLast() : text[...]
            let marks = text.count { $0 == "\"" }
            return text.hasPrefix("\"") && text.hasSuffix("\"") && marks == 2
                || text.hasPrefix("[\"") && text.hasSuffix("\"]") && marks % 2 == 0
        }

        var isLiteral: Bool {
            text.contains { $0 == "\"" || $0 == "{" || $0 == "[" || $0 == "(" } || text.first?.isNumber == true || text.first == "-"
        }
    }

    /// What stands between spaces; text in quotation marks and what stands in brackets is one word, also where their end is missing. A comment is the last one.
    private static func words(of line: String) -> [Word] {
        let scalars = Array(line.unicodeScalars)
        var words: [Word] = []
        var start: Int?
        var depth = 0
        var isQuoted = false
        var index = 0
        func end(at index: Int) {
            if let start { words.append(Word(text: String(String.UnicodeScalarView(scalars[start..<index])), range: start..<index)) }
            start = nil
        }
        while index < scalars.count {
            let scalar = scalars[index]
            let isInside = isQuoted || depth > 0
            if !isInside, scalar == " " || scalar == "\t" || scalar == "#" || scalar == "|" {
                end(at: index)
                if scalar == "#" {
                    let text = String(String.UnicodeScalarView(scalars[index...]))
                    // What a value is cut short by that has such a sign in it is the rest of that.
                    let isClose = index > 0 && scalars[index - 1] != " " && scalars[index - 1] != "\t" && scalars[index - 1] != "|"
                    words.append(Word(text: text, range: index..<scalars.count, isComment: true, isClose: isClose))
                    break
                }
                if scalar == "|" { words.append(Word(text: "|", range: index..<index + 1)) }
                index += 1
                continue
            }
            start = start ?? index
            switch scalar {
            case "\\" where isQuoted: index += 1
            case "\"": isQuoted.toggle()
            case "{", "[", "(": depth += isQuoted ? 0 : 1
            case "}", "]", ")": depth -= isQuoted || depth == 0 ? 0 : 1
            default: break
            }
            index += 1
        }
        end(at: scalars.count)
        return words
    }

    // MARK: What is hidden

    private static let endings: Set<String> = ["within", "throughout", "never", "since", "fails", "crashes", "loses", "for"]
    private static let harmless: Set<String> = ["missing", "exists", "or"]
    /// What `expect DEVICE` may go on with that is no key.
    private static let subjects: Set<String> = [
        "app", "audit", "complication", "delivered", "disk", "file", "has", "is", "migration", "not", "observed", "outstanding", "pending",
        "received",
        "sent",
        "session",
    ]

    /// What stands in quotation marks is hidden wherever it stands: the word before it may be mistyped, be missing, or have run into the next one. Not where
    /// the language has no value: in the block of a key, and where the word before it says what it names.
    private func hiddenWords(of words: [Word]) -> [Word] {
        if let first = words.first?.text, Self.attributes.contains(first) { return Self.salts(in: words) }
        let names = Self.names(in: words)
        return hiddenAsValues(words).filter { !names.contains($0.range.lowerBound) }
    }

    private func hiddenAsValues(_ words: [Word]) -> [Word] {
        let hidden = hiddenByPlace(words)
        guard let first = words.first?.text, !["|", "let", "parameter", "include", "key"].contains(first) else { return hidden }
        guard !words.contains(where: { plain.contains($0.text) }) || words.contains(where: { secret.contains($0.text) }) else {
            return hidden
        }
        let places = Set(hidden.map(\.range.lowerBound))
        return words.filter { places.contains($0.range.lowerBound) || $0.text.contains("\"") && !$0.isComment }
    }

    /// The words that lines of a key's block begin with, and no other line does.
    private static let attributes = Set(Vocabulary.firstWords(of: [.attribute])).subtracting(Vocabulary.firstWords(of: Form.Topic.topLevel))

    /// What key material is derived with is for nobody to read either.
    private static func salts(in words: [Word]) -> [Word] {
        zip(words, words.dropFirst()).filter { ["salt", "info"].contains($0.0.text) }.map(\.1)
    }

    /// What the word before calls a name, by where it begins: of a file, of what an audit speaks of, of a source of key material; in the facts of an event, of
    /// a key, a device, an error or a property. What such a word stands in front of has to end.
    private static func names(in words: [Word]) -> Set<Int> {
        let isExpectation = ["expect", "never"].contains(words.first?.text)
        let isEvent = words.contains { TraceEvent.Kind(rawValue: $0.text) != nil } && words.contains { $0.text == "with" }
        var names: Set<Int> = []
        for (index, word) in words.enumerated().dropFirst() where word.isWhole {
            let before = words[index - 1].text
            let isFile =
                before == "file" && (isExpectation || index > 1 && ["transfer", "locks", "unlocks"].contains(words[index - 2].text))
            let isNamed = isExpectation && namers.contains(before) || isEvent && facts.contains(before)
            if isFile || isNamed { names.insert(word.range.lowerBound) }
        }
        return names
    }

    private static let namers: Set<String> = ["orphaned", "unclaimed", "abandoned", "source", "invariant", "lacks"]
    /// Facts that never hold what somebody said or stored.
    private static let facts: Set<String> = [
        "because", "by", "deletions", "error", "from", "key", "keyPath", "keys", "member", "method", "omitted", "only", "operation",
        "origin",
        "to", "watch", "what",
    ]

    private func hiddenByPlace(_ words: [Word]) -> [Word] {
        guard let first = words.first?.text else { return [] }
        switch first {
        case "|": return words.filter { $0.text != "|" && !$0.isComment }
        case "let", "parameter":
            // Of a line without its sign what stands behind the name.
            return words.dropFirst(2).filter { $0.text != "=" && !$0.isComment }
        case "include": return words.drop { $0.text != "with" }.filter(\.isLiteral)
        // A declaration gives no value, and a line that means to is wrong.
        case "key": return words.filter { $0.text.contains("\"") }
        default: break
        }
        let isGiven = words.prefix(4).contains { ["set", "plant"].contains($0.text) }
        if let key = words.firstIndex(where: { secret.contains($0.text) }) { return Self.value(in: words[(key + 1)...], isGiven: isGiven) }
        guard !words.contains(where: { plain.contains($0.text) }) else { return [] }
        let rest = words.dropFirst(first == "expect" ? 2 : 1).drop { $0.text == "widget" }
        let isOfDevice = Self.devices.contains(first == "expect" ? words.dropFirst().first?.text ?? "" : first)
        guard let word = rest.first, !word.isComment else { return [] }
        if ["set", "plant"].contains(word.text) { return Self.value(in: rest.dropFirst(2), isGiven: true) }
        // A key whose name is mistyped.
        if first == "expect", isOfDevice, !Self.subjects.contains(word.text) { return Self.value(in: rest.dropFirst()) }
        // What an app shows, or answers, may be what a key holds.
        if first == "expect", let place = words.firstIndex(where: { ["shows", "replied"].contains($0.text) }) {
            return words.dropFirst(place + 1).filter { !$0.isComment && !Self.isKnown($0.text) }
        }
        guard isOfDevice else { return [] }
        // What is sent, answered or given to an app may be what a key holds, also where its marks are missing.
        let given = rest.prefix(2).contains { Self.givers.contains($0.text) } ? rest.dropFirst() : []
        return rest.filter { ["{", "["].contains($0.text.first) && $0.text.contains { Self.isOfPart($0) } }
            + given.filter { !$0.isComment && !Self.isKnown($0.text) && !["{", "["].contains($0.text.first) }
    }

    /// What gives a value that no key of the line has.
    private static let givers: Set<String> = ["send", "transfer", "update", "replies", "write", "does", "provides", "network"]

    /// Whether it is a word of the language, or nearly one, or a time. What stands in quotation marks is none, and digits alone may be a PIN.
    private static func isKnown(_ word: String) -> Bool {
        if word.contains("\"") { return false }
        if word.first?.isNumber == true { return NumberNotation.units.contains { word.hasSuffix($0.name) } }
        return Suggestion.nearest(to: word, in: vocabulary) != nil
    }

    /// The parts of the language's words.
    private static let wordParts = Set(vocabulary.flatMap(parts))

    private static let fixedWords = Set(Vocabulary.forms.flatMap(\.fixedWords))
    private static let vocabulary = fixedWords.sorted()

    private static let devices: Set<String> = ["phone", "watch", "watch2"]

    /// The value, and what may be the rest of it, up to a word that goes on with the line.
    /// - Parameter isGiven: Whether the line gives the key a value: then the first word is one, however it is written.
    private static func value(in words: ArraySlice<Word>, isGiven: Bool = false) -> [Word] {
        var hidden: [Word] = []
        var isOver = false
        for (number, word) in words.enumerated() {
            // A value that begins like a comment, or goes on like one.
            if word.isComment {
                if number == 0 || word.isClose { hidden.append(word) }
            } else if isGiven, number == 0 {
                hidden.append(word)
            } else if word.isLiteral, !isOver {
                hidden.append(word)
            } else if word.text == "or" {
                isOver = false
            } else if endings.contains(word.text) || (number > 0 && Suggestion.nearest(to: word.text, in: endings) != nil) {
                isOver = true
            } else if !isOver, !harmless.contains(word.text) {
                hidden.append(word)
            }
        }
        return hidden
    }
}
