/// Names a provider of external key material. The identifier is stored in every envelope that needs it.
public struct KeyMaterialSource: Sendable, Hashable {
    /// Such as `remote.1`. A contract with stored values: new material needs a new identifier. Not secret.
    public let id: String

    /// A source of that identifier. Register its provider at launch, before its values are used.
    public init(id: String) {
        self.id = id
    }
}
