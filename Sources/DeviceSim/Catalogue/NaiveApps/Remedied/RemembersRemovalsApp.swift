import DeviceSimCore

/// The remedy of P40: a removal is remembered, and sent along. An item that was removed stays so; one of that name is not added again here, since items of a
/// real list have identifiers.
final class RemembersRemovalsApp: UnitedListApp, @unchecked Sendable {
    private var removed: [String] {
        get { UserDefaults.standard.stringArray(forKey: "removed") ?? [] }
        set { UserDefaults.standard.set(newValue, forKey: "removed") }
    }

    override func remove(_ item: String) {
        super.remove(item)
        removed.append(item)
    }

    override var state: [String: Any] { super.state.merging(["removed": removed]) { $1 } }

    override func merge(_ state: [String: Any]) {
        removed += (state["removed"] as? [String] ?? []).filter { !removed.contains($0) }
        super.merge(state)
        items.removeAll(where: removed.contains)
    }
}
