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

    /// Use does not prolong it.
    @Test func aKeyGoesAfterItsLifetimeHoweverOftenItIsUsed() {
        var cache = DerivedKeyCache()
        let start = Date(timeIntervalSinceReferenceDate: 0)
        cache.insert(key(1), for: name(1), at: start)
        #expect(cache.key(for: name(1), at: start + 200) != nil)
        #expect(cache.key(for: name(1), at: start + 300) != nil)
        #expect(cache.key(for: name(1), at: start + 301) == nil)
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

/// For how long a key is kept.
@Suite struct DerivedKeyLifetimeTests {
    private let name = DerivedKeyName(
        family: DerivedKeyFamily(
            keySource: .external(id: "pin"), keyName: "token", fingerprint: Data([1]), cipher: .aes256GCM, iterations: 1_000),
        salt: Data([1]))
    private let start = Date(timeIntervalSinceReferenceDate: 1_000_000)

    private func filled() -> DerivedKeyCache {
        var cache = DerivedKeyCache()
        cache.insert(Data([1]).withUnsafeBytes { SecretBytes(copying: $0) }, for: name, at: start)
        return cache
    }

    @Test(arguments: [(0.0, true), (299, true), (300, true), (301, false), (-1, false)])
    func aKeyIsKeptForFiveMinutes(_ seconds: Double, _ isKept: Bool) {
        var cache = filled()
        #expect((cache.key(for: name, at: start + seconds) != nil) == isKept)
        #expect(cache.count == (isKept ? 1 : 0), "released, not only passed over")
    }

    @Test func theUseOfAnotherReleasesIt() {
        var cache = filled()
        var other = name
        other.salt = Data([2])
        #expect(cache.key(for: other, at: start + 301) == nil)
        #expect(cache.count == 0)
    }

    @Test func allCanBeForgotten() {
        var cache = filled()
        cache.removeAllKeys()
        #expect(cache.count == 0 && cache.key(for: name, at: start) == nil)
    }

    /// What was typed must not outlive the person's presence because its derivation took longer than that.
    @Test func whatWasBeingDerivedMeanwhileIsNotKept() {
        let key = Data([1]).withUnsafeBytes { SecretBytes(copying: $0) }
        for forget in [{ $0.removeAllKeys() }, { $0.removeAll(of: .external(id: "pin")) }] as [(inout DerivedKeyCache) -> Void] {
            var cache = DerivedKeyCache()
            let begun = cache.generation
            forget(&cache)
            cache.insert(key, for: name, at: start, derivedIn: begun)
            #expect(cache.count == 0)
            cache.insert(key, for: name, at: start, derivedIn: cache.generation)
            #expect(cache.count == 1)
        }
    }
}
