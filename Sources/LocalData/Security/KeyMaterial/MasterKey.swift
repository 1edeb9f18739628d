/// One key of the ring, with the name that envelopes know it by.
struct MasterKey: Sendable {
    /// The length of every master key in bytes.
    static let length = 32

    /// Sixteen hexadecimal digits, drawn at random when the key was minted. Not secret.
    let id: String
    let material: SecretBytes
}
