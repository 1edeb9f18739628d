/// FNV-1a with 64 bits (draft-eastlake-fnv-17): the same on every host. It tells things apart; it does not resist someone who wants two to look alike.
///
/// What it gives is kept in files and compared with what other builds give, so it stays what it is.
package struct FNV1a: Sendable, Hashable {
    /// The hash of what was added.
    package var value: UInt64

    /// The hash of nothing yet.
    @inlinable package init() {
        value = 0xCBF2_9CE4_8422_2325
    }

    /// The hash of bytes.
    @inlinable package init(of bytes: some Sequence<UInt8>) {
        self.init()
        add(bytes)
    }

    @inlinable package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(UInt64(byte)) }
    }

    /// One round. FNV-1a itself has one for each byte.
    @inlinable package mutating func add(_ number: UInt64) {
        value = (value ^ number) &* 0x0000_0100_0000_01B3
    }
}
