import Foundation

/// A rotation in the ring: a new key is added, then made primary in one step together with a mark that the rotation is under way; the mark
/// goes when everything was sealed anew. So a crash anywhere leaves either the old primary, perhaps with a successor to adopt, or a
/// rotation to go on with, and none of them mints a second key.
extension MasterKeyRing {
    /// What ``KeychainItem/generic`` of the pointer says while a rotation is under way. A stored format: a new one is another text.
    static let rotationMark = Data("rotating 1".utf8)

    /// The rotation that is under way.
    struct Rotation: Sendable, Hashable {
        /// The id of the key that seals from now on.
        let primary: String
        /// Whether this call began the rotation.
        let isNew: Bool
    }

    /// Makes a successor of the primary key primary, unless a rotation is under way.
    ///
    /// Of two processes that begin at once both end with one primary key; what the other one minted seals little or nothing, and is
    /// retired with the old one.
    /// - Returns: `nil` where there is no primary key to rotate.
    func beginRotation() throws -> Rotation? {
        for _ in 0..<8 {
            guard let pointer = try pointer() else { return nil }
            if try isRotating(pointer) { return Rotation(primary: pointer.primary, isNew: false) }
            guard try keyIfPresent(pointer.primary) != nil else { return nil }
            guard let successor = try successors(of: pointer.primary).first else {
                // And look again: another process may have minted one too, and both must choose the same.
                _ = try mint(after: pointer.primary)
                continue
            }
            try repoint(to: successor, rotation: Self.rotationMark)
            if try self.pointer()?.primary == successor { return Rotation(primary: successor, isNew: true) }
        }
        throw StorageError(.inputOutput, facts: ["the keychain does not keep the master key it accepts"])
    }

    func isRotating() throws -> Bool { try pointer().map(isRotating) ?? false }

    /// Takes the mark away. Writes nothing where there is none.
    func finishRotation() throws(StorageError) {
        guard let pointer = try pointer(), !pointer.rotation.isEmpty else { return }
        try repoint(to: nil, rotation: Data())
    }

    /// The keys that were minted to follow `id`, sorted.
    func successors(of id: String) throws(StorageError) -> [String] {
        try keys().filter { $0.generic == Data(id.utf8) }.map(\.account)
    }

    private func isRotating(_ pointer: Pointer) throws(StorageError) -> Bool {
        guard !pointer.rotation.isEmpty else { return false }
        guard pointer.rotation == Self.rotationMark else {
            throw StorageError(.superseded, facts: ["a newer version of the app rotates the master keys"])
        }
        return true
    }
}
