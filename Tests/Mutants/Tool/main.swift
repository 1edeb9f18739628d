import Foundation

// Plants mistakes by operators in a copy of the package, builds it once, and prints what finds each. See Scripts/mutants.

/// The words of the command line: `--name value`.
func option(_ name: String) -> String? {
    let words = CommandLine.arguments
    return words.firstIndex(of: "--" + name).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
}

func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

let root = URL(fileURLWithPath: option("root") ?? ".")
let seed = option("seed").flatMap { UInt64($0) } ?? 1
let count = option("each").flatMap { Int($0) } ?? 12
let seconds = option("seconds").flatMap { Double($0) } ?? 60
let folder = URL(fileURLWithPath: option("folder") ?? NSTemporaryDirectory() + "mutants")
let only = option("only")
/// Whether what neither the suite nor the search finds is left to the unit tests.
let hasTests = CommandLine.arguments.contains("--tests")
/// Whether what neither the suite nor the search finds is searched for in comparison with the tool without it.
let isComparing = CommandLine.arguments.contains("--compare")
let isListing = CommandLine.arguments.contains("--list")

let plantation = Plantation(root: root, copy: folder.appendingPathComponent("package"))
let files = try plantation.files()
var places: [Area: [Mutation]] = [:]
for path in files {
    guard let area = Area.of(path) else { continue }
    places[area, default: []] += PlaceFinder.mutations(of: try plantation.source(path), path: path)
}
let total = places.values.reduce(0) { $0 + $1.count }

let session = "Sources/DeviceSim/Core/Connectivity/"
let rules = try RuleMistake.all.map { try $0.mutation(of: plantation.source(session + $0.file), path: session + $0.file) }

/// Three times as many as wanted, since some do not compile; the number of a mistake is its place here.
let sampled = Area.allCases.flatMap { area in
    Sample(seed: seed).draw(3 * count, of: places[area] ?? [], beside: rules).map { (area, $0) }
}
let drawn = rules.map { (Area.rules, $0) } + sampled
say("\(total) places; \(drawn.count) mistakes are planted in \(plantation.copy.path)")
if isListing {
    for (number, (area, mutation)) in drawn.enumerated() {
        print(
            number, area.rawValue, mutation.identity, "\(mutation.path):\(mutation.lines.lowerBound)", mutation.declaration,
            mutation.sentence)
    }
    exit(0)
}

/// What did not compile before is known by name.
let notes = folder.appendingPathComponent("uncompiled.json")
var known = (try? Data(contentsOf: notes)).flatMap { try? JSONDecoder().decode(Set<String>.self, from: $0) } ?? []
let numbered = drawn.enumerated().map { (number: $0.offset, mutation: $0.element.1) }
/// `--built` measures what was built before, whatever was edited since.
let uncompiled =
    CommandLine.arguments.contains("--built")
    ? Set(numbered.filter { known.contains($0.mutation.identity) }.map(\.number))
    : try plantation.build(numbered, among: files, without: known, withTests: hasTests, report: say)
if !CommandLine.arguments.contains("--built") {
    known.formUnion(uncompiled.map { drawn[$0].1.identity })
    try JSONEncoder().encode(known).write(to: notes, options: .atomic)
}
if CommandLine.arguments.contains("--build") { exit(0) }

/// What is measured: the first so many of each area that compile.
var chosen: [(number: Int, area: Area, mutation: Mutation)] = []
for (number, (area, mutation)) in drawn.enumerated() where !uncompiled.contains(number) {
    if area == .rules || chosen.count(where: { $0.area == area }) < count { chosen.append((number, area, mutation)) }
}

/// What was measured before is kept, by name; `--resume` goes on with that. `--again` searches for survivors once more.
let words = CommandLine.arguments
func memory(_ name: String) -> URL { folder.appendingPathComponent("\(name)-\(seed).json") }
var suites = try Memory<SuiteResult>(memory("suite"), isEmpty: !words.contains("--resume"))
var searches = try Memory<SearchResult>(memory("search"), isEmpty: !words.contains("--resume"))
var comparisons = try Memory<SearchResult>(memory("comparison"), isEmpty: !words.contains("--resume"))
var tests = try Memory<TestsResult>(memory("tests"), isEmpty: !words.contains("--resume"))
let equivalences = try Equivalence.read(plantation.source("Tests/Mutants/EQUIVALENT.md"))
let built = option("programs").map { URL(fileURLWithPath: $0) } ?? plantation.copy.appendingPathComponent(".build/release")
let meter = Meter(copy: plantation.copy, programs: built, seconds: seconds, seed: seed)
/// The tests that fail without a mistake, of LocalData and of DeviceSim.
var failing: [Bool: Set<String>] = [:]

/// Compares with the tool without it, where nothing else has found it.
@MainActor func compare(_ number: Int, _ mutation: Mutation, _ place: String) throws {
    guard isComparing, comparisons[mutation] == nil, suites[mutation]?.scenario == nil, searches[mutation]?.find == nil else { return }
    let result = try meter.search(number, isComparing: true)
    try comparisons.keep(result, of: mutation)
    let found = result.find.map { "run \($0.run ?? 0) in \($0.seconds) s, \($0.steps ?? 0) steps, \($0.invariant ?? "")" }
    say("\(place)\n    comparison: \(found ?? (result.isReached ? "–" : "not reached"))")
    if only != nil { say(result.find?.text ?? "") }
}

/// Asks the unit tests, where nothing else has found it.
@MainActor func leaveToTests(_ number: Int, _ mutation: Mutation, _ place: String) {
    guard hasTests, tests[mutation] == nil, suites[mutation]?.scenario == nil, searches[mutation]?.find == nil else { return }
    do {
        let module = mutation.path.hasPrefix("Sources/LocalData/")
        let known = try failing[module] ?? meter.failingTests(of: mutation.path)
        failing[module] = known
        let result = try meter.tests(number, of: mutation.path, besides: known)
        try tests.keep(result, of: mutation)
        say("\(place)\n    tests: \(result.test ?? "–")")
    } catch {
        say("\(place)\n    tests: \(error)")
    }
}

// What the search finds without any mistake it would find with each.
if !words.contains("--no-search"), only == nil,
    let find = try meter.search(-1).find ?? (isComparing ? meter.search(-1, isComparing: true).find : nil)
{
    say("without a mistake the search finds something, which is to be mended first: run \(find.run ?? 0), \(find.invariant ?? "")")
    say(find.text ?? "")
    exit(1)
}
for (number, area, mutation) in chosen where only == nil || only == mutation.identity {
    if (area == .rules) != words.contains("--rules"), only == nil { continue }
    if equivalences[mutation.identity] != nil, only == nil { continue }
    let place = "\(number) \(mutation.identity) \(mutation.path):\(mutation.lines.lowerBound) \(mutation.sentence)"
    if !words.contains("--no-suite"), suites[mutation] == nil || only != nil {
        let result = try meter.suite(number)
        try suites.keep(result, of: mutation)
        say("\(place)\n    suite: \(result.scenario ?? (result.isReached ? "–" : "not reached"))")
    }
    if words.contains("--no-search") { continue }
    defer {
        try? compare(number, mutation, place)
        leaveToTests(number, mutation, place)
    }
    if let known = searches[mutation], known.find != nil || known.seconds >= seconds && !words.contains("--again"), only == nil { continue }
    let result = try meter.search(number)
    try searches.keep(result, of: mutation)
    let found = result.find.map { "run \($0.run ?? 0) in \($0.seconds) s, \($0.steps ?? 0) steps, \($0.invariant ?? "")" }
    say("\(place)\n    search: \(found ?? (result.isReached ? "–" : "not reached"))")
    if only != nil { say(result.find?.text ?? "") }
}

let rows = chosen.map { choice in
    Page.Row(
        area: choice.area, mutation: choice.mutation, suite: suites[choice.mutation], search: searches[choice.mutation],
        comparison: comparisons[choice.mutation], tests: tests[choice.mutation], equivalence: equivalences[choice.mutation.identity])
}
if words.contains("--rules") {
    print(RulePage(rows: rows.filter { $0.area == .rules }, seconds: seconds).text)
} else {
    print(
        Page(
            rows: rows.filter { $0.area != .rules }, seconds: seconds, seed: seed, places: total, uncompiled: uncompiled.count,
            isComparing: isComparing, hasTests: hasTests,
            command:
                "Scripts/mutants --seed \(seed) --each \(count)\(isComparing ? " --compare" : "")\(hasTests ? " --tests" : "") > Tests/Mutants/SEED-\(seed).md"
        ).text)
}
