import Foundation
import Testing

@testable import LocalData

/// `Int` has 32 bits on some watches. What is stored and sent must not depend on that.
@Suite struct IntegerWidthTests {
    private static let large = UInt64(Int64.max) - 1

    private static var snapshot: SyncSnapshot {
        let stamp = SyncStamp(counter: large, device: "phone.00112233")
        return SyncSnapshot(
            device: "phone", epoch: "e", sequence: large, content: large,
            acknowledged: .init(epoch: "f", sequence: large, content: large),
            entries: [
                "a": SyncEntry(stamp: stamp, value: Data("1".utf8), schemaVersion: 2),
                "b": SyncEntry(stamp: stamp, value: nil, isSettled: true),
            ],
            omitted: ["c"], omittedVersions: ["c": .init(stamp: stamp, schemaVersion: 2)])
    }

    @Test func noNumberThatIsSentIsAnInt() throws {
        var count = 0
        func look(_ any: Any, at path: String) {
            if let members = any as? [String: Any] {
                for (key, member) in members { look(member, at: "\(path).\(key)") }
            } else if let values = any as? [Any] {
                for value in values { look(value, at: path) }
            } else if any is any FixedWidthInteger {
                count += 1
                #expect(type(of: any) == Int64.self, "\(path) is \(type(of: any))")
            }
        }
        look(Self.snapshot.payload, at: "payload")
        look(StorageRouter.syncRequest, at: "request")
        #expect(count == 11)
        #expect(try SyncSnapshot(Self.snapshot.payload) == Self.snapshot)
    }

    /// Every type that LocalData reads from what is stored. `Int` would refuse, or cut, what another device has written.
    @Test func noPersistedTypeHasAnInt() throws {
        var breaches: [String] = []
        var types = 0
        for file in try SourceRulesTests.sourceFiles() where file.path.contains("/LocalData/") {
            var depth: Int?
            for (index, line) in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").enumerated() {
                let code = SourceRulesTests.withoutCommentsAndStrings(line)
                let indentation = line.prefix { $0 == " " }.count
                if depth == nil, code.contains(#/\b(struct|enum|class|protocol)\b.*\b(Codable|Decodable|SyncFileContent)\b.*\{/#) {
                    (depth, types) = (indentation, types + 1)
                } else if let start = depth, indentation <= start, code.contains("}") {
                    depth = nil
                }
                if depth != nil, code.contains(#/\b(var|let)\b[^=(]*:[^=(]*\b(Int|UInt)\b/#) {
                    breaches.append("\(file.lastPathComponent):\(index + 1): write Int64 or UInt64")
                }
            }
        }
        #expect(types >= 8)
        #expect(breaches.isEmpty, "\(breaches.joined(separator: "\n"))")
    }

    @Test func aNumberThatDoesNotFitIsSaid() throws {
        let key = Support.wide
        let plain = try key.encoded(5_000_000_000, width: 64)
        #expect(try key.decoded(plain, width: 64) == 5_000_000_000)
        for attempt in [{ try key.decoded(plain, width: 32) }, { try key.encoded(-2_147_483_649, width: 32).count }] {
            let error = #expect(throws: StorageError.self) { try attempt() }
            #expect(error?.code == .outOfRange)
            #expect(error?.key == "wide")
            #expect(error.map { "\($0)".contains("Int64") && !"\($0)".contains("5000000000") } == true)
        }
        #expect(try key.decoded(key.encoded(-2_147_483_648, width: 32), width: 32) == -2_147_483_648)
        #expect(throws: StorageError.self) { try key.decoded(Data("\"text\"".utf8), width: 32) }
    }

    @Test(arguments: [SerializedFormat.json, .propertyList, .opaque]) func numbersAreFoundInWhatIsStored(_ format: SerializedFormat) throws
    {
        let value: PropertyListValue = .dictionary(["steps": .array([.integer(5), .integer(2_147_483_648)])])
        let plain =
            switch format {
            case .json: Data(#"{"steps":[5,2147483648]}"#.utf8)
            default: try value.encoded()
            }
        #expect(IntegerRange.isExceeded(in: plain, format: format, width: 32) == (format != .opaque))
        #expect(!IntegerRange.isExceeded(in: plain, format: format, width: 64))
        #expect(IntegerRange.isExceeded(by: ["steps": [5, 2_147_483_648]], width: 32))
        #expect(!IntegerRange.isExceeded(by: ["steps": [5, -2_147_483_648]], width: 32))
        #expect(!IntegerRange.isExceeded(by: ["steps": [Int64(2_147_483_648)]], width: 32))
    }

    private enum Support {
        static let wide = WideKey()
    }

    private struct WideKey: StorageKey {
        typealias Value = Int

        let name = "wide"
        let domain: StorageDomain = .fileSystem(directory: .documents)
        let security: SecurityPolicy = .none
        let owner = "Tests"
        let description = "A whole number"
    }
}
