import DeviceSimCore
import LocalData

/// What came of looking for a slot's content at a place of a line.
enum SlotReading {
    case found(Capture, next: Int)
    /// Something else stands there, or nothing.
    case other
    /// It stands there and is faulty.
    case faulty(ValueParser.Problem, at: Int)
}

extension Slot {
    func readWord(_ token: Token, at index: Int, of words: Set<String>, in context: LineContext) -> SlotReading {
        let isKnown = words.contains(token.text)
        if isKnown, token.text == DeviceID.watch2.description, !context.devices.contains(.watch2) {
            return faulty(token, at: index, "there is no second watch here", "write `start second watch` before the first step")
        }
        return token.kind == .word && isKnown ? found(.word(token.text), token, next: index + 1) : .other
    }

    func readString(_ token: Token, next: Int) -> SlotReading {
        if case .string(let text) = token.kind { return found(.string(text), token, next: next) }
        return .other
    }

    func readRest(_ tokens: [Token], at index: Int) -> SlotReading {
        found(.tokens(Array(tokens[index...])), tokens[index], through: tokens[tokens.count - 1], next: tokens.count)
    }

    // MARK: Names

    func readKey(_ token: Token, next: Int, in context: LineContext) -> SlotReading {
        guard token.kind == .word else { return .other }
        if let key = context.keys[token.text] { return found(.key(key.reference, key.type), token, next: next) }
        guard !context.keysAreComplete else { return .other }
        return found(.key(KeyReference(index: -1, identifier: token.text), .any), token, next: next)
    }

    func readName(_ token: Token, of names: Set<String>, next: Int, in context: LineContext) -> SlotReading {
        guard token.kind == .word, names.contains(token.text) || !context.labelsAreComplete else { return .other }
        return found(.word(token.text), token, next: next)
    }

    // MARK: Values

    func readValue(_ tokens: [Token], at index: Int, in context: LineContext) -> SlotReading {
        guard ValueParser.canStart(tokens, at: index) else { return .other }
        if self == .object, !tokens[index].isSign("{") { return .other }
        var parser = ValueParser(tokens, at: index, budget: context.budget)
        do throws(ValueParser.Problem) {
            let value = try parser.parse()
            context.budget = parser.budget
            return found(.value(value), tokens[index], through: tokens[parser.index - 1], next: parser.index)
        } catch {
            return .faulty(error, at: min(parser.index, tokens.count))
        }
    }

    func readNumber(_ token: Token, at index: Int) -> SlotReading {
        guard token.kind == .number else { return .other }
        guard let number = NumberNotation.count(of: token) else {
            let isGreat = token.text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            return faulty(token, at: index, "expected \(expectation), found `\(token.text)`", isGreat ? Self.greatest : least)
        }
        if number < (self == .count ? 1 : 0) { return faulty(token, at: index, "expected \(expectation), found `\(token.text)`", least) }
        if number > LanguageLimits.number {
            return faulty(token, at: index, "`\(token.text)` is greater than a scenario may speak of", Self.greatest)
        }
        return found(.number(number), token, next: index + 1)
    }

    private var least: String { "the least is \(self == .count ? 1 : 0)" }
    private static let greatest = "the greatest number is \(LanguageLimits.number)"

    func readSeed(_ token: Token, at index: Int) -> SlotReading {
        guard token.kind == .number else { return .other }
        guard token.text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seed = UInt64(token.text) else {
            return faulty(
                token, at: index, "expected \(expectation), found `\(token.text)`",
                "a whole number from 0 to \(UInt64.max), in digits alone")
        }
        return found(.seed(seed), token, next: index + 1)
    }

    func readBytes(_ tokens: [Token], at index: Int) -> SlotReading {
        let token = tokens[index]
        guard token.kind == .number else { return .other }
        guard let number = NumberNotation.count(of: token) else {
            return faulty(token, at: index, "expected \(expectation), found `\(token.text)`", nil)
        }
        guard tokens.indices.contains(index + 1), tokens[index + 1].isWord("bytes") || tokens[index + 1].isWord("byte") else {
            let bytes = tokens.dropFirst(index + 1).first.flatMap { NumberNotation.bytes(number, unit: $0.text) } ?? number
            return faulty(token, at: index, "a number of what?", "write `\(bytes) bytes`")
        }
        return found(.number(number), token, through: tokens[index + 1], next: index + 2)
    }

    func readTime(_ tokens: [Token], at index: Int) -> SlotReading {
        let token = tokens[index]
        guard token.kind == .number else { return .other }
        guard let time = NumberNotation.duration(of: token) else {
            guard !NumberNotation.isTooLong(token) else {
                return faulty(
                    token, at: index, "`\(token.text)` is longer than a scenario may speak of",
                    "the longest time is `\(NumberNotation.maximumDurationText)`, ten years")
            }
            let units = Suggestion.list(NumberNotation.units.map(\.name), last: "and")
            let isBare = NumberNotation.count(of: token) != nil
            if isBare, tokens.indices.contains(index + 1), let unit = NumberNotation.unit(spelled: tokens[index + 1].text) {
                return faulty(token, at: index, "a time is one word", "write `\(token.text)\(unit)`")
            }
            return faulty(
                token, at: index, isBare ? "a time needs a unit" : "`\(token.text)` is not a time",
                isBare
                    ? "did you mean `\(token.text)s`? the units are \(units)" : "such as `200ms`, `1.5s` or `2min`; the units are \(units)")
        }
        return found(.time(time), token, next: index + 1)
    }

    func readVersion(_ token: Token, next: Int) -> SlotReading {
        let text: String
        switch token.kind {
        case .number: text = token.text
        case .string(let content): text = content
        default: return .other
        }
        guard let version = AppVersion(text) else {
            return faulty(
                token, at: next - 1, "`\(token.text)` is not a version", "write one to four numbers joined by dots, such as `2.0`")
        }
        return found(.version(version), token, next: next)
    }

    func readType(_ tokens: [Token], at index: Int) -> SlotReading {
        var depth = 0
        while tokens.indices.contains(index + depth), tokens[index + depth].isSign("[") { depth += 1 }
        guard depth <= 8 else { return faulty(tokens[index], at: index, "a list of lists of lists goes no deeper than 8", nil) }
        guard tokens.indices.contains(index + depth), tokens[index + depth].kind == .word else { return .other }
        let name = tokens[index + depth]
        guard var type = ScenarioType.named[name.text] else {
            let near = ScenarioType.aliases[name.text] ?? Suggestion.nearest(to: name.text, in: ScenarioType.names)
            return faulty(
                name, at: index + depth, "there is no type `\(name.text)` in scenario files",
                near.map { "did you mean `\($0)`?" }
                    ?? "the types are \(Suggestion.list(ScenarioType.names, last: "and")), and lists such as `[Int]`")
        }
        for level in 0..<depth {
            guard tokens.indices.contains(index + depth + 1 + level), tokens[index + depth + 1 + level].isSign("]") else {
                let place = index + depth + 1 + level
                if tokens.indices.contains(place), tokens[place].isSign(":") {
                    return faulty(
                        tokens[index], at: index + depth + level, "there are no types of dictionaries in scenario files",
                        "write `Any`, which can be whatever JSON can say")
                }
                return faulty(tokens[index], at: index + depth + level, "this `[` is not closed", "a list is written such as `[Int]`")
            }
            type = .array(type)
        }
        return found(.type(type), tokens[index], through: tokens[index + 2 * depth], next: index + 2 * depth + 1)
    }

    // MARK: Lists of names and values

    func readFacts(_ tokens: [Token], at start: Int, in context: LineContext) -> SlotReading {
        var facts: [EventPattern.Fact] = []
        var index = start
        guard tokens[index].kind == .word else { return .other }
        let reader = FactReader(of: tokens[..<start])
        while true {
            guard tokens.indices.contains(index), tokens[index].kind == .word else {
                return faulty(tokens[min(index, tokens.count - 1)], at: index, "expected the name of a fact", "such as `key \"theme\"`")
            }
            let name = tokens[index]
            if let (message, hint) = reader.objection(toName: name.text) { return faulty(name, at: index, message, hint) }
            // An event has one of each, but of lists: two that it would have to have at once no event has.
            if !reader.isList(name.text), facts.contains(where: { $0.name == name.text }) {
                return faulty(
                    name, at: index, "the fact `\(name.text)` is given twice, and no event has two of them",
                    "write a line for each of the two events")
            }
            switch Slot.value.read(tokens, at: index + 1, in: context) {
            case .found(let capture, let next):
                guard case .value(let value) = capture.content else { return .other }
                if let (message, hint) = reader.objection(to: value, as: name.text) {
                    return .faulty(.init(range: capture.range, message: message, hint: hint), at: index + 1)
                }
                facts.append(EventPattern.Fact(name.text, value))
                index = next
            case .faulty(let problem, let place): return .faulty(problem, at: place)
            case .other:
                return faulty(
                    name, at: index + 1, "expected a value for the fact `\(name.text)`", "such as `\(reader.example(of: name.text))`")
            }
            guard tokens.indices.contains(index), tokens[index].isSign(",") else { break }
            index += 1
        }
        return found(.facts(facts), tokens[start], through: tokens[index - 1], next: index)
    }

    func readArguments(_ tokens: [Token], at start: Int) -> SlotReading {
        guard tokens[start].kind == .word else { return .other }
        var arguments: [(name: Token, value: [Token])] = []
        var index = start
        while index < tokens.count {
            let name = tokens[index]
            guard name.kind == .word else {
                return faulty(name, at: index, "expected the name of a parameter, found `\(name.text)`", "such as `size 100, name \"x\"`")
            }
            var depth = 0
            var end = index + 1
            while end < tokens.count, depth > 0 || !tokens[end].isSign(",") {
                if tokens[end].kind == .sign {
                    if "([{".contains(tokens[end].text) { depth += 1 }
                    if ")]}".contains(tokens[end].text) { depth -= 1 }
                }
                end += 1
            }
            guard end > index + 1 else {
                return faulty(name, at: index, "the parameter `\(name.text)` gets no value", "such as `\(name.text) 100`")
            }
            arguments.append((name, Array(tokens[(index + 1)..<end])))
            index = end + 1
        }
        return found(.arguments(arguments), tokens[start], through: tokens[tokens.count - 1], next: tokens.count)
    }

    // MARK: Results

    func found(_ content: Capture.Content, _ first: Token, through last: Token? = nil, next: Int) -> SlotReading {
        .found(Capture(slot: self, content: content, range: first.range.through((last ?? first).range)), next: next)
    }

    private func faulty(_ token: Token, at index: Int, _ message: String, _ hint: String?) -> SlotReading {
        .faulty(ValueParser.Problem(range: token.range, message: message, hint: hint), at: index)
    }
}

extension ScenarioType {
    static let names = ["String", "Int", "Double", "Bool", "Data", "Date", "Any"]
    static let named: [String: ScenarioType] = [
        "String": .string, "Int": .int, "Double": .double, "Bool": .bool, "Data": .data, "Date": .date, "Any": .any,
    ]
    /// What people write for them.
    static let aliases = [
        "Integer": "Int", "Number": "Double", "Float": "Double", "Boolean": "Bool", "Text": "String", "AnyCodable": "Any", "Object": "Any",
        "JSON": "Any", "Bytes": "Data", "string": "String", "int": "Int",
    ]
}
