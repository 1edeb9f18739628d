import Foundation

/// A key whose values have a smaller form for the watch, such as a thumbnail instead of a photo.
///
/// The phone sends the smaller form and keeps the full one; size limits apply to what is sent. The watch stores what it gets under the same version,
/// and never gives it back as the newer one: a phone that has an earlier full value again, after a power loss or from a backup, keeps that, and sends
/// the smaller form of it. A phone that has none takes the smaller form. An edit on the watch is a new version of its own: it replaces the full value on
/// the phone.
public protocol WatchRepresentable: StorageKey {
    /// The form for the watch. Must give the same result for the same value. If it throws, the full value is sent.
    func watchRepresentation(of value: Value) throws -> Value
}

extension WatchRepresentable {
    /// The serialized smaller form of serialized bytes.
    func watchForm(of plain: Data) throws -> Data {
        try serializer.encode(watchRepresentation(of: serializer.decode(plain)))
    }
}
