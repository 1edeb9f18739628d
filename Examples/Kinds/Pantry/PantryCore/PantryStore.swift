import Foundation

/// What is in the pantry, kept in the preferences.
public final class PantryStore {
    public static let shared = PantryStore()

    /// Is called after each change that a person makes.
    public var onChange: ((Data) -> Void)?
    public private(set) var items: [Item]

    public init(defaults: UserDefaults = .standard) {
        self.defaults = defaults
        items = defaults.data(forKey: "items").flatMap { try? JSONDecoder().decode([Item].self, from: $0) } ?? []
    }

    private let defaults: UserDefaults

    public func add(_ name: String) {
        if let index = items.firstIndex(where: { $0.name == name }) {
            items[index].count += 1
        } else {
            items.append(Item(name: name))
        }
        onChange?(save())
    }

    /// What the other device has is what is there.
    public func replace(with data: Data) throws {
        items = try JSONDecoder().decode([Item].self, from: data)
        _ = save()
    }

    private func save() -> Data {
        let data = (try? JSONEncoder().encode(items)) ?? Data()
        defaults.set(data, forKey: "items")
        return data
    }
}
