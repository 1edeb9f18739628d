import Testing

extension CrashOperation {
    /// Operations that belong together.
    struct Group: Sendable, CustomTestStringConvertible {
        let name: String
        let operations: [CrashOperation]

        var testDescription: String { name }
    }

    /// All that the suite cuts short. A new operation goes into one of these lists.
    static let groups: [Group] = [
        Group(name: "values", operations: values), Group(name: "migrations", operations: migrations), Group(name: "sync", operations: sync),
        Group(name: "rotation", operations: rotations),
    ]
}
