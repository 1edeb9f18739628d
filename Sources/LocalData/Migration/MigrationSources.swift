import Foundation

/// The values that a migration found at its sources, opened, for making the new value of them.
public struct MigrationSources: Sendable {
    struct Entry: Sendable {
        let key: any StorageKey
        let location: StorageLocation
        /// The serialized value, or `nil` where there is none.
        let plain: Data?
    }

    let destination: String
    let entries: [Entry]
    /// ``DeviceDescribing/integerBitWidth`` of this device.
    let integerBitWidth: Int

    /// The names of the sources that hold a value, in the order in which the migration lists them.
    public var present: [String] { entries.filter { $0.plain != nil }.map(\.key.name) }

    /// The value of one of the sources, or `nil` where it holds none.
    /// - Throws: ``StorageError/Code/wrongType`` where the value is of another type, ``StorageError/Code/invalidKey`` for a key that is no source.
    public func value<Key: StorageKey>(of key: Key) throws -> Key.Value? {
        let location = try StorageLocation(of: key)
        guard let entry = entries.first(where: { $0.location.physical == location.physical }) else {
            throw StorageError(
                .invalidKey, key: key.name, domain: key.domain.kind, facts: ["it is no source of the migration of '\(destination)'"])
        }
        return try entry.plain.map { try key.decoded($0, width: integerBitWidth) }
    }

    /// The error to throw where the sources contradict each other. It names them.
    public func conflict() -> MigrationError { .conflictingSources(key: destination, sources: present) }

    /// The value of a source as one of the destination's type: the same type, or bytes that both serializers read.
    func converted<Source: StorageKey, Destination: StorageKey>(_ source: Source, to destination: Destination) throws -> Destination.Value?
    {
        let location = try StorageLocation(of: source)
        guard let plain = entries.first(where: { $0.location.physical == location.physical })?.plain else { return nil }
        if Source.Value.self == Destination.Value.self, let value = try source.decoded(plain, width: integerBitWidth) as? Destination.Value
        {
            return value
        }
        if source.serializer.format == destination.serializer.format, source.serializer.name == destination.serializer.name,
            let value = try? destination.decoded(plain, width: integerBitWidth)
        {
            return value
        }
        throw MigrationError.transformFailed(
            key: destination.name, reason: "'\(source.name)' holds \(Source.Value.self), which is not read as \(Destination.Value.self)")
    }
}
