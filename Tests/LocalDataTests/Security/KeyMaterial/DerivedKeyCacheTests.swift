import Foundation
import Testing

@testable import LocalData

@Suite struct DerivedKeyCacheTests {
    private let family = DerivedKeyFamily(
        keySource: .external(id: "server"), keyName: "token", fingerprint: Data([1]), cipher: .aes256GCM, iterations: 1_000)

    private func name(_ number: Int) -> DerivedKeyName {
        DerivedKeyName(family: family, salt: Data("\(number)".utf8))
    }

    private func key(_ byte: UInt8) -> SecretBytes {
        Data([byte]).withUnsafeBytes { SecretBytes(copying: $0) }
    }

    @Test func theLeastRecentlyUsedKeyGoesFirst() {
        var cache = DerivedKeyCache()
        for number in 0..<DerivedKeyCache.capacity { cache.insert(key(UInt8(number)), for: name(number)) }
        #expect(cache.key(for: name(0)) != nil)
        cache.insert(key(99), for: name(99))
        #expect(cache.count == DerivedKeyCache.capacity)
        #expect(cache.key(for: name(0)) != nil)
        #expect(cache.key(for: name(1)) == nil)
    }

    @Test func everyPartOfTheNameCounts() {
        var cache = DerivedKeyCache()
        cache.insert(key(1), for: name(1))
        var others = [name(2)]
        for change in [
            { $0.keySource = .master(id: "server") }, { $0.keyName = nil }, { $0.fingerprint = Data([2]) },
            { $0.cipher = .chacha20Poly1305 },
            { $0.iterations = 1_001 },
        ] as [(inout DerivedKeyFamily) -> Void] {
            var changed = name(1)
            change(&changed.family)
            others.append(changed)
        }
        for other in others { #expect(cache.key(for: other) == nil) }
    }

    @Test func theFirstSaltStays() {
        var cache = DerivedKeyCache()
        #expect(cache.currentSalt(of: family) == nil)
        cache.setCurrentSaltIfNone(Data([1]), of: family)
        cache.setCurrentSaltIfNone(Data([2]), of: family)
        #expect(cache.currentSalt(of: family) == Data([1]))
    }
}
