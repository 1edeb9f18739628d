/// What a key declares, for audits. Holds no value.
public struct StorageKeyDescriptor: Sendable, Hashable {
    public let name: String
}
