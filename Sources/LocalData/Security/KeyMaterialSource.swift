/// Names a provider of external key material. The identifier is stored in every envelope that needs it.
public struct KeyMaterialSource: Sendable, Hashable {
    public let id: String

    public init(id: String) {
        self.id = id
    }
}
