import Foundation

/// What a folder with an app's sources has that a package of tests needs to know: where each side's files lie, who the session's delegates are, what a person
/// could do with them, and which App Groups are used.
struct AppSurvey {
    /// Where a file or folder belongs to.
    enum Side { case both, phone, watch }

    /// Folders and files directly below the app's folder, each with its side.
    private(set) var places: [(path: String, side: Side)] = []
    /// What was passed over, and why.
    private(set) var passedOver: [String] = []
    private(set) var delegates: [SessionDelegate] = []
    /// The types with `@main`.
    private(set) var entryPoints: [String] = []
    private(set) var groups: [String] = []

    /// What tells each folder and file that was seen from all others.
    private var visited: Set<String> = []
    private var units: [(side: Side, name: String, tokens: [Token])] = []

    init(folder: String, files: any FileAccess) throws(FileError) {
        let names = try files.names(in: folder).sorted().filter { !$0.hasPrefix(".") }
        if case .folder(let identity)? = try files.kind(of: folder) { visited.insert(identity) }
        for name in names {
            guard !Self.isPassedOver(name) else {
                passedOver.append(name)
                continue
            }
            let path = folder + "/" + name
            var read: [(name: String, tokens: [Token])] = []
            for source in try sources(below: path, named: name, files: files) {
                guard let text = String(bytes: try files.read(source.path), encoding: .utf8) else {
                    passedOver.append("\(source.name), which is not UTF-8")
                    continue
                }
                read.append((source.name, Tokenizer.tokens(of: text)))
            }
            guard !read.isEmpty else { continue }
            let side = Self.side(of: name, among: names)
            places.append((name, side))
            units += read.map { (side, $0.name, $0.tokens) }
        }
        findDelegates()
        findNames()
    }

    /// Tests, extensions and what other tools put there.
    private static func isPassedOver(_ name: String) -> Bool {
        ["Pods", "Carthage", "DerivedData", "Package.swift", "build"].contains(name)
            || ["Tests", "Widget", "Widgets", "Extension", "Intents", ".xcodeproj", ".xcworkspace", ".xcassets"].contains {
                name.hasSuffix($0)
            }
                && !name.contains("WatchKit") && !name.contains("Watch Extension")
    }

    /// As Xcode calls the folders of an app and its watch app: `Theme` and `Theme Watch App`.
    private static func side(of name: String, among names: [String]) -> Side {
        // The app's own name may speak of the watch.
        let hasWatchApp = names.contains { $0.hasPrefix(name + " Watch") || $0.hasPrefix(name + "Watch") }
        if hasWatchApp { return .phone }
        if name.contains("Watch") || name.hasSuffix("watchOS") { return .watch }
        return name.contains("iOS") || name.contains("Phone") || name.contains("Mobile") ? .phone : .both
    }

    private static let maximumDepth = 12

    /// The Swift files at and below a path, each once, by whatever names and links it can be reached.
    /// - Parameter name: The path from the app's folder on, for what is said.
    private mutating func sources(
        below path: String, named name: String, files: any FileAccess, depth: Int = 0
    ) throws(FileError) -> [(path: String, name: String)] {
        switch try files.kind(of: path) {
        case .file:
            guard path.hasSuffix(".swift") else { return [] }
            guard isNew(path, files: files) else {
                passedOver.append("\(name), which is another name of a file that is there")
                return []
            }
            return [(path, name)]
        case .folder(let identity):
            guard visited.insert(identity).inserted else {
                passedOver.append("\(name), which leads to a folder that is there already")
                return []
            }
            guard depth < Self.maximumDepth else {
                passedOver.append("\(name), which is nested too deeply")
                return []
            }
            var found: [(path: String, name: String)] = []
            for inner in try files.names(in: path).sorted() where !inner.hasPrefix(".") {
                found += try sources(below: path + "/" + inner, named: name + "/" + inner, files: files, depth: depth + 1)
            }
            return found
        case .other, nil:
            // A name that is not UTF-8 is shown otherwise than it is, and nothing is found under it.
            if path.hasSuffix(".swift") {
                passedOver.append(
                    "\(name), which " + (name.contains("\u{FFFD}") ? "has a name that is not UTF-8" : "is no file or leads nowhere"))
            }
            return []
        }
    }

    private mutating func isNew(_ path: String, files: any FileAccess) -> Bool {
        files.identity(of: path).map { visited.insert("file \($0)").inserted } ?? true
    }

    // MARK: What the sources say

    /// Files in the other side's folders whose types a side uses, as Xcode lets a file be of several targets.
    func shared(with side: Side) -> [String] {
        var missing: [Substring: Int] = [:]
        var own: Set<Substring> = []
        for (index, unit) in units.enumerated() {
            let types = TypeDeclaration.all(in: unit.tokens).filter { $0.isAtTopLevel && $0.keyword != "extension" }.map(\.name.text)
            if unit.side == side || unit.side == .both { own.formUnion(types) } else { for type in types { missing[type] = index } }
        }
        for type in own { missing[type] = nil }
        var found: Set<Int> = []
        var next = units.indices.filter { units[$0].side == side || units[$0].side == .both }
        while let index = next.popLast() {
            for token in units[index].tokens where token.kind == .word {
                if let file = missing[token.text], found.insert(file).inserted { next.append(file) }
            }
        }
        return found.map { units[$0].name }.sorted()
    }

    private mutating func findDelegates() {
        let declarations = units.flatMap { unit in TypeDeclaration.all(in: unit.tokens).map { (unit.side, unit.tokens, $0) } }
        let names = Set(declarations.filter { $0.2.inherited.contains("WCSessionDelegate") }.map { String($0.2.name.text) })
        delegates = names.sorted().flatMap { name in
            let own = declarations.filter { $0.2.name.text == name }
            let sides = Set(own.filter { $0.2.keyword != "extension" }.map(\.0))
            // Two targets may each have a class of one name.
            guard sides.isSuperset(of: [.phone, .watch]) else { return [Self.delegate(name, own)] }
            return [Side.phone, .watch].map { side in own.filter { $0.0 == side || $0.0 == .both } }
                .filter { $0.contains { $0.2.inherited.contains("WCSessionDelegate") } }.map { Self.delegate(name, $0) }
        }
    }

    private static func delegate(_ name: String, _ own: [(Side, [Token], TypeDeclaration)]) -> SessionDelegate {
        let home = own.first { $0.2.keyword != "extension" }
        return SessionDelegate(
            name: name, side: home?.0 ?? own.first?.0 ?? .both, isActor: home?.2.keyword == "actor", parts: own.map { $0.1[$0.2.tokens] })
    }

    private mutating func findNames() {
        for (_, _, tokens) in units {
            for declaration in TypeDeclaration.all(in: tokens) {
                let attributes = tokens[declaration.tokens].prefix { $0.range.lowerBound < declaration.name.range.lowerBound }
                if attributes.contains(where: { $0.isWord("main") }) { entryPoints.append(String(declaration.name.text)) }
            }
            for token in tokens where token.kind == .string && token.text.hasPrefix("\"group.") && !token.text.contains("\\") {
                let name = String(token.text.dropFirst().dropLast())
                if !groups.contains(name) { groups.append(name) }
            }
        }
        entryPoints = Set(entryPoints).sorted()
        groups.sort()
    }
}

/// A type that is the session's delegate, as an adapter uses it.
struct SessionDelegate {
    let name: String
    let side: AppSurvey.Side
    let isActor: Bool
    /// The static property that holds the one object; `nil` where the app makes objects.
    private(set) var singleton: String?
    /// Whether `init()` has parameters, so that only the app knows how to make one.
    private(set) var needsArguments = false
    /// What activates the session, unless its `init` does.
    private(set) var activation: SwiftMember?
    private(set) var activatesInInit = false
    /// Functions that a person's action could call.
    private(set) var actions: [SwiftMember] = []
    /// Properties that the app could show.
    private(set) var values: [SwiftMember] = []

    init(name: String, side: AppSurvey.Side, isActor: Bool, parts: [ArraySlice<Token>]) {
        self.name = name
        self.side = side
        self.isActor = isActor
        let members = parts.flatMap(SwiftMember.all)
        let initializers = members.filter { $0.kind == .initializer }
        needsArguments = !initializers.isEmpty && !initializers.contains(where: \.needsNothing)
        singleton =
            members.first { $0.isStatic && $0.kind == .value && ($0.type == name || $0.type == nil && $0.initialCall == name) }?.name
        let activating = members.first { $0.kind == .function && $0.callsActivate }
        let mentioned = Set(initializers.flatMap(\.words))
        activatesInInit =
            initializers.contains { $0.callsActivate } || activating.map { mentioned.contains(Substring($0.name)) } == true
        if !activatesInInit { activation = activating.flatMap { $0.parameters.isEmpty && !$0.isHidden ? $0 : nil } }
        actions = members.filter { member in
            member.kind == .function && !member.isStatic && !member.isHidden && member.name != activation?.name && !member.isOverride
                && member.parameters.count <= 1 && member.parameters.allSatisfy { SwiftMember.scalars[$0.type] != nil }
        }
        values = members.filter { $0.kind == .value && !$0.isStatic && !$0.isHidden && $0.scalar != nil }
    }
}
