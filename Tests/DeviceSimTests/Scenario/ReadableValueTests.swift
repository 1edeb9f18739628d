import DeviceSimLanguage
import Foundation
import TestSupport
import Testing

@testable import DeviceSimRunner

/// `expect no plaintext of KEY` finds a value of any type wherever it lies readable, takes nothing else for it, and says where it cannot tell.
@Suite struct ReadableValueTests {
    private func key(_ type: String, _ domain: String, _ security: String = "none", name: String = "pin") -> String {
        "key \(name): \(type)\n    domain    \(domain)\n    security  \(security)\n"
    }

    /// What the expectation says; `nil` where it holds.
    private func finding(_ keys: String, _ steps: String, on device: String = "phone") throws -> String? {
        let text = "# A value.\n\n\(keys)\n\(steps)\nexpect no plaintext of pin on \(device)\n"
        switch ScenarioRunner.run(try scenario(text)).outcome {
        case .passed: return nil
        case .failed(let failure):
            #expect(failure.source?.hasPrefix("expect no plaintext") == true)
            return failure.message
        case let outcome:
            Issue.record("\(outcome)")
            return nil
        }
    }

    static let places = ["userDefaults", "fileSystem documents", "appGroupUserDefaults \"group.com.example\"", "fileSystem caches"]

    @Test(
        arguments: [
            ("String", "\"abc\""), ("String", "\"x\""), ("String", "\"hunter2\""), ("Int", "4711"), ("Int", "-90210"), ("Double", "47.11"),
            ("[Int]", "[47, 11]"), ("[String]", "[\"ab\", \"cd\"]"), ("Any", "{\"pin\": 4711}"), ("Data", "base64(\"AQIDBA==\")"),
            ("Date", "date(\"2026-01-01T09:00:00Z\")"),
        ], places)
    func isFoundInAPlainPlace(_ value: (type: String, value: String), _ domain: String) throws {
        let found = try finding(key(value.type, domain), "phone set pin \(value.value)")
        #expect(found?.contains("'pin' lies readable in ") == true)
        // Sealed it lies nowhere.
        let sealed = try finding(key(value.type, "fileSystem documents", "encrypted aes256 hkdf"), "phone set pin \(value.value)")
        #expect(sealed == nil)
    }

    /// Within the value of another key, or in what an app has sent.
    @Test(arguments: [
        ("phone set other {\"note\": {\"pin\": PIN}}", "preference com.example.app other"),
        ("phone set other [1, [PIN]]", "preference com.example.app other"), ("phone set other \"{\\\"pin\\\": 4711}\"", "preference"),
        ("phone set other \"the PIN is 4711.\"", "preference"),
        ("link down\nphone transfer user info {\"n\": PIN}", "Connectivity/watch/Outgoing/"),
        ("link down\nphone update context {\"n\": {\"m\": PIN}}", "Connectivity/watch/ApplicationContext/"),
    ])
    func isFoundWithinOthers(_ step: String, _ place: String) throws {
        let keys = key("Int", "keychain", "keychain afterFirstUnlock") + "\n" + key("Any", "userDefaults", name: "other")
        let found = try finding(keys, "phone set pin 4711\n" + step.replacing("PIN", with: "4711"))
        #expect(found?.contains(place) == true)
    }

    /// Within bytes that are on their way, and as a digest that gives a short text away.
    @Test(arguments: [
        ("Int", "4711", "eyJwaW4iOjQ3MTF9"), ("String", "\"abc\"", "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="),
    ])
    func isFoundWithinBytes(_ type: String, _ value: String, _ bytes: String) throws {
        let keys = key(type, "keychain", "keychain afterFirstUnlock")
        let steps = "phone set pin \(value)\nlink down\nphone transfer user info {\"n\": base64(\"\(bytes)\")}"
        #expect(try finding(keys, steps)?.contains("Connectivity/watch/Outgoing/") == true)
    }

    @Test func isFoundWhereItHasArrived() throws {
        let step = "watch update context {\"n\": [\"abc\"]}"
        let keys = key("String", "keychain", "keychain afterFirstUnlock")
        #expect(try finding(keys, "phone set pin \"abc\"\nphone terminate\n\(step)\nwait 5s")?.contains("Connectivity/watch") == true)
    }

    /// A long text is found within another however that is written: with escapes of JSON or in UTF-16, in Base64, as the name of a file.
    @Test(
        arguments: [
            "my \\\"quoted\\\" one", "BEGIN\\nMIIEpAIB\\nEND", "back\\\\slash", "ab/cd/efg", "Schl\\u00fcssel",
        ], ["json", "plist"])
    func isFoundWithinALongerText(_ value: String, _ serializer: String) throws {
        let keys = key("String", "keychain", "keychain afterFirstUnlock") + "\n"
        for domain in Self.places {
            let other = key("String", domain, name: "note") + "    serializer \(serializer)\n"
            let found = try finding(keys + other, "phone set pin \"\(value)\"\nphone set note \"It is \(value), \u{FC}.\"")
            #expect(found?.contains("lies readable in ") == true, "\(domain): \(found ?? "not found")")
        }
        let sent = try finding(
            keys, "link down\nphone set pin \"\(value)\"\nphone transfer user info {\"n\": {\"It is \(value).\": 1}}")
        #expect(sent?.contains("Connectivity") == true)
    }

    @Test(arguments: [
        ("ab?>cdef", "phone write file \"Documents/log\" \"{\\\"t\\\": \\\"YWI\\/PmNkZWY=\\\"}, more\"", "file Documents/log"),
        ("hidden-one", "phone write file \"Documents/of-hidden-one/x\" \"1\"", "file Documents/of-hidden-one/x"),
        ("hidden-one", "phone write file \"Documents/a-hidden-one\" \"1\"", "file Documents/a-hidden-one"),
    ])
    func isFoundInNamesAndInEscapedBase64(_ value: String, _ step: String, _ place: String) throws {
        let keys = key("String", "keychain", "keychain afterFirstUnlock")
        let found = try finding(keys, "phone set pin \"\(value)\"\n\(step)")
        #expect(found?.contains("lies readable in ") == true && found?.contains("file ") == true, "\(found ?? "not found")")
    }

    /// The folders that every app has are named by nobody.
    @Test(arguments: ["Documents", "Library", "Application", "com.apple", "Received"]) func commonFoldersAreNoPlaces(_ word: String) throws
    {
        let keys = key("String", "keychain", "keychain afterFirstUnlock") + "\n" + key("String", "fileSystem documents", name: "other")
        #expect(
            try finding(keys, "phone set pin \"\(word)\"\nphone set other \"x\"\nphone write file \"Documents/Received/a\" \"1\"") == nil)
    }

    /// No false alarm: a part of a longer number, letters in a word, the value of a synced key on its way.
    @Test(arguments: [
        ("Int", "4711", "phone set other \"147115 and 4711.5 and x4711\""), ("String", "\"abc\"", "phone set other \"xabcx\""),
        ("Int", "4711", "phone set other [47111, 47.11]"), ("String", "\"hunter2\"", "phone set other \"hunter3\""),
    ])
    func isNotTakenForAnother(_ type: String, _ value: String, _ step: String) throws {
        let secret = key(type, "fileSystem documents", "encrypted aes256 hkdf") + "    sync      automaticSmall\n"
        let steps = "link down\nphone set pin \(value)\n\(step)\n"
        #expect(try finding(secret + "\n" + key("Any", "userDefaults", name: "other"), steps) == nil)
        #expect(try finding(secret + "\n" + key("Any", "userDefaults", name: "other"), steps + "link up\nsettle\n", on: "watch") == nil)
    }

    /// Names of fields are no values, and what a short text becomes in Base64 is the end of many things.
    @Test(arguments: ["key", "id", "a", "abc", "e"]) func shortWordsAreNotTakenForNames(_ word: String) throws {
        let secret = key("String", "fileSystem documents", "encrypted aes256 hkdf") + "    sync      automaticSmall\n"
        let others = "\n" + key("Any", "userDefaults", name: "other") + "    sync      automaticSmall\n"
        let steps = "phone set pin \"\(word)\"\nphone set other {\"\(word)\": [\"{\\\"\(word)\\\": 1}\"]}\nsettle\n"
        for device in ["phone", "watch"] { #expect(try finding(secret + others, steps, on: device) == nil) }
        let told = steps + "phone set other \"it says \\\"\(word)\\\" there\"\n"
        #expect(try finding(secret + others, told)?.contains("lies readable in preference com.example.app other") == true)
    }

    /// LocalData's own words are everywhere, whatever the value is.
    @Test(
        arguments: ["counter", "deleted", "mark", "pending", "phone", "removed", "value", "version", "watch"], ["", "phone remove pin\n"])
    func ownWordsAreRefused(_ word: String, _ removal: String) throws {
        let secret = key("String", "keychain", "keychain afterFirstUnlock") + "    sync      automaticSmall\n"
        let steps = "phone set pin \"\(word)\"\nsettle\n\(removal)"
        let message = try finding(secret, steps)
        #expect(message?.contains("a word that LocalData writes into records of its own") == true, "\(message ?? "")")
    }

    /// All of LocalData's words are known: a new one is to be added to them.
    @Test func ownWordsAreKnown() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("bookkeeping-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        var options = RunOptions()
        options.root = root
        var known: Set<String> = []
        for folder in ["rotation", "extensions", "switching", "versions"] {
            let directory = repository.appendingPathComponent("Scenarios/\(folder)")
            let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted().filter { $0.hasSuffix(".scenario") }
            for (number, name) in names.enumerated() where number.isMultiple(of: 3) {
                let path = directory.appendingPathComponent(name).path
                for scenario in ScenarioCompiler.compile(path: path).scenarios { _ = ScenarioRunner.run(scenario, options: options) }
                // Names of keys and of groups are the app's.
                let text = try String(contentsOfFile: path, encoding: .utf8)
                known.formUnion(text.split { !$0.isLetter && !$0.isNumber }.map(String.init))
            }
        }
        var count = 0
        for path in try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted() where path.contains("/LocalData/") {
            guard let bytes = FileManager.default.contents(atPath: root.appendingPathComponent(path).path) else { continue }
            let words = String(decoding: bytes, as: UTF8.self).split { !$0.isLetter && !$0.isNumber }.map(String.init)
            for word in words where word.count >= 4 && word.allSatisfy(\.isLetter) && !word.allSatisfy(\.isHexDigit) {
                count += 1
                #expect(BookkeepingWords.hold(word) || known.contains(word), "LocalData writes `\(word)` into \(path): add it")
            }
        }
        #expect(count > 300)
    }

    /// The name of a key is written beside its value, and another short text is not.
    @Test(arguments: [("b", true), ("bc", true), ("c", false)]) func aShortNameIsRefused(_ value: String, isRefused: Bool) throws {
        let keys = key("String", "keychain", "keychain afterFirstUnlock") + "    sync      automaticSmall\n"
        let others = ["b", "bc"].map { "\n" + key("Any", "userDefaults", name: $0) + "    sync      automaticSmall\n" }.joined()
        let message = try finding(keys + others, "phone set pin \"\(value)\"\nphone set b 1\nphone set bc 1\nsettle\n")
        #expect(message?.contains("it is the name of a key") ?? false == isRefused)
        #expect((message == nil) != isRefused)
    }

    @Test(arguments: [
        ("Int", "7", "fewer than 4 digits"), ("Int", "-123", "fewer than 4 digits"), ("Double", "0.5", "fewer than 4 digits"),
        ("Bool", "true", "are everywhere"), ("String", "\"\"", "an empty text"), ("[Int]", "[]", "fewer than 4"),
        ("Any", "[true, 7]", "fewer than 4"),
        ("Data", "base64(\"AQ==\")", "it has fewer than 4 bytes"), ("String", "\"ocum\"", "it is a part of"),
    ])
    func isRefusedWhereItCannotBeTold(_ type: String, _ value: String, _ reason: String) throws {
        for security in ["none", "encrypted aes256 hkdf"] {
            let message = try finding(key(type, "fileSystem documents", security), "phone set pin \(value)")
            #expect(message?.hasPrefix("it cannot be told whether the value of 'pin' lies readable somewhere: ") == true)
            #expect(message?.contains(reason) == true)
        }
    }
}
