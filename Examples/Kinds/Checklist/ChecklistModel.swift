import Foundation
import SwiftUI

/// Things to pack, and which of them are packed. Saves itself after each change.
@MainActor
@Observable
final class ChecklistModel {
    static let shared = ChecklistModel()

    var items: [String] = []
    var packed: Set<String> = []
    /// How many changes were saved since the launch.
    @ObservationIgnored private(set) var saves = 0

    var missing: [String] { items.filter { !packed.contains($0) } }

    func load() {
        items = UserDefaults.standard.stringArray(forKey: "items") ?? []
        packed = Set(UserDefaults.standard.stringArray(forKey: "packed") ?? [])
        saveAfterChanges()
    }

    /// What is tracked is told of once, before the change: it is saved, and tracked anew, right after it.
    private func saveAfterChanges() {
        withObservationTracking {
            _ = items
            _ = packed
        } onChange: {
            Task { @MainActor [weak self] in
                self?.save()
                self?.saveAfterChanges()
            }
        }
    }

    private func save() {
        UserDefaults.standard.set(items, forKey: "items")
        UserDefaults.standard.set(packed.sorted(), forKey: "packed")
        saves += 1
    }
}
