import PantryCore

/// The pantry as a screen lists it.
struct PantryModel {
    var lines: [String] { PantryStore.shared.items.map(line) }

    func add(_ name: String) { PantryStore.shared.add(name) }

    private func line(_ item: PantryCore.Item) -> String { item.count == 1 ? item.name : "\(item.count) \(item.name)" }
}
